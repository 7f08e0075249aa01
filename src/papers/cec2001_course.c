// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/mem.h"
#include "papers/cec2001.h"
#include "run/files/run_log.h"

#include <math.h>
#include <stdlib.h>

enum { UNITS_PER_PAWN = 1000, PER_WEIGHT = 2 };

static Status take_line(void *context, size_t index, const char *text) {
    (void)index;
    CecCourse *course = context;
    course->values = mem_grow(course->values, &course->capacity,
                              course->count + CEC_WEIGHTS * PER_WEIGHT, sizeof *course->values);
    for (size_t i = 0; i < CEC_WEIGHTS; i++) {
        double mean, deviation;
        run_log_parse_spread(text, cec_weights[i].term, &mean, &deviation);
        course->values[course->count++] = mean / UNITS_PER_PAWN;
        course->values[course->count++] = deviation / UNITS_PER_PAWN;
    }
    return OK;
}

Status cec_course_read(CecCourse *out, const Plan *plan, const char *step, int runs) {
    *out = (CecCourse){.runs = (size_t)runs};
    Status status = OK;
    for (int run = 1; status == OK && run <= runs; run++) {
        Str path = {0};
        evidence_path(plan, &path, "%s/run-%02d", step, run);
        status = run_log_each_text(str_text(&path), take_line, out);
        if (run == 1)
            out->generations = out->count / (CEC_WEIGHTS * PER_WEIGHT);
        if (status == OK && out->count != (size_t)run * out->generations * CEC_WEIGHTS * PER_WEIGHT)
            status = error_set(ERR_PARSE, "%s: not as many generations as in the first run",
                               str_text(&path));
        str_free(&path);
    }
    if (status == OK && out->generations == 0)
        status = error_set(ERR_PARSE, "%s: a log without generations", step);
    if (status != OK)
        cec_course_free(out);
    return status;
}

void cec_course_free(CecCourse *course) {
    free(course->values);
    *course = (CecCourse){0};
}

CecSpread cec_course_at(const CecCourse *course, size_t run, size_t generation, size_t weight) {
    const double *at =
        course->values +
        ((run * course->generations + generation) * CEC_WEIGHTS + weight) * PER_WEIGHT;
    return (CecSpread){at[0], at[1]};
}

CecRange cec_course_range(const CecCourse *course, size_t generation, size_t weight) {
    CecRange range = {.low = (double)INFINITY, .high = -(double)INFINITY};
    for (size_t run = 0; run < course->runs; run++) {
        const CecSpread spread = cec_course_at(course, run, generation, weight);
        range.mean += spread.mean / (double)course->runs;
        range.deviation += spread.deviation / (double)course->runs;
        range.low = fmin(range.low, spread.mean);
        range.high = fmax(range.high, spread.mean);
    }
    return range;
}

double cec_course_until(const CecCourse *course, size_t run, size_t weight, double pawns) {
    for (size_t generation = 0; generation < course->generations; generation++)
        if (cec_course_at(course, run, generation, weight).mean < pawns)
            return (double)generation + 1;
    return (double)NAN;
}
