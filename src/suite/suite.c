// SPDX-License-Identifier: GPL-3.0-or-later
#include "suite/suite.h"

#include "base/lines.h"
#include "base/locate.h"
#include "base/mem.h"
#include "chess/epd.h"
#include "chess/san.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS_MAX = 1000000, MATE_MAX = 1000 };

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

// --- points ---

// The Strategic Test Suite gives points to moves in forms that are all around: c8 "10 3" with c9
// "f4f5 d4e5" or c7 "f5 Be5+", or c0 "f5=10, Be5+=3". Other people's comments are none.

static bool read_points(StrView text, int *out) {
    int64_t value;
    if (!view_to_int(text, &value) || value < 0 || value > POINTS_MAX)
        return false;
    *out = (int)value;
    return true;
}

static Status add_grade(SuiteItem *item, const char *opcode, StrView move, StrView points) {
    SuiteGrade grade;
    if (item->grade_count == SUITE_GRADES_MAX)
        return error_set(ERR_LIMIT, "%s: more than %d moves with points", opcode, SUITE_GRADES_MAX);
    const SanError error = san_parse(&item->pos, move, &grade.move);
    if (error != SAN_OK)
        return error_set(ERR_PARSE, "%s: %s \"%s\"", opcode, san_error_name(error),
                         view_shown(move).text);
    if (!read_points(points, &grade.points))
        return error_set(ERR_PARSE, "%s: \"%s\" are no points for %s", opcode,
                         view_shown(points).text, view_shown(move).text);
    item->grades[item->grade_count++] = grade;
    return OK;
}

// Cuts the next text between blanks and commas off the front; some files forget a comma.
static StrView next_item(StrView *rest) {
    static const char between[] = ", \t";
    while (rest->length > 0 && memchr(between, rest->text[0], sizeof between - 1) != NULL)
        *rest = view_of(rest->text + 1, rest->length - 1);
    size_t length = 0;
    while (length < rest->length && memchr(between, rest->text[length], sizeof between - 1) == NULL)
        length++;
    const StrView item = view_of(rest->text, length);
    *rest = view_of(rest->text + length, rest->length - length);
    return item;
}

// "e8=Q=10" is worth 10.
static bool split_grade(StrView item, StrView *move, StrView *points) {
    const char *equals = item.length == 0 ? NULL : memrchr(item.text, '=', item.length);
    if (equals == NULL)
        return false;
    const size_t length = (size_t)(equals - item.text);
    *move = view_of(item.text, length);
    *points = view_of(equals + 1, item.length - length - 1);
    return true;
}

// c0: what begins with no MOVE=POINTS is a comment.
static Status read_pairs(StrView text, SuiteItem *item) {
    StrView rest = text, move, points;
    int first_points;
    if (!split_grade(next_item(&rest), &move, &points) || !read_points(points, &first_points))
        return OK;
    rest = text;
    for (StrView pair = next_item(&rest); pair.length > 0; pair = next_item(&rest)) {
        if (!split_grade(pair, &move, &points))
            return error_set(ERR_PARSE, "c0: \"%s\" has no points", view_shown(pair).text);
        TRY(add_grade(item, "c0", move, points));
    }
    return OK;
}

// Moves in one operation, points in another: comments, unless they begin with a move and a number.
static Status read_lists(StrView moves, StrView points, const char *opcode, SuiteItem *item) {
    StrView rest_moves = moves, rest_points = points;
    Move first_move;
    int first_points;
    if (san_parse(&item->pos, next_item(&rest_moves), &first_move) != SAN_OK ||
        !read_points(next_item(&rest_points), &first_points))
        return OK;
    rest_moves = moves;
    rest_points = points;
    for (;;) {
        const StrView move = next_item(&rest_moves), worth = next_item(&rest_points);
        if (move.length == 0 && worth.length == 0)
            return OK;
        if (move.length == 0 || worth.length == 0)
            return error_set(ERR_PARSE, "%s and c8: as many moves as points are needed", opcode);
        TRY(add_grade(item, opcode, move, worth));
    }
}

static Status read_grades(const Epd *epd, SuiteItem *item) {
    StrView moves, points;
    if (epd_get_string(epd, "c8", &points)) {
        const char *opcode = epd_find(epd, "c9") < epd->op_count ? "c9" : "c7";
        if (epd_get_string(epd, opcode, &moves))
            TRY(read_lists(moves, points, opcode, item));
    }
    if (item->grade_count == 0 && epd_get_string(epd, "c0", &points))
        TRY(read_pairs(points, item));
    for (size_t i = 0; i < item->grade_count; i++)
        if (item->grades[i].points > item->max_points)
            item->max_points = item->grades[i].points;
    if (item->grade_count > 0 && item->max_points == 0)
        return error_set(ERR_PARSE, "no move is worth a point");
    return OK;
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
    TRY(read_grades(epd, item));
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
    MEM_ADD(suite->bad, suite->bad_count, suite->bad_capacity) = mem_copy_string(error_message());
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
