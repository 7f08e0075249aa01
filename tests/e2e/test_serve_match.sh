#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# falconer serve: the page of a match. Its table is that of falconer match, its games those of its files.
. tests/e2e/tap.sh || exit 1
. tests/e2e/serve.sh || exit 1

folder=$SCRATCH/folder
mkdir "$folder"
evil='<script>alert("1")</script>'
match() { # NAME ARGUMENT...
    "$FALCONER" match -each nodes=300 -openings file=openings.epd order=random -srand 3 -repeat -concurrency 2 --resume "$folder/$1" "${@:2}"
}
match two -engine weights=falcon.weights name=FALCON -engine weights=maestro-hand.weights "name=$evil" -rounds 6 -sprt elo0=0 elo1=400 alpha=0.001 beta=0.001 \
    >"$SCRATCH/said" 2>&1
match three -engine weights=falcon.weights name=A -engine weights=maestro-hand.weights name=B -engine weights=shannon-1950.weights name=C -rounds 2 >/dev/null 2>&1
serve "$folder"
result 'it starts' $?
says 'the page' '*<title>Match - Falconer</title>*' "$(get '/match?id=x')"
home=$(get /api/home)
id_of() { grep -o '"id":"[0-9a-f]*","kind":"match","state":"[a-z]*","name":"\([^"]*/\)\?'"$1"'"' <<<"$home" | cut -d'"' -f4; }
two=$(id_of two) three=$(id_of three)

# --- tables ---

told=$(get "/api/match?id=$two")
says 'how far it is' '*"games":12,"total":12,"progress":1,*' "$told"
counts=$(sed -n 's/^Score of [^:]*: \([0-9]*\) - \([0-9]*\) - \([0-9]*\) .*/"wins":\1,"draws":\3,"losses":\2/p' "$SCRATCH/said" | tail -n 1)
says 'results' "*{\"name\":\"FALCON\",$counts,*" "$told"
says 'a name with a script in it is text' '*"name":"<script>alert(\\"1\\")</script>"*' "$told"
elo=$(sed -n 's/^Elo difference: \([-+0-9.infa]*\) .*/\1/p' "$SCRATCH/said" | tail -n 1)
number_of() { sed -n "s/.*\"difference\":{[^}]*\"$1\":\([^,}]*\).*/\1/p" <<<"$told"; }
awk -v a="$elo" -v b="$(number_of elo)" 'BEGIN { exit !(a ~ /inf/ ? b == "null" : a - b < 0.06 && b - a < 0.06) }'
result 'the Elo that the match told' $?
llr=$(sed -n 's/^SPRT: llr \([-0-9.]*\) .*/\1/p' "$SCRATCH/said" | tail -n 1)
awk -v a="$llr" -v b="$(sed -n 's/.*"sprt":{[^}]*"llr":\([^,}]*\).*/\1/p' <<<"$told")" 'BEGIN { exit !(a - b < 0.006 && b - a < 0.006) }'
result 'the LLR that the match told' $?
says 'the way there, by pairs' '*"path":\[{"games":2,*{"games":12,"elo":*,"llr":*}\]*' "$told"
told=$(get "/api/match?id=$three")
says 'three players' '*"games":12,"total":12,*"players":\[{"name":"*{"name":"*{"name":"*"elo":*,"plus":*,"minus":*' "$told"
[[ $told != *'"difference"'* ]]
result 'have no difference' $?

# --- games ---

says 'the list' '{"count":12,"games":\[{"game":1,"white":0,"black":1,"result":"*' "$(get "/api/games?id=$two")"
says 'from a number on' '{"count":12,"games":\[{"game":11,*{"game":12,*}\]}' "$(get "/api/games?id=$two&from=10")"
says 'none beyond the end' '{"count":12,"games":\[\]}' "$(get "/api/games?id=$two&from=4000000000")"
all_equal=0
for number in 1 2 7 12; do
    game=$(get "/api/game?id=$two&game=$number")
    moves=$(sed -n "${number}s/.*\"moves\":\"\([^\"]*\)\".*/\1/p" "$folder/two/games.jsonl")
    [[ $(grep -o '"uci":"[^"]*"' <<<"$game" | cut -d'"' -f4 | xargs) == "$moves" ]] || all_equal=1
