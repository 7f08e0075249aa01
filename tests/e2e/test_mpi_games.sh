#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Matches, labels, suites and papers on the ranks of an MPI job: the same as on one thread, however many ranks there
# are and whatever becomes of them; and no engine is left behind.
. tests/e2e/tap.sh || exit 1
. tests/e2e/mpi.sh
need_mpi
fake=$(dirname "$FALCONER")/fake_engine
[[ -x $fake ]] || fake=build/obj/release-native/fake_engine
fake=$(realpath "$fake")
export FAKE_ENGINE_PIDS=$SCRATCH/pids XDG_CACHE_HOME=$SCRATCH/cache
: >"$FAKE_ENGINE_PIDS"

all_are_gone() {
    local pid
    while read -r pid; do is_gone "$pid" || return 1; done <"$FAKE_ENGINE_PIDS"
}
# no_engine NAME [LEAST]: at least one fake was started (or LEAST), and none is alive, or not for long.
no_engine() {
    soon all_are_gone && (($(wc -l <"$FAKE_ENGINE_PIDS") >= ${2:-1}))
    result "$1: no engine is left behind" $?
    : >"$FAKE_ENGINE_PIDS"
}
# What must not differ of games: everything but times, and where lines are broken.
pgn() { tr '\n' ' ' <"$1" | sed -E 's/ [0-9.]+s([,}])/\1/g; s/\[(Game|Date|UTC)[^]]*\]//g; s/ +/ /g'; }
jsonl() { sed -E 's/"(started|seconds|pgn_bytes)":[^,]*,//g' "$1"; }
# played NAME COUNT MATCH...: plays it on so many ranks (0: without), to $SCRATCH/NAME-COUNT.{pgn,jsonl}.
played() {
    local name=$1 count=$2 out_to=$SCRATCH/$1-$2
    shift 2
    rm -f "$out_to".*
    if ((count == 0)); then
        run "$FALCONER" match "$@" -pgnout "$out_to.pgn" -jsonl "$out_to.jsonl"
        result "$name: one thread" $((rc == 0 && $(wc -l <"$out_to.jsonl") > 3 ? 0 : 1))
        return
    fi
    run ranks "$count" match "$@" -pgnout "$out_to.pgn" -jsonl "$out_to.jsonl"
    [[ $rc == 0 && $(pgn "$out_to.pgn") == "$(pgn "$SCRATCH/$name-0.pgn")" &&
        $(jsonl "$out_to.jsonl") == "$(jsonl "$SCRATCH/$name-0.jsonl")" ]]
    result "$name: the same games with $count ranks" $?
}

# --- matches ---

openings=(-openings file=tests/data/openings.epd order=random -srand 3 -maxmoves 40)
organisms=(-engine weights=weights/falcon.weights name=A -engine weights=weights/maestro-hand.weights name=B
    -each nodes=300 -rounds "$(sized 6 2)" "${openings[@]}")
for count in 0 1 2 3 8; do played organisms $count "${organisms[@]}"; done
grep -q '^falconer: 8 ranks: .* pieces of work' "$SCRATCH/err"
result 'other ranks have played' $?
played organisms 2 "${organisms[@]}" -concurrency 2
second=(-engine "cmd=/usr/games/toga2" option.OwnBook=false depth=2)
[[ -x /usr/games/toga2 ]] || second=(-engine "cmd=$fake history" depth=2)
engines=(-engine "cmd=$EYAS" option.Hash=1 nodes=200 "${second[@]}" name=B -rounds 3 "${openings[@]}")
for count in 0 2 3; do played engines $count "${engines[@]}"; done
swiss=(-tournament swiss -rounds 3)
for name in A B C D; do swiss+=(-engine "cmd=$fake history" "name=$name"); done
for count in 0 3; do played swiss $count "${swiss[@]}" -each depth=1 -maxmoves 8; done
no_engine 'a Swiss tournament'
sprt=(-engine "cmd=$fake" name=A -engine "cmd=$fake illegal-always" name=B -each depth=1 -rounds 300
    -sprt elo0=0 elo1=100 alpha=0.05 beta=0.05)
