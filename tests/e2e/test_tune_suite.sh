#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# falconer coevolve --engine --suite: options of an engine from positions, the same however a run goes, then tested by games.
. tests/e2e/tap.sh || exit 1
FALCONER=$(realpath "$FALCONER")
EYAS=$(realpath "$EYAS")
head -12 data/tactics.epd >"$SCRATCH/suite.epd"
engine="cmd=$EYAS option.Hash=1 option.Profile=papers nodes=100"
tune=(--tune NullMoveReduction:0:7 --tune FutilityMargin1:0:1023:10 --suite "$SCRATCH/suite.epd")
tiny=(--suite-limit nodes=500 --trials 14 --verdict-games 4)
coevolve() { expect "$1" "$2" "$3" "$FALCONER" coevolve --engine "${@:4}"; }

coevolve 'from a suite' 0 '*suite: 7 candidates of about 14*By the suite: * nodes to the solution in the mean over 6 positions, * with the start values; on 6 others*Verdict: *Cost: the suite in *suite.jsonl*' \
    "$engine" "${tune[@]}" "${tiny[@]}" -c 1 -o "$SCRATCH/one"
[[ $(grep -c '"part":"learn"' "$SCRATCH/one/suite.jsonl") -ge 14 && $(grep -c '"part":"test"' "$SCRATCH/one/suite.jsonl") == 2 ]]
result 'a line for each candidate' $?
grep -q '"suite-test-best": [0-9]' "$SCRATCH/one/tuned.json" && grep -q 'tuned from a suite' "$SCRATCH/one/report.html" && [[ -s $SCRATCH/one/tuned.spsa ]]
result 'and the files of a tuning' $?
run "$FALCONER" coevolve --engine "$engine" "${tune[@]}" "${tiny[@]}" -c 3 -o "$SCRATCH/three"
cmp "$SCRATCH"/{one,three}/suite.jsonl && cmp "$SCRATCH"/{one,three}/games.jsonl
result 'three at a time: the same' $?

# The start values' effort is what `suite` tells of every second position.
sed -n 'p;n' "$SCRATCH/suite.epd" >"$SCRATCH/odd.epd"
"$FALCONER" suite "$SCRATCH/odd.epd" --engine "cmd=$EYAS option.Hash=1 option.Profile=papers" --nodes 500 --jsonl "$SCRATCH/odd.jsonl" >/dev/null
counted=$(awk '{ n = 500 } match($0, /"solution_nodes":[0-9]+/) { v = substr($0, RSTART + 17, RLENGTH - 17) + 0; n = v < 500 ? v : 500 } { sum += n } END { print sum }' "$SCRATCH/odd.jsonl")
[[ $(head -1 "$SCRATCH/one/suite.jsonl") == *"\"effort\":$counted,"* ]]
result 'nodes are those of falconer suite' $?

# Killed, at its end or cut anywhere, it goes on.
"$FALCONER" coevolve --engine "$engine" "${tune[@]}" "${tiny[@]}" -c 1 -o "$SCRATCH/killed" >/dev/null 2>&1 &
pid=$!
while kill -0 $pid 2>/dev/null && [[ ! -s $SCRATCH/killed/suite.jsonl ]]; do sleep 0.01; done
kill -KILL $pid 2>/dev/null
wait $pid 2>/dev/null
expect 'a killed run goes on' 0 '*Verdict: *' "$FALCONER" coevolve --resume "$SCRATCH/killed"
cmp "$SCRATCH"/{one,killed}/suite.jsonl && cmp "$SCRATCH"/{one,killed}/games.jsonl
result 'as if nothing had been' $?
truncate -s -30 "$SCRATCH/killed/suite.jsonl"
: >"$SCRATCH/killed/games.jsonl"
run "$FALCONER" coevolve --resume "$SCRATCH/killed"
cmp "$SCRATCH"/{one,killed}/suite.jsonl
result 'half a line is asked for again' $?
sed -i '2s/"effort":./"effort":9/' "$SCRATCH/killed/suite.jsonl"
expect 'a damaged line is refused' 1 '*suite.jsonl*' "$FALCONER" coevolve --resume "$SCRATCH/killed"

# --- other engines, and what is refused ---

# shellcheck disable=SC2016 # the engine's own words
printf '#!/bin/bash\nexec "%s" | sed -u "s/ nodes [0-9]*//"\n' "$EYAS" >"$SCRATCH/silent"
chmod +x "$SCRATCH/silent"
coevolve 'an engine that tells no nodes' 1 '*tells no nodes: give --suite-limit st=*' "cmd=$SCRATCH/silent option.Profile=papers nodes=100" "${tune[@]}" "${tiny[@]}" \
    -o "$SCRATCH/no-nodes"
if [[ -x /usr/games/toga2 ]]; then
    coevolve 'time counts for those that know no limit of nodes' 0 '*By the suite: * ms to the solution*Verdict: *' "cmd=/usr/games/toga2 option.OwnBook=false depth=1" \
        --tune 'King Safety:0:200' --suite "$SCRATCH/suite.epd" --suite-limit st=0.02 --trials 4 --verdict-games 2 -o "$SCRATCH/toga2"
else
    skip 'time counts for those that know no limit of nodes' 'there is no toga2'
fi
new=(-o "$SCRATCH/new")
coevolve 'no cap' 2 '*needs a cap: give --suite-limit*' "cmd=$EYAS depth=2" "${tune[@]}" "${new[@]}"
coevolve 'a cap that is none' 2 '*needs a cap*' "$engine" "${tune[@]}" --suite-limit depth=4 "${new[@]}"
coevolve 'games and trials' 2 '*--games and --time are for the race*' "$engine" "${tune[@]}" --games 10 "${new[@]}"
coevolve 'trials of no suite' 2 '*--trials goes with --suite*' "$engine" --tune NullMoveReduction:0:7 --trials 5 "${new[@]}"
coevolve 'two ways' 2 '*a suite takes the place*' "$engine" "${tune[@]}" --method spsa "${new[@]}"
coevolve 'no such suite' 1 '*nowhere.epd*' "$engine" --tune NullMoveReduction:0:7 --suite nowhere.epd "${new[@]}"
head -1 data/tactics.epd >"$SCRATCH/single.epd"
coevolve 'one position' 1 '*one to test with*' "$engine" --tune FutilityMargin1:0:1023:10 --suite "$SCRATCH/single.epd" -o "$SCRATCH/single"
done_testing
