#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# falconer coevolve --engine: options that cannot be tuned, runs that are killed, and what comes out.
. tests/e2e/tap.sh || exit 1
fake=$(dirname "$FALCONER")/fake_tunable
[[ -x $fake ]] || fake=build/obj/release-native/fake_tunable
fake=$(realpath "$fake")
tune() { # NAME RC PATTERN MODE ARGUMENTS...: tunes the fake in that mode
    expect "$1" "$2" "$3" "$FALCONER" coevolve --engine "cmd='$fake $4' name=fake depth=1" -o "$SCRATCH/refused" "${@:5}"
}
short=(--tune A:0:100 --tune B:0:100:5 --games 192 --verdict-games 64 --seats 16)

tune 'a misspelt option' 1 "*fake: it has no option 'AA': did you mean 'A'?*" '' --tune AA:0:10
tune 'bounds beyond the engine' 1 "*fake: option 'A' goes from 0 to 100, not to 101*" '' --tune A:0:101
tune 'an option that is no number' 1 '*Style*' '' --tune Style:0:10
tune 'bounds that are none' 2 '*A: the lower bound 10 is not below the upper, 10*' '' --tune A:10:10
tune 'a step that leaves one value' 2 '*A: with a step of 11 only 0 is left between 0 and 10*' '' --tune A:0:10:11
tune 'a start outside of the bounds' 1 '*A: starts at 20, outside of 30 to 90*' '' --tune A:30:90
tune 'the same option twice' 2 '*a: named twice*' '' --tune A:0:90 --tune a:0:90
tune 'no bounds' 2 "*'A': expected Name:low:high*" '' --tune A
tune 'nothing to tune' 2 '*nothing to tune*' ''
tune 'an engine that ignores its options' 1 '*it ignores what is to be tuned*' deaf --tune A:0:100
tune 'no such option file' 1 '*missing.ini*' '' --tune-file missing.ini
tune 'an engine that crashes at one end' 1 '*fake: killed by signal 11*' crash --tune A:0:100
expect 'no limit' 2 '*no limit: give tc=*' "$FALCONER" coevolve --engine "cmd=$fake" --tune A:0:9 -o "$SCRATCH/x"
expect 'no such engine' 1 '*cannot start*' "$FALCONER" coevolve --engine 'cmd=/no/such depth=1' --tune A:0:9 -o "$SCRATCH/x"
expect 'no such run' 1 '*there is no config.ini*' "$FALCONER" coevolve --resume "$SCRATCH/none"
expect 'help' 0 'Usage: falconer coevolve --engine*Example:*' "$FALCONER" coevolve --engine --help
[[ ! -e $SCRATCH/refused ]]
result 'what is refused leaves nothing behind' $?

expect 'a run' 0 '*race: 192 of 192 games*test: 64 games*Tuned fake: A * (from 20), B * (from 80)*Verdict: *Cost: 192 games*Racing: of *More: *Options: option.A=*' \
    "$FALCONER" coevolve --engine "cmd=$fake name=fake depth=1" "${short[@]}" -c 1 -o "$SCRATCH/one"
expect 'the same with three threads' 0 '*Verdict*' \
    "$FALCONER" coevolve --engine "cmd=$fake name=fake depth=1" "${short[@]}" -c 3 -o "$SCRATCH/three"
grep -Eq '^static const int A = [0-9]+; // from 20, 0 to 100$' "$SCRATCH/one/tuned.h" &&
    grep -q '^alpha = 0.05$' "$SCRATCH/one/config.ini"
