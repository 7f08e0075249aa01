#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# falconer serve: engines of the user's list to play against, which crash, hang and lie; and the browser that is opened.
. tests/e2e/tap.sh || exit 1
. tests/e2e/serve.sh || exit 1

fakes=$(dirname "$FALCONER")
[[ -x $fakes/fake_engine ]] || fakes=build/obj/release-native
fakes=$(realpath "$fakes")
export FAKE_ENGINE_PIDS=$SCRATCH/pids FAKE_ENGINE_LOG=$SCRATCH/heard
: >"$FAKE_ENGINE_PIDS"
all_are_gone() { local pid && while read -r pid; do is_gone "$pid" || return 1; done <"$FAKE_ENGINE_PIDS"; }
engines() { wc -l <"$FAKE_ENGINE_PIDS"; } # how many were started so far
folder=$SCRATCH/folder
list=$SCRATCH/engines
mkdir "$folder"

# --- lists that are none ---

refused() { # NAME PATTERN LINE...
    printf '%s\n' "${@:3}" >"$list"
    expect "$1" 1 "$2" "$FALCONER" serve --engines "$list" "$folder"
}
refused 'a line that is no engine' '*engines: line 2: *key=value*' '# engines' 'stockfish'
refused 'limits, which the page chooses' '*line 1: x: the page chooses*' 'cmd=x nodes=5'
refused 'weights, which are found' '*line 1: weights=*' 'weights=falcon.weights'
refused 'one name for two' "*line 2: there is another engine 'x'*" 'cmd=x' 'cmd=/y/x'
expect 'no list of that name' 1 '*none*' "$FALCONER" serve --engines "$SCRATCH/none" "$folder"
printf 'cmd=x\n' >"$list"
chmod o+w "$list"
expect 'a list that anybody can write' 1 '*engines can be written by everybody*' "$FALCONER" serve --engines "$list" "$folder"
rm "$list"

# --- the user's own list, and one that is named ---

printf 'cmd=nothing\n' >"$folder/engines"
serve "$folder"
[[ $(get /api/weights) != *'"engine/'* ]]
result 'a list in a folder that is served is not read' $?
stop_serving
export XDG_CONFIG_HOME=$SCRATCH/config
mkdir -p "$XDG_CONFIG_HOME/falconer"
printf 'cmd=%s name=own\n' "$fakes/fake_engine" >"$XDG_CONFIG_HOME/falconer/engines"
serve "$folder"
says "the user's own" '*{"which":"engine/own","name":"own","group":"engines"}*' "$(get /api/weights)"
stop_serving
cat >"$list" <<END
# Engines to play against.
cmd=$fakes/fake_engine name=good
cmd=$fakes/fake_engine arg=crash arg=2 name="crashes at its second move"
cmd=$fakes/fake_engine arg=hang name=hangs
cmd=$fakes/fake_engine arg=illegal name=cheats
cmd=$fakes/fake_engine arg=hostile name=<script>alert(1)</script>
cmd=$fakes/fake_engine arg=mates name=mates
cmd=$fakes/fake_engine arg=crash-at-start name=dead
cmd=$SCRATCH/missing name=missing
cmd=$fakes/fake_xboard proto=xboard name=old
END
serve --engines "$list" "$folder"
weights=$(get /api/weights)
says 'one that is named' '*"engine/good"*' "$weights"
says 'XBoard engines are told apart' '*{"which":"engine/old","name":"old","group":"xboard"}*' "$weights"
[[ $weights != *engine/own* && $weights != *"$fakes"* ]]
result 'in the place of the other, and by names alone' $?

# --- play ---

think() { post /api/move "{\"which\":\"engine/$1\",\"page\":\"${4-page}\",\"moves\":\"$2\",${3:-\"nodes\":100}}"; } # NAME MOVES [LIMIT [PAGE]]
[[ $(engines) == 0 ]]
result 'nothing is started before it is asked' $?
one=$(think good e2e4)
says 'an engine moves, with its score and line' '{"move":"*","san":"*","depth":*,"nodes":*,"cp":*,"line":"*"}' "$one"
move=$(cut -d'"' -f4 <<<"$one")
reply=$(get /api/weights >/dev/null && post /api/position "{\"moves\":\"e2e4 $move\"}" | sed 's/.*"legal":{"\(..\)":\["\(..\)".*/\1\2/')
says 'and again' '{"move":"*' "$(think good "e2e4 $move $reply")"
[[ $(engines) == 1 && $(grep -c ucinewgame "$FAKE_ENGINE_LOG") == 1 ]]
result 'the same process, in the same game' $?
says 'another game' '{"move":"*' "$(think good d2d4)"
[[ $(engines) == 1 && $(grep -c ucinewgame "$FAKE_ENGINE_LOG") == 2 ]]
result 'of which it is told' $?
says 'by time' '{"move":"*' "$(think good e2e4 '"time":50')"
grep -q 'go movetime 50' "$FAKE_ENGINE_LOG"
result 'which it is told too' $?
says 'mates are moves, for White' '*"mate":*' "$(think mates '')"
says 'an XBoard engine' '{"move":"*' "$(think old e2e4 '"time":1000')"
says 'which knows no nodes' '*knows no nodes*' "$(think old e2e4)"
says 'and no parts of a second' '*no parts of a second*' "$(think old e2e4 '"time":1500')"
says 'levels are Eyas'\''s' '*choose nodes or time*' "$(think good e2e4 '"level":1400')"
says 'no such engine' '*no engine of that name*' "$(think /bin/sh e2e4)"
says 'nor by its path' '*no engine of that name*' "$(think "$fakes/fake_engine" e2e4)"
says 'no explanation by an engine' '*no weights*' "$(post /api/explain '{"which":"engine/good"}')"

