#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# falconer weights and falconer explain: what they show, and what wrong files and usage get.
. tests/e2e/tap.sh || exit 1
weights() { expect "$1" "$2" "$3" "$FALCONER" weights "${@:4}"; }
explain() { expect "$1" "$2" "$3" "$FALCONER" explain "${@:4}"; }
hand=weights/maestro-hand.weights
paper=weights/maestro-gecco2008.weights

weights 'show' 0 '*by hand*family maestro 1, 35 terms*PAWN_VALUE * 100 * 0 * 1023  pawns*' show $hand
weights 'show the built-in weights' 0 '*family falcon 1, *' show
weights 'of the paper' 0 '*GECCO 2008, Figure 3*KING_PRESSURE_MULT * 8 *' show $paper
weights 'diff' 0 '*PAWN_VALUE * 100 * 83 * -17*33 of 35 terms differ*' diff $hand $paper
weights 'no difference' 0 '0 of 35 terms differ*' diff $paper $paper
weights 'random' 0 '# method: random*# seed: 5*--chromosome maestro-230 --seed 5*family maestro 1*' random --seed 5
first=$out
weights 'another seed' 0 '*family maestro 1*' random --seed 6
[[ $first != "$out" ]]
result 'other weights for it' $?
weights 'random into a file' 0 '*' random --family maestro --seed 5 -o "$SCRATCH/r.weights"
[[ $(<"$SCRATCH/r.weights") == "$first" ]]
result 'the same seed gives the same file' $?
weights 'show it' 0 '*seed: 5*' show "$SCRATCH/r.weights"
weights 'real numbers instead of bits' 0 '*between its bounds*--chromosome real*family maestro 1*' random --chromosome real
vazquez=weights/vazquez-asoc2013.weights
weights 'show tenths' 0 '*family vazquez 2, 33 terms*KNIGHT_VALUE * 295.2 * 200.0 * 400.0  knights*' show $vazquez
weights 'random, of a family without bits' 0 '*' random --family vazquez --seed 5 -o "$SCRATCH/v.weights"
weights 'its difference' 0 '*KNIGHT_VALUE * 295.2 *32 of 33 terms differ*' diff $vazquez "$SCRATCH/v.weights"
weights 'its smaller variant' 0 '*first 24 terms*KING_MOBILITY 0.0*BISHOP_PAIR 0.0*' random --family vazquez --variant vazquez-24
weights 'a variant of another family' 2 "*family maestro has no variant 'vazquez-24'*" random --variant vazquez-24
weights 'two families' 1 '*different families: maestro and vazquez*' diff $paper $vazquez
weights 'bits of another family' 2 "*family vazquez has no chromosome 'maestro-230'*" random --family vazquez --chromosome maestro-230
weights 'the pawn is fixed in 224 bits' 0 '*PAWN_VALUE 100*' random --chromosome maestro-224
weights 'the mean of two' 0 '*mean of these 2 weights files*KNIGHT_VALUE*' mean weights/maestro-hand.weights weights/maestro-gecco2008.weights
weights 'the mean of one and the same' 0 '*' mean weights/maestro-hand.weights weights/maestro-hand.weights -o "$SCRATCH/mean.weights"
weights 'is that one' 0 '0 of 35 terms differ*' diff weights/maestro-hand.weights "$SCRATCH/mean.weights"
weights 'the mean of two families' 1 '*is of the family falcon, but those before it of maestro*' mean weights/maestro-hand.weights weights/falcon-moves.weights
weights 'the mean of one' 2 '*expected FILE FILE...*' mean weights/maestro-hand.weights
program=$(realpath "$FALCONER")
(cd "$SCRATCH" && "$program" weights show) >"$SCRATCH/out" 2>&1
grep -q '^family falcon' "$SCRATCH/out"
result 'the built-in weights need no file' $?

