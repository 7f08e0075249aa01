#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# falconer serve: runs that pages start, which go on without the server, are found again, stopped and resumed; and what no page can do.
. tests/e2e/tap.sh || exit 1
. tests/e2e/serve.sh || exit 1

folder=$SCRATCH/folder
mkdir "$folder"
cp weights/maestro-hand.weights "$folder/hand.weights"
cp -r tests/data/runs/ga "$folder/ga"
state_of() { get /api/started | grep -o "\"name\":\"$1\",\"state\":\"[a-z ]*\"" | cut -d'"' -f8; } # NAME
is_state() { [[ $(state_of "$1") == "$2" ]]; }                                                     # NAME STATE
form() { post /api/form "$1"; }
# What is started here must not outlive the test.
end_runs() {
    local file
    for file in "$SCRATCH"/*/runs/*/started.json; do
        [[ ! -e $file ]] || kill -KILL "$(grep -o '"pid":[0-9]*' "$file" | cut -d: -f2)" 2>/dev/null
    done
    rm -rf "$SCRATCH"
}
trap end_runs EXIT
serve "$folder"
result 'it starts' $?
says 'the page' '*<title>New - Falconer</title>*' "$(get /new)"

# --- the form: what the command line takes and refuses ---

presets=$(get /api/presets)
says 'presets, with what they are' '*{"name":"gecco2008","about":"\\"Genetic Algorithms for Mentor-Assisted*' "$presets"
[[ $presets != *'"coefficients"'* ]]
result 'but not the one that needs a file of the user' $?
told=$(form '{"preset":"gecco2008","changes":"population=30\ngenerations=4","threads":"1"}')
says 'the command that does the same' "*\"command\":\"falconer evolve gecco2008 --population 30 --generations 4 --threads 1 --no-progress -o $folder/runs/gecco2008-1\"*" "$told"
[[ $told != *'"error"'* ]]
result 'and no complaint' $?
says 'settings, with what they may be' '*{"name":"sample",*"kind":"whole","meaning":"*","value":"1000","low":0,"high":1e+09}*' "$told"
says 'and those that changed' '*{"name":"population",*"value":"30","change":"30","low":2,*' "$told"
while read -r name; do
    [[ $told == *"\"name\":\"$name\""* ]] || echo "# $name"
