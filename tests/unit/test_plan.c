// SPDX-License-Identifier: GPL-3.0-or-later
// Plans: their steps, and the record of what is done and begun.
#include "base/file.h"
#include "base/folder.h"
#include "base/locate.h"
#include "papers/plan.h"
#include "testing.h"

static void begin(Plan *plan, const char *name) {
    char path[TESTING_PATH];
    testing_path(path, name);
    plan_init(plan, SCALE_QUICK, 7, path);
    assert_int_equal(folder_create(path), OK);
}

static void add_steps(Plan *plan, int nodes) {
    char words[64];
    snprintf(words, sizeof words, "-engine \"name=x\\\\y\" -each nodes=%d", nodes);
    plan_step(plan, "labels", 3, "label x.epd -o ./x.epd");
    plan_run(plan, "runs", 5, 1, "evolve play --data 'a b.epd'");
    plan_match(plan, "pairs", 7, 20, false, words);
}

static void test_what_is_done_is_recalled(void **state) {
    (void)state;
    for (unsigned done = 0; done < 8; done++) {
        Plan plan, again;
        begin(&plan, "recalled");
        add_steps(&plan, 10);
        for (size_t i = 0; i < 3; i++)
            if (done >> i & 1)
                assert_int_equal(plan_done(&plan, &plan.steps[i], (double)i + 0.25), OK);
        begin(&again, "recalled");
        again.concurrency = 3; // how much is done at a time is nobody's result
        add_steps(&again, 10);
        assert_int_equal(plan_recall(&again), OK);
        double remaining = 0;
        for (size_t i = 0; i < 3; i++) {
            assert_true(again.steps[i].seconds == (done >> i & 1 ? (double)i + 0.25 : -1));
            remaining += done >> i & 1 ? 0 : again.steps[i].estimate;
        }
        assert_true(plan_remaining(&again) == remaining);
        assert_true(plan_spent(&again) == plan_spent(&plan));
        char record[2 * TESTING_PATH];
        snprintf(record, sizeof record, "%s/steps.jsonl", plan.folder);
        unlink(record);
        plan_deinit(&plan);
        plan_deinit(&again);
    }
}

// However often a step is begun, its time is that of all its starts.
static void test_time_of_all_starts_is_recalled(void **state) {
    (void)state;
    for (int start = 0; start < 4; start++) {
        Plan plan;
        begin(&plan, "starts");
        add_steps(&plan, 10);
        assert_int_equal(plan_recall(&plan), OK);
        assert_true(plan.steps[1].seconds < 0 && plan.steps[1].before == 10.5 * start);
        if (start == 0)
            assert_int_equal(plan_done(&plan, &plan.steps[0], 1), OK);
        // Killed in the middle of the second step: what it noted last counts.
        for (int note = 0; note <= 3; note++)
            assert_int_equal(plan_note(&plan, &plan.steps[1], 3.5 * note), OK);
        plan_deinit(&plan);
    }
    Plan plan;
    begin(&plan, "starts");
    add_steps(&plan, 10);
    assert_int_equal(plan_recall(&plan), OK);
    assert_int_equal(plan_done(&plan, &plan.steps[1], 1), OK);
    assert_true(plan.steps[0].seconds == 1 && plan.steps[1].seconds == 43);
    plan_deinit(&plan);
    // What another command took is not counted.
    begin(&plan, "starts");
    add_steps(&plan, 10);
    assert_int_equal(plan_note(&plan, &plan.steps[0], 70), OK);
    plan_deinit(&plan);
    begin(&plan, "starts");
    plan_step(&plan, "labels", 3, "label of-others.epd");
    assert_int_equal(plan_recall(&plan), OK);
    assert_true(plan.steps[0].before == 0);
    plan_deinit(&plan);
}

// Every flipped bit of the record is told.
static void test_a_flipped_bit_of_the_record_is_told(void **state) {
    (void)state;
    Plan plan;
    char path[2 * TESTING_PATH];
    Str text = {0};
    begin(&plan, "flipped");
    add_steps(&plan, 10);
    assert_int_equal(plan_done(&plan, &plan.steps[0], 1.25), OK);
    assert_int_equal(plan_note(&plan, &plan.steps[1], 2.5), OK);
    snprintf(path, sizeof path, "%s/steps.jsonl", plan.folder);
    assert_int_equal(file_read(path, 1 << 16, &text), OK);
    for (size_t bit = 0; bit < 8 * text.length; bit++) {
        text.text[bit / 8] ^= (char)(1 << bit % 8);
        testing_write(path, "flipped/steps.jsonl", text.text, text.length);
        if (plan_recall(&plan) == OK)
            fail_msg("bit %zu of byte %zu was not missed", bit % 8, bit / 8);
        text.text[bit / 8] ^= (char)(1 << bit % 8);
    }
    str_free(&text);
    plan_deinit(&plan);
}

