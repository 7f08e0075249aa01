#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What would be run for GECCO 2009, and the two ways to begin that it needs: one person's moves, and the
# best of a population.
. tests/e2e/tap.sh || exit 1

plan() { expect "$1" 0 "$2" "$FALCONER" reproduce gecco2009 --dry-run -o "$SCRATCH/results" "${@:3}"; }
plan 'the plan' '*evolve gecco2009 --runs 10*coevolve gecco2009-coevolve --start-take bests*-rounds 50*'
plan 'at scale papers' '*--runs 3 --generations 49 --play-nodes 1000 --verdict-games 1000*option.Blockage=false -rounds 500*--schedule race --match-games 32 --playoff-games 4000*tc=1+0.01 *-rounds 150*' --scale papers
plan 'ten tuned sets to begin with' '*--start-from maestro-gecco2008.weights,maestro-hand.weights,*pupil-toga2/best.weights,*'
plan 'one organism per grandmaster' "*--player 'Karpov, Anatoly;Karpov, Anatoli'*"

small=(--test '' --depth 2 --generations 2 --population 12)
head -n 1000 data/grandmasters-train.epd >"$SCRATCH/train.epd"
expect 'one person is learned from' 0 '*of other players*left out*' "$FALCONER" evolve gecco2009 \
    --data "$SCRATCH/train.epd" --player 'Karpov, Anatoly;Karpov, Anatoli' "${small[@]}" -o "$SCRATCH/karpov"
expect 'nobody of that name' 1 '*no move of Nobody, N*' "$FALCONER" evolve gecco2009 \
    --data "$SCRATCH/train.epd" --player 'Nobody, N' "${small[@]}" -o "$SCRATCH/nobody"
expect 'the best of a population play' 0 '*' "$FALCONER" coevolve gecco2009-coevolve --start-from "$SCRATCH/karpov" \
    --start-take top --population 4 --generations 0 --match-games 2 --play-nodes 50 --verdict-games 0 -o "$SCRATCH/top"
awk -F, 'FNR == 1 { next }
    FNR == NR { if ($2 > best) best = $2; row = $0; sub(/^[^,]*,[^,]*,/, "", row); figure[row] = $2; next }
    { row = $0; sub(/^[^,]*,[^,]*,/, "", row); n++; found += row in figure; most = figure[row] > most ? figure[row] : most }
    END { exit n != 4 || found != 4 || most != best }' "$SCRATCH/karpov/population.csv" "$SCRATCH/top/population.csv"
result 'and are those of it, with its best' $?
done_testing
