#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# falconer suite: what is asked for and counted, several engines side by side, bad lines, Ctrl-C.
. tests/e2e/tap.sh || exit 1
fakes=$(dirname "$FALCONER")
[[ -x $fakes/fake_engine ]] || fakes=build/obj/release-native
fakes=$(realpath "$fakes")
fake=$fakes/fake_engine
suite() { expect "$1" "$2" "$3" "$FALCONER" suite "${@:4}"; }

last() { [[ ${out##*$'\n'} == "$1" ]]; }
if [[ -x /usr/games/stockfish ]]; then
    suite 'a real engine solves it' 0 '*solved 9 of 9*' tests/data/mates.epd --engine cmd=/usr/games/stockfish --depth 8
    last 'solved 9 of 9'
    result 'the last line is the count' $?
    suite 'two at a time, by time' 0 '*solved 9 of 9*' tests/data/mates.epd \
        --engine 'cmd=/usr/games/stockfish option.Hash=16' --movetime 1000 --concurrency 2 --verbose
    [[ $(grep -c ': solved: ' <<<"$out") == 9 ]]
    result 'verbose tells of solved ones too' $?
else
    skip 'a real engine' 'stockfish is not installed'
fi
suite 'an engine that plays anything' 0 '*back rank: failed: bm Rd8#; played *solved ? of 9*' tests/data/mates.epd \
    --engine "cmd=$fake" --nodes 1
suite 'a crash costs one position' 0 '*killed by signal 11*solved ? of 9*' \
    tests/data/mates.epd --engine "cmd='$fake' arg=crash arg=2" --depth 1
suite 'an illegal move fails' 0 '*illegal move e1e5*' tests/data/mates.epd --engine "cmd=$fake arg=illegal" --depth 1
suite 'an engine that knows no nodes ends it' 1 "*fake_engine: it does not obey 'go nodes 5'*depth or time*" tests/data/mates.epd \
    --engine "cmd=$fake arg=tireless" --nodes 5
suite 'an organism in the process' 0 '*solved 9 of 9*' tests/data/mates.epd --depth 6 \
    --engine weights=weights/maestro-gecco2008.weights
suite 'an XBoard engine' 0 '*fake_xboard *0*solved ? of 9*' tests/data/mates.epd --depth 2 \
    --engine "cmd=$fakes/fake_xboard proto=xboard"
suite 'an XBoard engine has no nodes' 1 '*no limit by nodes*' tests/data/mates.epd --nodes 9 \
    --engine "cmd=$fakes/fake_xboard proto=xboard"

# Several engines, themes, points and bad lines: the fakes play what they play for ever. The times alone
# differ from run to run, and with them the widths of columns.
cat >"$SCRATCH/graded.epd" <<'EPD'
1kr5/3n4/q3p2p/p2n2p1/PppB1P2/5BP1/1P2Q2P/3R2K1 w - - bm f5; id "STS(v1.0) Undermine.001"; c0 "f5=10, Qe3=3";
1n5k/3q3p/pp1p2pB/5r2/1PP1Qp2/P6P/6P1/2R3K1 w - - bm Qe5+; id "STS(v1.0) Undermine.002"; c7 "Qe5+ g4"; c8 "10 3";
6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd2; id "STS(v14.0) 7th Rank.001"; c8 "10 2"; c9 "d1d2 d1d8";
6k1/5ppp/8/8/8/8/5PPP w - - bm Rd8#; id "STS(v14.0) 7th Rank.002";
6k1/4Rppp/8/8/8/8/5PPP/6K1 w - - am Kf1; dm 1; id "STS(v14.0) 7th Rank.003";
EPD
answers=$SCRATCH/answers.jsonl
suite 'several engines' 0 '*graded.epd:4: *' "$SCRATCH/graded.epd" --depth 4 --concurrency 3 --jsonl "$answers" \
    --engine "cmd='$fake' arg=wavers name=wavers" --engine "cmd='$fake' arg=crash arg=1 name=crashes"
golden=tests/data/suite-table.txt
sed -n '/^engine/,$p' <<<"$out" | sed -E 's/ +/ /g; s/-+/-/g; s/^(wavers|crashes)( .*) [0-9,–]+( [0-9]+)$/\1\2 T\3/' >"$SCRATCH/table.txt"
if [[ ${UPDATE_GOLDEN:-} ]]; then cp "$SCRATCH/table.txt" "$golden"; fi
diff "$golden" "$SCRATCH/table.txt" | sed 's/^/# /'
cmp -s "$golden" "$SCRATCH/table.txt"
result 'the tables' $?
[[ $(sed -E 's/.*"line":([0-9]+),"engine":"(.)[a-z]+".*/\1\2/' "$answers" | tr '\n' ' ') == '1w 1c 2w 2c 3w 3c 5w 5c ' ]]
result 'a line for each answer, in order' $?
[[ $(grep -c '"solution_depth":4,"solution_nodes":400,"error":null' "$answers") == 2 &&
    $(grep -c '"move":null,"solved":false.*"solution_ms":null.*"error":"crashes: killed' "$answers") == 4 ]]
result 'what a line says' $?
suite 'a mate is announced' 0 '*solved: am Kf1; dm 1; played Re8# (mate 1,* since depth *' "$SCRATCH/graded.epd" --depth 4 -v \
    --engine weights=weights/maestro-gecco2008.weights
suite 'the same name twice' 2 "*two engines are named 'fake_engine'*name=*" tests/data/mates.epd --depth 1 \
    --engine "cmd=$fake" --engine "cmd=$fake arg=mates"
suite 'more at a time than processors' 0 '*share*' tests/data/mates.epd --movetime 1 \
    --concurrency 99 --engine "cmd=$fake"

# Ctrl-C: the totals of what there is, and a file of it.
hang=("cmd='$fake' arg=hang arg=3" --depth 1)
"$FALCONER" suite tests/data/mates.epd --engine "${hang[@]}" --jsonl "$SCRATCH/cut.jsonl" -v >"$SCRATCH/cut" &
pid=$!
has_two_lines() { [[ -e $SCRATCH/cut ]] && (($(wc -l <"$SCRATCH/cut") >= 2)); }
soon has_two_lines
kill -TERM "$pid"
wait "$pid"
[[ $? == 1 && $(tail -n 2 "$SCRATCH/cut") == 'stopped after 2 of 9 answers'$'\n''solved '?' of 2' &&
    $(wc -l <"$SCRATCH/cut.jsonl") == 2 ]]
result 'a signal ends it with the totals so far' $?

# Killed: what it was writing is removed by the next one that writes there, and nothing else is.
"$FALCONER" suite tests/data/mates.epd --engine "${hang[@]}" --jsonl "$SCRATCH/killed.jsonl" >/dev/null &
pid=$!
while ! compgen -G "$SCRATCH/killed.jsonl.*" >/dev/null && kill -0 $pid; do sleep 0.02; done
kill -KILL "$pid"
wait "$pid" 2>/dev/null
left=$(compgen -G "$SCRATCH/killed.jsonl.*")
[[ $left == "$SCRATCH"/killed.jsonl.falconer-??????.tmp ]]
result 'a kill leaves a temporary file' $?
echo mine >"$SCRATCH/killed.jsonl.backup"
suite 'after a kill' 0 '*solved ? of 9*' tests/data/mates.epd --engine "cmd=$fake" --depth 1 --jsonl "$SCRATCH/killed.jsonl"
[[ $(compgen -G "$SCRATCH/killed.jsonl*" | sort) == "$SCRATCH/killed.jsonl"$'\n'"$SCRATCH/killed.jsonl.backup" ]]
result 'it is removed by the next start' $?

one="cmd=$fake"
echo '6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - id "nothing";' >"$SCRATCH/a.epd"
suite 'nothing to solve' 1 '*a.epd:1: neither bm, am, dm nor points*' "$SCRATCH/a.epd" --engine "$one" --depth 1
echo '6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Qh8;' >"$SCRATCH/b.epd"
suite 'an impossible best move' 1 '*b.epd:1: *' "$SCRATCH/b.epd" --engine "$one" --depth 1
suite 'missing file' 1 '*missing.epd*' "$SCRATCH/missing.epd" --engine "$one" --depth 1
suite 'a file that cannot be written' 1 '*nowhere*' tests/data/mates.epd --engine "$one" --depth 1 \
    --jsonl "$SCRATCH/nowhere/a.jsonl"
suite 'a full disk' 1 '*/dev/full*' tests/data/mates.epd --engine "$one" --depth 1 --jsonl /dev/full
suite 'no engine' 2 '*--engine is needed*' tests/data/mates.epd --depth 1
suite 'no limit' 2 '*give --movetime, --nodes or --depth*' tests/data/mates.epd --engine "$one"
suite 'an engine that is none' 1 '*exited with code 0 during the handshake*' tests/data/mates.epd --engine cmd=true --depth 1
suite 'no such option' 1 "*has no option 'Nope'*" tests/data/mates.epd --engine "$one option.Nope=3" --depth 1
suite 'no such weights' 1 '*missing.weights*' tests/data/mates.epd --engine weights=missing.weights --depth 1
done_testing
