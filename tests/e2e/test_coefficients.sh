#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Another engine's coefficients: evolution and tuning find the values a toy engine was made with, and bad
# files are refused with their line.
. tests/e2e/tap.sh || exit 1
FALCONER=$(realpath "$FALCONER")
manual=$PWD/docs/bring-your-own.md
cd "$SCRATCH" || exit 1

# dump LABEL COUNT SEED: a toy engine with a tapered rook and a tempo, in 24ths; one label in ten is off.
dump() {
    awk -v label="$1" -v count="$2" -v seed="$3" 'BEGIN {
        srand(seed)
        split("310 490 530 12 25", value, " ")
        print "falconer-coefficients 1\nlabel " label "\ncounts 24"
        print "param KNIGHT 0 1000 200\nparam ROOK_MG 0 1000 300\nparam ROOK_EG 0 1000 300"
        print "param MOBILITY -50 50 0\nparam TEMPO 0 63 0 # for the side to move"
        for (i = 0; i < count; i++) {
            phase = int(25 * rand()); rooks = int(5 * rand()) - 2
            c[1] = 24 * (int(5 * rand()) - 2); c[2] = rooks * phase; c[3] = rooks * (24 - phase)
            c[4] = 24 * (int(21 * rand()) - 10); c[5] = rand() < 0.5 ? 24 : -24
            offset = 24 * (int(201 * rand()) - 100); score = offset; line = ""
            for (j = 1; j <= 5; j++) { score += c[j] * value[j]; if (c[j]) line = line " " j - 1 ":" c[j] }
            score /= 24
            said = label == "result" ? (rand() < 1 / (1 + 10 ^ (-score / 400)) ? 1 : 0) \
                                     : int(score + (score < 0 ? -0.5 : 0.5)) + (rand() < 0.1 ? 300 : 0)
            print said "; offset:" offset line
        }
    }'
}
dump centipawns 600 1 >train.txt
dump centipawns 200 2 >test.txt
dump result 30000 3 >results.txt
values=$'KNIGHT 310\nROOK_MG 490\nROOK_EG 530\nMOBILITY 12\nTEMPO 25'
holds() { [[ $(grep -v '^#' "$2") == "$values" ]]; result "$1" $?; } # NAME FILE

# --- the values come back ---

for algorithm in memetic ga de cmaes; do
    coding=gray
    [[ $algorithm == de || $algorithm == cmaes ]] && coding=real
    expect "evolution: $algorithm" 0 '*Training error: *Test error: *Certified optimum: *values.txt*' \
        "$FALCONER" evolve coefficients --algorithm $algorithm --chromosome $coding --data train.txt --test test.txt -o $algorithm
done
holds 'memetic evolution finds the values' memetic/values.txt
holds 'so does differential evolution' de/values.txt
holds 'and CMA-ES' cmaes/values.txt
[[ $(grep -v '^#' memetic/best.weights) == "family coefficients 1"$'\n'"$values" ]]
result 'the weights file holds them too' $?
expect 'on one thread' 0 '*' "$FALCONER" evolve coefficients --data train.txt --test test.txt -o again -t 1
cmp -s memetic/log.jsonl again/log.jsonl
result 'the same run on any number of threads' $?
expect 'a finished run is told of again' 0 '*Above the optimum: 0.00 %*' "$FALCONER" evolve --resume memetic
expect 'several runs, one term fixed, from values' 0 '*' \
    "$FALCONER" evolve coefficients --runs 2 --generations 20 --freeze TEMPO=25 --start memetic/values.txt --data train.txt -o two
