#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Chess960 and double Fischer random: known counts, the engine's notation, matches, and what reads their games.
. tests/e2e/tap.sh || exit 1
games=$(sized "${CHESS960_GAMES:-40}" 4)
fake=$(dirname "$FALCONER")/fake_engine
[[ -x $fake ]] || fake=build/obj/release-native/fake_engine
match() { expect "$1" "$2" "$3" "$FALCONER" match "${@:4}"; }
eyas=(-engine "cmd=$EYAS" name=A nodes=80 -engine "cmd=$EYAS" name=B nodes=60 -each option.Hash=1 -ratinginterval 0)
no_faults='*Faults of A: 0 time losses, 0 crashes, 0 stalls, 0 illegal moves*Faults of B: 0 time losses, 0 crashes, 0 stalls, 0 illegal moves*'

# Depth 4 of all, or of a few where a sanitizer watches; ./check --all counts depth 5 too.
expect 'known counts' 0 '*passed, 0 failed*' "$FALCONER" perft --epd tests/data/perft960.epd.zst \
    --max-nodes "$(sized 3000000 400000)" --limit "$(sized 960 40)"
expect 'moves of a position' 0 '*f1h1: 1*perft 1: *' "$FALCONER" perft --depth 1 --divide --fen '4k3/8/8/8/8/8/8/5K1R w H - 0 1'

ask() { printf '%s\n' "$@" quit | "$EYAS"; } # LINE...
castles='position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1'
expect 'castling in chess' 0 '*e1g1: 1*' ask "$castles" 'go perft 1'
expect 'castling as king takes rook' 0 '*e1h1: 1*' ask 'setoption name UCI_Chess960 value true' "$castles" 'go perft 1'
expect 'the best move and its line too' 0 '*pv b1f1*bestmove b1f1*' ask 'setoption name UCI_Chess960 value true' \
    'position fen 6k1/5ppp/8/8/8/8/5PPP/1K3R2 w F - 0 1' 'go depth 2 searchmoves b1f1'
expect 'both ways to write castling are understood' 0 '*fen 5rk1/3p4/8/8/8/8/8/2KR4 w - - 2 2*' \
    ask 'position fen 1k3r2/3p4/8/8/8/8/8/R2K4 w Ak - 0 1 moves d1a1 b8g8' 'd'
expect 'an unknown right is refused' 0 "*castling right 'K'*the position is unchanged*" ask 'position fen 1k3r2/8/8/8/8/8/8/R2K4 w KQkq - 0 1'

match "$games games of double Fischer random" 0 "$no_faults" "${eyas[@]}" -variant fischerandom -openings format=dfrc \
    order=random -srand 960 -games 1 -noswap -rounds "$games" -concurrency 2 -pgnout "$SCRATCH/dfrc.pgn"
expect 'are read back without a complaint' 0 "*games: $games found, 0 cut, 0 skipped*problems: 0*" \
    "$FALCONER" doctor "$SCRATCH/dfrc.pgn"
result 'each says what it is' $(($(grep -c '^\[Variant "Chess960"\]' "$SCRATCH/dfrc.pgn") == games &&
    $(grep -c '^\[FEN "' "$SCRATCH/dfrc.pgn") == games && $(grep '^\[FEN' "$SCRATCH/dfrc.pgn" | sort -u | wc -l) == games ? 0 : 1))
grep -q 'O-O' "$SCRATCH/dfrc.pgn"
result 'some castle' $?
expect 'positions are drawn from them' 0 '*' "$FALCONER" sample "$SCRATCH/dfrc.pgn" --count 4 -o "$SCRATCH/drawn.epd"
expect 'and are positions' 0 '*problems: 0*' "$FALCONER" doctor "$SCRATCH/drawn.epd"

match 'the 960 start positions, from a number on' 0 "$no_faults" "${eyas[@]}" -variant fischerandom \
    -openings format=chess960 start=519 -maxmoves 2 -rounds 2 -pgnout "$SCRATCH/numbered.pgn"
[[ $(grep -A1 '^\[SetUp' "$SCRATCH/numbered.pgn" | grep -c '^\[FEN "rnbqkbnr/.* w KQkq - 0 1"\]') == 2 &&
    $(grep -c '^\[FEN "rnbqknrb/' "$SCRATCH/numbered.pgn") == 2 && $(grep -c '^\[Variant' "$SCRATCH/numbered.pgn") == 4 ]]
result '518 is that of chess' $?
match 'drawn where no openings are given' 0 "$no_faults" "${eyas[@]}" -variant fischerandom -maxmoves 2 -srand 4 \
    -rounds 2 -pgnout "$SCRATCH/drawn.pgn"
result 'two of them, each twice' $(($(grep '^\[FEN' "$SCRATCH/drawn.pgn" | sort | uniq -c | grep -c '^ *2 ') == 2 ? 0 : 1))
for notation in san lan uci; do
    match "as $notation" 0 "$no_faults" "${eyas[@]}" -variant fischerandom -openings format=dfrc order=random -games 1 -noswap \
        -rounds 6 -pgnout "file=$SCRATCH/$notation.pgn" "notation=$notation" min=true
    expect "is read from $notation" 0 '*games: 6 found, 0 cut, 0 skipped*problems: 0*' "$FALCONER" doctor "$SCRATCH/$notation.pgn"
done

match 'a tournament that goes on' 0 "$no_faults" "${eyas[@]}" -variant fischerandom -maxmoves 3 -rounds 1 --resume "$SCRATCH/event"
match 'with the same rules' 0 "$no_faults" --resume "$SCRATCH/event" -rounds 2
result 'in all games' $(($(grep -c '^\[Variant "Chess960"\]' "$SCRATCH/event/games.pgn") == 4 ? 0 : 1))

match 'an engine that does not know it' 1 "*it has no option 'UCI_Chess960'*" -engine "cmd=$fake" -engine "cmd=$EYAS" \
    -each depth=1 -variant fischerandom
match 'nor where only the openings have it' 1 '*does not know Chess960: it has no option UCI_Chess960*' -engine "cmd=$fake" \
    -engine "cmd=$EYAS" -each depth=1 -openings format=dfrc
match 'arrays are in no file' 2 '*this format= has no file=*' "${eyas[@]}" -openings file=x.epd format=dfrc
match 'another variant' 2 "*-variant: 'atomic'*fischerandom*" "${eyas[@]}" -variant atomic
if [[ -x /usr/games/stockfish ]] && ! is_watched; then
    match 'against an engine of other people' 0 "$no_faults" -engine "cmd=$EYAS" name=A nodes=2000 \
        -engine cmd=/usr/games/stockfish name=B nodes=200 -variant fischerandom -openings format=dfrc order=random -srand 5 \
        -rounds 4 -pgnout "$SCRATCH/other.pgn"
    expect 'is read back' 0 '*8 found, 0 cut, 0 skipped*problems: 0*' "$FALCONER" doctor "$SCRATCH/other.pgn"
else
    skip 'against an engine of other people' 'stockfish is absent, or a sanitizer watches'
fi
done_testing
