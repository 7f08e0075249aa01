#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# falconer serve: the page of a run. Its curves, its genes and its organisms are those of its files.
. tests/e2e/tap.sh || exit 1
. tests/e2e/serve.sh || exit 1

folder=$SCRATCH/folder
mkdir "$folder"
"$FALCONER" evolve play --population 20 --generations 12 -o "$folder/one" >/dev/null 2>&1
"$FALCONER" evolve gecco2008 --no-optimum --population 20 --generations 4 --runs 2 -o "$folder/two" >/dev/null 2>&1
cp -r "$folder/one" "$folder/old"
rm "$folder/old/genes.csv"
serve "$folder"
result 'it starts' $?
says 'the page' '*<title>Run - Falconer</title>*' "$(get '/run?id=x')"
says 'its charts' '*export { uPlot as default }*' "$(get /web/lib/uplot.js)"
home=$(get /api/home)
id_of() { grep -o '"id":"[0-9a-f]*","kind":"run","state":"[a-z]*","name":"\([^"]*/\)\?'"$1"'"' <<<"$home" | cut -d'"' -f4; }
one=$(id_of one) old=$(id_of old) second=$(id_of two/run-02)

# --- curves ---

told=$(get "/api/run?id=$one")
says 'what it is' '*"state":"finished"*"unit":"cp","figure":"error","less":true,"algorithm":"memetic","family":"maestro","progress":1,"generation":12,"generations":12,*' "$told"
column() { # KEY: of the log, as JSON has it
    sed "s/.*\"$1\":\([0-9.]*\).*/\1/" "$folder/one/log.jsonl" | awk '{ printf "%s%.10g", NR == 1 ? "" : ",", $1 }'
}
for key in generation best mean held_out diversity; do
    says "$key by generation" "*\"${key}_at\":\[$(column $key)\]*" "$told"
done
optimum=$(sed -n 's/.*"optimum":\([0-9.]*\).*/\1/p' "$folder/one/results.jsonl")
says 'the optimum' "*\"optimum\":$(awk -v n="$optimum" 'BEGIN { printf "%.10g", n }'),*" "$told"
says 'what is new since' '*"from":10,"count":13,"generation_at":\[10,11,12\]*' "$(get "/api/run?id=$one&from=10")"
says 'nothing is new' '*"from":13,"count":13,"generation_at":\[\]*' "$(get "/api/run?id=$one&from=99")"
says 'one of two' '*"name":"two/run-02"*"algorithm":"ga"*"generation":4,*' "$(get "/api/run?id=$second")"
for bad in '' x "$folder/one" ../one 0000000000000000 "$one%00"; do
    answers "no run: ${bad/$SCRATCH/SCRATCH}" 404 -b "$SCRATCH/jar" "$base/api/run?id=$bad"
done

# --- genes ---

for of in best mean deviation; do
    says "genes: $of" "*\"generations\":\[0,1,2,3,4,5,6,7,8,9,10,11,12\],\"values\":\[\[$(sed -n "s/^0,$of,\([^,]*\),.*/\1/p" "$folder/one/genes.csv"),*" \
        "$(get "/api/genes?id=$one&of=$of")"
done
says 'their names' '*"names":\["PAWN_VALUE","KNIGHT_VALUE",*' "$(get "/api/genes?id=$one")"
answers 'other words' 404 -b "$SCRATCH/jar" "$base/api/genes?id=$one&of=/etc/passwd"
says 'a run without genes says so' '*no genes.csv*' "$(get "/api/genes?id=$old")"

# --- organisms ---

says 'an organism' '{"family":"maestro","name":"*, generation 5","terms":\[{"name":"PAWN_VALUE","value":*' "$(get "/api/organism?id=$one&generation=5")"
get "/api/organism.weights?id=$one&generation=5" >"$SCRATCH/five.weights"
expect 'as a weights file' 0 '*' "$FALCONER" weights show "$SCRATCH/five.weights"
value=$(sed -n 's/^PAWN_VALUE //p' "$SCRATCH/five.weights")
[[ -n $value && $value == "$(sed -n 's/^5,best,\([^,]*\),.*/\1/p' "$folder/one/genes.csv")" ]]
result 'with its genes' $?
says 'to be saved' '*Content-Disposition: attachment; filename="generation-5.weights"*' \
    "$(request -i -b "$SCRATCH/jar" "$base/api/organism.weights?id=$one&generation=5")"
answers 'no such generation' 404 -b "$SCRATCH/jar" "$base/api/organism?id=$one&generation=13"
says 'it plays' '{"move":"*' "$(post /api/move "{\"nodes\":500,\"which\":\"organism/$one/5\"}")"

# --- populations ---

told=$(get "/api/population?id=$one&generation=5")
row=$(grep -m 1 '^5,' "$folder/one/populations.csv")
IFS=, read -r _ place figure pawn _ <<<"$row"
says 'a population that was kept, the best first' \
    "*\"generations\":\[0,1,2,3,4,5,6,7,8,9,10,11,12\],\"generation\":5,\"names\":\[\"PAWN_VALUE\",*\"organisms\":\[{\"place\":$place,\"figure\":$(awk -v n="$figure" 'BEGIN { printf "%.10g", n }'),\"values\":\[$pawn,*" "$told"
