#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# falconer match with many engines, openings of every format, sequential tests, and folders that are
# killed and gone on with.
. tests/e2e/tap.sh || exit 1
fake=$(dirname "$FALCONER")/fake_engine
[[ -x $fake ]] || fake=build/obj/release-native/fake_engine
fake=$(realpath "$fake")
match() { expect "$1" "$2" "$3" "$FALCONER" match "${@:4}"; }
two=(-engine "cmd=$fake" name=A -engine "cmd=$fake" name=B -each depth=1)
three=("${two[@]}" -engine "cmd=$fake" name=C)
# The moves of a PGN file, without what differs from run to run.
moves() { tr '\n' ' ' <"$1" | sed 's/{[^}]*}//g; s/\[Game[^]]*\]//g; s/\[Date[^]]*\]//g' | tr -s ' '; }

match 'a round-robin of three' 0 '*Started game 12 of 12 *Score of A vs B: * 4  Ptnml(0-2): *Score of B vs C: *Rank Name * Elo *   3 *Faults of C: 0 time*' \
    "${three[@]}" -rounds 2 -maxmoves 10 -jsonl "$SCRATCH/a.jsonl" -concurrency 2
result 'a line of JSON for each game' $(($(grep -c '^{"game":[0-9]*,.*"result":"[^"]*".*"moves":"[a-h1-8nbrq ]*"}$' "$SCRATCH/a.jsonl") == 12 ? 0 : 1))
match 'a gauntlet' 0 '*Started game 4 of 4 *Score of A vs B: *Score of A vs C: *' "${three[@]}" -tournament gauntlet -maxmoves 4
match 'a Swiss tournament' 0 '*Started game 4 of 4 *' "${three[@]}" -tournament swiss -rounds 2 -maxmoves 4
match 'a knock-out, decided by who was named first' 0 '*of 20 *The knock-out is won by A*' "${three[@]}" -tournament knockout \
    -maxmoves 2
match 'the better one wins a knock-out' 0 '*The knock-out is won by B*' -engine "cmd=$fake illegal-always" name=A \
    -engine "cmd=$fake" name=B -each depth=1 -tournament knockout
match 'an SPRT stops' 0 '*SPRT: llr * - H1 was accepted*LLR: * \[0.00, 50.00\] normalized Elo*' -engine "cmd=$fake" name=A \
    -engine "cmd=$fake illegal-always" name=B -each depth=1 -rounds 500 -concurrency 2 \
    -sprt elo0=0 elo1=50 alpha=0.05 beta=0.05 model=normalized
[[ $out != *'Started game 200 '* ]]
result 'long before all games are played' $?
match 'resigning takes both' 0 '*{* wins by adjudication}*' "${two[@]}" -resign movecount=1 score=1 twosided=true

printf '1. e4 e5 2. Nf3 Nc6 *\n\n1. d4 d5 2. c4 e6 *\n' >"$SCRATCH/o.pgn"
match 'openings from PGN' 0 '*Finished game 4*' "${two[@]}" -rounds 2 -maxmoves 5 -pgnout "$SCRATCH/p.pgn" \
    -openings "file=$SCRATCH/o.pgn" format=pgn plies=3 order=sequential
result 'their moves are in the games' $(($(grep -c '^1. e4 {book} 1... e5 {book} 2. Nf3 {book} 2... [^ ]* {[-+0-9]' "$SCRATCH/p.pgn") == 2 &&
    $(grep -c '^1. d4 {book} 1... d5 {book} 2. c4 {book} 2... [^ ]* {[-+0-9]' "$SCRATCH/p.pgn") == 2 ? 0 : 1))
match 'the second opening first' 0 '*' "${two[@]}" -maxmoves 5 -pgnout "$SCRATCH/q.pgn" -openings "file=$SCRATCH/o.pgn" start=2
result 'as asked' $(($(grep -c '^1. d4 {book} 1... d5 {book} 2. c4 {book} 2... e6 {book} 3' "$SCRATCH/q.pgn") == 2 ? 0 : 1))
"$FALCONER" book "$SCRATCH/p.pgn" -o "$SCRATCH/o.bin" --min-games 1 >/dev/null 2>&1
match 'openings from a book' 0 '*Finished game 8*' "${two[@]}" -rounds 4 -maxmoves 5 -pgnout "$SCRATCH/b.pgn" \
    -openings "file=$SCRATCH/o.bin" plies=2 -srand 3
result 'are drawn from it' $(($(grep -c '^1. [de]4 {book} 1... [de]5 {book} 2. [^ ]* {[-+0-9]' "$SCRATCH/b.pgn") == 8 ? 0 : 1))
expect 'our own reader likes what was written' 1 '*4 found, 0 cut, 0 skipped*' "$FALCONER" doctor "$SCRATCH/p.pgn"

