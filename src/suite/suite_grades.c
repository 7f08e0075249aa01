// SPDX-License-Identifier: GPL-3.0-or-later
#include "suite/suite_grades.h"

#include "chess/san.h"

#include <string.h>

enum { POINTS_MAX = 1000000 };

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
    Status status = OK;
    for (StrView pair = next_item(&rest); pair.length > 0 && status == OK; pair = next_item(&rest))
        status = split_grade(pair, &move, &points)
                     ? add_grade(item, "c0", move, points)
                     : error_set(ERR_PARSE, "c0: \"%s\" has no points", view_shown(pair).text);
    return status;
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
        const Status status = add_grade(item, opcode, move, worth);
        if (status != OK)
            return status;
    }
}

Status suite_read_grades(const Epd *epd, SuiteItem *item) {
    StrView moves, points;
    Status status = OK;
    item->grade_count = 0;
    if (epd_get_string(epd, "c8", &points)) {
        const char *opcode = epd_find(epd, "c9") < epd->op_count ? "c9" : "c7";
        if (epd_get_string(epd, opcode, &moves))
            status = read_lists(moves, points, opcode, item);
    }
    if (status == OK && item->grade_count == 0 && epd_get_string(epd, "c0", &points))
        status = read_pairs(points, item);
    item->max_points = 0;
    for (size_t i = 0; i < item->grade_count; i++)
        if (item->grades[i].points > item->max_points)
            item->max_points = item->grades[i].points;
    if (status == OK && item->grade_count > 0 && item->max_points == 0)
        status = error_set(ERR_PARSE, "no move is worth a point");
    return status;
}
