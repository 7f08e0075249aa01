#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Fitting by gradient: losses, files, threads, and bad input.
. tests/e2e/tap.sh || exit 1
tune() { expect "$1" "$2" "$3" "$FALCONER" tune --verdict-games 0 "${@:4}"; }
same() { # NAME FILE FILE
    cmp -s "$2" "$3"
    result "$1" $?
}
mentor='mentor-train.toga2.epd.zst'
games='grandmasters-train.epd'

tune 'results' 0 '*of 5000 positions used*not quiet*of openings*K: *training, * positions: loss *held out, *winner*pull*round *not*' \
    -l results -r 30 "$games" -t 1 -o "$SCRATCH/one.weights" --log "$SCRATCH/one.csv"
tune 'on two threads' 0 '*' -l results -r 30 "$games" -t 2 -o "$SCRATCH/two.weights" --log "$SCRATCH/two.csv"
same 'the weights are the same' "$SCRATCH/one.weights" "$SCRATCH/two.weights"
same 'and so is the log' "$SCRATCH/one.csv" "$SCRATCH/two.csv"
[[ $(head -n 1 "$SCRATCH/one.csv") == round,training,held-out,pull && $(wc -l <"$SCRATCH/one.csv") -gt 32 ]]
result 'the log has lines for each pull that was tried' $?
tune 'every position' 0 '*5000 of 5000 positions used*moved most: *' -l results -r 30 --pull 0 --all-positions "$games" \
    --log "$SCRATCH/all.csv"
[[ $(wc -l <"$SCRATCH/all.csv") == 32 ]]
result 'the log has a line for the start and for each round' $?
grep -q '^# command: falconer tune --loss results --rounds 30 --verdict-games 0 grandmasters-train.epd$' "$SCRATCH/one.weights"
result 'the lineage tells the command, without threads and output' $?
expect 'the weights can be read' 0 '*falcon*' "$FALCONER" weights show "$SCRATCH/one.weights"

tune 'squares of results' 0 '*K: *loss *' -l results-squared -r 5 "$games"
tune 'a K as told' 0 '*K: 1.2500*' --k 1.25 -r 5 "$games"
tune 'a mentor' 0 '*mean absolute error *then *' -l mentor -r 5 "$mentor"
tune 'through the sigmoid' 0 '*K: 1.0000*' -l mentor --through-sigmoid -r 5 "$mentor"
tune 'quiet positions alone' 0 '*not quiet*' -l mentor --quiet-only -r 5 "$mentor"
tune 'another set to choose by' 0 '*held out, 4997 positions*' -l mentor -r 5 "$mentor" --validation mentor-test.toga2.epd.zst
tune 'nothing held out' 0 '*training, 4995 positions*' -l mentor -r 5 --holdout 0 "$mentor"
[[ $out != *'held out'* ]]
result 'says nothing of it' $?
tune 'patience' 0 '*ended early*' -l mentor -r 5000 --patience 3 "$mentor"

# Weights that are spoiled on purpose regain strength, and weights that lose it are not shipped.
sed 's/^QUEEN_VALUE .*/QUEEN_VALUE 300/' weights/maestro-hand.weights >"$SCRATCH/spoiled.weights"
expect 'better by games' 0 '*against the start: +* Elo*: better*' "$FALCONER" tune -l mentor --quiet-only -s 3 \
    --start "$SCRATCH/spoiled.weights" --verdict-nodes 200 "$mentor" -o "$SCRATCH/better.weights"
grep -q '^# verdict: +.* Elo' "$SCRATCH/better.weights" && [[ ! -e $SCRATCH/better.weights.fitted ]]
result 'the lineage tells it' $?
zstdcat "data/$mentor" | awk '!/^#/ && match($0, / ce -?[0-9]+/) {
    s = substr($0, RSTART + 4, RLENGTH - 4); print substr($0, 1, RSTART) "ce " (-s) substr($0, RSTART + RLENGTH) }' >"$SCRATCH/wrong.epd"
expect 'worse by games' 0 '*against the start: -* Elo*worse: keep the start*is the start; the fitted weights are *' \
    "$FALCONER" tune -l mentor --start maestro-hand.weights --verdict-nodes 200 "$SCRATCH/wrong.epd" -o "$SCRATCH/worse.weights"
