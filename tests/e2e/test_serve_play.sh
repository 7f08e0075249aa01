#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# falconer serve: the board. Legal moves, the engine's moves, the score term by term, games as text.
. tests/e2e/tap.sh || exit 1
. tests/e2e/serve.sh || exit 1

folder=$SCRATCH/folder
mkdir "$folder"
cp weights/maestro-hand.weights "$folder/hand.weights"
printf 'no weights\n' >"$folder/bad.weights"
"$FALCONER" evolve gecco2008 --no-optimum --population 20 --generations 3 -o "$folder/run" >/dev/null 2>&1
serve "$folder"
result 'it starts' $?
says 'the page' '*<title>Play - Falconer</title>*' "$(get /play)"
says 'its board' '*export{* as Chessground*' "$(get /web/lib/chessground.js)"

weights=$(get /api/weights)
says 'shipped weights' '*{"which":"shipped/falcon","name":"falcon","group":"shipped"}*' "$weights"
says 'models of players' '*{"which":"shipped/tal","name":"tal","group":"players"}*' "$weights"
id_of() { grep -o '"which":"file/[0-9a-f]*","name":"\([^"]*/\)\?'"$1"'"' <<<"$weights" | cut -d'"' -f4; }
hand=$(id_of hand.weights)
says 'and those in the folders' 'file/*' "$hand"

# --- positions ---

says 'the start' '*"turn":"white","check":false,"end":"","result":"\*"*"e2":\["e3","e4"\]*' "$(post /api/position '{}')"
says 'moves' '*"turn":"black"*"played":\[{"san":"e4","uci":"e2e4","fen":"*' "$(post /api/position '{"moves":"e2e4"}')"
says 'a move as people write it' '*"san":"Nf3","uci":"g1f3"*' "$(post /api/position '{"moves":"e2e4 e7e5","say":"Nf3"}')"
says 'castling' '*"e1":\["f1","g1"\]*' "$(post /api/position '{"moves":"e2e4 e7e5 g1f3 g8f6 f1e2 f8e7"}')"
says 'promotions are told once' '*"a7":\["a8"\]*' "$(post /api/position '{"fen":"7k/P7/8/8/8/8/8/K7 w - - 0 1"}')"
says 'mate' '*"check":true,"end":"checkmate","result":"0-1"*"legal":{}*' "$(post /api/position '{"moves":"f2f3 e7e5 g2g4 d8h4"}')"
says 'stalemate' '*"end":"stalemate","result":"1/2-1/2"*' "$(post /api/position '{"fen":"7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"}')"
says 'repetition' '*"end":"draw by repetition"*' "$(post /api/position '{"moves":"g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8"}')"
refused() { # NAME PATH BODY STATUS PATTERN
    answers "$1" "$4" -b "$SCRATCH/jar" -H "X-Falconer-Token: $token" --data-binary "$3" "$base$2"
    says "$1: the reason" "$5" "$(post "$2" "$3")"
}
refused 'an illegal move' /api/position '{"moves":"e2e5"}' 400 '*e2e5*is no move*'
refused 'a position that cannot be' /api/position '{"fen":"8/8/8/8/8/8/8/K7 w - - 0 1"}' 400 '*king*'
refused 'what is no move' /api/position '{"say":"<script>"}' 400 '*<script>*'
long=$(for ((i = 0; i < 320; i++)); do printf 'g1f3 g8f6 f3g1 f6g8 '; done)
refused 'too many moves' /api/position "{\"moves\":\"$long\"}" 400 '*more than*moves*'
refused 'no JSON' /api/move 'nonsense' 400 '*'

# --- the engine ---

say_move='{"fen":"6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1","nodes":20000,"which":"%s"}'
# shellcheck disable=SC2059
for which in shipped/falcon shipped/tal "$hand"; do
    says "$which finds a mate" '*"move":"a1a8","san":"Ra8#"*"mate":1,"line":"Ra8#"}' "$(post /api/move "$(printf "$say_move" "$which")")"
done
one=$(post /api/move '{"moves":"e2e4","nodes":5000,"which":"shipped/falcon"}')
says 'a move with its score' '{"move":"*","san":"*","depth":*,"nodes":*,"cp":*,"line":"* *"}' "$one"
[[ $one == "$(post /api/move '{"moves":"e2e4","nodes":5000,"which":"shipped/falcon"}')" ]]
result 'the same again' $?
says 'by level' '{"move":"*' "$(post /api/move '{"level":1400,"which":"shipped/falcon"}')"
says 'by time' '{"move":"*' "$(post /api/move '{"time":20,"which":"shipped/falcon"}')"
for time in 0 -5 15001; do
    refused "time=$time" /api/move "{\"time\":$time,\"which\":\"shipped/falcon\"}" 400 '*time*'
done
for nodes in 0 -1 99999999999 x; do
    refused "nodes=$nodes" /api/move "{\"nodes\":$nodes,\"which\":\"shipped/falcon\"}" 400 '*nodes*'
done
refused 'a game that is over' /api/move '{"moves":"f2f3 e7e5 g2g4 d8h4","nodes":100,"which":"shipped/falcon"}' 400 '*over*'
for which in '' falcon /etc/passwd shipped/../../etc/passwd "file/$folder/hand.weights" file/0000000000000000 file/../hand organism/x/1 \
    "organism/${hand#file/}/1" "shipped/weights/falcon" 'shipped/falcon
tal'; do
    shown=${which/$SCRATCH/SCRATCH}
    refused "no such weights: ${shown//$'\n'/ }" /api/move "{\"nodes\":100,\"which\":\"$which\"}" 400 '*'
done
refused 'weights that are none' /api/move "{\"nodes\":100,\"which\":\"$(id_of bad.weights)\"}" 400 '*bad.weights*'

# --- an organism of a run ---

run=$(get /api/home | grep -o '"id":"[0-9a-f]*","kind":"run"' | cut -d'"' -f4)
says 'an organism plays' '{"move":"*' "$(post /api/move "{\"nodes\":500,\"which\":\"organism/$run/0\"}")"
refused 'a generation that there is not' /api/move "{\"nodes\":500,\"which\":\"organism/$run/77\"}" 400 '*no generation 77*'

# --- why ---

fen='r2q1rk1/pp2bppp/2n1pn2/3p4/3P4/2NB1N2/PP3PPP/R1BQ1RK1 b - - 0 11'
told=$(post /api/explain "{\"fen\":\"$fen\",\"which\":\"$hand\"}")
says 'the score' '{"family":"maestro",*"score":*,"terms":\[{"name":"*' "$told"
score=$("$FALCONER" explain --weights weights/maestro-hand.weights --fen "$fen" | sed -n 's/^score \([-+0-9.]*\) for White.*/\1/p')
[[ $told == *",\"score\":${score#+},\"terms\""* ]]
result 'is that of falconer explain' $?

# --- games as text ---

post /api/pgn '{"moves":"f2f3 e7e5 g2g4 d8h4","white":"You \"quoted\"","black":"tal"}' >"$SCRATCH/pgn.json"
sed 's/^{"pgn":"//; s/"}$//; s/\\u000a/\n/g; s/\\"/"/g; s/\\\\/\\/g' "$SCRATCH/pgn.json" >"$SCRATCH/game.pgn"
says 'a game as PGN' '*\[White "You *\[Black "tal"\]*1. f3 e5 2. g4 Qh4# 0-1*' "$(<"$SCRATCH/game.pgn")"
expect 'which can be read' 0 '*' "$FALCONER" doctor "$SCRATCH/game.pgn"

stop_serving
result 'it ends' $?
done_testing
