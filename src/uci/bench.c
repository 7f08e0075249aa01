// SPDX-License-Identifier: GPL-3.0-or-later
#include "uci/uci.h"

#include "base/clock.h"
#include "chess/fen.h"
#include "search/search.h"

enum { BENCH_DEPTH = 14, BENCH_HASH_MB = 16 };

// Positions of all kinds: openings, middlegames, endings, in check, near mate.
static const char *const positions[] = {
#include "uci/bench.def"
};

static Status bench_position(Search *search, const char *fen, int depth, uint64_t *nodes) {
    Position pos;
    TRY(fen_parse(fen, &pos));
    const Limits limits = {.depth = depth};
    search_prepare(search, false);
    *nodes += search_run(search, &pos, &pos.key, 1, &limits, NULL).nodes;
    return OK;
}

Status uci_bench(const Weights *weights, const Features *features, int depth, BenchResult *out) {
    CLEANUP(tt_destroy_at) TT *tt = NULL;
    TRY(tt_create(&tt, BENCH_HASH_MB));
    CLEANUP(search_destroy_at) Search *search = search_create(weights, tt);
    search_set_features(search, *features);
    *out = (BenchResult){0};
    const int64_t start = clock_now_ns();
    for (size_t i = 0; i < sizeof positions / sizeof positions[0]; i++)
        TRY(bench_position(search, positions[i], depth > 0 ? depth : BENCH_DEPTH, &out->nodes));
    out->seconds = clock_seconds_since(start);
    return OK;
}
