#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# falconer sample: what it writes, what it says, and everything that can be wrong.
. tests/e2e/tap.sh || exit 1
sample() { expect "$1" "$2" "$3" "$FALCONER" sample "${@:4}"; }
same() { # NAME FILE FILE
    cmp -s "$2" "$3"
    result "$1" $?
}
lines() { # NAME COUNT FILE [PATTERN]
    result "$1" $(($(grep -c -- "${4:-.}" "$3") == $2 ? 0 : 1))
}

GAMES=$SCRATCH/games.pgn OUT=$SCRATCH/out.epd
cat >"$GAMES" <<'PGN'
[Event "one"]
[Date "1980.05.01"]
[White "Kasparov, G"]
[Black "Strong, Player"]
[Result "1-0"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 1-0

[Event "the same, told otherwise"]
[Date "1980.??.??"]
[White "Garry Kasparov"]
[Black "Player, Strong"]
[Result "1-0"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 1-0

[Event "two"]
[Date "1981.??.??"]
[White "Weak, Player"]
[Black "Kasparov \"Garry\""]
[WhiteElo "2650"]
[Result "0-1"]

1. d4 d5 2. c4 dxc4 3. e3 b5 4. a4 c6 0-1

[Event "three"]
[Date "????.??.??"]
[White "Polgar S"]
[Black "Nobody"]
[Result "1/2-1/2"]

1. e4 c5 2. Nf3 d6 1/2-1/2

[Event "four"]
[White "Cut"]
[Black "Short"]
[Result "*"]

1. e4 e5 2. Ke3 Nf6 *
PGN
cat >"$SCRATCH/list.ssp" <<'LIST'
@PLAYER "., -_*"
Kasparov, Garry #GM RUS
   = Weinstein, Garry
   %Elo 1980:2595,2605 1981:2625
Strong, Player #GM
   %Elo 1980:2400
LIST

sample 'takes a position of each game' 0 \
    '*5 read, 1 damaged and left out: 1 illegal move*different: 3 (1 copies)*out.epd: 3 positions*' "$GAMES" -o "$OUT"
lines 'with the move played' 3 "$OUT" ' sm [^;]*;'
lines 'with the result' 1 "$OUT" 'c9 "0-1";'
lines 'with its place' 3 "$OUT" 'id "[^"]* - [^"]*, [0-9?]*, ply [0-9]*";$'
lines 'the copy whose tags come first is named' 1 "$OUT" 'id "Garry Kasparov - Player, Strong, 1980'
lines 'a quote does not end the text' 1 "$OUT" "Kasparov 'Garry'"
expect 'the doctor finds nothing wrong' 0 '*problems: 0*' "$FALCONER" doctor "$OUT"
sample 'all positions' 0 '*out.epd: 17 positions*' "$GAMES" -o "$OUT" --per-game 0
cp "$OUT" "$SCRATCH/all.epd"
for kind in gzip zstd bzip2; do
    "$kind" -c "$GAMES" >"$SCRATCH/games.$kind"
    sample "$kind" 0 '*17 positions*' "$SCRATCH/games.$kind" -o "$OUT" --per-game 0 --threads 3
    same "$kind: the same" "$OUT" "$SCRATCH/all.epd"
done
"$FALCONER" sample - -o "$OUT" --per-game 0 <"$GAMES" 2>/dev/null
same 'standard input: the same' "$OUT" "$SCRATCH/all.epd"

RATED=("$GAMES" -o "$OUT" --ratings "$SCRATCH/list.ssp" --unmatched "$SCRATCH/unmatched")
sample 'winners by the rating list' 0 \
    '*with such a result: 3*with such ratings: 3*different: 2 *by the list: 3 names in 3 games*2 positions*' \
    "${RATED[@]}" --min-elo 2600 --winner-to-move
sample 'in one year only' 0 '*of these years: 1*by the list: 1 names in 1 games*1 position*' \
    "${RATED[@]}" --min-elo 2600 --winner-to-move --years 1981
sample 'both players' 0 '*by the tag alone: 1 names in 1 games*no such name: 5 names in 5 games*1 position*' \
    "${RATED[@]}" --min-elo 2600
lines 'names without a rating are listed' 1 "$SCRATCH/unmatched" '^1	not rated: no such name	Polgar S$'
sample 'either player' 0 '*2 positions*' "${RATED[@]}" --min-elo 2600 --elo-of either
sample 'a player by another spelling' 0 '*of these players: 3*2 positions*' "$GAMES" -o "$OUT" \
    --ratings "$SCRATCH/list.ssp" --player 'Weinstein, G'
sample 'a player without a list' 0 '*of these players: 3*out.epd: 8 positions*' "$GAMES" -o "$OUT" \
    --player 'Kasparov, Garry' --per-game 0
lines 'has the move' 4 "$OUT" ' b .*c9 "0-1"'

mkdir "$SCRATCH/a.b"
sample 'a split' 0 '*a.b/set-train: 2 positions*a.b/set-test: 1 position*' "$GAMES" \
    -o "$SCRATCH/a.b/set" --split train=2,test=1
sample 'a split of a file with an ending' 0 '*a.b/set-x.epd: 1 position*' "$GAMES" \
    -o "$SCRATCH/a.b/set.epd" --split x=1
sample 'more than there is' 1 '*4 positions were asked for, but only 3 different ones pass*' "$GAMES" \
    -o "$SCRATCH/none.epd" --split a=2,b=2
[[ ! -e $SCRATCH/none-a.epd ]]
result 'and nothing is written' $?
sample 'frequencies' 0 '*out.epd: 2 positions*' "$GAMES" -o "$OUT" --by-frequency --plies 1-1
lines 'count games once' 1 "$OUT" '^rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - c0 "2 games";$'
sample 'quiet, White to move' 0 '*positions*' "$GAMES" -o "$OUT" --per-game 0 --quiet --assume-white --phase opening
lines 'no Black to move' 0 "$OUT" ' b '
printf '%s\n' '[White "A"]' '[Result "1/2-1/2"]' '' '1. e4 e5 2. Qh5 Nc6 1-0' >"$SCRATCH/differ.pgn"
sample 'the moves tell the result, not the tag' 0 '*with such a result: 1*1 position*' "$SCRATCH/differ.pgn" \
    -o "$OUT" --winner-to-move

# All games but one begin 1. e4, one of them twice.
printf '%s\n' 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -' >"$SCRATCH/avoid.epd"
sample 'games that come to a position are left out' 0 '*with a position to avoid: 3*different: 1 (0 copies)*1 position*' \
    "$GAMES" -o "$OUT" --avoid "$SCRATCH/avoid.epd"
printf '%s\n' 'no position' >"$SCRATCH/avoid.epd"
sample 'a bad file to avoid' 1 '*avoid.epd:1: *' "$GAMES" -o "$OUT" --avoid "$SCRATCH/avoid.epd"

sample 'no output named' 2 '*--output is needed*' "$GAMES"
sample 'no games named' 2 '*expected GAMES...*' -o "$OUT"
sample 'a bad range' 2 "*--plies: '9-3'*" "$GAMES" -o "$OUT" --plies 9-3
sample 'a bad phase' 2 "*--phase: 'ending'*" "$GAMES" -o "$OUT" --phase opening,ending
sample 'a bad result' 2 "*--result: '2-0'*" "$GAMES" -o "$OUT" --result 2-0
sample 'a bad choice of players' 2 "*--elo-of must be one of both, either, mover, not 'all'*" "$GAMES" -o "$OUT" --min-elo 1 --elo-of all
sample 'a bad split' 2 "*--split: 'b' is not NAME=COUNT*" "$GAMES" -o "$OUT" --split a=1,b
sample 'a set twice' 2 "*out-a.epd is the same file as --split*" "$GAMES" -o "$OUT" --split a=1,a=1
sample 'count and split' 2 '*leave out --count*' "$GAMES" -o "$OUT" --split a=1 --count 1
sample 'frequencies of a split' 2 '*--by-frequency*' "$GAMES" -o "$OUT" --split a=1 --by-frequency
sample 'a list without use' 2 '*need --min-elo*' "$GAMES" -o "$OUT" --ratings "$SCRATCH/list.ssp"
sample 'no list' 1 '*games.pgn: no players*' "$GAMES" -o "$OUT" --ratings "$GAMES" --min-elo 1
sample 'missing file' 1 '*missing.pgn*No such file*' "$SCRATCH/missing.pgn" -o "$OUT"
printf ' \n' >"$SCRATCH/blank.pgn"
# Bytes that are no games: in some places they look like the front of one.
printf '\177ELF\1\2*\0\3 Qx*[[ \0\376*\6 zz *' >"$SCRATCH/binary.pgn"
rm -f "$OUT"
for command in sample book 'clone --player X'; do
    # shellcheck disable=SC2086 # two words
    expect "$command: a binary file" 1 '*binary.pgn: no games in this file*' "$FALCONER" $command "$SCRATCH/binary.pgn" -o "$OUT"
    [[ ! -e $OUT ]]
    result 'leaves no file' $?
done
expect 'rate: a binary file' 1 '*binary.pgn: no games in this file*' "$FALCONER" rate "$SCRATCH/binary.pgn"
expect 'doctor: a binary file' 1 '*file without games or positions*' "$FALCONER" doctor "$SCRATCH/binary.pgn"
sample 'no games' 1 '*blank.pgn: no games in this file*' "$SCRATCH/blank.pgn" -o "$OUT"
sample 'full disk' 1 '*/dev/full: *No space left*' "$GAMES" -o /dev/full
head -c 100 "$SCRATCH/games.gzip" >"$SCRATCH/short.gz"
cp "$SCRATCH/all.epd" "$OUT"
sample 'archive cut short' 1 '*short.gz*' "$SCRATCH/short.gz" -o "$OUT" --threads 4
same 'and the old file stands' "$OUT" "$SCRATCH/all.epd"

# Games of a match have the same players and year; which game a position is of is told all the same.
{
    sed -n '1,8p' "$GAMES" && sed -n '1,7p' "$GAMES" | sed 's/3. Bb5 a6 4. Ba4 Nf6/3. Bc4 Bc5 4. c3 Nf6/'
} >"$SCRATCH/match.pgn"
sample 'two games of the same players' 0 '*left, different: 2 *' "$SCRATCH/match.pgn" -o "$SCRATCH/match.epd" --per-game 0
result 'have names of their own' $(($(grep -o 'c8 "[0-9a-f]*"' "$SCRATCH/match.epd" | sort -u | wc -l) == 2 ? 0 : 1))
done_testing
