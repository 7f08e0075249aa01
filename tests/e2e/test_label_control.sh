#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The labels by which falconer reproduce has pupils learn come from a search that a static evaluation can follow: a
# mentor of the pupils' own family, asked in the same words, leaves them an error below 20 centipawns.
. tests/e2e/tap.sh || exit 1
shopt -s extglob
head -n "$(sized 1000 400)" data/mentor-train.epd >"$SCRATCH/positions.epd"

# The words for Eyas as a mentor at two plies that the plans of both papers have.
mentors() {
    local paper
    for paper in gecco2008 gpem2010; do
        "$FALCONER" reproduce "$paper" --dry-run -o "$SCRATCH/none" | sed -n "s/.* label .*--mentor '\\([^']*depth=2\\)'.*/\\1/p"
    done | sed 's/ arg=[^ ]*\.weights/ arg=maestro-hand.weights/' | sort -u
}
# control NAME WORDS: labels, and leaves the least error of the mentor's own family in $error, in whole centipawns.
control() {
    expect "$1" 0 '*lines labelled*' "$FALCONER" label "$SCRATCH/positions.epd" --mentor "$2" --no-cache --tempo-pairs 400 \
        -o "$SCRATCH/labelled.epd"
    warned=$(grep -c 'warning: these scores favour the side to move' <<<"$err")
    run "$FALCONER" optimum --tempo --quiet-only --data "$SCRATCH/labelled.epd" --jsonl "$SCRATCH/optimum.json"
    error=$(sed -n 's/.*"error":\([0-9]*\).*/\1/p' "$SCRATCH/optimum.json")
    echo "# $1: $error centipawns"
}

mapfile -t asked < <(mentors)
((${#asked[@]} > 0))
result 'the papers have mentors at two plies' $?
for words in "${asked[@]}"; do
    control "$words" "$words"
    ((error < 20))
    result 'its own family comes close to its scores' $?
    ((warned == 0))
    result 'there is no warning' $?
done

# It would have been seen: a search that skips late quiet replies, among them those that save a piece.
control 'modern without threats' "${asked[0]/option.Profile=+([a-z])/option.Profile=modern option.ThreatOrdering=false}"
((error > 30))
result 'its own family does not come close to its scores' $?
((warned == 1)) || is_watched # fewer positions there
result 'there is a warning' $?
done_testing
