#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# falconer book: what it builds, what it says of bad games, and everything that can be wrong.
. tests/e2e/tap.sh || exit 1
book() { expect "$1" "$2" "$3" "$FALCONER" book "${@:4}"; }
# One line per entry, in the order of the file.
entries() { od -An -v -w16 -tx1 "$1" | tr -d ' '; }

cat >"$SCRATCH/games.pgn" <<'PGN'
[Event "one"]
[Result "1-0"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1-0

[Event "two"]
[Result "1/2-1/2"]

1. e4 c5 2. Nf3 d6 3. Bb5+ Bd7 4. Bxd7+ Qxd7 5. O-O Nc6 6. Re1 Nf6 1/2-1/2

[Event "three"]
[Result "0-1"]

1. d4 d5 2. c4 dxc4 0-1

[Event "four: en passant"]
[Result "*"]

1. e4 a6 2. e5 d5 3. exd6 *
PGN
printf '%s\n' '[Result "1-0"]' '' '1. e4 e5 2. Ke3 Nf6 1-0' '' '[Variant "Atomic"]' '' '1. d4 *' '' >"$SCRATCH/bad.pgn"
BOOK=$SCRATCH/book.bin

book 'builds a book' 0 \
    '*games.pgn: 4 games, 0 cut, 0 skipped*1 without a result (counted as drawn)*book.bin: * moves in * positions*' \
    "$SCRATCH/games.pgn" -o "$BOOK" --min-games 1
# The start position: e4 with 2 + 1 + 1 points (d4 lost).
result 'the start position' $(($(entries "$BOOK" | grep -c '^463b96181691fc9c') == 1 ? 0 : 1))
result 'weights count wins and draws' $(($(entries "$BOOK" | grep -c '^463b96181691fc9c031c000400000000$') == 1 ? 0 : 1))
result 'castling is king takes rook' $(($(entries "$BOOK" | grep -c '^.\{16\}01070001') == 1 ? 0 : 1))
entries "$BOOK" | cut -c 1-16 | sort -c
result 'keys are in order' $?
cp "$BOOK" "$SCRATCH/first.bin"
gzip -k "$SCRATCH/games.pgn"
book 'compressed games, the same book' 0 '*4 games*' "$SCRATCH/games.pgn.gz" -o "$BOOK" --min-games 1
cmp -s "$BOOK" "$SCRATCH/first.bin"
result 'the same, byte by byte' $?
book 'several files' 0 '*8 games: *' "$SCRATCH/games.pgn" "$SCRATCH/games.pgn.gz" -o "$BOOK" --min-games 2
book 'shorter' 0 '*book.bin: 1 move in 1 position*' "$SCRATCH/games.pgn" -o "$BOOK" --min-games 1 --max-ply 1
book 'bad games are named, and what is good of them used' 0 \
    '*1 cut (used up to the problem), 1 skipped*bad.pgn: game 1, byte *ply 3: *Ke3*bad.pgn: game 2, *Atomic*' \
    "$SCRATCH/bad.pgn" -o "$BOOK" --min-games 1
rm "$BOOK"
book 'nothing passes' 1 '*none of * moves passes --min-games 99*nothing was written*' \
    "$SCRATCH/games.pgn" -o "$BOOK" --min-games 99
[[ ! -e $BOOK ]]
result 'and nothing is there' $?

PEER=/usr/games/polyglot
if [[ -x $PEER ]]; then
    (cd "$SCRATCH" && "$PEER" make-book -pgn games.pgn -bin peer.bin -max-ply 20 -min-game 1 >/dev/null 2>&1)
    entries "$SCRATCH/first.bin" | sort >"$SCRATCH/ours"
    entries "$SCRATCH/peer.bin" | sort | cmp -s - "$SCRATCH/ours"
    result 'the same entries as polyglot make-book' $?
else
    skip 'the same entries as polyglot make-book' 'polyglot is not installed'
fi

book 'no output named' 2 '*--output is needed*' "$SCRATCH/games.pgn"
book 'no games named' 2 '*expected GAMES...*' -o "$BOOK"
book 'a score beyond 100 percent' 2 '*min-score*' "$SCRATCH/games.pgn" -o "$BOOK" --min-score 101
book 'missing file' 1 '*missing.pgn*No such file*' "$SCRATCH/missing.pgn" -o "$BOOK"
book 'directory' 1 "*$SCRATCH: *directory*" "$SCRATCH" -o "$BOOK"
: >"$SCRATCH/empty.pgn"
book 'empty file' 1 '*empty.pgn*empty*' "$SCRATCH/empty.pgn" -o "$BOOK"
book 'full disk' 1 '*/dev/full: *No space left*' "$SCRATCH/games.pgn" -o /dev/full --min-games 1
book 'output in a directory that is not there' 1 '*make the folder */no first*' "$SCRATCH/games.pgn" -o "$SCRATCH/no/book.bin" --min-games 1
head -c 60 "$SCRATCH/games.pgn.gz" >"$SCRATCH/short.gz"
cp "$SCRATCH/first.bin" "$BOOK"
book 'archive cut short' 1 '*short.gz*' "$SCRATCH/short.gz" -o "$BOOK" --min-games 1
cmp -s "$BOOK" "$SCRATCH/first.bin"
result 'and the old book stands' $?
[[ $(find "$SCRATCH" -name 'book.bin?*' | wc -l) == 0 ]]
result 'no temporary files are left' $?
# One player's moves only: those of White in the first game, of Black in the second.
printf '%s\n' '[White "Me"]' '[Black "You"]' '[Result "1-0"]' '' '1. e4 e5 1-0' '' '[White "You"]' '[Black "Me"]' '[Result "0-1"]' '' \
    '1. d4 d5 0-1' >"$SCRATCH/mine.pgn"
book 'the moves of one player' 0 '2 of 2 games are of Me*2 moves in 2 positions*' "$SCRATCH/mine.pgn" -o "$SCRATCH/mine.bin" --player Me --min-games 1
book 'a player without games' 1 "*none of 2 games is of 'Nobody'*" "$SCRATCH/mine.pgn" -o "$SCRATCH/none.bin" --player Nobody --min-games 1
done_testing
