#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# An installation stands on its own feet, away from the sources, and goes without a trace.
. tests/e2e/tap.sh || exit 1
if [[ ! -x build/falconer || ! -x build/eyas ]]; then
    skip 'installation' 'build/falconer is not there: make'
    done_testing
    exit
fi
root=$SCRATCH/root prefix=/opt/falconer
# Programs that are there are not built again: this is about what becomes of them.
to=(make --no-print-directory --silent -o all "DESTDIR=$root" "PREFIX=$prefix")
there=$root$prefix
expect 'install' 0 '*' "${to[@]}" install
for file in bin/falconer bin/eyas share/man/man1/falconer.1 share/man/man1/falconer-evolve.1 share/man/man1/eyas.1 \
    share/bash-completion/completions/falconer share/zsh/site-functions/_eyas share/fish/vendor_completions.d/falconer.fish \
    share/falconer/experiments/play.ini share/falconer/weights/players/calibration.txt share/doc/falconer/docs/eyas.md; do
    [[ -s $there/$file ]]
    result "$file" $?
done
[[ -z $(find "$there" -type f ! -perm -444) ]]
result 'everybody may read it all' $?
cd "$SCRATCH" || exit 1
expect 'presets, data and weights are found' 0 '*Test error: *' env -u FALCONER_DATA "$there/bin/falconer" evolve gecco2008 \
    --generations 2 --population 10 --no-optimum -o run
expect 'also from the root' 0 '*Test error: *' env -C / -u FALCONER_DATA "$there/bin/falconer" evolve gecco2008 \
    --population 200 --generations 100 --no-optimum -o "$SCRATCH/from-root"
expect 'the engine plays' 0 '*bestmove*' timeout 300 bash -c "coproc '$there/bin/eyas' --weights run/best.weights; echo go depth 3 >&\${COPROC[1]}
    while read -r line && echo \"\$line\" && [[ \$line != bestmove* ]]; do :; done <&\${COPROC[0]}"
cd "$OLDPWD" || exit 1
if [[ -e build/wasm/eyas.wasm ]]; then
    expect 'the engine for a browser is found' 0 '*' env -C / -u FALCONER_DATA "$there/bin/falconer" weights page tal -o "$SCRATCH/tal.html"
else
    skip 'the engine for a browser' 'build/wasm/eyas.wasm is not there: make wasm'
fi
echo mine >"$there/bin/other"
expect 'uninstall' 0 '*' "${to[@]}" uninstall
[[ $(cd "$there" && find . -type f) == ./bin/other ]]
result 'nothing of ours is left, and nothing else is gone' $?

if [[ ! -e .git ]]; then
    skip 'the archive' 'it is made of a commit, and here is no repository'
elif ! make --no-print-directory --silent wasm-tools 2>/dev/null; then
    skip 'the archive' 'packages of make wasm are absent (./check --all installs them)'
else
    expect 'make dist' 0 '*' make --no-print-directory --silent dist
    archive=(build/falconer-*.tar.gz)
    files=$(tar -tzf "${archive[-1]}")
    [[ $files == *falconer-*/wasm/eyas.wasm* && $files == *falconer-*/src/wasm/eyas_wasm.c* ]]
    result 'has the sources, and the engine for a browser made of them' $?
fi
done_testing
