#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Learning from moves: runs, their bytes, what score tells of them, and bad input.
. tests/e2e/tap.sh || exit 1
evolve() { expect "$1" "$2" "$3" "$FALCONER" evolve "${@:4}"; }
score() { expect "$1" "$2" "$3" "$FALCONER" score "${@:4}"; }
same() { # NAME FILE FILE
    cmp -s "$2" "$3"
    result "$1" $?
}
head -n 150 data/grandmasters-train.epd >"$SCRATCH/train.epd"
head -n 100 data/grandmasters-test.epd >"$SCRATCH/test.epd"
small=(--data "$SCRATCH/train.epd" --test "$SCRATCH/test.epd" --depth 2 --generations 10)

evolve 'a run from moves' 0 '*match*%*' gecco2009 "${small[@]}" --population 20 -t 1 -o "$SCRATCH/one"
evolve 'on two threads' 0 '*' gecco2009 "${small[@]}" --population 20 -t 2 -o "$SCRATCH/two"
for file in best.weights log.jsonl population.csv checkpoint; do
    same "$file is the same on two threads" "$SCRATCH/one/$file" "$SCRATCH/two/$file"
done
lines=$(grep -c held_out "$SCRATCH/one/log.jsonl")
[[ $lines == 0 ]]
result 'the test set is not looked at while the run goes on' $?
evolve 'a validation part' 0 '*' gecco2009 "${small[@]}" --population 20 --validation 50 -o "$SCRATCH/three"
[[ $(grep -c held_out "$SCRATCH/three/log.jsonl") == 11 ]]
result 'is looked at in every generation' $?
evolve 'a sample of positions' 0 '*' gecco2009 "${small[@]}" --population 20 --sample 50 -o "$SCRATCH/four"
evolve 'virtual players' 0 '*match*' asoc2013 "${small[@]}" -o "$SCRATCH/five"
evolve 'the start alone' 0 '*match*' asoc2013 "${small[@]}" --generations 0 --runs 2 -o "$SCRATCH/start"
evolve 'with 24 weights' 0 '*match*' asoc2013 "${small[@]}" --variant vazquez-24 -o "$SCRATCH/six"
grep -q '^BISHOP_PAIR 0' "$SCRATCH/six/best.weights"
result 'leaves the others at 0' $?
several=(asoc2013 "${small[@]}" --runs 3 --population 6)
evolve 'three runs of them' 0 '*Independent runs*start mean*median *The median run is in run-0*' "${several[@]}" -t 1 -o "$SCRATCH/runs-1"
evolve 'the same on three threads' 0 '*' "${several[@]}" -t 3 -o "$SCRATCH/runs-3"
for file in runs.csv report.txt report.html run-03/population.csv; do
    same "$file is the same on three threads" "$SCRATCH/runs-1/$file" "$SCRATCH/runs-3/$file"
done
# The players of the last generation, the best of them the one that was chosen.
awk -F, 'FNR == NR { if (FNR > 1 && $1 == 2) { best = $5; mean = $6 } next }
    FNR > 1 { n++; sum += $2; if ($2 > most) most = $2 }
    END { exit n != 6 || most - best > 1e-4 || best - most > 1e-4 || sum / n - mean > 1e-3 || mean - sum / n > 1e-3 }' \
    "$SCRATCH/runs-1/runs.csv" "$SCRATCH/runs-1/run-02/population.csv"
result 'runs.csv tells best and mean of the last generation' $?
# Who left by selection is worse than all who stayed, and the positions are the same: coming back changes nothing.
evolve 'no player but those of the past' 0 '*' "${several[@]}" --archive-rate 1 -o "$SCRATCH/past"
awk -F, 'NR > 1 && $3 != $5 { exit 1 }' "$SCRATCH/past/runs.csv"
result 'gains nothing' $?
evolve 'a memory of none' 0 '*' "${several[@]}" --archive-rate 1 --archive 0 -o "$SCRATCH/past-0"
evolve 'a memory that is not used' 0 '*' "${several[@]}" --archive-rate 0 -o "$SCRATCH/past-1"
same 'are the same' "$SCRATCH/past-0/runs.csv" "$SCRATCH/past-1/runs.csv"

# Positions that were learned from are no test.
{ cat "$SCRATCH/test.epd"; head -n 7 "$SCRATCH/train.epd"; } >"$SCRATCH/mixed.epd"
evolve 'a test set without its shared positions' 0 '*Test: mixed.epd*107 positions*?7?that?occur?in?the?training?set?too?left?out*' \
    asoc2013 --data "$SCRATCH/train.epd" --test "$SCRATCH/mixed.epd" --depth 2 --generations 10 -o "$SCRATCH/mixed"
