#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# falconer evolve, score and optimum: the same bytes however a run goes, and refusals a user can act on.
. tests/e2e/tap.sh || exit 1
if [[ ! -e data/mentor-train.toga2.epd.zst ]]; then
    skip 'evolution from a mentor' 'data/mentor-train.toga2.epd.zst is not there'
    done_testing
    exit 0
fi
FALCONER=$(realpath "$FALCONER")
data=$PWD/data
test_set=$data/mentor-test.toga2.epd.zst
# Runs long enough to be killed in.
size=(--population "$(sized 2000 200)" --generations "$(sized 500 150)") small=(--population 200 --generations 100 --no-optimum)
long=(evolve gecco2008 "${size[@]}" --no-optimum)
evolve() { expect "$1" "$2" "$3" "$FALCONER" evolve "${@:4}"; }
# same NAME DIR DIR: two runs are the same bytes but for what may differ.
same() { diff -rq -x timings.csv -x checkpoint.previous -x test-readings.jsonl "$2" "$3" >"$SCRATCH/diff"; result "$1" $?; }
absent() { [[ ! -e $2 ]]; result "$1" $?; } # NAME PATH

# start DIR LINES COMMAND...: starts a run in the background and waits until its log has LINES lines
# more; leaves its process in $pid.
start() {
    local log=$1/log.jsonl before=0 wanted=$2
    [[ -e $log ]] && before=$(wc -l <"$log")
    "${attended[@]}" "$FALCONER" "${@:3}" >"$SCRATCH/said" 2>&1 </dev/null &
    pid=$!
    while kill -0 $pid 2>/dev/null && (($(grep -c '' "$log" 2>/dev/null) + 0 < before + wanted)); do sleep 0.01; done
}
# stop SIGNAL: ends what was started; leaves its exit code in $rc.
stop() {
    kill "-$1" $pid 2>/dev/null
    wait $pid 2>/dev/null
    rc=$?
}
# interrupt SIGNAL DIR OPTIONS...: begins a run and ends it before it is over; once more where the machine
# was so busy that it came too late.
interrupt() {
    local tries
    for ((tries = 0; tries < TRIES; tries++)); do
        rm -rf "$2"
        start "$2" 5 "${long[@]}" -o "$2" "${@:3}"
        stop "$1"
        [[ -e $2/best.weights ]] || return
    done
}
# interrupt_twice DIR: a run with two checkpoints that is not over.
interrupt_twice() {
    local tries
    for ((tries = 0; tries < TRIES; tries++)); do
        interrupt TERM "$1"
        start "$1" 5 evolve --no-optimum --resume "$1"
        stop TERM
        [[ -e $1/best.weights ]] || return
    done
}

# --- a run, whole ---

evolve 'a run and how far it is from the optimum' 0 \
    '*Training error: *Test error: *Certified optimum: *Above the optimum: *Written to *' \
    gecco2008 --population 200 --generations 100 -o "$SCRATCH/optimum"
expect 'a run' 0 '*Training error: *Test error: *Written to *' "$FALCONER" "${long[@]}" -o "$SCRATCH/whole"
[[ -z $err && $out != *$'\r'* && $out != *$'\033'* ]]
result 'is quiet where no terminal is' $?
for file in config.ini log.jsonl genes.csv population.csv best.weights checkpoint report.html report.txt results.jsonl timings.csv; do
    [[ -s $SCRATCH/whole/$file ]] || break
done
result 'leaves its files' $?
for threads in 1 7; do
    run "$FALCONER" "${long[@]}" -o "$SCRATCH/threads-$threads" -t $threads
    same "$threads threads: the same bytes" "$SCRATCH/whole" "$SCRATCH/threads-$threads"
