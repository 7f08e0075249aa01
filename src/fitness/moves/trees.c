// SPDX-License-Identifier: GPL-3.0-or-later
#include "fitness/moves/trees.h"

#include "base/mem.h"
#include "base/owner.h"
#include "base/temporary.h"
#include "fitness/moves/forest_file.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

// A few positions have most of the nodes, so an estimate from a sample is rough: trees are given up
// without a trial only where they seem to be twice as large as they may be.
enum { SAMPLE = 512, ROUGH = 2, FAR = 4 };

typedef struct Work {
    TreesOrder *order;
    const PlayedSet *sets;
    size_t count;
    DistPool *pool;
    Forest **forests;
    int32_t limits[COEFFICIENTS_MAX], guide[COEFFICIENTS_MAX];
} Work;

[[gnu::format(printf, 2, 3)]] static void tell(const TreesOrder *order, const char *format, ...) {
    char text[640];
    va_list arguments;
    if (order->tell == NULL)
        return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    order->tell(text);
}

static double megabytes(size_t bytes) {
    return (double)bytes / (1 << 20);
}

static ForestConfig config_of(const Work *work, size_t max_bytes) {
    return (ForestConfig){work->order->family, work->order->rules, work->limits, work->guide,
                          max_bytes};
}

static void free_forests(const Work *work) {
    for (size_t i = 0; i < work->count; i++) {
        forest_free(work->forests[i]);
        work->forests[i] = NULL;
    }
}

static size_t bytes_of(const Work *work) {
    size_t bytes = 0;
    for (size_t i = 0; i < work->count; i++)
        if (work->forests[i] != NULL)
            bytes += forest_totals(work->forests[i]).bytes;
    return bytes;
}

// No memory at all would be no limit.
static size_t bytes_left(const Work *work) {
    const size_t taken = bytes_of(work), most = work->order->max_bytes;
    return taken < most ? most - taken : 1;
}

// --- how large they will be ---

static Status estimate_set(const Work *work, const PlayedSet *set, size_t *bytes) {
    const ForestConfig config = config_of(work, 0);
    const size_t count = set->count < SAMPLE ? set->count : SAMPLE;
    CLEANUP(played_set_free)
    PlayedSet sample = {.items = mem_alloc((count + 1) * sizeof *sample.items), .count = count};
    CLEANUP(forest_free_at) Forest *forest = NULL;
    for (size_t i = 0; i < count; i++)
        sample.items[i] = set->items[i * set->count / count];
    TRY(forest_compile_kind(&forest, work->order->kind, &sample, &config, work->pool));
    *bytes += (size_t)((double)forest_totals(forest).bytes * (double)set->count / (double)count);
    return OK;
}

static Status estimate(const Work *work, size_t *bytes) {
    size_t positions = 0;
    *bytes = 0;
    for (size_t i = 0; i < work->count; i++)
        if (work->sets[i].count > 0) {
            TRY(estimate_set(work, &work->sets[i], bytes));
            positions += work->sets[i].count;
        }
    tell(work->order, "the trees of %zu positions, to depth %u, will take about %.0f MB", positions,
         work->order->rules.depth, megabytes(*bytes));
    return OK;
}

// --- kept ones ---

static void cache_path(const Work *work, const PlayedSet *set, Str *out) {
    const ForestConfig config = config_of(work, 0);
    str_addf(out, "%s/%016" PRIx64 ".trees", work->order->cache,
             forest_key(work->order->kind, set, &config));
}

// True where all sets were kept, and fit.
static bool take_kept(const Work *work) {
    bool has_all = work->order->cache[0] != '\0';
    for (size_t i = 0; i < work->count && has_all; i++) {
        if (work->sets[i].count == 0)
            continue;
        const ForestConfig config = config_of(work, bytes_left(work));
        CLEANUP(str_free) Str path = {0};
        cache_path(work, &work->sets[i], &path);
        const Status status = forest_load(&work->forests[i], work->order->kind, &work->sets[i],
                                          &config, str_text(&path), work->pool);
        if (status == ERR_PARSE || status == ERR_ARG)
            tell(work->order, "%s; the trees are compiled anew", error_message());
        has_all = status == OK;
    }
    if (!has_all)
        free_forests(work);
    return has_all;
}

// The run goes on without: it needs the trees, not the file. One that others can have written was
// told of, and is not ours to replace.
static void keep(const Work *work, size_t index) {
    const ForestConfig config = config_of(work, 0);
    CLEANUP(str_free) Str path = {0};
    cache_path(work, &work->sets[index], &path);
    if (owner_check(str_text(&path)) != ERR_ARG &&
        forest_save(work->forests[index],
                    forest_key(work->order->kind, &work->sets[index], &config), str_text(&path),
                    work->pool) != OK)
        tell(work->order, "the trees cannot be kept: %s", error_message());
}

// --- compiling ---

static Status compile_all(const Work *work) {
    for (size_t i = 0; i < work->count; i++) {
        const ForestConfig config = config_of(work, bytes_left(work));
        const Status status = work->sets[i].count == 0
                                  ? OK
                                  : forest_compile_kind(&work->forests[i], work->order->kind,
                                                        &work->sets[i], &config, work->pool);
        if (status != OK) {
            free_forests(work);
            return status;
        }
    }
    if (work->order->cache[0] == '\0' || work->order->only_reads)
        return OK;
    temporary_sweep_folder(work->order->cache);
    for (size_t i = 0; i < work->count; i++)
        if (work->forests[i] != NULL)
            keep(work, i);
    return OK;
}

// Fills the forests at this depth; ERR_LIMIT where they do not fit, with an estimate of their size.
static Status fill(const Work *work, size_t *bytes) {
    const size_t most = work->order->max_bytes;
    const bool is_kept = take_kept(work);
    if (is_kept && bytes_of(work) <= most / FAR)
        return OK;
    // Near the limit the estimate decides for kept trees too: a run must not depend on them.
    const Status status = estimate(work, bytes);
    const bool fits = status == OK && *bytes / ROUGH <= most;
    if (fits)
        return is_kept ? OK : compile_all(work);
    free_forests(work);
    return status != OK ? status : ERR_LIMIT;
}

Status trees_compile(TreesOrder *order, const PlayedSet *sets, size_t count, DistPool *pool,
                     Forest **forests, Str *notes) {
    Work work = {.order = order, .sets = sets, .count = count, .pool = pool, .forests = forests};
    const unsigned asked = order->rules.depth;
    const double most = megabytes(order->max_bytes);
    size_t bytes = 0;
    family_limits(order->family, work.limits);
    family_start(order->family, work.guide);
    Status status = fill(&work, &bytes);
    while (status == ERR_LIMIT && order->rules.depth > 0 &&
           order->rules.quiescence != QUIESCENCE_NONE) {
        tell(order, "that is more than the %.0f MB of max-memory: depth %u instead of %u", most,
             order->rules.depth - 1, order->rules.depth);
        order->rules.depth--;
        status = fill(&work, &bytes);
    }
    if (status == ERR_LIMIT)
        return error_set(ERR_LIMIT,
                         "the trees of all positions take more than the %.0f MB of max-memory at "
                         "any depth, about %.0f MB at the least: take fewer positions, or allow "
                         "more memory",
                         most, megabytes(bytes));
    if (status == OK && order->rules.depth < asked)
        str_addf(notes, "depth %u instead of %u, to stay within %.0f MB", order->rules.depth, asked,
                 most);
    return status;
}