result 'the values as constants of C, and numbers as they were typed' $?
page=$(<"$SCRATCH/one/report.html")
[[ $page == *'<title>Options of fake, tuned by games</title>'*'Made by Falconer '*'Line chart: Values over games'*'Strength over each option'*'class="band"'*'Contour map: '*'>tuned</text>'*"--tune A:0:100"* ]]
result 'a page with strength over the options, contours and the way of the values' $?
(($(grep -c '"Line chart: [AB]: tuned ' <<<"$page") == 4))
result 'a chart for each option' $?
diff <(grep -v -- '-c [13] -o' <<<"$page") <(grep -v -- '-c [13] -o' "$SCRATCH/three/report.html")
result 'and threads do not change it' $?
cmp "$SCRATCH/one/games.jsonl" "$SCRATCH/three/games.jsonl" && cmp <(grep -v command "$SCRATCH/one/tuned.json") <(grep -v command "$SCRATCH/three/tuned.json")
result 'threads change nothing' $?
result 'every game has its line' $(($(wc -l <"$SCRATCH/one/games.jsonl") == 256 ? 0 : 1))
! sed 's/.*"white":"\([^"]*\)","black":"\([^"]*\)".*/\1=\2/' "$SCRATCH/one/games.jsonl" | awk -F= '$1 == $2' | grep -q .
result 'no candidate meets itself' $?
expect 'a run is not begun twice' 1 '*holds a run already*--resume*' \
    "$FALCONER" coevolve --engine "cmd=$fake name=fake depth=1" "${short[@]}" -o "$SCRATCH/one"
mkdir "$SCRATCH/mine" && echo mine >"$SCRATCH/mine/tuned.ini"
expect 'files in the way' 1 '*mine holds tuned.ini, which a new run *would write over*' \
    "$FALCONER" coevolve --engine "cmd=$fake name=fake depth=1" "${short[@]}" -o "$SCRATCH/mine"
[[ $(<"$SCRATCH/mine/tuned.ini") == mine && ! -e $SCRATCH/mine/config.ini ]]
result 'stay as they are' $?
cp -r "$SCRATCH/one" "$SCRATCH/noted"
head -n 5 "$SCRATCH/one/games.jsonl" >"$SCRATCH/noted/games.jsonl" && printf 'my notes' >>"$SCRATCH/noted/games.jsonl"
expect 'a note behind the games' 1 "*noted/games.jsonl: ends with 'my notes'*" "$FALCONER" coevolve --resume "$SCRATCH/noted"
[[ $(tail -n 1 "$SCRATCH/noted/games.jsonl") == 'my notes' ]]
result 'stays too' $?
mkdir "$SCRATCH/unplayed"
cp "$SCRATCH/one/config.ini" "$SCRATCH/unplayed"
expect 'a run that was killed before its first game' 0 '*Verdict*' "$FALCONER" coevolve --resume "$SCRATCH/unplayed"
expect 'a finished run tells its verdict again' 0 '*Verdict*' "$FALCONER" coevolve --resume "$SCRATCH/one"
expect 'settings are the run'"'"'s own' 2 '*takes its settings from the run*' "$FALCONER" coevolve --resume "$SCRATCH/one" --games 5

# SPSA, with OpenBench's lines, and a second test with other limits, broken off and gone on with.
printf 'A, int, 20, 0, 100, 8, 0.2\nB, int, 80, 0, 100, 8, 0.2\n' >"$SCRATCH/lines.spsa"
spsa=(--tune-file "$SCRATCH/lines.spsa" --method spsa --games 192 --verdict-games 64 --elo0 -300 --elo1 -200 --seats 16 --confirm depth=2)
expect 'SPSA without games' 2 '*spsa needs a number of games*' "$FALCONER" coevolve --engine "cmd=$fake name=fake depth=1" \
    --tune A:0:100 --method spsa --time 1 -o "$SCRATCH/x"
expect 'no limit to confirm with' 2 "*confirm: *'name=x' is no limit*" "$FALCONER" coevolve --engine "cmd=$fake name=fake depth=1" \
    --tune A:0:100 --confirm name=x -o "$SCRATCH/x"
expect 'another engine to confirm with' 2 "*confirm: 'cmd=/bin/true' is no limit*" "$FALCONER" coevolve \
    --engine "cmd=$fake name=fake depth=1" --tune A:0:100 --confirm 'cmd=/bin/true depth=2' -o "$SCRATCH/x"
