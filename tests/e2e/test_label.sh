#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# falconer label: labels, the cache, interruptions, and engines that misbehave.
. tests/e2e/tap.sh || exit 1
fake=$(dirname "$FALCONER")/fake_engine
[[ -x $fake ]] || fake=build/obj/release-native/fake_engine
fake=$(realpath "$fake")
export XDG_CACHE_HOME=$SCRATCH/cache-home
export FAKE_ENGINE_PIDS=$SCRATCH/pids
positions=$SCRATCH/positions.epd
cat tests/data/openings.epd tests/data/mates.epd >"$positions"
made=$SCRATCH/made.epd
label() { expect "$1" "$2" "$3" "$FALCONER" label "${@:4}"; }
body() { sed '/^# label: /d' "$1"; } # FILE: without the header of labels
same() { cmp -s "$2" "$3"; result "$1" $?; } # NAME FILE FILE

all_are_gone() {
    local pid
    while read -r pid; do
        # A zombie of a process that is not ours to wait for is as good as gone.
        if kill -0 "$pid" 2>/dev/null && ! grep -q '^State:.*Z' "/proc/$pid/status" 2>/dev/null; then return 1; fi
    done <"$FAKE_ENGINE_PIDS"
}
# no_engines NAME: no process of any fake is alive, a moment after.
no_engines() {
    soon all_are_gone
    result "$1" $?
    : >"$FAKE_ENGINE_PIDS"
}

label 'everything is labelled' 0 '*148 positions asked in *, 0 known*148 lines labelled, 0 of them mates*' \
    "$positions" --mentor "cmd=$fake depth=1" -o "$SCRATCH/full.epd"
[[ $(grep -c '^[^#].* ce -\?[0-9]*; acd 1; pm [^;]*; c1 "Fake, depth 1";$' "$SCRATCH/full.epd") == 148 ]]
result 'each line has its label' $?
diff -q <(body "$SCRATCH/full.epd" | sed 's/ ce .*//') <(sed 's/ *$//' "$positions") >/dev/null
result 'what was there stands, in its order' $?
diff -q <(grep '^# label: ' "$SCRATCH/full.epd") - <<'END' >/dev/null && head -n 1 "$SCRATCH/full.epd" | grep -q '^# label: '
# label: Fake, depth 1
# label: options Hash=1, MultiPV=1, Number of Threads=1, OwnBook=false, Ponder=false
END
result 'a header tells how labels came about' $?
label 'the second time the cache knows' 0 '*0 positions asked*, 148 known*' \
    "$positions" --mentor "cmd=$fake depth=1" -o "$made"
same 'and gives the same file' "$made" "$SCRATCH/full.epd"
label 'relabelling replaces, and unpacks what it packed' 0 '*148 lines labelled*' \
    "$SCRATCH/full.epd" --mentor "cmd=$fake depth=1" -o "$SCRATCH/full.epd.zst" --no-cache
zstd -qdc "$SCRATCH/full.epd.zst" | cmp -s - "$SCRATCH/full.epd"
result 'packed output is the same file' $?
label 'packed input' 0 '*148 lines labelled*' "$SCRATCH/full.epd.zst" --mentor "cmd=$fake depth=1" -o "$made"
same 'gives the same file' "$made" "$SCRATCH/full.epd"
label 'mates are kept as mates' 0 '*148 of them mates*' "$positions" --mentor "cmd='$fake mates' depth=1" -o "$made"
grep -q ' ce -\?32[67][0-9]*; dm -\?[0-9]*; acd 1; pm ' "$made"
result 'mates have dm' $?
label 'further lines' 0 '*148 lines*' "$positions" --mentor "cmd=$fake depth=1" -o "$made" --multipv 3
grep -q ' c1 "Fake, depth 1"; c2 "[^ ]* -\?[0-9]*"; c3 "[^ ]* -\?[0-9]*";$' "$made"
result 'further lines are in c2 and c3' $?
label 'verbose tells what was set' 0 '*set: Hash=1, MultiPV=1, Number of Threads=1, OwnBook=false, Ponder=false*' \
    "$positions" --mentor "cmd=$fake depth=1" -o "$made" --verbose
