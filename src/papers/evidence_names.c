// SPDX-License-Identifier: GPL-3.0-or-later
// Who is named in a file of games.
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

static void add_player(Roster *roster, StrView name) {
    for (size_t i = 0; i < roster->count; i++)
        if (view_equals(name, roster->names[i]))
            return;
    roster->names =
        mem_grow(roster->names, &roster->capacity, roster->count + 1, sizeof *roster->names);
    roster->names[roster->count++] = copy_name(name);
}

static Status take_game(Roster *roster, StrView line) {
    StrView white, black;
    if (!json_find(line, "white", &white) || !json_find(line, "black", &black))
        return error_set(ERR_PARSE, "no line of a game");
    add_player(roster, white);
    add_player(roster, black);
    return OK;
}

static Status read_games(Roster *roster, const char *path) {
    LineReader *lines;
    Status status = lines_open(&lines, path, NAMES_LINE_MAX);
    if (status != OK)
        return status;
    StrView line;
    while ((status = lines_next(lines, &line)) == OK && line.text != NULL)
        if ((status = take_game(roster, line)) != OK) {
            error_prefix("%s:%" PRIu64, path, lines_number(lines));
            break;
        }
    lines_close(lines);
    return status;
}

Status evidence_roster(const Plan *plan, const char *step, Roster *out) {
    *out = (Roster){0};
    if (!plan_has(plan, step))
        return OK;
    Str path = {0};
    evidence_path(plan, &path, "%s/games.jsonl", step);
    const Status status = read_games(out, str_text(&path));
    str_free(&path);
    return status;
}

void roster_free(Roster *roster) {
    for (size_t i = 0; i < roster->count; i++)
        free(roster->names[i]);
    free(roster->names);
    *roster = (Roster){0};
}