figure() { sed -n 's/.* \([0-9.]*\) on the test set$/\1/p' "$SCRATCH/$1/best.weights"; }
[[ -n $(figure five) && $(figure five) == $(figure mixed) ]]
result 'is the same test' $?
evolve 'nothing is left of a test' 1 '*train.epd: no position is left*' asoc2013 --data "$SCRATCH/train.epd" \
    --test "$SCRATCH/train.epd" -o "$SCRATCH/no"
score 'positions of both sets are told apart' 0 '*7 of them occur in *train.epd too*in training *of 7*not in it *of *' \
    --moves --data "$SCRATCH/mixed.epd" --train "$SCRATCH/train.epd" --weights "$SCRATCH/five/best.weights"
"$FALCONER" score --moves --data "$SCRATCH/test.epd" --weights maestro-hand.weights --jsonl "$SCRATCH/score.jsonl" >"$SCRATCH/score.txt"
[[ $(<"$SCRATCH/score.jsonl") =~ ^'{"data":"'.*'","kind":"weights","weights":"maestro-hand.weights","match":'([0-9.]+),'"margin":'[0-9.]+,'"moves":'([0-9]+)'}'$ &&
    $(<"$SCRATCH/score.txt") == *": ${BASH_REMATCH[1]} +- "*"% of ${BASH_REMATCH[2]} moves"* ]]
result 'score writes for machines what it prints' $?
score 'no shared positions, no parts' 0 '*0 of them occur in *' --moves --data "$SCRATCH/test.epd" \
    --train "$SCRATCH/train.epd"
[[ $out != *'in training'* ]]
result 'are shown' $?
score '--train without --moves' 2 '*--train go with --moves*' --data "$SCRATCH/test.epd" --train "$SCRATCH/train.epd"

evolve 'a start down the slope' 0 '*match*' moves "${small[@]}" --surrogate 20 --leaves 0 --population 10 -t 1 -o "$SCRATCH/seven"
evolve 'on three threads' 0 '*' moves "${small[@]}" --surrogate 20 --leaves 0 --population 10 -t 3 -o "$SCRATCH/eight"
same 'gives the same weights' "$SCRATCH/seven/best.weights" "$SCRATCH/eight/best.weights"
down=(moves "${small[@]}" --surrogate 20 --leaves 2 --trees 60 --population 10)
evolve 'a start from leaves' 0 '*judged?on?60?of?them*the?leaves?of?1*taken*' "${down[@]}" -t 1 -o "$SCRATCH/nine"
evolve 'on three threads' 0 '*' "${down[@]}" -t 3 -o "$SCRATCH/ten"
same 'gives the same weights' "$SCRATCH/nine/best.weights" "$SCRATCH/ten/best.weights"
evolve 'the round is chosen by validation' 0 '*[(]validation?*' "${down[@]}" --validation 40 -o "$SCRATCH/eleven"
evolve 'leaves without steps' 1 '*set surrogate too*' moves "${small[@]}" --surrogate 0 -o "$SCRATCH/no"
evolve 'fewer trees without leaves' 1 '*set leaves too*' gecco2009 "${small[@]}" --trees 60 -o "$SCRATCH/no"
evolve 'not for products of weights' 1 '*not linear*' asoc2013 "${small[@]}" --surrogate 5 -o "$SCRATCH/no"
grep -q '"weights":"best of generation 10"' "$SCRATCH/one/test-readings.jsonl"
result 'the reading of the test set is written down' $?
[[ $(grep -c '"GECCO 2008"' "$SCRATCH/one/test-readings.jsonl") == 1 ]]
result 'and so is that of what stands beside it, once' $?
mean=$(awk -F, 'NR == 3 { printf "%.4f", $9 }' "$SCRATCH/runs-1/runs.csv")
grep -q "mean of the last generation\",\"test\":$mean" "$SCRATCH/runs-1/run-02/test-readings.jsonl"
result 'and of a whole generation' $?

# Trees: too little memory changes no result.
for memory in 1 3; do
    evolve "$memory MB of memory" 0 '*Written to*' gecco2009 "${small[@]}" --depth 6 --population 20 --max-memory "$memory" \
        -o "$SCRATCH/memory-$memory"
done
evolve 'enough memory' 0 '*Written to*' gecco2009 "${small[@]}" --depth 6 --population 20 -o "$SCRATCH/memory"
for memory in 1 3; do
    same "$memory MB change no result" "$SCRATCH/memory/log.jsonl" "$SCRATCH/memory-$memory/log.jsonl"
done
# Trees beyond the memory are on disk. Where that is full, the run ends, and goes on with more room.
head -n 800 data/grandmasters-train.epd >"$SCRATCH/more.epd"
larger=(gecco2009 --data "$SCRATCH/more.epd" --test "$SCRATCH/test.epd" --generations 10 --population 20 --max-memory 1)
evolve 'trees on disk' 0 '*Written to*' "${larger[@]}" -t 2 -o "$SCRATCH/disk"
evolve 'the same trees in memory' 0 '*Written to*' "${larger[@]}" --max-memory 100 -o "$SCRATCH/no-disk"
same 'are the same' "$SCRATCH/disk/log.jsonl" "$SCRATCH/no-disk/log.jsonl"
# shellcheck disable=SC2016
expect 'a full disk' 1 '*cannot write trees that do not fit the memory: File too large*' \
    bash -c 'ulimit -f 300 && exec "$0" evolve "$@"' "$FALCONER" "${larger[@]}" -o "$SCRATCH/full"
