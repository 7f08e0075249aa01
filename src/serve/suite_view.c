// SPDX-License-Identifier: GPL-3.0-or-later
#include "serve/suite_view.h"

#include "base/json.h"
#include "base/mem.h"
#include "serve/plain_file.h"

#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { HEAD_SIZE = 1 << 12 };

static void forget(void *context) {
    SuiteView *suite = context;
    for (size_t i = 0; i < suite->count; i++) {
        const SuiteViewQuestion *question = &suite->questions[i];
        free(question->id);
        free(question->fen);
        free(question->best);
        free(question->avoid);
    }
    for (size_t i = 0; i < suite->engine_count; i++)
        free(suite->engines[i]);
    suite->count = suite->answer_count = suite->engine_count = 0;
    suite->is_cut = false;
}

void suite_view_free(SuiteView *suite) {
    forget(suite);
    free(suite->questions);
    free(suite->answers);
    free(suite->engines);
}

// --- reading ---

static bool is_answer(StrView line) {
    StrView value;
    return line.length > 2 && line.text[0] == '{' && json_find(line, "engine", &value) &&
           json_find(line, "solved", &value) && json_find(line, "max_points", &value);
}

bool suite_view_is_suite(const char *path) {
    char head[HEAD_SIZE];
    const int file = plain_open(path);
    if (file < 0)
        return false;
    const ssize_t got = pread(file, head, sizeof head, 0);
    close(file);
    const char *end = got > 0 ? memchr(head, '\n', (size_t)got) : NULL;
    return end != NULL && is_answer(view_of(head, (size_t)(end - head)));
}

// NULL where there is none, or null.
static char *copy_text(StrView line, const char *key) {
    StrView value;
    CLEANUP(str_free) Str text = {0};
    if (!json_find(line, key, &value) || view_equals(value, "null"))
        return NULL;
    json_add_unescaped(&text, value);
    return mem_copy_string(str_text(&text));
}

static int64_t whole(StrView line, const char *key) {
    int64_t number;
    return json_find_int(line, key, &number) ? number : 0;
}

static int32_t small(StrView line, const char *key) {
    const int64_t number = whole(line, key);
    return number < INT_MIN || number > INT_MAX ? 0 : (int32_t)number;
}

static bool is_true(StrView line, const char *key) {
    StrView value;
    return json_find(line, key, &value) && view_equals(value, "true");
}

// The number of an engine; -1 where there are too many.
static int engine_of(SuiteView *suite, StrView line) {
    CLEANUP(mem_free_at) char *name = copy_text(line, "engine");
    for (size_t i = 0; name != NULL && i < suite->engine_count; i++)
        if (strcmp(suite->engines[i], name) == 0)
            return (int)i;
    if (name == NULL || suite->engine_count >= SUITE_VIEW_ENGINES_MAX)
        return -1;
    MEM_ADD(suite->engines, suite->engine_count, suite->engine_capacity) = TAKE(name);
    return (int)suite->engine_count - 1;
}

static void begin_question(SuiteView *suite, StrView line, int64_t number) {
    MEM_ADD(suite->questions, suite->count, suite->capacity) =
        (SuiteViewQuestion){.line = number,
                            .mate = whole(line, "dm"),
                            .id = copy_text(line, "id"),
                            .fen = copy_text(line, "fen"),
                            .best = copy_text(line, "bm"),
                            .avoid = copy_text(line, "am"),
                            .first = suite->answer_count};
}

static SuiteViewAnswer read_answer(StrView line, int engine) {
    SuiteViewAnswer answer = {.engine = (uint16_t)engine,
                              .is_solved = is_true(line, "solved"),
                              .depth = small(line, "depth"),
                              .points = small(line, "points"),
                              .max_points = small(line, "max_points"),
                              .ms = whole(line, "ms"),
                              .solution_ms = whole(line, "solution_ms")};
    int64_t score;
    StrView value;
    CLEANUP(mem_free_at) char *move = copy_text(line, "move");
    answer.is_mate = json_find_int(line, "mate", &score);
    answer.has_score = answer.is_mate || json_find_int(line, "score", &score);
    answer.score = small(line, answer.is_mate ? "mate" : "score");
    answer.has_failed = json_find(line, "error", &value) && !view_equals(value, "null");
    if (move != NULL && strlen(move) < sizeof answer.move)
        strcpy(answer.move, move);
    return answer;
}

