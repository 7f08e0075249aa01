// SPDX-License-Identifier: GPL-3.0-or-later
// What many ranks would do: simulates generations of games as src/dist/ranks.c hands them out, one
// at a time to whoever has none, and everybody waits for the last. Lengths are drawn from a file.
//   scaling_model LENGTHS SERVICE TRIP RANKS GAMES
// LENGTHS has seconds, one on a line; SERVICE is what a message takes of rank 0's time, TRIP what
// it is under way there and back. Every rank has one thread, and rank 0 plays too. Prints the
// efficiency: the time spent on games, of all the time all ranks had; and the share of rank 0's
// time that messages take.
#include "base/mem.h"
#include "base/rng.h"
#include "dist/backoff.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { GENERATIONS = 25 };

typedef struct Model {
    double *lengths;
    size_t count, capacity;
    double service, trip;
    int ranks;
    size_t games;
} Model;

// When the answers of those that play will be at rank 0: the earliest on top.
typedef struct Heap {
    double *times;
    size_t count;
} Heap;

static void swap(double *a, double *b) {
    const double kept = *a;
    *a = *b;
    *b = kept;
}

static void heap_push(Heap *heap, double time) {
    size_t at = heap->count++;
    heap->times[at] = time;
    for (; at > 0 && heap->times[at] < heap->times[(at - 1) / 2]; at = (at - 1) / 2)
        swap(&heap->times[at], &heap->times[(at - 1) / 2]);
}

static double heap_pop(Heap *heap) {
    const double first = heap->times[0];
    heap->times[0] = heap->times[--heap->count];
    for (size_t at = 0, child; (child = 2 * at + 1) < heap->count; at = child) {
        if (child + 1 < heap->count && heap->times[child + 1] < heap->times[child])
            child++;
        if (heap->times[at] <= heap->times[child])
            break;
        swap(&heap->times[at], &heap->times[child]);
    }
    return first;
}

// A generation while it goes on.
typedef struct Generation {
    const Model *model;
    Rng rng;
    Heap heap;
    size_t left;
    double served; // when the last message was dealt with
    double played, serving;
} Generation;

static double draw(Generation *now) {
    const Model *model = now->model;
    const double length = model->lengths[rng_below(&now->rng, (uint32_t)model->count)];
    now->left--;
    now->played += length;
    return length;
}

// How late rank 0 looks, at the worst, for what comes after it has waited so long.
static double lateness(double waited) {
    const double rest = waited * 1e9 < BACKOFF_EAGER_NS ? 0 : waited / BACKOFF_SHARE;
    return rest < BACKOFF_MOST_NS / 1e9 ? rest : BACKOFF_MOST_NS / 1e9;
}

// Rank 0 deals with a message that came at that time, and with a game for its sender, if one is
// left.
static void serve(Generation *now, double came) {
    const Model *model = now->model;
    const double seen = came > now->served ? came + lateness(came - now->served) : now->served;
    now->served = seen + model->service;
    now->serving += model->service;
    if (now->left > 0)
        heap_push(&now->heap, now->served + model->trip + draw(now));
}

// Plays one generation; returns how long it took.
static double play(Generation *now) {
    const Model *model = now->model;
    double own = 0; // when rank 0's own thread, which asks nobody, has nothing to do
    now->left = model->games;
    now->served = now->played = now->serving = 0;
    for (int i = 1; i < model->ranks && now->left > 0; i++)
        serve(now, 0);
    while (now->left > 0)
        if (now->heap.count == 0 || own <= now->heap.times[0])
            own += draw(now);
        else
            serve(now, heap_pop(&now->heap));
    while (now->heap.count > 0)
        serve(now, heap_pop(&now->heap));
    return own > now->served ? own : now->served;
}

static bool read_lengths(Model *model, const char *path) {
    FILE *file = fopen(path, "r");
    double length;
    while (file != NULL && fscanf(file, "%lf", &length) == 1) {
        model->lengths =
            mem_grow(model->lengths, &model->capacity, model->count + 1, sizeof *model->lengths);
        model->lengths[model->count++] = length;
    }
    if (file != NULL)
        fclose(file);
    return model->count > 0;
}

int main(int argc, char **argv) {
    Model model = {0};
    double played = 0, taken = 0, serving = 0;
    if (argc != 6 || !read_lengths(&model, argv[1])) {
        fprintf(stderr, "scaling_model LENGTHS SERVICE TRIP RANKS GAMES\n");
        return 2;
    }
    model.service = atof(argv[2]);
    model.trip = atof(argv[3]);
    model.ranks = atoi(argv[4]);
    model.games = (size_t)atol(argv[5]);
    Generation now = {.model = &model};
    now.heap.times = mem_alloc((size_t)model.ranks * sizeof *now.heap.times);
    for (uint32_t i = 0; i < GENERATIONS; i++) {
        now.rng = rng_at(1, i, 0, 0);
        taken += play(&now);
        played += now.played;
        serving += now.serving;
    }
    printf("%.4f %.4f\n", played / taken / model.ranks, serving / taken);
    free(now.heap.times);
    free(model.lengths);
    return 0;
}
