// SPDX-License-Identifier: GPL-3.0-or-later
// Records of steps: they come back as they were written, damage is told, and they stand for a step
// only where its command and all that it read are the same.
#include "base/file.h"
#include "base/folder.h"
#include "base/mem.h"
#include "papers/evidence.h"
#include "papers/record_step.h"
#include "testing.h"

#include <stdlib.h>
#include <unistd.h>

// --- the file ---

static void fill(Record *record, Rng *rng) {
    str_add(&record->step, "pairs");
    str_add(&record->command, "match \"a b\" \\ -rounds 5");
    str_add(&record->scale, "papers");
    str_add(&record->version, "0.3.0");
    str_add(&record->commit, "abc123");
    str_add(&record->engines, "toga2=Toga II\nx=y");
    record->seed = 7;
    record->rounds = 5;
    record->seconds = 12.25;
    record_add_input(record, "./a b.weights", 0xfedcba9876543210);
    for (int i = 0; i < 3; i++) {
        CLEANUP(str_free) Str content = {0};
        char name[32];
        snprintf(name, sizeof name, "x/%d.csv", i);
        for (uint32_t left = rng_below(rng, 100) * (i > 0); left > 0; left--)
            str_append(&content, &(char){(char)rng_below(rng, 256)}, 1); // any bytes
        record_add_file(record, name, &content);
    }
}

static void test_a_record_comes_back(void **state) {
    (void)state;
    Rng rng = rng_at(1, 0, 0, 0);
    for (int round = 0; round < 50; round++) {
        CLEANUP(record_free) Record record = {0};
        CLEANUP(record_free) Record again = {0};
        char path[TESTING_PATH];
        testing_path(path, "one.record.zst");
        fill(&record, &rng);
        assert_int_equal(record_write(&record, path), OK);
        assert_int_equal(record_read(&again, path), OK);
        assert_string_equal(str_text(&again.command), str_text(&record.command));
        assert_string_equal(str_text(&again.engines), str_text(&record.engines));
        assert_true(again.seed == 7 && again.rounds == 5 && again.seconds == 12.25);
        assert_int_equal(again.input_count, 1);
        assert_string_equal(again.inputs[0].name, "./a b.weights");
        assert_true(again.inputs[0].digest == record.inputs[0].digest);
        assert_int_equal(again.file_count, record.file_count);
        for (size_t i = 0; i < record.file_count; i++) {
            assert_string_equal(again.files[i].name, record.files[i].name);
            assert_int_equal(again.files[i].content.length, record.files[i].content.length);
            assert_memory_equal(str_text(&again.files[i].content),
                                str_text(&record.files[i].content), record.files[i].content.length);
        }
    }
}

// Whatever byte is another: it is told.
static void test_damage_is_told(void **state) {
    (void)state;
    CLEANUP(record_free) Record record = {0};
    CLEANUP(str_free) Str text = {0};
    char path[TESTING_PATH];
    Rng rng = rng_at(2, 0, 0, 0);
    testing_path(path, "plain.record");
    fill(&record, &rng);
    assert_int_equal(record_write(&record, path), OK);
    assert_int_equal(file_read_raw(path, &text), OK);
    for (size_t i = 0; i + 1 < text.length; i++) {
        CLEANUP(record_free) Record again = {0};
        text.text[i] ^= 1;
        assert_int_equal(file_write(path, text.text, text.length), OK);
        if (record_read(&again, path) == OK)
            fail_msg("byte %zu of %zu: taken", i, text.length);
        text.text[i] ^= 1;
    }
}

static void test_files_outside_of_the_folder_are_refused(void **state) {
    (void)state;
    static const char *const names[] = {"../x", "/etc/x", "a/../../x", ""};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        CLEANUP(record_free) Record record = {0};
        CLEANUP(record_free) Record again = {0};
        char path[TESTING_PATH];
        testing_path(path, "outside.record");
        str_add(&record.step, "x");
        record_add_file(&record, names[i], &(Str){0});
        assert_int_equal(record_write(&record, path), OK);
        assert_int_equal(record_read(&again, path), ERR_PARSE);
    }
}

// --- steps ---

static char records[TESTING_PATH];

static void put(const Plan *plan, const char *name, const char *text) {
    char path[2 * TESTING_PATH], folder[2 * TESTING_PATH];
    snprintf(path, sizeof path, "%s/%s", plan->folder, name);
    snprintf(folder, sizeof folder, "%s", path);
    *strrchr(folder, '/') = '\0';
    assert_int_equal(folder_create(folder), OK);
    assert_int_equal(file_write(path, text, strlen(text)), OK);
}

