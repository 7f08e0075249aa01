#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The bundled sets are what their page says: sums, counts, no position in two sets of a pair.
. tests/e2e/tap.sh || exit 1

(cd data && sha256sum --quiet -c SHA256SUMS)
result 'every file is as it was built' $?
listed=$(awk '{ print $2 }' data/SHA256SUMS | sort) present=$(cd data && printf '%s\n' *.epd *.zst | sort)
[[ $listed == "$present" ]]
result 'every file has its sum' $?
(($(cat data/* | wc -c) < 4000000))
result 'all of it is under 4 MB' $?

positions() { # FILE: the four fields
    if [[ $1 == *.zst ]]; then zstd -dc "data/$1"; else cat "data/$1"; fi | awk '!/^#/ { print $1, $2, $3, $4 }'
}
for file in $present; do
    positions "$file" >"$SCRATCH/all"
    sort -u "$SCRATCH/all" >"$SCRATCH/$file.sorted"
    [[ $(wc -l <"$SCRATCH/all") == "$(wc -l <"$SCRATCH/$file.sorted")" ]]
    result "$file: no position twice" $?
    case $file in
        openings.epd | openings-verdict.epd.zst) least=1000 ;;
        tactics.epd) least=800 ;;
        tactics-hard.epd) least=200 ;;
        *) least=5000 ;;
    esac
    (($(wc -l <"$SCRATCH/all") >= least))
    result "$file: $least positions" $?
    expect "$file: the doctor finds nothing wrong" 0 '*' "$FALCONER" doctor "data/$file"
done
for train in grandmasters-train.epd mentor-train.epd mentor-white-train.toga2.epd.zst; do
    comm -12 "$SCRATCH/$train.sorted" "$SCRATCH/${train/train/test}.sorted" >"$SCRATCH/common"
    [[ ! -s $SCRATCH/common ]]
    result "$train: no position in common with the test set" $?
done
for part in train test; do
    for mentor in toga2 glaurung stockfish; do
        cmp -s "$SCRATCH/mentor-$part.epd.sorted" "$SCRATCH/mentor-$part.$mentor.epd.zst.sorted"
        result "mentor-$part: $mentor has a score for each" $?
    done
done
done_testing
