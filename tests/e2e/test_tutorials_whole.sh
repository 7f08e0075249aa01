#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# All commands of the tutorials, one by one as they are printed, but for what is absent here, which is told; and how long
# each tutorial takes. That of the player ends in a card that shows something. Minutes: ./check leaves it to ./check --all.
. tests/e2e/tap.sh || exit 1
. tests/e2e/tutorial.sh || exit 1

# A command knows the variables that commands before it have set.
walk() { # FILE
    local command reason wanted begun=$SECONDS variables=''
    while IFS= read -r command; do
        reason=$(reason_to_skip "$command")
        if [[ -n $reason ]]; then
            skip "$1: $command" "$reason"
            continue
        fi
        # The scratch folder's build/ has no cache: the games are where they are.
        # shellcheck disable=SC2016 # as it is printed
        [[ $command == *=*'$(scripts/fetch-games)' ]] && command="${command%%=*}=$games"
        # What doctor finds wrong is its answer, with exit code 1.
        [[ $command == *'falconer doctor '* ]] && wanted='[01]' || wanted=0
        expect "$1: $command" "$wanted" '*' bash -euo pipefail -c "exec </dev/null; $variables$command"
        [[ $command =~ ^[A-Za-z_]+= ]] && variables+=$command$'\n'
    done < <(commands "$1" sh console)
    echo "# $1 took $((SECONDS - begun)) s"
}

if is_watched; then
    skip 'the commands of the tutorials' 'they are run in the release build'
    done_testing
    exit
fi
for file in $(tutorials); do
    walk "$file"
done
grep -q 'Pusher moves pawns more often' pusher/card.txt
result "Pusher's card says what he does" $?
if [[ -f $games ]]; then
    grep -q 'Tal offers material more often' tal/card.txt
    result "Tal's card says what he does" $?
else
    skip "Tal's card says what he does" 'scripts/fetch-games has not been run'
fi
done_testing
