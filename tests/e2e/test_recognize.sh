#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Recognising who played: an organism among others, by its moves; what is said of bad input.
. tests/e2e/tap.sh || exit 1
recognize() { expect "$1" "$2" "$3" "$FALCONER" recognize "${@:4}"; }

names=(- alpha bravo charlie delta)
for i in 1 2 3 4; do
    "$FALCONER" weights random --seed "$i" | sed "1i # player: ${names[i]}" >"$SCRATCH/${names[i]}.weights"
done
players=("$SCRATCH"/{alpha,bravo,charlie,delta}.weights)
engines=()
for player in "${players[@]}"; do
    engines+=(-engine "weights=$player" "name=$(basename "$player" .weights)")
done
for event in {1..8}; do
    "$FALCONER" match "${engines[@]}" -each depth=1 -games 4 -openings file=data/openings.epd order=random \
        -srand "$event" -maxmoves 40 -event "event $event" -pgnout "$SCRATCH/games.pgn" >/dev/null 2>&1
done
# Which events are held out hangs on the year too.
sed -i 's/^\[Date .*/[Date "2020.01.01"]/' "$SCRATCH/games.pgn"

recognize 'an organism by its moves' 0 '*answer (likelihood): charlie*' --players "${players[@]}" \
    "$SCRATCH/games.pgn" --name charlie --power 0.2
one=$out
recognize 'on three threads' 0 '*' --players "${players[@]}" "$SCRATCH/games.pgn" --name charlie --power 0.2 -t 3
[[ $out == "$one" ]]
result 'the same is said' $?
recognize 'by agreement' 0 '*agrees with most moves: alpha*' --players "${players[@]}" "$SCRATCH/games.pgn" --name alpha
recognize 'as JSON' 0 '{"games":*"rule":"likelihood","answer":"bravo"*' --players "${players[@]}" \
    "$SCRATCH/games.pgn" --name bravo --json --power 0.2
recognize 'cannot tell both sides apart' 0 '*cannot tell*' --players "${players[@]}" "$SCRATCH/games.pgn" \
    --color white --power 0.000001
recognize 'a prior decides where moves do not' 0 '*answer (likelihood): delta*' --players "${players[@]}" \
    "$SCRATCH/games.pgn" --color black --power 0.000001 --prior delta=100
trial=(--evaluate "$SCRATCH/games.pgn" --players "${players[@]}" --by events --hold-out 1 --seed 4 --bundle 5 --bundles 3
    --permutations 50)
recognize 'how well it works' 0 '*openings alone*answers by agreement*permuted labels: p = 0.0196*' "${trial[@]}" \
    --write-calibration "$SCRATCH/calibration"
recognize 'with what was learned' 0 '*answer (combined): alpha*' --players "${players[@]}" "$SCRATCH/games.pgn" \
    --name alpha --calibration "$SCRATCH/calibration"
recognize 'a calibration of others' 1 '*of alpha where bravo is given*' --players "${players[@]:1}" "${players[0]}" "$SCRATCH/games.pgn" \
    --name alpha --calibration "$SCRATCH/calibration"

recognize 'too few games' 1 '*alpha has * games to test on, of 2000 needed*' "${trial[@]}" --bundles 400
recognize 'nobody of that name' 1 '*no whole game of Zulu*' --players "${players[@]}" "$SCRATCH/games.pgn" --name Zulu
recognize 'one player alone' 1 '*1 players given*' --players "${players[0]}" "$SCRATCH/games.pgn" --name alpha
recognize 'players of two families' 1 '*give players of one*' --players "${players[@]}" weights/shannon-1950.weights \
    "$SCRATCH/games.pgn" --name alpha
recognize 'weights that do not say whose they are' 1 '*does not say whose moves*' --evaluate "$SCRATCH/games.pgn" \
    --players weights/maestro-hand.weights "${players[0]}"
recognize 'nobody said whose moves' 2 '*--color or --name*' --players "${players[@]}" "$SCRATCH/games.pgn"
recognize 'a rule that is none' 2 "*--rule must be one of agreement, likelihood, combined, not 'loudest'*" --players "${players[@]}" \
    "$SCRATCH/games.pgn" --name alpha --rule loudest
recognize 'a rule that needs learning' 2 '*needs --calibration*' --players "${players[@]}" "$SCRATCH/games.pgn" \
    --name alpha --rule combined
recognize 'a prior for nobody' 1 '*--prior zulu=2*' --players "${players[@]}" "$SCRATCH/games.pgn" --name alpha \
    --prior zulu=2
done_testing
