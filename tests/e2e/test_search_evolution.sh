#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# falconer evolve icga2010: searches evolve from a suite, the same bytes however a run goes, and Eyas loads what comes of it.
. tests/e2e/tap.sh || exit 1
FALCONER=$(realpath "$FALCONER")
EYAS=$(realpath "$EYAS")
evolve() { expect "$1" "$2" "$3" "$FALCONER" evolve "${@:4}"; }
# same NAME DIR DIR: two runs are the same bytes but for what may differ.
same() { diff -rq -x timings.csv -x checkpoint.previous -x test-readings.jsonl -x report.html "$2" "$3" >"$SCRATCH/diff"; result "$1" $?; }
tiny=(icga2010 --suite-positions 12 --hold-out 40 --cap 300 --generations 6 --play-nodes 50 --max-moves 10 --verdict-games 8)

# --- a run ---

evolve 'from random bits' 0 '*Evolution of the search from a suite*Test effort: * nodes*Verdict on the best organism of run 1: * Elo (95% *set by hand*NullMoveReduction*12 positions of 300 nodes*20 positions of 300 nodes*' \
    "${tiny[@]}" -t 1 -o "$SCRATCH/one"
for file in config.ini log.jsonl genes.csv population.csv best.weights verdict.csv checkpoint report.html report.txt results.jsonl; do
    [[ -s $SCRATCH/one/$file ]] || break
done
result 'leaves its files' $?
grep -q '^family search 1$' "$SCRATCH/one/best.weights" && grep -q '^# effort: .* nodes to the solution on the training set' "$SCRATCH/one/best.weights" &&
    grep -q '^# verdict: .* Elo (95% interval' "$SCRATCH/one/best.weights"
result 'the best is a search with its story' $?
[[ $(head -1 "$SCRATCH/one/genes.csv" | tr , '\n' | wc -l) == 20 ]]
result 'of 18 numbers' $?
"$FALCONER" evolve "${tiny[@]}" -t 3 -o "$SCRATCH/three" >/dev/null 2>&1
same 'three threads: the same bytes' "$SCRATCH/one" "$SCRATCH/three"
"$FALCONER" evolve "${tiny[@]}" -o "$SCRATCH/killed" >/dev/null 2>&1 &
pid=$!
while kill -0 $pid 2>/dev/null && [[ ! -s $SCRATCH/killed/log.jsonl ]]; do sleep 0.01; done
kill -KILL $pid 2>/dev/null
wait $pid 2>/dev/null
evolve 'a killed run goes on' 0 '*Verdict*' --resume "$SCRATCH/killed"
same 'killed and resumed: the same bytes' "$SCRATCH/one" "$SCRATCH/killed"
evolve 'further from a search, by another algorithm' 0 '*Nodes by generation*' "${tiny[@]}" --algorithm cmaes --chromosome real --generations 2 \
    --start "$SCRATCH/one/best.weights" --freeze "" --verdict-games 0 -o "$SCRATCH/further"
evolve 'from the values set by hand' 0 '*Nodes by generation*InternalReduction*' search --suite-positions 8 --hold-out 40 --cap 200 --evaluations 20 \
    --verdict-games 0 -o "$SCRATCH/search"
awk '/^evolved / { evolved = $3 } /^set by hand / { hand = $5 } END { exit !(evolved != "" && evolved + 0 <= hand + 0) }' "$SCRATCH/search/report.txt"
result 'which it is never worse than on what it learns from' $?
expect 'by games, too' 0 '*Evolution by games*Verdict*' "$FALCONER" coevolve play-games --family search --weights shannon-1950.weights \
    --start-from "$SCRATCH/one/best.weights" --population 4 --generations 2 --play-nodes 30 --max-moves 6 --verdict-games 4 -o "$SCRATCH/games"

# --- what Eyas does with it ---