says 'of no generation the last' '*"generation":12,"names"*' "$(get "/api/population?id=$one")"
sed -i '/^5,/d' "$folder/old/populations.csv"
says 'one that was not kept is the one before' '*"generation":4,"names"*' "$(get "/api/population?id=$old&generation=5")"
row=$(grep '^5,' "$folder/one/populations.csv" | tail -n 1)
IFS=, read -r _ place _ pawn _ <<<"$row"
says 'any organism of it' "{\"family\":\"maestro\",\"name\":\"*, generation 5, organism $place\",\"terms\":\[{\"name\":\"PAWN_VALUE\",\"value\":$pawn,*" \
    "$(get "/api/organism?id=$one&generation=5&place=$place")"
says 'to be saved too' "*filename=\"generation-5-organism-$place.weights\"*PAWN_VALUE $pawn"$'\n*' "$(request -i -b "$SCRATCH/jar" "$base/api/organism.weights?id=$one&generation=5&place=$place")"
says 'and to be played' '{"move":"*' "$(post /api/move "{\"nodes\":500,\"which\":\"organism/$one/5/$place\"}")"
answers 'one that was not kept' 404 -b "$SCRATCH/jar" "$base/api/organism?id=$one&generation=5&place=4000000000"
rm "$folder/old/populations.csv"
says 'a run without populations says so' '*has kept no populations*' "$(get "/api/population?id=$old")"

# --- lineage ---

# The best becomes another one where its genes change.
changes=$(awk -F, '$2 == "best" { sub(/^[^,]*,best,/, ""); if ($0 != last) n++; last = $0 } END { print n }' "$folder/one/genes.csv")
says 'the lineage of the best' "*\"changes\":$changes,\"steps\":\[{\"generation\":*{\"generation\":0,\"figure\":*,\"mother\":null,\"father\":null,\"survived\":false}\]}" "$(get "/api/lineage?id=$one")"
says 'with parents' '*"mother":[0-9]*' "$(get "/api/lineage?id=$second")"

# --- beside others, and where it is off ---

reference=$(get "/api/reference?id=$one")
says 'published values of the family' '*"reference":{"title":"GECCO 2008","values":{"PAWN_VALUE":83,*' "$reference"
says 'and those of the optimum' "*\"optimum\":{\"PAWN_VALUE\":{\"value\":$(sed -n 's/^PAWN_VALUE,\([^,]*\),.*/\1/p' "$folder/one/optimum.csv"),\"error\":*" "$reference"
says 'without an optimum' '*"optimum":null}' "$(get "/api/reference?id=$second")"
error=$(post "/api/error?id=$second&generation=4&other=0" '{}')
says 'where its error lies' '{"figure":*,"terms":{"PAWN_VALUE":*},"positions":\[{"fen":"*","turn":"*","wanted":*,"found":*' "$error"
# That of the report: the best of the last generation, on all training positions, may be another one; its own value changes nothing.
own=$(post "/api/error?id=$second&generation=4&other=4" '{}')
figure=$(sed -n 's/^{"figure":\([^,]*\),.*/\1/p' <<<"$own")
terms=${own#*'"terms":{'}
[[ -n $figure ]] && ! tr , '\n' <<<"${terms%%\}*}" | grep -qv ":$figure\$"
result 'its own values change nothing' $?
(($(grep -o '"fen"' <<<"$error" | wc -l) == 6))
result 'six positions' $?
chmod o+w "$folder/two/config.ini"
says 'not of a folder that others may have written' '*can be written by everybody*' "$(post "/api/error?id=$second&generation=4&other=0" '{}')"
chmod o-w "$folder/two/config.ini"
answers 'not without the token' 403 -b "$SCRATCH/jar" --data-binary '{}' "$base/api/error?id=$second&generation=4"

# --- a run that goes on ---

# A run of many generations: it is found while it goes on, told of as it grows, and as stopped when it is.
"${attended[@]}" "$FALCONER" evolve play --population 100 --generations 1000000 -o "$folder/long" >/dev/null 2>&1 &
long=$!
is_found() {
    home=$(get /api/home)
    [[ $home == *'"state":"running","name":"long"'* ]]
}
soon is_found
result 'a run that goes on is found' $?
id=$(id_of long)
generations() { get "/api/run?id=$id" | sed 's/.*"count":\([0-9]*\).*/\1/'; }
before=$(generations)
grows() { (($(generations) > before)); }
soon grows
result 'and grows' $?
kill -INT "$long"
wait "$long"
has_stopped() { [[ $(get "/api/run?id=$id") == *'"state":"stopped"'* ]]; }
soon has_stopped
result 'and is told of as stopped' $?

stop_serving
result 'it ends' $?
done_testing
