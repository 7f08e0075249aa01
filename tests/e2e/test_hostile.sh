#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Names and answers that are commands to a terminal: whatever is printed or written for people is plain text.
. tests/e2e/tap.sh || exit 1
fakes=$(dirname "$FALCONER")
[[ -x $fakes/fake_engine ]] || fakes=build/obj/release-native
# Reset, title, C1 controls as UTF-8 and as bytes, marks of direction, separators of lines, DEL.
bad=$'\ec\e]0;owned\a\u009b2J\x9b2J\u202e\u2066\u200f\u061c\u2028\b\x7f\r'
mark=forged

# is_plain FILE: valid UTF-8 without a dangerous character.
is_plain() {
    iconv -f UTF-8 -t UTF-8 "$1" >"$SCRATCH/valid" 2>/dev/null && cmp -s "$1" "$SCRATCH/valid" &&
        ! LC_ALL=C grep -qP '[\x00-\x08\x0B-\x1F\x7F]|\xC2[\x80-\x9F]|\xD8\x9C|\xE2\x80[\x8E\x8F\xA8-\xAE]|\xE2\x81[\xA6-\xA9]' "$1"
}
# plain NAME RC PATTERN COMMAND...: it says PATTERN, a glob, and nothing but plain text.
plain() {
    local name=$1
    expect "$@"
    is_plain "$SCRATCH/out" && is_plain "$SCRATCH/err"
    result "$name: plain text" $?
}
file() { is_plain "$2"; result "$1: plain text" $?; } # NAME FILE

# --- answers of engines ---

match=("$FALCONER" match -each depth=1 -rounds 1 -games 1 -maxmoves 4 -pgnout "$SCRATCH/games.pgn" --jsonl "$SCRATCH/games.jsonl")
plain 'a UCI engine in a match' 0 '*Warning: game 1:*\\x1bc*' "${match[@]}" -engine "cmd=$fakes/fake_engine hostile" name=A -engine \
    "cmd=$fakes/fake_engine" name=B
plain 'an XBoard engine in a match' 0 '*Warning: game 1:*\\x1bc*' "${match[@]}" -engine "cmd=$fakes/fake_xboard hostile" proto=xboard \
    name=A -engine "cmd=$fakes/fake_engine" name=B
plain 'names of engines' 0 "*M\\\\x1bc*$mark vs B*" "${match[@]}" -engine "cmd=$fakes/fake_engine" "name=M${bad}$mark" \
    -engine "cmd=$fakes/fake_engine" $'name=B\nFinished game 9 (A vs B): 1-0 {forged}'
! grep -q '^Finished game 9' "$SCRATCH/out"
result 'a name forges no line' $?
file 'the games as PGN' "$SCRATCH/games.pgn"
file 'the games as JSON' "$SCRATCH/games.jsonl"
plain 'an option that is not there' 1 '*Nope*' "${match[@]}" -engine "cmd=$fakes/fake_engine hostile" name=A "option.Nope$bad=1" \
    -engine "cmd=$fakes/fake_engine" name=B
head -n 3 data/grandmasters-test.epd >"$SCRATCH/some.epd"
plain 'a mentor' 1 '*not labelled: asked twice: *\\x1bc*' "$FALCONER" label "$SCRATCH/some.epd" --mentor "cmd='$fakes/fake_engine hostile' depth=1" \
    --no-cache -o "$SCRATCH/labelled.epd"
file 'what it labelled' "$SCRATCH/labelled.epd"
plain 'an engine that solves a suite' '[01]' '*\\x1bc*' "$FALCONER" suite tests/data/mates.epd --engine "cmd='$fakes/fake_engine hostile'" --depth 1 \
    --jsonl "$SCRATCH/solved.jsonl"
file 'its answers' "$SCRATCH/solved.jsonl"

# --- files ---

