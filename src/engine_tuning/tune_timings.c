// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine_tuning/tune_timings.h"

#include "base/str.h"

#include <errno.h>
#include <string.h>

enum { LINE_SIZE = 128 };

Status tune_timings_open(TuneTimings *timings, const char *directory, double *race_s,
                         double *verdict_s) {
    Str path = {0};
    char line[LINE_SIZE];
    double race, verdict;
    str_addf(&path, "%s/timings.csv", directory);
    timings->file = fopen(str_text(&path), "a+e");
    if (timings->file == NULL) {
        Status status = error_set(ERR_IO, "%s: %s", str_text(&path), strerror(errno));
        str_free(&path);
        return status;
    }
    str_free(&path);
    *race_s = *verdict_s = 0;
    rewind(timings->file);
    if (fgets(line, sizeof line, timings->file) == NULL)
        fputs("race_seconds,verdict_seconds\n", timings->file);
    // A last line that a killed process left half written is none.
    while (fgets(line, sizeof line, timings->file) != NULL)
        if (strchr(line, '\n') != NULL && sscanf(line, "%lf,%lf", &race, &verdict) == 2) {
            *race_s = race;
            *verdict_s = verdict;
        }
    return OK;
}

Status tune_timings_write(TuneTimings *timings, double race_s, double verdict_s) {
    if (fprintf(timings->file, "%.3f,%.3f\n", race_s, verdict_s) < 0 || fflush(timings->file) != 0)
        return error_set(ERR_IO, "timings.csv: %s", strerror(errno));
    return OK;
}

void tune_timings_close(TuneTimings *timings) {
    if (timings->file != NULL)
        fclose(timings->file);
    timings->file = NULL;
}