static bool has_file(const Plan *plan, const char *name) {
    char path[2 * TESTING_PATH];
    snprintf(path, sizeof path, "%s/%s", plan->folder, name);
    return access(path, F_OK) == 0;
}

// The folder's last part is the same wherever it lies.
static void begin(Plan *plan, const char *place, uint64_t seed, Scale scale, int nodes) {
    char path[TESTING_PATH + 32], words[128];
    testing_path(records, "records");
    testing_path(path, place);
    snprintf(path + strlen(path), sizeof path - strlen(path), "/paper-x");
    plan_init(plan, scale, seed, path);
    plan->records = records;
    plan->commit = "c0ffee";
    snprintf(words, sizeof words, "-engine name=A weights=./w.weights -each nodes=%d", nodes);
    plan_match(plan, "pairs", 100, 4, false, words);
    plan_run(plan, "co", 300, 3, "coevolve cec2001 --start-from ./w.weights");
    plan_step(plan, "more", 1, "weights median ./co -o ./more.weights");
    put(plan, "w.weights", "# by somebody\nfamily x\n");
}

// Keeps the record of a step that is small enough.
static void keep(const Plan *plan, const Step *step) {
    CLEANUP(str_free) Str note = {0};
    assert_int_equal(record_keep(plan, step, &note), OK);
    assert_int_equal(note.length, 0);
}

static void play(Plan *plan) {
    put(plan, "pairs/games.jsonl",
        "{\"game\":1,\"pgn_bytes\":0,\"white\":\"A\",\"black\":\"B\",\"result\":\"1-0\","
        "\"termination\":\"normal\"}\n");
    assert_int_equal(plan_done(plan, &plan->steps[0], 5), OK);
    keep(plan, &plan->steps[0]);
}

static void test_a_match_is_restored(void **state) {
    (void)state;
    static const struct {
        const char *reason; // NULL: it is restored
        uint64_t seed;
        Scale scale;
        int nodes;
        const char *weights;
    } cases[] = {
        {NULL, 1, SCALE_QUICK, 10, "# by somebody else\nfamily x\n"},
        {"it was made by another command", 1, SCALE_QUICK, 11, "family x\n"},
        {"it is of another seed, scale or step", 2, SCALE_QUICK, 10, "family x\n"},
        {"it is of another seed, scale or step", 1, SCALE_PAPERS, 10, "family x\n"},
        {"it was made with another ./w.weights", 1, SCALE_QUICK, 10, "family y\n"},
    };
    Plan plan;
    begin(&plan, "played", 1, SCALE_QUICK, 10);
    play(&plan);
    plan_deinit(&plan);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        CLEANUP(str_free) Str reason = {0};
        char place[32];
        bool is_restored;
        snprintf(place, sizeof place, "other-%zu", i);
        begin(&plan, place, cases[i].seed, cases[i].scale, cases[i].nodes);
        put(&plan, "w.weights", cases[i].weights);
        assert_int_equal(record_restore(&plan, &plan.steps[0], &is_restored, &reason), OK);
        assert_true(is_restored == (cases[i].reason == NULL));
        assert_string_equal(str_text(&reason), is_restored ? "" : cases[i].reason);
        assert_true(has_file(&plan, "pairs/meetings.jsonl") == is_restored);
        assert_true((plan.steps[0].seconds == 5) == is_restored);
        assert_string_equal(str_text(&plan.steps[0].recorded), is_restored ? "c0ffee" : "");
        plan_deinit(&plan);
    }
}

static void test_a_match_of_more_rounds_will_do(void **state) {
    (void)state;
    for (int games = 4; games <= 12; games += 4) { // 8 are recorded
        Plan plan;
        CLEANUP(str_free) Str reason = {0};
        bool is_restored;
        begin(&plan, "played", 1, SCALE_QUICK, 10);
        play(&plan);
        plan_deinit(&plan);
        begin(&plan, "rounds", 1, SCALE_QUICK, 10);
        plan_set_rounds(&plan.steps[0], games / 2);
        assert_int_equal(record_restore(&plan, &plan.steps[0], &is_restored, &reason), OK);
        assert_true(is_restored == (games <= 8));
        assert_int_equal(plan.steps[0].rounds, games <= 8 ? 4 : 6);
        plan_deinit(&plan);
    }
}

