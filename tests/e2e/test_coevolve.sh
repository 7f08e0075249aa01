#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# falconer coevolve: evolution by games is the same bytes however a run goes, and ends with a verdict.
. tests/e2e/tap.sh || exit 1
FALCONER=$(realpath "$FALCONER")
coevolve() { expect "$1" "$2" "$3" "$FALCONER" coevolve "${@:4}"; }
# same NAME DIR DIR: two runs are the same bytes but for what may differ.
same() { diff -rq -x timings.csv -x checkpoint.previous "$2" "$3" >"$SCRATCH/diff"; result "$1" $?; }
tiny=(--max-moves 30 --verdict-games 8)
cec=(cec2001 --population 8 --play-depth 1 --generations 5 "${tiny[@]}")

# begin DIR OPTIONS...: starts a run in the background and waits for its first generation; $pid is its process.
begin() {
    rm -rf "$1"
    "${attended[@]}" "$FALCONER" coevolve "${@:2}" -o "$1" >"$SCRATCH/said" 2>&1 </dev/null &
    pid=$!
    while kill -0 $pid 2>/dev/null && [[ ! -s $1/log.jsonl ]]; do sleep 0.01; done
}
# finish SIGNAL: ends it; leaves its exit code in $rc.
finish() {
    kill "-$1" $pid 2>/dev/null
    wait $pid 2>/dev/null
    rc=$?
}

# --- CEC 2001: meetings ---

coevolve 'members that meet' 0 '*Evolution by games*Verdict on the mean of the population of run 1: * Elo (95% *Mean of each weight*This took *' \
    "${cec[@]}" -t 1 -o "$SCRATCH/cec"
for file in config.ini log.jsonl genes.csv population.csv meetings.csv best.weights undeveloped.weights verdict.csv checkpoint report.html report.txt; do
    [[ -s $SCRATCH/cec/$file ]] || break
done
result 'leave their files' $?
grep -q '"generation":5,"evaluations":84,"diversity":.*"means":{"KNIGHT_VALUE":.*"deviations":{"KNIGHT_VALUE":' "$SCRATCH/cec/log.jsonl"
result 'means and deviations of every generation are kept' $?
[[ $(grep -c '"draws":.*"plies":.*"unchanged":.*"from_start":.*"start_unchanged":' "$SCRATCH/cec/log.jsonl") == 6 ]]
result 'and draws, plies and what is left of the start' $?
[[ $(awk -F, 'NR > 1 { games += $4 + $5 + $6 } END { print games }' "$SCRATCH/cec/meetings.csv") == 84 ]]
result 'and who met whom, in all games' $?
coevolve 'kept in range' 0 '*Evolution by games*' "${cec[@]}" --keep-in-range yes -t 1 -o "$SCRATCH/kept"
awk -F, 'NR > 1 { for (i = 1; i <= NF; i++) if ($i < 0 || $i > 12000) exit 1 } END { exit NR != 9 }' \
    "$SCRATCH/kept/population.csv"
result 'nothing leaves its range' $?
grep -q '^# verdict: .* Elo (95% interval' "$SCRATCH/cec/best.weights"
result 'the weights tell the verdict' $?
expect 'they are weights to play with' 0 '*LEGAL_MOVE*' "$FALCONER" weights show "$SCRATCH/cec/undeveloped.weights"
for threads in 2 3; do
    run "$FALCONER" coevolve "${cec[@]}" -t $threads -o "$SCRATCH/cec-$threads"
    same "$threads threads: the same bytes" "$SCRATCH/cec" "$SCRATCH/cec-$threads"
done
begin "$SCRATCH/killed" "${cec[@]}"
finish KILL
coevolve 'a killed run goes on' 0 '*Verdict*' --resume "$SCRATCH/killed"
same 'killed and resumed: the same bytes' "$SCRATCH/cec" "$SCRATCH/killed"
begin "$SCRATCH/stopped" "${cec[@]}"
finish INT
[[ $rc == 0 || $(<"$SCRATCH/said") == *"stopped; falconer coevolve --resume $SCRATCH/stopped goes on"* ]]
result 'Ctrl-C: it says how to go on' $?
run "$FALCONER" coevolve --resume "$SCRATCH/stopped"
same 'stopped and resumed: the same bytes' "$SCRATCH/cec" "$SCRATCH/stopped"
sed -i '2s/^\([0-9]*\),[0-9]*/\1,-5/' "$SCRATCH/stopped/verdict.csv"
expect 'a verdict that cannot be is refused' 1 '*verdict.csv: damaged: *move it away*' "$FALCONER" coevolve --resume "$SCRATCH/stopped"
rm "$SCRATCH/stopped/verdict.csv"
coevolve 'a verdict that is missing is reached again' 0 '*Verdict*' --resume "$SCRATCH/stopped"
same 'and is the same' "$SCRATCH/cec" "$SCRATCH/stopped"
coevolve 'without the seed, in two runs' 0 "*Each run's verdict*Points of all runs: *" cec2001-unseeded --runs 2 \
    "${cec[@]:1}" -o "$SCRATCH/two"
