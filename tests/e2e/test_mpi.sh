#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Evolution on the ranks of an MPI job: the same bytes as on one thread, however many ranks there are and
# whatever becomes of them; and one message where something is wrong.
. tests/e2e/tap.sh || exit 1
. tests/e2e/mpi.sh
need_mpi
# same NAME DIR DIR: two runs are the same bytes but for what may differ.
same() { diff -rq -x timings.csv -x checkpoint.previous "$2" "$3" >"$SCRATCH/diff"; result "$1" $?; }

mentor=(evolve gecco2008 --population 150 --generations "$(sized 40 8)" --no-optimum)
# shellcheck disable=SC2034 # by their names, below
moves=(evolve moves --positions 300 --validation 50 --population 60 --generations "$(sized 8 3)")
# shellcheck disable=SC2034
games=(coevolve gecco2009-coevolve --start-from weights/maestro-hand.weights
    --population 5 --generations 2 --match-games 2 --play-nodes 100 --max-moves 20 --verdict-games 6)

# --- the same bytes ---

for kind in mentor moves games; do
    declare -n words=$kind
    run "$FALCONER" "${words[@]}" -t 1 -o "$SCRATCH/$kind"
    result "$kind: one thread" "$rc"
    for count in 1 2 3 8; do
        run ranks "$count" "${words[@]}" -t 1 -o "$SCRATCH/$kind-$count"
        same "$kind: the same with $count ranks" "$SCRATCH/$kind" "$SCRATCH/$kind-$count"
        if ((count > 1)); then grep -q "^falconer: $count ranks: .*computing.*messages.*waiting" "$SCRATCH/err"; fi
        result "$kind: $count ranks tell what they cost" $?
    done
    run ranks 2 "${words[@]}" -t 2 -o "$SCRATCH/$kind-threads"
    same "$kind: the same with 2 threads on each of 2 ranks" "$SCRATCH/$kind" "$SCRATCH/$kind-threads"
done
# Where ranks cannot read each other's memory, as in many containers, long messages move piece by piece.
run env OMPI_MCA_btl_vader_single_copy_mechanism=none scripts/mpirun-here -n 3 "$MPI_FALCONER" "${mentor[@]}" \
    --population 1000 -t 1 -o "$SCRATCH/pieces-3"
run "$FALCONER" "${mentor[@]}" --population 1000 -t 1 -o "$SCRATCH/pieces"
same 'long messages piece by piece: the same with 3 ranks' "$SCRATCH/pieces" "$SCRATCH/pieces-3"

# --tune=, for mpirun takes --tune alone for its own.
options=(--engine "cmd=$EYAS option.Hash=1 nodes=200" --tune=KNIGHT_VALUE_MG:10:500 --games 8 --verdict-games 4 -c 1)
run "$FALCONER" coevolve "${options[@]}" -o "$SCRATCH/options"
run ranks 3 coevolve "${options[@]}" -o "$SCRATCH/options-3"
cmp -s "$SCRATCH/options/games.jsonl" "$SCRATCH/options-3/games.jsonl"
result 'options of an engine: the same games with 3 ranks' $?

# --- ranks that are slow, or die ---

# begin DIR COUNT OPTIONS...: starts a run in the background and waits for its first generation.
begin() {
    rm -rf "$1"
    scripts/mpirun-here -n "$2" "$MPI_FALCONER" "${@:3}" -o "$1" >"$SCRATCH/said" 2>&1 </dev/null &
    job=$!
    while kill -0 $job 2>/dev/null && [[ ! -s $1/log.jsonl ]]; do sleep 0.01; done
}
long=(evolve moves --positions 300 --population 100 --generations "$(sized 1000 60)")
run "$FALCONER" "${long[@]}" -t 1 -o "$SCRATCH/long"
begin "$SCRATCH/slow" 3 "${long[@]}" -t 1
slow=$(rank_of $job 1)
while kill -STOP "$slow" 2>/dev/null; do
    sleep 0.02
    kill -CONT "$slow"
    sleep 0.01
done
wait $job
same 'a rank that stands still most of the time changes nothing' "$SCRATCH/long" "$SCRATCH/slow"

