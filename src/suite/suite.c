// SPDX-License-Identifier: GPL-3.0-or-later
#include "suite/suite.h"

#include "base/lines.h"
#include "base/locate.h"
#include "base/mem.h"
#include "suite/suite_grades.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MATE_MAX = 1000 };

// --- themes ---

static bool is_separator(char c) {
    return c != '\0' && strchr(" .:#_-", c) != NULL;
}

// "Undermine" of "Undermine.001"; a text without a number stays as it is.
static StrView cut_number(StrView text) {
    const StrView whole = text;
    while (text.length > 0 && isdigit((unsigned char)text.text[text.length - 1]))
        text.length--;
    if (text.length == whole.length)
        return whole;
    while (text.length > 0 && is_separator(text.text[text.length - 1]))
        text.length--;
    return text;
}

static void drop(StrView *text, size_t count) {
    *text = view_of(text->text + count, text->length - count);
}

// Takes "STS(v2.2) " or "STS: " off the front, and gives the chapter, which is what the number of
// the version stands for: the same chapter is called by different names.
static StrView cut_sts(StrView *text) {
    StrView rest = *text, chapter = view_of("", 0);
    if (rest.length < 4 || memcmp(rest.text, "STS", 3) != 0 || isalnum((unsigned char)rest.text[3]))
        return chapter;
    drop(&rest, 3);
    const char *end = rest.text[0] == '(' ? memchr(rest.text, ')', rest.length) : NULL;
    if (end != NULL) {
        const size_t length = (size_t)(end - rest.text);
        const char *point = memchr(rest.text, '.', length);
        chapter = view_of(rest.text, point == NULL ? length : (size_t)(point - rest.text));
        drop(&rest, length + 1);
    }
    while (rest.length > 0 && is_separator(rest.text[0]))
        drop(&rest, 1);
    if (rest.length > 0)
        *text = rest;
    return chapter;
}

static void copy_text(char out[SUITE_TEXT_SIZE], StrView text) {
    snprintf(out, SUITE_TEXT_SIZE, "%.*s", (int)text.length, text.text);
}

static size_t find_theme(Suite *suite, StrView id) {
    SuiteTheme theme;
    StrView name = cut_number(id);
    const StrView chapter = cut_sts(&name);
    copy_text(theme.name, name.length > 0 ? name : view_from_string("other"));
    copy_text(theme.key, chapter.length > 0 ? chapter : view_from_string(theme.name));
    for (size_t i = 0; i < suite->theme_count; i++)
        if (strcmp(suite->themes[i].key, theme.key) == 0)
            return i;
    suite->themes = mem_grow(suite->themes, &suite->theme_capacity, suite->theme_count + 1,
                             sizeof *suite->themes);
    suite->themes[suite->theme_count] = theme;
    return suite->theme_count++;
}

bool suite_has_themes(const Suite *suite) {
    return suite->theme_count > 1 && suite->theme_count * 2 <= suite->count;
}

// --- reading ---

static Status read_mate(const Epd *epd, SuiteItem *item) {
    StrView text;
    int64_t value;
    // Beside a score (ce) it is a part of the mentor's label, where something else is asked for.
    const bool is_label =
        epd_find(epd, "ce") < epd->op_count && item->best.count + item->avoid.count > 0;
    if (is_label || !epd_get_string(epd, "dm", &text))
        return OK;
    if (!epd_get_int(epd, "dm", &value) || value < 1 || value > MATE_MAX)
        return error_set(ERR_PARSE, "dm: \"%s\" is no number of moves to mate",
                         view_shown(text).text);
    item->mate = (int)value;
    return OK;
}

// Where only points are given, the moves with the most are the best.
static void take_best_grades(SuiteItem *item) {
    for (size_t i = 0; i < item->grade_count; i++)
        if (item->grades[i].points == item->max_points)
            item->best.moves[item->best.count++] = item->grades[i].move;
}

static Status read_item(const Epd *epd, SuiteItem *item) {
    item->pos = epd->pos;
    TRY(epd_get_moves(epd, "bm", &item->best));
    TRY(epd_get_moves(epd, "am", &item->avoid));
    TRY(read_mate(epd, item));
    TRY(suite_read_grades(epd, item));
    const bool asks = item->best.count + item->avoid.count > 0 || item->mate > 0;
    if (!asks && item->grade_count == 0)
        return error_set(ERR_PARSE, "neither bm, am, dm nor points: there is nothing to solve");
    if (!asks)
        take_best_grades(item);
    return OK;
}