evolve 'goes on where there is room' 0 '*Written to*' --resume "$SCRATCH/full"
same 'with the same result' "$SCRATCH/disk/log.jsonl" "$SCRATCH/full/log.jsonl"
TMPDIR=$SCRATCH/nowhere evolve 'no folder for trees' 1 "*$SCRATCH/nowhere*No such file*" "${larger[@]}" -o "$SCRATCH/lost"

evolve 'an old setting' 0 '*Written to*' gecco2009 "${small[@]}" --population 20 --forest-cache "$SCRATCH/cache" \
    -o "$SCRATCH/again"
same 'does nothing' "$SCRATCH/one/log.jsonl" "$SCRATCH/again/log.jsonl"
[[ ! -e $SCRATCH/cache ]]
result 'and leaves nothing' $?

score 'the match of the evolved weights' 0 '*of 1?? moves*mean rank*captures*' --moves \
    --data "$SCRATCH/train.epd" --weights "$SCRATCH/one/best.weights"
score 'two families at once' 0 '*maestro-hand*vazquez-asoc2013*' --moves --data "$SCRATCH/test.epd" \
    --weights maestro-hand.weights --weights vazquez-asoc2013.weights --quiescence none
sed 's/ sm \([^;]*\);/ sm \1; pm \1;/' "$SCRATCH/test.epd" >"$SCRATCH/predicted.epd"
score 'predictions' 0 '*the predictions on*: 100.00*' --moves --data "$SCRATCH/predicted.epd"

sed 's/ sm [^;]*;//' "$SCRATCH/train.epd" >"$SCRATCH/bare.epd"
evolve 'positions without a move' 1 '*bare.epd:1: there is no ?sm?*' gecco2009 --data "$SCRATCH/bare.epd" -o "$SCRATCH/no"
sed '3s/ sm [^;]*;/ sm Ka1;/' "$SCRATCH/train.epd" >"$SCRATCH/bad.epd"
sed '2s/ sm [^;]*;/ sm e4 d4;/' "$SCRATCH/train.epd" >"$SCRATCH/two.epd"
evolve 'two moves' 1 '*two.epd:2: *' gecco2009 --data "$SCRATCH/two.epd" -o "$SCRATCH/no"
evolve 'an illegal move' 1 '*bad.epd:3: *' gecco2009 --data "$SCRATCH/bad.epd" -o "$SCRATCH/no"
echo '7k/8/8/8/8/8/6q1/7K w - - sm Kxg2;' >"$SCRATCH/forced.epd"
cat "$SCRATCH/train.epd" "$SCRATCH/forced.epd" >"$SCRATCH/some-forced.epd"
evolve 'forced moves are counted apart' 0 '*some-forced.epd*of 151 positions, 1 with one legal move left*' gecco2009 \
    --data "$SCRATCH/some-forced.epd" --test '' --depth 1 --generations 1 -o "$SCRATCH/forced"
evolve 'only forced moves' 1 '*no position is left of 1 (1 with one legal move)*' gecco2009 \
    --data "$SCRATCH/forced.epd" -o "$SCRATCH/no"
evolve 'a tempo cannot be learned' 1 '*tempo*' gecco2009 "${small[@]}" --tempo -o "$SCRATCH/no"
evolve 'settings of other kinds' 2 '*openings changes nothing here, where organisms learn from moves*' gecco2009 "${small[@]}" \
    --openings openings.epd -o "$SCRATCH/no"
evolve 'and flags' 2 '*resolve changes nothing here*' gecco2009 "${small[@]}" --resolve -o "$SCRATCH/no"
evolve 'no such variant' 1 "*no variant 'vazquez-25'*" asoc2013 "${small[@]}" --variant vazquez-25 -o "$SCRATCH/no"
evolve 'all set aside' 1 '*cannot be set aside*' gecco2009 "${small[@]}" --validation 150 -o "$SCRATCH/no"
score 'depth without moves' 2 '*--depth*go with --moves*' --data "$SCRATCH/test.epd" --depth 0
score 'moves with a limit for scores' 2 '*--moves looks at no scores*' --moves --data "$SCRATCH/test.epd" --clamp 100
score 'a bad quiescence' 2 "*--quiescence must be*'all'*" --moves --data "$SCRATCH/test.epd" --quiescence all
[[ ! -e $SCRATCH/no ]]
result 'nothing was written for what was refused' $?
done_testing
