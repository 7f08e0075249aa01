// SPDX-License-Identifier: GPL-3.0-or-later
// The positions on which the evolved weights and their mentor differ most.
#include "diagram/diagram.h"
#include "evolve_report/evolve_report_internal.h"

#include <math.h>
#include <stdio.h>

enum { SHOWN = 6 };

// In pawns, as White sees it.
static double for_white(const MentorMiss *miss, double score) {
    return (position_turn(&miss->position) == WHITE ? score : -score) / 100;
}

static void add_position(const MentorMiss *miss, const char *mentor, Report *report) {
    char caption[160];
    snprintf(caption, sizeof caption, "%s to move. %s %+.2f, evolved %+.2f: %.0f cp apart.",
             position_turn(&miss->position) == WHITE ? "White" : "Black", mentor,
             for_white(miss, miss->wanted), for_white(miss, miss->found),
             fabs(miss->wanted - miss->found));
    diagram_add(report, &(DiagramSpec){.position = &miss->position, .caption = caption});
}

Status evolve_findings_add_worst(const EvolveFindings *findings, Report *report) {
    MentorMiss misses[SHOWN];
    MentorData several;
    const double *evolved = findings->outcomes[evolve_findings_median_run(findings)].best;
    size_t count = SHOWN;
    TRY(mentor_data_worst(findings->problem, evolved, misses, &count));
    if (count == 0)
        return OK;
    const bool has_target = mentor_data_of_several(findings->problem, SET_TRAINING, &several);
    report_add_heading(report, "Where it is farthest off");
    report_add_paragraph(report,
                         "The positions of the training set on which the evolved weights%s and "
                         "%s differ most. Scores are in pawns, for White.",
                         findings->config->runs > 1 ? " of the median run" : "",
                         has_target ? "the mentors' target" : "the mentor");
    for (size_t i = 0; i < count; i++)
        add_position(&misses[i], has_target ? "Target" : "Mentor", report);
    return OK;
}
