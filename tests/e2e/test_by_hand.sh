#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The engine at a terminal greets and helps; a program on a pipe sees nothing of that.
. tests/e2e/tap.sh || exit 1

# at_terminal LINES: what is shown to who types them. The terminal echoes them too.
at_terminal() {
    # The input stays open until the engine ends: at its end the terminal would go.
    # shellcheck disable=SC2016 # the inner shell expands it
    shown=$({ printf '%s\n' "$1"; soon test -e "$SCRATCH/ended"; } |
        script -qec "'$EYAS'; touch '$SCRATCH/ended'" /dev/null | tr -d '\r')
    rm -f "$SCRATCH/ended"
}

if command -v script >/dev/null; then
    at_terminal $'help\nposition startpos moves e2e4\nd\neval\nperft 2\nbench 2\nnonsense\nquit'
    [[ $shown == *'Eyas '[0-9]*', a chess engine'*"'help' lists more, 'quit' ends."* ]]
    result 'a greeting' $?
    [[ $shown == *'position fen FEN'*'setoption name Hash value 64'*'quit '*ends* ]]
    result 'help' $?
    [[ $shown == *'4  . . . . P . . .'*'1  R N B Q K B N R'*'a b c d e f g h   Black to move'*'info string fen '* ]]
    result 'd draws the board' $?
    [[ $shown == *'info string static score '*' centipawns for White ('*')'* ]]
    result 'eval' $?
    [[ $shown == *'a7a6: '*'Nodes searched: 600'* ]]
    result 'perft' $?
    [[ $shown == *' nodes '*' nps'* ]]
    result 'bench' $?
    [[ $shown == *"unknown command 'nonsense': 'help' lists them"* ]]
    result 'a word it does not know' $?
else
    skip 'at a terminal' 'the program script is not there (Debian package bsdutils)'
fi

on_pipe() { "$EYAS" <<<"$1"; }
[[ $(on_pipe quit) == '' ]]
result 'nothing on a pipe' $?
[[ $(on_pipe d | sed 's/fen .*/fen/; s/key .*/key/') == $'info string fen\ninfo string key' ]]
result 'd as programs know it' $?
[[ $(on_pipe nonsense) == "info string unknown command 'nonsense'" ]]
result 'no advice to programs' $?
one=$(printf 'position fen %s\neval\n' '4k3/8/8/8/8/8/4P3/Q3K3 w - - 0 1' | "$EYAS")
two=$(printf 'position fen %s\neval\n' '4k3/8/8/8/8/8/4P3/Q3K3 b - - 0 1' | "$EYAS")
[[ $one =~ score\ ([0-9]+)\  && ${BASH_REMATCH[1]} -gt 500 && $two =~ score\ ([0-9]+)\  && ${BASH_REMATCH[1]} -gt 500 ]]
result 'eval is of White, whoever moves' $?
expect 'go perft and perft are the same' 0 '*' diff <(on_pipe 'perft 3') <(on_pipe 'go perft 3')
[[ $(on_pipe 'bench x') == 'info string bench takes a depth from 1 to 64' && $(on_pipe 'perft x') == "info string go perft needs a number, not 'x'" ]]
result 'bad numbers' $?
[[ $(on_pipe 'bench 3' | sed 's/ nodes .*//') == "$("$EYAS" bench 3 | sed 's/ nodes .*//')" ]]
result 'bench is that of the command line' $?
done_testing
