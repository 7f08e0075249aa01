#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The numbers of the search as tuners meet them: listed, set, and printed for OpenBench; and as organisms of a match take them.
. tests/e2e/tap.sh || exit 1
. tests/e2e/dialogue.sh
depth=$(sized 7 5)

nodes_of() { sed -n 's/^\([0-9]*\) nodes .*/\1/p' <<<"$raw"; }

run "$EYAS" --spsa
spsa=$out
[[ $rc == 0 ]] && (($(wc -l <<<"$spsa") > 50)) &&
    ! grep -vE '^[A-Za-z0-9]+, int, [0-9]+, [0-9]+, [0-9]+, [0-9]+\.[0-9]+, 0\.002$' <<<"$spsa"
result 'lines as OpenBench takes them' $?
awk -F', ' '$3 < $4 || $3 > $5 || $6 < 0.5 || $6 > $5 - $4 { print; bad = 1 } END { exit bad }' <<<"$spsa"
result 'values within their bounds, steps within the range' $?
[[ $spsa == *ReductionBase* && $spsa != *MultiCut* && $spsa != *ReductionBase*ReductionBase* ]]
result 'what is off in modern is left out' $?

# Back as options: the same names, values and bounds, and the same search.
talk "!args --tunable"$'\n'"uci"$'\nquit'
listed=$(sed -n 's/^option name \(.*\) type spin default \(.*\) min \(.*\) max \(.*\)$/\1, int, \2, \3, \4/p' <<<"$raw")
grep -vxFf <(printf '%s\n' "$listed") <(sed -E 's/, [0-9.]+, 0\.002$//' <<<"$spsa")
(($? == 1))
result 'uci lists each with the same value and bounds' $?
numbers=$(sed -n 's/^NUMBER([a-z0-9_]*, "\([A-Za-z0-9]*\)", [A-Z_]*, \([0-9]*\), \([0-9]*\), \([0-9]*\), \([0-9]*\), .*/\1 \2 \3 \4 \5/p' src/search/numbers.def)
settings() { # COLUMN of numbers.def: 2 papers, 3 modern, 4 low, 5 high
    awk -v column="$1" '{ print "setoption name " $1 " value " $column }' <<<"$numbers"
}
talk "bench $depth"$'\n'"$(settings 3)"$'\n'"bench $depth"$'\n'"$(settings 2)"$'\n'"bench $depth"$'\n'"setoption name Profile value modern"$'\n'"bench $depth"$'\nquit'
mapfile -t nodes < <(nodes_of)
[[ ${#nodes[@]} == 4 && ${nodes[0]} == "${nodes[1]}" && ${nodes[0]} != "${nodes[2]}" && ${nodes[0]} == "${nodes[3]}" && $raw != *'info string'* ]]
result 'all values of modern set one by one give the same bench; those of papers another' $?
run "$EYAS" bench "$depth"
[[ $out == "${nodes[0]} nodes "* ]]
result 'which is that of the command line' $?
talk "setoption name Profile value papers"$'\n'"bench $depth"$'\n'"$(settings 2)"$'\n'"bench $depth"$'\nquit'
mapfile -t nodes < <(nodes_of)
[[ ${#nodes[@]} == 2 && ${nodes[0]} == "${nodes[1]}" ]]
result 'the same of papers' $?
game=$'position startpos moves e2e4 c7c5\ngo nodes 2000\n!await bestmove\nposition fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1\ngo nodes 2000\n!await bestmove\n'
talk "$(settings 4)"$'\n'"$game$(settings 5)"$'\n'"$game"quit
[[ $rc == 0 && $(grep -c '^bestmove [a-h]' <<<"$raw") == 4 ]]
result 'all at their lowest, all at their highest' $?
talk $'setoption name NullMoveReduction value 8\nsetoption name nullmovereduction value 7\nsetoption name NullMoveReduction value x\nquit'
[[ $raw == *"NullMoveReduction must be a whole number from 0 to 7, not '8'"*"not 'x'"* && $(grep -c . <<<"$raw") == 2 ]]
result 'bounds, and names in any case' $?

organisms() { # NAME RC PATTERN OPTION
    expect "$1" "$2" "$3" "$FALCONER" match -engine weights=weights/maestro-hand.weights name=a "option.$4" \
        -engine weights=weights/maestro-hand.weights name=b -each nodes=200 -rounds 1 -games 2 \
        -openings file=tests/data/openings.epd format=epd
}
organisms 'an organism with another number' 0 '*a*b*' NullMoveReduction=4
organisms 'out of bounds' 1 "*NullMoveReduction must be a whole number from 0 to 7, not '9'*" NullMoveReduction=9
organisms 'nearly a number' 1 "*did you mean 'NullMoveReduction'*" NullMoveReductoin=4

# What docs/openbench.json sets are options of the engine.
wanted=$(grep -o '_options": "[^"]*"' docs/openbench.json | cut -d'"' -f3 | tr ' ' '\n' | cut -d= -f1 | sort -u)
options=$(printf 'uci\nquit\n' | "$EYAS" | sed -n 's/^option name \(.*\) type .*/\1/p' | sort)
[[ -n $wanted && -z $(comm -23 <(echo "$wanted") <(echo "$options")) ]]
result "OpenBench's configuration names options that there are" $?
done_testing
