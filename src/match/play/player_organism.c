// SPDX-License-Identifier: GPL-3.0-or-later
#include "match/play/player_organism.h"

#include "base/cancel.h"
#include "base/clock.h"
#include "base/mem.h"
#include "search/search.h"

#include <assert.h>
#include <stdlib.h>

enum { OVERHEAD_MS = 10 }; // what Eyas keeps in reserve, too

typedef struct Organism {
    Weights weights;
    Features features;
    size_t hash_mb;
    int cancel_fd;
    bool is_cancelled;
    TT *tt; // both are NULL before the first game
    Search *search;
    bool has_new_weights; // which the search has not seen
    Position pos;
    uint64_t *keys; // owned; of all positions of the game so far
    size_t key_count, key_capacity;
    const char *name;
} Organism;

static bool see_cancel(void *context) {
    Organism *organism = context;
    organism->is_cancelled = organism->is_cancelled || cancel_is_requested(organism->cancel_fd);
    return organism->is_cancelled;
}

static void add_key(Organism *organism) {
    MEM_ADD(organism->keys, organism->key_count, organism->key_capacity) = organism->pos.key;
}

static Status wake_up(Organism *organism) {
    if (organism->search == NULL) {
        TRY(tt_create(&organism->tt, organism->hash_mb));
        organism->search = search_create(&organism->weights, organism->tt);
        search_set_features(organism->search, organism->features);
        if (organism->cancel_fd >= 0)
            search_set_cancel(organism->search, see_cancel, organism);
        return OK;
    }
    if (organism->has_new_weights)
        search_set_weights(organism->search, &organism->weights);
    organism->has_new_weights = false;
    tt_clear(organism->tt);
    search_new_game(organism->search);
    return OK;
}

static Fault new_game(void *self, const Position *start) {
    Organism *organism = self;
    // Small searches are over before they look.
    if (see_cancel(organism)) {
        error_set(ERR_ARG, "cancelled");
        return FAULT_CANCELLED;
    }
    if (wake_up(organism) != OK) {
        error_prefix("%s", organism->name);
        return FAULT_REFUSED;
    }
    organism->pos = *start;
    organism->key_count = 0;
    add_key(organism);
    return FAULT_NONE;
}

static void push_move(void *self, Move move) {
    Organism *organism = self;
    Undo undo;
    position_make(&organism->pos, move, &undo);
    add_key(organism);
}

// Without a clock the cap is what ends a search that its other limits do not.
static Limits search_limits(const Limits *limits) {
    Limits out = *limits;
    if (out.clock.time_ms > OVERHEAD_MS)
        out.clock.time_ms -= OVERHEAD_MS;
    else if (out.clock.time_ms > 0)
        out.clock.time_ms = 1;
    else if (out.move_ms == 0)
        out.move_ms = out.cap_ms;
    return out;
}

// A score as players tell it: centipawns, or moves to mate.
static int told_score(int score) {
    if (!score_is_mate(score))
        return score;
    return score > 0 ? (SCORE_MATE - score + 1) / 2 : -(SCORE_MATE + score + 1) / 2;
}

static void hear_line(void *context, const SearchLine *line) {
    const PlayerListener *listener = context;
    if (line->rank != 1 || line->move_count == 0)
        return;
    const PlayerLine told = {.first = line->moves[0],
                             .has_score = true,
                             .is_mate = score_is_mate(line->score),
                             .score = told_score(line->score),
                             .depth = line->depth,
                             .nodes = line->nodes,
                             .elapsed_ns = line->time_ms * 1000000};
    listener->on_line(listener->context, &told);
}

static Fault think(void *self, const Position *pos, const Limits *limits,
                   const PlayerListener *listener, PlayerAnswer *out) {
    Organism *organism = self;
    assert(pos->key == organism->pos.key);
    const Limits what = search_limits(limits);
    int64_t start = clock_now_ns();
    search_prepare(organism->search, false);
    const SearchListener hearing = {(void *)listener, hear_line};
    SearchResult result = search_run(organism->search, pos, organism->keys, organism->key_count,
                                     &what, listener == NULL ? NULL : &hearing);
    *out = (PlayerAnswer){.move = result.best,
                          .has_score = true,
                          .is_mate = score_is_mate(result.score),
                          .score = told_score(result.score),
                          .depth = result.depth,
                          .nodes = result.nodes,
                          .elapsed_ns = clock_now_ns() - start};
    move_to_uci(pos, result.best, out->text);
    if (organism->is_cancelled) {
        error_set(ERR_ARG, "cancelled");
        return FAULT_CANCELLED;
    }
    if (out->elapsed_ns < limits->cap_ms * 1000000)
        return FAULT_NONE;
    error_set(ERR_LIMIT, "%s: took too long", organism->name);
    return FAULT_LATE;
}

static void close_player(void *self) {
    Organism *organism = self;
    search_destroy(organism->search);
    tt_destroy(organism->tt);
    weights_free(&organism->weights);
    free(organism->keys);
    free(organism);
}

Player player_organism_create(const OrganismConfig *config, const char *name) {
    static const PlayerOps ops = {new_game, push_move, think, NULL, close_player};
    Organism *organism = mem_alloc_zero(1, sizeof *organism);
    weights_copy(&organism->weights, config->weights);
    organism->features = config->features;
    organism->hash_mb = config->hash_mb == 0 ? ORGANISM_HASH_MB : config->hash_mb;
    organism->cancel_fd = config->cancel_fd;
    organism->name = name;
    return (Player){&ops, organism, name};
}

void player_organism_set_weights(const Player *player, const Weights *weights) {
    Organism *organism = player->self;
    weights_free(&organism->weights);
    weights_copy(&organism->weights, weights);
    organism->has_new_weights = true;
}

void player_organism_set_features(const Player *player, const Features *features) {
    Organism *organism = player->self;
    organism->features = *features;
    if (organism->search != NULL)
        search_set_features(organism->search, *features);
}
