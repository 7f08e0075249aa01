// SPDX-License-Identifier: GPL-3.0-or-later
#include "evolve/loop.h"

#include "base/mem.h"
#include "evolve/survival.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// --- statistics ---

// Orders `values` so that the one at `nth` is the one that sorting would put there (Hoare).
static int64_t nth_value(int64_t *values, size_t count, size_t nth) {
    size_t low = 0, high = count - 1;
    while (low < high) {
        int64_t pivot = values[low + (high - low) / 2];
        size_t left = low, right = high;
        for (;;) {
            while (values[left] < pivot)
                left++;
            while (values[right] > pivot)
                right--;
            if (left >= right)
                break;
            int64_t kept = values[left];
            values[left++] = values[right];
            values[right--] = kept;
        }
        if (nth <= right)
            high = right;
        else
            low = right + 1;
    }
    return values[nth];
}

static double median_of(const int64_t *scores, size_t count) {
    int64_t *copy = mem_alloc(count * sizeof *copy);
    memcpy(copy, scores, count * sizeof *copy);
    double upper = (double)nth_value(copy, count, count / 2);
    double lower = count % 2 == 1 ? upper : (double)nth_value(copy, count, count / 2 - 1);
    free(copy);
    return (lower + upper) / 2;
}

static double diversity_of(const EvolveSpace *space, const EvolveBatch *batch) {
    size_t width = batch->width, free_parameters = 0;
    double *sums = mem_alloc_zero(2 * width, sizeof *sums), *squares = sums + width, total = 0;
    // Counted from the first organism, so that squares stay small where all are alike.
    const double *first = batch->parameters;
    for (size_t i = 1; i < batch->count; i++)
        for (size_t j = 0; j < width; j++) {
            double off = batch->parameters[i * width + j] - first[j];
            sums[j] += off;
            squares[j] += off * off;
        }
    for (size_t j = 0; j < width; j++) {
        double size = space->parameters[j].high - space->parameters[j].low;
        double mean = sums[j] / (double)batch->count;
        double variance = squares[j] / (double)batch->count - mean * mean;
        if (size > 0 && variance > 0)
            total += sqrt(variance) / size;
        free_parameters += size > 0;
    }
    free(sums);
    return total / (double)free_parameters;
}

static void add_scores(EvolveStats *stats, const EvolveBatch *batch, const int64_t *scores) {
    size_t best = 0;
    double sum = 0;
    stats->worst = scores[0];
    for (size_t i = 0; i < batch->count; i++) {
        sum += (double)scores[i];
        if (scores[i] > scores[best])
            best = i;
        if (scores[i] < stats->worst)
            stats->worst = scores[i];
    }
    stats->has_scores = true;
    stats->best = scores[best];
    stats->mean = sum / (double)batch->count;
    stats->median = median_of(scores, batch->count);
    stats->best_parameters = batch->parameters + best * batch->width;
}

// Statistics of a batch and its scores (NULL where there are none).
static EvolveStats stats_of(const EvolveSpace *space, const EvolveBatch *batch,
                            const int64_t *scores) {
    EvolveStats stats = {.generation = batch->generation,
                         .count = batch->count,
                         .diversity = diversity_of(space, batch)};
    if (scores != NULL)
        add_scores(&stats, batch, scores);
    return stats;
}

// --- the loop ---

// Room for what a generation is told; grows with the batches.
typedef struct Room {
    int64_t *scores;
    EvolveResult *results;
    size_t score_capacity, result_capacity;
} Room;

static Status observe(Evolver *evolver, const EvolveLoop *loop, EvolveStats *stats) {
    stats->evaluations = evolver_evaluations(evolver);
    return loop->observe == NULL ? OK : loop->observe(loop->context, stats);
}

