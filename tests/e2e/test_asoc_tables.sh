#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# scripts/asoc-tables on few positions: its rows, and that it goes on where it was stopped.
. tests/e2e/tap.sh
export FALCONER RUNS=3 GENERATIONS=8 POSITIONS=60 PRS='0 10' SIZES='0 5' SIZE_RUNS=2
# What it prints, but for the times.
tables() { scripts/asoc-tables "$SCRATCH/grid" 2>"$SCRATCH/err" | sed 's/[0-9.]* s |$/|/' >"$SCRATCH/$1"; }

tables first
[[ $(grep -c '| paper |' "$SCRATCH/first") == 4 && $(grep -c '| ours |' "$SCRATCH/first") == 4 ]]
result 'rows of the paper and of ours' $?
grep -q '^| 33 | 10 | paper | 25.38 | 22.46 | 53.08 | 53.10 | 0.64 | 52.1 | 63:09 |$' "$SCRATCH/first"
result "the paper's figures" $?
[[ $(grep -c ' runs$' "$SCRATCH/err") == 6 ]]
result 'six evolutions' $?
median=$(awk -F, '$2 == 2 { printf "%.2f | %.2f | %.2f | %.2f", $3, $4, $5, $6 }' "$SCRATCH/grid/33-10/runs.csv")
[[ -n $median ]] && grep -qF "| 33 | 10 | ours | $median |" "$SCRATCH/first"
result 'our row is that of the median run' $?
# shellcheck disable=SC2016 # awk's fields
training=$(awk -F, 'NR > 1 { sum += $7 } END { printf "%.2f", sum / 3 }' "$SCRATCH/grid/24-0/runs.csv")
grep -q "^| 24 | 0 | $training | " "$SCRATCH/first"
result 'the mean of all runs' $?

tables second
[[ ! -s $SCRATCH/err ]] && cmp -s "$SCRATCH/first" "$SCRATCH/second"
result 'what is there is not run again' $?
rm "$SCRATCH/grid/33-0/runs.csv" "$SCRATCH"/grid/33-0/run-03/checkpoint*
rm -r "$SCRATCH/grid/archive-5"
tables third
[[ $(grep -c ' runs$' "$SCRATCH/err") == 2 ]] && cmp -s "$SCRATCH/first" "$SCRATCH/third"
result 'what was stopped goes on' $?
done_testing