{ sed "1s/\$/ $bad/" weights/maestro-hand.weights; echo "# command: falconer $bad"; } >"$SCRATCH/lineage.weights"
sed -i "1i # made by $bad M\xC3\xBCller" "$SCRATCH/lineage.weights"
plain 'the lineage of weights' 0 $'*M\u00fcller*\\\\x1bc*' "$FALCONER" weights show "$SCRATCH/lineage.weights"
{ cat weights/maestro-hand.weights; echo "NO$bad 1"; } >"$SCRATCH/bad.weights"
plain 'bad weights' 1 '*has no term*' "$FALCONER" weights show "$SCRATCH/bad.weights"
printf 'population = %s\n' "$bad" >"$SCRATCH/preset.ini"
plain 'a bad preset' '[12]' '*population*' "$FALCONER" evolve "$SCRATCH/preset.ini" -o "$SCRATCH/run"
printf '8/8/8/8/8/8/8/K1k5 w - - bm %s; id "x%s";\n' "$bad" "$bad" >"$SCRATCH/bad.epd"
plain 'a bad suite' '[012]' '*bad.epd*' "$FALCONER" suite "$SCRATCH/bad.epd" --engine weights=maestro-hand.weights --depth 1
plain 'the doctor' 1 '*bad.epd*' "$FALCONER" doctor "$SCRATCH/bad.epd"
for ((game = 0; game < 40; game++)); do
    printf '[Event "%s"]\n[Site "?"]\n[Date "20%02d.01.01"]\n[Round "1"]\n[White "=A%s\\"%s"]\n[Black "B, M\xFCller"]\n[Result "1-0"]\n\n' \
        "$game" $((game / 2)) "$bad" "$mark"
    printf '1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0\n\n'
done >"$SCRATCH/names.pgn"
plain 'ratings' 0 $'*M\u00fcller*' "$FALCONER" rate "$SCRATCH/names.pgn"
plain 'ratings for spreadsheets' 0 $'*M\u00fcller*' "$FALCONER" rate --csv "$SCRATCH/names.pgn"
grep -q "^[^,]*,[^,]*,\"'=A" "$SCRATCH/out"
result 'a name is no formula' $?
plain 'ratings as JSON' 0 $'*M\u00fcller*' "$FALCONER" rate --jsonl "$SCRATCH/names.pgn"
plain 'a player who is not there' 1 '*' "$FALCONER" rate --anchor "=A$bad=2000" "$SCRATCH/names.pgn"
plain 'no clone of a stranger' 1 '*' "$FALCONER" clone --player "A$bad" --family maestro "$SCRATCH/names.pgn" -o "$SCRATCH/clone"
odd=$'A\ec\u009b2J\u202e'
zstdcat tests/data/players.pgn.zst | sed "s/\"Pusher\"/\"$odd\"/" >"$SCRATCH/odd.pgn"
plain 'a clone of a hostile name' 0 '*Style card: A\\x1bc*' "$FALCONER" clone --player "$odd" --family maestro --skip-plies 0 --min-games 10 \
    --steps 3 --runs 2 "$SCRATCH/odd.pgn" -o "$SCRATCH/clone"
for made in "$SCRATCH"/clone/*.{txt,html,json,weights}; do [[ ! -e $made ]] || file "${made##*/}" "$made"; done
printf 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 21\n' | sed "1i # $bad" >"$SCRATCH/perft.epd"
plain 'wrong counts' 1 '*expected 21*' "$FALCONER" perft --epd "$SCRATCH/perft.epd"

# --- command lines ---

for command in book clone coevolve doctor evolve explain label match optimum perft rate recognize reproduce sample score suite tune weights; do
    run "$FALCONER" "$command" "--x$bad" "$bad"
    is_plain "$SCRATCH/out" && is_plain "$SCRATCH/err" && ((rc == 1 || rc == 2))
    result "$command: an option that is none" $?
    run "$FALCONER" "$command" "no/$bad"
    is_plain "$SCRATCH/out" && is_plain "$SCRATCH/err" && ((rc != 0))
    result "$command: a file that is not there" $?
done
plain 'a subcommand that is none' 2 '*unknown subcommand*' "$FALCONER" "$bad"
printf 'go x%s\nsetoption name %s value 1\n%s\nposition fen %s\nquit\n' "$bad" "$bad" "$bad" "$bad" |
    "$EYAS" >"$SCRATCH/out" 2>"$SCRATCH/err"
grep -q 'unknown command' "$SCRATCH/out" && is_plain "$SCRATCH/out" && is_plain "$SCRATCH/err"
result 'the engine: plain text' $?
done_testing
