#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# falconer perft: counts, files of counts, and everything that can be wrong with them.
. tests/e2e/tap.sh || exit 1
perft() { expect "$1" "$2" "$3" "$FALCONER" perft "${@:4}"; }

perft 'start position' 0 'perft 4: 197281 nodes,*' --depth 4
perft 'a given position' 0 'perft 3: 97862 nodes,*' --depth=3 \
    --fen 'r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1'
perft 'depth 0 is the position itself' 0 'perft 0: 1 nodes,*' -d 0
perft 'divided' 0 '*e2e4: 600*perft 3: 8902 nodes*' --depth 3 --divide
perft 'impossible position' 1 '*falconer perft: --fen: *king*' --fen '8/8/8/8/8/8/8/8 w - - 0 1'
perft 'both ways at once' 2 '*--epd goes with neither*' --fen 'x' --epd y

echo 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 401 ;D5 4865609' >"$SCRATCH/a.epd"
perft 'a wrong count is named' 1 '*a.epd:1: depth 2: expected 401, got 400*1 depths skipped*1 passed, 1 failed*' \
    --epd "$SCRATCH/a.epd" --max-nodes 1000
printf '\xEF\xBB\xBF# a comment\r\n\r\n8/8/8/8/8/8/8/K1k5 w - - 0 1 ;D1 1;\r\n' >"$SCRATCH/b.epd"
perft 'comments, blank lines, CRLF and a byte-order mark' 0 '1 passed, 0 failed*' --epd "$SCRATCH/b.epd"
printf '%s\n' 'nonsense' '8/8/8/8/8/8/8/K1k5 w - - 0 1' '8/8/8/8/8/8/8/K1k5 w - - 0 1 ;D1 x' \
    '8/8/8/8/8/8/8/K1k5 w - - 0 1 ;D-1 5' >"$SCRATCH/c.epd"
perft 'bad lines fail with a reason' 1 '*c.epd:1: *c.epd:2: no count*c.epd:3: not a count*0 passed, 4 failed*' \
    --epd "$SCRATCH/c.epd"
: >"$SCRATCH/empty.epd"
perft 'empty file' 1 '*empty.epd: the file is empty*' --epd "$SCRATCH/empty.epd"
printf '# only a comment\n' >"$SCRATCH/comment.epd"
perft 'no positions' 1 '*comment.epd: no positions*' --epd "$SCRATCH/comment.epd"
perft 'missing file' 1 '*missing.epd: No such file*' --epd "$SCRATCH/missing.epd"
perft 'directory' 1 '*is a directory*' --epd "$SCRATCH"
perft 'table' 0 'position*depth*start position*3*8902*ok*passed, 0 failed*' \
    --epd tests/data/perft.epd --limit 6 --table --max-nodes 9000
head -c 3000 /dev/urandom >"$SCRATCH/noise.epd"
run "$FALCONER" perft --epd "$SCRATCH/noise.epd"
result 'noise is refused' $((rc == 1 ? 0 : 1))
done_testing