awk -F, 'NR > 1 { ranks[$2]++; n++ } END { exit !(n == 2 && ranks[1] == 1 && ranks[2] == 1) }' "$SCRATCH/two/runs.csv"
result 'which runs.csv ranks by their verdicts' $?
coevolve 'two runs without verdicts' 0 '*There is no verdict*' "${cec[@]}" --verdict-games 0 --generations 2 --runs 2 \
    -o "$SCRATCH/unjudged"

# --- points ---

head -n 150 data/grandmasters-train.epd >"$SCRATCH/train.epd"
supervised=(--data "$SCRATCH/train.epd" --test "" --depth 2 --generations 3 --runs 3)
run "$FALCONER" evolve gecco2009 "${supervised[@]}" --population 10 -o "$SCRATCH/gm"
run "$FALCONER" evolve asoc2013 "${supervised[@]}" --population 4 -o "$SCRATCH/asoc"
median=$(awk -F, '$2 == 2 { printf "run-%02d", $1 }' "$SCRATCH/asoc/runs.csv")
run "$FALCONER" weights median "$SCRATCH/asoc" -o "$SCRATCH/median.weights"
cmp -s "$SCRATCH/asoc/$median/best.weights" "$SCRATCH/median.weights"
result 'the best of the median run' $?
expect 'the median of what is no folder of runs' 1 '*runs.csv*' "$FALCONER" weights median "$SCRATCH"
robin=(gecco2009-coevolve --start-from "$SCRATCH/gm" --population 3 --generations 2 --play-nodes 100 "${tiny[@]}")
coevolve 'the best of several runs, each against each' 0 '*36 games*Verdict on the best organism of run 1: *' "${robin[@]}" -t 2 \
    -o "$SCRATCH/robin"
begin "$SCRATCH/robin-killed" "${robin[@]}"
finish KILL
run "$FALCONER" coevolve --resume "$SCRATCH/robin-killed"
same 'killed and resumed: the same bytes' "$SCRATCH/robin" "$SCRATCH/robin-killed"
coevolve 'the players of the median run, against random ones' 0 '*120 games*Verdict*' asoc2013-tournament \
    --start-from "$SCRATCH/asoc" --population 4 --generations 2 --play-depth 1 "${tiny[@]}" -o "$SCRATCH/tournament"
coevolve 'from weights files, without a verdict' 0 '*There is no verdict*' gecco2009-coevolve --generations 1 \
    --play-nodes 50 --max-moves 20 --match-games 2 --verdict-games 0 --population 3 \
    --start-from weights/maestro-hand.weights --start-from "$SCRATCH/gm/run-01/best.weights" -o "$SCRATCH/files"

# Four organisms at the start, then both these and four trials of them; cmaes has as many as it likes.
few=(gecco2009-coevolve --chromosome real --match-games 2 --play-nodes 30 "${tiny[@]}")
coevolve 'an algorithm that lets more than its population play' 0 '*4 organisms that play each other, 124 games*' "${few[@]}" \
    --algorithm de --population 4 --generations 2 -o "$SCRATCH/de"
coevolve 'one that chooses its population' 0 '*: organisms that play each other*' "${few[@]}" --algorithm cmaes --generations 0 \
    -o "$SCRATCH/cmaes"
grep -h '"mean":' "$SCRATCH"/{robin,de,cmaes}/log.jsonl | grep -qv '"mean":50.000'
[[ $? == 1 ]]
result 'half of the points are made in the mean, whoever plays' $?

# --- refusals ---

run "$FALCONER" book fuzz/corpus/pgn/opera -o "$SCRATCH/a.bin" --min-games 1

coevolve 'a preset that learns from positions' 1 '*learn from positions: falconer evolve takes them*' gecco2008 -o "$SCRATCH/x"
expect 'and the other way round' 1 '*learn by games: falconer coevolve takes them*' "$FALCONER" evolve cec2001 -o "$SCRATCH/x"
coevolve 'more organisms than a population has' 1 '*3 organisms to start from are more than the population of 2*' \
    gecco2009-coevolve --start-from "$SCRATCH/gm" --population 2 -o "$SCRATCH/x"