explain 'start position' 0 '*QUEEN_VALUE * 954 * 1 * 1 *score +0 for White; White is to move: +0*' --weights $paper
explain 'with the built-in weights' 0 '*QUEEN_VALUE *other terms: neither side has any (--all shows them)*White is to move*'
[[ $out != *KNIGHT_OUTPOST_NEAR* ]]
result 'without what nobody has' $?
explain 'and with it' 0 '*KNIGHT_OUTPOST_NEAR *score *White is to move*' --all
fen='4k3/8/8/8/8/8/P7/4K3 b - - 0 1'
adds_up() { # whether the column of scores gives the total, and that the score
    local sum total
    sum=$(awk '$1 ~ /^[A-Z0-9_]+$/ && NF >= 7 { sum += $7 } END { print sum + 0 }' <<<"$out")
    total=$(awk '$1 == "total" { print $4 + 0 }' <<<"$out")
    [[ $sum == "$total" && $total != 0 && $out == *"score +$total for White"* ]]
}
explain 'a pawn up' 0 '*Black is to move: -*' --fen "$fen" --weights $paper
adds_up
result 'the column adds up to the score' $?
explain 'products' 0 '*KING_ATTACKING_MATERIAL_BISHOP * -21.4 *0 * 1 *-21.4*as the engine has it: -584*' --weights $vazquez \
    --fen 'r2q1rk1/pp2bppp/2n1pn2/3p4/3P4/2NB1N2/PP3PPP/R1BQ1RK1 b - - 0 11'
adds_up
result 'the column of tenths adds up to the score' $?
explain 'a bad position' 1 '*falconer explain: --fen: *' --fen 'nonsense'
explain 'a bad option' 2 '*--wieghts*' --wieghts $paper

# Wrong files, made from a good one: NAME PATTERN SED-SCRIPT.
wrong() {
    sed -e "$3" $paper >"$SCRATCH/w.weights"
    explain "$1" 1 "*w.weights:$2*" --weights "$SCRATCH/w.weights"
}
wrong 'unknown term' "12: family maestro has no term 'QUEN_VALUE'*" 's/QUEEN_VALUE/QUEN_VALUE/'
wrong 'missing term' '41: the file ends with 1 of the 35 terms*add BISHOP_PAIR, or let falconer weights migrate add them' '/BISHOP_PAIR/d'
wrong 'repeated term' '25: BISHOP_PAIR was given in line 24*' '/BISHOP_PAIR/p'
wrong 'out of bounds' '24: BISHOP_PAIR 64 is out of bounds: write a value from 0 to 63' 's/_PAIR .*/_PAIR 64/'
wrong 'no number' "24: BISHOP_PAIR: 'many' is not a whole number" 's/_PAIR .*/_PAIR many/'
wrong 'no value' '24: BISHOP_PAIR has no value*' 's/_PAIR .*/_PAIR/'
wrong 'unknown family' "7: unknown family 'mastro': write one of maestro, vazquez, shannon*" 's/family maestro/family mastro/'
wrong 'other version' '7: version 2 of family maestro*this program has version 1*' 's/maestro 1/maestro 2/'
wrong 'no family' "7: 'PAWN_VALUE' before the family*" '/^family/d'
wrong 'a NUL byte' '20: a NUL byte*' '20s/ /\x00/'
wrong 'noise' '8: family maestro has no term*' '8s/.*/\x01\xff&^%$/'

# A file of another version: a term too many, one too few, another header.
sed -e 's/maestro 1/maestro 2/; /BISHOP_PAIR/d; s/^QUEEN_VALUE.*/&\nOLD_TERM 7/' $paper >"$SCRATCH/old.weights"
weights 'an old file is refused' 1 '*version 2 of family maestro*falconer weights migrate*' show "$SCRATCH/old.weights"
weights 'and converted' 0 '*from version 2 to version 1*OLD_TERM 7: dropped*BISHOP_PAIR: added with 0, so that it counts for nothing*' \
    migrate "$SCRATCH/old.weights" -o "$SCRATCH/new.weights"
