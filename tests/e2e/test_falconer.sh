#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The command line itself: help, version, mistakes, full disks.
. tests/e2e/tap.sh || exit 1

expect 'no subcommand is wrong usage' 2 '*Subcommands:*' "$FALCONER"
expect 'help' 0 '*Subcommands:*perft*' "$FALCONER" --help
expect 'help of a subcommand' 0 'Usage: falconer perft*Example:*' "$FALCONER" help perft
expect 'version' 0 'falconer [0-9]*.[0-9]*.[0-9]*' "$FALCONER" --version
expect 'unknown subcommand suggests' 2 "*unknown subcommand 'pertf': did you mean 'perft'?*" "$FALCONER" pertf
expect 'unknown subcommand far from all' 2 "*unknown subcommand 'xyzzy' (see*" "$FALCONER" xyzzy
expect 'unknown option' 2 '*falconer perft: unknown option --foo (see falconer perft --help)*' \
    "$FALCONER" perft --foo
expect 'number out of range' 2 "*--depth must be a whole number from 0 to 30, not '99'*" "$FALCONER" perft --depth 99
# shellcheck disable=SC2016 # for the inner shell
expect 'full disk' 1 '*cannot write to standard output*' bash -c '"$1" perft --depth 1 >/dev/full' _ "$FALCONER"

# Every subcommand has help, whose example works as it stands, away from the sources.
mkdir "$SCRATCH/bin"
ln -s "$(realpath "$FALCONER")" "$SCRATCH/bin/falconer"
ln -s "$(realpath "$EYAS")" "$SCRATCH/bin/eyas"
try_example() { # NAME...: of a subcommand, or of one of its forms
    local example words=() word
    run "$FALCONER" "$@" --help
    example=$(sed -n '/^Example:/,$p' <<<"$out" | sed 1d)
    if [[ -z $example ]]; then
        result "example of $*" 1
        return
    fi
    eval "words=(${example//[&;]/})"
    for word in "${words[@]}"; do
        word=${word%% *} # an engine in one word may have options behind its command
        if [[ $word == cmd=/* && ! -x ${word#cmd=} ]]; then
            skip "example of $*" "${word#cmd=} is not installed"
            return
        fi
    done
    rm -rf "$SCRATCH/away"
    mkdir "$SCRATCH/away"
    expect "example of $*" 0 '*' env -C "$SCRATCH/away" PATH="$SCRATCH/bin:$PATH" bash -c "$example"
}
# Where few cases must do, without those that learn for long: the tests of their own have less to learn.
while read -r name _; do
    [[ " $(sized '' 'clone coevolve compare suite tune') " == *" $name "* ]] || try_example "$name"
done < <("$FALCONER" --help | sed -n '/^Subcommands:/,/^$/s/^  //p')
[[ -n $(sized '' few) ]] || try_example coevolve --engine
for action in diff random mean median migrate; do
    try_example weights "$action"
done
if [[ -e build/wasm/eyas.wasm ]]; then
    try_example weights page
else
    skip 'example of weights page' 'build/wasm/eyas.wasm is not there: make wasm'
fi
done_testing
