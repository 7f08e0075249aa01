// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/doctor/doctor.h"

#include "base/file.h"
#include "base/rng.h"
#include "data/seen.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { FOUND_MAX = 16, TEXT_MAX = 128 };

// What the doctor said.
typedef struct Findings {
    size_t count;
    DoctorProblem found[FOUND_MAX];
    char texts[FOUND_MAX][TEXT_MAX];
} Findings;

static char directory[] = "/tmp/falconer-doctor-XXXXXX";

static void note(void *context, const DoctorProblem *problem) {
    Findings *findings = context;
    assert_true(findings->count < FOUND_MAX);
    snprintf(findings->texts[findings->count], TEXT_MAX, "%s", problem->text);
    findings->found[findings->count++] = *problem;
}

static void write_file(const char *name, const char *text, char path[TEXT_MAX]) {
    snprintf(path, TEXT_MAX, "%s/%s", directory, name);
    assert_int_equal(file_write(path, text, strlen(text)), OK);
}

static Doctor *examine(Findings *findings, const char *text) {
    char path[TEXT_MAX];
    *findings = (Findings){0};
    Doctor *doctor = doctor_create(note, findings);
    write_file("input", text, path);
    doctor_read(doctor, path);
    unlink(path);
    return doctor;
}

// Examines a text in which one thing is wrong.
static DoctorProblem examine_one(const char *text, const char *reason) {
    static Findings findings;
    Doctor *doctor = examine(&findings, text);
    assert_int_equal(doctor_problem_count(doctor), 1);
    assert_int_equal(findings.count, 1);
    if (strstr(findings.texts[0], reason) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", findings.texts[0], reason);
    doctor_destroy(doctor);
    return findings.found[0];
}

// --- games ---

#define FOOLS_MATE "1. f3 e5 2. g4 Qh4#"
#define SCHOLARS   "[Result \"1-0\"]\n\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n\n"

static void test_clean_games(void **state) {
    (void)state;
    Findings findings;
    Doctor *doctor = examine(&findings, SCHOLARS "[Result \"0-1\"]\n\n" FOOLS_MATE " 0-1\n\n"
                                                 "[Result \"*\"]\n\n1. a3 *\n");
    const DoctorTotals *totals = doctor_totals(doctor);
    assert_int_equal(findings.count, 0);
    assert_int_equal(doctor_problem_count(doctor), 0);
    assert_int_equal(totals->pgn.games, 3);
    assert_int_equal(totals->pgn.plies, 7 + 4 + 1);
    assert_int_equal(totals->results[RESULT_WHITE_WINS], 1);
    assert_int_equal(totals->results[RESULT_BLACK_WINS], 1);
    assert_int_equal(totals->results[RESULT_UNKNOWN], 1);
    assert_int_equal(totals->phases[PHASE_OPENING], 8 + 5 + 2);
    assert_int_equal(totals->bytes_read, totals->bytes_there);
    doctor_destroy(doctor);
}

static void test_bad_moves(void **state) {
    (void)state;
    DoctorProblem cut = examine_one("[Result \"1-0\"]\n\n1. e4 e5 2. Ke3 1-0\n", "\"Ke3\"");
    assert_int_equal(cut.kind, DOCTOR_CUT_GAME);
    assert_int_equal(cut.game, 1);
    assert_int_equal(cut.ply, 3);
    assert_int_equal(cut.offset, 28);
    DoctorProblem variant = examine_one(SCHOLARS "[Variant \"Atomic\"]\n\n1. e4 *\n", "Atomic");
    assert_int_equal(variant.kind, DOCTOR_SKIPPED_GAME);
    assert_int_equal(variant.game, 2);
    assert_int_equal(examine_one("[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n\n1. e4 *\n", "").kind,
                     DOCTOR_SKIPPED_GAME);
}

static void test_results(void **state) {
    (void)state;
    DoctorProblem mated = examine_one("[Result \"1/2-1/2\"]\n\n" FOOLS_MATE " 1/2-1/2\n",
                                      "White is mated, but the result is 1/2-1/2");
    assert_int_equal(mated.kind, DOCTOR_WRONG_RESULT);
    assert_int_equal(mated.ply, 4);
    assert_int_equal(examine_one("[Result \"*\"]\n\n" FOOLS_MATE " *\n", "mated").kind,
                     DOCTOR_WRONG_RESULT);
    assert_int_equal(examine_one("[Result \"1-0\"]\n[FEN \"7k/5K2/8/6Q1/8/8/8/8 w - - 0 1\"]\n\n"
                                 "1. Qg6 1-0\n",
                                 "stalemate")
                         .kind,
                     DOCTOR_WRONG_RESULT);
    assert_int_equal(examine_one("[Result \"0-1\"]\n[FEN \"7k/8/8/8/8/8/1r6/K7 w - - 0 1\"]\n\n"
                                 "1. Kxb2 0-1\n",
                                 "material")
                         .kind,
                     DOCTOR_WRONG_RESULT);
    assert_int_equal(examine_one("[Result \"1-0\"]\n\n1. e4 e5 0-1\n", "tag says 1-0").kind,
                     DOCTOR_RESULTS_DIFFER);
}

static void test_missing_parts(void **state) {
    (void)state;
    assert_int_equal(examine_one("[Result \"1-0\"]\n\n1. e4 e5\n", "cut short").kind,
                     DOCTOR_TRUNCATED);
    DoctorProblem missing = examine_one("[Result \"1-0\"]\n\n1. e4 e5\n\n" SCHOLARS, "result");
    assert_int_equal(missing.kind, DOCTOR_NO_RESULT);
    assert_int_equal(missing.game, 1);
    assert_int_equal(examine_one("[Result \"1-0\"]\n\n1-0\n", "no moves").kind, DOCTOR_EMPTY_GAME);
}

static void test_duplicate_games(void **state) {
    (void)state;
    DoctorProblem same =
        examine_one(SCHOLARS "[Result \"*\"]\n\n1. a3 *\n\n" SCHOLARS, "the same moves as game 1");
    assert_int_equal(same.kind, DOCTOR_DUPLICATE_GAME);
    assert_int_equal(same.game, 3);
    DoctorProblem other = examine_one("[Result \"*\"]\n\n1. Nf3 Nf6 2. Nc3 *\n\n"
                                      "[Result \"*\"]\n\n1. Nc3 Nf6 2. Nf3 *\n\n",
                                      "other moves, but the same end as game 1");
    assert_int_equal(other.kind, DOCTOR_SAME_END);
    // Two games without moves are not the same game.
    Findings findings;
    Doctor *doctor = examine(&findings, "[Result \"1-0\"]\n\n1-0\n\n[Result \"1-0\"]\n\n1-0\n");
    assert_int_equal(findings.count, 2);
    assert_int_equal(doctor_totals(doctor)->problems[DOCTOR_EMPTY_GAME], 2);
    doctor_destroy(doctor);
}

static void test_phases(void **state) {
    (void)state;
    Findings findings;
    // Rook takes rook, castling, and a pawn that becomes a queen.
    Doctor *doctor =
        examine(&findings, "[Result \"*\"]\n[FEN \"r3k3/6P1/8/8/8/8/8/R3K2R w KQq - 0 1\"]\n\n"
                           "1. Rxa8+ Kd7 2. O-O Ke7 3. g8=Q Kd7 *\n");
    const DoctorTotals *totals = doctor_totals(doctor);
    assert_int_equal(findings.count, 0);
    assert_int_equal(totals->phases[PHASE_ENDGAME], 7);
    doctor_destroy(doctor);
}

// --- positions ---

#define QUIET "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - "

static void test_clean_positions(void **state) {
    (void)state;
    Findings findings;
    Doctor *doctor =
        examine(&findings, "# a comment\n\n" QUIET "bm e4; id \"1\";\n"
                           "4k3/8/8/8/4r3/8/8/4K3 w - - 0 1\n"            // in check
                           "4k3/8/8/3p4/4P3/8/8/4K3 w - -\n"              // a capture gains
                           "7k/5K2/6Q1/8/8/8/8/8 b - - c9 \"1/2-1/2\";\n" // stalemate
                           "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 [0.5]\n"
                           "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1; [1-0]\n"
                           "4k3/pppppppp/8/8/8/8/PPPPPPPP/2B1K3 w - - 0 1 | 35 | 1.0\n"
                           "4k3/pppppppp/8/8/8/8/PPPPPPPP/1B2K3 w - - 0 1,35,2\n");
    const DoctorTotals *totals = doctor_totals(doctor);
    for (size_t i = 0; i < findings.count; i++)
        fail_msg("line %u: %s", (unsigned)findings.found[i].line, findings.texts[i]);
    assert_int_equal(totals->positions, 8);
    assert_int_equal(totals->not_quiet, 2);
    assert_int_equal(totals->over, 1);
    assert_int_equal(totals->phases[PHASE_OPENING], 2);
    assert_int_equal(totals->phases[PHASE_ENDGAME], 6);
    doctor_destroy(doctor);
}

static void test_bad_positions(void **state) {
    (void)state;
    DoctorProblem bad = examine_one(QUIET "\n8/8/8/8/8/8/8/8 w - -\n", "king");
    assert_int_equal(bad.kind, DOCTOR_BAD_POSITION);
    assert_int_equal(bad.line, 2);
    assert_int_equal(examine_one(QUIET "bm Ke8;\n", "Ke8").kind, DOCTOR_BAD_OPERATION);
    assert_int_equal(examine_one(QUIET "\n\n" QUIET "id \"again\";\n", "as line 1").kind,
                     DOCTOR_DUPLICATE_POSITION);
    assert_int_equal(examine_one("7k/5K2/6Q1/8/8/8/8/8 b - - c9 \"1-0\";\n", "stalemate").kind,
                     DOCTOR_WRONG_RESULT);
    assert_int_equal(examine_one(QUIET "0 what [0.5]\n", "what").kind, DOCTOR_BAD_POSITION);
}

// --- files ---

static void test_unreadable(void **state) {
    (void)state;
    static const char *const paths[] = {"/nonexistent/file.pgn", "/tmp", "/dev/null"};
    for (size_t i = 0; i < 3; i++) {
        Findings findings = {0};
        Doctor *doctor = doctor_create(note, &findings);
        doctor_read(doctor, paths[i]);
        assert_int_equal(findings.count, 1);
        assert_non_null(strstr(findings.texts[0], paths[i]));
        assert_int_equal(findings.found[0].kind, DOCTOR_UNREADABLE);
        doctor_destroy(doctor);
    }
    doctor_destroy(NULL);
}

// Duplicates are found, and named, across files.
static void test_several_files(void **state) {
    (void)state;
    Findings findings = {0};
    char first[TEXT_MAX], second[TEXT_MAX], third[TEXT_MAX];
    write_file("first", "[Result \"*\"]\n\n1. a3 *\n\n" SCHOLARS, first);
    write_file("second", QUIET "\n", second);
    write_file("third", SCHOLARS, third);
    Doctor *doctor = doctor_create(note, &findings);
    doctor_read(doctor, first);
    doctor_read(doctor, second);
    doctor_read(doctor, third);
    assert_int_equal(findings.count, 1);
    assert_int_equal(findings.found[0].game, 1);
    assert_non_null(strstr(findings.texts[0], "game 2 of "));
    assert_non_null(strstr(findings.texts[0], "/first"));
    doctor_read(doctor, second);
    assert_int_equal(findings.count, 2);
    assert_non_null(strstr(findings.texts[1], "line 1 of "));
    assert_int_equal(doctor_totals(doctor)->files, 4);
    doctor_destroy(doctor);
    unlink(first);
    unlink(second);
    unlink(third);
}

static void test_seen(void **state) {
    (void)state;
    enum { KEYS = 200000 };
    SeenTable *table = seen_create();
    SeenAnswer answer;
    uint32_t first;
    for (uint32_t i = 1; i <= KEYS; i++) {
        Rng rng = rng_at(5, i, 0, 0);
        assert_int_equal(seen_add(table, rng_u64(&rng), i, i, &answer, &first), OK);
        assert_int_equal(answer, SEEN_NEVER);
    }
    for (uint32_t i = 1; i <= KEYS; i++) {
        Rng rng = rng_at(5, i, 0, 0);
        uint64_t key = rng_u64(&rng);
        assert_int_equal(seen_add(table, key, i, KEYS + i, &answer, &first), OK);
        assert_int_equal(answer, SEEN_SAME);
        assert_int_equal(first, i);
        assert_int_equal(seen_add(table, key, 0, KEYS + i, &answer, &first), OK);
        assert_int_equal(answer, SEEN_KEY);
        assert_int_equal(first, i);
    }
    seen_destroy(table);
}

static int setup(void **state) {
    (void)state;
    chess_init();
    return mkdtemp(directory) == NULL ? -1 : 0;
}

static int teardown(void **state) {
    (void)state;
    return rmdir(directory);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_clean_games),
        cmocka_unit_test(test_bad_moves),
        cmocka_unit_test(test_results),
        cmocka_unit_test(test_missing_parts),
        cmocka_unit_test(test_duplicate_games),
        cmocka_unit_test(test_phases),
        cmocka_unit_test(test_clean_positions),
        cmocka_unit_test(test_bad_positions),
        cmocka_unit_test(test_unreadable),
        cmocka_unit_test(test_several_files),
        cmocka_unit_test(test_seen),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