static void test_another_command_is_refused(void **state) {
    (void)state;
    Plan plan, other;
    begin(&plan, "refused");
    add_steps(&plan, 10);
    assert_int_equal(plan_done(&plan, &plan.steps[2], 1), OK);
    begin(&other, "refused");
    add_steps(&other, 11);
    assert_int_equal(plan_recall(&other), ERR_ARG);
    assert_non_null(strstr(error_message(), "pairs"));
    plan_deinit(&other);
    // One that the plan no longer has does no harm.
    begin(&other, "refused");
    plan_step(&other, "labels", 3, "label y.epd");
    assert_int_equal(plan_recall(&other), OK);
    assert_true(other.steps[0].seconds < 0);
    plan_deinit(&other);
    plan_deinit(&plan);
}

// What another version did is named with it.
static void test_another_version_is_refused(void **state) {
    (void)state;
    static const char record[] =
        "{\"step\":\"runs\",\"command\":\"evolve\",\"version\":\"0.0.1\",\"%s\":1.00}\n";
    for (int is_done = 0; is_done < 2; is_done++) {
        Plan plan;
        char path[TESTING_PATH], text[sizeof record + 16];
        begin(&plan, "versions");
        add_steps(&plan, 10);
        const int length = snprintf(text, sizeof text, record, is_done == 1 ? "seconds" : "so_far");
        testing_write(path, "versions/steps.jsonl", text, (size_t)length);
        assert_int_equal(plan_recall(&plan), is_done == 1 ? ERR_ARG : OK);
        if (is_done == 1)
            assert_non_null(strstr(error_message(), "step runs was done by falconer 0.0.1"));
        assert_true(plan.steps[1].before == 0);
        plan_deinit(&plan);
    }
}

static void test_a_match_goes_on_with_more_rounds(void **state) {
    (void)state;
    Plan plan;
    for (int games = 10; games <= 40; games += 15) { // 5, 13 and 20 rounds
        begin(&plan, "rounds");
        plan.games_max = games;
        add_steps(&plan, 10);
        plan_step(&plan, "rate", 1, "rate ./pairs/games.pgn");
        assert_int_equal(plan_recall(&plan), OK);
        assert_true(plan.steps[2].seconds < 0 && plan.steps[3].seconds < 0);
        assert_non_null(strstr(plan.steps[2].command, games == 10   ? "-rounds 5"
                                                      : games == 25 ? "-rounds 13"
                                                                    : "-rounds 20"));
        assert_true(games > 10 || plan.steps[2].estimate == 7.0 / 4);
        for (size_t i = 2; i < 4; i++)
            assert_int_equal(plan_done(&plan, &plan.steps[i], 1), OK);
        plan_deinit(&plan);
    }
    // All three parts took a second; fewer than were played are there.
    begin(&plan, "rounds");
    plan.games_max = 8;
    add_steps(&plan, 10);
    assert_int_equal(plan_recall(&plan), OK);
    assert_true(plan.steps[2].seconds == 3);
    assert_non_null(strstr(plan.steps[2].command, "-rounds 20"));
    plan_deinit(&plan);
}

// A recorded command can be run again, so it must be the plan's but for the number of rounds.
static void test_words_added_to_a_recorded_command_are_refused(void **state) {
    (void)state;
    static const char *const ends[] = {"99 -engine cmd=other", "99x", "-3", "0", "99999999999", ""};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        Plan plan, again;
        begin(&plan, "added");
        add_steps(&plan, 10);
        Str command = {0};
        str_append(&command, plan.steps[2].command, plan.steps[2].settled);
        str_add(&command, ends[i]);
        free(plan.steps[2].command);
        plan.steps[2].command = command.text;
        assert_int_equal(plan_done(&plan, &plan.steps[2], 1), OK);
        begin(&again, "added");
        add_steps(&again, 10);
        assert_int_equal(plan_recall(&again), ERR_ARG);
        plan_deinit(&plan);
        plan_deinit(&again);
    }
}