done < <("$FALCONER" evolve gecco2008 --settings | sed -n '/^$/q; s/^  --\([a-z-]*\) .*/\1/p') >"$SCRATCH/missing"
[[ ! -s $SCRATCH/missing ]]
result 'all that --settings lists' $?
cat "$SCRATCH/missing"
says 'of games' '*"falconer coevolve cec2001 --seed 7 *runs/cec2001-7"*' "$(form '{"preset":"cec2001","changes":"seed=7"}')"
says 'options of another algorithm' '*{"name":"neighbours",*' "$(form '{"preset":"gecco2008","changes":"algorithm=memetic"}')"
for bad in population=-5 population=x seed= nonsense=1 neighbours=3 play-nodes=5 survival=nobody family=x freeze=NOPE chromosome=shannon 'algorithm=cec2001' mates=clamp; do
    name=${bad%%=*} value=${bad#*=}
    said=$("$FALCONER" evolve gecco2008 "--$name" "$value" -o "$SCRATCH/never" 2>&1 >/dev/null | sed -n '1s/^falconer evolve: //p')
    told=$(form "{\"preset\":\"gecco2008\",\"changes\":\"$bad\"}" | grep -o '"message":"[^"]*"' | cut -d'"' -f4)
    [[ -n $told && $said == "$told"* ]]
    result "refused as by the command line: $bad" $?
    [[ $said == "$told"* ]] || printf '# %s\n' "$said" "$told"
    answers 'and not started' 400 -b "$SCRATCH/jar" -H "X-Falconer-Token: $token" --data-binary "{\"preset\":\"gecco2008\",\"changes\":\"$bad\"}" "$base/api/start"
done
[[ ! -e $folder/runs ]]
result 'nothing was made' $?

# --- pages name no paths and no programs ---

refused() { # NAME PRESET CHANGES PATTERN
    says "$1" "$4" "$(post /api/start "{\"preset\":\"$2\",\"changes\":\"$3\"}")"
}
refused 'no preset by its path' "$PWD/experiments/play" '' 'there is no such preset'
refused 'nor beside the others' '../data/README' '' 'there is no such preset'
refused 'no data by its path' play data=/etc/passwd '*not in the list*'
refused 'nor by a way round' play data=../weights/falcon.weights '*not in the list*'
refused 'no weights by their path' play "start=$folder/hand.weights" '*not in the list*'
refused 'nor of the list by another name' play start=shipped/../../etc/passwd '*no weights of that name*'
refused 'no id of nothing' play start=file/0000000000000000 '*nothing of that id*'
refused 'of any setting' icga2010 "weights=$folder/hand.weights" '*not in the list*'
refused 'no runs by their path' gecco2009-coevolve "start-from=$folder/ga" '*not in the list*'
refused 'no place for a cache' gecco2009 "forest-cache=$SCRATCH/cache" '*not changed by pages*'
refused 'no command of its own' play 'command=rm' '*not changed by pages*'
refused 'no folder of its own' play 'output=/tmp/x' "*there is no setting 'output'*"
says 'more threads than there are' '*threads must be*' "$(post /api/start '{"preset":"play","threads":"100000"}')"
refused 'a setting twice' play 'seed=1\nseed=2' '*twice*'
refused 'a very long value' gecco2009 "player=$(head -c 5000 /dev/zero | tr '\0' x)" '*too much*'
[[ ! -e $folder/runs ]]
result 'nothing was made for any of them' $?
hand=$(get /api/weights | grep -o '"which":"file/[0-9a-f]*","name":"hand.weights"' | cut -d'"' -f4)
says 'weights are chosen from the list' "*\"falconer evolve play --start $folder/hand.weights *" "$(form "{\"preset\":\"play\",\"changes\":\"start=$hand\"}")"
runs=$(grep -o '"which":"runs/[0-9a-f]*","name":"ga (all its runs)"' <<<"$presets" | cut -d'"' -f4)
says 'and so are runs' "*\"falconer coevolve gecco2009-coevolve --start-from $folder/ga *" "$(form "{\"preset\":\"gecco2009-coevolve\",\"changes\":\"start-from=$runs\"}")"

# --- who may ---

order='{"preset":"play","changes":"generations=1"}'
cookie=$(awk '/falconer-/ { print $6 "=" $7 }' "$SCRATCH/jar")
for path in start stop resume form; do
    answers "/api/$path without the token" 403 -b "$cookie" --data-binary "$order" "$base/api/$path"
    answers 'with a wrong one' 403 -b "$cookie" -H "X-Falconer-Token: ${token//[0-7]/8}" --data-binary "$order" "$base/api/$path"
    answers 'from a page of another site' 403 -b "$cookie" -H "X-Falconer-Token: $token" -H 'Origin: http://evil.example' --data-binary "$order" "$base/api/$path"
    answers 'by a link' 404 -b "$cookie" -H "X-Falconer-Token: $token" "$base/api/$path?name=x"
done
[[ ! -e $folder/runs ]]
result 'nothing was made' $?

# --- a run, with words that a shell would act on ---

# shellcheck disable=SC2016 # it is for no shell
evil='x; touch $SCRATCH/owned; `touch owned` $(touch owned) | touch owned & > owned \"'"'"' --output=/tmp'
player=$(post /api/start "{\"preset\":\"gecco2009\",\"changes\":\"player=$evil\\npopulation=4\\ngenerations=1\"}")
says 'words that a shell would act on' '{"name":"gecco2009-1"}' "$player"
soon is_state gecco2009-1 failed
result 'are a name of a player that nobody has' $?
says 'as the page can tell' '*x; touch*' "$(get /api/started)"
[[ -z $(find "$SCRATCH" /owned -name 'owned*' 2>/dev/null) ]]
result 'and nothing else' $?
expect 'a run that failed has nothing to go on with' 0 '*is failed*' post /api/resume '{"name":"gecco2009-1"}'

# --- it goes on without the server, and ends as from the command line ---

generations=$(sized 500 40)
told=$(form "{\"preset\":\"play\",\"changes\":\"population=30\\ngenerations=$generations\"}")
command=$(grep -o '"command":"[^"]*"' <<<"$told" | cut -d'"' -f4)
says 'started' '{"name":"play-1"}' "$(post /api/start "{\"preset\":\"play\",\"changes\":\"population=30\\ngenerations=$generations\"}")"
pid=$(grep -o '"pid":[0-9]*' "$folder/runs/play-1/started.json" | cut -d: -f2)
[[ $(ps -o sid= -p "$pid" | tr -d ' ') == "$pid" || ! -d /proc/$pid ]]
result 'in a session of its own' $?
kill -KILL "$server"
wait "$server" 2>/dev/null
serve "$folder"
says 'found again by the next server' '*' "$(state_of play-1)"
soon is_state play-1 finished
result 'where it ends' $?
has_page() { [[ $(get /api/started) == *'"name":"play-1","state":"finished",'*'"kind":"run","id":"'* ]]; }
soon has_page
result 'and has its page' $?
type_it() { (cd / && PATH=$(dirname "$(realpath "$FALCONER")"):$PATH bash -c "$1") >"$SCRATCH/typed.out" 2>&1; } # COMMAND
as_typed=${command/"$folder/runs/play-1"/"$SCRATCH/typed"}
type_it "$as_typed"
# Checkpoints are written by the clock.
same() { diff -r -x started.json -x output.txt -x timings.csv -x 'checkpoint*' "$1" "$2" >"$SCRATCH/diff"; } # FOLDER FOLDER
same "$folder/runs/play-1" "$SCRATCH/typed"
result 'with the same bytes as from the command line' $?
head -n 5 "$SCRATCH/diff" | cut -c1-300 | sed 's/^/# /'

# --- stop and resume ---

# On a fast machine a run is over before it is seen at work: then the next one is longer.
longer=$generations
has_ended() { is_state play-1 stopped || is_state play-1 finished; }
has_begun() { is_state play-1 running || has_ended; }
for ((i = 0; i < 6; i++)); do
    rm -rf "$folder/runs/play-1"
    post /api/start "{\"preset\":\"play\",\"changes\":\"population=30\\ngenerations=$longer\"}" >/dev/null
    soon has_begun
    [[ $(post /api/stop '{"name":"play-1"}') == '{}' ]] && soon has_ended && is_state play-1 stopped && break
    longer=$((longer * 5))
done
is_state play-1 stopped
result 'a run is stopped' $?
expect 'once' 0 '*play-1 is stopped*' post /api/stop '{"name":"play-1"}'
says 'and goes on' '{}' "$(post /api/resume '{"name":"play-1"}')"
soon is_state play-1 finished
result 'to its end' $?
rm -rf "$SCRATCH/typed"
type_it "${as_typed/--generations $generations/--generations $longer}"
same "$folder/runs/play-1" "$SCRATCH/typed"
result 'with the same bytes' $?
expect 'after which there is nothing to go on with' 0 '*is finished*' post /api/resume '{"name":"play-1"}'

# --- an earlier server's run is stopped; not more than a few at a time ---

endless='{"preset":"play","changes":"population=30\ngenerations=1000000\nseed=9","threads":"1"}'
for ((i = 0; i < 3; i++)); do post /api/start "$endless" >/dev/null; done
for name in play-9 play-9-2 play-9-3; do
    soon is_state "$name" running
    result "$name runs, in a folder of its own" $?
done
answers 'a fourth is refused' 503 -b "$SCRATCH/jar" -H "X-Falconer-Token: $token" --data-binary "$endless" "$base/api/start"
[[ ! -e $folder/runs/play-9-4 ]]
result 'and leaves nothing' $?
stop_serving
serve "$folder"
for name in play-9 play-9-2 play-9-3; do
    soon is_state "$name" running
    result "$name is found at work by the next server" $?
    says 'and stopped by it' '{}' "$(post /api/stop "{\"name\":\"$name\"}")"
    soon is_state "$name" stopped
    result 'at once' $?
done

# --- a match ---

refused 'a match of nobody' match rounds=2 '*first: choose weights*'
refused 'of one' match first=shipped/falcon '*second: choose weights*'
refused 'a setting that it has not' match 'first=shipped/falcon\nsecond=shipped/tal\npopulation=5' "*a match has no setting 'population'*"
refused 'too many rounds' match 'first=shipped/falcon\nsecond=shipped/tal\nrounds=1000000' '*rounds must be*'
refused 'an engine of a list' match 'first=engine/x\nsecond=shipped/tal' '*not in the list*'
match="{\"preset\":\"match\",\"threads\":\"1\",\"changes\":\"first=$hand\\nsecond=shipped/falcon\\nrounds=$(sized 30 4)\\nnodes=200\\nsprt=yes\"}"
command=$(form "$match" | grep -o '"command":"[^"]*"' | cut -d'"' -f4)
says 'its command' "falconer match -engine weights=$folder/hand.weights name=hand -engine weights=* name=falcon -each nodes=200 *-sprt *--resume $folder/runs/match-1" "$command"
says 'started' '{"name":"match-1"}' "$(post /api/start "$match")"
soon is_state match-1 finished
result 'it ends' $?
as_typed=${command/"$folder/runs/match-1"/"$SCRATCH/typed-match"}
type_it "$as_typed"
moves() { grep -v '^\[' "$1/games.pgn" | tr '\n' ' ' | sed 's/{[^}]*}//g' | tr -s ' ' '\n'; }
[[ -n $(moves "$folder/runs/match-1") && $(moves "$folder/runs/match-1") == "$(moves "$SCRATCH/typed-match")" ]]
result 'with the same games as from the command line' $?
diff <(moves "$folder/runs/match-1") <(moves "$SCRATCH/typed-match") | head -n 4 | sed 's/^/# /'
post /api/start "{\"preset\":\"match\",\"changes\":\"first=$hand\\nsecond=shipped/falcon\\nrounds=100000\\nseed=2\"}" >/dev/null
soon is_state match-2 running
post /api/stop '{"name":"match-2"}' >/dev/null
soon is_state match-2 stopped
result 'one is stopped' $?
says 'and goes on' '{}' "$(post /api/resume '{"name":"match-2"}')"
soon is_state match-2 running
post /api/stop '{"name":"match-2"}' >/dev/null
soon is_state match-2 stopped
result 'and is stopped again' $?

# --- only processes that pages started ---

"${attended[@]}" "$FALCONER" evolve --resume "$folder/runs/play-9" --no-progress >/dev/null 2>&1 &
typed=$!
soon is_state play-9 'running elsewhere'
result 'a run that was resumed at a terminal' $?
expect 'is not stopped by a page' 0 '*was not started by a page*' post /api/stop '{"name":"play-9"}'
expect 'nor resumed' 0 '*running elsewhere*' post /api/resume '{"name":"play-9"}'
kill -0 "$typed"
result 'it goes on' $?
kill -INT "$typed"
wait "$typed" 2>/dev/null
sleep 1000 &
sleeper=$!
# A record that names another process: the id of ours, or even the moment it began.
began=$(sed 's/.*) //' "/proc/$sleeper/stat" | cut -d' ' -f20)
for record in "\"pid\":$sleeper,\"began\":1" "\"pid\":$sleeper,\"began\":-$began" '"pid":-1,"began":0' '"pid":1,"began":0'; do
    sed -i "s/\"pid\":-\?[0-9]*,\"began\":-\?[0-9]*/$record/" "$folder/runs/play-9/started.json"
    expect "a record of another process is not believed: ${record/$sleeper/PID}" 0 '*play-9 is stopped*' post /api/stop '{"name":"play-9"}'
done
kill -0 "$sleeper"
result 'which goes on' $?
kill "$sleeper"
for name in '' . .. play-1/../play-9 "$folder/runs/play-9" '../ga' ga; do
    expect "no run of the name '${name/$SCRATCH/SCRATCH}'" 0 '*no page started*' post /api/stop "{\"name\":\"$name\"}"
done

# --- folders that others could have written are not resumed ---

for what in play-9 play-9/config.ini play-9/started.json .; do
    mode=$(stat -c %a "$folder/runs/$what")
    chmod o+w "$folder/runs/$what"
    expect "not resumed: everybody can write runs/$what" 0 '*not resumed: *can be written by everybody*' post /api/resume '{"name":"play-9"}'
    chmod "$mode" "$folder/runs/$what"
done
chmod o+w "$folder/runs"
expect 'nor is any started there' 0 '*runs can be written by everybody*' post /api/start "$order"
chmod o-w "$folder/runs"
says 'resumed when it is the user'\''s alone' '{}' "$(post /api/resume '{"name":"play-9"}')"
soon is_state play-9 running
result 'it runs' $?
post /api/stop '{"name":"play-9"}' >/dev/null
soon is_state play-9 stopped
stop_serving

# --- runs made nowhere else, and none with --read-only ---

mkdir "$SCRATCH/linked" "$SCRATCH/elsewhere"
ln -s "$SCRATCH/elsewhere" "$SCRATCH/linked/runs"
serve "$SCRATCH/linked" "$folder"
says 'runs that is a link' '*linked/runs: *' "$(post /api/start "$order")"
[[ -z $(ls "$SCRATCH/elsewhere") ]]
result 'leads nowhere' $?
stop_serving
serve --read-only "$folder"
for path in start stop resume; do
    answers "--read-only refuses /api/$path" 403 -b "$SCRATCH/jar" -H "X-Falconer-Token: $token" --data-binary "$order" "$base/api/$path"
done
says 'and tells the page' '{"read_only":true,*' "$(get /api/presets)"
says 'which shows what there is' '*"name":"play-9","state":"stopped"*' "$(get /api/started)"
says 'and the form' '*"command":"falconer evolve play *' "$(form '{"preset":"play"}')"
says 'a board still plays' '{"move":"*' "$(post /api/move '{"nodes":100,"which":"shipped/falcon"}')"
stop_serving
result 'it ends' $?
done_testing
