#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# falconer serve: tunings, players, papers and suites. What the pages are told is what the files say, and what the commands say.
. tests/e2e/tap.sh || exit 1
. tests/e2e/serve.sh || exit 1
fake=$(dirname "$FALCONER")/fake_tunable
[[ -x $fake ]] || fake=build/obj/release-native/fake_tunable
fake=$(realpath "$fake")

folder=$SCRATCH/folder
mkdir -p "$folder/results/gecco2008-quick" "$folder/tal" "$folder/other"
script='<script>alert(1)</script>'
"$FALCONER" coevolve --engine "cmd=$fake name=fake depth=1" --tune A:0:100 --tune B:0:100:5 --games 192 --verdict-games 64 --seats 16 -c 2 \
    -o "$folder/tune" >/dev/null 2>&1
head -n 6 data/tactics.epd >"$SCRATCH/few.epd"
expect 'a suite' 0 '*solved*' "$FALCONER" suite "$SCRATCH/few.epd" --engine weights=maestro-hand.weights \
    --engine "weights=falcon.weights name=$script" --nodes 200 --jsonl "$folder/answers.jsonl"
printf '{"step":"pairs","seconds":1}\n' >"$folder/results/gecco2008-quick/steps.jsonl"
printf '# A paper %s\n\nBy falconer 0.9.9 (commit 12) with seed 1 at scale quick, in 1 min.\n' "$script" >"$folder/results/gecco2008.md"
printf '<!doctype html><title>A paper</title><style>p { color: red }</style><p>%s\n' "$script" >"$folder/results/gecco2008.html"
cp weights/players/tal.weights "$folder/tal/clone.weights"
printf '{"player": "Tal %s", "match": {"clone": 0.4, "generic": 0.3}, "kinds": [], "weights": []}\n' "$script" >"$folder/tal/results.json"
printf '<!doctype html><p>card\n' >"$folder/tal/card.html"
printf 'nothing\n' >"$folder/other/notes.jsonl"
ln -s /etc/passwd "$folder/other/report.html"
serve "$folder"
result 'it starts' $?
home=$(get /api/home)
id_of() { grep -o '"id":"[0-9a-f]*","kind":"'"$1"'"' <<<"$home" | cut -d'"' -f4; } # KIND
tune=$(id_of tuning) suite=$(id_of suite) clone=$(id_of clone) paper=$(id_of paper)
for kind in tuning suite clone paper; do says "a $kind is found" '????????????????' "$(id_of "$kind")"; done
for page in Tune Players Papers Suite; do says "the page $page" "*<title>$page - Falconer</title>*" "$(get "/${page,}")"; done

# --- a tuning ---

# An answer fits for so long, and leaves the rest to the next.
is_fitted() { # ID PAIRS: sets told
    told=$(get "/api/tuning?id=$1")
    [[ $told == *"\"fitted_pairs\":$2,"* ]]
}
soon is_fitted "$tune" 96
says 'its games' '*"state":"finished"*"report":true,"games":256,*"race_games":192,"race_pairs":96,*"fitted_pairs":96,*' "$told"
says 'its options' '*"ranges":\[{"name":"A","low":0,"high":100,"step":1,"start":20},{"name":"B","low":0,"high":100,"step":5,"start":80}\]*' "$told"
says 'their values over games' '*"path":{"pairs":\[16,32,48,64,80,96\],"options":\[{"value":\[*\],"low":\[*\],"high":\[*\],"tried":\[*' "$told"
says 'strength over each' '*"slices":\[{"at":\[0,2.5*,100\],"elo":\[*},{"at":\[0,*' "$told"
count() { grep -c "$1" "$folder/tune/games.jsonl"; }
says 'who won' "*\"white_wins\":$(count '"result":"1-0"'),\"draws\":$(count '"result":"1/2-1/2"'),\"black_wins\":$(count '"result":"0-1"'),*" "$told"
# The test is that of the verdict, figure by figure.
read -r elo llr < <(sed -n 's/^Verdict: .*: \([-+0-9.]*\) +.*(LLR \([-0-9.]*\).*/\1 \2/p' "$folder/tune/verdict.txt")
last() { grep -o "\"$1\":\[[^]]*\]" <<<"$told" | sed 's/.*[[,]\([^],]*\)\]$/\1/' | awk -v f="$2" '{ printf f, $1 }'; } # KEY FORMAT
[[ $(last elo_at %+.1f) == "$elo" && $(last llr_at %.2f) == "$llr" ]]
result 'its test' $?
says 'its report' '*<title>Options of fake, tuned by games</title>*' "$(get "/report?id=$tune")"

# From a suite: candidates in place of a race.
cp -r "$folder/tune" "$folder/by-suite"
sed -i '/"stage":"race"/d' "$folder/by-suite/games.jsonl"
printf '{"part":"%s","values":"%s","effort":%s,"solved":1,"errors":0}\n' learn '20 80' 900 learn '30 75' 700 learn '30 x' 1 test '1 5' 2 learn '40 70' 800 \
    >"$folder/by-suite/suite.jsonl"
