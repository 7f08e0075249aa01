// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/files/run_log.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "base/lines.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LOG_LINE_MAX = 1 << 16, // the spread of every parameter takes some
    TIMINGS_LINE_SIZE = 128,
};
static const char timings_header[] = "generation,seconds\n";

static Str path_of(const char *directory, const char *name) {
    Str path = {0};
    str_addf(&path, "%s/%s", directory, name);
    return path;
}

// What is behind the checkpoint is made again, and may go: lines of generations that follow each
// other, the last of them perhaps cut. Anything else is not ours to cut.
static bool is_log(FILE *file) {
    static const char start[] = "{\"generation\":";
    char *text = NULL;
    size_t capacity = 0;
    ssize_t got;
    bool is = true;
    uint32_t expected = 0;
    RunLogLine line;
    for (bool is_first = true; is && (got = getline(&text, &capacity, file)) > 0;
         is_first = false) {
        const size_t length = (size_t)got < sizeof start - 1 ? (size_t)got : sizeof start - 1;
        if (text[got - 1] != '\n') {
            is = strncmp(text, start, length) == 0;
        } else {
            is = run_log_parse(text, &line) == OK && (is_first || line.generation == expected);
            expected = line.generation + 1;
        }
    }
    free(text);
    return is;
}

static Status check_rest(const char *directory, uint64_t length) {
    CLEANUP(str_free) Str path = path_of(directory, "log.jsonl");
    CLEANUP(file_close_at) FILE *file = fopen(str_text(&path), "re");
    if (file == NULL)
        return OK;
    const bool is_ours = fseeko(file, (off_t)length, SEEK_SET) == 0 && is_log(file);
    return is_ours ? OK
                   : error_set(ERR_PARSE,
                               "%s: what is behind byte %" PRIu64
                               ", up to which the checkpoint knows it, is not this run's: move it "
                               "away to go on",
                               str_text(&path), length);
}

// What a file of timings holds.
typedef struct Timings {
    double seconds; // the last time told; NaN where there is none
    uint64_t whole; // bytes of whole lines: behind them is what a killed process half wrote
} Timings;

// `times` has room for the first `count` generations; may be NULL.
static Status read_timings(const char *path, Timings *out, double *times, size_t count) {
    CLEANUP(file_close_at) FILE *file = fopen(path, "re");
    char line[TIMINGS_LINE_SIZE];
    uint32_t generation;
    double found;
    int end;
    *out = (Timings){.seconds = NAN};
    if (file == NULL)
        return error_set(ERR_IO, "%s: %s", path, strerror(errno));
    for (bool is_first = true; fgets(line, sizeof line, file) != NULL; is_first = false) {
        if (is_first && strncmp(line, timings_header, strlen(line)) != 0)
            return error_set(ERR_PARSE, "%s: no timings of a run", path);
        if (strchr(line, '\n') == NULL)
            break;
        out->whole += strlen(line);
        if (sscanf(line, "%" SCNu32 ",%lf\n%n", &generation, &found, &end) == 2 &&
            line[end] == '\0' && isfinite(found) && found >= 0) {
            out->seconds = found;
            if (generation < count)
                times[generation] = found;
        }
    }
    return OK;
}

// Times go on from what earlier starts took, also where generations are done again: they took it.
static Status open_timings(RunLog *log, const char *directory) {
    CLEANUP(str_free) Str header = {0};
    Timings timings;
    TRY(journal_open(&log->timings, directory, "timings.csv"));
    TRY(read_timings(log->timings.path, &timings, NULL, 0));
    log->before = isnan(timings.seconds) ? 0 : timings.seconds;
    str_add(&header, timings.whole == 0 ? timings_header : "");
    TRY(journal_cut(&log->timings, timings.whole));
    return journal_append(&log->timings, &header);
}

Status run_log_open(RunLog *log, const char *directory, uint64_t length) {
    *log = (RunLog){.log = JOURNAL_NONE, .timings = JOURNAL_NONE, .started_ns = clock_now_ns()};
    TRY(check_rest(directory, length));
    TRY(journal_open(&log->log, directory, "log.jsonl"));
    if (log->log.length < length)
        return error_set(ERR_PARSE,
                         "%s/log.jsonl is shorter than its checkpoint says: put it back, or "
                         "begin again in another directory",
                         directory);
    TRY(journal_cut(&log->log, length));
    return open_timings(log, directory);
}

