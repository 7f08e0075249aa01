// SPDX-License-Identifier: GPL-3.0-or-later
#include "suite/suite_file.h"

#include "base/json.h"
#include "base/lines.h"
#include "base/mem.h"
#include "chess/fen.h"
#include "chess/san.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_MAX_BYTES = 1 << 16 };

// --- writing ---

static void add_text(Str *out, const char *key, const char *value) {
    str_addf(out, ",\"%s\":", key);
    if (value == NULL)
        str_add(out, "null");
    else
        json_add_string(out, value);
}

static void add_int(Str *out, const char *key, int64_t value) {
    str_addf(out, ",\"%s\":%" PRId64, key, value);
}

static void add_int_if(Str *out, const char *key, bool is_known, int64_t value) {
    if (is_known)
        add_int(out, key, value);
    else
        add_text(out, key, NULL);
}

static void add_moves(Str *out, const char *key, const Position *pos, const MoveList *moves) {
    CLEANUP(str_free) Str text = {0};
    char san[SAN_SIZE];
    for (size_t i = 0; i < moves->count; i++) {
        san_write(pos, moves->moves[i], san);
        str_addf(&text, "%s%s", i == 0 ? "" : " ", san);
    }
    add_text(out, key, moves->count == 0 ? NULL : str_text(&text));
}

// What was asked, so that the file can be looked at without the suite.
static void add_question(Str *out, const SuiteItem *item) {
    char fen[FEN_SIZE];
    fen_write(&item->pos, fen);
    add_text(out, "fen", fen);
    add_moves(out, "bm", &item->pos, &item->best);
    add_moves(out, "am", &item->pos, &item->avoid);
    add_int_if(out, "dm", item->mate > 0, item->mate);
}

void suite_line_write(const SuiteItem *item, const char *engine, const SuiteAnswer *answer,
                      Str *out) {
    char san[SAN_SIZE];
    if (answer->move != MOVE_NONE)
        san_write(&item->pos, answer->move, san);
    str_add(out, "{\"id\":");
    json_add_string(out, item->id);
    add_int(out, "line", (int64_t)item->line);
    add_text(out, "engine", engine);
    add_text(out, "move", answer->move == MOVE_NONE ? NULL : san);
    str_addf(out, ",\"solved\":%s", answer->is_solved ? "true" : "false");
    add_int(out, "points", answer->points);
    add_int(out, "max_points", item->max_points);
    add_int_if(out, "score", answer->has_score && !answer->is_mate, answer->score);
    add_int_if(out, "mate", answer->has_score && answer->is_mate, answer->score);
    add_int(out, "depth", answer->depth);
    add_int(out, "nodes", (int64_t)answer->nodes);
    add_int(out, "ms", answer->elapsed_ms);
    add_int_if(out, "solution_ms", answer->is_solved, answer->solution_ms);
    add_int_if(out, "solution_depth", answer->is_solved, answer->solution_depth);
    add_int_if(out, "solution_nodes", answer->is_solved, (int64_t)answer->solution_nodes);
    add_text(out, "error", answer->error[0] == '\0' ? NULL : answer->error);
    add_question(out, item);
    str_add(out, "}\n");
}

// --- reading ---

static bool find_whole(StrView line, const char *key, int64_t most, int64_t *out) {
    return json_find_int(line, key, out) && *out >= 0 && *out <= most;
}

// Whether the engine failed: the key's value is a text.
static bool has_error(StrView line) {
    StrView value;
    return json_find(line, "error", &value) && !view_equals(value, "null");
}

static Status parse_line(StrView line, StrView *engine, SuiteAnswer *answer, int *max_points) {
    StrView solved;
    int64_t points, most, nodes, depth = 0, solution_nodes = 0;
    *answer = (SuiteAnswer){0};
    bool is_good = line.length > 1 && line.text[0] == '{' && line.text[line.length - 1] == '}' &&
                   json_find(line, "engine", engine) && json_find(line, "solved", &solved) &&
                   (view_equals(solved, "true") || view_equals(solved, "false")) &&
                   find_whole(line, "points", INT_MAX, &points) &&
                   find_whole(line, "max_points", INT_MAX, &most) &&
                   json_find_int(line, "nodes", &nodes) &&
                   find_whole(line, "ms", INT64_MAX, &answer->elapsed_ms);
    answer->is_solved = is_good && view_equals(solved, "true");
    if (answer->is_solved)
        is_good = find_whole(line, "solution_ms", INT64_MAX, &answer->solution_ms) &&
                  find_whole(line, "solution_depth", INT_MAX, &depth) &&
                  json_find_int(line, "solution_nodes", &solution_nodes);
    if (!is_good)
        return error_set(ERR_PARSE, "no answer as \"falconer suite --jsonl\" writes them");
    answer->points = (int)points;
    answer->nodes = (uint64_t)nodes;
    answer->solution_depth = (int)depth;
    answer->solution_nodes = (uint64_t)solution_nodes;
    if (has_error(line))
        strcpy(answer->error, "an error");
    *max_points = (int)most;
    return OK;
}

static SuiteTotal *total_of(SuiteScores *scores, StrView escaped) {
    CLEANUP(str_free) Str name = {0};
    json_add_unescaped(&name, escaped);
    size_t i = 0;
    while (i < scores->count && strcmp(scores->items[i].engine, str_text(&name)) != 0)
        i++;
    if (i == scores->count)
        MEM_ADD(scores->items, scores->count, scores->capacity) =
            (SuiteScore){mem_copy_string(str_text(&name)), {0}};
    return &scores->items[i].total;
}

static Status read_lines(SuiteScores *scores, LineReader *lines) {
    for (;;) {
        StrView line, engine;
        SuiteAnswer answer;
        int max_points = 0;
        TRY(lines_next(lines, &line));
        if (line.text == NULL)
            return OK;
        line = view_trim(line);
        if (line.length == 0)
            continue;
        TRY_PREFIX(parse_line(line, &engine, &answer, &max_points), "%s:%" PRIu64,
                   stream_name(lines_stream(lines)), lines_number(lines));
        suite_total_add(total_of(scores, engine), &answer, max_points);
    }
}

Status suite_scores_read(SuiteScores *out, const char *path) {
    CLEANUP(lines_close_at) LineReader *lines = NULL;
    CLEANUP(suite_scores_free) SuiteScores scores = {0};
    TRY(lines_open(&lines, path, LINE_MAX_BYTES));
    TRY(read_lines(&scores, lines));
    *out = scores;
    scores = (SuiteScores){0};
    return OK;
}

void suite_scores_free(SuiteScores *scores) {
    for (size_t i = 0; i < scores->count; i++)
        free(scores->items[i].engine);
    free(scores->items);
    *scores = (SuiteScores){0};
}

const SuiteTotal *suite_scores_find(const SuiteScores *scores, const char *engine) {
    for (size_t i = 0; i < scores->count; i++)
        if (strcmp(scores->items[i].engine, engine) == 0)
            return &scores->items[i].total;
    return NULL;
}
