#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# falconer suite: best moves and moves to avoid.
. tests/e2e/tap.sh
fake=$(dirname "$FALCONER")/fake_engine
[[ -x $fake ]] || fake=build/obj/release-native/fake_engine
fake=$(realpath "$fake")
suite() { expect "$1" "$2" "$3" "$FALCONER" suite "${@:4}"; }

last() { [[ ${out##*$'\n'} == "$1" ]]; }
if [[ -x /usr/games/stockfish ]]; then
    suite 'a real engine solves it' 0 '*solved 9 of 9*' tests/data/mates.epd --engine cmd=/usr/games/stockfish --depth 8
    last 'solved 9 of 9'
    result 'the last line is the count' $?
    suite 'two at a time, by time' 0 '*solved 9 of 9*' tests/data/mates.epd \
        --engine 'cmd=/usr/games/stockfish option.Hash=16' --movetime 200 --concurrency 2 --verbose
    [[ $(grep -c ': solved: ' <<<"$out") == 9 ]]
    result 'verbose tells of solved ones too' $?
else
    skip 'a real engine' 'stockfish is not installed'
fi
suite 'an engine that plays anything' 0 '*back rank: failed: bm Rd8#; played *solved ? of 9*' tests/data/mates.epd \
    --engine "cmd=$fake" --nodes 1
suite 'a crash costs one position' 0 '*killed by signal 11*positions without a legal move*solved ? of 9*' \
    tests/data/mates.epd --engine "cmd='$fake' arg=crash arg=2" --depth 1
suite 'an illegal move fails' 0 '*illegal move e1e5*' tests/data/mates.epd --engine "cmd=$fake arg=illegal" --depth 1
one="cmd=$fake"
echo '6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - id "nothing";' >"$SCRATCH/a.epd"
suite 'nothing to solve' 1 '*a.epd:1: neither bm nor am*' "$SCRATCH/a.epd" --engine "$one" --depth 1
echo '6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Qh8;' >"$SCRATCH/b.epd"
suite 'an impossible best move' 1 '*b.epd:1: *' "$SCRATCH/b.epd" --engine "$one" --depth 1
suite 'missing file' 1 '*missing.epd*' "$SCRATCH/missing.epd" --engine "$one" --depth 1
suite 'no engine' 2 '*--engine is needed*' tests/data/mates.epd --depth 1
suite 'no limit' 2 '*give --movetime, --nodes or --depth*' tests/data/mates.epd --engine "$one"
suite 'an engine that is none' 1 '*exited with code 0 during the handshake*' tests/data/mates.epd --engine cmd=true --depth 1
suite 'no such option' 1 "*has no option 'Nope'*" tests/data/mates.epd --engine "$one option.Nope=3" --depth 1
done_testing