static void write_spread(Str *out, const char *title, const RunLogSpread *spread,
                         const double *values) {
    str_addf(out, ",\"%s\":{", title);
    for (size_t i = 0; i < spread->count; i++)
        str_addf(out, "%s\"%s\":%.2f", i == 0 ? "" : ",", spread->names[i], values[i]);
    str_add(out, "}");
}

static void write_games(Str *out, const RunLogLine *line) {
    if (!isnan(line->draws))
        str_addf(out, ",\"draws\":%.4f,\"plies\":%.4f", line->draws, line->plies);
    if (!isnan(line->unchanged))
        str_addf(out, ",\"unchanged\":%.0f,\"from_start\":%.0f,\"start_unchanged\":%.0f",
                 line->unchanged, line->from_start, line->start_unchanged);
}

static void write_parents(Str *out, const RunLogLine *line) {
    if (!isnan(line->mother))
        str_addf(out, ",\"mother\":%.4f", line->mother);
    if (!isnan(line->father))
        str_addf(out, ",\"father\":%.4f", line->father);
    if (line->has_survived)
        str_add(out, ",\"survived\":1");
}

static void write_genes(Str *out, const RunLogLine *line) {
    str_add(out, ",\"genes\":[");
    for (size_t i = 0; i < line->gene_count; i++)
        str_addf(out, "%s%.15g", i == 0 ? "" : ",", line->genes[i]);
    str_add(out, "]");
}

static void write_line(const RunLogLine *line, Str *out) {
    str_addf(out, "{\"generation\":%" PRIu32 ",\"evaluations\":%" PRIu64, line->generation,
             line->evaluations);
    if (!isnan(line->best))
        str_addf(out, ",\"best\":%.4f,\"median\":%.4f,\"mean\":%.4f,\"worst\":%.4f", line->best,
                 line->median, line->mean, line->worst);
    if (!isnan(line->held_out))
        str_addf(out, ",\"held_out\":%.4f", line->held_out);
    str_addf(out, ",\"diversity\":%.6f", line->diversity);
    write_games(out, line);
    write_parents(out, line);
    if (line->genes != NULL)
        write_genes(out, line);
    if (line->spread != NULL) {
        write_spread(out, "means", line->spread, line->spread->means);
        write_spread(out, "deviations", line->spread, line->spread->deviations);
    }
    json_end_checked(out, 0);
}

Status run_log_add(RunLog *log, const RunLogLine *line) {
    CLEANUP(str_free) Str text = {0};
    write_line(line, &text);
    TRY(journal_append(&log->log, &text));
    str_setf(&text, "%" PRIu32 ",%.6f\n", line->generation,
             log->before + clock_seconds_since(log->started_ns));
    return journal_append(&log->timings, &text);
}

Status run_log_sync(RunLog *log) {
    return journal_sync(&log->log);
}

uint64_t run_log_length(const RunLog *log) {
    return log->log.length;
}

Status run_log_close(RunLog *log) {
    const Status first = journal_close(&log->log), second = journal_close(&log->timings);
    return first == OK ? second : first;
}

// The number of that name in a line we wrote, NaN where there is none; false where it is no number.
static bool find_number(StrView line, const char *name, double *out) {
    StrView value;
    *out = (double)NAN;
    return !json_find(line, name, &value) || view_to_number(value, out);
}

static bool find_parents(StrView line, RunLogLine *out) {
    double survived;
    const bool are_numbers = find_number(line, "mother", &out->mother) &&
                             find_number(line, "father", &out->father) &&
                             find_number(line, "survived", &survived);
    out->has_survived = are_numbers && survived == 1;
    return are_numbers;
}

// The same of a whole number up to `most`.
static bool find_count(StrView line, const char *name, double most, double *out) {
    return find_number(line, name, out) && (isnan(*out) || (*out >= 0 && *out <= most));
}

static bool find_games(StrView line, RunLogLine *out) {
    return find_number(line, "draws", &out->draws) && find_number(line, "plies", &out->plies) &&
           find_number(line, "unchanged", &out->unchanged) &&
           find_number(line, "from_start", &out->from_start) &&
           find_number(line, "start_unchanged", &out->start_unchanged);
}

