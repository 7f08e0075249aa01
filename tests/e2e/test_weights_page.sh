#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# falconer weights page: a player as one file, with an engine (make wasm) that says what eyas says. (test_weights_page_browser.sh
# plays against it.)
. tests/e2e/tap.sh || exit 1
# A program that finds weights, and no engine for a browser.
mkdir "$SCRATCH/bin" "$SCRATCH/data"
cp "$FALCONER" "$SCRATCH/bin/falconer"
ln -s "$PWD/weights" "$SCRATCH/data/weights"
bare=(env "FALCONER_DATA=$SCRATCH/data" "$SCRATCH/bin/falconer")
page=$SCRATCH/page.html
expect 'without the engine for a browser: how it is made' 1 '*eyas.wasm, is not here: make wasm builds it*' "${bare[@]}" weights page tal.weights -o "$page"
expect 'the same for a clone, before all work' 1 '*clone: the engine for a browser*make wasm*' \
    "${bare[@]}" clone --player one --page -o "$SCRATCH/clone" tests/data/good.pgn
mkdir "$SCRATCH/data/wasm"
echo 'no engine' >"$SCRATCH/data/wasm/eyas.wasm"
expect 'something else in its place' 1 '*eyas.wasm is no WebAssembly: make wasm*' "${bare[@]}" weights page tal.weights -o "$page"
printf '\0asm of another day' >"$SCRATCH/data/wasm/eyas.wasm"
expect 'one of another version' 1 '*eyas.wasm is not of version *: make wasm*' "${bare[@]}" weights page tal.weights -o "$page"
[[ ! -e $page ]]
result 'no page is made' $?
expect 'no output' 2 '*--output is needed*' "$FALCONER" weights page tal.weights
expect 'no weights' 2 '*expected FILE*' "$FALCONER" weights page -o "$page"
expect 'a page of a clone without a folder' 2 '*--page needs --output*' "$FALCONER" clone --player one --page tests/data/good.pgn
expect 'what is no weights file' 1 '*README.md*' "$FALCONER" weights page README.md -o "$page"

expect 'what make wasm needs' 2 '*make wasm: not all is installed*apt-get install clang lld wasi-libc libclang-rt-dev-wasm32*' \
    make --no-print-directory --silent WASM_CC=no-such-compiler wasm
if ! make --no-print-directory --silent wasm-tools 2>"$SCRATCH/needs"; then
    skip 'pages' "$(cat "$SCRATCH/needs") (./check --all installs them)"
    done_testing
    exit
fi
# Tests run side by side, and another one builds it too.
expect 'the engine for a browser is built' 0 '*' flock build make --no-print-directory --silent wasm
mkdir "$SCRATCH/pages"
expect 'the page of the built-in weights' 0 $'\n' "$FALCONER" weights page weights/falcon.weights -o "$SCRATCH/pages/falcon.html"
expect 'of a bundled player, by its name' 0 $'\n' "$FALCONER" weights page tal -o "$SCRATCH/pages/tal.html"
{
    echo '# player: <b>Bold</b><script>alert(1)</script>'
    echo '# </pre><img src=x onerror=alert(1)></script><script>alert(2)</script>{{engine}}'
    grep -v '^#' weights/falcon-hand.weights
} >"$SCRATCH/a \"b\" <i>.weights"
expect 'of a file that wants to be a page' 0 $'\n' "$FALCONER" weights page "$SCRATCH/a \"b\" <i>.weights" -o "$SCRATCH/pages/hostile.html"
cp "$SCRATCH/a \"b\" <i>.weights" "$SCRATCH/with.weights"
printf 'not a book' >"$SCRATCH/with.bin"
expect 'a damaged book beside the weights' 1 '*with.bin: not a Polyglot book*' "$FALCONER" weights page "$SCRATCH/with.weights" -o "$page"
cp "$SCRATCH/pages/tal.html" "$SCRATCH/tal.html"
run "$FALCONER" weights page tal -o "$SCRATCH/pages/tal.html"
cmp -s "$SCRATCH/tal.html" "$SCRATCH/pages/tal.html"
result 'made twice, it is the same file' $?
! grep -qE '(src|href)="(https?:|/)|@import|url\(.?https?:' "$SCRATCH/pages/tal.html"
result 'it names nothing from elsewhere' $?

if command -v node >/dev/null; then
    while IFS= read -r line; do # its TAP is counted with ours
        case $line in
        'ok '*) result "${line#ok * - }" 0 ;;
        'not ok '*) result "${line#not ok * - }" 1 ;;
        1..*) ;;
        *) echo "$line" ;;
        esac
    done < <(EYAS=$(realpath "$EYAS") node tests/browser/engine.mjs "$(sized 20000 3000)" "$(sized 10 6)" 2>&1 || echo 'not ok 0 - node ends well')
else
    skip 'the engine for a browser beside eyas' 'node is absent (./check --all installs it)'
fi
done_testing