expect 'a start between the steps' 1 '*A: starts at 20, which is not on its steps of 7*' "$FALCONER" coevolve \
    --engine "cmd=$fake name=fake depth=1" --tune A:0:100:7 --method spsa --games 32 -o "$SCRATCH/off"
expect 'SPSA' 0 '*spsa: 192 of 192 games*test: *depth=2: *Tuned fake: A *Verdict: *With depth=2: *Cost: 192 games of SPSA*' \
    "$FALCONER" coevolve --engine "cmd=$fake name=fake depth=1" "${spsa[@]}" -c 1 -o "$SCRATCH/spsa"
expect 'the same with three threads' 0 '*With depth=2: *' "$FALCONER" coevolve --engine "cmd=$fake name=fake depth=1" "${spsa[@]}" -c 3 \
    -o "$SCRATCH/spsa-three"
cmp "$SCRATCH/spsa/games.jsonl" "$SCRATCH/spsa-three/games.jsonl"
result 'games are the same' $?
grep -q 'all games of SPSA, fitted for this page' "$SCRATCH/spsa/report.html" && grep -q 'Contour map: ' "$SCRATCH/spsa/report.html"
result 'the page of SPSA has them too' $?
[[ $(sed -n 's/.*"stage":"verdict".*"opening":\([0-9]*\).*/\1/p' "$SCRATCH/spsa/games.jsonl" | sort -n | tail -n 1) -lt \
    $(sed -n 's/.*"stage":"confirmation".*"opening":\([0-9]*\).*/\1/p' "$SCRATCH/spsa/games.jsonl" | sort -n | head -n 1) ]]
result 'the second test has openings of its own' $?
cp -r "$SCRATCH/spsa" "$SCRATCH/spsa-cut"
rm "$SCRATCH/spsa-cut/tuned.spsa"
head -n -5 "$SCRATCH/spsa/games.jsonl" >"$SCRATCH/spsa-cut/games.jsonl"
expect 'SPSA goes on' 0 '*With depth=2: *' "$FALCONER" coevolve --resume "$SCRATCH/spsa-cut"
cmp "$SCRATCH/spsa/games.jsonl" "$SCRATCH/spsa-cut/games.jsonl" && cmp "$SCRATCH/spsa/tuned.spsa" "$SCRATCH/spsa-cut/tuned.spsa"
result 'to the same end' $?
expect 'nothing is added to a run' 2 '*takes its settings from the run*' "$FALCONER" coevolve --resume "$SCRATCH/spsa" --confirm depth=3
expect 'and its lines are tuned further' 0 '*Verdict*' "$FALCONER" coevolve --engine "cmd=$fake name=fake depth=1" \
    --tune-file "$SCRATCH/spsa/tuned.spsa" --games 32 --verdict-games 4 -o "$SCRATCH/spsa-further"

# Other sources of what to tune, and the result tuned further.
printf '[tune]\nA = 0:100\n' >"$SCRATCH/a.ini"
printf '{"A": {"value": 50, "min_value": 0, "max_value": 100, "step": 7}, "B": {"value": 50, "min_value": 0, "max_value": 100, "step": 7}}' \
    >"$SCRATCH/w.json"
few=(--games 32 --verdict-games 0 --seats 16)
expect 'an INI file' 0 '*Tuned fake: A * (from 20)*they have not met in a test*' \
    "$FALCONER" coevolve --engine "cmd=$fake name=fake depth=1" -f "$SCRATCH/a.ini" "${few[@]}" -o "$SCRATCH/ini"
expect "weather-factory's file" 0 '*Tuned fake: A * (from 50), B * (from 50)*' \
    "$FALCONER" coevolve --engine "cmd=$fake name=fake depth=1" -f "$SCRATCH/w.json" "${few[@]}" -o "$SCRATCH/json"
