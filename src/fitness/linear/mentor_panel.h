// SPDX-License-Identifier: GPL-3.0-or-later
// Several mentors of one set, in one measure: their target, which becomes the set's labels, and the
// labels of each.
#pragma once

#include "fitness/linear/consensus.h"
#include "fitness/linear/mentor_set.h"

// What organisms are judged by where there are several mentors.
typedef enum PanelFitness {
    PANEL_TARGET, // the error against the one target
    PANEL_WORST,  // the largest of the errors against each mentor
    PANEL_MEAN,   // their mean
    PANEL_FRONT,  // likewise; and the front of what can be traded is written
} PanelFitness;

// Names in the order of the enum, NULL at the end.
extern const char *const panel_fitness_names[];

typedef struct MentorPanel {
    Consensus consensus;
    int32_t *own[MENTORS_MAX]; // owned: labels of each mentor, for the rows of the set
} MentorPanel;

// Makes the panel of a set with several mentors' scores, by scales that were learned before, and
// gives the set its labels; targets and labels are rounded to units.
MUST_CHECK Status mentor_panel_create(MentorPanel *out, MentorSet *set, const Consensus *consensus,
                                      int unit);
void mentor_panel_free(MentorPanel *panel);
