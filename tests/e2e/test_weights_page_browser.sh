#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Players as one file in a real browser (tests/browser/player.mjs): a game to mate by clicking, in which the page plays as eyas does.
. tests/e2e/tap.sh || exit 1
. scripts/setup.sh || exit 1
if ! has_browser; then
    skip 'pages of players in a browser' 'chromium, node or build/browser is absent (./check --all installs them)'
    done_testing
    exit
fi
if ! make --no-print-directory --silent wasm-tools 2>"$SCRATCH/needs"; then
    skip 'pages of players in a browser' "$(cat "$SCRATCH/needs") (./check --all installs them)"
    done_testing
    exit
fi
flock build make --no-print-directory --silent wasm || exit 1 # test_weights_page.sh builds it too
{
    echo '# player: <b>Bold</b><script>alert(1)</script>'
    echo '# </pre><img src=x onerror=alert(1)></script><script>alert(2)</script>{{engine}}'
    grep -v '^#' weights/falcon-hand.weights
} >"$SCRATCH/a \"b\" <i>.weights"
mkdir "$SCRATCH/pages"
for player in falcon tal; do "$FALCONER" weights page "$player" -o "$SCRATCH/pages/$player.html" || exit 1; done
"$FALCONER" weights page "$SCRATCH/a \"b\" <i>.weights" -o "$SCRATCH/pages/hostile.html" || exit 1
EYAS=$(realpath "$EYAS") CHROMIUM=$(command -v chromium) node tests/browser/player.mjs "$SCRATCH/pages" build/browser/pictures