done
cp -r "$SCRATCH/whole" "$SCRATCH/flipped"
sed -i '3s/"best":./&7/' "$SCRATCH/flipped/log.jsonl"
evolve 'a log that was damaged is told' 1 '*flipped/log.jsonl:3: this line is damaged*' --resume "$SCRATCH/flipped"
error=$(sed -n 's/^# error: .* \([0-9.]*\) on the test set$/\1/p' "$SCRATCH/whole/best.weights")
expect 'score agrees with the run' 0 "*error $(printf %.2f "$error") +- * centipawns over *" \
    "$FALCONER" score --weights "$SCRATCH/whole/best.weights" --data mentor-white-test.toga2.epd.zst
if command -v script >/dev/null; then
    script -qec "'$FALCONER' ${long[*]} -o '$SCRATCH/seen'" /dev/null >"$SCRATCH/typescript" 2>&1 </dev/null
    grep -q ' of [0-9]* generations, .* a second, .* left  best [0-9.]*, mean [0-9.]*, held-out [0-9.]*' "$SCRATCH/typescript"
    result 'a terminal sees how it goes' $?
    same 'and that changes nothing' "$SCRATCH/whole" "$SCRATCH/seen"
    script -qec "'$FALCONER' evolve gecco2008 --population 1000 --generations $(sized 1000 100) --no-optimum --runs 2 -o '$SCRATCH/two'" /dev/null >"$SCRATCH/typescript" 2>&1 </dev/null
    grep -q ' of 2,\?00\?0 generations, .* left .*, run 2 of 2' "$SCRATCH/typescript"
    result 'of several runs it sees them all' $?
    script -qec "'$FALCONER' evolve gecco2008 ${small[*]} -q -o '$SCRATCH/silent'" /dev/null >"$SCRATCH/typescript" 2>&1 </dev/null
    ! grep -q ' a second, ' "$SCRATCH/typescript" && [[ -s $SCRATCH/silent/best.weights ]]
    result '-q shows no progress' $?
else
    skip 'a terminal sees how it goes' 'there is no script command'
fi

# --- files of the user's ---

mkdir "$SCRATCH/mine"
for file in best.weights log.jsonl report.html population.csv notes.txt; do echo "$file" >"$SCRATCH/mine/$file"; done
evolve 'a folder with files in the way' 1 '*mine holds best.weights, log.jsonl, population.csv, report.html, which a new run *write over*' \
    gecco2008 "${small[@]}" -o "$SCRATCH/mine"
[[ $(cd "$SCRATCH/mine" && cat -- *) == $'best.weights\nlog.jsonl\nnotes.txt\npopulation.csv\nreport.html' ]]
result 'stays as it is' $?

# --- stopped and killed ---

start "$SCRATCH/killed" $((RANDOM % 60 + 1)) "${long[@]}" -o "$SCRATCH/killed"
stop KILL
for _ in 1 2 3; do
    start "$SCRATCH/killed" $((RANDOM % 150 + 1)) evolve --no-optimum --resume "$SCRATCH/killed"
    stop KILL
done
# Files of the user's, and one such as a killed process leaves.
theirs=(checkpoint.backup best.weights.seed01 report.html.mine01 config.ini.before)
for file in "${theirs[@]}" checkpoint.falconer-abcdef.tmp; do echo "$file" >"$SCRATCH/killed/$file"; done
evolve 'it goes on after being killed' 0 '*Written to *' --no-optimum --resume "$SCRATCH/killed"
absent 'a temporary file of a killed process is removed' "$SCRATCH/killed/checkpoint.falconer-abcdef.tmp"
for file in "${theirs[@]}"; do [[ $(<"$SCRATCH/killed/$file") == "$file" ]] || break; done
result 'files of the user stay' $?
(cd "$SCRATCH/killed" && rm -f "${theirs[@]}")
same 'killed and resumed: the same bytes' "$SCRATCH/whole" "$SCRATCH/killed"
for signal in INT TERM HUP; do
    interrupt $signal "$SCRATCH/$signal"
    [[ $rc == 1 && $(<"$SCRATCH/said") == *"stopped; falconer evolve --resume $SCRATCH/$signal goes on"* ]]
    result "SIG$signal: it says how to go on" $?
    [[ -s $SCRATCH/$signal/population.csv && -s $SCRATCH/$signal/checkpoint && ! -e $SCRATCH/$signal/best.weights ]]
    result "SIG$signal: what was done is kept" $?
    run "$FALCONER" evolve --no-optimum --resume "$SCRATCH/$signal"
    same "SIG$signal: the same bytes" "$SCRATCH/whole" "$SCRATCH/$signal"