for count in 0 3; do played sprt $count "${sprt[@]}"; done
[[ $out == *'H1 was accepted'* ]]
result 'a sequential test ends' $?
no_engine 'a sequential test'
expect 'an engine that crashes loses its games, and no others' 0 \
    '*Finished game 6 *Faults of A: 0 time losses, 0 crashes*Faults of B: 0 time losses, 6 crashes*' \
    ranks 3 match -engine "cmd=$fake" name=A -engine "cmd=$fake crash 3" name=B -each depth=1 -rounds 3 -maxmoves 20
no_engine 'crashes'

# --- ranks that die, and resuming ---

long=(match -engine "cmd=$fake late 2" name=A -engine "cmd=$fake history" name=B -each depth=1 -rounds 20 -maxmoves 20
    "${openings[@]:0:5}")
# begin FOLDER COUNT: starts a tournament in the background, and waits for its third game.
begin() {
    rm -rf "$1"
    scripts/mpirun-here -n "$2" "$MPI_FALCONER" "${long[@]}" -resume "$1" >"$SCRATCH/said" 2>&1 </dev/null &
    job=$!
    while kill -0 $job 2>/dev/null && [[ ! -s $1/games.jsonl || $(wc -l <"$1/games.jsonl") -lt 3 ]]; do sleep 0.01; done
}
is_whole() { (($(wc -l <"$1/games.jsonl") == 40)); } # FOLDER: it was stopped too late
# gone_on NAME FOLDER COUNT: goes on with so many ranks, to the same games.
gone_on() {
    local before
    before=$(wc -l <"$2/games.jsonl")
    run ranks "$3" match -resume "$2"
    [[ $rc == 0 && $before -lt 40 && $(jsonl "$2/games.jsonl") == "$(jsonl "$SCRATCH/whole/games.jsonl")" &&
        $(pgn "$2/games.pgn") == "$(pgn "$SCRATCH/whole/games.pgn")" ]]
    result "$1: the same games when $3 ranks go on (at game $before)" $?
}
run "$FALCONER" "${long[@]}" -resume "$SCRATCH/whole"
: >"$FAKE_ENGINE_PIDS"
for rank in 0 2; do
    for ((tries = 0; tries < TRIES; tries++)); do
        begin "$SCRATCH/killed-$rank" 3
        kill -KILL "$(rank_of $job $rank)" 2>/dev/null
        wait $job 2>/dev/null
        rc=$?
        is_whole "$SCRATCH/killed-$rank" || break
    done
    result "rank $rank killed: the job ends" $((rc == 0))
    no_engine "rank $rank killed"
    gone_on "rank $rank killed" "$SCRATCH/killed-$rank" $((4 - rank))
done
for ((tries = 0; tries < TRIES; tries++)); do
    begin "$SCRATCH/stopped" 3
    kill -USR1 $job
    wait $job
    is_whole "$SCRATCH/stopped" || break
done
grep -q '^Stopped after .* of 40 games' "$SCRATCH/said"
result 'SIGUSR1 to mpirun stops the match' $?
no_engine 'SIGUSR1'
gone_on 'SIGUSR1' "$SCRATCH/stopped" 2
# What Ctrl-C does, for mpirun handles both alike: it waits for a second before it tells its ranks.
long+=(-rounds 5000)
begin "$SCRATCH/ended" 3
kill -TERM $job
wait $job
grep -q '^Stopped after .* of 10000 games' "$SCRATCH/said"
result 'SIGTERM to mpirun stops the match' $?
no_engine 'SIGTERM'

# --- labels and suites ---

