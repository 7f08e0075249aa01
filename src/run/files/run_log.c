// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/files/run_log.h"

#include "base/clock.h"
#include "base/json.h"
#include "base/lines.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    LOG_LINE_MAX = 1 << 16, // the spread of every parameter takes some
    TIMINGS_LINE_SIZE = 128,
};
static const char timings_header[] = "generation,seconds\n";

static Status fail(const RunLog *log, const char *name) {
    return error_set(ERR_IO, "%s/%s: %s", log->directory, name, strerror(errno));
}

static Str path_of(const char *directory, const char *name) {
    Str path = {0};
    str_addf(&path, "%s/%s", directory, name);
    return path;
}

static FILE *open_at(const char *directory, const char *name, uint64_t length) {
    CLEANUP(str_free) Str path = path_of(directory, name);
    const int descriptor = open(str_text(&path), O_CREAT | O_RDWR | O_CLOEXEC, 0666);
    FILE *file = NULL;
    struct stat is;
    if (descriptor >= 0 && fstat(descriptor, &is) == 0) {
        if ((uint64_t)is.st_size < length) {
            errno = ENODATA;
        } else if (ftruncate(descriptor, (off_t)length) == 0 &&
                   lseek(descriptor, 0, SEEK_END) >= 0) {
            file = fdopen(descriptor, "w");
        }
    }
    if (file == NULL && descriptor >= 0)
        close(descriptor);
    return file;
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
    FILE *file = fopen(str_text(&path), "re");
    if (file == NULL)
        return OK;
    const bool is_ours = fseeko(file, (off_t)length, SEEK_SET) == 0 && is_log(file);
    fclose(file);
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
    long whole;     // bytes of whole lines: behind them is what a killed process half wrote
} Timings;

static Status read_timings(FILE *file, Timings *out) {
    char line[TIMINGS_LINE_SIZE];
    uint32_t generation;
    double found;
    int end;
    *out = (Timings){.seconds = NAN};
    for (bool is_first = true; fgets(line, sizeof line, file) != NULL; is_first = false) {
        if (is_first && strncmp(line, timings_header, strlen(line)) != 0)
            return error_set(ERR_PARSE, "no timings of a run");
        if (strchr(line, '\n') == NULL)
            break;
        out->whole += (long)strlen(line);
        if (sscanf(line, "%" SCNu32 ",%lf\n%n", &generation, &found, &end) == 2 &&
            line[end] == '\0' && isfinite(found) && found >= 0)
            out->seconds = found;
    }
    return OK;
}

// Times go on from what earlier starts took, also where generations are done again: they took it.
static Status open_timings(RunLog *log) {
    CLEANUP(str_free) Str path = path_of(log->directory, "timings.csv");
    Timings timings;
    log->timings = fopen(str_text(&path), "a+e");
    if (log->timings == NULL)
        return fail(log, "timings.csv");
    TRY_PREFIX(read_timings(log->timings, &timings), "%s", str_text(&path));
    log->before = isnan(timings.seconds) ? 0 : timings.seconds;
    if (ftruncate(fileno(log->timings), timings.whole) != 0 ||
        fseek(log->timings, 0, SEEK_END) != 0)
        return fail(log, "timings.csv");
    if (timings.whole == 0)
        fputs(timings_header, log->timings);
    return OK;
}

Status run_log_open(RunLog *log, const char *directory, uint64_t length) {
    *log = (RunLog){.directory = directory, .length = length, .started_ns = clock_now_ns()};
    TRY(check_rest(directory, length));
    log->log = open_at(directory, "log.jsonl", length);
    if (log->log == NULL && errno == ENODATA)
        return error_set(ERR_PARSE,
                         "%s/log.jsonl is shorter than its checkpoint says: put it back, or "
                         "begin again in another directory",
                         directory);
    if (log->log == NULL)
        return fail(log, "log.jsonl");
    return open_timings(log);
}

static void write_spread(Str *out, const char *title, const RunLogSpread *spread,
                         const double *values) {
    str_addf(out, ",\"%s\":{", title);
    for (size_t i = 0; i < spread->count; i++)
        str_addf(out, "%s\"%s\":%.2f", i == 0 ? "" : ",", spread->names[i], values[i]);
    str_add(out, "}");
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
    if (line->spread != NULL) {
        write_spread(out, "means", line->spread, line->spread->means);
        write_spread(out, "deviations", line->spread, line->spread->deviations);
    }
    json_end_checked(out, 0);
}

Status run_log_add(RunLog *log, const RunLogLine *line) {
    CLEANUP(str_free) Str text = {0};
    write_line(line, &text);
    const bool is_written = fputs(str_text(&text), log->log) >= 0;
    log->length += text.length;
    // Out of our hands at once, so that a kill loses nothing.
    if (!is_written || fflush(log->log) != 0)
        return fail(log, "log.jsonl");
    if (fprintf(log->timings, "%" PRIu32 ",%.6f\n", line->generation,
                log->before + clock_seconds_since(log->started_ns)) < 0 ||
        fflush(log->timings) != 0)
        return fail(log, "timings.csv");
    return OK;
}

Status run_log_sync(RunLog *log) {
    return fflush(log->log) == 0 && fsync(fileno(log->log)) == 0 ? OK : fail(log, "log.jsonl");
}

uint64_t run_log_length(const RunLog *log) {
    return log->length;
}

Status run_log_close(RunLog *log) {
    const int first = log->log == NULL ? 0 : fclose(log->log);
    const int second = log->timings == NULL ? 0 : fclose(log->timings);
    return first == 0 && second == 0 ? OK : fail(log, first != 0 ? "log.jsonl" : "timings.csv");
}

// The number of that name in a line we wrote, NaN where there is none; false where it is no number.
static bool find_number(StrView line, const char *name, double *out) {
    StrView value;
    *out = (double)NAN;
    return !json_find(line, name, &value) || view_to_number(value, out);
}

// The same of a whole number up to `most`.
static bool find_count(StrView line, const char *name, double most, double *out) {
    return find_number(line, name, out) && (isnan(*out) || (*out >= 0 && *out <= most));
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
        isnan(generation))
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
    FILE *file = fopen(str_text(&path), "re");
    Timings timings = {.seconds = NAN};
    *seconds = NAN;
    if (file == NULL)
        return error_set(ERR_IO, "%s: %s", str_text(&path), strerror(errno));
    const Status status = read_timings(file, &timings);
    fclose(file);
    TRY_PREFIX(status, "%s", str_text(&path));
    *seconds = timings.seconds;
    return OK;
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