done
before=$(stat -c %Y.%i "$SCRATCH/INT/checkpoint")
evolve 'a finished run is reported again' 0 '*Training error: *' --no-optimum --resume "$SCRATCH/INT"
[[ $before == "$(stat -c %Y.%i "$SCRATCH/INT/checkpoint")" ]]
result 'and not run again' $?
for delay in 0.01 0.03 0.1; do
    timeout -s INT $delay "${attended[@]}" "$FALCONER" "${long[@]}" -o "$SCRATCH/early-$delay" >/dev/null 2>&1
    [[ ! -e $SCRATCH/early-$delay ]] || "$FALCONER" evolve --no-optimum --resume "$SCRATCH/early-$delay" >/dev/null
    result "Ctrl-C after $delay s leaves nothing, or a run that goes on" $?
done

(
    trap '' HUP
    start "$SCRATCH/nohup" 5 "${long[@]}" -o "$SCRATCH/nohup"
    stop HUP
    exit $rc
)
result 'under nohup a run outlives its terminal' $?

interrupt INT "$SCRATCH/older"
rm "$SCRATCH/older/genes.csv"
evolve 'a run of an earlier version, without genes.csv, goes on' 0 '*Written to *' --no-optimum --resume "$SCRATCH/older"
[[ $(head -1 "$SCRATCH/older/genes.csv") == "$(head -1 "$SCRATCH/whole/genes.csv")" &&
    $(tail -3 "$SCRATCH/older/genes.csv") == "$(tail -3 "$SCRATCH/whole/genes.csv")" ]]
result 'and keeps the genes from there on' $?
same_but_genes() { diff -rq -x genes.csv -x 'report.*' -x timings.csv -x checkpoint.previous -x test-readings.jsonl "$1" "$2"; }
same_but_genes "$SCRATCH/whole" "$SCRATCH/older"
result 'its other files, but for the reports that show them, are the same bytes' $?
awk -F, 'NR > 1 { if ($2 != substr("best mean deviation", (NR - 2) % 3 == 0 ? 1 : (NR - 2) % 3 == 1 ? 6 : 11, (NR - 2) % 3 == 2 ? 9 : 4)) exit 1
    if ($1 != int((NR - 2) / 3)) exit 1 }' "$SCRATCH/whole/genes.csv"
result 'genes.csv has best, mean and deviation of each generation' $?

several=(evolve gecco2008 "${small[@]}" --runs 3)
run "$FALCONER" "${several[@]}" -o "$SCRATCH/three"
[[ $rc == 0 && $out == *'Independent runs'*'best '*'median '*'worst '*'mean '*'deviation '* ]]
result 'three runs: best, median, worst, mean, deviation' $?
start "$SCRATCH/three-killed/run-03" 5 "${several[@]}" -o "$SCRATCH/three-killed"
stop KILL
run "$FALCONER" evolve --no-optimum --resume "$SCRATCH/three-killed"
same 'three runs killed in the third: the same bytes' "$SCRATCH/three" "$SCRATCH/three-killed"

# --- no room ---

