// SPDX-License-Identifier: GPL-3.0-or-later
#include "papers/evidence.h"

#include "base/json.h"
#include "base/lines.h"
#include "base/mem.h"
#include "base/moments.h"
#include "run/files/run_log.h"
#include "run/files/run_rank.h"
#include "run/files/verdict_file.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { EVIDENCE_LINE_MAX = 1 << 20 };

void evidence_path(const Plan *plan, Str *out, const char *format, ...) {
    va_list args;
    str_addf(out, "%s/", plan->folder);
    va_start(args, format);
    str_addv(out, format, args);
    va_end(args);
}

// --- lines of a file ---

// Looks at a line; sets `is_done` when it needs no more.
typedef Status TakeLine(void *context, StrView line, bool *is_done);

static Status each_line(const Str *path, TakeLine *take, void *context) {
    CLEANUP(lines_close_at) LineReader *lines = NULL;
    TRY(lines_open(&lines, str_text(path), EVIDENCE_LINE_MAX));
    for (bool is_done = false; !is_done;) {
        StrView line;
        TRY(lines_next(lines, &line));
        if (line.text == NULL)
            break;
        TRY_PREFIX(take(context, line, &is_done), "%s:%" PRIu64, str_text(path),
                   lines_number(lines));
    }
    return OK;
}

// --- games ---

// Of a match that was restored from a record there are only sums; games beside them are older ones.
static Status read_meetings(const Plan *plan, const char *step, Meetings *out) {
    CLEANUP(str_free) Str games = {0};
    CLEANUP(str_free) Str sums = {0};
    evidence_path(plan, &games, "%s/games.jsonl", step);
    evidence_path(plan, &sums, "%s/meetings.jsonl", step);
    return access(str_text(&sums), F_OK) == 0 ? meetings_read(out, str_text(&sums))
                                              : meetings_read_games(out, str_text(&games));
}

Status evidence_write_meetings(const Plan *plan, const char *step, Str *out) {
    CLEANUP(meetings_free) Meetings meetings = {0};
    TRY(read_meetings(plan, step, &meetings));
    meetings_write(&meetings, out);
    return OK;
}

Status evidence_meeting(const Plan *plan, const char *step, const char *a, const char *b,
                        PaperScore *out) {
    *out = (PaperScore){0};
    if (!plan_has(plan, step))
        return OK;
    CLEANUP(meetings_free) Meetings meetings = {0};
    TRY(read_meetings(plan, step, &meetings));
    *out = meetings_between(&meetings, a, b);
    return OK;
}

static void add_player(Str *names, const char *name) {
    const char *at = str_text(names);
    while (*at != '\0') {
        const size_t length = strcspn(at, "\n");
        if (view_equals(view_of(at, length), name))
            return;
        at += length + (at[length] == '\n');
    }
    str_addf(names, "%s%s", names->length == 0 ? "" : "\n", name);
}

Status evidence_players(const Plan *plan, const char *step, Str *out) {
    if (!plan_has(plan, step))
        return OK;
    CLEANUP(meetings_free) Meetings meetings = {0};
    TRY(read_meetings(plan, step, &meetings));
    for (size_t i = 0; i < meetings.count; i++) {
        add_player(out, meetings.items[i].first);
        add_player(out, meetings.items[i].second);
    }
    return OK;
}

// --- verdicts and suites ---

static Status add_verdict(const char *path, PaperScore *out) {
    VerdictCounts score;
    TRY(verdict_file_read(path, &score));
    const PaperScore added = {score.games, score.pairs, (double)NAN};
    paper_score_add(out, &added);
    return OK;
}

Status evidence_verdict(const Plan *plan, const char *step, int runs, PaperScore *out) {
    *out = (PaperScore){0};
    if (!plan_has(plan, step))
        return OK;
    for (int run = 1; run <= runs; run++) {
        CLEANUP(str_free) Str folder = {0};
        CLEANUP(str_free) Str path = {0};
        run_path(step, runs > 1, (size_t)run - 1, &folder);
        evidence_path(plan, &path, "%s/verdict.csv", str_text(&folder));
        TRY(add_verdict(str_text(&path), out));
    }
    return OK;
}

// A line {"engine":NAME,"answers":"+-+"}: which positions an engine solved, in their order.
static Status add_solver(void *context, StrView line, bool *is_done) {
    SuiteScores *scores = context;
    StrView engine, answers;
    Str name = {0};
    (void)is_done;
    if (!json_find(line, "engine", &engine) || !json_find(line, "answers", &answers))
        return error_set(ERR_PARSE, "no line of an engine's answers");
    TRY(json_check(line));
    json_add_unescaped(&name, engine);
    SuiteScore *score = &MEM_ADD(scores->items, scores->count, scores->capacity);
    *score = (SuiteScore){.engine = name.text != NULL ? name.text : mem_copy_string("")};
    score->total.count = answers.length;
    for (size_t i = 0; i < answers.length; i++)
        score->total.solved += answers.text[i] == '+';
    return OK;
}

Status evidence_suite(const Plan *plan, const char *step, SuiteScores *out) {
    *out = (SuiteScores){0};
    if (!plan_has(plan, step))
        return OK;
    CLEANUP(str_free) Str answers = {0};
    CLEANUP(str_free) Str sums = {0};
    evidence_path(plan, &answers, "%s.jsonl", step);
    evidence_path(plan, &sums, "%s.solved.jsonl", step);
    return access(str_text(&answers), F_OK) != 0 && access(str_text(&sums), F_OK) == 0
               ? each_line(&sums, add_solver, out)
               : suite_scores_read(out, str_text(&answers));
}

typedef struct Answers {
    char *engine; // owned; as JSON has it
    Str text;
} Answers;

