// SPDX-License-Identifier: GPL-3.0-or-later
// The front of several mentors on disk: front.csv, and front-01.weights and so on.
#include "base/file.h"
#include "evolve_report/evolve_report_internal.h"
#include "report/table.h"

static void add_columns(Table *table, const char *what, const Problem *problem, size_t mentors) {
    CLEANUP(str_free) Str name = {0};
    for (size_t m = 0; m < mentors; m++) {
        str_setf(&name, "%s_", what);
        problem_mentor_name(problem, m, &name);
        table_add_number_column(table, str_text(&name), 4);
    }
}

static Status write_table(const Front *front, const Problem *problem, const char *directory) {
    const EvolveSpace *space = problem_space(problem);
    CLEANUP(table_destroy_at) Table *table = table_create("front");
    CLEANUP(str_free) Str text = {0};
    CLEANUP(str_free) Str path = {0};
    table_add_number_column(table, "point", 0);
    add_columns(table, "share", problem, front->mentors);
    add_columns(table, "error", problem, front->mentors);
    for (size_t j = 0; j < space->count; j++)
        table_add_number_column(table, space->parameters[j].name, 0);
    for (size_t i = 0; i < front->count; i++) {
        const FrontPoint *point = &front->points[i];
        table_add_number(table, (double)i + 1);
        for (size_t m = 0; m < front->mentors; m++)
            table_add_number(table, point->shares[m]);
        for (size_t m = 0; m < front->mentors; m++)
            table_add_number(table, point->errors[m]);
        for (size_t j = 0; j < space->count; j++)
            table_add_number(table, point->weights[j]);
    }
    table_write_csv(table, &text);
    str_addf(&path, "%s/front.csv", directory);
    return file_write(str_text(&path), text.text, text.length);
}

static Status write_weights(const FrontPoint *point, size_t number, size_t mentors,
                            const Problem *problem, const char *directory) {
    const EvolveSpace *space = problem_space(problem);
    double parameters[TERMS_MAX + 1];
    CLEANUP(weights_free) Weights weights = {0};
    CLEANUP(str_free) Str path = {0};
    for (size_t j = 0; j < space->count; j++)
        parameters[j] = point->weights[j];
    problem_weights(problem, parameters, &weights);
    str_addf(&weights.lineage, "method: front of %zu mentors, linear program, rounded by search\n",
             mentors);
    for (size_t m = 0; m < mentors; m++) {
        str_add(&weights.lineage, "mentor: ");
        problem_mentor_name(problem, m, &weights.lineage);
        str_addf(&weights.lineage, ", share %.4g, error %.4f centipawns\n", point->shares[m],
                 point->errors[m]);
    }
    str_add(&weights.lineage, "data: ");
    problem_describe(problem, SET_TRAINING, &weights.lineage);
    str_add(&weights.lineage, "\n");
    str_addf(&path, "%s/front-%02zu.weights", directory, number);
    return weights_save(&weights, str_text(&path));
}

Status evolve_findings_write_front(const EvolveFindings *findings) {
    const char *directory = findings->files->directory;
    const Front *front = findings->front;
    TRY(write_table(front, findings->problem, directory));
    for (size_t i = 0; i < front->count; i++)
        TRY(write_weights(&front->points[i], i + 1, front->mentors, findings->problem, directory));
    return OK;
}