(ulimit -f 4 && "$FALCONER" "${long[@]}" -o "$SCRATCH/limited" >"$SCRATCH/said" 2>&1)
rc=$?
[[ $rc == 1 && $(<"$SCRATCH/said") == *"limited/"*": "*"File too large"* ]]
result 'a limit on sizes is told' $?
run "$FALCONER" evolve --no-optimum --resume "$SCRATCH/limited"
same 'with room made: the same bytes' "$SCRATCH/whole" "$SCRATCH/limited"
mkdir "$SCRATCH/disk"
if mount -t tmpfs -o size=28k tmpfs "$SCRATCH/disk" 2>/dev/null; then
    evolve 'a full disk is told' 1 '*disk/run/*: *No space left on device*' "${long[@]:1}" -o "$SCRATCH/disk/run"
    mount -o remount,size=16m "$SCRATCH/disk"
    run "$FALCONER" evolve --no-optimum --resume "$SCRATCH/disk/run"
    same 'with room made on the disk: the same bytes' "$SCRATCH/whole" "$SCRATCH/disk/run"
    mount -o remount,ro "$SCRATCH/disk"
    evolve 'a disk that cannot be written' 1 '*disk/other cannot be written*Read-only file system*' gecco2008 -o "$SCRATCH/disk/other"
    umount "$SCRATCH/disk"
else
    skip 'a full disk' 'no file system can be mounted here'
fi

# --- runs that cannot go on ---

interrupt_twice "$SCRATCH/damaged"
cp -r "$SCRATCH/damaged" "$SCRATCH/other-version"
printf '\377' | dd of="$SCRATCH/damaged/checkpoint" bs=1 seek=500 conv=notrunc status=none
evolve 'a damaged checkpoint' 1 '*checkpoint: damaged: its checksum is wrong; the checkpoint before it is of generation *: --previous goes on*' \
    --no-optimum --resume "$SCRATCH/damaged"
run "$FALCONER" evolve --no-optimum --resume "$SCRATCH/damaged" --previous
same 'the one before it: the same bytes' "$SCRATCH/whole" "$SCRATCH/damaged"
printf '\007' | dd of="$SCRATCH/other-version/checkpoint" bs=1 seek=20 conv=notrunc status=none
evolve 'a checkpoint of another version' 1 '*a checkpoint of version 7, where this program reads version 1*--previous*' \
    --no-optimum --resume "$SCRATCH/other-version"
for ((tries = 0; tries < TRIES; tries++)); do
    rm -rf "$SCRATCH/busy"
    start "$SCRATCH/busy" 5 "${long[@]}" -o "$SCRATCH/busy"
    kill -STOP $pid
    [[ -e $SCRATCH/busy/best.weights ]] || break
    stop CONT
done
evolve 'a run that another process works on' 1 '*busy: another process is working on this run*' --no-optimum --resume "$SCRATCH/busy"
evolve 'nor can it be begun again' 1 '*busy*' gecco2008 -o "$SCRATCH/busy"
kill -CONT $pid
wait $pid
same 'which is not disturbed' "$SCRATCH/whole" "$SCRATCH/busy"
evolve 'a directory that holds a run' 1 '*whole holds a run already: go on with it (--resume *), or name another*' \
    gecco2008 --seed 2 -o "$SCRATCH/whole"
same 'which is left alone' "$SCRATCH/whole" "$SCRATCH/busy"
zstd -qdc "$test_set" >"$SCRATCH/set.epd"
interrupt TERM "$SCRATCH/changed" --data "$SCRATCH/set.epd"
head -n 4000 "$SCRATCH/set.epd" >"$SCRATCH/part.epd" && mv "$SCRATCH/part.epd" "$SCRATCH/set.epd"
evolve 'a set that changed' 1 '*its checkpoint belongs to other data or settings*' --no-optimum --resume "$SCRATCH/changed"

# --- refused before anything is written ---

none=$SCRATCH/none
refuse() { evolve "$1" "$2" "$3" "${@:4}" -o "$none"; }
cut -d' ' -f1-4 "$SCRATCH/set.epd" >"$SCRATCH/unlabelled.epd"
refuse 'a set without labels' 1 '*none of the * positions has a score*falconer label*' gecco2008 --data "$SCRATCH/unlabelled.epd"
sed '7s/ [wb] / x /' "$SCRATCH/set.epd" >"$SCRATCH/bad.epd"
refuse 'a bad line' 1 '*bad.epd:7: *' gecco2008 --data "$SCRATCH/bad.epd"
refuse 'no such set' 1 '*no-such.epd: not here*' gecco2008 --data no-such.epd
refuse 'too small a set' 1 '*a sample of 1000 positions cannot be drawn from [1-5]; --sample 0*' gecco2008 \
    --data <(head -n 5 "$SCRATCH/set.epd")
