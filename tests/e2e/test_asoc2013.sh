#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The plan of Applied Soft Computing 2013: the paper's counts at its scale, fewer at the quick one. The steps themselves
# take minutes and are not run here.
. tests/e2e/tap.sh
plan() { expect "$1" 0 "$2" "$FALCONER" reproduce asoc2013 --dry-run -o "$SCRATCH/results" "${@:3}"; }

plan 'quick: few runs, fewer plies' '*evolve asoc2013 --runs 5 --positions 4000*depth=4 *-rounds 10*'
plan 'papers: 31 runs each' '*evolve asoc2013 --runs 31 --positions 4000 --archive-rate 0.1 *' --scale papers
[[ $(grep -c 'evolve asoc2013 --runs 31 --positions 4000.* --archive-rate 0[.0-9]* --seed' <<<"$out") == 18 ]]
result '24 and 33 weights, Pr = 0, 5 ... 40' $?
[[ $(grep -c ' depth=6 .*-rounds 100 --concurrency [0-9]*$' <<<"$out") -ge 3 ]]
result '200 games a pair at six plies' $?
[[ ! -e $SCRATCH/results ]]
result 'nothing is written' $?
done_testing
