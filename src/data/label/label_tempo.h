// SPDX-License-Identifier: GPL-3.0-or-later
// What the right to move is worth to a mentor, and how much that varies from one quiet position to
// the next. Half the sum of the scores of a position and of the same with the other side to move is
// the mentor's bonus for moving, its tempo, there. A static evaluation has the same one everywhere,
// or nearly, and what it says of the two positions is otherwise opposite: so its mean error over
// such pairs is never less than the mean distance of these halves from their median.
#pragma once

#include "data/label/label_set.h"

enum {
    LABEL_PAIRS_LEAST = 50, // fewer tell too little
    LABEL_PAIRS_MOST = 400, // unless more are asked for
    LABEL_PAIRS_SHARE = 10, // at most one position in so many, unless more are asked for
};

// Quiet positions with the other side to move. Owned; free with label_pairs_free.
typedef struct LabelPairs {
    LabelSet turned;
    size_t *own; // for each record of `turned` the position of the set that it was made of
} LabelPairs;

// Takes up to `most` positions, evenly from all that are quiet whoever is to move and have a score
// that is no mate. The same set gives the same pairs.
void label_pairs_pick(LabelPairs *out, const LabelSet *set, size_t most);
void label_pairs_free(LabelPairs *pairs);

// A mean, with its interval of 95%.
typedef struct LabelMean {
    double value, low, high;
} LabelMean;

typedef struct LabelTempo {
    size_t pairs;     // with two scores that are no mates and not beyond 2,000 centipawns
    double median;    // of the bonus, in centipawns
    LabelMean spread; // its mean distance from the median
    LabelMean share;  // the spread, by the mean size of scores without the bonus
} LabelTempo;

// From the answers of both sets; all 0 where there are fewer than LABEL_PAIRS_LEAST pairs.
LabelTempo label_tempo_measure(const LabelSet *set, const LabelPairs *pairs);
// Whether the spread is surely above 20 centipawns, and above a third of the scores' size.
bool label_tempo_is_biased(const LabelTempo *tempo);
// Appends "tempo 9.0 cp, varying by 14.2 (12.8 to 15.6) cp, 25% (22% to 28%) of ...".
void label_tempo_describe(const LabelTempo *tempo, Str *out);