static void take_line(void *context, StrView line, uint64_t at) {
    (void)at;
    SuiteView *suite = context;
    const int64_t number = whole(line, "line");
    if (!is_answer(line))
        return;
    const int engine = engine_of(suite, line);
    if (engine < 0 || suite->answer_count >= SUITE_VIEW_ANSWERS_MAX) {
        suite->is_cut = true;
        return;
    }
    if (suite->count == 0 || suite->questions[suite->count - 1].line != number)
        begin_question(suite, line, number);
    MEM_ADD(suite->answers, suite->answer_count, suite->answer_capacity) =
        read_answer(line, engine);
    suite->questions[suite->count - 1].count++;
}

bool suite_view_update(SuiteView *suite, const char *path) {
    const TailEvents events = {suite, forget, take_line};
    return tail_has_news(&suite->file, path) && tail_read(&suite->file, path, &events) == OK;
}

// --- what is told of it ---

// Of one engine.
typedef struct Sum {
    size_t count, solved, failed;
    int64_t points, max_points;
    double ms; // to the solutions
} Sum;

static void add_up(const SuiteView *suite, Sum *sums) {
    for (size_t i = 0; i < suite->answer_count; i++) {
        const SuiteViewAnswer *answer = &suite->answers[i];
        Sum *sum = &sums[answer->engine];
        sum->count++;
        sum->solved += answer->is_solved;
        sum->failed += answer->has_failed;
        sum->points += answer->points;
        sum->max_points += answer->max_points;
        sum->ms += answer->is_solved ? (double)answer->solution_ms : 0;
    }
}

void suite_view_write_summary(const SuiteView *suite, Str *out) {
    Sum sums[SUITE_VIEW_ENGINES_MAX] = {0};
    add_up(suite, sums);
    str_addf(out, ",\"positions\":%zu,\"is_cut\":%s,\"engines\":[", suite->count,
             suite->is_cut ? "true" : "false");
    for (size_t i = 0; i < suite->engine_count; i++) {
        const Sum *sum = &sums[i];
        str_add(out, i == 0 ? "{\"name\":" : ",{\"name\":");
        json_add_string(out, suite->engines[i]);
        str_addf(out,
                 ",\"count\":%zu,\"solved\":%zu,\"failed\":%zu,\"points\":%" PRId64
                 ",\"max_points\":%" PRId64 ",\"ms\":",
                 sum->count, sum->solved, sum->failed, sum->points, sum->max_points);
        json_add_number(out, sum->solved == 0 ? NAN : sum->ms / (double)sum->solved);
        str_add(out, "}");
    }
    str_add(out, "]");
}

static void add_text(Str *out, const char *key, const char *text) {
    str_addf(out, ",\"%s\":", key);
    if (text == NULL)
        str_add(out, "null");
    else
        json_add_string(out, text);
}

static void write_answer(const SuiteViewAnswer *answer, Str *out) {
    str_addf(out, "{\"engine\":%u,\"solved\":%s,\"failed\":%s", answer->engine,
             answer->is_solved ? "true" : "false", answer->has_failed ? "true" : "false");
    add_text(out, "move", answer->move);
    if (answer->has_score)
        str_addf(out, ",\"%s\":%" PRId32, answer->is_mate ? "mate" : "cp", answer->score);
    str_addf(out, ",\"depth\":%" PRId32 ",\"points\":%" PRId32 ",\"ms\":%" PRId64 "}",
             answer->depth, answer->points, answer->is_solved ? answer->solution_ms : answer->ms);
}

static void write_question(const SuiteView *suite, const SuiteViewQuestion *question, Str *out) {
    str_addf(out, "{\"line\":%" PRId64 ",\"dm\":%" PRId64, question->line, question->mate);
    add_text(out, "id", question->id);
    add_text(out, "fen", question->fen);
    add_text(out, "bm", question->best);
    add_text(out, "am", question->avoid);
    str_add(out, ",\"answers\":[");
    for (size_t i = 0; i < question->count; i++) {
        str_add(out, i == 0 ? "" : ",");
        write_answer(&suite->answers[question->first + i], out);
    }
    str_add(out, "]}");
}

void suite_view_write_positions(const SuiteView *suite, size_t from, size_t most, Str *out) {
    str_add(out, "[");
    for (size_t i = from; i < suite->count && i - from < most; i++) {
        str_add(out, i == from ? "" : ",");
        write_question(suite, &suite->questions[i], out);
    }
    str_add(out, "]");
}
