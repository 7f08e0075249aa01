// SPDX-License-Identifier: GPL-3.0-or-later
// A smooth stand-in for the number of hits: each move is chosen with a probability that grows with
// its score (softmax), and the moves that were played are to become likely. Here is what its
// sources share; whoever knows the score of moves can be one.
#pragma once

#include "dist/pool.h"

#include <stdint.h>

// What is to be made small, of the probability p of the move that was played.
typedef enum SlopeLoss {
    LOSS_SURPRISE, // -log p: every move counts, most of all the least likely
    LOSS_MISSES,   // 1 - p: at a low temperature, the moves missed
} SlopeLoss;

// Names in the order of the enum, NULL at the end.
extern const char *const slope_loss_names[];

// `temperature` is how many points of worth make a move e times as likely.
typedef struct SlopeKind {
    SlopeLoss loss;
    double temperature;
} SlopeKind;

typedef struct Slope {
    double loss;      // the mean over the positions
    double *gradient; // of the loss, one per coefficient; the caller's
    uint64_t hits;    // the played move is at least as good as all others
} Slope;

// Loss and slope at given coefficients, the same for any number of threads. A source of very many
// positions has several parts, each of which tells nearly as well as all where to go.
typedef struct SlopeSource {
    Status (*at)(const void *self, size_t part, const double *coefficients, SlopeKind kind,
                 DistPool *pool, Slope *out);
    const void *self;
    size_t terms, parts;
} SlopeSource;

// What a mate is worth: more than every score, and no infinity.
enum { SLOPE_MATE = 100000 };

// Sums over some of the positions: kept apart, and added in a fixed order.
typedef struct SlopePart {
    double loss;
    uint64_t hits;
    double *gradient;
} SlopePart;

// Adds a position's loss to the part. MoveScores, the played move's first, become pulls: how much
// the loss grows with the score of each move.
void slope_add_position(SlopePart *part, double *scores, size_t count, SlopeKind kind);

// Parts that are all 0; and their sum over so many positions, which frees them.
SlopePart *slope_parts_new(size_t parts, size_t terms);
void slope_parts_sum(SlopePart *parts, size_t count, size_t terms, size_t positions, Slope *out);