no_engines 'no engine is left'

# Engines that misbehave: the labels are those of the good one.
for mode in 'crash 20' 'exit 33' 'orphan-crash 50' 'illegal 40' 'close-output 60' 'garbage 3' 'child' 'ignore-quit' 'ignore-term'; do
    label "$mode" 0 '*148 lines labelled*' "$positions" --mentor "cmd='$fake $mode' depth=1" -o "$made" --no-cache
    same "$mode: the same labels" "$made" "$SCRATCH/full.epd"
    no_engines "$mode: no process is left"
done
label 'hopeless positions are named' 1 \
    '*positions.epd:*: not labelled: asked twice: *exited with code 6 while thinking*written without a label*' \
    "$positions" --mentor "cmd='$fake poison' depth=1" -o "$made" --no-cache
[[ $(body "$made" | grep -vc ' ce ') -gt 2 && $(body "$made" | wc -l) == $(wc -l <"$positions") ]]
result 'and their lines are written' $?
label 'engines that never play by the rules' 1 '*failed 20 times in a row; the last time: *illegal move e1e5*nothing written*' \
    "$positions" --mentor "cmd='$fake illegal-always' depth=1" -o "$SCRATCH/none.epd" -j 1
[[ ! -e $SCRATCH/none.epd ]]
result 'nothing is written then' $?

# Interrupted at any moment, by any signal, the result is the same.
slow=(label "$positions" --mentor "cmd='$fake late 10' depth=1" --cache "$SCRATCH/kill.sqlite" -j 2)
for delay in 0.05 0.15 0.$((RANDOM % 4 + 1)) 0.$((RANDOM % 4 + 1)) 0.$((RANDOM % 4 + 1)); do
    "$FALCONER" "${slow[@]}" -o "$SCRATCH/killed.epd" >/dev/null 2>&1 &
    sleep "$delay"
    kill -9 $! 2>/dev/null
    wait $! 2>/dev/null
done
no_engines 'engines die with a killed falconer'
run "$FALCONER" "${slow[@]}" -o "$SCRATCH/killed.epd"
((rc == 0))
result 'it goes on after being killed' $?
same 'killed and resumed: the same file' "$SCRATCH/killed.epd" "$SCRATCH/full.epd"
slow=(label "$positions" --mentor "cmd=$fake depth=1" --cache "$SCRATCH/term.sqlite" -j 2)
# Each of two engines answers three times, and no more while there is that file.
export FAKE_ENGINE_HOLD=$SCRATCH/hold FAKE_ENGINE_LOG=$SCRATCH/told
touch "$FAKE_ENGINE_HOLD" "$FAKE_ENGINE_LOG"
were_asked() { (($(grep -c '^go' "$FAKE_ENGINE_LOG") >= $1)); }
"$FALCONER" "${slow[@]}" -o "$SCRATCH/term.epd" >"$SCRATCH/said" 2>&1 &
soon were_asked 8
rm "$FAKE_ENGINE_LOG"
kill -TERM $!
wait $!
rc=$?
[[ $rc == 1 && $(<"$SCRATCH/said") == *'stopped with '*' of 148 positions labelled; nothing written'*'the same command again'* ]]
result 'SIGTERM: it says how to go on' $?
rm "$FAKE_ENGINE_HOLD"
unset FAKE_ENGINE_HOLD FAKE_ENGINE_LOG
no_engines 'SIGTERM: no engine is left'
run "$FALCONER" "${slow[@]}" -o "$SCRATCH/term.epd"
[[ $rc == 0 && $out != *', 0 known'* ]]
result 'SIGTERM: what was labelled is known' $?
same 'SIGTERM: the same file' "$SCRATCH/term.epd" "$SCRATCH/full.epd"
two=(label "$positions" --mentor "cmd='$fake late 1' depth=1" --cache "$SCRATCH/two.sqlite" -j 1)
"$FALCONER" "${two[@]}" -o "$SCRATCH/two-a.epd" >/dev/null 2>&1 &
run "$FALCONER" "${two[@]}" -o "$SCRATCH/two-b.epd"
wait $! && cmp -s "$SCRATCH/two-a.epd" "$SCRATCH/full.epd" && cmp -s "$SCRATCH/two-b.epd" "$SCRATCH/full.epd"
result 'two at once share a cache' $?