static Status take_line(Suite *suite, Epd *epd, StrView line, uint64_t number) {
    SuiteItem *item;
    StrView id = view_of("", 0);
    TRY(epd_parse(epd, line));
    suite->items = mem_grow(suite->items, &suite->capacity, suite->count + 1, sizeof *suite->items);
    item = &suite->items[suite->count];
    memset(item, 0, sizeof *item);
    item->line = number;
    TRY(read_item(epd, item));
    if (epd_get_string(epd, "id", &id))
        copy_text(item->id, id);
    else
        snprintf(item->id, sizeof item->id, "line %" PRIu64, number);
    item->theme = find_theme(suite, id);
    suite->count++;
    return OK;
}

static void add_bad(Suite *suite) {
    suite->bad =
        mem_grow(suite->bad, &suite->bad_capacity, suite->bad_count + 1, sizeof *suite->bad);
    suite->bad[suite->bad_count++] = mem_copy_string(error_message());
}

static Status read_lines(Suite *suite, LineReader *lines) {
    CLEANUP(epd_free) Epd epd = {0};
    for (;;) {
        StrView line;
        const Status status = lines_next(lines, &line);
        if (status == ERR_LIMIT) { // a line that is too long, and named
            add_bad(suite);
            continue;
        }
        if (status != OK || line.text == NULL)
            return status;
        line = view_trim(line);
        if (line.length == 0 || line.text[0] == '#')
            continue;
        if (take_line(suite, &epd, line, lines_number(lines)) == OK)
            continue;
        error_prefix("%s:%" PRIu64, stream_name(lines_stream(lines)), lines_number(lines));
        add_bad(suite);
    }
}

static void weigh_items(Suite *suite) {
    int most = 1;
    for (size_t i = 0; i < suite->count; i++) {
        suite->is_graded = suite->is_graded || suite->items[i].grade_count > 0;
        most = suite->items[i].max_points > most ? suite->items[i].max_points : most;
    }
    for (size_t i = 0; i < suite->count; i++)
        if (suite->items[i].grade_count == 0)
            suite->items[i].max_points = most;
}

Status suite_load(Suite *out, const char *path) {
    CLEANUP(suite_free) Suite suite = {0};
    CLEANUP(lines_close_at) LineReader *lines = NULL;
    CLEANUP(str_free) Str found = {0};
    TRY(locate("data", path, &found));
    TRY(lines_open(&lines, str_text(&found), EPD_LINE_MAX));
    TRY(read_lines(&suite, lines));
    if (suite.count == 0 && suite.bad_count == 0)
        return error_set(ERR_PARSE, "%s: no positions in this file", path);
    if (suite.count == 0)
        return error_set(ERR_PARSE, "%s (%zu bad lines, and no good one)", suite.bad[0],
                         suite.bad_count);
    weigh_items(&suite);
    *out = suite;
    suite = (Suite){0};
    return OK;
}

void suite_free(Suite *suite) {
    for (size_t i = 0; i < suite->bad_count; i++)
        free(suite->bad[i]);
    free(suite->bad);
    free(suite->themes);
    free(suite->items);
    *suite = (Suite){0};
}

// --- judging ---

static bool has_move(const MoveList *list, Move move) {
    for (size_t i = 0; i < list->count; i++)
        if (list->moves[i] == move)
            return true;
    return false;
}

// What holds whatever the best moves are.
static bool is_admissible(const SuiteItem *item, Move move, int mate) {
    const bool has_mate = item->mate == 0 || (mate > 0 && mate <= item->mate);
    return move != MOVE_NONE && has_mate && !has_move(&item->avoid, move);
}

bool suite_is_solution(const SuiteItem *item, Move move, int mate) {
    return is_admissible(item, move, mate) &&
           (item->best.count == 0 || has_move(&item->best, move));
}

int suite_points(const SuiteItem *item, Move move, int mate) {
    if (!is_admissible(item, move, mate))
        return 0;
    for (size_t i = 0; i < item->grade_count; i++)
        if (item->grades[i].move == move)
            return item->grades[i].points;
    const bool earns =
        has_move(&item->best, move) || (item->grade_count == 0 && item->best.count == 0);
    return earns ? item->max_points : 0;
}
