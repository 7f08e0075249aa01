#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What an older version left behind goes on, and comes to what that version would have come to. See
# tests/data/v0.1.0/README.md.
. tests/e2e/tap.sh || exit 1
FALCONER=$(realpath "$FALCONER")
here=$(realpath "$SCRATCH")/v0.1.0
cp -R tests/data/v0.1.0 "$here"
cp tests/data/openings.epd "$here"
cp weights/falcon.weights "$here"
cp weights/maestro-evolved.weights "$here/m.weights"
sed -i "s|@HERE@|$here|" "$here"/{run,games}/config.ini
cd "$here" || exit 1

values() { grep -v '^#' "$1"; } # FILE: weights without their lineage
same() {                        # NAME FILE FILE
    diff -q "$2" "$3" >/dev/null
    result "$1" $?
}
games() { # FILE: games of a match without times
    sed 's/"started":"[^"]*","seconds":[^,]*,"pgn_bytes":[0-9]*,//' "$1"
}

expect 'a run of evolution from 0.1.0 goes on' 0 '*' "$FALCONER" evolve --resume run --no-optimum
same 'to the weights of 0.1.0' <(values run/best.weights) <(values run.weights)
expect 'so does a run by games' 0 '*' "$FALCONER" coevolve --resume games
same 'to the weights that the search of today makes of it' <(values games/best.weights) <(values games.weights)
same 'and to their verdict' games/verdict.csv games-verdict.csv
expect 'a match of 0.1.0 goes on' 0 '*Score of A vs B: *' "$FALCONER" match --resume match
same 'to the games that the search of today adds to those of 0.1.0' <(games match/games.jsonl) <(games match.jsonl)
expect 'labels of 0.1.0 are known' 0 '*0 positions asked*, 11 known*' \
    "$FALCONER" label positions.epd --mentor "cmd=./engine.sh depth=1" --cache labels.sqlite -o again.epd
same 'and are the same, below a header' <(sed '/^# label: /d' again.epd) labelled.epd
mkdir -p results/gecco2008-quick
echo '{"step":"train-2","command":"label x.epd","version":"0.1.0","seconds":1.00}' >results/gecco2008-quick/steps.jsonl
expect 'a reproduction of 0.1.0 is refused by its version' 1 '*: step train-2 was done by falconer 0.1.0, and this is *' \
    "$FALCONER" reproduce gecco2008
done_testing
