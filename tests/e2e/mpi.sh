# shellcheck shell=bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced after tap.sh by the tests of MPI jobs: more ranks than this machine has cores.
# $MPI_FALCONER is the program that make MPI=1 builds.

MPI_FALCONER=$(realpath -m "$FALCONER-mpi")
# Open MPI itself leaves memory to the system.
export LSAN_OPTIONS="detect_leaks=0${LSAN_OPTIONS:+:$LSAN_OPTIONS}"

# Ends the test where there is no MPI, visibly.
need_mpi() {
    if ! command -v mpirun >/dev/null; then
        skip 'ranks' 'there is no mpirun (Debian: openmpi-bin)'
    elif [[ ! -x $MPI_FALCONER ]]; then
        skip 'ranks' "there is no $MPI_FALCONER (make MPI=1 programs)"
    else
        return
    fi
    done_testing
    exit 0
}

# ranks N ARGUMENTS...: falconer on so many ranks.
ranks() { scripts/mpirun-here -n "$1" "$MPI_FALCONER" "${@:2}"; }
# one_message NAME RC PATTERN COMMAND...: as expect, and falconer itself says one thing, in one line.
one_message() {
    expect "$@"
    (($(grep -c '^falconer' "$SCRATCH/err") == 1))
    result "$1: once" $?
}
# rank_of JOB NUMBER: the process of a rank, of the mpirun that has that process.
rank_of() {
    local process
    for process in $(pgrep -P "$1"); do
        if tr '\0' '\n' <"/proc/$process/environ" 2>/dev/null | grep -qx "OMPI_COMM_WORLD_RANK=$2"; then
            echo "$process"
        fi
    done
}