is_there() {
    home=$(get /api/home)
    [[ $home == *'"name":"by-suite"'* ]]
}
soon is_there
by_suite=$(grep -o '"id":"[0-9a-f]*","kind":"tuning","state":"[a-z]*","name":"by-suite"' <<<"$home" | cut -d'"' -f4)
says 'candidates of a suite' '*"race_pairs":0,*"trials":{"count":3,"number":\[1,2,3\],"effort":\[900,700,800\],"least":\[900,700,700\],"options":\[{"tried":\[20,30,40\],"best":\[20,30,30\]},*"tests":\[{*' \
    "$(get "/api/tuning?id=$by_suite")"

# A log that grows, of values that are none, and one that was replaced.
cp -r "$folder/tune" "$folder/odd"
head -n 100 "$folder/tune/games.jsonl" >"$folder/odd/games.jsonl"
sed -i '3s/"white":"[^"]*"/"white":"1 2 3"/; 4s/"black":"[^"]*"/"black":"9e9 x"/; 5s/"game":[0-9]*/"game":-7/; 6s/.*/nonsense/' "$folder/odd/games.jsonl"
is_found() {
    home=$(get /api/home)
    [[ $home == *'"name":"odd"'* ]]
}
soon is_found
odd=$(grep -o '"id":"[0-9a-f]*","kind":"tuning","state":"[a-z]*","name":"odd"' <<<"$home" | cut -d'"' -f4)
soon is_fitted "$odd" 48
says 'pairs with lines that are none are left out' '*"games":99,*"race_pairs":48,*"fitted_pairs":48,*' "$told"
cp "$folder/tune/games.jsonl" "$folder/odd/games.jsonl.new" && mv "$folder/odd/games.jsonl.new" "$folder/odd/games.jsonl"
is_replaced() { [[ $(get "/api/tuning?id=$odd") == *'"race_pairs":96,'*'"fitted_pairs":96,'* ]]; }
soon is_replaced
result 'a log that is replaced is read anew' $?

# --- players ---

players=$(get /api/players)
says 'models of players' '*{"name":"tal","lineage":"player: Tal,*"differences":\[{"name":"*","value":*,"usual":*' "$players"
says 'a clone' "*\"id\":\"$clone\",\"kind\":\"clone\",*\"which\":\"file/*\"}*" "$players"
says 'its figures' '{"player": "Tal *' "$(get "/api/clone?id=$clone")"
says 'its card' '<!doctype html><p>card*' "$(get "/report?id=$clone")"
which=$(grep -o '"which":"file/[0-9a-f]*"' <<<"$players" | cut -d'"' -f4)
says 'its weights play' '{"move":"*' "$(post /api/move "{\"nodes\":100,\"which\":\"$which\"}")"