for count in 0 1 2 8; do
    words=(label tests/data/openings.epd --mentor "'cmd=$fake history' depth=2" --no-cache -j 1 -o "$SCRATCH/label-$count.epd")
    if ((count == 0)); then run "$FALCONER" "${words[@]}"; else run ranks $count "${words[@]}"; fi
    cmp -s "$SCRATCH/label-0.epd" "$SCRATCH/label-$count.epd"
    result "the same labels with $count ranks" $((rc == 0 && $? == 0 ? 0 : 1))
done
no_engine 'labels'
run ranks 3 label tests/data/openings.epd --mentor "'cmd=$fake crash 20' depth=2" -j 1 -o "$SCRATCH/crash.epd"
run "$FALCONER" label tests/data/openings.epd --mentor "'cmd=$fake crash 20' depth=2" -j 1 -o "$SCRATCH/crash-0.epd"
[[ $err == *'0 positions asked'*'139 known from the cache'* ]] && cmp -s "$SCRATCH/crash.epd" "$SCRATCH/crash-0.epd"
result 'a mentor that crashes on other ranks is asked again, and all is in the cache' $?
for count in 0 1 2 8; do
    words=(suite tests/data/mates.epd --engine "'cmd=$fake wavers'" --engine weights=weights/falcon.weights --depth 2
        --jsonl "$SCRATCH/suite-$count.jsonl")
    if ((count == 0)); then run "$FALCONER" "${words[@]}"; else run ranks $count "${words[@]}"; fi
    [[ $rc == 0 && $(sed -E 's/"[a-z_]*ms":[^,]*,//g' "$SCRATCH/suite-$count.jsonl") == \
        "$(sed -E 's/"[a-z_]*ms":[^,]*,//g' "$SCRATCH/suite-0.jsonl")" ]]
    result "the same answers to a suite with $count ranks" $?
done
no_engine 'suites'

# --- a paper: its steps are commands like these ---

# The first step labels 5,000 positions.
paper=$SCRATCH/results/gecco2008-quick
scripts/mpirun-here -n 3 "$MPI_FALCONER" reproduce gecco2008 -o "$SCRATCH/results" >"$SCRATCH/said" 2>&1 </dev/null &
job=$!
helped=1
until grep -qs '"step":"train-2".*"seconds"' "$paper/steps.jsonl"; do
    kill -0 $job 2>/dev/null || break
    if ((helped != 0)) && pgrep -P "$(rank_of $job 2)" -x falconer-guard >/dev/null 2>&1; then helped=0; fi
    sleep 0.05
done
kill -USR1 $job 2>/dev/null
wait $job
[[ $(grep -c ' ce ' "$paper/train-2.epd") == 5000 ]] && grep -q '5000 positions asked' "$paper/log/train-2.txt"
result 'a step of a paper is done' $?
result 'by engines of other ranks, too' $helped

# --- one message ---

one_message 'an engine that does not exist' 1 '*no/such/engine*' ranks 3 match -engine cmd=no/such/engine name=A \
    -engine "cmd=$fake" name=B -each depth=1 -rounds 50 -concurrency 2
one_message 'a mentor that does not exist' 1 '*no/such/engine*' ranks 3 label tests/data/openings.epd \
    --mentor "cmd=no/such/engine depth=1" --no-cache -o "$SCRATCH/none.epd"
mkdir "$SCRATCH/here" "$SCRATCH/there"
cp "$fake" "$SCRATCH/here/engine"
cp "$EYAS" "$SCRATCH/there/engine"
match=("$MPI_FALCONER" match -engine cmd=engine name=A -engine "cmd=$fake" name=B -each depth=1)
one_message 'another program on a rank' 1 '*rank 1*A: engine is another program: all ranks must have the same*' \
    scripts/mpirun-here -n 1 env "PATH=$SCRATCH/here:$PATH" "${match[@]}" : -n 1 env "PATH=$SCRATCH/there:$PATH" "${match[@]}"
no_engine 'messages' 0 # it may be over before any is started
done_testing
