#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# falconer match: fake engines that do everything wrong, and real ones where they are installed.
. tests/e2e/tap.sh || exit 1
fake=$(dirname "$FALCONER")/fake_engine
[[ -x $fake ]] || fake=build/obj/release-native/fake_engine
fake=$(realpath "$fake")
match() { expect "$1" "$2" "$3" "$FALCONER" match "${@:4}"; }
fakes() { # NAME RC PATTERN MODE ARGUMENTS...: a well-behaved fake against one in that mode
    match "$1" "$2" "$3" -engine "cmd=$fake" name=A -engine "cmd=$fake $4" name=B "${@:5}"
}
count_fakes() { # how many engines run that were started with our scratch folder as theirs
    local pid count=0
    for pid in $(pgrep -x fake_engine); do
        [[ $(readlink "/proc/$pid/cwd") == "$SCRATCH" ]] && ((++count))
    done
    echo $count
}

fakes 'a match from the start position' 0 \
    'Started game 1 of 4 (A vs B)*Started game 2 of 4 (B vs A)*Finished game 4 (B vs A): *{*}*Score of A vs B: * - * - *  \[0.???\] 4*Elo difference: * +/- *, LOS: * %, DrawRatio: * %*Ptnml(0-2): \[*\]*Faults of A: 0 time losses, 0 crashes, 0 stalls, 0 illegal moves*Faults of B: 0 time*' \
    '' -each depth=1 -rounds 2 -pgnout "$SCRATCH/a.pgn"
fakes 'the same games again with other concurrency' 0 '*' '' -each depth=1 -rounds 2 -concurrency 3 \
    -pgnout "$SCRATCH/b.pgn"
strip() { tr '\n' ' ' <"$1" | sed 's/{[^}]*}//g; s/\[Game[^]]*\]//g; s/\[Date[^]]*\]//g' | tr -s ' '; }
[[ $(strip "$SCRATCH/a.pgn") == "$(strip "$SCRATCH/b.pgn")" ]]
result 'concurrency changes no game' $?
expect 'our own reader finds only that the games are alike' 1 '*4 found, 0 cut, 0 skipped*problems: 3*' "$FALCONER" doctor "$SCRATCH/a.pgn"
grep -q '{[-+]*[0-9M.]*/1 [0-9.]*s' "$SCRATCH/a.pgn"
result 'comments have score, depth and time' $?

fakes 'openings, in random order' 0 '*Finished game 6*' '' -each depth=1 -rounds 3 -openings \
    file=tests/data/openings.epd format=epd order=random -srand 7 -pgnout "$SCRATCH/c.pgn" -repeat -recover
result 'each opening is played twice' $(($(grep -c '^\[FEN' "$SCRATCH/c.pgn") == 6 &&
    $(grep '^\[FEN' "$SCRATCH/c.pgn" | sort | uniq -c | grep -c '^ *2 ') == 3 ? 0 : 1))
fakes 'a longest game' 0 '*{Draw by adjudication: maximum length}*' '' -each depth=1 -maxmoves 3
fakes 'adjudicated draws' 0 '*{Draw by adjudication}*' '' -each depth=1 -draw movenumber=2 movecount=1 score=1000
fakes 'adjudicated losses' 0 '*wins by adjudication}*' '' -each depth=1 -resign movecount=1 score=0

fakes 'a crash costs one game' 0 '*Finished game 1 (A vs B): 1-0 {Black disconnects}*B: 0 time losses, 2 crashes*game 1: B: killed by signal 11*' \
    'crash 2' -each depth=1
fakes 'an illegal move costs one game' 0 '*{Black makes an illegal move}*1 illegal move*illegal move e1e5 in *' \
    'illegal 2' -each depth=1
# The other engine must not be late, however busy the machine: it has time enough.
fakes 'a hang costs one game' 0 "*{Black's connection stalls}*1 stall,*" 'hang 2' -each depth=1 -stall 5 -games 1
fakes 'closed output costs one game' 0 '*{Black disconnects}*closed its output*' 'close-output 2' -each depth=1 -games 1
match 'time runs out' 0 '*{Black loses on time}*1 time loss,*B: took * ms and had *' -engine "cmd=$fake" name=A tc=1000 \
    -engine "cmd=$fake late 150" name=B tc=0.2 -games 1
match 'time per move runs out' 0 '*{Black loses on time}*' -engine "cmd=$fake" name=A st=1000 \
    -engine "cmd=$fake late 250" name=B st=0.1 -games 1
