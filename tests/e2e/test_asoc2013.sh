#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The plan of Applied Soft Computing 2013: the paper's counts at its scale, fewer at the quick one. The steps themselves
# take minutes and are not run here.
. tests/e2e/tap.sh || exit 1
plan() { expect "$1" 0 "$2" "$FALCONER" reproduce asoc2013 --dry-run -o "$SCRATCH/results" "${@:3}"; }

plan 'quick: few runs, fewer plies' '*evolve asoc2013 --runs 5 --positions 4000*depth=4 *-rounds 10*'
plan 'papers: 31 runs each' '*evolve asoc2013 --runs 31 --positions 4000 --archive-rate 0.1 *' --scale papers
[[ $(grep -cE 'evolve asoc2013 --runs 31 --positions 4000( --variant vazquez-24)? --archive-rate 0[.0-9]* --seed' <<<"$out") == 18 ]]
result '24 and 33 weights, Pr = 0, 5 ... 40' $?
[[ $(grep -c ' depth=6 .*-rounds 100 --concurrency [0-9]*$' <<<"$out") == $(grep -c '  falconer match ' <<<"$out") ]]
result '200 games a pair at six plies, in every match' $?
[[ $(grep -c 'coevolve asoc2013-tournament .*--generations 50 --play-depth 6 .*--stage 1/' <<<"$out") == 1 ]]
result 'the whole second stage at six plies, in stages' $?
[[ $(grep -c 'evolve asoc2013 .*--sample [0-9]* --archive-rate 0 ' <<<"$out") == \
    $(grep -c 'evolve asoc2013 .*--sample [0-9]* --archive-rate 0.1 ' <<<"$out") && $out == *'--sample 1000 '* ]]
result 'fresh samples with and without the archive' $?
[[ ! -e $SCRATCH/results ]]
result 'nothing is written' $?

# Tables 2 to 9: five columns of 31 rows, the last two sorted as printed.
sed -e :a -e '/\\$/{N; s/\\\n//; ba; }' experiments/asoc2013-tables.paper | awk -F'|' '
    /^ +[2-9] \|/ {
        tables++
        for (i = 4; i <= NF; i++) wrong += split($i, words, " ") != 31
        split($7, means, " ")
        for (i = 2; i <= 31; i++) wrong += means[i] < means[i - 1]
        wrong += NF != 8
    }
    END { exit tables != 8 || wrong != 0 }'
result 'all rows of the printed tables' $?

expect 'the preset searches checks and mutates one weight' 0 '*--quiescence *(checks)*--genes *(one)*' \
    "$FALCONER" evolve asoc2013 --settings
done_testing
