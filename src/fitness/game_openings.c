// SPDX-License-Identifier: GPL-3.0-or-later
#include "fitness/game_openings.h"

#include "base/hash.h"
#include "base/locate.h"
#include "base/mem.h"
#include "match/play/openings.h"

#include <stdlib.h>

enum { OPENING_PLIES = 16 }; // where openings are whole games
enum { PLAYOFF_STAGES = 4 }; // that have openings of their own

// Adds the positions that the openings lead to.
static void keep_openings(GameOpenings *all, const Openings *openings, size_t count) {
    all->positions = mem_resize(all->positions, (all->count + count) * sizeof *all->positions);
    for (size_t i = 0; i < count; i++)
        all->positions[all->count++] = openings_position(openings, i);
}

// Adds those of a file, in random order. A book has no end, and so cannot be shared out.
static Status add_openings(GameOpenings *all, Problem *problem, const char *name) {
    SetFiles *files = &problem->files[SET_TRAINING];
    CLEANUP(openings_free_at) Openings *openings = NULL;
    TRY(locate("data", name, &files->paths[files->count]));
    const char *path = str_text(&files->paths[files->count++]);
    const OpeningsConfig what = {.path = path,
                                 .format = openings_guess_format(path),
                                 .plies = OPENING_PLIES,
                                 .is_random = true,
                                 .seed = problem->seed};
    TRY(openings_load(&openings, &what));
    if (openings_count(openings) == 0)
        return error_set(ERR_ARG, "%s: positions or games are needed, not a book", path);
    keep_openings(all, openings, openings_count(openings));
    return OK;
}

static int compare_keys(const void *a, const void *b) {
    const uint64_t first = *(const uint64_t *)a, second = *(const uint64_t *)b;
    return (first > second) - (first < second);
}

// What a verdict is played from, evolution must not have seen.
static Status check_openings_differ(const GameOpenings *all, const char *verdict) {
    const size_t evolution = all->evolution;
    CLEANUP(mem_free_at) uint64_t *keys = mem_alloc((evolution + 1) * sizeof *keys);
    for (size_t i = 0; i < evolution; i++)
        keys[i] = all->positions[i].key;
    qsort(keys, evolution, sizeof *keys, compare_keys);
    for (size_t i = evolution; i < all->count; i++)
        if (bsearch(&all->positions[i].key, keys, evolution, sizeof *keys, compare_keys) != NULL)
            return error_set(ERR_ARG, "%s: an opening of the verdict is one of evolution's, too",
                             verdict);
    return OK;
}

Status game_openings_load(GameOpenings *all, Problem *problem, const RunConfig *config) {
    *all = (GameOpenings){.from_initial = config->initial_position};
    const bool has_meetings = config->algorithm.algorithm->ask_meetings != NULL;
    const char *verdict = str_text(&config->verdict_openings);
    const bool has_verdict = *verdict != '\0';
    if (!all->from_initial || !has_verdict)
        TRY(add_openings(all, problem, str_text(&config->openings)));
    if (!all->from_initial)
        all->evolution = has_verdict ? all->count : all->count / 2;
    if (!all->from_initial && all->evolution == 0)
        return error_set(ERR_ARG, "%s: two openings at least are needed",
                         str_text(&problem->files[SET_TRAINING].paths[0]));
    if (has_verdict) {
        TRY(add_openings(all, problem, verdict));
        TRY(check_openings_differ(all, verdict));
    }
    all->playoff = config->playoff_games > 0 && !has_meetings ? all->evolution / 4 : 0;
    return OK;
}

void game_openings_free(GameOpenings *openings) {
    free(openings->positions);
    *openings = (GameOpenings){0};
}

Position game_openings_draw(const GameOpenings *openings, const Problem *problem, uint32_t run,
                            uint32_t generation, uint32_t use, unsigned number) {
    Position start;
    position_set_start(&start);
    if (openings->from_initial)
        return start;
    Rng rng = evolve_rng(problem->seed, run, generation, use, USE_OPENINGS);
    const uint32_t count = (uint32_t)(openings->evolution - openings->playoff),
                   first = rng_below(&rng, count);
    // They stand in random order: neighbours are as good as any others.
    return openings->positions[(first + number) % count];
}

Position game_openings_of_playoff(const GameOpenings *openings, uint32_t run, uint32_t stage,
                                  unsigned number) {
    const size_t share = game_openings_of_stage(openings);
    const size_t at = ((size_t)run * PLAYOFF_STAGES + stage) * share + number;
    return openings->positions[openings->evolution - openings->playoff + at % openings->playoff];
}

size_t game_openings_of_stage(const GameOpenings *openings) {
    const size_t share = openings->playoff / PLAYOFF_STAGES;
    return share > 0 ? share : 1;
}

size_t game_openings_unseen(const GameOpenings *openings) {
    return openings->count - openings->evolution;
}

const Position *game_openings_of_verdict(const GameOpenings *openings, size_t number) {
    return &openings->positions[openings->evolution + number];
}

uint64_t game_openings_hash(const GameOpenings *openings, uint64_t hash) {
    // Version 0.2 had no play-off.
    if (openings->playoff > 0)
        hash = hash_bytes(hash, &openings->playoff, sizeof openings->playoff);
    for (size_t i = 0; i < openings->count; i++)
        hash = hash_bytes(hash, &openings->positions[i].key, sizeof hash);
    return hash;
}

void game_openings_describe(const GameOpenings *openings, Str *out) {
    if (openings->from_initial)
        str_addf(out, "evolution plays from the initial position, the verdict from %zu openings",
                 openings->count);
    else
        str_addf(out, "%zu openings for evolution, %zu others for the verdict", openings->evolution,
                 game_openings_unseen(openings));
}
