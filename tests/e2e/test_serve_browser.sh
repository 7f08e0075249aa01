#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# falconer serve in a real browser (tests/browser/pages.mjs): clicks, keys, what is drawn, and that nothing is complained of.
. tests/e2e/tap.sh || exit 1
. scripts/setup.sh || exit 1
if ! has_browser; then
    skip 'the pages in a browser' 'chromium, node or build/browser is absent (./check --all installs them)'
    done_testing
    exit
fi
mkdir "$SCRATCH/folder"
"$FALCONER" evolve gecco2008 --population 30 --generations 20 -o "$SCRATCH/folder/run" >/dev/null 2>&1
"$FALCONER" match -engine weights=falcon.weights name=FALCON -engine weights=maestro-hand.weights 'name=<img src=x onerror=alert(1)>' \
    -each nodes=300 -rounds 2 -repeat -openings file=openings.epd --resume "$SCRATCH/folder/match" >/dev/null 2>&1
fakes=$(dirname "$FALCONER")
[[ -x $fakes/fake_engine ]] || fakes=build/obj/release-native
echo "cmd=$(realpath "$fakes")/fake_engine name=fake" >"$SCRATCH/folder/engines.txt"
"$FALCONER" coevolve --engine "cmd=$(realpath "$fakes")/fake_tunable name=fake depth=1" --tune A:0:100 --tune B:0:100:5 --games 192 --verdict-games 64 --seats 16 \
    -o "$SCRATCH/folder/options" >/dev/null 2>&1
head -n 30 data/tactics.epd >"$SCRATCH/tactics.epd"
"$FALCONER" suite "$SCRATCH/tactics.epd" --engine weights=maestro-hand.weights --engine 'weights=falcon.weights name=<b>bold</b>' --nodes 200 \
    --jsonl "$SCRATCH/folder/answers.jsonl" >/dev/null 2>&1
# A clone and a paper as far as the pages read them.
mkdir -p "$SCRATCH/folder/tal" "$SCRATCH/folder/results/gecco2008-quick"
cp weights/players/tal.weights "$SCRATCH/folder/tal/clone.weights"
echo '{"player": "<i>Tal</i>", "match": {"clone": 0.4, "generic": 0.3}, "kinds": [{"kind": "offers", "made": 0.1, "surplus": 0.05, "surplus_of_others": 0, "stands": true}], "weights": 7}' \
    >"$SCRATCH/folder/tal/results.json"
cp "$SCRATCH/folder/run/report.html" "$SCRATCH/folder/tal/card.html"
cp "$SCRATCH/folder/options/report.html" "$SCRATCH/folder/results/gecco2008.html"
printf '# A paper\n\nBy falconer 0.9.9 with seed 1 at scale quick, in 1 min.\n' >"$SCRATCH/folder/results/gecco2008.md"
echo '{}' >"$SCRATCH/folder/results/gecco2008-quick/steps.jsonl"
FALCONER=$(realpath "$FALCONER") CHROMIUM=$(command -v chromium) node tests/browser/pages.mjs "$SCRATCH/folder" build/browser/pictures