Status run_log_parse(const char *text, RunLogLine *out) {
    const StrView line = view_from_string(text);
    const double exact = 9007199254740992.0; // a number that large may be a whole one's neighbour
    double generation, evaluations;
    *out = (RunLogLine){0};
    if (!find_count(line, "generation", UINT32_MAX, &generation) ||
        !find_count(line, "evaluations", exact, &evaluations) ||
        !find_number(line, "best", &out->best) || !find_number(line, "worst", &out->worst) ||
        !find_number(line, "mean", &out->mean) || !find_number(line, "median", &out->median) ||
        !find_number(line, "held_out", &out->held_out) ||
        !find_number(line, "diversity", &out->diversity) || isnan(out->diversity) ||
        !find_games(line, out) || !find_parents(line, out) || isnan(generation))
        return error_set(ERR_PARSE, "no line of a run's log");
    out->generation = (uint32_t)generation;
    out->evaluations = isnan(evaluations) ? 0 : (uint64_t)evaluations;
    return OK;
}

// NaN also where it is no number.
static double number_after(const char *text, const char *title, const char *name) {
    const char *at = strstr(text, title);
    double number = (double)NAN;
    if (at != NULL)
        (void)find_number(view_from_string(at), name, &number);
    return number;
}

void run_log_parse_spread(const char *text, const char *name, double *mean, double *deviation) {
    *mean = number_after(text, "\"means\":", name);
    *deviation = number_after(text, "\"deviations\":", name);
}

bool run_log_parse_genes(const char *text, double *out, size_t count) {
    static const char title[] = "\"genes\":[";
    const char *at = strstr(text, title);
    if (at == NULL)
        return false;
    at += sizeof title - 1;
    for (size_t i = 0; i < count; i++) {
        char *end;
        out[i] = strtod(at, &end);
        if (end == at || !isfinite(out[i]) || *end != (i + 1 < count ? ',' : ']'))
            return false;
        at = end + 1;
    }
    return true;
}

// --- whole files ---

Status run_log_each_text(const char *directory, RunLogTake *take, void *context) {
    CLEANUP(str_free) Str path = path_of(directory, "log.jsonl");
    CLEANUP(lines_close_at) LineReader *lines = NULL;
    char text[LOG_LINE_MAX + 1];
    StrView line;
    TRY(lines_open(&lines, str_text(&path), LOG_LINE_MAX));
    for (size_t i = 0;; i++) {
        TRY(lines_next(lines, &line));
        if (line.text == NULL)
            return OK;
        snprintf(text, sizeof text, "%.*s", (int)line.length, line.text);
        const Status status = json_check(line);
        TRY_PREFIX(status != OK ? status : take(context, i, text), "%s:%" PRIu64, str_text(&path),
                   lines_number(lines));
    }
}

typedef struct Visitor {
    RunLogVisit *visit;
    void *context;
} Visitor;

static Status visit_line(void *context, size_t index, const char *text) {
    const Visitor *visitor = context;
    RunLogLine line;
    TRY(run_log_parse(text, &line));
    visitor->visit(visitor->context, index, &line);
    return OK;
}

Status run_log_each(const char *directory, RunLogVisit *visit, void *context) {
    Visitor visitor = {visit, context};
    return run_log_each_text(directory, visit_line, &visitor);
}

Status run_log_seconds(const char *directory, double *seconds) {
    CLEANUP(str_free) Str path = path_of(directory, "timings.csv");
    Timings timings;
    *seconds = NAN;
    TRY(read_timings(str_text(&path), &timings, NULL, 0));
    *seconds = timings.seconds;
    return OK;
}

Status run_log_times(const char *directory, double *times, size_t count) {
    CLEANUP(str_free) Str path = path_of(directory, "timings.csv");
    Timings timings;
    for (size_t i = 0; i < count; i++)
        times[i] = NAN;
    return read_timings(str_text(&path), &timings, times, count);
}

Status run_log_reading(const char *directory, const char *weights, double figure) {
    CLEANUP(str_free) Str path = path_of(directory, "test-readings.jsonl");
    FILE *file = fopen(str_text(&path), "ae");
    const bool is_written =
        file != NULL && fprintf(file, "{\"weights\":\"%s\",\"test\":%.4f}\n", weights, figure) > 0;
    const bool is_closed = file != NULL && fclose(file) == 0;
    return is_written && is_closed ? OK
                                   : error_set(ERR_IO, "%s: %s", str_text(&path), strerror(errno));
}
