# shellcheck shell=bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by the benchmarks in bench/, which run from the root of the repository. A benchmark builds
# what it needs, measures both sides in one run, states each figure with bar_at_least or bar_at_most,
# and ends with bench_end.
export LC_ALL=C
bench_name=$(basename "$0")
# What is printed is kept, for scripts/write-results.
mkdir -p results
exec > >(tee "results/bench-$bench_name.log")
bench_bars=0
bench_short=0

# need_peer PROGRAM PACKAGE: without that program there is nothing to compare with.
need_peer() {
    command -v "$1" >/dev/null && return
    echo "$bench_name: $1 is not installed (Debian package $2): nothing to compare with"
    exit 77
}

now_us() { echo "${EPOCHREALTIME/./}"; }

# seconds_of COMMAND...: wall-clock seconds it takes, its output thrown away.
seconds_of() {
    local start end
    start=$(now_us)
    "$@" >/dev/null 2>&1 || return
    end=$(now_us)
    awk -v us=$((end - start)) 'BEGIN { printf "%.6f\n", us / 1e6 }'
}

median() { # NUMBER...
    printf '%s\n' "$@" | sort -g | awk '{ v[NR] = $1 }
        END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'
}

ratio() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f\n", a / b }'; }

state_bar() { # FIGURE VALUE UNIT BAR HOLDS, where HOLDS is an awk expression of v and b
    ((++bench_bars))
    if awk -v v="$2" -v b="$4" "BEGIN { exit !($5) }"; then
        echo "$1: $2 $3, bar $4: holds"
    else
        ((++bench_short))
        echo "$1: $2 $3, bar $4: falls short"
    fi
}
bar_at_least() { state_bar "$1" "$2" "$3" "$4" 'v >= b'; } # FIGURE VALUE UNIT BAR
bar_at_most() { state_bar "$1" "$2" "$3" "$4" 'v <= b'; }

# pairs_score COUNT...: of pairs of games, by points made: sets score, elo, low and high.
pairs_score() {
    # shellcheck disable=SC2034 # for the caller
    IFS=, read -r score elo low high _ < <(build/falconer rate --pairs "$@" --csv | tail -n 1)
}
# say_score FIGURE WHAT: that score as a line.
say_score() {
    printf '%s: %.1f%%, %+.0f Elo (%+.0f to %+.0f), %s\n' "$1" "${score}e2" "$elo" "$low" "$high" "$2"
}

bench_end() {
    if ((bench_short == 0)); then
        echo "$bench_name: all $bench_bars bars: holds"
        exit 0
    fi
    echo "$bench_name: $bench_short of $bench_bars bars: falls short"
    exit 1
}

bench_fail() { # REASON: nothing could be measured
    echo "$bench_name: $1" >&2
    exit 1
}

# bench_positions FILE: the positions of `eyas bench`, one FEN a line.
bench_positions() { sed -n 's/^"\(.*\)",$/\1/p' src/uci/bench.def >"$1"; }
# repeat_lines COUNT FILE: so many lines, those of the file over and over.
repeat_lines() { awk -v n="$1" '{ line[NR] = $0 } END { for (i = 0; i < n; i++) print line[i % NR + 1] }' "$2"; }
