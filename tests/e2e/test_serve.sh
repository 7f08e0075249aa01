#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# falconer serve: what it answers to whom. Requests of all kinds of ill will are refused, and the server goes on.
. tests/e2e/tap.sh || exit 1
. tests/e2e/serve.sh || exit 1
trap '' PIPE

# --- the command line ---

expect 'a folder that is not there' 1 '*nowhere: No such file*' "$FALCONER" serve "$SCRATCH/nowhere"
expect 'a file for a folder' 1 '*Not a directory*' "$FALCONER" serve README.md
expect 'a port out of range' 2 '*--port*' "$FALCONER" serve --port 65536

# --- folders, some of them hostile ---

folder=$SCRATCH/folder
mkdir "$folder"
cp -r tests/data/runs/ga "$folder/ga"
cp -r tests/data/v0.1.0/match "$folder/match"
# shellcheck disable=SC1003 # it ends with a backslash
evil='<img src=x onerror=alert(1)>"'\''\'
mkdir "$folder/$evil"
cp tests/data/runs/ga/run-01/log.jsonl "$folder/$evil/"
printf 'family maestro 1\n' >"$folder/$evil/bad.weights"
# Links lead nowhere, whatever is behind them.
mkdir "$SCRATCH/elsewhere" "$folder/linked"
cp tests/data/runs/ga/run-01/log.jsonl "$SCRATCH/elsewhere/"
ln -s "$SCRATCH/elsewhere" "$folder/link"
ln -s "$SCRATCH/elsewhere/log.jsonl" "$folder/linked/log.jsonl"
ln -s /etc/passwd "$folder/passwd.weights"
serve "$folder"
result 'it starts, and prints an address' $?
says 'of this machine' 'http://127.0.0.1:*' "$base"
expect 'a port that is taken' 1 '*cannot listen*' "$FALCONER" serve --port "$port" "$folder"

# --- what it answers ---

says 'the page' '*<title>Falconer</title>*' "$(get /)"
home=$(get /api/home)
says 'runs are found' '*"kind":"run","state":"finished","name":"ga/run-01"*"unit":"cp"*' "$home"
says 'matches are found' '*"kind":"match"*' "$home"
[[ $(grep -o '"kind":"run"' <<<"$home" | wc -l) == 6 ]]
result 'links are not followed' $?
says 'nor counted' '*"weights":6,*' "$home"
says 'a name with a script in it is text' '*<img src=x onerror=alert(1)>\\"'\''\\\\"*' "$home"
headers=$(request --head -b "$SCRATCH/jar" "$base/api/home")
says 'which no browser takes for a page' '*X-Content-Type-Options: nosniff*' "$headers"
says 'scripts come from here alone' "*Content-Security-Policy: default-src 'none'; script-src 'self';*" "$headers"
says 'how far the news had come' '*X-Falconer-News: [1-9]*' "$headers"
[[ $headers != *Access-Control* ]]
result 'no other site may read it' $?
says 'the cookie is for this site and no script' '*SameSite=Strict; HttpOnly*' "$(request --head "$base/?token=$token")"

# --- news ---

request --no-buffer -b "$SCRATCH/jar" "$base/api/events" >"$SCRATCH/events" &
stream=$!
soon grep -qs '^event: hello' "$SCRATCH/events"
result 'a stream of news' $?
tail -n 1 "$folder/ga/run-02/log.jsonl" >"$SCRATCH/line"
sed -i 's/"generation":[0-9]*/"generation":12345/; s/,"check":.*/}/' "$SCRATCH/line"
id=$(grep -o '"id":"[0-9a-f]*","kind":"run","state":"[a-z]*","name":"ga/run-02"' <<<"$home" | cut -d'"' -f4)
head -c 20 "$SCRATCH/line" >>"$folder/ga/run-02/log.jsonl" # a line half written waits for its end
tail -c +21 "$SCRATCH/line" >>"$folder/ga/run-02/log.jsonl"
soon grep -qs "$id" "$SCRATCH/events"
result 'a run that grows is told of' $?
says 'with its new generation' '*"generation":12345,*' "$(get /api/home)"
kill "$stream"
wait "$stream" 2>/dev/null

# --- hostile requests ---