# 200 games at a time, with the usual soft limit of open files.
(ulimit -Sn 256 && exec "$FALCONER" match "${two[@]}" -rounds 150 -concurrency 200 -maxmoves 3) >"$SCRATCH/out" 2>&1
result '200 games at a time' $(($? == 0 && $(grep -c '^Finished game' "$SCRATCH/out") == 300 ? 0 : 1))
grep -q '^Faults of A: 0 time losses, 0 crashes, 0 stalls' "$SCRATCH/out"
result 'and none is lost' $?
(ulimit -n 256 && exec "$FALCONER" match "${two[@]}" -rounds 150 -concurrency 200) >"$SCRATCH/out" 2>&1
rc=$?
[[ $rc == 1 && $(<"$SCRATCH/out") == *'-concurrency 200: '*' open files are needed and only 256 allowed'* ]]
result 'a hard limit that does not suffice is told before the first game' $?

# Memory: what the runner takes after 100 games is what it takes after 10,000.
check_memory() {
    local pid first=0 last=0 now
    "$FALCONER" match "${two[@]}" -rounds 5000 -concurrency 2 -maxmoves 1 -jsonl "$SCRATCH/many.jsonl" >"$SCRATCH/out" 2>&1 &
    pid=$!
    while kill -0 $pid 2>/dev/null; do
        now=$(awk '/^VmRSS/ {print $2}' /proc/$pid/status 2>/dev/null)
        [[ -s $SCRATCH/many.jsonl ]] && (($(wc -l <"$SCRATCH/many.jsonl") >= 100 && ${now:-0} > 0)) && last=$now
        ((first == 0)) && first=$last
        sleep 0.05
    done
    wait $pid
    result 'ten thousand games' $(($? == 0 && $(wc -l <"$SCRATCH/many.jsonl") == 10000 ? 0 : 1))
    echo "# $first kB after 100 games, $last at the end"
    result 'memory does not grow with them' $((first > 0 && last - first < 1024 ? 0 : 1))
}
if is_watched; then
    skip 'memory does not grow' 'a sanitizer keeps what was freed'
else
    check_memory
fi

# A folder that is killed at random moments and gone on with, against one left alone.
game=(-engine cmd="$EYAS" name=A -engine cmd="$EYAS" name=B option.BISHOP_PAIR_MG=0 option.BISHOP_MOBILITY_MG=0 -each nodes=300
    option.Hash=1 -rounds 30 -srand 5 -concurrency 2 -openings file=tests/data/openings.epd order=random)
run "$FALCONER" match "${game[@]}" --resume "$SCRATCH/whole"
result 'a tournament in a folder' $rc
score=$(grep '^Score of' <<<"$out" | tail -n 1)
played() { if [[ -e $SCRATCH/killed/games.jsonl ]]; then wc -l <"$SCRATCH/killed/games.jsonl"; else echo 0; fi; }
has_games() { is_gone $pid || { [[ -e $SCRATCH/killed/games.jsonl ]] && (($(played) >= $1)); }; }
RANDOM=4
kills=0
for _ in {1..8}; do
    before=$(played)
    "$FALCONER" match "${game[@]}" --resume "$SCRATCH/killed" >"$SCRATCH/out" 2>&1 </dev/null &
    pid=$!
    # After some more games, at whatever moment that is.
    soon has_games $((before + RANDOM % 8))
    kill -KILL $pid 2>/dev/null && ((++kills))
    wait $pid 2>/dev/null
done
echo "# killed $kills times, $(wc -l <"$SCRATCH/killed/games.jsonl") of 60 games were played then"
result 'it was killed' $((kills > 0 ? 0 : 1))
run "$FALCONER" match --resume "$SCRATCH/killed"
[[ $rc == 0 && $(grep '^Score of' <<<"$out" | tail -n 1) == "$score" ]]
result 'after kills the result is that of one left alone' $?
[[ $(moves "$SCRATCH/killed/games.pgn") == "$(moves "$SCRATCH/whole/games.pgn")" ]]
result 'and so are the games' $?
result 'one line for each' $(($(wc -l <"$SCRATCH/killed/games.jsonl") == 60 ? 0 : 1))
match 'a tournament that is over is told of again' 0 "*Going on after 60 of 60*${score%%[*}*" --resume "$SCRATCH/killed"
[[ $out != *Started* ]]
result 'nothing is played again' $?
match 'other limits' 1 "*was begun with 'nodes=300', not 'nodes=301'*" "${game[@]/nodes=300/nodes=301}" --resume "$SCRATCH/killed"
match 'other openings' 1 "*was begun with *" --resume "$SCRATCH/killed" -openings "file=$SCRATCH/o.pgn"
match 'fewer rounds than were played' 1 '*games.jsonl:59: the tournament has fewer games now*' --resume "$SCRATCH/killed" -rounds 29
cp "$SCRATCH/killed/games.jsonl" "$SCRATCH/before.jsonl"
match 'more rounds' 0 '*Going on after 60 of 62*' --resume "$SCRATCH/killed" -rounds 31
cmp -s "$SCRATCH/before.jsonl" <(head -n 60 "$SCRATCH/killed/games.jsonl") && (($(wc -l <"$SCRATCH/killed/games.jsonl") == 62))
result 'come behind those that were played' $?
match 'and are remembered' 0 '*Going on after 62 of 62*' --resume "$SCRATCH/killed"
cp "$EYAS" "$SCRATCH/engine" && game[1]=cmd=$SCRATCH/engine
run "$FALCONER" match "${game[@]}" --resume "$SCRATCH/changed"
printf x >>"$SCRATCH/engine"
match 'another program under the same name' 1 '*was begun with*hash*' --resume "$SCRATCH/changed"
# Files that do not belong together are refused, and stay as they are.
cp -r "$SCRATCH/killed" "$SCRATCH/parted"
rm "$SCRATCH/parted/games.jsonl"
match 'games without lines' 1 '*parted/games.jsonl is missing*put it back*' --resume "$SCRATCH/parted"
for lines in '' 'some other text'; do
    printf %s "$lines" >"$SCRATCH/parted/games.jsonl"
    match "games beside '$lines'" 1 '*parted/games.*' --resume "$SCRATCH/parted"
