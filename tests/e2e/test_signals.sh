#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Signals that were ignored before a command began (nohup), and limits on the size of files (ulimit -f).
. tests/e2e/tap.sh || exit 1
fakes=$(dirname "$FALCONER")
[[ -x $fakes/fake_engine ]] || fakes=build/obj/release-native
fakes=$(realpath "$fakes")

# An engine that tells when it was started and waits until it may go on: by then, signals are caught or not.
engine() { # NAME PROGRAM
    cat >"$SCRATCH/$1" <<END
#!/bin/bash
grep -h SigIgn /proc/\$\$/status >"$SCRATCH/started"
until [[ -e "$SCRATCH/go" ]]; do sleep 0.02; done
exec "$2"
END
    chmod +x "$SCRATCH/$1"
}
engine fake "$fakes/fake_engine"
engine tunable "$fakes/fake_tunable"
head -n 20 data/grandmasters-test.epd >"$SCRATCH/some.epd"
mates=$SCRATCH/mates.epd
grep -v "^#" tests/data/mates.epd | head -n 3 >"$mates"

# signalled SIGNAL HOW COMMAND...: runs it with the signal ignored or default (HOW), and sends it once; $rc and $said.
signalled() {
    local signal=$1 how=$2 pid
    rm -f "$SCRATCH/started" "$SCRATCH/go"
    env "--$how-signal=$signal" "${@:3}" >"$SCRATCH/said" 2>&1 </dev/null &
    pid=$!
    while kill -0 $pid 2>/dev/null && [[ ! -s $SCRATCH/started ]]; do sleep 0.02; done
    kill "-$signal" $pid
    touch "$SCRATCH/go"
    wait $pid
    rc=$?
    said=$(<"$SCRATCH/said")
}
# outlives NAME PATTERN COMMAND...: whatever is ignored changes nothing.
outlives() {
    local signal
    for signal in HUP INT; do
        signalled "$signal" ignore "${@:3}"
        # shellcheck disable=SC2053 # a glob is meant
        [[ $rc == 0 && $said == $2 ]]
        result "$1: an ignored SIG$signal stays ignored" $?
    done
}
match=("$FALCONER" match -engine "cmd=$SCRATCH/fake" name=A -engine "cmd=$SCRATCH/fake" name=B -each depth=1 -rounds 1 -maxmoves 3)
outlives match '*Finished game 2*' "${match[@]}"
outlives suite '*solved * of 3*' "$FALCONER" suite "$mates" --engine "cmd=$SCRATCH/fake" --depth 1
outlives label '*20 lines labelled*' "$FALCONER" label "$SCRATCH/some.epd" --mentor "cmd=$SCRATCH/fake depth=1" --no-cache \
    -o "$SCRATCH/labelled.epd"
# shellcheck disable=SC2016
outlives 'coevolve --engine' '*Files:*' bash -c 'rm -rf "$1"; exec "${@:2}"' _ "$SCRATCH/tuned" "$FALCONER" coevolve \
    --engine "cmd=$SCRATCH/tunable name=fake depth=1" --tune A:0:100 --games 32 --verdict-games 16 --seats 4 -o "$SCRATCH/tuned"
signalled HUP default "${match[@]}"
[[ $rc == 1 && $said == *'Stopped after 0 of 2 games'* ]]
result 'one that is not ignored ends a match' $?

# Bit 24 is SIGXFSZ: engines do not inherit what is decided for us.
(((0x$(sed 's/.*\t//' "$SCRATCH/started") >> 24 & 1) == 0))
result 'engines get SIGXFSZ as usual' $?

is_falconer() { is_gone "$1" || [[ $(readlink "/proc/$1/exe") == */falconer ]]; } # PID: no shell any more
# These start no engines: they are told when something is written, or are slow enough.
evolve=("$FALCONER" evolve gecco2008 --population 20 --generations 60 --no-optimum)
for signal in HUP INT; do
    rm -rf "$SCRATCH/run"
    env --ignore-signal=$signal "${evolve[@]}" -o "$SCRATCH/run" >"$SCRATCH/said" 2>&1 </dev/null &
    while kill -0 $! 2>/dev/null && [[ ! -s $SCRATCH/run/log.jsonl ]]; do sleep 0.01; done
    kill -$signal $! 2>/dev/null
    wait $! && [[ -s $SCRATCH/run/best.weights ]]
    result "evolve: an ignored SIG$signal stays ignored" $?
    rm -f "$SCRATCH/tuned.weights"
    trap '' $signal # from its first moment on
    "$FALCONER" tune --verdict-games 0 -f maestro -l mentor -r 2000 --patience 2000 mentor-train.toga2.epd.zst \
        -o "$SCRATCH/tuned.weights" >"$SCRATCH/said" 2>&1 </dev/null &
    trap - $signal
    soon is_falconer $!
    kill -$signal $! 2>/dev/null
    wait $! && [[ -s $SCRATCH/tuned.weights ]]
    result "tune: an ignored SIG$signal stays ignored" $?
done

# --- ulimit -f ---