expect 'further from what came out' 0 '*Tuned fake*' \
    "$FALCONER" coevolve --engine "cmd=$fake name=fake depth=1" -f "$SCRATCH/one/tuned.ini" "${few[@]}" -o "$SCRATCH/further"
expect 'a warning for what changes nothing' 0 '*warning: Idle: in 8 positions the engine thinks the same*' \
    "$FALCONER" coevolve --engine "cmd=$fake name=fake depth=1" --tune A:0:100 --tune Idle:0:9 "${few[@]}" -o "$SCRATCH/idle"
expect 'a grid of two candidates' 0 '*Tuned fake: A *' \
    "$FALCONER" coevolve --engine "cmd=$fake name=fake depth=1" --tune A:0:100:100 "${few[@]}" -o "$SCRATCH/grid"
expect 'two values, not one' 0 '*Verdict*' "$FALCONER" coevolve --resume "$SCRATCH/grid"

# Killed again and again, a run plays the same games.
export FAKE_ENGINE_PIDS=$SCRATCH/pids
count_engines() { # that live: a dead one that nobody has waited for has no program any more
    local pid count=0
    while read -r pid; do [[ $(readlink "/proc/$pid/exe") == "$fake" ]] && ((++count)); done <"$SCRATCH/pids"
    echo $count
}
count_games() { if [[ -e $SCRATCH/killed/games.jsonl ]]; then wc -l <"$SCRATCH/killed/games.jsonl"; else echo 0; fi; }
kill_when() { # SIGNAL GAMES COMMAND...: runs until so many games are written
    local signal=$1 games=$2 pid
    "${attended[@]}" "${@:3}" >"$SCRATCH/killed.log" 2>&1 </dev/null &
    pid=$!
    while kill -0 $pid 2>/dev/null && (($(count_games) < games)); do sleep 0.02; done
    kill "-$signal" $pid 2>/dev/null
    wait $pid 2>/dev/null
    rc=$?
}
kill_when KILL 20 "$FALCONER" coevolve --engine "cmd=$fake name=fake depth=1" "${short[@]}" -c 2 -o "$SCRATCH/killed"
no_engine_runs() { (($(count_engines) == 0)); }
soon no_engine_runs
result 'no engine outlives a kill' $?
for games in 45 100 180 230; do
    kill_when KILL $games "$FALCONER" coevolve --resume "$SCRATCH/killed" -c 2
    # As a kill in the middle of a line; not where the last one was before that was cut off, nor where the kill came
    # after the last game.
    (($(count_games) < 256)) && [[ $(tail -c 1 "$SCRATCH/killed/games.jsonl") == '' ]] && printf '{"stage":"' >>"$SCRATCH/killed/games.jsonl"
done
expect 'resumed after kills' 0 '*Verdict*' "$FALCONER" coevolve --resume "$SCRATCH/killed"
cmp "$SCRATCH/one/games.jsonl" "$SCRATCH/killed/games.jsonl" && cmp <(grep -v command "$SCRATCH/one/tuned.json") <(grep -v command "$SCRATCH/killed/tuned.json")
result 'kills change nothing' $?
sed -i '3s/"white":"[0-9]*/"white":"77/' "$SCRATCH/killed/games.jsonl"
expect 'a log that was changed' 1 '*games.jsonl:3: this is not the game*' "$FALCONER" coevolve --resume "$SCRATCH/killed"

rm -rf "$SCRATCH/killed"
kill_when INT 10 "$FALCONER" coevolve --engine "cmd='$fake slow' name=fake depth=1" "${short[@]}" -c 2 -o "$SCRATCH/killed"
[[ $rc == 1 ]] && grep -q "stopped; falconer coevolve --resume $SCRATCH/killed goes on" "$SCRATCH/killed.log"
result 'Ctrl-C tells how to go on' $?
result 'no engine is left after it' "$(count_engines)"
result 'games in flight were ended' $(($(grep -c cancelled "$SCRATCH/killed/games.jsonl") == 0 ? 0 : 1))
done_testing
