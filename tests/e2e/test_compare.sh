#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# falconer compare: runs of evolution beside each other.
. tests/e2e/tap.sh || exit 1
compare() { expect "$1" "$2" "$3" "$FALCONER" compare "${@:4}"; }
evolve() { "$FALCONER" evolve gecco2008 --no-optimum --generations 12 "$@" >/dev/null 2>&1; }
field() { awk -F, -v name="$2" -v equal="$3" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i }
    NR > 1 && $1 == equal { print $at }' "$1"; } # FILE COLUMN EQUAL: of the rows of one comparison

# Runs with times that do not change: by time ga was ahead, at the end memetic is.
"$FALCONER" compare --csv tests/data/runs/{ga,memetic} >"$SCRATCH/kept.csv"
[[ $(field "$SCRATCH/kept.csv" verdict seconds) == 'tests/data/runs/ga is better (large effect)' &&
    $(field "$SCRATCH/kept.csv" at seconds) == 0.006048 &&
    $(field "$SCRATCH/kept.csv" verdict end) == 'tests/data/runs/memetic is better (large effect)' ]]
result 'at equal time' $?
"$FALCONER" compare tests/data/runs/{ga,memetic} -o "$SCRATCH/kept.html" >/dev/null
[[ $(<"$SCRATCH/kept.html") == *'By evaluations'*'By time'* ]]
result 'curves by evaluations and by time' $?

evolve --population 30 --runs 6 --seed 3 -o "$SCRATCH/ga"
evolve --population 30 --runs 6 --seed 4 -o "$SCRATCH/again"
evolve --algorithm memetic --population 10 --runs 6 --seed 3 -o "$SCRATCH/memetic"
FALCONER=$(realpath "$FALCONER")
cd "$SCRATCH" || exit 1

# --- verdicts ---

compare 'the same algorithm with other seeds: cannot tell' 0 '*Pairs at the end*ga     again  *cannot tell*' ga again
"$FALCONER" compare --csv ga again >pairs.csv # but for times, which are of the machine
[[ $(field pairs.csv verdict end) == 'cannot tell' && $(field pairs.csv verdict evaluations) == 'cannot tell' ]]
result 'nor at equal evaluations' $?
compare 'ga against memetic: different' 0 '*ga     memetic  0.0  0.0022  0.000  -1.000  memetic is better (large effect)*' ga memetic
compare 'three: adjusted for three pairs' 0 '*adjusted p*0.0022      0.0065*' ga again memetic
compare 'single runs: too few' 0 '*ga/run-01  ga            1 *cannot tell: too few runs*' ga/run-01 ga/run-02
# Seeds that have nothing to do with the result: one pair in twenty or so is called different.
called=0
for i in 1 2 3 4 5 6 7 8; do
    evolve --population 20 --generations 5 --runs 6 --seed $((100 + i)) -o "null-$i"
    evolve --population 20 --generations 5 --runs 6 --seed $((200 + i)) -o "twin-$i"
    "$FALCONER" compare --csv "null-$i" "twin-$i" >pairs.csv
    [[ $(field pairs.csv verdict end) == 'cannot tell' ]] || called=$((called + 1))
done
echo "# $called of 8 pairs that differ by their seed alone were called different"
((called <= 1))
result 'what differs by chance is seldom called different' $?

# --- figures ---

"$FALCONER" compare --csv ga memetic >pairs.csv
for name in ga memetic; do
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "test") at = i } NR > 1 { print $at }' $name/runs.csv | sort -g |
        awk '{ v[NR] = $1 } END { printf "%.3f\n", (v[3] + v[4]) / 2 }' >$name.median
done
near() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a - b < 0.002 && b - a < 0.002) }'; }
near "$(field pairs.csv first_median end)" "$(<ga.median)" && near "$(field pairs.csv second_median end)" "$(<memetic.median)"
result 'medians are those of runs.csv' $?
at=$(field pairs.csv at evaluations)
least=$(for log in {ga,memetic}/run-*/log.jsonl; do tail -1 "$log" | sed 's/.*"evaluations":\([0-9]*\).*/\1/'; done | sort -n | head -1)
[[ $at == "$least" ]]
result 'equal evaluations: the most that all reached' $?
for run in memetic/run-*; do
    sed 's/.*"evaluations":\([0-9]*\).*"held_out":\([0-9.]*\).*/\1 \2/' "$run/log.jsonl" |
        awk -v at="$at" '$1 <= at { value = $2 } END { print value }'
done | sort -g | awk '{ v[NR] = $1 } END { printf "%.4f\n", (v[3] + v[4]) / 2 }' >expected
near "$(field pairs.csv second_median evaluations)" "$(<expected)"
result 'and what the logs say of then' $?
[[ $(field pairs.csv verdict end) == 'memetic is better (large effect)' && $(wc -l <pairs.csv) -ge 3 ]]
result '--csv has a row for each pair and moment' $?
compare 'on the training set' 0 '*on the training set; less is better*' --on training ga memetic
mkdir all
cp -r ga all/one
cp -r again all/two
compare 'a folder of folders of runs' 0 '*all      ga           12 *memetic  memetic       6 *' all memetic

# --- the page ---

compare 'a page' 0 '*Written to page.html*' ga again memetic -o page.html
[[ $(<page.html) == *'<svg'*'By evaluations'* && $(<page.html) != *'src="http'* &&
    $(<page.html) != *'<script'* ]]
result 'with curves, and nothing from outside' $?
rm memetic/run-03/timings.csv
compare 'without times' 0 '*At equal time*Not compared: a run has no timings.csv that tells its times*' ga memetic
printf 'generation,seconds\n0,0.1\nx' >memetic/run-03/timings.csv
compare 'times that end early' 0 '*At equal time*Not compared: *' ga memetic

# --- what cannot be compared ---

cp -r ga unfinished
rm unfinished/run-02/best.weights
compare 'a run that is not finished' 1 '*unfinished/run-02 is not finished; falconer evolve --resume unfinished goes on with it*' ga unfinished
"$FALCONER" evolve gpem2010 --no-optimum --generations 2 --population 10 -o other >/dev/null 2>&1
compare 'other data' 1 '*ga and other have different data (*and*): their figures cannot be compared*' ga other
"$FALCONER" coevolve play-games --generations 1 --population 4 --play-nodes 50 --verdict-games 4 -o games >/dev/null 2>&1
compare 'another kind of fitness' 1 "*ga learned from a mentor's scores and games by games: their figures cannot be compared*" ga games
compare 'by games: verdicts alone' 0 '*what each run ended with*too few runs*Not compared: points of a generation are against its own organisms*' games games
compare 'one folder' 2 '*' ga
mkdir empty
compare 'no runs' 1 '*empty holds no runs: there is no config.ini in it, nor in a folder in it*' ga empty
compare 'no folder' 1 '*nowhere: No such file or directory*' ga nowhere
sed -i '2s/"best":./&7/' again/run-02/log.jsonl
compare 'a damaged log' 1 '*again/run-02/log.jsonl:2: this line is damaged*' ga again
evolve --population 30 --test '' -o untested
compare 'one without a test set: on the training set' 0 '*on the training set*' ga untested
compare 'which cannot be compared on the test set' 1 '*no test set, or not the same: --on training*' --on test ga untested
done_testing
