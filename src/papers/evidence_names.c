// SPDX-License-Identifier: GPL-3.0-or-later
// Who is named in files of results: the players of a match, and the engines of a suite with what
// they solved.
#include "base/json.h"
#include "base/lines.h"
#include "base/mem.h"
#include "papers/evidence.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { NAMES_LINE_MAX = 1 << 20 };

static char *copy_name(StrView name) {
    Str text = {0};
    str_append(&text, name.text, name.length);
    char *copy = mem_copy_string(str_text(&text));
    str_free(&text);
    return copy;
}

// Told of each line of a file; what it returns ends the reading.
typedef Status TakeLine(void *context, StrView line);

static Status each_line(const char *path, TakeLine *take, void *context) {
    LineReader *lines;
    Status status = lines_open(&lines, path, NAMES_LINE_MAX);
    if (status != OK)
        return status;
    StrView line;
    while ((status = lines_next(lines, &line)) == OK && line.text != NULL)
        if ((status = take(context, line)) != OK) {
            error_prefix("%s:%" PRIu64, path, lines_number(lines));
            break;
        }
    lines_close(lines);
    return status;
}

// --- players ---

static void add_player(Roster *roster, StrView name) {
    for (size_t i = 0; i < roster->count; i++)
        if (view_equals(name, roster->names[i]))
            return;
    roster->names =
        vec_grow(roster->names, &roster->capacity, roster->count + 1, sizeof *roster->names);
    roster->names[roster->count++] = copy_name(name);
}

static Status take_game(void *context, StrView line) {
    StrView white, black;
    if (!json_find(line, "white", &white) || !json_find(line, "black", &black))
        return error_set(ERR_PARSE, "no line of a game");
    add_player(context, white);
    add_player(context, black);
    return OK;
}

Status evidence_roster(const Plan *plan, const char *step, Roster *out) {
    *out = (Roster){0};
    if (!plan_has(plan, step))
        return OK;
    Str path = {0};
    evidence_path(plan, &path, "%s/games.jsonl", step);
    const Status status = each_line(str_text(&path), take_game, out);
    str_free(&path);
    return status;
}

void roster_free(Roster *roster) {
    for (size_t i = 0; i < roster->count; i++)
        free(roster->names[i]);
    free(roster->names);
    *roster = (Roster){0};
}

// --- suites ---

static SuiteCount *find_engine(const SuiteCounts *counts, StrView name) {
    for (size_t i = 0; i < counts->count; i++)
        if (view_equals(name, counts->items[i].engine))
            return &counts->items[i];
    return NULL;
}

static Status take_answer(void *context, StrView line) {
    SuiteCounts *counts = context;
    StrView name, solved;
    if (!json_find(line, "engine", &name) || !json_find(line, "solved", &solved))
        return error_set(ERR_PARSE, "no line of a suite");
    SuiteCount *count = find_engine(counts, name);
    if (count == NULL) {
        counts->items =
            vec_grow(counts->items, &counts->capacity, counts->count + 1, sizeof *counts->items);
        count = &counts->items[counts->count++];
        *count = (SuiteCount){.engine = copy_name(name)};
    }
    count->positions++;
    count->solved += view_equals(solved, "true");
    return OK;
}

Status evidence_suite(const Plan *plan, const char *step, SuiteCounts *out) {
    *out = (SuiteCounts){0};
    if (!plan_has(plan, step))
        return OK;
    Str path = {0};
    evidence_path(plan, &path, "%s.jsonl", step);
    const Status status = each_line(str_text(&path), take_answer, out);
    str_free(&path);
    return status;
}

void suite_counts_free(SuiteCounts *counts) {
    for (size_t i = 0; i < counts->count; i++)
        free(counts->items[i].engine);
    free(counts->items);
    *counts = (SuiteCounts){0};
}

const SuiteCount *suite_counts_find(const SuiteCounts *counts, const char *engine) {
    return find_engine(counts, view_from_string(engine));
}
