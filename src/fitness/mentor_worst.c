// SPDX-License-Identifier: GPL-3.0-or-later
// The positions on which an organism is farthest from what it should learn.
#include "base/mem.h"
#include "fitness/fitness.h"
#include "fitness/linear/mentor.h"
#include "fitness/mentor_fitness.h"

#include <stdlib.h>

// Of each row the label less the organism's score.
static Status find_residuals(Problem *problem, const MentorData *data, const double *parameters,
                             int32_t *residuals) {
    const CountMatrix *matrix = &data->set->matrix;
    const int32_t *coefficients = problem_expand(problem, parameters, NULL, 1);
    if (data->forest == NULL) {
        mentor_residuals(matrix, coefficients, residuals);
        return OK;
    }
    TRY(forest_values(data->forest, coefficients, data->pool, residuals));
    for (size_t i = 0; i < matrix->count; i++)
        residuals[i] = matrix->labels[i] - residuals[i];
    return OK;
}

static bool is_there(const MentorData *data, const size_t *rows, size_t count, size_t row) {
    for (size_t i = 0; i < count; i++)
        if (data->set->keys[rows[i]] == data->set->keys[row])
            return true;
    return false;
}

// Puts a row in its place among the worst so far, of which there is room for `most`; of equal ones
// the first stays ahead.
static size_t insert(const MentorData *data, const int32_t *residuals, size_t *rows, size_t count,
                     size_t most, size_t row) {
    if (count == most && abs(residuals[rows[count - 1]]) >= abs(residuals[row]))
        return count;
    if (is_there(data, rows, count, row))
        return count;
    size_t place = count < most ? count++ : count - 1;
    for (; place > 0 && abs(residuals[rows[place - 1]]) < abs(residuals[row]); place--)
        rows[place] = rows[place - 1];
    rows[place] = row;
    return count;
}

static size_t find_worst(const MentorData *data, const int32_t *residuals, size_t *rows,
                         size_t most) {
    size_t count = 0;
    for (size_t i = 0; i < data->set->matrix.count; i++)
        count = insert(data, residuals, rows, count, most, i);
    return count;
}

Status mentor_data_worst(Problem *problem, const double *parameters, MentorMiss *out,
                         size_t *count) {
    MentorData data;
    const size_t most = *count;
    *count = 0;
    if (most == 0 || !mentor_data_of(problem, SET_TRAINING, &data) || data.set->boards == NULL)
        return OK;
    const CountMatrix *matrix = &data.set->matrix;
    CLEANUP(mem_free_at) int32_t *residuals = mem_alloc((matrix->count + 1) * sizeof *residuals);
    CLEANUP(mem_free_at) size_t *rows = mem_alloc(most * sizeof *rows);
    TRY(find_residuals(problem, &data, parameters, residuals));
    *count = find_worst(&data, residuals, rows, most);
    for (size_t i = 0; i < *count; i++) {
        position_unpack(&data.set->boards[rows[i]], &out[i].position);
        out[i].wanted = (double)matrix->labels[rows[i]] / data.unit;
        out[i].found = (double)(matrix->labels[rows[i]] - residuals[rows[i]]) / data.unit;
    }
    return OK;
}
