# shellcheck shell=bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by tests that talk UCI with $EYAS. A dialogue is a text whose lines are sent one by one, but for
#   - # ...            a remark
#   - !args WORDS      start the engine with these arguments (first line only)
#   - !await PREFIX    read on until the engine says a line that begins so
#   - !sleep SECONDS
#   - !raw FORMAT      send what printf makes of this, without an end of line
#   - !long N          send N bytes of "x", without an end of line
# and @SCRATCH@ stands for the scratch directory. The input is closed at the end; the engine must then end.

# No line may be longer in coming than this, and no dialogue may take so long; only what fails meets these bounds.
PATIENCE=${PATIENCE:-300}
trap '' PIPE

await() { # PREFIX: adds lines to $raw up to one that begins so
    local line
    while IFS= read -r -t "$PATIENCE" line <&"$from"; do
        raw+=$line$'\n'
        [[ -n $1 && $line == "$1"* ]] && return
    done
    # A half line at the end of the output, or the time is up.
    raw+=$line
    [[ -z $1 ]] || raw+="(no $1)"$'\n'
}

# shellcheck disable=SC2059 # a format is sent
send() { # LINE
    case $1 in
    '#'*) ;;
    '!await '*) await "${1#!await }" ;;
    '!sleep '*) sleep "${1#!sleep }" ;;
    '!raw '*) printf "${1#!raw }" >&"$to" ;;
    '!long '*) head -c "${1#!long }" /dev/zero | tr '\0' x >&"$to" ;;
    *) printf '%s\n' "${1//@SCRATCH@/$SCRATCH}" >&"$to" ;;
    esac 2>/dev/null
}

# talk TEXT: holds the dialogue. Leaves all the engine said in $raw, its exit code in $rc.
talk() {
    local args=() line engine to from
    [[ $1 == '!args '* ]] && read -ra args < <(sed -n '1s/^!args //p' <<<"$1")
    rm -f "$SCRATCH/in" "$SCRATCH/said"
    mkfifo "$SCRATCH/in" "$SCRATCH/said"
    timeout $((2 * PATIENCE)) "$EYAS" "${args[@]}" <"$SCRATCH/in" >"$SCRATCH/said" 2>&1 &
    engine=$!
    exec {to}>"$SCRATCH/in" {from}<"$SCRATCH/said"
    raw=''
    while IFS= read -r line; do
        [[ $line == '!args '* ]] || send "$line"
    done <<<"$1"
    exec {to}>&-
    await ''
    wait "$engine"
    rc=$?
    exec {from}<&-
}

# plain: filters what the engine said down to what does not depend on time, machine or tuning. Of the lines
# with scores the last ones before a best move are kept; scores and moves are shown where there is a mate.
plain() {
    sed -e 's/^id name Eyas .*/id name Eyas VERSION/' -e "s,$SCRATCH,@SCRATCH@,g" \
        -e 's/^info depth .* multipv \([0-9]*\) score mate \(-\{0,1\}[0-9]*\) .*/info multipv \1 score mate \2/' \
        -e 's/^info depth .* multipv \([0-9]*\) score cp -\{0,1\}[0-9]* .*/info multipv \1 score cp N/' \
        -e 's/^\(bestmove .*\) ponder [a-h][1-8][a-h][1-8][qrbn]\{0,1\}$/\1/' |
        awk '/^info multipv/ { held[$3] = $0; if ($3 > lines) lines = $3; next }
            /^bestmove/ {
                if (held[1] ~ / cp /) sub(/[a-h][1-8][a-h][1-8][qrbn]?$/, "MOVE")
                for (i = 1; i <= lines; i++) print held[i]
                delete held
                lines = 0
            }
            { print }'
}

# Every best move comes after a line with a score that is a whole number.
scores_are_told() {
    awk '/^info .*score (cp|mate) -?[0-9]+( |$)/ { told = 1 }
        /^bestmove/ { if (!told) bad = 1; told = 0 }
        END { exit bad }' <<<"$raw"
}

# golden FILE.in: the dialogue must give FILE.out; UPDATE_GOLDEN=1 writes it.
golden() {
    local name=${1%.in} said
    talk "$(<"$1")"
    said=$(plain <<<"${raw%$'\n'}")$'\n'"exit code $rc"
    [[ -n ${UPDATE_GOLDEN:-} ]] && printf '%s\n' "$said" >"$name.out"
    diff -u "$name.out" - <<<"$said" >"$SCRATCH/diff"
    result "${name##*/}" $?
    sed 's/^/# /' "$SCRATCH/diff"
    scores_are_told
    result "${name##*/}: a score before every best move" $?
}

# What the last dialogue said: the score in centipawns, depth, nodes of the Nth best move's last line of
# the best variation; the Nth best move.
of_line() { # WORD N
    awk -v word="$1" -v n="$2" '/^info depth .* multipv 1 / { line = $0 }
        /^bestmove/ && ++moves == n { k = split(line, w); for (i = 1; i < k; i++) if (w[i] == word) { print w[i + 1]; exit } }' <<<"$raw"
}
best_move() { # N
    awk -v n="$1" '/^bestmove/ && ++moves == n { print $2 }' <<<"$raw"
}
