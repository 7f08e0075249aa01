#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The commands of README run as they are printed, but for what builds, asks for a reader's own files, or needs what is
# absent here; that is told.
. tests/e2e/tap.sh || exit 1
readme=$PWD/README.md
if is_watched; then
    skip 'the commands of README' 'they are run in the release build'
    done_testing
    exit
fi
mkdir -p "$SCRATCH/here/build"
ln -s "$PWD"/{data,docs,experiments,scripts,tests,weights} "$SCRATCH/here"
ln -s "$(realpath "$FALCONER")" "$SCRATCH/here/build/falconer"
ln -s "$(realpath "$EYAS")" "$SCRATCH/here/build/eyas"
games=$PWD/build/cache/book_1.02.pgn
cd "$SCRATCH/here" || exit 1

# One a line, continuations joined and remarks cut off.
commands() { sed -n 's/^    //p' "$readme" | sed -e ':a' -e '/\\$/N; s/\\\n *//; ta' -e 's/  *# .*//'; }
reason_to_skip() { # COMMAND
    case $1 in
    ./*) echo 'it is run by itself' ;;
    *dump.txt*) echo 'its input is of your own engine' ;;
    games=*) echo 'no test downloads' ;;
    *\$games* | *positions.epd*) [[ -f $games ]] || echo 'scripts/fetch-games has not been run' ;;
    *\$engine*) [[ -x /usr/games/toga2 ]] || echo 'toga2 is absent' ;;
    *gnuchess*) [[ -x /usr/games/gnuchess ]] || echo 'gnuchess is absent' ;;
    *) ;;
    esac
}
engine=/usr/games/toga2
export games engine
while IFS= read -r command; do
    [[ $command == engine=* ]] && continue
    reason=$(reason_to_skip "$command")
    if [[ -n $reason ]]; then
        skip "$command" "$reason"
    else
        expect "$command" 0 '*' bash -euo pipefail -c "$command </dev/null"
    fi
done < <(commands)
done_testing