# A cache that cannot grow, as on a full disk: labels go to the output. (The output is packed, so that it may grow.)
head -n 400 data/mentor-test.epd >"$SCRATCH/many.epd"
run "$FALCONER" label "$SCRATCH/many.epd" --mentor "cmd=$fake depth=1" -o "$SCRATCH/free.epd.zst" --no-cache
# shellcheck disable=SC2016 # $@ is for the inner shell
small_files=(bash -c 'trap "" XFSZ; ulimit -f 32; exec "$@"' _)
expect 'a full disk: labelling goes on' 0 '*the cache cannot be used: *labelling goes on*400 lines labelled*'"$SCRATCH/full.epd.zst alone"'*' \
    "${small_files[@]}" "$FALCONER" label "$SCRATCH/many.epd" --mentor "cmd=$fake depth=1" -o "$SCRATCH/full.epd.zst" --cache "$SCRATCH/full.sqlite"
[[ $(grep -c 'labelling goes on' <<<"$err") == 1 ]]
result 'a full disk: it is told once' $?
same 'a full disk: every label is in the output' "$SCRATCH/full.epd.zst" "$SCRATCH/free.epd.zst"
"${small_files[@]}" "$FALCONER" label "$SCRATCH/many.epd" --mentor "cmd='$fake hang 350' depth=1" -j 1 --stall 600 \
    -o "$SCRATCH/part.epd.zst" --cache "$SCRATCH/part.sqlite" >"$SCRATCH/said" 2>&1 &
until grep -q 'labelling goes on' "$SCRATCH/said" || ! kill -0 $! 2>/dev/null; do sleep 0.1; done
kill -TERM $!
wait $!
rc=$?
[[ $rc == 1 && $(<"$SCRATCH/said") == *'stopped with '*' of them are not in the cache: wrote '*part.epd.zst*' lines without a label'* ]]
result 'a full disk: what was labelled is written when it stops' $?
zstd -qdc "$SCRATCH/part.epd.zst" >"$SCRATCH/part.epd"
asked=$(sed -n 's/.*stopped with \([0-9]*\) of.*/\1/p' "$SCRATCH/said")
[[ $asked -gt 0 && $(body "$SCRATCH/part.epd" | wc -l) == 400 && $(grep -c ' ce ' "$SCRATCH/part.epd") == "$asked" ]]
result 'a full disk: all of it' $?
no_engines 'a full disk: no engine is left'

# What cannot be done is said before anything is asked.
good="cmd=$fake depth=1"
label 'no mentor' 2 '*either --mentor or --static is needed*' "$positions" -o "$made"
label 'no output' 2 '*--output is needed*' "$positions" --mentor "$good"
label 'no limit' 1 '*no limit: give depth=, nodes= or st=*' "$positions" --mentor "cmd=$fake" -o "$made"
label 'no such option' 1 "*no option 'Hush': did you mean 'Hash'?*" "$positions" --mentor "$good option.Hush=1" -o "$made"
label 'a value out of range' 1 "*'Hash' goes from 1 to 1024*" "$positions" --mentor "$good option.Hash=4096" -o "$made"
label 'no such engine' 1 '*cannot start*No such file*' "$positions" --mentor 'cmd=/no/such/engine depth=1' -o "$made"
label 'an engine that ends at once' 1 '*exited with code 7 during the handshake*' "$positions" \
    --mentor "cmd='$fake crash-at-start' depth=1" -o "$made"
