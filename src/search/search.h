// SPDX-License-Identifier: GPL-3.0-or-later
// The search, as its callers see it: a position and limits in, lines and a best move out. It prints
// nothing and shares nothing but the table it is given, so that hundreds can live in one process.
#pragma once

#include "chess/position.h"
#include "eval/weights.h"
#include "search/features.h"
#include "search/timeman.h"
#include "search/tt.h"

typedef struct Search Search;

// One line found, as it is found.
typedef struct SearchLine {
    int depth, selective_depth;
    int rank; // 1 for the best line
    int score;
    Bound bound;
    uint64_t nodes;
    int64_t time_ms;
    int hash_permille;
    const Move *moves;
    size_t move_count;
} SearchLine;

typedef struct SearchResult {
    Move best, ponder; // MOVE_NONE where there is none
    int score, depth;
    uint64_t nodes;
    int64_t time_ms;
} SearchResult;

typedef struct SearchListener {
    void *context;
    void (*on_line)(void *context, const SearchLine *line); // may be NULL
} SearchListener;

// An engine over `tt`, which must outlive it.
Search *search_create(const Weights *weights, TT *tt);
void search_destroy(Search *search);
CLEANUP_AT(Search *, search_destroy)

// Settings; not while a search runs.
void search_set_features(Search *search, Features features);
void search_set_threads(Search *search, unsigned threads);
void search_set_weights(Search *search, const Weights *weights);
void search_set_table(Search *search, TT *tt);
// To play worse on purpose: adds to the score of each move at the root a number that depends on the
// position and the move alone, of this standard deviation in centipawns. 0: nothing.
void search_set_noise(Search *search, int noise_cp);
// Off: the caches of the evaluation are not used (the results are the same).
void search_set_caching(Search *search, bool caching);
// Asks `is_cancelled` every few hundred nodes, on the thread that called search_run, and stops when
// it says so. NULL: never.
void search_set_cancel(Search *search, bool (*is_cancelled)(void *context), void *context);
// Forgets what was learned in earlier searches, but for the table, which is the caller's.
void search_new_game(Search *search);

// Gets ready for search_run. A stop that comes after this, even before the search starts on another
// thread, is not lost.
void search_prepare(Search *search, bool ponder);
// Searches `root`, whose key is the last of `keys`; the others are the game's positions before it.
// Blocks until done. The best move is legal, and missing only where there is no legal move.
SearchResult search_run(Search *search, const Position *root, const uint64_t *keys,
                        size_t key_count, const Limits *limits, const SearchListener *listener);

// From any thread, while search_run runs: stop soon; and: the opponent played the expected move.
void search_stop(Search *search);
void search_ponderhit(Search *search);
