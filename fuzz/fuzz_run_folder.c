// SPDX-License-Identifier: GPL-3.0-or-later
// Input: the files of a run's directory that reports and later runs read. Whatever is accepted can
// be shown: numbers are within their ranges; what is refused is refused with its file.
#include "chess/position.h"
#include "fuzz/scratch.h"
#include "run/files/population_file.h"
#include "run/files/run_log.h"
#include "run/files/run_rank.h"
#include "run/run_folder.h"
#include "settings/space.h"

#include <math.h>
#include <string.h>

enum { FILES = 5, MOST = 4 };

static const char *const files[FILES] = {"config.ini", "log.jsonl", "timings.csv", "population.csv",
                                         "runs.csv"};

// The message of a refusal names the file.
static void check_refusal(const char *file) {
    MUST_HOLD(strncmp(error_message(), scratch_folder(), strlen(scratch_folder())) == 0);
    MUST_HOLD(strstr(error_message(), file) != NULL);
}

static void see_line(void *context, size_t index, const RunLogLine *line) {
    size_t *lines = context;
    MUST_HOLD(index == *lines);
    ++*lines;
    const double numbers[] = {line->best, line->worst, line->mean, line->median, line->held_out};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        MUST_HOLD(isnan(numbers[i]) || isfinite(numbers[i]));
    MUST_HOLD(isfinite(line->diversity));
}

static Status see_spread(void *context, size_t index, const char *text) {
    (void)context, (void)index;
    double mean, deviation;
    run_log_parse_spread(text, "KNIGHT_VALUE", &mean, &deviation);
    MUST_HOLD(!isinf(mean) && !isinf(deviation));
    return OK;
}

static void check_log(void) {
    size_t lines = 0;
    double seconds;
    if (run_log_each(scratch_folder(), see_line, &lines) != OK)
        check_refusal("log.jsonl");
    else
        MUST_HOLD(run_log_each_text(scratch_folder(), see_spread, NULL) == OK);
    if (run_log_seconds(scratch_folder(), &seconds) != OK)
        check_refusal("timings.csv");
    else
        MUST_HOLD(isnan(seconds) || (seconds >= 0 && isfinite(seconds)));
}

static void check_organisms(const EvolveSpace *space, const double *organisms, size_t count) {
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < space->count; j++) {
            const double value = organisms[i * space->count + j];
            MUST_HOLD(value >= space->parameters[j].low && value <= space->parameters[j].high);
        }
}

// What is read is the same when it is written and read again.
static void check_population(const EvolveSpace *space) {
    double *organisms, *again;
    size_t count, count_again;
    if (population_read(scratch_folder(), space, &organisms, &count) != OK) {
        check_refusal("population.csv");
        return;
    }
    MUST_HOLD(count > 0);
    check_organisms(space, organisms, count);
    double *best;
    size_t best_count;
    if (population_read_best(scratch_folder(), space, MOST, &best, &best_count) == OK)
        check_organisms(space, best, best_count);
    else
        check_refusal("population.csv");
    free(best);
    MUST_HOLD(population_write(scratch_folder(), space, "", organisms, NULL, count) == OK);
    MUST_HOLD(population_read(scratch_folder(), space, &again, &count_again) == OK);
    MUST_HOLD(count_again == count);
    MUST_HOLD(memcmp(again, organisms, count * space->count * sizeof *again) == 0);
    free(organisms);
    free(again);
}

static void check_config(void) {
    RunConfig config;
    FamilySpace space;
    const Family *family;
    run_config_init(&config);
    if (run_open(scratch_folder(), &config) != OK) {
        MUST_HOLD(strstr(error_message(), scratch_folder()) != NULL);
        run_config_free(&config);
        run_config_init(&config);
    }
    str_clear(&config.start); // no files of others
    if (family_space_init(&space, &config, &family) == OK)
        check_population(&space.space);
    run_config_free(&config);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    size_t median;
    chess_init();
    scratch_write_parts(view_of((const char *)data, size), files, FILES);
    check_config();
    check_log();
    if (run_rank_read_median(scratch_folder(), &median) != OK)
        check_refusal("runs.csv");
    return 0;
}