done
cmp -s "$SCRATCH/killed/games.pgn" "$SCRATCH/parted/games.pgn" && [[ $(<"$SCRATCH/parted/games.jsonl") == 'some other text' ]]
result 'not a byte of them is lost' $?
mkdir "$SCRATCH/mine" && cp "$SCRATCH/killed/games.pgn" "$SCRATCH/mine"
match "a folder with games of one's own" 1 '*mine holds games.pgn, which a new tournament *would write over*' "${game[@]}" --resume "$SCRATCH/mine"
cmp -s "$SCRATCH/killed/games.pgn" "$SCRATCH/mine/games.pgn" && [[ $(ls "$SCRATCH/mine") == games.pgn ]]
result 'stays as it is' $?
# Ctrl-C leaves the same, and says how to go on.
"${attended[@]}" "$FALCONER" match "${two[@]}" -rounds 100000 --resume "$SCRATCH/stopped" >"$SCRATCH/stopped.out" 2>&1 </dev/null &
pid=$!
soon grep -qs 'Finished game 3' "$SCRATCH/stopped.out"
kill -INT $pid
wait $pid
[[ $? == 1 && $(tail -n 1 "$SCRATCH/stopped.out") == "Go on with: falconer match --resume $SCRATCH/stopped" ]]
result 'stopped, it says how to go on' $?
[[ $(grep -c '^\[Round' "$SCRATCH/stopped/games.pgn") == $(wc -l <"$SCRATCH/stopped/games.jsonl") ]]
result 'with as many games in one file as lines in the other' $?

match 'a knock-out in a folder' 0 '*' "${two[@]}" -tournament knockout -maxmoves 2 --resume "$SCRATCH/knockout"
match 'of other rounds' 1 "*was begun with '1', not '2'*" --resume "$SCRATCH/knockout" -rounds 2
match 'no such folder' 1 '*holds no tournament*' --resume "$SCRATCH/none"
match 'folder and -pgnout' 2 '*leave out -pgnout*' "${two[@]}" --resume "$SCRATCH/x" -pgnout y
match 'an event that cannot be kept' 1 "*-event '#3'*cannot be empty or begin with #*" "${two[@]}" --resume "$SCRATCH/x" -event '#3'
match 'unknown tournament' 2 "*'league': expected one of round-robin, gauntlet, swiss, knockout*" "${two[@]}" -tournament league
match 'unknown format' 2 "*'abk': expected one of epd, pgn, bin*" "${two[@]}" -openings file=x format=abk
match 'unknown order' 2 "*'odd': expected one of sequential, random*" "${two[@]}" -openings file=x order=odd
match 'openings without a file' 2 '*-openings: file= is missing*' "${two[@]}" -openings order=random
match 'no such ply' 2 "*-openings: '0': expected a whole number from 1*" "${two[@]}" -openings file=x plies=0
match 'an SPRT of three' 2 '*-sprt is for two engines*' "${three[@]}" -sprt elo0=0 elo1=5
match 'an SPRT without bounds' 2 '*-sprt: *elo1*' "${two[@]}" -sprt elo0=0 alpha=0.05
match 'one engine' 2 '*two -engine are needed*' -engine "cmd=$fake" depth=1
match 'too many repeats' 2 "*-repeat: '3': expected a whole number from 2 to 2*" "${two[@]}" -repeat 3
match 'too many games at a time' 2 '*-concurrency: *from 1 to 512*' "${two[@]}" -concurrency 100000
match 'a knock-out too long' 2 '*1000 at the most*' "${two[@]}" -tournament knockout -rounds 5000
match 'two-sided as a number' 2 "*-resign: '7': expected one of false, true*" "${two[@]}" -resign movecount=1 score=5 twosided=7
match 'a book that is none' 1 '*o.pgn*' "${two[@]}" -openings "file=$SCRATCH/o.pgn" format=bin
done_testing