weights 'to one that is read' 0 '*BISHOP_PAIR * 44 * 0 * -44*1 of 35 terms differ*' diff $paper "$SCRATCH/new.weights"
weights 'with the story of it' 0 '*migrated: BISHOP_PAIR: added with 0*' show "$SCRATCH/new.weights"
weights 'new terms by default' 0 "*BISHOP_PAIR: added with *, the family's default*" migrate "$SCRATCH/old.weights" --missing default
weights 'new terms as told' 0 '*BISHOP_PAIR: set to 44*' migrate "$SCRATCH/old.weights" --set BISHOP_PAIR=44 -o "$SCRATCH/new.weights"
weights 'give the weights of before' 0 '0 of 35 terms differ*' diff $paper "$SCRATCH/new.weights"
weights 'of this version nothing changes' 0 '*nothing to change*' migrate $paper -o "$SCRATCH/new.weights"
cmp -s $paper "$SCRATCH/new.weights"
result 'not a byte' $?
weights 'a term that is none' 1 "*--set: family maestro has no term 'X'*" migrate "$SCRATCH/old.weights" --set X=1
weights 'another word for missing' 2 "*--missing must be one of zero, default, not 'one'*" migrate "$SCRATCH/old.weights" --missing one
weights 'not over the old file' 2 '*' migrate "$SCRATCH/old.weights" -o "$SCRATCH/old.weights"
printf 'family vazquez 1\nKING_ATTACKING_MATERIAL -4.1\nKING_DEFENDING_MATERIAL 12\n' >"$SCRATCH/old.weights"
weights 'weights of another scale' 0 '*MATERIAL: -4.1 of version 1 is -41.0 since version 2*MATERIAL: 120.0 is out of bounds, now 100.0*' \
    migrate "$SCRATCH/old.weights" -o "$SCRATCH/new.weights"
sed 's/$/\r/' $paper >"$SCRATCH/crlf.weights"
weights 'CRLF is fine' 0 '0 of 35 terms differ*' diff $paper "$SCRATCH/crlf.weights"
gzip <$paper >"$SCRATCH/packed.weights.gz"
weights 'compressed is fine' 0 '0 of 35 terms differ*' diff $paper "$SCRATCH/packed.weights.gz"
: >"$SCRATCH/empty.weights"
weights 'empty file' 1 '*empty.weights*empty*' show "$SCRATCH/empty.weights"
weights 'missing file' 1 '*none.weights: No such file*' diff $paper "$SCRATCH/none.weights"
weights 'directory' 1 '*is a directory*' show "$SCRATCH"
weights 'unwritable' 1 '*nowhere*' random -o "$SCRATCH/nowhere/r.weights"
head -c 3000 /dev/urandom >"$SCRATCH/noise.weights"
run "$FALCONER" weights show "$SCRATCH/noise.weights"
result 'noise is refused' $((rc == 1 ? 0 : 1))

weights 'a variation' 0 '*# varied: each value by up to 10 percent*family maestro 1*' vary $paper --seed 7
"$FALCONER" weights vary $paper --seed 7 -o "$SCRATCH/varied.weights"
weights 'is another organism' 0 '*PAWN_VALUE*of 35 terms differ*' diff $paper "$SCRATCH/varied.weights"
"$FALCONER" weights vary $paper --seed 7 -o "$SCRATCH/again.weights" && cmp -s "$SCRATCH/varied.weights" "$SCRATCH/again.weights"
result 'the same seed varies alike' $?
weights 'all the way, within the bounds' 0 '*' vary "$SCRATCH/varied.weights" --spread 1000 -o "$SCRATCH/far.weights"
weights 'which are those of its family' 0 '*' show "$SCRATCH/far.weights"
weights 'by nothing' 0 '*' vary $paper --spread 0 -o "$SCRATCH/same.weights"
weights 'is the same' 0 '0 of 35 terms differ*' diff $paper "$SCRATCH/same.weights"
weights 'a spread below 0' 2 '*--spread must be a number from 0 to 1000*' vary $paper --spread -1
weights 'help' 0 'Usage: falconer weights*show*diff*random*' --help
weights 'nothing asked' 2 '*Usage: falconer weights*'
weights 'unknown action' 2 "*unknown action 'shwo'*" shwo
weights 'one file for diff' 2 '*expected A B*' diff $paper
weights 'unknown family for random' 2 "*there is no family 'x'*" random --family x
weights 'unknown chromosome' 2 "*no chromosome 'maestro-12'*" random --chromosome maestro-12
weights 'negative seed' 2 '*--seed*' random --seed -1
done_testing
