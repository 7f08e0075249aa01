#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Clones of a player: an organism that is unlike the others is told from them; bad input is refused.
. tests/e2e/tap.sh || exit 1
clone() { expect "$1" "$2" "$3" "$FALCONER" clone "${@:4}"; }
same() { # NAME FILE FILE
    cmp -s "$2" "$3"
    result "$1" $?
}
# A player who likes to push the pawns of the wings, and two who are as usual.
sed 's/^PAWN_ADVANCE_A .*/PAWN_ADVANCE_A 40/' weights/maestro-hand.weights >"$SCRATCH/odd.weights"
player() { echo -engine "weights=$2" "name=$1"; }
# shellcheck disable=SC2046 # words are meant
run "$FALCONER" match $(player Odd "$SCRATCH/odd.weights") $(player Usual weights/maestro-hand.weights) \
    -each depth=1 tc=inf -openings file=data/openings.epd format=epd -rounds 60 -games 2 -repeat -maxmoves 40 \
    -pgnout "$SCRATCH/first.pgn"
# shellcheck disable=SC2046
run "$FALCONER" match $(player Usual weights/maestro-hand.weights) $(player Plain weights/maestro-hand.weights) \
    -each depth=1 tc=inf -openings file=data/openings.epd format=epd start=61 -rounds 60 -games 2 -repeat -maxmoves 40 \
    -pgnout "$SCRATCH/second.pgn"
# Twenty events, each with games of both matches.
awk '/^\[Event / { $0 = "[Event \"" games++ % 20 "\"]" } { print }' "$SCRATCH/first.pgn" "$SCRATCH/second.pgn" >"$SCRATCH/games.pgn"
small=("$SCRATCH/games.pgn" --family maestro --depth 1 --skip-plies 0 --min-games 40 --temperature 30 --steps 60)
clone 'an organism that is unlike the others' 0 '*Style card: Odd*more than chance*' --player Odd "${small[@]}" -t 1 -o "$SCRATCH/one"
clone 'a folder that holds a clone' 1 '*one holds card.html, *which a clone would write over*' --player Odd "${small[@]}" -t 1 -o "$SCRATCH/one"
page=()
[[ -e build/wasm/eyas.wasm ]] && page=(--page)
clone 'on two threads' 0 '*Style card: Odd*' --player Odd "${small[@]}" -t 2 -o "$SCRATCH/two" "${page[@]}"
if ((${#page[@]})); then
    grep -q '<title>Play Odd</title>' "$SCRATCH/two/play.html"
    result 'a page of the clone, with its name' $?
else
    skip 'a page of the clone' 'build/wasm/eyas.wasm is not there: make wasm'
fi
for file in card.txt card.html results.json clone.bin clone.weights generic.weights training.epd held-out.epd; do
    same "$file is the same on two threads" "$SCRATCH/one/$file" "$SCRATCH/two/$file"
done
weight() { sed -n 's/^PAWN_ADVANCE_A //p' "$SCRATCH/one/$1.weights"; }
(($(weight clone) > $(weight generic)))
result 'its clone gives more for pawns that advance' $?
expect 'the positions can be scored' 0 '*% of *' "$FALCONER" score --moves --weights "$SCRATCH/one/clone.weights" --data "$SCRATCH/one/held-out.epd"
[[ $(grep -c '"name": ' "$SCRATCH/one/results.json") == 35 && $(grep -c '"kind": "pawn moves".*"stands": true, "match"' "$SCRATCH/one/results.json") == 1 ]]
result 'results.json has all weights, and what stands' $?
grep -q 'Odd moves pawns more often' "$SCRATCH/one/card.txt"
result 'the portrait says that it moves pawns more often' $?
[[ $(grep -o 'class="board"' "$SCRATCH/one/card.html" | wc -l) == 3 ]]
result 'the card shows three positions' $?
# The control: half of the games of an organism, the other half among the others'.
awk '/^\[Event / { $0 = "[Event \"" games++ % 20 "\"]" } { sub("\"Plain\"", int(games / 2) % 2 ? "\"Half\"" : "\"Rest\""); print }' \
    "$SCRATCH/second.pgn" >"$SCRATCH/halves.pgn"
clone 'an organism that is like the others' 0 '*show nothing that tells the moves of Half from those?of others*' --player Half "$SCRATCH/halves.pgn" \
    "${small[@]:1}" --min-games 20 -o "$SCRATCH/half"
! grep -q '"stands": true' "$SCRATCH/half/results.json"
result 'of which nothing stands' $?
clone 'one ply more' 0 '*2?plies?ahead*' --player Odd "${small[@]}" --replies 1 --positions 100 --steps 5 --rounds 1

clone 'an unknown player' 1 "*0 games of 'Usuel' to learn from*like it: Usual (* games)*" --player Usuel "${small[@]}"
clone 'too few games' 1 "*games of 'Odd' to learn from, and a clone takes 500*" --player Odd "${small[@]}" --min-games 500
clone 'nobody' 2 '*--player is needed*' "${small[@]}"
clone 'an empty name' 1 "*name is empty*" --player ' ; ' "${small[@]}"
clone 'no games' 2 '*expected GAMES...*' --player Odd
clone 'no such file' 1 '*none.pgn*' --player Odd none.pgn
clone 'an unknown family' 2 '*--family must be one of falcon, maestro, not *' --player Odd "${small[@]}" --family shannon
clone 'products of weights' 1 '*not linear*' --player Odd "${small[@]}" --start vazquez-asoc2013.weights
clone 'an unknown split' 2 '*--split must be one of event, year, not *' --player Odd "${small[@]}" --split month
clone 'nothing held out' 1 '*nothing is held out*' --player Odd "${small[@]}" --split year
done_testing