cookie=$(awk '/falconer-/ { print $6 "=" $7 }' "$SCRATCH/jar")
answers '1. no cookie' 401 "$base/api/home"
answers 'nor for pages' 401 "$base/"
answers '2. a wrong token' 401 "$base/?token=${token//[0-7]/8}"
answers 'half a token' 401 "$base/?token=${token:0:16}"
answers '3. a wrong cookie' 401 -b "${cookie%=*}=$token" "$base/api/home"
answers '4. the name of another site that leads here (rebinding)' 403 -b "$SCRATCH/jar" -H 'Host: evil.example' "$base/api/home"
answers 'with the port' 403 -b "$SCRATCH/jar" -H "Host: evil.example:$port" "$base/?token=$token"
answers 'a name that begins like ours' 403 -b "$cookie" -H "Host: 127.0.0.1.evil.example:$port" "$base/api/home"
answers '5. another port of ours' 403 -b "$cookie" -H "Host: 127.0.0.1:1" "$base/api/home"
says '6. two names' 'HTTP/1.1 4*' "$(raw "GET /api/home HTTP/1.1\r\nHost: 127.0.0.1:$port\r\nHost: evil.example\r\nCookie: $cookie\r\n\r\n")"
says '7. no name' 'HTTP/1.? 4*' "$(raw "GET /api/home HTTP/1.0\r\nCookie: $cookie\r\n\r\n")"
answers '8. from a page of another site' 403 -b "$cookie" -H 'Origin: http://evil.example' "$base/api/home"
answers 'of no site' 403 -b "$cookie" -H 'Origin: null' "$base/api/home"
answers '9. a change without the token' 403 -b "$cookie" --data x "$base/api/position"
answers '10. with a wrong one' 403 -b "$cookie" -H "X-Falconer-Token: ${cookie#*=}" --data x "$base/api/position"
answers 'with the token in the address' 403 -b "$cookie" --data x "$base/api/position?token=$token"
answers 'with the token, but no cookie' 401 -H "X-Falconer-Token: $token" --data x "$base/api/position"
for path in /../../../../etc/passwd /web/../../Makefile /web/%2e%2e/%2e%2e/etc/passwd /web/..%2f..%2fetc/passwd //etc/passwd \
    /web/style.css%00.png /web/ /web /api/ '/\..\..\etc\passwd' "$folder/ga/config.ini"; do
    answers "11. no way to files: ${path/$SCRATCH/SCRATCH}" 404 --path-as-is -b "$cookie" "$base$path"
done
for method in PUT DELETE PATCH TRACE CONNECT OPTIONS PROPFIND; do
    says "12. $method" 'HTTP/1.1 405 *' \
        "$(raw "$method /api/home HTTP/1.1\r\nHost: 127.0.0.1:$port\r\nCookie: $cookie\r\nOrigin: $base\r\nContent-Length: 0\r\n\r\n")"
done
head -c 200000 /dev/zero | tr '\0' x >"$SCRATCH/large"
answers '13. a body beyond the limit' 413 -b "$cookie" -H "X-Falconer-Token: $token" --data-binary "@$SCRATCH/large" "$base/api/position"
answers 'in chunks' 413 -b "$cookie" -H "X-Falconer-Token: $token" -H 'Transfer-Encoding: chunked' --data-binary "@$SCRATCH/large" "$base/api/position"
says '14. headers beyond the limit' '?(HTTP/1.1 4*)' "$(raw "GET / HTTP/1.1\r\nHost: 127.0.0.1:$port\r\nX: $(head -c 60000 "$SCRATCH/large")\r\n\r\n")"
says 'an address beyond the limit' '?(HTTP/1.1 4*)' "$(raw "GET /$(head -c 60000 "$SCRATCH/large") HTTP/1.1\r\nHost: 127.0.0.1:$port\r\n\r\n")"
says '15. a body of a negative length' 'HTTP/1.1 4*' "$(raw "POST /api/position HTTP/1.1\r\nHost: 127.0.0.1:$port\r\nCookie: $cookie\r\nX-Falconer-Token: $token\r\nContent-Length: -1\r\n\r\n")"
for i in 1 2 3 4 5; do
    exec {cut}<>"/dev/tcp/127.0.0.1/$port"
    printf 'POST /api/position HTTP/1.1\r\nHost: 127.0.0.1:%s\r\nCookie: %s\r\nX-Falconer-Token: %s\r\nContent-Length: 500\r\n\r\nabc' \
        "$port" "$cookie" "$token" >&"$cut"
    exec {cut}>&-
done
answers '16. requests that are cut off' 200 -b "$cookie" "$base/api/home"
for i in 1 2 3 4 5; do
    exec {noise}<>"/dev/tcp/127.0.0.1/$port"
    { head -c 3000 /dev/urandom >&"$noise"; } 2>/dev/null
    exec {noise}>&-
done
answers '17. bytes that are no request' 200 -b "$cookie" "$base/api/home"
exec {slow}<>"/dev/tcp/127.0.0.1/$port"
drip() { # a byte at a time, for ever; true once the other side has hung up
    printf x >&"$slow" || return 0
    sleep 0.3
    false
} 2>/dev/null
printf 'GET / HTTP/1.1\r\nX: ' >&"$slow"
soon drip
result '18. a request that never ends is ended' $?
exec {slow}>&-
many=()
for ((i = 0; i < 250; i++)); do
    exec {one}<>"/dev/tcp/127.0.0.1/$port" && many+=("$one")
done 2>/dev/null
for one in "${many[@]}"; do exec {one}>&-; done
comes_back() { [[ $(status -b "$cookie" "$base/api/home") == 200 ]]; }
soon comes_back
result '19. more connections than there may be: afterwards it answers' $?
answers '20. an address of nothing' 404 -b "$cookie" "$base/nothing"
says 'no list of files' 'There is no such page.' "$(get /web/)"
[[ ! -s $SCRATCH/serve.err ]]
result 'nothing was complained of' $?

# --- the end ---

request --no-buffer -b "$SCRATCH/jar" "$base/api/events" >"$SCRATCH/events" &
stream=$!
soon grep -qs '^event: hello' "$SCRATCH/events"
stop_serving
result 'it ends when it is told to, though somebody listens' $?
soon is_gone "$stream"
result 'and the stream with it' $?
done_testing