// The last stage that is recorded stands for those before it.
static void test_stages_are_restored(void **state) {
    (void)state;
    for (size_t stage = 1; stage <= 3; stage++) {
        Plan plan, other;
        CLEANUP(str_free) Str reason = {0};
        char place[32];
        bool is_restored;
        begin(&plan, "stages", 1, SCALE_QUICK, 10);
        put(&plan, "co/config.ini", "data = \n");
        put(&plan, "co/run-01/checkpoint", "half");
        put(&plan, "co/run-01/best.weights", "family z\n");
        put(&plan, "co/run-01/population.csv", "1\n");
        for (size_t i = 1; i <= stage; i++) {
            assert_int_equal(plan_done(&plan, &plan.steps[i], 70), OK);
            keep(&plan, &plan.steps[i]);
        }
        snprintf(place, sizeof place, "goes-on-%zu", stage);
        begin(&other, place, 1, SCALE_QUICK, 10);
        assert_int_equal(record_restore(&other, &other.steps[1], &is_restored, &reason), OK);
        assert_true(is_restored);
        for (size_t i = 1; i <= 3; i++)
            assert_true((other.steps[i].seconds >= 0) == (i <= stage));
        assert_true(other.steps[stage].seconds == 70 * (double)stage);
        assert_true(has_file(&other, "co/run-01/best.weights"));
        assert_true(has_file(&other, "co/run-01/population.csv")); // a later step reads the folder
        assert_true(has_file(&other, "co/run-01/checkpoint") == (stage < 3));
        plan_deinit(&plan);
        plan_deinit(&other);
    }
}

static void test_what_is_quick_leaves_no_record(void **state) {
    (void)state;
    Plan plan;
    char path[2 * TESTING_PATH];
    begin(&plan, "quick", 1, SCALE_QUICK, 10);
    put(&plan, "more.weights", "family x\n");
    snprintf(path, sizeof path, "%s/paper-x/more.record.zst", records);
    for (int seconds = 59; seconds <= 60; seconds++) {
        assert_int_equal(plan_done(&plan, &plan.steps[4], seconds), OK);
        keep(&plan, &plan.steps[4]);
        assert_true((access(path, F_OK) == 0) == (seconds == 60));
    }
    plan_deinit(&plan);
}

// A preset is read too, so that another one makes other runs.
static void test_presets_are_inputs(void **state) {
    (void)state;
    Plan plan;
    CLEANUP(record_free) Record record = {0};
    char path[2 * TESTING_PATH];
    setenv("FALCONER_DATA", ".", 1); // tests are run in the project's root
    begin(&plan, "preset", 1, SCALE_QUICK, 10);
    put(&plan, "co/config.ini", "data = \n");
    assert_int_equal(plan_done(&plan, &plan.steps[1], 61), OK);
    keep(&plan, &plan.steps[1]);
    snprintf(path, sizeof path, "%s/paper-x/co-1.record.zst", records);
    assert_int_equal(record_read(&record, path), OK);
    size_t found = 0;
    for (size_t i = 0; i < record.input_count; i++)
        found += strcmp(record.inputs[i].name, "cec2001.ini") == 0;
    assert_int_equal(found, 1);
    unsetenv("FALCONER_DATA");
    plan_deinit(&plan);
}

// A last stage that is quick stands for those before it, which were not.
static void test_stages_count_together(void **state) {
    (void)state;
    Plan plan;
    char path[2 * TESTING_PATH];
    begin(&plan, "together", 1, SCALE_QUICK, 10);
    put(&plan, "co/config.ini", "data = \n");
    for (size_t i = 1; i <= 3; i++) {
        assert_int_equal(plan_done(&plan, &plan.steps[i], i == 1 ? 61 : 0.2), OK);
        keep(&plan, &plan.steps[i]);
    }
    snprintf(path, sizeof path, "%s/paper-x/co.record.zst", records);
    assert_int_equal(access(path, F_OK), 0);
    plan_deinit(&plan);
}

static void test_restored_games_count_not_older_ones(void **state) {
    (void)state;
    Plan plan;
    CLEANUP(str_free) Str reason = {0};
    PaperScore score;
    bool is_restored;
    begin(&plan, "played", 1, SCALE_QUICK, 10);
    play(&plan);
    plan_deinit(&plan);
    begin(&plan, "older", 1, SCALE_QUICK, 10);
    put(&plan, "pairs/games.jsonl",
        "{\"game\":1,\"pgn_bytes\":0,\"white\":\"A\",\"black\":\"B\",\"result\":\"0-1\","
        "\"termination\":\"normal\"}\n");
    assert_int_equal(record_restore(&plan, &plan.steps[0], &is_restored, &reason), OK);
    assert_true(is_restored);
    assert_int_equal(evidence_meeting(&plan, "pairs", "A", "B", &score), OK);
    assert_true(score.games.wins == 1 && score.games.losses == 0);
    // A step that was not recorded reads the games, so that the match must be played.
    plan_step(&plan, "rating", 1, "rate ./pairs/games.pgn -o ./rating.jsonl");
    assert_ptr_equal(record_find_unplayed(&plan, &plan.steps[5]), &plan.steps[0]);
    record_drop_restored(&plan, &plan.steps[0]);
    assert_int_equal(plan_done(&plan, &plan.steps[0], 5), OK);
    assert_null(record_find_unplayed(&plan, &plan.steps[5]));
    assert_int_equal(evidence_meeting(&plan, "pairs", "A", "B", &score), OK);
    assert_true(score.games.wins == 0 && score.games.losses == 1);
    plan_deinit(&plan);
}

