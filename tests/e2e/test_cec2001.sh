#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# falconer reproduce cec2001: which commands it would give.
. tests/e2e/tap.sh
plan() { expect "$1" 0 "$2" "$FALCONER" reproduce cec2001 --dry-run -o "$SCRATCH" "${@:3}"; }

plan 'quick: one ply, few runs' '*--play-depth 1 *--runs 3 *weights=random*rate --jsonl*'
plan 'papers: three plies, ten runs' '*coevolve cec2001-unseeded *--play-depth 3 *--runs 10 *' --scale papers
plan 'populations have as many meetings' '*--population 25 --generations 91 *--population 10 --generations 244 *'
done_testing
