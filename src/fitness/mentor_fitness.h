// SPDX-License-Identifier: GPL-3.0-or-later
// What a problem shows of the mentors it learns from, to those who look for the optimum.
#pragma once

#include "fitness/linear/mentor_panel.h"
#include "fitness/moves/forest.h"
#include "fitness/problem.h"

// All borrowed from the problem.
typedef struct MentorData {
    const MentorSet *set;
    const MentorPanel *panel; // of several mentors
    PanelFitness fitness;     // likewise
    bool resolves;            // compared are values behind captures, not static scores
    const Forest *forest;     // that has them; else NULL
    const EvolveSpace *space;
    int unit;       // of labels: how many are a centipawn, the family's scale
    DistPool *pool; // for who solves many mixtures
} MentorData;

// False where the problem learns from something else.
bool mentor_data_of(const Problem *problem, ProblemSet set, MentorData *out);
// False where there are not several mentors, too.
bool mentor_data_of_several(const Problem *problem, ProblemSet set, MentorData *out);
// A position, the score it should have (of several mentors' their target) and an organism's, in
// centipawns, as the side to move sees them.
typedef struct MentorMiss {
    Position position;
    double wanted, found;
} MentorMiss;
// The positions of the training set on which an organism is farthest off, the worst first; no board
// twice. `count` says how many are wanted and becomes how many there are: 0 where the problem
// learns from something else, or has no positions.
MUST_CHECK Status mentor_data_worst(Problem *problem, const double *parameters, MentorMiss *out,
                                    size_t *count);
// ERR_ARG, with the reason, where linear programs cannot find the weights of least error in time.
MUST_CHECK Status mentor_data_check_linear(const MentorData *data);
// The figure of an organism by one of several mentors alone.
MUST_CHECK Status mentor_data_judge(Problem *problem, ProblemSet set, size_t mentor,
                                    const double *parameters, double *figure);
