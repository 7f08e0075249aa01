#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Several mentors at once, and tapered families under a mentor.
. tests/e2e/tap.sh || exit 1
if [[ ! -e data/mentor-train.toga2.epd.zst ]]; then
    skip 'several mentors' 'data/mentor-train.toga2.epd.zst is not there'
    done_testing
    exit 0
fi
small=(memetic --population 20 --generations 10)
evolve() { expect "$1" "$2" "$3" "$FALCONER" evolve "${@:4}"; }
# parts PART LINES: the first lines of the three mentors' sets, as PART.MENTOR.epd.
parts() {
    local mentor
    for mentor in toga2 glaurung stockfish; do
        zstd -qdc "data/mentor-$1.$mentor.epd.zst" | grep -v '^#' | head -n "$2" >"$SCRATCH/$1.$mentor.epd"
    done
}
parts train 300
parts test 100
toga=$SCRATCH/train.toga2.epd glaurung=$SCRATCH/train.glaurung.epd stockfish=$SCRATCH/train.stockfish.epd
three=$toga,$glaurung,$stockfish
held=$SCRATCH/test.toga2.epd,$SCRATCH/test.glaurung.epd,$SCRATCH/test.stockfish.epd

# --- what comes of three ---

evolve 'one target of three mentors' 0 \
    '*made of all mentors*Certified optimum: *Mentors*scale*train.toga2*train.stockfish*in one measure*' \
    "${small[@]}" --data "$three" --test "$held" --mentors-target fitted -o "$SCRATCH/fitted"
grep -q 'mentors-target = fitted' "$SCRATCH/fitted/config.ini" && grep -q 'in one measure' "$SCRATCH/fitted/report.txt"
result 'is told in the files of the run' $?
evolve 'named one by one' 0 '*Mentors*' "${small[@]}" --data "$toga" --data "$glaurung" --data "$stockfish" \
    --test "$held" --mentors-target fitted --no-optimum -o "$SCRATCH/named"
cmp -s <(grep -v '^#' "$SCRATCH/fitted/best.weights") <(grep -v '^#' "$SCRATCH/named/best.weights")
result 'they are the same' $?
evolve 'the worst of three mentors' 0 '*for whom it is largest*Certified optimum: *' \
    "${small[@]}" --data "$three" --test "$held" --mentors-fitness worst -o "$SCRATCH/worst"
evolve 'the front of two mentors' 0 '*What can be traded*error by train.toga2*' \
    "${small[@]}" --data "$toga,$glaurung" --test '' --mentors-fitness front --threads 2 -o "$SCRATCH/front"
head -n 1 "$SCRATCH/front/front.csv" | grep -q '^point,share_train.toga2,share_train.glaurung,error_train.toga2,' &&
    [[ -s $SCRATCH/front/front-01.weights ]]
result 'is written' $?
expect 'and can be scored' 0 '*error *' "$FALCONER" score --weights "$SCRATCH/front/front-01.weights" --data "$toga"
evolve 'goes on after its end' 0 '*What can be traded*' --resume "$SCRATCH/front"

# --- refusals ---

sed 5d "$glaurung" >"$SCRATCH/shorter.epd"
evolve 'other positions' 1 '*shorter.epd:5: this is not the position of *train.toga2.epd:5*' \
    "${small[@]}" --data "$toga,$SCRATCH/shorter.epd" --test '' -o "$SCRATCH/refused"
head -n 299 "$glaurung" >"$SCRATCH/shorter.epd"
evolve 'fewer positions' 1 '*train.toga2.epd:300: this position is not in *shorter.epd, which ends after 299*' \
    "${small[@]}" --data "$toga,$SCRATCH/shorter.epd" --test '' -o "$SCRATCH/refused"
evolve 'a test by fewer mentors' 1 '*2 mentors and test those of 1*' \
    "${small[@]}" --data "$toga,$glaurung" --test "$SCRATCH/test.toga2.epd" -o "$SCRATCH/refused"
evolve 'a comma without a name' 1 '*data: there is a comma without a name*' \
    "${small[@]}" --data "$toga," --test '' -o "$SCRATCH/refused"
evolve 'settings of several for one' 2 '*mentors-fitness changes nothing with one mentor*' \
    "${small[@]}" --data "$toga" --mentors-fitness worst -o "$SCRATCH/refused"
evolve 'normalising what is fitted' 2 '*mentors-normalise changes nothing where scales are fitted*' \
    "${small[@]}" --data "$three" --mentors-target fitted --mentors-normalise none -o "$SCRATCH/refused"
evolve 'a front behind captures' 1 '*front cannot be had here: values behind captures*' \
    "${small[@]}" --data "$toga,$glaurung" --test '' --mentors-fitness front --resolve -o "$SCRATCH/refused"
evolve 'moves of several' 1 '*moves are learned from one set*' \
    moves --data grandmasters-train.epd --data grandmasters-test.epd -o "$SCRATCH/refused"
[[ ! -e $SCRATCH/refused ]]
result 'nothing was written' $?

# --- tapered families ---

head -n 100 "$toga" >"$SCRATCH/few.epd"
evolve 'a tapered family' 0 '*Training error: *Certified optimum: *PAWN_VALUE_EG*' memetic --family falcon \
    --data "$SCRATCH/few.epd" --test '' --only PAWN_VALUE_MG,PAWN_VALUE_EG,QUEEN_VALUE_MG --population 20 \
    --generations 10 -o "$SCRATCH/falcon"
training=$(sed -n 's/^# error: \([0-9]*\.[0-9][0-9]\).*/\1/p' "$SCRATCH/falcon/best.weights")
expect 'is scored the same' 0 "*error ${training%?}*" "$FALCONER" score --weights "$SCRATCH/falcon/best.weights" \
    --data "$SCRATCH/few.epd"
expect 'has an optimum' 0 '*proven bound: *PAWN_VALUE_MG*' "$FALCONER" optimum --family falcon \
    --only PAWN_VALUE_MG,PAWN_VALUE_EG --data "$SCRATCH/few.epd"
done_testing