label 'a folder that is not there' 1 '*no-such-folder*' "$positions" --mentor "$good" -o "$SCRATCH/no-such-folder/x.epd"
echo 'rubbish' >"$SCRATCH/rubbish.sqlite"
label 'a cache that is none' 1 '*rubbish.sqlite: damaged, or no cache of labels*' "$positions" \
    --mentor "$good" -o "$made" --cache "$SCRATCH/rubbish.sqlite"
sed '7s/ [wb] / x /' "$positions" >"$SCRATCH/bad.epd"
label 'a bad line' 1 '*bad.epd:7: *' "$SCRATCH/bad.epd" --mentor "$good" -o "$made"

# Without a search: the error of the weights that labelled is 0.
label 'static' 0 '*lines labelled*' "$positions" --static weights/maestro-hand.weights -o "$SCRATCH/static.epd"
run "$FALCONER" score --weights weights/maestro-hand.weights --data "$SCRATCH/static.epd"
[[ $rc == 0 && $out == *' 0.00'* ]]
result 'static labels are what the weights think' $?
{ echo '# above'; head -n 4 "$positions"; printf '\n  # between \n'; tail -n 4 "$positions"; echo '# below'; } >"$SCRATCH/remarks.epd"
label 'static: a file with comments' 0 '*lines labelled*' "$SCRATCH/remarks.epd" --static falcon.weights -o "$SCRATCH/static-remarks.epd"
label 'the same by an engine' 0 '*lines labelled*' "$SCRATCH/remarks.epd" --mentor "cmd=$fake depth=1" -o "$SCRATCH/asked-remarks.epd"
diff -q <(body "$SCRATCH/static-remarks.epd" | sed 's/ ce .*//') <(body "$SCRATCH/asked-remarks.epd" | sed 's/ ce .*//') >/dev/null &&
    [[ $(body "$SCRATCH/static-remarks.epd" | grep -c '^# ') == "$(grep -c '^ *# ' "$SCRATCH/remarks.epd")" ]]
result 'static: comments stay, as with an engine' $?
digest=$("$FALCONER" weights show falcon.weights | sed -n 's/^family .* digest //p')
grep -qx "# label: weights falcon.weights, family falcon 1, digest $digest" "$SCRATCH/static-remarks.epd"
result 'static: the header names the weights' $?
label 'static: positions that come with the program' 0 '*5000 lines labelled*' mentor-test.epd --static falcon.weights -o "$SCRATCH/bundled.epd"
label 'static: a bad line' 1 '*bad.epd:7: *' "$SCRATCH/bad.epd" --static weights/maestro-hand.weights -o "$made"