# --- what they do wrong ---

says 'a crash' '*crashes at its second move: killed by signal*' "$(think 'crashes at its second move' e2e4 && think 'crashes at its second move' e2e4)"
says 'after which it is started anew' '{"move":"*' "$(think 'crashes at its second move' e2e4)"
says 'no answer' '*hangs: no answer*' "$(think hangs '' '"time":1')"
says 'a move that is none' '*cheats: *is no legal move*' "$(think cheats '')"
says 'commands to a terminal' '*no move*e9\\x1bc*' "$(think '<script>alert(1)</script>' '')"
says 'an end before the beginning' '*dead: *' "$(think dead '')"
says 'a program that is not there' '*missing: cannot start*' "$(think missing '')"
answers 'is no fault of the page' 502 -b "$SCRATCH/jar" -H "X-Falconer-Token: $token" --data-binary '{"which":"engine/cheats","nodes":5}' "$base/api/move"
answers 'none without the token' 403 -b "$SCRATCH/jar" --data-binary '{"which":"engine/good","nodes":5}' "$base/api/move"

# --- few at a time, and none for pages that have gone ---

running() { local pid n=0 && while read -r pid; do is_gone "$pid" || ((++n)); done <"$FAKE_ENGINE_PIDS" && echo "$n"; }
for page in a b c d e f; do think good e2e4 '"nodes":1' "$page" >/dev/null; done
are_four() { [[ $(running) == 4 ]]; }
soon are_four # those that gave up their seats are gone, or about to go
result 'four engines at a time' $?
for page in a b c d e f page; do post /api/leave "{\"page\":\"$page\"}" >/dev/null; done
soon all_are_gone
result 'a page that goes takes its engines with it' $?
think good e2e4 >/dev/null
stop_serving
result 'it ends' $?
soon all_are_gone
result 'and its engines with it' $?
serve --engines "$list" "$folder"
think good e2e4 >/dev/null
kill -KILL "$server"
wait "$server" 2>/dev/null
soon all_are_gone
result 'also where it is killed' $?

# --- the browser ---

mkdir "$SCRATCH/bin"
# shellcheck disable=SC2016 # for the script
printf '#!/bin/bash\nprintf "%%s\\n" "$@" >"%s/opened"; cp "${@: -1}" "%s/page"; ls -l "${@: -1}" >"%s/mode"; touch "%s/ready"\n' \
    "$SCRATCH" "$SCRATCH" "$SCRATCH" "$SCRATCH" >"$SCRATCH/bin/browser"
cp "$SCRATCH/bin/browser" "$SCRATCH/bin/xdg-open"
chmod +x "$SCRATCH/bin"/*
export TMPDIR=$SCRATCH
unset XDG_RUNTIME_DIR
for browser in "$SCRATCH/nothing:$SCRATCH/bin/browser" "$SCRATCH/bin/browser '; touch \$HOME' %s" ''; do
    rm -f "$SCRATCH/ready"
    BROWSER=$browser PATH=$SCRATCH/bin:$PATH serve --open "$folder"
    soon test -e "$SCRATCH/ready"
    result "--open starts a browser: BROWSER='${browser//$SCRATCH/SCRATCH}'" $?
    says 'with a page that leads on' "*url=$base/?token=$token*" "$(<"$SCRATCH/page")"
    [[ $(<"$SCRATCH/opened") != *token* && $(<"$SCRATCH/mode") == -rw-------* ]]
    result 'which others can read neither there nor in the list of processes' $?
    stop_serving
    [[ ! -e $(tail -n 1 "$SCRATCH/opened") ]]
    result 'and which goes when the server ends' $?
done
attended+=(BROWSER="$SCRATCH/nothing" PATH=/nonexistent)
serve --open "$folder"
soon grep -qs 'no browser can be started' "$SCRATCH/serve.err"
result 'no browser: it says so' $?
says 'and goes on' '*"items"*' "$(get /api/home)"
stop_serving
done_testing