static void test_what_cannot_be_restored_is_not(void **state) {
    (void)state;
    Plan plan;
    CLEANUP(str_free) Str reason = {0};
    bool is_restored = true;
    begin(&plan, "played", 1, SCALE_QUICK, 10);
    play(&plan);
    plan_deinit(&plan);
    begin(&plan, "in-the-way", 1, SCALE_QUICK, 10);
    put(&plan, "pairs", "a file in the place of the folder");
    assert_int_not_equal(record_restore(&plan, &plan.steps[0], &is_restored, &reason), OK);
    assert_false(is_restored);
    plan_deinit(&plan);
}

// Steps that were done without records leave theirs later, and are not taken for restored ones.
static void test_records_are_made_up_for(void **state) {
    (void)state;
    Plan plan;
    char path[2 * TESTING_PATH];
    begin(&plan, "late", 1, SCALE_QUICK, 10);
    play(&plan);
    snprintf(path, sizeof path, "%s/paper-x/pairs.record.zst", records);
    assert_int_equal(unlink(path), 0);
    CLEANUP(str_free) Str note = {0};
    assert_int_equal(record_keep_missing(&plan, &plan.steps[0], &note), OK);
    assert_int_equal(note.length, 0);
    assert_int_equal(access(path, F_OK), 0);
    assert_int_equal(record_look(&plan), OK);
    assert_int_equal(plan.steps[0].recorded.length, 0);
    plan_deinit(&plan);
}

// What others can do without is left out, and it is said so; what they cannot leaves no record.
static void test_what_is_too_large_is_told(void **state) {
    (void)state;
    static const struct {
        size_t step; // the first stage, or the end of the run
        const char *large, *note;
        bool is_kept;
    } rows[] = {{1, "co/run-01/genes.csv", "recorded without genes.csv, which is too large", true},
                {1, "co/run-01/log.jsonl", "not recorded: 5.0 MB are too many", false},
                {3, "co/run-01/log.jsonl", "recorded without log.jsonl, which is too large", true},
                {3, "co/run-01/best.weights", "not recorded: 5.0 MB are too many", false}};
    enum { LARGE = 5 << 20 };
    CLEANUP(mem_free_at) char *large = mem_alloc(LARGE + 1);
    memset(large, 'x', LARGE);
    large[LARGE] = '\0';
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Plan plan;
        char place[32], path[2 * TESTING_PATH];
        CLEANUP(str_free) Str note = {0};
        snprintf(place, sizeof place, "large-%zu", i);
        begin(&plan, place, 1, SCALE_QUICK, 10);
        const Step *step = &plan.steps[rows[i].step];
        put(&plan, "co/run-01/results.jsonl", "{}\n");
        put(&plan, rows[i].large, large);
        snprintf(path, sizeof path, "%s/paper-x/%s.record.zst", records, step->name);
        unlink(path);
        assert_int_equal(plan_done(&plan, &plan.steps[rows[i].step], 100), OK);
        assert_int_equal(record_keep(&plan, step, &note), OK);
        assert_string_equal(str_text(&note), rows[i].note);
        assert_true((access(path, F_OK) == 0) == rows[i].is_kept);
        plan_deinit(&plan);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_record_comes_back),
        cmocka_unit_test(test_damage_is_told),
        cmocka_unit_test(test_files_outside_of_the_folder_are_refused),
        cmocka_unit_test(test_a_match_is_restored),
        cmocka_unit_test(test_what_is_too_large_is_told),
        cmocka_unit_test(test_a_match_of_more_rounds_will_do),
        cmocka_unit_test(test_stages_are_restored),
        cmocka_unit_test(test_what_is_quick_leaves_no_record),
        cmocka_unit_test(test_presets_are_inputs),
        cmocka_unit_test(test_stages_count_together),
        cmocka_unit_test(test_restored_games_count_not_older_ones),
        cmocka_unit_test(test_what_cannot_be_restored_is_not),
        cmocka_unit_test(test_records_are_made_up_for),
    };
    return cmocka_run_group_tests(tests, testing_set_up, testing_tear_down);
}
