#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# falconer rate: ratings of games in files, and what counts say.
. tests/e2e/tap.sh || exit 1
rate() { expect "$1" "$2" "$3" "$FALCONER" rate "${@:4}"; }
game() { # WHITE BLACK RESULT [MOVES]
    printf '[White "%s"]\n[Black "%s"]\n[Result "%s"]\n\n%s %s\n\n' "$1" "$2" "$3" "${4:-1. e4 e5}" "$3"
}
times() { for ((i = 0; i < $1; i++)); do "${@:2}"; done; }

# Table 14 of ASOC 2013: 53 wins, 122 draws, 25 losses, as evenly by colour as they can be.
{
    times 26 game VP50 VP200 1-0
    times 27 game VP200 VP50 0-1
    times 61 game VP50 VP200 1/2-1/2
    times 61 game VP200 VP50 1/2-1/2
    times 13 game VP50 VP200 0-1
    times 12 game VP200 VP50 1-0
} >"$SCRATCH/t14.pgn"
rate 'a published table' 0 '*1  VP50   2442  18  18    200     57.0   2404     61.0*2  VP200  2404*' \
    "$SCRATCH/t14.pgn" --mean 2423
rate 'its model and its errors are told' 0 '*model bayeselo: *32.8, draw Elo 97.3, scale 0.925, prior 2; errors: 95%, all*' \
    "$SCRATCH/t14.pgn"
rate 'the other errors' 0 '*VP50   2442  1? *VP200  2404  1? *taken for true*' \
    "$SCRATCH/t14.pgn" --mean 2423 --errors held
rate 'the logistic model' 0 '*VP50    49 *model logistic: White'\''s advantage 0.0, prior 0*' \
    "$SCRATCH/t14.pgn" --model logistic --anchor VP200=0
rate 'an anchor' 0 '*VP50   2038  37 *VP200  2000   0   0*' "$SCRATCH/t14.pgn" --anchor VP200=2000
rate 'the advantage is found' 0 '*advantage -5.6 (fitted), draw Elo 259.7 (fitted)*' "$SCRATCH/t14.pgn" --advantage fit --draw-elo fit
rate 'superiority' 0 '*Rank  Name   1   2*   1  VP50      98*   2  VP200  2*' "$SCRATCH/t14.pgn" --los 5

gzip -k "$SCRATCH/t14.pgn"
rate 'compressed and several files' 0 '*VP50 *400 *2 players, 400 games: *' "$SCRATCH/t14.pgn" "$SCRATCH/t14.pgn.gz"
run "$FALCONER" rate "$SCRATCH/t14.pgn" --csv
[[ $rc == 0 && $out == 'group,rank,name,elo,plus,minus,games,score,opponents,draws,note'*'1,2,VP200,-'* && $err == *'model bayeselo'* ]]
result 'values for programs, words apart' $?
printed=$("$FALCONER" rate "$SCRATCH/t14.pgn" --jsonl 2>/dev/null)
rate 'the list goes to a file' 0 '*2 players, *' "$SCRATCH/t14.pgn" --jsonl -o "$SCRATCH/list.jsonl"
[[ $(<"$SCRATCH/list.jsonl") == "$printed" ]]
result 'as it is printed' $?
rate 'counts have no list' 2 '*--output is for the ratings of games*' --counts 1 0 0 -o "$SCRATCH/list.jsonl"
rate 'a line of JSON each' 0 '{"group":1,"rank":1,"name":"VP50",*"score":0.57,*' "$SCRATCH/t14.pgn" --jsonl

{
    game A B 1-0
    game A B '*'
    game A B 1-0 '1. e4 e9'
    game A A 1/2-1/2
    game '?' B 0-1
    game C D 1/2-1/2
    game A E 1-0
} >"$SCRATCH/odd.pgn"
rate 'what was left out' 0 '*5 players, 3 games: 2 1-0, 1 1/2-1/2, 0 0-1; left out: 1 unfinished, 3 bad*' "$SCRATCH/odd.pgn"
[[ $err == *'odd.pgn: skipped game 3, '*'game 4, '*'itself'*'game 5, '*'without a name'* ]]
result 'bad games are listed' $?
rate 'groups and players who only won' 0 \
    '*Group*    1     1  A *only wins*    1     2  B *only losses*2     1  C *2 groups never met*infinitely far*' \
    "$SCRATCH/odd.pgn" --model logistic
[[ $out != *inf\ * && $out != *nan* ]]
result 'and no infinite rating' $?
rate 'fewer listed than counted' 0 '*2 more bad games not listed*' "$SCRATCH/odd.pgn" --max-problems 1

rate 'nobody of that name' 1 "*nobody is called 'VP2000': did you mean 'VP200'?*" "$SCRATCH/t14.pgn" --anchor VP2000=1
game A B '*' >"$SCRATCH/open.pgn"
rate 'no games' 1 '*no finished game*' "$SCRATCH/open.pgn"
rate 'nothing' 1 '*the file is empty*' /dev/null
rate 'no file' 1 '*missing.pgn*' "$SCRATCH/missing.pgn"
rate 'no word' 2 '*expected *'
rate 'no such model' 2 '*--model must be one of bayeselo, logistic, not ?glicko?*' "$SCRATCH/t14.pgn" --model glicko
rate 'no such advantage' 2 '*neither a number nor fit*' "$SCRATCH/t14.pgn" --advantage much
rate 'no anchor' 2 '*is not NAME=ELO*' "$SCRATCH/t14.pgn" --anchor VP200

rate 'pairs and their test' 0 '*Elo: 1.0 +/- 0.9*SPRT: llr 2.25 (76.4%), lbound -2.94*LLR: 2.25 (-2.94, 2.94) \[0.00, 2.00\] normalized Elo*' \
    --pairs 365 16618 36229 16974 390 --sprt 'elo0=0 elo1=2 model=normalized'
rate 'counts, and Appendix B both ways' 0 '*LOS: *as printed*-inf to +inf*s / sqrt(N):   +1[34].* to +4[89].*' --counts 350 261 389
rate 'no games at all' 0 '*Elo: 0.0 +/- inf*LLR: 0.00*logistic Elo*' --counts 0 0 0 --sprt 'elo0=0 elo1=5'
rate 'counts as JSON' 0 '{"score":1,"elo":null,*"accepted":"H1"}*' --counts 1000 0 0 --jsonl --sprt 'elo0=0 elo1=5'
rate 'a count too few' 2 '*WINS LOSSES DRAWS*' --counts 1 2
rate 'no count' 2 "*'x' is not a count*" --counts 1 2 x
rate 'a bad test' 2 '*--sprt: elo0 must be less*' --counts 1 2 3 --sprt 'elo0=5 elo1=0'
rate 'a test of files' 2 '*--sprt needs*' "$SCRATCH/t14.pgn" --sprt 'elo0=0 elo1=5'
done_testing
