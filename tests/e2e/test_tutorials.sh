#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The tutorials can be followed: what is fenced as sh, and needs neither network nor minutes, is run as it stands.
# What is fenced as console is not: there, options are at least known.
. tests/e2e/tap.sh || exit 1
manuals=$PWD/docs
mkdir -p "$SCRATCH/here/build"
ln -s "$PWD"/{data,docs,experiments,scripts,tests,weights} "$SCRATCH/here"
ln -s "$(realpath "$FALCONER")" "$SCRATCH/here/build/falconer"
ln -s "$(realpath "$EYAS")" "$SCRATCH/here/build/eyas"
falconer=$(realpath "$FALCONER")
cd "$SCRATCH/here" || exit 1

blocks() { # FILE FENCE: what is within such fences
    awk -v fence="\`\`\`$2" '/^```/ { inside = $0 == fence; next } inside' "$manuals/$1"
}
follow() { # FILE
    blocks "$1" sh >steps
    [[ -s steps ]] || echo false >steps
    expect "$1 can be followed" 0 '*' bash -euo pipefail steps
}
# Every --option of a falconer that is shown is one that the subcommand's help or its settings know.
check_options() { # FILE
    local line subcommand option known unknown=''
    while IFS= read -r line; do
        subcommand=${line#*build/falconer }
        subcommand=${subcommand%% *}
        "$falconer" --help | grep -q "^  $subcommand " || continue
        known=$("$falconer" "$subcommand" --help)
        [[ $line == *coevolve*--engine* ]] && known=$("$falconer" coevolve --engine --help)
        [[ $subcommand == evolve ]] && known+=$("$falconer" evolve gecco2008 --resolve --settings && "$falconer" evolve moves --settings)
        while IFS= read -r option; do
            [[ $known == *" $option"* ]] || unknown+=" $subcommand $option"
        done < <(grep -o -- ' --\?[a-z][a-z0-9-]*' <<<"$line" | tr -d ' ')
    done < <(blocks "$1" console | sed -e ':a' -e '/\\$/N; s/\\\n//; ta' | grep -F 'build/falconer ')
    [[ -z $unknown ]]
    result "$1 shows options that there are" $?
    [[ -z $unknown ]] || echo "# unknown:$unknown"
}

if is_watched; then
    skip 'tutorials can be followed' 'each command is tried by tests of its own where a sanitizer watches'
else
    if command -v python3 >/dev/null; then
        follow tutorial-tune.md
    else
        skip 'tutorial-tune.md can be followed' 'python3 is absent'
    fi
    follow tutorial-paper.md
    follow tutorial-player.md
fi
for file in tutorial-tune.md tutorial-paper.md tutorial-player.md; do
    check_options "$file"
done
done_testing