done
result 'games have the moves of the log' "$all_equal"
says 'and the scores of the engines' '{"white":"*","black":"*","termination":"*","result":"*","start":"*","played":\[{"san":"*","uci":"*","fen":"*","check":*,"cp":*,"depth":*' "$game"
# Scores are White's: of the first game, the first two comments.
game=$(get "/api/game?id=$two&game=1")
mapfile -t comments < <(sed -n '/^$/,/^$/p' "$folder/two/games.pgn" | tr '\n' ' ' | grep -o '{[^}]*}' | sed 's,{\([^/]*\)/.*,\1,' | head -n 2)
first=1
[[ $game == *'"start":"'*([^ ])' b '* ]] && first=-1
mapfile -t cps < <(grep -o '"cp":[-0-9]*' <<<"$game" | cut -d: -f2 | head -n 2)
awk -v a="${comments[0]}" -v b="${comments[1]}" -v x="${cps[0]}" -v y="${cps[1]}" -v s="$first" \
    'BEGIN { exit !(int(s * a * 100 + (s * a > 0 ? 0.5 : -0.5)) == x && int(-s * b * 100 + (-s * b > 0 ? 0.5 : -0.5)) == y) }'
result "from White's view" $?
for number in 0 13 x -1 99999999999999999999 '1/../2'; do
    answers "no game $number" 404 -b "$SCRATCH/jar" "$base/api/game?id=$two&game=$number"
done
answers 'no match' 404 -b "$SCRATCH/jar" "$base/api/match?id=../two"

# --- games that go on ---

says 'none go on' '*"state":"finished","name":"*",*"games":12,"boards":\[\]}' "$(get "/api/live?id=$two")"
answers 'those of no match' 404 -b "$SCRATCH/jar" "$base/api/live?id=x"
# So long that it goes on until it is stopped, on any machine.
play_long() {
    exec "$FALCONER" match -engine weights=falcon.weights name=FALCON -engine weights=maestro-hand.weights "name=$evil" -each tc=600+10 nodes=20000 \
        -rounds 5000 -concurrency 2 --resume "$folder/long" >/dev/null 2>&1
}
play_long &
player=$!
is_live() {
    home=$(get /api/home)
    [[ -n $(id_of long) ]] && live=$(get "/api/live?id=$(id_of long)") && [[ $live == *'"boards":[{"board":0,'* ]]
}
soon is_live
result 'games that go on' $?
says 'with who plays, the board and the clocks' '*"state":"running"*"fen":"*","turn":"*","white":"*","black":"*","game":*,"white_ms":[0-9]*,"black_ms":[0-9]*,"since_ms":*,"white_score":*,"curve":\[*' "$live"
says 'a name with a script in it is text there too' '*"<script>alert(\\"1\\")</script>"*' "$live"
first=$live
has_moved() { live=$(get "/api/live?id=$(id_of long)") && [[ $live == *'"boards":[{'* && $live != "$first" ]]; }
soon has_moved
result 'change by themselves' $?
kill -KILL "$player"
wait "$player" 2>/dev/null
[[ -e $folder/long/live.jsonl ]]
result 'a killed match leaves its file' $?
is_stopped() { live=$(get "/api/live?id=$(id_of long)") && [[ $live == *'"state":"stopped"'* ]]; }
soon is_stopped
says 'which nobody looks at' '*"boards":\[\]}' "$live"
play_long &
player=$!
soon is_live
result 'and it goes on' $?
kill -INT "$player"
wait "$player"
[[ ! -e $folder/long/live.jsonl && $(ls "$folder/long") == $'config\ngames.jsonl\ngames.pgn' ]]
result 'whoever ends leaves none' $?
echo '{"board":0}' >"$folder/two/live.jsonl"
"$FALCONER" match --resume "$folder/two" >/dev/null 2>&1
[[ ! -e $folder/two/live.jsonl ]]
result 'nor does one that has nothing left to play' $?
mkdir "$SCRATCH/notes"
echo mine >"$SCRATCH/notes/live.jsonl"
expect "somebody else's file stays" 1 '*live.jsonl*' "$FALCONER" match -engine weights=falcon.weights name=a -engine weights=maestro-hand.weights name=b -each nodes=10 --resume "$SCRATCH/notes"
[[ $(<"$SCRATCH/notes/live.jsonl") == mine ]]
result 'as it is' $?

# --- damage ---

cp -r "$folder/two" "$folder/damaged"
printf 'garbage' | dd of="$folder/damaged/games.pgn" bs=1 seek=0 conv=notrunc 2>/dev/null
sed -i '2s/"pgn_bytes":[0-9]*/"pgn_bytes":1/; 3s/"white":"[^"]*"/"white":7/; 4s/.*/nonsense/' "$folder/damaged/games.jsonl"
is_found() {
    home=$(get /api/home)
    [[ -n $(id_of damaged) ]]
}
soon is_found
says 'lines that are none are left out' '*"state":"stopped"*"games":11,*' "$(get "/api/match?id=$(id_of damaged)")"
for number in 1 2 3 11; do get "/api/game?id=$(id_of damaged)&game=$number" >/dev/null; done
answers 'and the server goes on' 200 -b "$SCRATCH/jar" "$base/api/home"

stop_serving
result 'it ends' $?
done_testing
