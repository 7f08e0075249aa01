// SPDX-License-Identifier: GPL-3.0-or-later
#include "fitness/linear/mentor_panel.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

const char *const panel_fitness_names[] = {"target", "worst", "mean", "front", NULL};

static void set_label(CountMatrix *matrix, int32_t *labels, size_t row, double label, int unit) {
    labels[row] = (int32_t)lround(label * unit);
    const int32_t size = abs(labels[row]);
    matrix->largest_label = size > matrix->largest_label ? size : matrix->largest_label;
}

Status mentor_panel_create(MentorPanel *out, MentorSet *set, const Consensus *consensus, int unit) {
    CountMatrix *matrix = &set->matrix;
    const size_t mentors = consensus->mentors;
    *out = (MentorPanel){.consensus = *consensus};
    matrix->largest_label = 0;
    for (size_t m = 0; m < mentors; m++) {
        // Vectors are read from it to the end of the last block.
        out->own[m] = mem_alloc_pages(counts_blocks(matrix) * COUNTS_LANES * sizeof **out->own);
        if (out->own[m] == NULL) {
            mentor_panel_free(out);
            return error_set(ERR_LIMIT, "no memory for the scores of %zu mentors", mentors);
        }
        for (size_t i = 0; i < matrix->count; i++)
            set_label(matrix, out->own[m], i,
                      consensus_own(consensus, m, set->scores[i * mentors + m]), unit);
    }
    for (size_t i = 0; i < matrix->count; i++)
        set_label(matrix, matrix->labels, i, consensus_target(consensus, set->scores + i * mentors),
                  unit);
    return OK;
}

void mentor_panel_free(MentorPanel *panel) {
    for (size_t m = 0; m < MENTORS_MAX; m++)
        free(panel->own[m]);
    *panel = (MentorPanel){0};
}