# One game of people; the answer is that of falconer recognize.
zstd -dcq tests/data/players.pgn.zst | awk '/^\[Event / { games++ } games == 1' >"$SCRATCH/one.pgn"
text() { sed 's/\\/\\\\/g; s/"/\\"/g' "$1" | awk '{ printf "%s\\n", $0 }'; } # FILE: as a string of JSON
answer=$(post /api/recognize "{\"pgn\":\"$(text "$SCRATCH/one.pgn")\",\"name\":\"\"}")
for color in white black; do
    said=$("$FALCONER" recognize --players weights/players/*.weights --calibration weights/players/calibration.txt --color $color --json "$SCRATCH/one.pgn")
    [[ $answer == '{"white":"'*'"is_calibrated":true,'*"$said"* && $said == *'"rule":"combined"'* ]]
    result "who had $color, as falconer recognize says" $?
done
zstd -dcq tests/data/players.pgn.zst | head -c 40000 | awk '/^\[Event / { games++ } games < 4' >"$SCRATCH/some.pgn"
refused() { # NAME BODY PATTERN
    answers "$1" 400 -b "$SCRATCH/jar" -H "X-Falconer-Token: $token" --data-binary "$2" "$base/api/recognize"
    says "$1: the reason" "$3" "$(post /api/recognize "$2")"
}
refused 'several games, of nobody' "{\"pgn\":\"$(text "$SCRATCH/some.pgn")\"}" '*say whose moves*'
refused 'nobody of that name' "{\"pgn\":\"$(text "$SCRATCH/some.pgn")\",\"name\":\"Nobody $script\"}" '*no whole game of Nobody*'
refused 'no game' '{"pgn":"hello"}' '*'
refused 'nothing' '{}' '*no game*'
refused 'moves that are none' '{"pgn":"[Event \"x\"]\n\n1. e4 e5 2. Ke8 *"}' '*cannot be read*'
head -c 70000 /dev/zero | tr '\0' x >"$SCRATCH/large"
answers 'more than a request may have' 413 -b "$SCRATCH/jar" -H "X-Falconer-Token: $token" --data-binary @"$SCRATCH/large" "$base/api/recognize"
answers 'without the token' 403 -b "$SCRATCH/jar" --data-binary '{"pgn":""}' "$base/api/recognize"

# --- papers ---

papers=$(get /api/papers)
says 'a paper with version and scale' "*{\"id\":\"$paper\",\"name\":\"results/gecco2008\",\"title\":\"A paper *\",\"version\":\"0.9.9\",\"scale\":\"quick\"}*" "$papers"
says 'those that come with it' '*{"name":"gecco2009","title":"GECCO 2009: *","version":"*","scale":"papers"}*' "$papers"
says 'their text' '{"text":"# GECCO 2009: *' "$(get '/api/paper?name=gecco2009')"
for name in '' nothing ../../README /etc/passwd gecco2009%0agpem2010 gecco2009.md; do
    answers "no paper: $name" 404 -b "$SCRATCH/jar" "$base/api/paper?name=$name"
done
# A page from a folder runs no script and asks for nothing, wherever it is opened.
page=$(request -i -b "$SCRATCH/jar" "$base/report?id=$paper")
says 'a page from a folder' "*Content-Security-Policy: sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:;*frame-ancestors 'self'*X-Frame-Options: SAMEORIGIN*<title>A paper</title>*" "$page"
says 'our own are not to be framed' "*script-src 'self'*frame-ancestors 'none'*X-Frame-Options: DENY*" "$(request -i -b "$SCRATCH/jar" "$base/papers")"
for id in '' x 0000000000000000 "$folder/results/gecco2008.html" ../gecco2008.html "$paper%00" "$suite"; do
    answers "no report: ${id/$SCRATCH/SCRATCH}" 404 -b "$SCRATCH/jar" "$base/report?id=$id"
done
answers 'without the cookie' 401 "$base/report?id=$paper"
rm "$folder/tal/card.html" && ln -s /etc/passwd "$folder/tal/card.html"
answers 'a link is no report' 404 -b "$SCRATCH/jar" "$base/report?id=$clone"

# --- suites ---

told=$(get "/api/suite?id=$suite")
says 'engines, and what they solved' "*\"positions\":6,*\"engines\":\[{\"name\":\"maestro-hand.weights\",\"count\":6,\"solved\":$(grep -c 'maestro.*"solved":true' "$folder/answers.jsonl"),*" "$told"
says 'a name with a script in it' "*\"name\":\"$script\"*" "$told"
fen=$(sed -n '1s/.*"fen":"\([^"]*\)".*/\1/p' "$folder/answers.jsonl") best=$(sed -n '1s/.*"bm":"\([^" ]*\).*/\1/p' "$folder/answers.jsonl")
says 'positions with what they ask' "*\"fen\":\"$fen\",\"bm\":\"$best*\"answers\":\[{\"engine\":0,\"solved\":*" "$told"
says 'from one on' '*"from":5,"list":\[{"line":6,*' "$(get "/api/suite?id=$suite&from=5")"
says 'none behind the last' '*"from":99,"list":\[\]*' "$(get "/api/suite?id=$suite&from=99")"
diagram() { request -G -b "$SCRATCH/jar" "$base/api/diagram.svg" --data-urlencode "fen=$1" --data-urlencode "san=$2"; }
drawing=$(diagram "$fen" '')
says 'a position as a drawing' '<svg *class="board"*' "$drawing"
[[ $(diagram "$fen" "$best") != "$drawing" ]]
result 'with its best move' $?
[[ $(diagram "$fen" "$script") == "$drawing" ]]
result 'but none that is no move' $?
for bad in '' x '8/8/8/8/8/8/8/8 w - - 0 1' "$script"; do
    answers "no position: $bad" 400 -G -b "$SCRATCH/jar" "$base/api/diagram.svg" --data-urlencode "fen=$bad"
done
for path in tuning suite clone; do
    for bad in '' x 0000000000000000 "$folder" "$paper"; do
        answers "no $path: ${bad/$SCRATCH/SCRATCH}" 404 -b "$SCRATCH/jar" "$base/api/$path?id=$bad"
    done
done
sed 's/,"fen".*/}/' "$folder/answers.jsonl" >"$folder/old.jsonl"
printf '{"engine":"x","solved":true,"max_points":1,"move":"%01000d"}\nnonsense\n{"engine":' 7 >>"$folder/old.jsonl"
is_old() {
    home=$(get /api/home)
    [[ $home == *'"name":"old.jsonl"'* ]]
}
soon is_old
old=$(grep -o '"id":"[0-9a-f]*","kind":"suite","state":"[a-z]*","name":"old.jsonl"' <<<"$home" | cut -d'"' -f4)
says 'answers of older versions, and lines that are none' '*"positions":7,*"fen":null,*"id":null,*"move":""*' "$(get "/api/suite?id=$old")"
says 'nothing else is a suite' 2 "$(grep -o '"kind":"suite"' <<<"$home" | wc -l)"

stop_serving
result 'it ends' $?
done_testing