# kill_rank NUMBER: begins a run and kills a rank of it before it is over; once more where the machine was so busy that
# it came too late. Leaves how the job ended in $rc.
kill_rank() {
    local tries
    for ((tries = 0; tries < TRIES; tries++)); do
        begin "$SCRATCH/killed" 3 "${long[@]}" -t 1
        while kill -0 $job 2>/dev/null && [[ ! -s $SCRATCH/killed/checkpoint ]]; do sleep 0.01; done
        kill -KILL "$(rank_of $job "$1")" 2>/dev/null
        wait $job 2>/dev/null
        rc=$?
        [[ -e $SCRATCH/killed/best.weights ]] || return
    done
}
for rank in 1 0; do
    kill_rank $rank
    result "a job ends with its rank $rank" $((rc == 0))
    [[ ! -s $SCRATCH/killed/best.weights ]]
    result "rank $rank was killed before the end" $?
    run ranks $((2 + rank)) evolve --resume "$SCRATCH/killed"
    same "killed rank $rank, and resumed with $((2 + rank)) ranks: the same bytes" "$SCRATCH/long" "$SCRATCH/killed"
done
for ((tries = 0; tries < TRIES; tries++)); do
    begin "$SCRATCH/stopped" 2 "${long[@]}" -t 1
    kill -USR1 $job
    wait $job
    [[ -e $SCRATCH/stopped/best.weights ]] || break
done
grep -q 'stopped; falconer evolve --resume .* goes on' "$SCRATCH/said"
result 'SIGUSR1 to mpirun ends the generation and tells how to go on' $?
run "$FALCONER" evolve --resume "$SCRATCH/stopped"
same 'which is done without ranks, to the same bytes' "$SCRATCH/long" "$SCRATCH/stopped"

# --- one message ---

expect 'more ranks than work is told' 0 '*of the 7 places on other ranks had nothing to do*' \
    ranks 8 coevolve cec2001 --population 4 --play-depth 1 --generations 1 --max-moves 10 --verdict-games 0 -t 1 \
    -o "$SCRATCH/few"
(($(grep -c 'had nothing to do' "$SCRATCH/err") == 1))
result 'once' $?
one_message 'a wrong setting' 2 '*generatoins*' ranks 3 evolve gecco2008 --generatoins 3 -o "$SCRATCH/none"
one_message 'a file that is not there' 1 '*nowhere.epd*' ranks 3 evolve gecco2008 --data nowhere.epd -o "$SCRATCH/none"
expect 'the version is told once' 0 "falconer $(sed -n "s,^VERSION := ,,p" Makefile)"$'\n' ranks 3 --version
expect 'what does not spread is done by rank 0' 0 'perft*' ranks 3 perft --depth 2
one_message 'other arguments on a rank' 1 '*rank 1 * was started with other arguments*' scripts/mpirun-here \
    -n 1 "$MPI_FALCONER" evolve gecco2008 : -n 1 "$MPI_FALCONER" evolve gecco2009
# The same program but for what it says of its sources.
sources=$(<"$(dirname "$FALCONER")/sources")
sed "s/$sources/${sources//[0-9]/7}/" "$MPI_FALCONER" >"$SCRATCH/other"
chmod +x "$SCRATCH/other"
one_message 'another build on a rank' 1 '*rank 2 on * was built from other sources than rank 0*' scripts/mpirun-here \
    -n 2 "$MPI_FALCONER" evolve gecco2008 -o "$SCRATCH/none" : -n 1 "$SCRATCH/other" evolve gecco2008 -o "$SCRATCH/none"
one_message 'a program without MPI' 1 '*built without MPI*make MPI=1*' scripts/mpirun-here -n 3 "$FALCONER" --version
# What srun tells its tasks where it knows no MPI.
task() { env SLURM_STEP_NUM_TASKS=3 SLURM_PROCID="$1" "${@:2}"; }
one_message 'srun without MPI' 1 '*started 3 times by srun*--mpi=pmix*' task 0 "$MPI_FALCONER" --version
one_message 'srun, and a program without MPI' 1 '*built without MPI*make MPI=1*' task 0 "$FALCONER" --version
for program in "$MPI_FALCONER" "$FALCONER"; do
    run task 1 "$program" --version
    [[ $rc == 0 && -z $out$err ]]
    result 'the other tasks end quietly' $?
done
expect 'srun of one task' 0 'falconer *' env SLURM_STEP_NUM_TASKS=1 SLURM_PROCID=0 "$MPI_FALCONER" --version
[[ $(ldd "$FALCONER") != *mpi* ]]
result 'and it has none in it' $?
mkdir "$SCRATCH/disk"
if mount -t tmpfs -o size=28k tmpfs "$SCRATCH/disk" 2>/dev/null; then
    one_message 'a full disk' 1 '*disk/run/*: *No space left on device*' ranks 3 "${mentor[@]}" --generations 2000 \
        -o "$SCRATCH/disk/run"
    umount "$SCRATCH/disk"
else
    skip 'a full disk' 'no file system can be mounted here'
fi
done_testing