bench() { "$EYAS" "$@" bench 4 | cut -d' ' -f1; }
sed 's/^TranspositionTable 1$/TranspositionTable 0/' "$SCRATCH/one/best.weights" >"$SCRATCH/other.weights"
evolved=$(bench --search "$SCRATCH/one/best.weights")
[[ -n $evolved && $evolved != "$(bench)" && $evolved != "$(bench --search "$SCRATCH/other.weights")" ]]
result 'Eyas searches by the file' $?
nodes=$(printf 'setoption name SearchFile value %s\nbench 4\nquit\n' "$SCRATCH/one/best.weights" | "$EYAS" | sed -n 's/^\([0-9]*\) nodes.*/\1/p')
[[ $nodes == "$evolved" ]]
result 'by the option as well' $?
nodes=$(printf 'setoption name SearchFile value %s\nsetoption name SearchFile value\nbench 4\nquit\n' "$SCRATCH/one/best.weights" | "$EYAS" | sed -n 's/^\([0-9]*\) nodes.*/\1/p')
[[ $nodes == "$(bench)" ]]
result 'an empty one is the start' $?
said() { printf '%s\n' "$@" 'bench 4' quit | "$EYAS" | sed -n 's/^\([0-9]*\) nodes.*/\1/p'; }
[[ $(said 'setoption name Profile value papers' 'setoption name SearchFile value <empty>') == "$(said 'setoption name Profile value papers')" ]]
result 'and leaves a profile alone' $?
expect 'weights of an evaluation are no search' 1 '*weights of the evaluation falcon, where a search is to be read*' "$EYAS" --search falcon.weights bench 1
expect 'a search is no evaluation' 1 '*settings of the search, not of the evaluation*' "$EYAS" --weights "$SCRATCH/one/best.weights" bench 1
[[ $(printf 'setoption name SearchFile value none\nquit\n' | "$EYAS") == *'info string '*'keeping the search as it is'* ]]
result 'a file that is not there changes nothing' $?

# The fitness is what `suite` tells of the same search.
head -6 data/tactics.epd >"$SCRATCH/six.epd"
"$FALCONER" suite "$SCRATCH/six.epd" --engine "weights=maestro-evolved.weights option.SearchFile=$SCRATCH/one/best.weights" --nodes 2000 \
    --jsonl "$SCRATCH/six.jsonl" >/dev/null
counted=$(awk '{ n = 2000 } match($0, /"solution_nodes":[0-9]+/) { v = substr($0, RSTART + 17, RLENGTH - 17) + 0; n = v < 2000 ? v : 2000 } { sum += n }
    END { printf "%.2f", sum / NR }' "$SCRATCH/six.jsonl")
"$FALCONER" evolve icga2010 --data "$SCRATCH/six.epd" --hold-out 0 --cap 2000 --start "$SCRATCH/one/best.weights" --freeze "" --population 2 --generations 0 \
    --verdict-games 0 -o "$SCRATCH/six" >/dev/null 2>&1
[[ $(sed -n 's/^set by hand *– *\([0-9.,]*\).*/\1/p' "$SCRATCH/six/report.txt" | tr -d ,) == "$counted" ]]
result 'nodes are those of falconer suite' $?
expect 'how the ranking depends on the cap' 0 '*rank correlation with 600*| 200 | *| 600 | 1.00 | *' scripts/suite-caps -f "$FALCONER" -n 4 -p 8 200 600

expect 'beside a profile, position by position' 0 "*| papers | * | +0.0 | ± 0.0 |*| $SCRATCH/one/best.weights | *" scripts/suite-compare -f "$FALCONER" -n 300 \
    "$SCRATCH/six.epd" "$SCRATCH/one/best.weights"
expect 'which needs a search' 2 '*expected EPD SEARCH*' scripts/suite-compare "$SCRATCH/six.epd"

# --- what is refused ---

new=(-o "$SCRATCH/new")
evolve 'another family' 1 '*a suite is solved by searches: family must be search, not maestro*' icga2010 --family maestro --only "" --freeze "" "${new[@]}"
evolve 'another fitness' 1 '*family search is no evaluation: fitness must be suite or games*' gpem2010 --family search "${new[@]}"
evolve 'an unknown number' 1 "*only: there is no parameter 'NullMovReduction': did you mean 'NullMoveReduction'?*" icga2010 --only NullMovReduction "${new[@]}"
evolve 'two kinds of test positions' 1 '*not both*' icga2010 --test tactics-hard.epd "${new[@]}"
evolve 'nothing to learn from' 1 '*hold-out 1 leaves no position*' icga2010 --hold-out 1 "${new[@]}"
evolve 'a setting of games that changes nothing' 2 '*match-games changes nothing here, where organisms learn from a suite*' icga2010 --match-games 4 "${new[@]}"
evolve 'an odd number of games' 1 '*verdict-games must be even*' icga2010 --verdict-games 3 "${new[@]}"
evolve 'more games than openings' 1 '*verdict-games must be at most*' icga2010 --verdict-games 100000 "${new[@]}"
printf '8/8/8/8/8/8/8/8 w - - bm e4;\n' >"$SCRATCH/bad.epd"
evolve 'a line that is no position' 1 "*$SCRATCH/bad.epd*1*" icga2010 --data "$SCRATCH/bad.epd" "${new[@]}"
[[ ! -e $SCRATCH/new ]]
result 'nothing is left of what was refused' $?
done_testing
