#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# falconer doctor: every kind of problem with its place and reason, and everything that can be wrong.
. tests/e2e/tap.sh || exit 1
doctor() { expect "$1" "$2" "$3" "$FALCONER" doctor "${@:4}"; }

cat >"$SCRATCH/clean.pgn" <<'PGN'
[Event "one"]
[Result "1-0"]

1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0

[Event "two"]
[Result "*"]

1. a3 *
PGN
cat >"$SCRATCH/bad.pgn" <<'PGN'
[Event "illegal move"]
[Result "1-0"]

1. e4 e5 2. Ke3 1-0

[Event "variant"]
[Variant "Atomic"]
[Result "*"]

1. e4 *

[Event "results differ"]
[Result "1-0"]

1. d4 d5 0-1

[Event "mate is no draw"]
[Result "1/2-1/2"]

1. f3 e5 2. g4 Qh4# 1/2-1/2

[Event "the same game"]
[Result "1-0"]

1. d4 d5 1-0

[Event "no moves"]
[Result "0-1"]

0-1

[Event "cut short"]
[Result "1-0"]

1. c4 c5
PGN
doctor 'clean games' 0 \
    'files: 1; * bytes read of * there*games: 2 found, 0 cut, 0 skipped; 8 plies*results: 1 1-0, 0 0-1, 0 1/2-1/2, 1 unknown*phases: 100.0 % opening*problems: 0*' \
    "$SCRATCH/clean.pgn"
run "$FALCONER" doctor "$SCRATCH/bad.pgn"
result 'bad games: exit code 1' $((rc == 1 ? 0 : 1))
said() { # NAME PATTERN
    # shellcheck disable=SC2053 # a glob is meant
    [[ $out == $2 ]]
    result "$1" $?
}
said 'illegal move' '*bad.pgn: game 1, byte *, ply 3: game cut: illegal move "Ke3"*'
said 'variant' '*game 2, byte *: game skipped: *Atomic*'
said 'results differ' '*game 3, byte *: results that differ: the tag says 1-0, the moves end with 0-1*'
said 'mate is no draw' '*game 4, byte *, ply 4: result that contradicts the board: White is mated*'
said 'the same game' '*game 5, byte *: duplicate game: the same moves as game 3*'
said 'no moves' '*game 6, byte *: game without moves*'
said 'cut short' '*game 7, byte *: truncated end*'
said 'totals' '*games: 7 found, 1 cut, 1 skipped*cut: 1 illegal move*skipped: 1 *problems: 7*'
doctor 'a short list, whole counts' 1 '*game 1,*6 more problems not listed*problems: 7*' -n 1 "$SCRATCH/bad.pgn"
run "$FALCONER" doctor --max-problems 0 "$SCRATCH/bad.pgn"
result 'no list' $((rc == 1 && $(grep -c 'game 1,' <<<"$out") == 0 ? 0 : 1))
printf '[Event "glued"]\n\n1. f3 e5 2. g4 Qh4#0-1\n' >"$SCRATCH/glued.pgn"
doctor 'a result glued to a move' 1 '*game 1, byte 0: result glued to a move: *games: 1 found, 0 cut*4 plies*0 1-0, 1 0-1*problems: 1*' \
    "$SCRATCH/glued.pgn"
gzip -c "$SCRATCH/clean.pgn" >"$SCRATCH/no-such-suffix"
head -c -6 "$SCRATCH/no-such-suffix" >"$SCRATCH/cut.gz"
doctor 'a cut archive: what is there, and that it is cut' 1 \
    "*cut.gz: damaged or truncated archive*files: 1; $(stat -c %s "$SCRATCH/cut.gz") bytes read of $(stat -c %s "$SCRATCH/cut.gz") there*games: 2 found*" \
    "$SCRATCH/cut.gz"
doctor 'compressed, by content' 0 '*games: 2 found*problems: 0*' "$SCRATCH/no-such-suffix"
doctor 'duplicates across files' 1 '*duplicate game: the same moves as game 1 of *clean.pgn*' \
    "$SCRATCH/clean.pgn" "$SCRATCH/no-such-suffix"
run bash -c "'$FALCONER' doctor - <'$SCRATCH/clean.pgn'"
said 'standard input' '*games: 2 found*problems: 0*'

cat >"$SCRATCH/positions" <<'EPD'
# quiet, in check, a capture that gains
4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - bm e4; id "1";
4k3/8/8/8/4r3/8/8/4K3 w - - 0 1
4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1 [0.5]
EPD
doctor 'positions' 0 '*positions: 3 read, 66.7 % not quiet*0 mate or stalemate*phases: *100.0 % endgame*problems: 0*' \
    "$SCRATCH/positions"
cat >"$SCRATCH/bad" <<'EPD'
4k3/8/8/8/8/8/8/4K3 w KQ -
4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - bm Ke8;
nonsense
4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1
7k/5K2/6Q1/8/8/8/8/8 b - - c9 "1-0";
EPD
run "$FALCONER" doctor "$SCRATCH/bad"
result 'bad positions: exit code 1' $((rc == 1 ? 0 : 1))
said 'impossible castling' '*bad:1: bad position: *castling*'
said 'an impossible best move' '*bad:2: bad operation: *Ke8*'
said 'no position' '*bad:3: bad position: *'
said 'a duplicate' '*bad:4: duplicate position: the same position as line 2*'
said 'a result the board contradicts' '*bad:5: result that contradicts the board: *stalemate*1-0*'

doctor 'missing file' 1 '*missing.pgn*No such file*problems: 1*' "$SCRATCH/missing.pgn"
doctor 'directory' 1 "*$SCRATCH: *directory*" "$SCRATCH"
: >"$SCRATCH/empty"
doctor 'empty file' 1 '*empty: *problems: 1*' "$SCRATCH/empty"
if ((EUID != 0)); then
    touch "$SCRATCH/secret" && chmod 0 "$SCRATCH/secret"
    doctor 'unreadable file' 1 '*secret*Permission denied*' "$SCRATCH/secret"
else
    doctor 'unreadable file' 1 '*/proc/self/mem*' /proc/self/mem
fi
head -c 40 "$SCRATCH/no-such-suffix" >"$SCRATCH/short"
doctor 'archive cut short' 1 '*short*unreadable file*' "$SCRATCH/short"
head -c 5000 /dev/urandom >"$SCRATCH/noise"
run "$FALCONER" doctor "$SCRATCH/noise"
result 'noise is a problem' $((rc == 1 ? 0 : 1))
doctor 'no file' 2 '*expected FILE...*'
run bash -c "'$FALCONER' doctor '$SCRATCH/clean.pgn' >/dev/full"
result 'output that does not arrive' $((rc == 1 ? 0 : 1))
done_testing
