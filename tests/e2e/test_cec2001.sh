#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# falconer reproduce cec2001: which commands it would give.
. tests/e2e/tap.sh || exit 1
plan() { expect "$1" 0 "$2" "$FALCONER" reproduce cec2001 --dry-run -o "$SCRATCH" "${@:3}"; }

plan 'quick: one ply, few runs' '*--play-depth 1 *--runs 3 *weights=random*rate --jsonl*'
plan 'papers: three plies, ten runs' '*coevolve cec2001-unseeded *--play-depth 3 *--runs 10 *' --scale papers
plan 'populations have as many meetings' '*--population 25 --generations 91 *--population 10 --generations 244 *'

# Every reading of the paper: its switches differ, and nothing else.
run "$FALCONER" reproduce cec2001 --dry-run --scale papers -o "$SCRATCH"
grep -o 'coevolve cec2001 .* --runs 10 .* --seed 1' "$SCRATCH/out" | sed 's/ --seed 1//' > "$SCRATCH/readings"
[[ $(sort -u "$SCRATCH/readings" | wc -l) == 8 ]]
result 'papers: eight readings, ten runs each' $?
options='--rescue-rate 0.[15] --rescue-step [13]00 --keep-in-range (no|yes) --clear-spread [12] --narrow-spread (1|0.5) '
options+='--winner-spread 0.[12] --level-spread (0.5|0.25)$'
[[ $(grep -cE -- "--runs 10 $options" "$SCRATCH/readings") == 8 ]]
result 'each names all of its switches' $?

# The presets' own reading is the one whose players go on to the ladder.
chosen=$(grep -o '[a-z]*-[a-z]*-[a-z]*/run-01/best.weights' "$SCRATCH/out" | sort -u | cut -d/ -f1)
read -ra words < <(grep -- "coevolve cec2001 .*/$chosen --stage" "$SCRATCH/out" | grep -oE -- '--rescue-rate.*--level-spread [0-9.]+')
for preset in cec2001 cec2001-unseeded; do
    "$FALCONER" coevolve $preset --settings | grep -v -e --command >"$SCRATCH/preset"
    "$FALCONER" coevolve $preset "${words[@]}" --settings | grep -v -e --command >"$SCRATCH/reading"
    [[ ${#words[@]} == 14 ]] && cmp -s "$SCRATCH/preset" "$SCRATCH/reading"
    result "$preset has the reading of the ladder" $?
done
done_testing
