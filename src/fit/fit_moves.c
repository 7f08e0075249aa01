// SPDX-License-Identifier: GPL-3.0-or-later
// Fitting to moves: the same plan and the same outcome, by way of the leaves that decide.
#include "base/hash.h"
#include "base/locate.h"
#include "base/mem.h"
#include "fit/fit_positions.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

typedef struct Moves {
    const FitPlan *plan;
    PlayedSet training, held_out;
    PlayedTotals totals;
    uint64_t hash;
} Moves;

static void moves_free(Moves *moves) {
    played_set_free(&moves->training);
    played_set_free(&moves->held_out);
}

static Status read_file(Moves *moves, const char *name, const Holdout *holdout) {
    CLEANUP(str_free) Str path = {0};
    CLEANUP(played_set_free) PlayedSet set = {0};
    TRY(locate("data", name, &path));
    TRY(played_set_load(&set, str_text(&path)));
    for (size_t i = 0; i < set.count; i++) {
        PlayedSet *part =
            holdout_takes_key(holdout, set.items[i].pos.key) ? &moves->held_out : &moves->training;
        MEM_ADD(part->items, part->count, part->capacity) = set.items[i];
    }
    moves->totals.lines += set.totals.lines;
    moves->totals.used += set.totals.used;
    moves->totals.forced += set.totals.forced;
    moves->hash = hash_bytes(moves->hash, &set.hash, sizeof set.hash);
    return OK;
}

static Status read_all(Moves *moves) {
    const FitPlan *plan = moves->plan;
    const Holdout all = {.share = 1};
    for (size_t i = 0; i < plan->file_count; i++)
        TRY(read_file(moves, plan->files[i], &plan->data.holdout));
    if (plan->validation != NULL)
        TRY(read_file(moves, plan->validation, &all));
    if (moves->training.count == 0)
        return error_set(ERR_ARG, "all %zu positions are held out: none is left to learn from",
                         moves->held_out.count);
    return OK;
}

static double missed(uint64_t hits, size_t positions) {
    return positions == 0 ? (double)NAN : 1 - (double)hits / (double)positions;
}

static FitRound round_of(const Moves *moves, unsigned number, const LeafRound *round) {
    return (FitRound){number, missed(round->training_hits, moves->training.count),
                      missed(round->validation_hits, moves->held_out.count), 0};
}

static void observe(void *context, unsigned number, const LeafRound *round) {
    const Moves *moves = context;
    const FitRound told = round_of(moves, number, round);
    if (moves->plan->fit.observe != NULL)
        moves->plan->fit.observe(moves->plan->fit.context, &told);
}

static Status descend(Moves *moves, DistPool *pool, double *coefficients, FitOutcome *out) {
    const FitPlan *plan = moves->plan;
    const Family *family = plan->data.family;
    SlopeKind slope = plan->moves.slope;
    slope.temperature *= family->unit;
    const LeafDescent descent = {
        .leaves = {.family = family,
                   .rules = plan->moves.rules,
                   .max_bytes = plan->moves.max_bytes},
        .steps = {plan->moves.steps, slope, plan->fit.low, plan->fit.high},
        .rounds = plan->fit.rounds,
        .training = &moves->training,
        .validation = &moves->held_out,
        .patience = plan->fit.patience,
        .observe = observe,
        .context = moves,
    };
    CLEANUP(mem_free_at) LeafRound *rounds = mem_alloc_zero(descent.rounds + 1, sizeof *rounds);
    unsigned best = 0;
    TRY(leaf_descent(&descent, pool, coefficients, rounds, &best));
    const bool is_early = descent.patience > 0 && descent.rounds - best > descent.patience;
    const LeafRound *ends[] = {&rounds[0], &rounds[best]};
    out->result = (FitResult){.start = round_of(moves, 0, ends[0]),
                              .best = round_of(moves, best, ends[1]),
                              .whole = round_of(moves, best, ends[1]),
                              .rounds = is_early ? best + descent.patience : descent.rounds,
                              .is_early = is_early};
    for (int when = 0; when < 2; when++) {
        const FitErrors none = {.absolute = (double)NAN};
        out->training[when] = out->held_out[when] = none;
        out->training[when].moves = moves->training.count;
        out->training[when].found = ends[when]->training_hits;
        out->held_out[when].moves = moves->held_out.count;
        out->held_out[when].found = ends[when]->validation_hits;
    }
    return OK;
}

Status fit_moves(const FitPlan *plan, DistPool *pool, double *coefficients, FitOutcome *out) {
    CLEANUP(moves_free) Moves moves = {.plan = plan, .hash = HASH_START};
    TRY(read_all(&moves));
    TRY(descend(&moves, pool, coefficients, out));
    str_addf(&out->data, "%" PRIu64 " of %" PRIu64 " position%s used", moves.totals.used,
             moves.totals.lines, str_plural(moves.totals.lines));
    if (moves.totals.forced > 0)
        str_addf(&out->data, ", %" PRIu64 " with one legal move left out", moves.totals.forced);
    out->training_count = moves.training.count;
    out->held_out_count = moves.held_out.count;
    out->hash = moves.hash;
    return OK;
}
