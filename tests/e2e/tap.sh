# shellcheck shell=bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by the end-to-end tests, which run from the root of the repository: results as TAP.
# $FALCONER and $EYAS are the programs under test.

FALCONER=${FALCONER:-build/falconer}
# shellcheck disable=SC2034 # for those who source this
EYAS=${EYAS:-build/eyas}
SCRATCH=$(mktemp -d)
trap 'rm -rf "$SCRATCH"' EXIT
tap_count=0
# Pages tell the day on which they were made: always the same, so that no test depends on midnight.
export SOURCE_DATE_EPOCH=1700000000

# Before a command with "&" that is to get SIGINT, as if it were at a terminal: shells ignore it for what a script starts
# in the background, and what is ignored stays ignored.
# shellcheck disable=SC2034
attended=(env --default-signal=INT)
# A sanitizer watches the programs, which makes them many times slower.
is_watched() { [[ $FALCONER == *asan* ]]; }
# `./check` without --all wants an answer soon.
is_quick() { [[ $FALCONER == */quick-* ]]; }
sized() { if is_watched || is_quick; then echo "$2"; else echo "$1"; fi; } # MANY FEW: says which
# result NAME TRUTH: TRUTH is 0 when the test passed.
result() {
    ((++tap_count))
    if (($2 == 0)); then echo "ok $tap_count - $1"; else echo "not ok $tap_count - $1"; fi
}
skip() { # NAME REASON
    echo "ok $((++tap_count)) - $1 # SKIP $1: $2"
}
# soon COMMAND...: waits until the command is true. The bound is no verdict on speed: it is there so that a test which
# fails ends, and far beyond what the busiest machine takes.
soon() {
    local end=$((SECONDS + ${PATIENCE:-300}))
    until "$@"; do
        ((SECONDS < end)) || return 1
        sleep 0.02
    done
}
# How often a test that must come before the end of something tries: on a busy machine it may be late, many times.
# shellcheck disable=SC2034
TRIES=100
is_gone() { ! kill -0 "$1" 2>/dev/null; } # PID
done_testing() { echo "1..$tap_count"; }

# run COMMAND...: leaves standard output in $out, standard error in $err, the exit code in $rc.
run() {
    "$@" >"$SCRATCH/out" 2>"$SCRATCH/err" </dev/null
    rc=$?
    out=$(tr -d '\0' <"$SCRATCH/out")
    err=$(tr -d '\0' <"$SCRATCH/err")
}

# expect NAME RC PATTERN COMMAND...: the exit code is RC and what was said, on standard output or
# standard error, matches the glob PATTERN.
expect() {
    local name=$1 want=$2 pattern=$3
    shift 3
    run "$@"
    # shellcheck disable=SC2053 # a glob is meant
    if [[ $rc == $want ]] && [[ $out$'\n'$err == $pattern ]]; then
        result "$name" 0
    else
        result "$name" 1
        printf '# %s\n' "$*" "exit code $rc, expected $want; expected: $pattern"
        printf '%s\n%s\n' "$out" "$err" | head -n 20 | sed 's/^/#   /'
    fi
}