sed 's/^family maestro/family kestrel/' weights/maestro-hand.weights >"$SCRATCH/kestrel.weights"
refuse 'weights of another family' 1 '*kestrel.weights:*kestrel*' gecco2008 --start "$SCRATCH/kestrel.weights"
printf '[run]\npopulaton = 5\n' >"$SCRATCH/typo.ini"
refuse 'a preset with an unknown key' 1 "*typo.ini:2: *'populaton' in section*did you mean 'population'*" "$SCRATCH/typo.ini"
printf '[algorithm]\npopulation = 0\n' >"$SCRATCH/zero.ini"
refuse 'a preset without a population' 1 '*zero.ini:2: population must be a whole number from 2 to 1000000, not ?0?*' "$SCRATCH/zero.ini"
refuse 'no such preset' 1 '*no-such.ini: not here, nor in */experiments*' no-such
refuse 'nearly a preset' 1 "*geco2008.ini: not here*did you mean 'gecco2008'*" geco2008
printf '[mentor]\nseed = 5\n' >"$SCRATCH/place.ini"
refuse 'a setting in the wrong section' 1 "*place.ini:2: setting 'seed' belongs in section [[]run], not in [[]mentor]*" "$SCRATCH/place.ini"
printf '[mentr]\nseed = 5\n' >"$SCRATCH/section.ini"
refuse 'nearly a section' 1 "*section.ini:2: there is no section [[]mentr]: did you mean 'mentor'*" "$SCRATCH/section.ini"
zstdcat "$test_set" >"$SCRATCH/unpacked.epd"
refuse 'a test of what was learned' 1 '*unpacked.epd holds the same as the training set (checksum *' gpem2010 --data "$test_set" \
    --test "$SCRATCH/unpacked.epd"
{ grep -m 30 -v '^#' "$SCRATCH/unpacked.epd" && zstdcat "$data/mentor-train.toga2.epd.zst" | head -n 70; } >"$SCRATCH/shared.epd"
evolve 'a test that shares positions is told' 0 '*evolve: 29 of * test positions are in the training set too: *' \
    gpem2010 --data "$test_set" --test "$SCRATCH/shared.epd" --generations 1 --no-optimum -o "$SCRATCH/sharing"
refuse 'a rate beyond 1' 2 '*crossover-rate must be a number from 0 to 1, not ?1.5?*' gecco2008 --crossover-rate 1.5
refuse 'an unknown setting' 2 "*'generatons'*did you mean 'generations'*" gecco2008 --generatons 5
refuse 'an unknown parameter' 1 "*freeze: there is no parameter 'PAWN_VALU': did you mean 'PAWN_VALUE'*" gecco2008 --freeze PAWN_VALU
refuse 'bounds beyond the family' 1 '*bounds: PAWN_VALUE must stay within*' gecco2008 --bounds PAWN_VALUE:-1:5000
refuse 'an algorithm for games' 1 '*cec2001 learns from games*' gecco2008 --algorithm cec2001
refuse 'a scaling for wins' 1 '*scaling raw takes no negative score*' gecco2008 --scaling raw
refuse 'mates clamped to nothing' 1 '*mates = clamp needs a limit*' gecco2008 --mates clamp
evolve 'a list in parts is one list, of other settings the last counts' 0 '*(2; 0 to *)*(A,B)*' gecco2008 --seed 1 --seed 2 --freeze A \
    --freeze B --settings
