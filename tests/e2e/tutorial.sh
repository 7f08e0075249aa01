# shellcheck shell=bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced behind tap.sh by the tests of the tutorials, docs/tutorial-*.md: a folder in which their commands find what they
# name, and the commands themselves.

manuals=$PWD/docs
games=$PWD/build/cache/book_1.02.pgn # where scripts/fetch-games puts them
# shellcheck disable=SC2153 # tap.sh has it
falconer=$(realpath "$FALCONER")
mkdir -p "$SCRATCH/here/build"
ln -s "$PWD"/{data,docs,experiments,scripts,tests,weights} "$SCRATCH/here"
ln -s "$falconer" "$SCRATCH/here/build/falconer"
ln -s "$(realpath "$EYAS")" "$SCRATCH/here/build/eyas"
cd "$SCRATCH/here" || exit 1

tutorials() { basename -a "$manuals"/tutorial-*.md; }

# One command a line, continuations joined: all of what is fenced as sh and, of what is fenced as console, what is typed.
commands() { # FILE FENCE...
    local file=$1
    shift
    awk -v fences=" $* " '
        /^```/ { fence = fence == "" ? substr($0, 4) : ""; next }
        fence == "" || !index(fences, " " fence " ") { next }
        fence == "console" && !going_on && !/^\$ / { next }
        {
            line = going_on ? line $0 : $0
            if (fence == "console") sub(/^\$ /, "", line)
            going_on = sub(/\\$/, "", line)
            if (!going_on && line != "") print line
        }' "$manuals/$file"
}

# Why a command cannot be run here; nothing where it can. What reads a file that came of the games needs the games, too.
reason_to_skip() { # COMMAND
    case $1 in
    ./* | sudo*) echo 'it is run by itself' && return ;;
    *'--scale papers'*) echo 'it takes hours' && return ;;
    *toga2* | *\$engine*) [[ -x /usr/games/toga2 ]] || { echo 'toga2 is absent' && return; } ;;
    *fetch-games* | *\$games* | *\$GAMES* | *tal/* | *tal\ * | *positions.epd* | *dump.txt* | *values.txt*)
        [[ -f $games ]] || { echo 'scripts/fetch-games has not been run' && return; }
        ;;
    *) ;;
    esac
    case $1 in
    *python3* | *dump.txt* | *values.txt*) command -v python3 >/dev/null || echo 'python3 is absent' ;;
    *) ;;
    esac
}
