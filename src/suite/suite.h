// SPDX-License-Identifier: GPL-3.0-or-later
// Test suites: positions that ask for a move (bm), against moves (am), for a mate (dm), or that
// give points for moves, as the Strategic Test Suite does.
#pragma once

#include "base/error.h"
#include "chess/move.h"
#include "chess/position.h"

enum { SUITE_TEXT_SIZE = 128, SUITE_ERROR_SIZE = 256, SUITE_GRADES_MAX = 64 };

// A move and what it is worth.
typedef struct SuiteGrade {
    Move move;
    int points;
} SuiteGrade;

typedef struct SuiteItem {
    Position pos;
    MoveList best, avoid; // either may be empty
    int mate;             // a mate in so many moves must be announced; 0: need not
    SuiteGrade grades[SUITE_GRADES_MAX];
    size_t grade_count; // 0: a solution gets max_points, all else nothing
    int max_points;
    char id[SUITE_TEXT_SIZE];
    size_t theme;
    uint64_t line;
} SuiteItem;

// Positions whose ids differ in their number alone, or that belong to one chapter of STS.
typedef struct SuiteTheme {
    char name[SUITE_TEXT_SIZE];
    char key[SUITE_TEXT_SIZE]; // what makes it this theme
} SuiteTheme;

typedef struct Suite {
    SuiteItem *items; // owned
    size_t count, capacity;
    SuiteTheme *themes; // owned
    size_t theme_count, theme_capacity;
    char **bad; // owned; why lines were left out, with file and line
    size_t bad_count, bad_capacity;
    bool is_graded; // some position gives points to several moves
} Suite;

// What became of one position.
typedef struct SuiteAnswer {
    Move move; // MOVE_NONE when the engine failed
    bool is_solved, has_score, is_mate;
    int score, depth, points; // is_mate: `score` counts moves to mate
    uint64_t nodes;
    int64_t elapsed_ms;
    // Since when its best line was a solution, until the end; without meaning where not solved.
    int64_t solution_ms;
    int solution_depth;
    uint64_t solution_nodes;
    char error[SUITE_ERROR_SIZE]; // what the engine did wrong, or ""
} SuiteAnswer;

// Reads an EPD file. Lines that are malformed or have nothing to solve are left out and told of in
// `bad`; ERR_PARSE when nothing is left. A position without grades is worth as many points as the
// best of the others, or 1 where there are no grades at all.
MUST_CHECK Status suite_load(Suite *out, const char *path);
void suite_free(Suite *suite);

// Whether there are several themes, and few enough to tell anything.
bool suite_has_themes(const Suite *suite);
// Whether the move is one of the best and none to avoid, with the mate that is asked for: a mate in
// `mate` moves was announced, 0 when none was.
bool suite_is_solution(const SuiteItem *item, Move move, int mate);
// What the move earns.
int suite_points(const SuiteItem *item, Move move, int mate);
