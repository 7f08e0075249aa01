// SPDX-License-Identifier: GPL-3.0-or-later
#include "evolve/loop.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

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

static Status judge_scores(Evolver *evolver, const EvolveLoop *loop, Room *room) {
    EvolveBatch batch = evolver_ask(evolver);
    room->scores = mem_grow(room->scores, &room->score_capacity, batch.count, sizeof *room->scores);
    Status status = loop->evaluate(loop->context, &batch, room->scores);
    if (status != OK)
        return status;
    // Taken first, for the batch is gone once it is told of; so is its best organism.
    EvolveStats stats = evolve_stats_of_batch(evolver_space(evolver), &batch, room->scores);
    size_t size = batch.width * sizeof(double);
    double *best = mem_alloc(size);
    stats.best_parameters = memcpy(best, stats.best_parameters, size);
    status = evolver_tell(evolver, room->scores);
    if (status == OK)
        status = observe(evolver, loop, &stats);
    free(best);
    return status;
}

static Status judge_meetings(Evolver *evolver, const EvolveLoop *loop, Room *room) {
    uint32_t generation = evolver_generation(evolver);
    bool over = false;
    while (!over) {
        size_t count;
        EvolveBatch batch = evolver_ask(evolver);
        const EvolveMeeting *meetings = evolver_ask_meetings(evolver, &count);
        room->results =
            mem_grow(room->results, &room->result_capacity, count, sizeof *room->results);
        Status status = loop->play(loop->context, &batch, meetings, count, room->results);
        if (status == OK)
            status = evolver_tell_meetings(evolver, room->results, &over);
        if (status != OK)
            return status;
    }
    EvolveBatch batch = evolver_ask(evolver);
    batch.generation = generation;
    EvolveStats stats = evolve_stats_of_batch(evolver_space(evolver), &batch, NULL);
    stats.best_parameters = evolver_best(evolver, NULL);
    return observe(evolver, loop, &stats);
}

static Status keep(Evolver *evolver, const EvolveLoop *loop, bool at_end) {
    uint32_t every = loop->checkpoint_every;
    bool due = at_end || (every != 0 && evolver_generation(evolver) % every == 0);
    return due && loop->checkpoint != NULL ? loop->checkpoint(loop->context, evolver) : OK;
}

static const char *reason_to_stop(Evolver *evolver, const EvolveLoop *loop) {
    const char *reason = evolver_stop_reason(evolver);
    if (reason == NULL && loop->stop != NULL && atomic_load(loop->stop))
        return "stopped";
    return reason;
}

Status evolve_run(Evolver *evolver, const EvolveLoop *loop, const char **reason) {
    Room room = {0};
    Status status = OK;
    const char *stop = reason_to_stop(evolver, loop);
    while (status == OK && stop == NULL) {
        status = evolver_wants_meetings(evolver) ? judge_meetings(evolver, loop, &room)
                                                 : judge_scores(evolver, loop, &room);
        stop = reason_to_stop(evolver, loop);
        if (status == OK)
            status = keep(evolver, loop, stop != NULL);
    }
    if (reason != NULL)
        *reason = stop;
    free(room.scores);
    free(room.results);
    return status;
}
