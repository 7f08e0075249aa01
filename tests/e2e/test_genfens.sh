#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Positions for generated games, as OpenBench asks for them.
. tests/e2e/tap.sh || exit 1
count=$(sized 100 20)

# fens WORDS...: leaves the positions in $fens, one a line.
fens() {
    run "$EYAS" "genfens $*" quit
    fens=$(sed -n 's/^info string genfens //p' <<<"$out")
}

fens "$count seed 42 book None"
first=$fens
[[ $rc == 0 && $(wc -l <<<"$out") == "$count" && $(wc -l <<<"$fens") == "$count" && -z $err ]]
result 'as many lines as were asked for, and nothing else' $?
[[ $(cut -d' ' -f1-4 <<<"$fens" | sort -u | wc -l) == "$count" ]]
result 'all different' $?
fens "$count seed 42 book None"
[[ $fens == "$first" ]]
result 'the same again' $?
fens "$count seed 43 book None"
[[ $fens != "$first" ]]
result 'others of another seed' $?
# The engine takes each as it is, and it has a move.
said=$(while IFS= read -r fen; do printf 'position fen %s\nd\n' "$fen"; done <<<"$first" | "$EYAS" | sed -n 's/^info string fen //p')
[[ $said == "$first" ]]
result 'legal positions' $?
[[ $first == *' w '* && $first == *' b '* ]]
result 'either side is to move' $?
[[ $("$EYAS" <<<"genfens $count seed 42 book None" | sed -n 's/^info string genfens //p') == "$first" ]]
result 'the same as a command of the dialogue' $?
fens "5 seed 1 book None plies 3"
[[ $(cut -d' ' -f6 <<<"$fens" | sort -u) == $'2\n3' || $(cut -d' ' -f6 <<<"$fens" | sort -u) == [23] ]]
result 'another number of plies' $?

# A book: without random moves its own positions, each once.
printf '%s\n' 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - hmvc 0; fmvn 1;' '' \
    'rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1' >"$SCRATCH/book.epd"
fens "2 seed 7 book $SCRATCH/book.epd plies 0"
[[ $(sort <<<"$fens") == $'rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1\nrnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1' ]]
result 'positions of a book' $?
fens "20 seed 7 book $SCRATCH/book.epd"
[[ $(wc -l <<<"$fens") == 20 ]] && ! grep -v '/[^ ]*P[^ ]*/' <<<"$fens"
result 'and what random moves make of them' $?

gen() { expect "$1" "$2" "$3" "$EYAS" "${@:4}"; }
gen 'more than there are' 1 '*genfens: only 2 of 3 positions*' "genfens 3 seed 7 book $SCRATCH/book.epd plies 0" quit
gen 'a book that is not there' 1 '*nowhere.epd*No such file*' 'genfens 3 seed 7 book nowhere.epd' quit
echo 'no position' >"$SCRATCH/bad.epd"
gen 'a book that is none' 1 '*bad.epd: position 1: *' "genfens 3 seed 7 book $SCRATCH/bad.epd" quit
gen 'no number' 1 "*the number of positions must be a whole number from 1 to *, not ''*" genfens quit
gen 'a word too many' 1 "*'colour' is not one of seed, book, plies and score*" 'genfens 3 seed 7 book None colour 1' quit
gen 'something else after it' 2 "*only 'quit' may follow, not 'bench'*" 'genfens 1 seed 1 book None' bench
done_testing