expect 'the start is what was written' 0 '*0 of 35 terms differ*' "$FALCONER" weights diff weights/maestro-hand.weights "$SCRATCH/worse.weights"
grep -q '^# kept: ' "$SCRATCH/worse.weights" && [[ -e $SCRATCH/worse.weights.fitted ]]
result 'with the reason, and the fit beside it' $?
expect 'a fit that would replace what is read' 2 '*worse.weights.fitted*' \
    "$FALCONER" tune -l mentor --start "$SCRATCH/worse.weights.fitted" "$mentor" -o "$SCRATCH/worse.weights"

# The least error there is, and the way there by slopes.
tune 'near the optimum' 0 '*' -f maestro -l mentor-absolute --holdout 0 "$mentor" -o "$SCRATCH/slope.weights"
bound=$("$FALCONER" optimum --chromosome real -d "$mentor" | sed -n 's/^proven bound: \([0-9.]*\) .*/\1/p')
error=$("$FALCONER" score -w "$SCRATCH/slope.weights" -d "$mentor" | sed -n 's/.*: error \([0-9.]*\) .*/\1/p')
awk -v e="$error" -v b="$bound" 'BEGIN { exit !(e > 0 && b > 0 && e < 1.005 * b) }'
result "the error is within half a percent of the bound ($error, $bound)" $?

tune 'frozen weights' 0 '*' -f maestro -l mentor -r 20 --freeze PAWN_VALUE=111,KNIGHT_VALUE "$mentor" -o "$SCRATCH/frozen.weights"
grep -q '^PAWN_VALUE 111$' "$SCRATCH/frozen.weights" && grep -q '^KNIGHT_VALUE 325$' "$SCRATCH/frozen.weights"
result 'stay' $?
tune 'from weights' 0 '*' -l mentor -r 5 --start maestro-hand.weights --only QUEEN_VALUE "$mentor" -o "$SCRATCH/only.weights"
expect 'one alone moved' 0 '*QUEEN_VALUE*' "$FALCONER" weights diff weights/maestro-hand.weights "$SCRATCH/only.weights"

# Results that the mentor's scores foretell, but for draws; and others that have nothing to do with them.
zstdcat "data/$mentor" | grep -v '^#' | awk 'NR <= 600 { match($0, /ce -?[0-9]+/); s = substr($0, RSTART + 3, RLENGTH - 3)
    white = $2 == "w" ? s > 0 : s < 0; print $0, "c9 \"" (NR % 3 == 0 ? "1/2-1/2" : white ? "1-0" : "0-1") "\";" }' >"$SCRATCH/both.epd"
tune 'a mix' 0 '*K: *K of the mentor*' -l mix --lambda 0.7 -r 5 "$SCRATCH/both.epd"
head -n 60 "data/$games" >"$SCRATCH/moves.epd"
tune 'moves' 0 '*% of moves found, then *' -f maestro -l moves -r 1 --steps 20 "$SCRATCH/moves.epd" -o "$SCRATCH/moves.weights"

{ cat "$SCRATCH/both.epd"; echo '8/8/8/8/8/8/8/K1k5 w - - c9 "3-0";'; } >"$SCRATCH/bad.epd"
tune 'a result that is none' 1 "*bad.epd:601: \`c9\` is '3-0'*" "$SCRATCH/bad.epd"
sed 's/c9 "[^"]*"/c9 "1-0"/; 1~2s/1-0/0-1/' "$SCRATCH/both.epd" >"$SCRATCH/luck.epd"
tune 'results by luck' 1 '*results do not follow the scores*--k*' --all-positions "$SCRATCH/luck.epd"
tune 'no results' 1 '*none of the 5000 positions has a result*' "$mentor"
tune 'no scores' 1 '*none of the 5000 positions has a score*' -l mentor "$games"
tune 'no moves' 1 "*:4: there is no \`sm\`*" -l moves "$mentor"
tune 'no such file' 1 '*nowhere.epd*' nowhere.epd
tune 'no file' 2 '*expected POSITIONS...*'
tune 'a loss that is none' 2 "*--loss must be*'luck'*" -l luck "$games"
tune 'a family that is not linear' 1 '*vazquez is not linear in its parameters*' -f vazquez "$games"
tune 'a parameter that is none' 1 "*there is no parameter 'QEEN_VALUE'*" -f maestro --freeze QEEN_VALUE "$games"
tune 'weights of another family' 1 '*weights of family maestro*' -f falcon --start maestro-hand.weights "$games"
tune 'an option without a part' 2 '*--lambda goes with --loss mix*' -l results --lambda 0.3 "$games"
done_testing
