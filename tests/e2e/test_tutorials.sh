#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The tutorials can be followed: what is fenced as sh, and needs neither network nor minutes, is run as it stands.
# What is fenced as console is run by test_tutorials_whole.sh; here, its options are at least known.
. tests/e2e/tap.sh || exit 1
. tests/e2e/tutorial.sh || exit 1

follow() { # FILE
    commands "$1" sh >steps
    [[ -s steps ]] || echo false >steps
    if grep -q python3 steps && ! command -v python3 >/dev/null; then
        skip "$1 can be followed" 'python3 is absent'
    else
        expect "$1 can be followed" 0 '*' bash -euo pipefail steps
    fi
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
    done < <(commands "$1" console | grep -F 'build/falconer ')
    [[ -z $unknown ]]
    result "$1 shows options that there are" $?
    [[ -z $unknown ]] || echo "# unknown:$unknown"
}

for file in $(tutorials); do
    if is_watched; then
        skip "$file can be followed" 'each command is tried by tests of its own where a sanitizer watches'
    else
        follow "$file"
    fi
    check_options "$file"
done
done_testing