# limited NAME FILE PATTERN COMMAND...: with files of 4 kilobytes at the most it fails, names FILE, and leaves what FILE was.
limited() {
    echo 'what was there' >"$2"
    # Output goes to a pipe, which has no limit.
    said=$(ulimit -f 4 && "${@:4}" 2>&1 </dev/null)
    rc=$?
    # shellcheck disable=SC2053
    [[ $rc == 1 && $said == *"$2"*$3* && $(head -n 1 "$2") == 'what was there' ]]
    result "$1: a file that grows too large is told" $?
    [[ $rc == 1 && $said == *"$2"* ]] || printf '%s\n' "exit code $rc" "$said" | tail -n 5 | sed 's/^/#   /'
}
whole() { [[ $(wc -l <"$2") == 1 ]]; result "$1: the old file is untouched" $?; } # NAME FILE
zstdcat tests/data/players.pgn.zst >"$SCRATCH/games.pgn"
head -n 200 data/grandmasters-test.epd >"$SCRATCH/many.epd"
too='File too large'
limited sample "$SCRATCH/out.epd" "$too" "$FALCONER" sample "$SCRATCH/games.pgn" -o "$SCRATCH/out.epd"
whole sample "$SCRATCH/out.epd"
limited book "$SCRATCH/out.bin" "$too" "$FALCONER" book "$SCRATCH/games.pgn" --min-games 1 -o "$SCRATCH/out.bin"
whole book "$SCRATCH/out.bin"
limited label "$SCRATCH/out.epd" "$too" "$FALCONER" label "$SCRATCH/many.epd" --mentor "cmd=$fakes/fake_engine depth=1" --no-cache \
    -o "$SCRATCH/out.epd"
whole label "$SCRATCH/out.epd"
limited 'label --static' "$SCRATCH/out.epd" "$too" "$FALCONER" label "$SCRATCH/many.epd" --static maestro-hand.weights -o "$SCRATCH/out.epd"
whole 'label --static' "$SCRATCH/out.epd"
limited tune "$SCRATCH/out.weights" "$too" "$FALCONER" tune --verdict-games 0 -l mentor -r 2 mentor-train.toga2.epd.zst -o "$SCRATCH/out.weights"
whole tune "$SCRATCH/out.weights"
limited 'tune --log' "$SCRATCH/out.csv" "$too" "$FALCONER" tune --verdict-games 0 -f maestro -l mentor -r 300 --patience 300 mentor-train.toga2.epd.zst \
    --log "$SCRATCH/out.csv"
whole 'tune --log' "$SCRATCH/out.csv"
limited weights "$SCRATCH/out.weights" "$too" "$FALCONER" weights random --family falcon -o "$SCRATCH/out.weights"
whole weights "$SCRATCH/out.weights"
limited suite "$SCRATCH/out.jsonl" "$too" "$FALCONER" suite tactics.epd --engine weights=weights/maestro-hand.weights \
    --depth 1 --jsonl "$SCRATCH/out.jsonl"
fast=("$FALCONER" match -engine weights=weights/maestro-hand.weights name=A -engine weights=weights/maestro-hand.weights name=B
    -each depth=1 -rounds 20)
limited 'match -pgnout' "$SCRATCH/out.pgn" "$too" "${fast[@]}" -pgnout "$SCRATCH/out.pgn"
limited 'match --jsonl' "$SCRATCH/out.jsonl" "$too" "${fast[@]}" --jsonl "$SCRATCH/out.jsonl"

# limited_folder NAME FOLDER COMMAND...: the same for what writes a folder.
limited_folder() {
    said=$(ulimit -f 4 && "${@:3}" 2>&1 </dev/null)
    rc=$?
    [[ $rc == 1 && $said == *"$2/"*"$too"* ]]
    result "$1: a file that grows too large is told" $?
    [[ $rc == 1 && $said == *"$2/"* ]] || printf '%s\n' "exit code $rc" "$said" | tail -n 5 | sed 's/^/#   /'
}
limited_folder 'match --resume' "$SCRATCH/games" "${fast[@]}" --resume "$SCRATCH/games"
limited_folder evolve "$SCRATCH/limited" "${evolve[@]}" -o "$SCRATCH/limited"
limited_folder coevolve "$SCRATCH/limited-games" "$FALCONER" coevolve cec2001 --population 8 --play-depth 1 --generations 9 --max-moves 10 \
    --verdict-games 0 -o "$SCRATCH/limited-games"
limited_folder 'coevolve --engine' "$SCRATCH/limited-engine" "$FALCONER" coevolve --engine "cmd=$fakes/fake_tunable name=fake depth=1" \
    --tune A:0:100 --games 64 --verdict-games 16 --seats 4 -o "$SCRATCH/limited-engine"
limited_folder clone "$SCRATCH/limited-clone" "$FALCONER" clone --player Pusher --family maestro --skip-plies 0 --min-games 10 --steps 5 \
    "$SCRATCH/games.pgn" -o "$SCRATCH/limited-clone"
done_testing
