#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Completions for bash, zsh and fish: made of the tables of options, and complete.
. tests/e2e/tap.sh || exit 1
made=$SCRATCH/completions
expect 'they are written' 0 '*' scripts/build-completions "$FALCONER" "$EYAS" "$made"
expect 'a table of options' 0 $'*--output\t-o\tfile\t\t*--help\t-h\tflag\t*' "$FALCONER" label --list-options
commands=$("$FALCONER" --help | sed -n '/^Subcommands:/,/^$/s/^  \([a-z]*\) .*/\1/p')

# offers WORDS...: what bash would offer for the last of the words.
offers() {
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
    "_$1"
    echo "${COMPREPLY[*]}"
}
# shellcheck disable=SC1091
. "$made/bash/falconer" && . "$made/bash/eyas"
result 'bash reads them' $?
[[ $(offers falconer ev) == evolve && $(offers falconer '') == *"$(head -n 1 <<<"$commands") "*weights* ]]
result 'subcommands' $?
[[ $(offers falconer evolve --resu) == --resume && $(offers falconer evolve --popul) == --population ]]
result 'options and settings' $?
[[ $(offers falconer evolve gecco) == 'gecco2008 gecco2009' && $(offers falconer coevolve gecco) == gecco2009-coevolve ]]
result 'presets' $?
[[ $(offers falconer weights mig) == migrate && $(offers falconer match -eng) == -engine ]]
result 'actions and flags' $?
[[ $(offers falconer label --beyond '') == '' && $(offers falconer score --beyond '') == 'drop clamp' ]]
result 'choices' $?
[[ -z $(offers falconer label --output x) && $(offers eyas --wei) == --weights && $(offers eyas b) == bench ]]
result 'files are left to the shell, and the engine has its own' $?

missing=
for command in $commands; do
    grep -q "^    $command)\$" "$made/zsh/_falconer" || missing+=" zsh:$command"
    grep -q -- "-a $command -d" "$made/fish/falconer.fish" || missing+=" fish:$command"
    [[ $command == match || $command == weights ]] && continue
    while IFS=$'\t' read -r option _; do
        sed -n "/^    $command)\$/,/^        ;;/p" "$made/zsh/_falconer" | grep -q -e "[*{]${option}[[,]" || missing+=" zsh:$command:$option"
        grep -q -e "seen_subcommand_from $command' -l ${option#--}\\b" "$made/fish/falconer.fish" || missing+=" fish:$command:$option"
    done < <("$FALCONER" "$command" --list-options)
done
[[ -z $missing ]]
result 'zsh and fish have every subcommand and option' $?
[[ -z $missing ]] || echo "# missing:$missing"
for shell in zsh fish; do
    file=$made/$shell/$([[ $shell == zsh ]] && echo _falconer || echo falconer.fish)
    if command -v $shell >/dev/null; then
        $shell -n "$file"
        result "$shell reads them" $?
    else
        skip "$shell reads them" "there is no $shell"
    fi
done
done_testing