fakes 'late within the margin' 0 '*B: 0 time losses*' 'late 5' -each st=0.001 timemargin=100000 -maxmoves 3
grep -q 'e1e5' "$SCRATCH"/*.pgn
result 'no illegal move is written' $(($? == 0 ? 1 : 0))

match 'no engines' 2 '*two -engine are needed*'
match 'no limit' 2 '*no limit: give tc=*' -engine "cmd=$fake" -engine "cmd=$fake"
match 'unknown flag' 2 '*did you mean -rounds*' -round 3
match 'unknown key' 2 '*unknown key*' -engine colour=red -engine cmd=x
match 'bad time control' 2 '*tc=2+x*expected*' -engine cmd=x -engine cmd=y -each tc=2+x
match 'no blank program' 2 '*cmd= has no value*' -engine 'cmd= ' -engine "cmd=$fake" -each depth=1
match 'words for all engines are given once' 2 '*-each: given twice*' -engine "cmd=$fake" -engine "cmd=$fake" \
    -each depth=1 -each option.Hash=1
match 'a draw after no moves' 2 "*-draw: '0': expected a whole number from 1*" -draw movenumber=1 movecount=0 score=5
match 'a random mover' 0 '*Score of random vs random (2)*' -resume "$SCRATCH/random" -rounds 2 \
    -engine weights=random -engine weights=random option.Seed=1 -each nodes=1
match 'no such weights' 1 '*no/such*' -engine weights=no/such -engine "cmd=$fake" -each depth=1
match 'an organism against an engine' 0 '*Score of hand vs B: 2 - 0 - 0*Faults of hand: 0 time*' \
    -engine weights=weights/maestro-hand.weights name=hand option.Hash=1 -engine "cmd=$fake" name=B -each nodes=2000
match 'no such engine' 1 '*cannot start*No such file*' -engine cmd=/no/such -engine "cmd=$fake" -each depth=1
match 'no such option' 1 "*A: it has no option 'Nope'*" -engine "cmd=$fake" name=A option.Nope=1 -engine "cmd=$fake" \
    -each depth=1
match 'no such openings' 1 '*missing.epd*' -engine "cmd=$fake" -engine "cmd=$fake" -each depth=1 -openings file=missing.epd
fakes 'an engine that always crashes ends the match' 1 '*exited with code 7*' crash-at-start -each depth=1 -rounds 500
match 'help' 0 'Usage: falconer match*Example:*' --help

# Ctrl-C: the engines go, the score so far is told, the exit code is 1.
"${attended[@]}" "$FALCONER" match -engine "cmd=$fake late 30" name=A -engine "cmd=$fake ignore-term" name=B -each depth=1 "dir=$SCRATCH" \
    -rounds 1000 -concurrency 2 -maxmoves 2 >"$SCRATCH/out" 2>&1 </dev/null &
pid=$!
soon grep -q 'Finished game 4' "$SCRATCH/out"
kill -INT $pid
wait $pid
rc=$?
[[ $rc == 1 && $(tail -n 1 "$SCRATCH/out") == 'Stopped after '*' of 2000 games' ]] && grep -q '^Score of A vs B' "$SCRATCH/out"
result 'interrupted' $?
result 'no engine is left after an interrupt' "$(count_fakes)"
rm "$SCRATCH/out" # or the lines of the match before would be taken for those of this one
"${attended[@]}" "$FALCONER" match -engine weights=weights/maestro-hand.weights -engine weights=weights/maestro-hand.weights \
    -each depth=1 -rounds 1000000 >"$SCRATCH/out" 2>&1 </dev/null &
pid=$!
soon grep -q 'Finished game 4' "$SCRATCH/out"
kill -INT $pid
soon is_gone $pid
kill -KILL $pid 2>/dev/null
wait $pid
result 'organisms whose searches are short are interrupted too' $(($? == 1 ? 0 : 1))
"$FALCONER" match -engine "cmd=$fake hang" -engine "cmd=$fake ignore-term" -each depth=1 "dir=$SCRATCH" \
    >"$SCRATCH/out" 2>&1 </dev/null &
pid=$!
disown $pid
fakes_are() { (($(count_fakes) == $1)); }
soon fakes_are 2
result 'two engines run' $?
kill -KILL $pid
soon fakes_are 0
result 'no engine is left after a kill' $?

# An engine behind a script, with a daemon that left the group: nothing of it is left, however we end.
printf '#!/bin/sh\n"%s" daemon\nexit 0\n' "$fake" >"$SCRATCH/wrapper"
chmod +x "$SCRATCH/wrapper"
count_told() { # how many processes are alive of those that the engines told of
    local pid count=0
    while read -r pid; do
        if [[ -e /proc/$pid ]] && ! grep -q '^State:.*Z' "/proc/$pid/status" 2>/dev/null; then ((++count)); fi
    done <"$SCRATCH/pids"
    echo $count
}
none_is_left() { (($(count_told) == 0)); }
for signal in INT TERM KILL; do
    : >"$SCRATCH/pids"
    "${attended[@]}" FAKE_ENGINE_PIDS="$SCRATCH/pids" "$FALCONER" match -engine "cmd=$SCRATCH/wrapper" name=A -engine "cmd=$fake hang" name=B \
        -each depth=1 >"$SCRATCH/out" 2>&1 </dev/null &
    pid=$!
    [[ $signal == KILL ]] && disown $pid
    while kill -0 $pid 2>/dev/null && (($(wc -l <"$SCRATCH/pids") < 3)); do sleep 0.05; done
    result "SIG$signal: three processes run" $(($(count_told) == 3 ? 0 : 1))
    kill -$signal $pid
    soon none_is_left
    result "SIG$signal: none of them is left" $?
done

# Stopped for longer than an engine has time: games against the clock are played again, others go on.
slow=(match -engine "cmd=$fake late 100" name=A -engine "cmd=$fake late 100" name=B -rounds 3 -maxmoves 8)
"$FALCONER" "${slow[@]}" -each depth=1 >"$SCRATCH/left-alone" 2>&1 </dev/null &
signals=(STOP TSTP STOP) limits=('st=10' 'tc=10+1' 'depth=1 -stall 10') pids=()
for i in "${!limits[@]}"; do
    # shellcheck disable=SC2086 # several words
    "$FALCONER" "${slow[@]}" -each ${limits[i]} >"$SCRATCH/stopped-$i" 2>&1 </dev/null &
    pids+=($!)
done
stop_for_long() { # SIGNAL PID OUTPUT: in the third game
    while kill -0 "$2" 2>/dev/null && ! grep -qs 'Finished game 2' "$3"; do sleep 0.02; done
    kill "-$1" "$2"
    sleep 12 # longer than there is for a move
    kill -CONT "$2"
}
for i in "${!limits[@]}"; do stop_for_long "${signals[i]}" "${pids[i]}" "$SCRATCH/stopped-$i" & done
wait
for i in "${!limits[@]}"; do
    cmp <(grep Finished "$SCRATCH/left-alone") <(grep Finished "$SCRATCH/stopped-$i")
    result "SIG${signals[i]} with ${limits[i]}: the same games in the same order" $?
    grep -q '^Note: game . was restarted' "$SCRATCH/stopped-$i"
    result "SIG${signals[i]} with ${limits[i]}: restarted only against the clock" $(($? == (i == 2 ? 1 : 0) ? 0 : 1))
done

versus() { # ENGINE WORDS...: a short game against another real engine
    local name=$1
    if [[ ! -x /usr/games/$name || ! -x /usr/games/stockfish ]]; then
        skip "a game against $name" 'not installed'
        return
    fi
    match "a game against $name" 0 "*Faults of $name: 0 time losses, 0 crashes, 0 stalls, 0 illegal moves*" \
        -engine cmd=/usr/games/stockfish "option.Skill Level=0" -engine "cmd=/usr/games/$name" "name=$name" "${@:2}" \
        -each depth=4 -maxmoves 60 -openings file=tests/data/openings.epd -concurrency 2
}
versus_organism() { # ENGINE WORDS...: an XBoard engine against an organism inside the process
    local name=$1
    if [[ ! -x /usr/games/$name ]]; then
        skip "a game against $name" 'not installed'
        return
    fi
    match "a game against $name" 0 "*Faults of $name: 0 time losses, 0 crashes, 0 stalls, 0 illegal moves*" \
        -engine weights=weights/maestro-hand.weights name=hand depth=3 -engine "cmd=/usr/games/$name" "name=$name" \
        proto=xboard "${@:2}" -maxmoves 12 -concurrency 2
}
versus_organism sjeng depth=3 -openings file=tests/data/openings.epd
versus_organism hoichess depth=3 -openings file=tests/data/openings.epd
versus_organism fairymax depth=3
versus_organism phalanx arg=-b- tc=5+0.2 timemargin=100000
match 'an XBoard engine that has no depth' 1 '*B: does not know depth=*' -engine "cmd=$fake" name=A \
    -engine "cmd=${fake%engine}xboard no-sd" name=B proto=xboard -each depth=1
match 'no nodes for XBoard engines' 1 '*no limit by nodes*' -engine "cmd=$fake" name=A -engine "cmd=${fake%engine}xboard" \
    name=B proto=xboard -each nodes=5
match 'an XBoard engine resigns' 0 '*{Black resigns}*' -engine "cmd=$fake" name=A -engine "cmd=${fake%engine}xboard resign 2" \
    name=B proto=xboard -each depth=1
versus toga2 option.OwnBook=false
versus glaurung option.Threads=1
versus gnuchess arg=--uci option.OwnBook=false
done_testing
