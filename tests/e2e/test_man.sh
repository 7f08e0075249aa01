#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Manual pages: for every program and subcommand there is one, complete and without a fault.
. tests/e2e/tap.sh || exit 1
pages=$SCRATCH/man
expect 'the pages are written' 0 '*' scripts/build-man "$FALCONER" "$EYAS" "$pages"
commands=$("$FALCONER" --help | sed -n '/^Subcommands:/,/^$/s/^  \([a-z]*\) .*/\1/p')
[[ -n $commands && $(find "$pages" -name '*.1' | wc -l) == $(($(wc -w <<<"$commands") + 2)) ]]
result 'a page for each subcommand and program' $?
expect 'a page of nothing' 2 "*unknown subcommand 'pertf': did you mean 'perft'*" "$FALCONER" --man pertf

# words FILE: the text of a page on one line, without the marks of bold and italic.
words() { groff -man -Tutf8 -ww -P-cbou -rLL=200n "$1" 2>>"$SCRATCH/warnings" | tr -s ' \n' ' '; }
# options COMMAND...: those that its --help lists; of match, the flags and the words of an engine too.
options() { "$@" --help | sed -nE 's/^  (-., |    )?(--?[A-Za-z-]+|[a-z.]+=).*/\2/ip'; }

check_page() { # NAME COMMAND...
    local page text missing='' part
    page=$pages/$1.1
    text=$(words "$page")
    shift
    for part in NAME SYNOPSIS DESCRIPTION OPTIONS EXAMPLE 'EXIT STATUS' 'SEE ALSO'; do
        grep -q "^\.SH \"$part" "$page" || missing+=" $part"
    done
    while IFS= read -r part; do
        [[ $text == *"$part"* ]] || missing+=" $part"
    done < <(options "$@")
    [[ -z $missing && $(options "$@" | wc -l) -gt 1 ]]
    result "the page of $* has all sections and options" $?
    [[ -z $missing ]] || echo "# missing:$missing"
}

if ! command -v groff >/dev/null; then
    skip 'the text of the pages' 'groff is absent'
else
    : >"$SCRATCH/warnings"
    for name in $commands; do
        case $name in
        weights) check_page falconer-weights "$FALCONER" weights random ;;
        coevolve)
            check_page falconer-coevolve "$FALCONER" coevolve
            check_page falconer-coevolve "$FALCONER" coevolve --engine
            ;;
        *) check_page "falconer-$name" "$FALCONER" "$name" ;;
        esac
    done
    check_page eyas "$EYAS"
    text=$(words "$pages/eyas.1") missing=''
    while IFS= read -r name; do
        [[ $text == *" $name "* ]] || missing+=" $name"
    done < <("$EYAS" --tunable <<<$'uci\nquit' | sed -n 's/^option name \(.*\) type .*/\1/p')
    [[ -z $missing ]]
    result 'the page of eyas has every UCI option' $?
    # What the manual says of the general options is what the page says of them.
    while IFS='|' read -r _ name _ help; do
        help=$(tr -d '`|' <<<"$help" | sed 's/^ *//; s/ *$//')
        [[ $text == *"$help"* ]] || missing+=" $name"
    done < <(sed -n '/^| option /,/^$/p' docs/eyas.md | sed 1,2d)
    [[ -z $missing ]]
    result 'docs/eyas.md says the same of them' $?
    [[ -z $missing ]] || echo "# missing:$missing"
    words "$pages/falconer.1" >/dev/null
    [[ ! -s $SCRATCH/warnings ]]
    result 'groff finds no fault' $?
    sed 's/^/# /' "$SCRATCH/warnings"
fi
LC_ALL=C grep -n '[^ -~]' "$pages"/*.1 >"$SCRATCH/foreign"
[[ ! -s $SCRATCH/foreign ]]
result 'the pages are plain ASCII' $?
done_testing
