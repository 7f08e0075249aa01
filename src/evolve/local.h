// SPDX-License-Identifier: GPL-3.0-or-later
// Local search around the best organism, one batch of neighbours at a time. Steps up and down along
// each parameter, and along pairs of them, are compared with each other to learn how the loss
// curves; with that the search leaps to where it expects the optimum, so that ridges, on which
// single steps stall, are followed. Pattern moves (Hooke and Jeeves) and differences between
// organisms are tried besides.
#pragma once

#include "evolve/coding.h"
#include "evolve/model.h"
#include "evolve/random.h"

enum { LOCAL_HISTORY = 16, LOCAL_PARAMETERS_MAX = 512 };

typedef struct LocalSearch {
    const BitCode *code; // neighbours are what bits can stand for; borrowed
    size_t neighbours;   // in a batch
    size_t *free_genes;  // those that have bits: what the model's numbers are
    bool has_best, has_combined;
    double *best;     // where the search is
    double *steps;    // along each parameter, in units of its gene: doubled by success, else halved
    double *combined; // where all steps that helped would have led together
    double *history;  // where the search was: rows, the latest at history_count - 1
    size_t history_count;
    size_t distance; // between the two genes of the pairs to be tried
    Model model;     // in units of genes
    uint64_t *bits;  // one organism, for rounding
} LocalSearch;

// The fewest neighbours it can do with.
size_t local_least_neighbours(const EvolveSpace *space);
void local_open(LocalSearch *local, const BitCode *code, size_t neighbours);
void local_close(LocalSearch *local);
// Moves the search to another place.
void local_move(LocalSearch *local, const double *parameters);
// Writes the neighbours to try; `population` has rows of organisms to take differences from.
void local_propose(const LocalSearch *local, const EvolveRun *run, uint32_t generation,
                   const double *population, size_t count, double *neighbours);
// Learns from the scores of the place itself and of the neighbours proposed; true when it moved.
bool local_learn(LocalSearch *local, const EvolveRun *run, int64_t own_score,
                 const double *neighbours, const int64_t *scores);
void local_save(const LocalSearch *local, Str *out);
void local_load(LocalSearch *local, const EvolveSpace *space, ByteReader *in);
