#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# falconer reproduce: what it plans, what it refuses, and that it goes on where it was stopped. The experiments
# themselves take minutes; here only their first steps run.
. tests/e2e/tap.sh || exit 1
reproduce() { expect "$1" "$2" "$3" "$FALCONER" reproduce "${@:4}"; }
results=$SCRATCH/results folder=$SCRATCH/results/gecco2008-quick

reproduce 'no paper' 2 '*which paper?*'
reproduce 'no such paper' 2 "*no such paper: 'gecco1908'*" gecco1908
reproduce 'no such scale' 2 "*--scale is quick or papers, not 'slow'*" gecco2008 --scale slow
reproduce 'an engine that is none' 2 '*--engine: *needs cmd=*' gecco2008 --engine name=x
for paper in gecco2008 gpem2010; do
    for scale in quick papers; do
        reproduce "$paper at scale $scale" 0 \
            "$paper: * steps, about *Profile=papers depth=2*falconer evolve $paper *falconer evolve $paper --resolve *falconer evolve play *falconer weights median *falconer match *falconer suite *" \
            "$paper" --scale $scale --dry-run -o "$results"
        [[ $out != *'%'* && $out != *'(null)'* && $out == *' -o ./'* && $out != *"$results"* ]]
        result 'its commands are whole' $?
    done
done
reproduce 'a comparison of our own' 0 '*coevolve gecco2009-coevolve *coevolve play-games *weights vary *tune --start *' methods --dry-run -o "$results"
reproduce 'evaluation and search one after the other' 0 '*evolve gecco2009 *evolve icga2010 --weights ./evaluation/best.weights *coevolve play-games --family search *' \
    search --dry-run -o "$results"
run "$FALCONER" reproduce all --dry-run -o "$results"
[[ $out == *'cec2001: '* && $out != *'methods: '* && $out != *'search: '* ]]
result 'which are no papers' $?
[[ ! -e $results ]]
result 'a dry run writes nothing' $?
reproduce 'games and positions at a time' 0 '*falconer match *--concurrency 5*falconer suite *--concurrency 5*' gecco2008 --dry-run -j 5
reproduce 'an opponent more' 0 "*falconer match *-engine st=0.01 name=mine cmd=x 'arg=a b'*" gecco2008 --dry-run \
    --engine "name=mine cmd=x 'arg=a b'"
reproduce 'some steps alone' 0 '*left out   nodes-falcon *left out   others-maestro *min*tactics *' gecco2008 --scale papers --fresh \
    --dry-run --only tactics --only 'clock-*' -o "$results"
[[ $out != *'left out   clock-'* && $out != *'left out   train-2'* ]]
result 'and what is short' $?
reproduce 'no such step' 1 "*no step of gecco2008 matches 'clock': --dry-run lists them*" gecco2008 --dry-run --only clock
run "$FALCONER" reproduce gpem2010 --dry-run --engine "name=mine cmd=x 'arg=a b'"
[[ $out == *"--engine 'st=0.01 name=mine cmd=x '\\''arg=a b'\\'''"* ]]
result 'which the suite meets as well, as one word' $?

mkdir -p "$SCRATCH/mine/gecco2008-quick" "$SCRATCH/pages"
echo mine >"$SCRATCH/mine/gecco2008-quick/white-train-2.epd"
reproduce 'a folder that is not of a reproduction' 1 '*gecco2008-quick holds white-train-2.epd, which a new reproduction *write over*' \
    gecco2008 -o "$SCRATCH/mine"
echo mine >"$SCRATCH/pages/gecco2008.md"
reproduce 'a page that is not of a reproduction' 1 '*pages holds gecco2008.md, which a new reproduction *write over*' gecco2008 \
    -o "$SCRATCH/pages"
[[ $(cat "$SCRATCH/mine/gecco2008-quick/"* "$SCRATCH/pages/"*) == $'mine\nmine' ]]
result 'both stay as they are' $?
if is_watched; then
    skip 'what was stopped goes on' 'its first steps take a minute where a sanitizer watches'
    done_testing
    exit
fi
# begin STEP: starts it, and ends it when the step is done and the next has begun.
begin() {
    "$FALCONER" reproduce gecco2008 -o "$results" >"$SCRATCH/said" 2>&1 &
    local process=$!
    until grep -s "\"step\":\"$1\".*\"seconds\"" "$folder/steps.jsonl" >/dev/null && grep -qs '"so_far"' "$folder/steps.jsonl"; do
        kill -0 $process 2>/dev/null || break
        sleep 0.05
    done
    kill $process 2>/dev/null
    wait $process
}
# Where the machine was so busy that the next step was done too, once more.
for ((tries = 0; tries < TRIES; tries++)); do
    begin white-train-2
    ended=$?
    (($(grep -c '"seconds"' "$folder/steps.jsonl") > 1)) || break
    rm -rf "$results"
done
result 'what was ended has not succeeded' $((ended == 0))
[[ $(<"$SCRATCH/said") == *'step white-test-2 was interrupted; the same command goes on'* && $(<"$SCRATCH/said") != *failed* ]]
result 'and is not called a failure' $?
[[ $(grep -c '"seconds"' "$folder/steps.jsonl") == 1 && $(grep -c ' ce ' "$folder/white-train-2.epd") == 5000 ]]
result 'what was done is written down' $?
[[ $(sed 1d "$folder/steps.jsonl") == *'"step":"white-test-2"'*'"so_far":'* ]]
result 'and what was begun, with its time' $?
head -n 1 "$folder/steps.jsonl" >"$SCRATCH/first.jsonl"
touch -d '2001-01-01' "$folder/white-train-2.epd"
begin white-test-2
grep -q '^\[1/.*white-train-2 .*already done$' "$SCRATCH/said" && [[ $(date -r "$folder/white-train-2.epd" +%Y) == 2001 ]]
result 'what was done is not done again' $?
[[ $(head -n 1 "$folder/steps.jsonl") == "$(cat "$SCRATCH/first.jsonl")" && -s $folder/white-test-2.epd ]]
result 'the rest goes on' $?

cp "$folder/steps.jsonl" "$SCRATCH/steps.jsonl"
sed -i 's/"seconds":/&1/' "$folder/steps.jsonl"
reproduce 'a record that was changed' 1 '*gecco2008-quick: steps.jsonl:1: this line is damaged*' gecco2008 -o "$results"
sed 's/depth=2/depth=3/; s/,"check":"[^"]*"//' "$SCRATCH/steps.jsonl" >"$folder/steps.jsonl"
reproduce 'a folder of other commands' 1 '*gecco2008-quick: step white-train-2 was done by another command*' gecco2008 -o "$results"
echo '{' >"$folder/steps.jsonl"
reproduce 'a damaged record' 1 '*gecco2008-quick: steps.jsonl:1: no line of a step*' gecco2008 -o "$results"
done_testing
