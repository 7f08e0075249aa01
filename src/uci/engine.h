// SPDX-License-Identifier: GPL-3.0-or-later
// What stands behind the UCI loop: the search with its settings, the game so far, and the thread
// that thinks. Private to src/uci.
#pragma once

#include "chess/book.h"
#include "search/search.h"
#include "uci/level.h"
#include "uci/uci.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

typedef struct Engine {
    FILE *out;
    pthread_mutex_t out_lock;

    // Settings, as options set them.
    int64_t hash_mb, threads, multi_pv, overhead_ms;
    bool own_book, analyse_mode, limit_strength, chess960;
    int64_t elo, skill; // elo counts where limit_strength is set, else skill
    Profile profile;
    Features features, start_features;
    bool has_search_file; // was set as an option
    Weights weights, start_weights;
    Str weights_path, start_path; // "" for the built-in ones
    Str whose;                    // weights they are: "Tal", or "" for the built-in ones
    bool tunable;                 // weights and numbers are listed
    bool by_hand;                 // someone types at a terminal
    bool settings_changed;        // to be handed to the search before it is used again

    TT *tt;
    Search *search;
    Book *book;
    bool book_was_set, own_book_was_set; // by the user: the weights' own book does not change them
    Rng book_rng;

    // The position to think about, and the keys of all positions that led to it.
    Position pos;
    uint64_t *keys;
    size_t key_count, key_capacity;

    Limits limits;
    bool thinks_in_line; // without a thread, where a search ends by itself: for fuzzing
    pthread_t thread;
    bool thinking; // the thread was started and not yet joined
} Engine;

MUST_CHECK Status engine_create(Engine **out, const UciStart *start, FILE *stream);
void engine_destroy(Engine *engine);
CLEANUP_AT(Engine *, engine_destroy)
// Everything as it was at the start, but for the size of the table: for the next conversation.
void engine_reset(Engine *engine);

// Prints a whole line, also while the search prints.
[[gnu::format(printf, 2, 3)]] void engine_say(Engine *engine, const char *format, ...);

// A legal move of a position, as the user wants castling to be written.
void engine_write_move(const Engine *engine, const Position *pos, Move move,
                       char out[UCI_MOVE_SIZE]);

// Hands changed settings to the search; not while it thinks.
void engine_apply_settings(Engine *engine);
MUST_CHECK Status engine_set_hash(Engine *engine, int64_t megabytes);
// Says where the weights came from ("": built in): for the engine's name, and for a book beside
// them.
void engine_set_weights_path(Engine *engine, const char *path);
// The book beside the weights, where there is one, unless the user chose another.
void engine_find_book(Engine *engine);
void engine_new_game(Engine *engine);

// Starts thinking on another thread, which prints the best move; waits for it to end.
void engine_go(Engine *engine, const Limits *limits);
void engine_wait(Engine *engine);
void engine_stop(Engine *engine);

// uci.c: the loop. Handles lines until "quit" or the end of the input, where a search may still
// run.
void uci_converse(Engine *engine, FILE *in);

// options.c: the table of options.
void uci_options_print(Engine *engine);
void uci_options_set(Engine *engine, const char *name, const char *value);

// go.c: the arguments of "position" and "go".
void uci_position(Engine *engine, StrView rest);
void uci_go(Engine *engine, StrView rest);
void uci_perft(Engine *engine, StrView rest);

// by_hand.c: what people and test frameworks ask for.
void uci_greet(Engine *engine);
void uci_help(Engine *engine, StrView rest);
void uci_show_position(Engine *engine, StrView rest);
void uci_eval(Engine *engine, StrView rest);
void uci_bench_here(Engine *engine, StrView rest);
void uci_genfens_here(Engine *engine, StrView rest);
