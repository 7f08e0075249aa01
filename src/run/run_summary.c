// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/run_summary.h"

#include "base/mem.h"
#include "run/files/population_file.h"

#include <math.h>
#include <stdlib.h>

static void take_line(void *context, size_t index, const RunLogLine *line) {
    RunSummary *run = context;
    if (index == 0)
        run->first = *line;
    run->last = *line;
}

static Status judge_population(RunSummary *run, const char *directory, Problem *problem) {
    CLEANUP(mem_free_at) double *organisms = NULL;
    size_t count;
    TRY(population_read(directory, problem_space(problem), &organisms, &count));
    CLEANUP(mem_free_at) int64_t *scores = mem_alloc(count * sizeof *scores);
    double sum = 0;
    TRY(problem_judge(problem, SET_TEST, organisms, count, scores));
    for (size_t i = 0; i < count; i++)
        sum += (double)scores[i];
    run->test_mean = problem_figure(problem, sum / (double)count, problem_size(problem, SET_TEST));
    return run_log_reading(directory, "mean of the last generation", run->test_mean);
}

Status run_summary_read(RunSummary *out, const char *directory, Problem *problem) {
    const RunLogLine nothing = {.best = NAN, .worst = NAN, .mean = NAN, .median = NAN};
    *out = (RunSummary){.first = nothing, .last = nothing, .test_mean = NAN};
    TRY(run_log_each(directory, take_line, out));
    TRY(run_log_seconds(directory, &out->seconds));
    return problem_size(problem, SET_TEST) > 0 ? judge_population(out, directory, problem) : OK;
}