static Status tell_scores(Evolver *evolver, const EvolveLoop *loop, const int64_t *scores) {
    const EvolveBatch batch = evolver_ask(evolver);
    // Taken first: telling the scores replaces the batch, and with it its best organism.
    EvolveStats stats = stats_of(evolver_space(evolver), &batch, scores);
    size_t size = batch.width * sizeof(double);
    CLEANUP(mem_free_at) double *best = mem_alloc(size);
    stats.best_parameters = memcpy(best, stats.best_parameters, size);
    stats.has_parents =
        evolver_parents(evolver, survival_best(scores, batch.count), &stats.parents);
    TRY(evolver_tell(evolver, scores));
    return observe(evolver, loop, &stats);
}

static Status judge_scores(Evolver *evolver, const EvolveLoop *loop, Room *room) {
    const EvolveBatch batch = evolver_ask(evolver);
    room->scores = mem_grow(room->scores, &room->score_capacity, batch.count, sizeof *room->scores);
    TRY(loop->evaluate(loop->context, &batch, room->scores));
    return tell_scores(evolver, loop, room->scores);
}

static void add_results(EvolveStats *stats, const EvolveResult *results, size_t count) {
    for (size_t i = 0; i < count; i++) {
        stats->games += results[i].wins + results[i].draws + results[i].losses;
        stats->draws += results[i].draws;
        stats->plies += results[i].plies;
    }
}

static Status judge_meetings(Evolver *evolver, const EvolveLoop *loop, Room *room) {
    uint32_t generation = evolver_generation(evolver);
    EvolveStats played = {0};
    bool over = false;
    while (!over) {
        size_t count;
        EvolveBatch batch = evolver_ask(evolver);
        const EvolveMeeting *meetings = evolver_ask_meetings(evolver, &count);
        room->results =
            mem_grow(room->results, &room->result_capacity, count, sizeof *room->results);
        TRY(loop->play(loop->context, &batch, meetings, count, room->results));
        add_results(&played, room->results, count);
        TRY(evolver_tell_meetings(evolver, room->results, &over));
    }
    EvolveBatch batch = evolver_ask(evolver);
    batch.generation = generation;
    EvolveStats stats = stats_of(evolver_space(evolver), &batch, NULL);
    stats.games = played.games;
    stats.draws = played.draws;
    stats.plies = played.plies;
    stats.has_lineage = evolver_lineage(evolver, &stats.lineage);
    stats.best_parameters = evolver_best(evolver, NULL);
    return observe(evolver, loop, &stats);
}

static Status keep(Evolver *evolver, const EvolveLoop *loop, bool at_end) {
    uint32_t every = loop->checkpoint_every;
    bool due = at_end || (every != 0 && evolver_generation(evolver) % every == 0);
    return due && loop->checkpoint != NULL ? loop->checkpoint(loop->context, evolver) : OK;
}

const char *evolve_reason(Evolver *evolver, const EvolveLoop *loop) {
    const char *reason = evolver_stop_reason(evolver);
    if (reason == NULL && loop->stop != NULL && atomic_load(loop->stop))
        return "stopped";
    if (reason == NULL && loop->until > 0 && evolver_generation(evolver) >= loop->until)
        return "as far as asked for";
    return reason;
}

Status evolve_told(Evolver *evolver, const EvolveLoop *loop, const int64_t *scores) {
    TRY(tell_scores(evolver, loop, scores));
    return keep(evolver, loop, evolve_reason(evolver, loop) != NULL);
}

Status evolve_run(Evolver *evolver, const EvolveLoop *loop, const char **reason) {
    Room room = {0};
    Status status = OK;
    const char *stop = evolve_reason(evolver, loop);
    while (status == OK && stop == NULL) {
        status = evolver_wants_meetings(evolver) ? judge_meetings(evolver, loop, &room)
                                                 : judge_scores(evolver, loop, &room);
        stop = evolve_reason(evolver, loop);
        if (status == OK)
            status = keep(evolver, loop, stop != NULL);
    }
    if (reason != NULL)
        *reason = stop;
    free(room.scores);
    free(room.results);
    return status;
}