holds 'leave values each' two/run-02/values.txt
gzip -k train.txt
expect 'a packed file' 0 '*' "$FALCONER" tune train.txt.gz -o tuned.txt
holds 'tuning finds the values' tuned.txt
expect 'labels that are results' 0 '*30000 of 30000 positions used*K: *' "$FALCONER" tune results.txt --k 1 -o results.values
near=$(grep -v '^#' results.values | awk 'BEGIN { split("310 490 530 12 25", v, " ") }
    { d = $2 - v[NR]; if (d < 0) d = -d; if (d < 15) n++ } END { print n }')
[[ $near == 5 ]]
result 'are fitted to' $?
expect 'start from values' 0 '*' "$FALCONER" tune train.txt --start tuned.txt --rounds 2 -o tuned-again.txt
holds 'which stand' tuned-again.txt

if command -v python3 >/dev/null; then
    sed -n '/^    import sys/,/^    *print(f"{result};"/s/^    //p' "$manual" >dumper.py
    printf '%s\n' '6k1/1R4pp/8/8/8/8/r4PPP/6K1 w - - 0 1;1/2-1/2' '6k1/R5pp/8/8/8/8/5PPP/6K1 b - - 0 1;1-0' |
        python3 dumper.py >manual.txt
    [[ $(tail -n 2 manual.txt) == '1/2-1/2; 0:24'$'\n''1-0; 0:24 3:24 5:2 6:22' ]]
    result "the manual's dumper" $?
    expect 'which tune reads' 0 '*2 of 2 positions used*' "$FALCONER" tune manual.txt --holdout 0 --rounds 3
else
    skip "the manual's dumper" 'there is no python3'
fi

# --- what does not fit ---

# refuse NAME MESSAGE SED-SCRIPT: the training file, changed, is refused by evolve and tune alike.
refuse() {
    sed "$3" train.txt >bad.txt
    expect "$1" 1 "*$2*" "$FALCONER" evolve coefficients --data bad.txt -o none
    expect "$1, by tune" 1 "*$2*" "$FALCONER" tune bad.txt -o none.txt
}
refuse 'an unknown index' "bad.txt:9: there is no index '5': the header declares 0 to 4" '9s/$/ 5:24/'
refuse 'an index twice' 'bad.txt:10: index 4 is there twice' '10s/$/ 4:24/'
refuse 'a count out of range' "bad.txt:9: index 4: '40000' is no count" '9s/4:.*/4:40000/'
refuse 'a label out of range' "bad.txt:12: '99999' is no label" '12s/^[^;]*/99999/'
refuse 'a result for a score' "bad.txt:12: '1-0' is no label" '12s/^[^;]*/1-0/'
refuse 'bounds the wrong way round' 'bad.txt:4: KNIGHT: its low bound 1000 is above' '4s/0 1000/1000 0/'
refuse 'a default out of bounds' 'bad.txt:5: ROOK_MG: its default 2000 is not from 0 to 1000' '5s/300/2000/'
refuse 'a name twice' 'bad.txt:6: ROOK_MG was declared already, as index 1' '6s/ROOK_EG/ROOK_MG/'
# shellcheck disable=SC2016 # the dollar is sed's last line
refuse 'no positions' 'bad.txt:*: there are no positions' '9,$d'
refuse 'no label' "bad.txt:8: the header must say 'label centipawns'" '2d'
refuse 'a line cut short' "bad.txt:9: expected 'LABEL; INDEX:COUNT" '9s/;.*//'
refuse 'another version' 'bad.txt:1: version 2 of the format' '1s/1/2/'
sed '4s/KNIGHT/HORSE/' test.txt >other.txt
expect 'a test set of another engine' 1 '*other.txt: its header is not that of the training set: parameter 0 is HORSE*' \
    "$FALCONER" evolve coefficients --data train.txt --test other.txt -o none
expect 'a validation set of another engine' 1 '*other.txt: its header is not*' "$FALCONER" tune train.txt --validation other.txt
expect 'evolution from results' 1 '*falconer tune fits to them*' "$FALCONER" evolve coefficients --data results.txt -o none
expect 'a loss that the labels are not for' 1 '*the loss must be results*' "$FALCONER" tune results.txt --loss mentor
expect 'moves' 1 '*tell of no moves*' "$FALCONER" tune train.txt --loss moves
expect 'a family beside it' 1 '*leave out --family*' "$FALCONER" tune train.txt --family maestro
expect 'a preset for positions' 1 '*coefficients of another engine, not positions*' "$FALCONER" evolve memetic --data train.txt -o none
expect 'games' 1 '*fitness must be mentor*' "$FALCONER" coevolve cec2001 --family coefficients -o none
expect 'explain' 1 "*values of another engine's coefficients*" "$FALCONER" explain --weights memetic/best.weights
[[ ! -e none && ! -e none.txt ]]
result 'nothing was begun' $?
done_testing