typedef struct AnswerList {
    Answers *items; // owned
    size_t count, capacity;
} AnswerList;

static Status add_answer(void *context, StrView line, bool *is_done) {
    AnswerList *list = context;
    StrView engine, solved;
    size_t i = 0;
    (void)is_done;
    if (!json_find(line, "engine", &engine) || !json_find(line, "solved", &solved))
        return error_set(ERR_PARSE, "no answer");
    while (i < list->count && !view_equals(engine, list->items[i].engine))
        i++;
    if (i == list->count)
        MEM_ADD(list->items, list->count, list->capacity) = (Answers){.engine = view_copy(engine)};
    str_add(&list->items[i].text, view_equals(solved, "true") ? "+" : "-");
    return OK;
}

Status evidence_write_solved(const Plan *plan, const char *step, Str *out) {
    CLEANUP(str_free) Str path = {0};
    AnswerList list = {0};
    evidence_path(plan, &path, "%s.jsonl", step);
    const Status status = each_line(&path, add_answer, &list);
    for (size_t i = 0; i < list.count; i++) {
        const size_t start = out->length;
        str_addf(out, "{\"engine\":\"%s\",\"answers\":\"%s\"", list.items[i].engine,
                 str_text(&list.items[i].text));
        json_end_checked(out, start);
        free(list.items[i].engine);
        str_free(&list.items[i].text);
    }
    free(list.items);
    return status;
}

// --- results ---

// A text as JSON has it between its quotes.
static void add_escaped(Str *out, const char *text) {
    CLEANUP(str_free) Str quoted = {0};
    json_add_string(&quoted, text);
    str_append(out, quoted.text + 1, quoted.length - 2);
}

typedef struct Wanted {
    const char *field, *key;
    Str value; // as JSON has it
    double number;
} Wanted;

static Status find_result(void *context, StrView line, bool *is_done) {
    Wanted *wanted = context;
    StrView value;
    *is_done =
        json_find(line, wanted->field, &value) && view_equals(value, str_text(&wanted->value));
    if (*is_done &&
        (!json_find(line, wanted->key, &value) || !view_to_number(value, &wanted->number)))
        wanted->number = (double)NAN;
    return OK;
}

Status evidence_result(const Plan *plan, const char *step, const char *field, const char *value,
                       const char *key, double *out) {
    const Step *found = plan_find(plan, step);
    *out = (double)NAN;
    if (found == NULL)
        return OK;
    CLEANUP(str_free) Str path = {0};
    Wanted wanted = {.field = field, .key = key, .number = (double)NAN};
    evidence_path(plan, &path, found->output == NULL ? "%s.jsonl" : "%s/results.jsonl", step);
    add_escaped(&wanted.value, value);
    const Status status = each_line(&path, find_result, &wanted);
    *out = wanted.number;
    str_free(&wanted.value);
    return status;
}

// --- engines and times ---

void evidence_engine_version(const Plan *plan, const char *step, const char *engine, Str *out) {
    const Step *found = plan_find(plan, step);
    if (found != NULL)
        plan_find_version(str_text(&found->engines), engine, out);
}

double evidence_seconds(const Plan *plan, const char *step) {
    const Step *found = plan_find(plan, step);
    return found == NULL || found->seconds < 0 ? (double)NAN : found->seconds;
}

Status evidence_run_seconds(const Plan *plan, const char *step, int runs, double *out) {
    Moments times = {0};
    for (int run = 1; run <= runs; run++) {
        CLEANUP(str_free) Str folder = {0};
        CLEANUP(str_free) Str path = {0};
        double seconds;
        run_path(step, true, (size_t)run - 1, &folder);
        evidence_path(plan, &path, "%s", str_text(&folder));
        TRY(run_log_seconds(str_text(&path), &seconds));
        moments_add(&times, seconds);
    }
    *out = times.mean;
    return OK;
}

// --- logs ---

static Status keep_line(void *context, size_t index, const char *text) {
    (void)index;
    EvidenceLog *log = context;
    RunLogLine line;
    TRY(run_log_parse(text, &line));
    MEM_ADD(log->lines, log->count, log->capacity) = mem_copy_string(text);
    return OK;
}

Status evidence_log_read(EvidenceLog *out, const char *folder) {
    *out = (EvidenceLog){0};
    return run_log_each_text(folder, keep_line, out);
}

void evidence_log_free(EvidenceLog *log) {
    for (size_t i = 0; i < log->count; i++)
        free(log->lines[i]);
    free(log->lines);
    *log = (EvidenceLog){0};
}

static double spread_at(const char *text, const char *column) {
    const char *const dot = strchr(column, '.');
    double mean = (double)NAN, deviation = (double)NAN;
    if (dot != NULL)
        run_log_parse_spread(text, dot + 1, &mean, &deviation);
    return strncmp(column, "means.", 6) == 0 ? mean : deviation;
}

double evidence_log_at(const EvidenceLog *log, size_t generation, const char *column) {
    RunLogLine line;
    if (generation >= log->count || run_log_parse(log->lines[generation], &line) != OK)
        return (double)NAN;
    const struct {
        const char *name;
        double value;
    } columns[] = {{"best", line.best},
                   {"mean", line.mean},
                   {"worst", line.worst},
                   {"median", line.median},
                   {"generation", line.generation},
                   {"diversity", line.diversity},
                   {"draws", line.draws},
                   {"plies", line.plies},
                   {"unchanged", line.unchanged},
                   {"from_start", line.from_start},
                   {"start_unchanged", line.start_unchanged}};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        if (strcmp(columns[i].name, column) == 0)
            return columns[i].value;
    return spread_at(log->lines[generation], column);
}