static void test_games_against_the_clock_have_a_limit_of_their_own(void **state) {
    (void)state;
    static const struct {
        int games, timed_games;
        const char *rounds, *timed_rounds;
    } cases[] = {{0, 0, "20", "20"},
                 {0, 6, "20", "3"},
                 {10, 0, "5", "5"},
                 {10, 3, "5", "2"},
                 {10, 90, "5", "5"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Plan plan;
        begin(&plan, "limits");
        plan.games_max = cases[i].games;
        plan.timed_games_max = cases[i].timed_games;
        plan_match(&plan, "pairs", 1, 20, false, "-each nodes=1");
        plan_match(&plan, "clock", 1, 20, true, "-each st=1");
        assert_string_equal(plan.steps[0].command + plan.steps[0].settled, cases[i].rounds);
        assert_string_equal(plan.steps[1].command + plan.steps[1].settled, cases[i].timed_rounds);
        plan_deinit(&plan);
    }
}

static void test_a_damaged_record_is_told(void **state) {
    (void)state;
    Plan plan;
    begin(&plan, "damaged");
    add_steps(&plan, 10);
    char path[TESTING_PATH];
    static const char text[] = "{\"step\":\"labels\"\n";
    testing_write(path, "damaged/steps.jsonl", text, sizeof text - 1);
    assert_int_equal(plan_recall(&plan), ERR_PARSE);
    plan_deinit(&plan);
}

static void test_runs_go_on_by_another_command(void **state) {
    (void)state;
    Plan plan;
    begin(&plan, "resumed");
    add_steps(&plan, 10);
    assert_null(plan.steps[0].resume);
    assert_string_equal(plan.steps[1].resume, "evolve --resume ./runs");
    assert_non_null(strstr(plan.steps[1].command, " --seed 7 -o "));
    assert_non_null(strstr(plan.steps[2].command, "-srand 7 "));
    plan_deinit(&plan);
}

// Engines of a match, a suite and a mentor tell what they are; what cannot be started tells
// nothing.
static void test_versions_of_engines_are_kept(void **state) {
    (void)state;
    Plan plan, again;
    CLEANUP(str_free) Str words = {0};
    CLEANUP(str_free) Str list = {0};
    CLEANUP(str_free) Str fake = {0};
    locate_program_folder(&fake);
    str_add(&fake, "/../fake_engine");
    str_addf(&words, "-engine name=one cmd=%s -engine weights=x -engine name=none cmd=/no/such",
             str_text(&fake));
    for (int i = 0; i < 2; i++) {
        Plan *const at = i == 0 ? &plan : &again;
        begin(at, "versions-kept");
        plan_match(at, "pairs", 1, 1, false, str_text(&words));
        CLEANUP(str_free) Str suite = {0};
        str_addf(&suite, "x.epd --engine 'name=two cmd=%s'", str_text(&fake));
        plan_suite(at, "suite", 1, str_text(&suite));
    }
    for (size_t i = 0; i < 2; i++) {
        plan_ask_versions(&plan.steps[i]);
        assert_int_equal(plan_done(&plan, &plan.steps[i], 1), OK);
    }
    assert_int_equal(plan_recall(&again), OK);
    for (size_t i = 0; i < 2; i++) {
        assert_string_equal(str_text(&again.steps[i].engines), str_text(&plan.steps[i].engines));
        plan_add_versions(&again.steps[i], &list);
    }
    assert_string_equal(str_text(&list), "Fake (one), Fake (two)");
    str_clear(&list);
    assert_true(plan_find_version(str_text(&plan.steps[0].engines), "one", &list));
    assert_string_equal(str_text(&list), "Fake");
    assert_false(plan_find_version(str_text(&plan.steps[0].engines), "on", &list));
    plan_deinit(&plan);
    plan_deinit(&again);
}

static void test_the_search_of_a_step_is_told(void **state) {
    (void)state;
    static const struct {
        const char *words, *told;
    } cases[] = {
        {"-engine weights=a -engine weights=b -each nodes=1", "modern, 1 MB"},
        {"-engine weights=a -engine cmd=b -each option.Profile=papers", "papers, 1 MB"},
        {"-engine weights=a option.Profile=plain -engine weights=b option.Hash=8",
         "plain, modern, 8 MB"},
        {"-engine cmd=a -engine cmd=b", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Plan plan;
        CLEANUP(str_free) Str told = {0};
        begin(&plan, "searches");
        plan_match(&plan, "pairs", 1, 1, false, cases[i].words);
        plan_say_search(&plan.steps[0], &told);
        assert_string_equal(str_text(&told), cases[i].told);
        plan_deinit(&plan);
    }
}

static void test_engines_are_found_or_noted_once(void **state) {
    (void)state;
    Plan plan;
    begin(&plan, "engines");
    assert_true(plan_engine(&plan, "sh"));
    assert_int_equal(plan.missing.length, 0);
    for (int i = 0; i < 2; i++) {
        assert_false(plan_engine(&plan, "no-such-engine-2"));
        assert_false(plan_engine(&plan, "no-such-engine"));
    }
    assert_string_equal(str_text(&plan.missing), "no-such-engine-2, no-such-engine");
    plan_deinit(&plan);
}

// What a step needs is run too, if it is short or recorded.
static void test_only_what_is_asked_for(void **state) {
    (void)state;
    static const char *const only[] = {"clock-*", "nodes"};
    static const bool is_asked_for[] = {true, true, true, true, false, false, false, true};
    Plan plan;
    begin(&plan, "only");
    plan_step(&plan, "labels", 59, "label x.epd -o ./labels.epd");
    plan_step(&plan, "pupil", 59, "tune ./labels.epd -o ./pupil.weights");
    plan_match(&plan, "nodes", 90, 20, false, "-engine weights=./pupil.weights");
    plan_match(&plan, "clock-a", 90, 20, true, "");
    plan_match(&plan, "nodes-b", 90, 20, false, "-engine weights=./pupil.weights");
    plan_step(&plan, "unread", 1, "label x.epd -o ./unread.epd");
    plan_run(&plan, "long", 90, 1, "evolve play");
    plan_match(&plan, "clock-b", 90, 20, true, "-engine weights=./long/best.weights");
    for (size_t i = 0; i < plan.count; i++)
        assert_true(plan_is_asked_for(&plan, &plan.steps[i]));
    plan.only = only;
    plan.only_count = 2;
    for (size_t i = 0; i < plan.count; i++)
        assert_int_equal(plan_is_asked_for(&plan, &plan.steps[i]), is_asked_for[i]);
    str_addf(&plan.steps[6].recorded, "0123456789");
    assert_true(plan_is_asked_for(&plan, &plan.steps[6]));
    assert_true(plan_matches(&plan, "n*b") && !plan_matches(&plan, "clock"));
    plan_deinit(&plan);
}

static void test_what_a_step_needs(void **state) {
    (void)state;
    Plan plan;
    begin(&plan, "needs");
    plan_step(&plan, "train-2", 1, "label x.epd -o ./train-2.epd");
    plan_run(&plan, "play", 100, 2, "evolve play --data ./train-2.epd");
    plan_run(&plan, "play-white", 100, 1, "evolve play --data x.epd");
    plan_match(&plan, "pairs", 90, 20, false, "-engine weights=./play/best.weights");
    const Step *const labels = plan.steps, *const first = labels + 1, *const last = labels + 2,
                      *const other = labels + 3, *const pairs = labels + 4;
    assert_null(plan_find_needed(&plan, labels));
    assert_ptr_equal(plan_find_needed(&plan, first), labels);
    assert_null(plan_find_needed(&plan, other));
    assert_int_equal(plan_done(&plan, &plan.steps[0], 1), OK);
    assert_null(plan_find_needed(&plan, first));
    assert_ptr_equal(plan_find_needed(&plan, last), first);
    assert_ptr_equal(plan_find_needed(&plan, pairs), first);
    assert_int_equal(plan_done(&plan, &plan.steps[1], 1), OK);
    assert_null(plan_find_needed(&plan, last));
    assert_ptr_equal(plan_find_needed(&plan, pairs), last);
    assert_int_equal(plan_done(&plan, &plan.steps[2], 1), OK);
    assert_null(plan_find_needed(&plan, pairs));
    plan_deinit(&plan);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_done_is_recalled),
        cmocka_unit_test(test_time_of_all_starts_is_recalled),
        cmocka_unit_test(test_a_flipped_bit_of_the_record_is_told),
        cmocka_unit_test(test_another_command_is_refused),
        cmocka_unit_test(test_another_version_is_refused),
        cmocka_unit_test(test_a_match_goes_on_with_more_rounds),
        cmocka_unit_test(test_words_added_to_a_recorded_command_are_refused),
        cmocka_unit_test(test_games_against_the_clock_have_a_limit_of_their_own),
        cmocka_unit_test(test_a_damaged_record_is_told),
        cmocka_unit_test(test_runs_go_on_by_another_command),
        cmocka_unit_test(test_only_what_is_asked_for),
        cmocka_unit_test(test_what_a_step_needs),
        cmocka_unit_test(test_versions_of_engines_are_kept),
        cmocka_unit_test(test_the_search_of_a_step_is_told),
        cmocka_unit_test(test_engines_are_found_or_noted_once),
    };
    return cmocka_run_group_tests(tests, testing_set_up, testing_tear_down);
}
