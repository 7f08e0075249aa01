// SPDX-License-Identifier: GPL-3.0-or-later
// The curve of strength of a run by games: the same for any threads and however often it was
// stopped, and what is damaged is told.
#include "running.h"

#include "run/strength.h"

#define SMALL "play-nodes 40 max-moves 30 verdict-games 8 strength-games 6 seed 3"
#define BY_PAIRS                                                                                   \
    "fitness games chromosome real algorithm spsa population 4 generations 9 start-from "          \
    "maestro-hand.weights " SMALL
#define BY_POINTS                                                                                  \
    "fitness games chromosome maestro-224 algorithm ga population 4 generations 8 selection rank " \
    "survival elitism match-games 2 " SMALL

static void read_points(const char *name, Strength *out) {
    char directory[TESTING_PATH];
    testing_path(directory, name);
    if (strength_read(directory, out) != OK)
        fail_msg("%s", error_message());
}

static void test_points_of_a_run(void **state) {
    (void)state;
    static const char *const words[] = {BY_PAIRS, BY_POINTS};
    for (size_t i = 0; i < 2; i++) {
        Strength strength;
        char name[16];
        snprintf(name, sizeof name, "points-%zu", i);
        run_whole(words[i], name, 2);
        read_points(name, &strength);
        assert_int_equal(strength.count, STRENGTH_POINTS);
        for (size_t j = 0; j < strength.count; j++) {
            assert_int_equal(strength.points[j].counts.played, 6);
            assert_true(j == 0 ||
                        strength.points[j].generation > strength.points[j - 1].generation);
        }
        assert_int_equal(strength.points[STRENGTH_POINTS - 1].generation, i == 0 ? 9 : 8);
    }
}

// The last point is the result of the run, as the verdict is, and has the first of its openings.
static void test_the_last_point_is_the_result(void **state) {
    (void)state;
    Strength strength;
    VerdictCounts verdict;
    char path[TESTING_PATH];
    run_whole(BY_POINTS " verdict-games 6", "result", 2);
    read_points("result", &strength);
    testing_path(path, "result/verdict.csv");
    assert_int_equal(verdict_file_read(path, &verdict), OK);
    assert_memory_equal(&strength.points[STRENGTH_POINTS - 1].counts, &verdict, sizeof verdict);
}

static void test_threads_and_stops_change_nothing(void **state) {
    (void)state;
    Rng rng = rng_at(5, 0, 0, 0);
    run_whole(BY_POINTS, "one", 1);
    run_whole(BY_POINTS, "three", 3);
    run_in_pieces(BY_POINTS, "pieces", &rng);
    assert_true(is_same_file("one", "three", "strength.csv"));
    assert_true(is_same_file("one", "pieces", "strength.csv"));
    assert_same_run("one", "pieces");
}

static void test_what_is_damaged_is_told(void **state) {
    (void)state;
    static const char *const texts[] = {
        "generation\n",
        "generation,games,wins,draws,losses,pairs 0,pairs 1/2,pairs 1,pairs 3/2,pairs 2\n"
        "1,2,1,0,1,0,0,1,0,0",
        "generation,games,wins,draws,losses,pairs 0,pairs 1/2,pairs 1,pairs 3/2,pairs 2\n"
        "1,2,2,0,1,0,0,1,0,0\n",
        "generation,games,wins,draws,losses,pairs 0,pairs 1/2,pairs 1,pairs 3/2,pairs 2\n"
        "-1,2,1,0,1,0,0,1,0,0\n"};
    char path[TESTING_PATH];
    Strength strength;
    testing_path(path, "strength.csv");
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        assert_int_equal(file_write(path, texts[i], strlen(texts[i])), OK);
        assert_int_equal(strength_read(testing_directory, &strength), ERR_PARSE);
        assert_non_null(strstr(error_message(), "strength.csv: damaged"));
    }
    unlink(path);
    assert_int_equal(strength_read(testing_directory, &strength), OK);
    assert_int_equal(strength.count, 0);
}

static int set_up(void **state) {
    setenv("FALCONER_DATA", ".", 1);
    return running_set_up(state);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_points_of_a_run),
        cmocka_unit_test(test_the_last_point_is_the_result),
        cmocka_unit_test(test_threads_and_stops_change_nothing),
        cmocka_unit_test(test_what_is_damaged_is_told),
    };
    return cmocka_run_group_tests(tests, set_up, testing_tear_down);
}