coevolve 'a folder of another family' 1 '*start-from: *weights of family vazquez, where maestro is evolved*' \
    gecco2009-coevolve --start-from "$SCRATCH/asoc" -o "$SCRATCH/x"
rm "$SCRATCH/asoc/runs.csv"
coevolve 'a folder whose runs are not ranked' 1 '*start-from: *asoc/runs.csv: *' asoc2013-tournament \
    --start-from "$SCRATCH/asoc" -o "$SCRATCH/x"
coevolve 'a book, which has no end' 1 '*a.bin: positions or games are needed, not a book*' cec2001 --openings "$SCRATCH/a.bin" \
    -o "$SCRATCH/x"
coevolve 'a folder that is not there' 1 '*start-from: *' gecco2009-coevolve --start-from "$SCRATCH/nowhere" -o "$SCRATCH/x"
for list in ',' maestro-hand.weights,,maestro-hand.weights; do
    coevolve "a list with a hole: $list" 1 '*start-from: there is a comma without a name*' gecco2009-coevolve --start-from "$list" \
        -o "$SCRATCH/x"
done
coevolve 'an odd verdict' 1 '*verdict-games must be even*' cec2001 --verdict-games 7 -o "$SCRATCH/x"
head -n 5 data/openings.epd >"$SCRATCH/five.epd"
coevolve 'a verdict by games that were played before' 1 '*verdict-games must be at most 10: no opening is played twice*' cec2001 \
    --openings "$SCRATCH/five.epd" --verdict-games 12 -o "$SCRATCH/x"
coevolve 'half of five openings' 1 '*verdict-games must be at most 6: *' gecco2009-coevolve --population 3 \
    --openings "$SCRATCH/five.epd" --verdict-games 20 -o "$SCRATCH/x"
coevolve 'an opening of both' 1 "*five.epd: an opening of the verdict is one of evolution's, too*" gecco2009-coevolve \
    --openings data/openings.epd --verdict-openings "$SCRATCH/five.epd" --verdict-games 10 -o "$SCRATCH/x"
coevolve 'a race without openings' 1 '*races and play-offs need openings*' gecco2009-coevolve --schedule race --initial-position yes \
    -o "$SCRATCH/x"
coevolve 'half a pair in a race' 1 '*match-games must be even in a race*' gecco2009-coevolve --schedule race --match-games 3 -o "$SCRATCH/x"
coevolve 'nothing to vary' 1 '*start-spread needs organisms to vary*' gecco2009-coevolve --start-spread 5 -o "$SCRATCH/x"
tail -n 6 data/openings.epd >"$SCRATCH/six.epd"
coevolve 'all of the other openings' 1 '*verdict-games must be at most 12: *' gecco2009-coevolve --openings "$SCRATCH/five.epd" \
    --verdict-openings "$SCRATCH/six.epd" --verdict-games 14 -o "$SCRATCH/x"
[[ ! -e $SCRATCH/x ]]
result 'and nothing is left of them' $?
coevolve 'a setting of other kinds' 2 '*data changes nothing here, where organisms learn by games*' cec2001 --data x.epd \
    -o "$SCRATCH/x"
coevolve 'no preset' 2 '*expected PRESET*'
expect 'a stage that is none' 1 "*--stage is I/N, as in 2/5, not '3/2'*" "$FALCONER" coevolve cec2001 --stage 3/2 -o "$SCRATCH/no-stage"
expect 'nor is this one' 1 "*--stage is I/N, as in 2/5, not '-1/-1'*" "$FALCONER" coevolve cec2001 --stage=-1/-1 -o "$SCRATCH/no-stage"
[[ ! -e $SCRATCH/no-stage ]]
result 'writes nothing' $?

# Records and archives hold no empty folders: a run that was not begun goes on without its own.
small=(cec2001 --population 4 --generations 2 --play-depth 1 --verdict-games 2 --runs 3)
coevolve 'a first stage' 0 '*Stage 1 of 3 is done; continue with *' "${small[@]}" --stage 1/3 -o "$SCRATCH/staged"
find "$SCRATCH/staged" -type d -empty -delete
[[ ! -e $SCRATCH/staged/run-03 ]]
result 'leaves a run that was not begun' $?
coevolve 'which goes on' 0 '*' --resume "$SCRATCH/staged"
coevolve 'the same at once' 0 '*' "${small[@]}" -o "$SCRATCH/at-once"
cmp "$SCRATCH/staged/runs.csv" "$SCRATCH/at-once/runs.csv" && cmp "$SCRATCH"/{staged,at-once}/run-03/best.weights
result 'with the same result' $?
done_testing