# Eyas: its labels tell profile, depth and weights, and the cache tells all of these apart.
eyas=$(realpath "$EYAS")
mkdir -p "$SCRATCH/data/weights"
cp weights/maestro-hand.weights "$SCRATCH/data/weights/mine.weights"
export FALCONER_DATA=$SCRATCH/data
# by_eyas NAME PATTERN WORDS: labels a few positions, with one cache for all.
by_eyas() {
    label "$1" 0 "$2" tests/data/mates.epd --mentor "cmd=$eyas depth=2 arg=--weights arg=mine.weights $3" --cache "$SCRATCH/eyas.sqlite" -o "$made"
}
digest=$("$FALCONER" weights show mine.weights | sed -n 's/^family .* digest //p')
by_eyas 'Eyas with a profile' '*9 positions asked*' option.Profile=papers
diff -q <(grep '^# label: ' "$made") - <<END >/dev/null
# label: $("$EYAS" --version | sed 's/^eyas/Eyas/') (mine), depth 2, Profile=papers
# label: profile papers
# label: weights mine.weights, family maestro 1, digest $digest
# label: options Hash=1, MultiPV=1, OwnBook=false, Ponder=false, Profile=papers, Threads=1
END
result 'the header has profile, depth and weights' $?
by_eyas 'Eyas without one' '*9 positions asked*' ''
grep -qx '# label: profile modern' "$made"
result 'the header has the default' $?
by_eyas 'a part of the search, then all' '*9 positions asked*' 'option.LateMovePruning=false option.Profile=modern'
by_eyas 'all, then a part of it' '*9 positions asked*' 'option.Profile=modern option.LateMovePruning=false'
by_eyas 'known again' '*0 positions asked*, 9 known*' 'option.Profile=modern option.LateMovePruning=false'
by_eyas 'another weight' '*9 positions asked*' option.PAWN_VALUE=90
grep '^# label: weights mine.weights, family maestro 1, digest ' "$made" | grep -qv "$digest"
result 'the header has the weights as they are played' $?
by_eyas 'weights by an option' '*9 positions asked*' option.EvalFile=maestro-hand.weights
grep -qx "# label: weights maestro-hand.weights, family maestro 1, digest $digest" "$made"
result 'the header has those' $?
sed -i 's/^PAWN_VALUE .*/PAWN_VALUE 90/' "$SCRATCH/data/weights/mine.weights"
by_eyas 'other weights under the same name' '*9 positions asked*' option.Profile=papers
unset FALCONER_DATA

# A mentor whose scores say nothing of who is to move is told of; as is that nobody looked.
head -n 1000 data/mentor-test.epd >"$SCRATCH/thousand.epd"
label 'scores that favour the side to move' 0 '*warning: these scores favour the side to move by an amount that varies by * centipawns (*1000 lines*' \
    "$SCRATCH/thousand.epd" --mentor "cmd=$fake depth=1" -o "$made"
[[ $(grep -c 'warning' <<<"$err") == 1 ]] && grep -q '^# label: tempo -\?[0-9.]* cp, varying by [0-9.]* ([0-9.]* to [0-9.]*) cp, .* in [0-9]* quiet positions$' "$made"
result 'are in the header too' $?
label 'relabelled from the cache' 0 '*0 positions asked*1000 known*' "$made" --mentor "cmd=$fake depth=1" -o "$SCRATCH/twice.epd"
same 'gives the same file, with its tempo' "$SCRATCH/twice.epd" "$made"
label 'not looked at' 0 '*1000 lines*' "$SCRATCH/thousand.epd" --mentor "cmd=$fake depth=1" -o "$made" --tempo-pairs 0
[[ $err != *warning* ]] && ! grep -q tempo "$made"
result 'nothing is said' $?

if [[ -x /usr/games/toga2 ]]; then
    label 'a real engine finds the mates' 0 '*9 lines labelled, * of them mates*' tests/data/mates.epd \
        --mentor 'cmd=/usr/games/toga2 depth=6' -o "$made" --no-cache
    [[ $(grep -c 'bm \([^;]*\);.* ce 32766; dm 1; acd [0-9]*; pm \1; c1 "Toga II' "$made") -ge 4 ]]
    result 'mates in one are the best moves of the file' $?
    label 'the example of --help' 0 '*139 lines labelled*' tests/data/openings.epd \
        --mentor "cmd=/usr/games/toga2 depth=2" -o "$SCRATCH/labelled.epd"
    grep -v '^#' tests/data/openings.epd | tac >"$SCRATCH/reversed.epd"
    run "$FALCONER" label "$SCRATCH/reversed.epd" --mentor 'cmd=/usr/games/toga2 depth=2' -o "$made" --no-cache -j 1
    body "$made" | tac | cmp -s - <(grep -v '^#' "$SCRATCH/labelled.epd")
    result 'labels do not depend on order or concurrency' $?
else
    skip 'a real engine' 'toga2 is not installed'
fi
no_engines 'no engine is left at the end'
done_testing
