// SPDX-License-Identifier: GPL-3.0-or-later
// Which of a mentor's scores (`ce` of EPD) a learner uses, and what becomes of the others.
#pragma once

#include "base/str.h"
#include "chess/epd.h"

// What becomes of a score the learner cannot use as it stands.
typedef enum MentorTreatment {
    MENTOR_DROP,  // the position is left out
    MENTOR_CLAMP, // the score is cut to the limit
} MentorTreatment;

// Names in the order of the enum, NULL at the end.
extern const char *const treatment_names[];

typedef struct MentorLimits {
    int clamp;              // the largest score, in centipawns; 0: none is too large
    MentorTreatment beyond; // what becomes of larger ones
    MentorTreatment mates;  // and of mates; clamping needs a limit
} MentorLimits;

typedef enum MentorFate {
    FATE_USED,
    FATE_UNLABELLED,
    FATE_NO_RESULT, // where the result of the game is asked for
    FATE_NOT_QUIET,
    FATE_EARLY, // of the opening, where those are left out
    FATE_MATE,
    FATE_BEYOND,
} MentorFate;

// A position's score. `fate` tells why it is left out, `cut` why it was clamped.
typedef struct MentorLabel {
    MentorFate fate, cut;
    int32_t score; // in centipawns, as the side to move sees it
} MentorLabel;

// How many positions there were, and what became of them.
typedef struct MentorTotals {
    uint64_t lines, used;
    uint64_t unlabelled, no_result, not_quiet, early;
    uint64_t mates, beyond; // dropped or clamped
} MentorTotals;

// Fails where the limits contradict each other.
MUST_CHECK Status mentor_limits_check(const MentorLimits *limits);
// What becomes of a score that is no mate. Beyond 1,000,000 centipawns it is left out also where
// there is no limit.
MentorLabel mentor_label_limit(int64_t score, const MentorLimits *limits);
// What becomes of a labelled position: the one place that tells mates (`dm`) from scores.
MentorLabel mentor_label_of(const Epd *epd, const MentorLimits *limits);

void mentor_totals_add(MentorTotals *totals, const MentorLabel *label);
void mentor_totals_merge(MentorTotals *totals, const MentorTotals *more);
// Fails, and says where positions went, where none is left.
MUST_CHECK Status mentor_totals_check(const MentorTotals *totals, const char *path);
// Appends how many positions are used, and what became of the others: "90 of 100 positions used, 10
// mates dropped".
void mentor_totals_describe(const MentorTotals *totals, const MentorLimits *limits, Str *out);
