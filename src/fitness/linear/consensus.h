// SPDX-License-Identifier: GPL-3.0-or-later
// One score from those of several mentors, who disagree about the worth of a pawn: each mentor says
// scale * score + offset, and what is left when these are taken out is its own score in the common
// measure.
#pragma once

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

enum { MENTORS_MAX = 8 };

// How one target is made of all mentors' scores.
typedef enum ConsensusTarget {
    CONSENSUS_MEAN,
    CONSENSUS_MEDIAN, // of an even number, the mean of the two in the middle
    CONSENSUS_FITTED, // scales and offsets are learned, and who is far off counts less
} ConsensusTarget;

// What is done to scores before, where nothing is fitted.
typedef enum ConsensusMeasure {
    MEASURE_NONE,
    MEASURE_SCALE, // the median of the absolute scores becomes the same
} ConsensusMeasure;

// Names in the order of the enums, NULL at the end.
extern const char *const consensus_target_names[];
extern const char *const consensus_measure_names[];

typedef struct Consensus {
    ConsensusTarget target;
    size_t mentors;
    double scale[MENTORS_MAX], offset[MENTORS_MAX]; // the mean scale is 1, the mean offset 0
    double width; // fitted: how far from the others a score counts in full
} Consensus;

// Learns scales and offsets from `count` positions, for each of them `mentors` scores. ERR_ARG
// where a mentor cannot be measured by the others; the message tells its number, from 1.
MUST_CHECK Status consensus_learn(Consensus *out, ConsensusTarget target, ConsensusMeasure measure,
                                  const int32_t *scores, size_t count, size_t mentors);
// A mentor's score in the common measure.
double consensus_own(const Consensus *consensus, size_t mentor, double score);
// The target of a position that the mentors gave these scores.
double consensus_target(const Consensus *consensus, const int32_t *scores);
// The mean absolute difference between two mentors, of scores as they were told or, with
// `measured`, in the common measure.
double consensus_difference(const Consensus *consensus, const int32_t *scores, size_t count,
                            size_t a, size_t b, int measured);