evolve 'nothing empties a list' 0 '*(B)*' gecco2008 --freeze A --freeze '' --freeze B --settings
evolve 'settings that apply, and what they may be' 0 '*--beyond *(drop; drop or clamp)*change nothing here: *play-nodes*' gecco2008 --settings
[[ $out != *--play-nodes* ]]
result 'and no others' $?
evolve 'settings for a run that has its own' 2 '*--resume takes its settings from the run*' --no-optimum --resume "$SCRATCH/whole" --seed 3
evolve 'flags for a run that has its own' 2 '*--resume takes its settings from the run*' --no-optimum --resume "$SCRATCH/whole" --tempo
evolve 'no run there' 1 '*none holds no run*' --resume "$none"
absent 'nothing was written' "$none"

# --- start where the user is ---

column() { head -n 1 "$1" | tr , '\n' | grep -n "^$2\$" | cut -d: -f1; } # FILE NAME
run "$FALCONER" evolve gecco2008 "${small[@]}" --start maestro-hand.weights --freeze PAWN_VALUE=100 \
    --bounds ROOK_VALUE:480:520 -o "$SCRATCH/some"
csv=$SCRATCH/some/population.csv
[[ $rc == 0 && $(cut -d, -f"$(column "$csv" PAWN_VALUE)" "$csv" | sort -u | tr '\n' ' ') == '100 PAWN_VALUE ' ]]
result 'what is frozen stays' $?
cut -d, -f"$(column "$csv" ROOK_VALUE)" "$csv" | awk 'NR > 1 && ($1 < 480 || $1 > 520) { bad = 1 } END { exit bad }'
result 'bounds hold' $?
run "$FALCONER" evolve gecco2008 "${small[@]}" --start maestro-hand.weights --only BISHOP_PAIR -o "$SCRATCH/only"
diff <(grep -v -e '^#' -e BISHOP_PAIR weights/maestro-hand.weights) <(grep -v -e '^#' -e BISHOP_PAIR "$SCRATCH/only/best.weights")
result 'only what is named evolves' $?
run "$FALCONER" evolve memetic "${small[@]}" --quiet-only --clamp 300 --beyond clamp -o "$SCRATCH/quiet"
[[ $rc == 0 && $out == *' of 5000 positions used, '*' beyond the limit clamped, '*' not quiet'* ]]
result 'what was left out is told' $?

# --- from anywhere ---

(cd / && "$FALCONER" evolve gecco2008 "${small[@]}" -o "$SCRATCH/deep/er/run" >/dev/null)
result 'from another directory, into directories that are made' $?
(cd "$SCRATCH" && cp "$data"/../experiments/gecco2008.ini mine.ini && sed -i "s/^data = .*/data = here.epd/; s/^test.*//" mine.ini &&
    zstd -qdc "$test_set" >here.epd && "$FALCONER" evolve mine.ini "${small[@]}" >/dev/null)
[[ -s $SCRATCH/mine-1/best.weights ]]
result 'a preset and a set of the user' $?
evolve 'resumed from elsewhere' 0 '*Training error: *' --no-optimum --resume "$SCRATCH/mine-1"
mkdir -p "$SCRATCH/moved/bin" "$SCRATCH/elsewhere/data" && cp "$FALCONER" "$SCRATCH/moved/bin"
cp "$test_set" "$SCRATCH/elsewhere/data/only-here.epd.zst"
lone=("$SCRATCH/moved/bin/falconer" score --data only-here.epd.zst)
expect 'without data' 1 '*only-here.epd.zst: not here*FALCONER_DATA*' "${lone[@]}"
FALCONER_DATA=$SCRATCH/elsewhere expect 'FALCONER_DATA' 0 '*error *' "${lone[@]}"
mkdir "$SCRATCH/examples" "$SCRATCH/bin" && ln -s "$FALCONER" "$SCRATCH/bin/falconer"
for command in $(sized 'evolve score optimum' score); do
    example=$("$FALCONER" "$command" --help | sed -n '/^Example:/{n;p}')
    (cd "$SCRATCH/examples" && PATH=$SCRATCH/bin:$PATH bash -c "$example" >/dev/null)
    result "the example of $command --help" $?
done

# --- score and optimum ---

score() { expect "$1" "$2" "$3" "$FALCONER" score "${@:4}"; }
score 'several weights on several sets' 0 '*the built-in weights (falcon.weights) on *' --data "$test_set" --data "$SCRATCH/here.epd"
[[ $(sed 's/.*error/error/' "$SCRATCH/out" | grep -c "^$(sed -n '2s/.*error/error/p' "$SCRATCH/out" | tr + .)\$") == 2 ]]
result 'packed or not, the same score' $?
score 'clamped and counted' 0 '*5000 of 5000 positions used, * beyond the limit clamped*' --data "$test_set" --clamp 100 --beyond clamp --mates clamp
# Beyond 20,000 centipawns the engine's evaluation ends, and with it what is told of it.
sed 's/^QUEEN_VALUE .*/QUEEN_VALUE 2047/; s/^ROOK_VALUE .*/ROOK_VALUE 1023/' weights/maestro-gecco2008.weights >"$SCRATCH/heavy.weights"
queens='6nk/6pp/8/QQQQQQQQ/Q7/8/8/RNB1KBNR b - - 0 1'
echo "$queens" >"$SCRATCH/queens.fen"
expect 'the engine scores nine queens' 0 '*' "$FALCONER" label "$SCRATCH/queens.fen" --static "$SCRATCH/heavy.weights" -o "$SCRATCH/queens.epd"
grep -q ' ce -20000;' "$SCRATCH/queens.epd"
result 'at its limit' $?
score 'which score agrees with' 0 '*error 0.00 +- * over 1 position (*' --weights "$SCRATCH/heavy.weights" --data "$SCRATCH/queens.epd"
expect 'and explain' 0 '*as the engine has it: -20000*' "$FALCONER" explain --weights "$SCRATCH/heavy.weights" --fen "$queens"
# `dm` makes a mate, the size of `ce` does not.
sed 's/ ce .*/ ce 9999; dm 3;/' "$SCRATCH/queens.epd" >"$SCRATCH/truth.epd"
for sign in '' -; do sed "s/ ce .*/ ce ${sign}31500;/" "$SCRATCH/queens.epd"; done >>"$SCRATCH/truth.epd"
score 'mates are told by dm' 0 '*2 of 3 positions used, 1 mates dropped*' --data "$SCRATCH/truth.epd"
score 'no data' 2 '*--data is needed*'
score 'no such word' 2 "*--beyond must be one of drop, clamp, not 'cut'*" --data "$test_set" --beyond cut
score 'weights of another family' 1 '*kestrel.weights:*' --weights "$SCRATCH/kestrel.weights" --data "$test_set"
score 'a set without labels' 1 '*unlabelled.epd: none of the*' --data "$SCRATCH/unlabelled.epd"
expect 'optimum says what it left out' 0 '*positions used, * not quiet*proven bound: *' "$FALCONER" optimum \
    --data "$test_set" --quiet-only -o "$SCRATCH/best.weights"
best=$(sed -n 's/^best whole weights found: \([0-9]*\.[0-9][0-9]\).*/\1/p' "$SCRATCH/out")
score 'its weights have the error it says' 0 "*error $best* +- *" --weights "$SCRATCH/best.weights" --data "$test_set" --quiet-only
# Labels compared with the organisms' own values behind captures.
resolved=(gecco2008 --resolve --generations 5 --population 50 --sample 200)
expect 'resolved labels' 0 '*value behind captures*no certified optimum*not linear*' "$FALCONER" evolve "${resolved[@]}" \
    -t 1 -o "$SCRATCH/resolved"
expect 'on three threads' 0 '*' "$FALCONER" evolve "${resolved[@]}" -t 3 -o "$SCRATCH/resolved-3"
for file in best.weights log.jsonl population.csv checkpoint; do
    cmp -s "$SCRATCH/resolved/$file" "$SCRATCH/resolved-3/$file"
    result "$file is the same on three threads" $?
done
expect 'a tempo cannot be resolved' 1 '*tempo and resolve*' "$FALCONER" evolve "${resolved[@]}" --tempo -o "$SCRATCH/not-there"
done_testing
