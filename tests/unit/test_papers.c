// SPDX-License-Identifier: GPL-3.0-or-later
// What pages on papers rest on: plans and their record, and what is read from files of results.
#include "papers/page.h"
#include "papers/paper.h"
#include "testing.h"

#include "base/folder.h"
#include "base/shell.h"

#include <math.h>

enum { ROUNDS = 40, GAMES_MOST = 60 };

static void begin(Plan *plan, const char *name) {
    char path[TESTING_PATH];
    testing_path(path, name);
    plan_init(plan, SCALE_QUICK, 7, path);
    assert_int_equal(folder_create(path), OK);
}

// A file below the plan's folder, whose own folder is made.
static void put(const Plan *plan, const char *folder, const char *name, const Str *text) {
    char path[2 * TESTING_PATH];
    snprintf(path, sizeof path, "%s/%s", plan->folder, folder);
    assert_int_equal(folder_create(path), OK);
    snprintf(path, sizeof path, "%s/%s/%s", plan->folder, folder, name);
    assert_int_equal(file_write(path, str_text(text), text->length), OK);
}

static void put_text(const Plan *plan, const char *folder, const char *name, const char *text) {
    Str copy = {0};
    str_add(&copy, text);
    put(plan, folder, name, &copy);
    str_free(&copy);
}

// --- plans ---

static void add_steps(Plan *plan, int nodes) {
    plan_step(plan, "labels", 3, "label x.epd -o %s/x.epd", plan->folder);
    plan_run(plan, "runs", 5, "evolve play --data 'a b.epd'");
    plan_match(plan, "pairs", 7, 20, "-engine \"name=x\\\\y\" -each nodes=%d", nodes);
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

static void test_a_match_goes_on_with_more_rounds(void **state) {
    (void)state;
    Plan plan;
    for (int games = 10; games <= 40; games += 15) { // 5, 13 and 20 rounds
        begin(&plan, "rounds");
        plan.games_max = games;
        add_steps(&plan, 10);
        plan_step(&plan, "rate", 1, "rate %s/pairs/games.pgn", plan.folder);
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
        plan_match(&plan, "pairs", 1, 20, "-each nodes=1");
        plan_timed_match(&plan, "clock", 1, 20, "-each st=1");
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
    put_text(&plan, ".", "steps.jsonl", "{\"step\":\"labels\"\n");
    assert_int_equal(plan_recall(&plan), ERR_PARSE);
    plan_deinit(&plan);
}

static void test_runs_go_on_by_another_command(void **state) {
    (void)state;
    Plan plan;
    begin(&plan, "resumed");
    add_steps(&plan, 10);
    char resume[2 * TESTING_PATH];
    snprintf(resume, sizeof resume, "evolve --resume %s/runs", plan.folder);
    assert_null(plan.steps[0].resume);
    assert_string_equal(plan.steps[1].resume, resume);
    assert_non_null(strstr(plan.steps[1].command, " --seed 7 -o "));
    assert_non_null(strstr(plan.steps[2].command, "-srand 7 "));
    plan_deinit(&plan);
}

static void test_engines_are_found_or_noted_once(void **state) {
    (void)state;
    Plan plan;
    begin(&plan, "engines");
    assert_non_null(plan_engine(&plan, "sh"));
    assert_int_equal(plan.missing.length, 0);
    for (int i = 0; i < 2; i++) {
        assert_null(plan_engine(&plan, "no-such-engine-2"));
        assert_null(plan_engine(&plan, "no-such-engine"));
    }
    assert_string_equal(str_text(&plan.missing), "no-such-engine-2, no-such-engine");
    plan_deinit(&plan);
}

// --- matches ---

static const char *const names[] = {"FALCON", "EVOL*", "a \"quoted\" one"};

static void add_game(Str *out, const char *white, const char *black, int points) {
    static const char *const results[] = {"0-1", "1/2-1/2", "1-0"};
    str_addf(out, "{\"game\":1,\"pgn_bytes\":0,\"white\":\"%s\",\"black\":\"%s\",", white, black);
    str_addf(out, "\"result\":\"%s\",\"termination\":\"normal\"}\n", results[points]);
}

// A folder that no command survives unless it is quoted, at each level.
static const char awkward[] = "it's a \"folder\";\n$(touch x) \\ \xFF*";

static void assert_same_words(const char *text, const char *plain_text, int level) {
    Str word = {0}, plain = {0}, expected = {0};
    while (shell_next_word(&plain_text, &plain)) {
        assert_true(shell_next_word(&text, &word));
        str_clear(&expected);
        const char *from = str_text(&plain);
        for (const char *at; (at = strstr(from, "PLAIN")) != NULL; from = at + 5) {
            str_append(&expected, from, (size_t)(at - from));
            str_add(&expected, awkward);
        }
        str_add(&expected, from);
        // An engine is a word that has words: "name=x weights=y depth=3".
        if (strchr(str_text(&plain), ' ') != NULL && level == 0)
            assert_same_words(str_text(&word), str_text(&plain), 1);
        else
            assert_string_equal(str_text(&word), str_text(&expected));
    }
    assert_false(shell_next_word(&text, &word));
    str_free(&word);
    str_free(&plain);
    str_free(&expected);
}

static void test_commands_hold_any_folder(void **state) {
    (void)state;
    for (size_t i = 0; papers_all[i] != NULL; i++) {
        for (Scale scale = SCALE_QUICK; scale <= SCALE_PAPERS; scale++) {
            static const char *const named[] = {"cmd='a b' option.X='; touch x' depth=1"};
            Plan plan, plain;
            plan_init(&plan, scale, 7, awkward);
            plan_init(&plain, scale, 7, "PLAIN");
            plan.named = plain.named = named;
            plan.named_count = plain.named_count = 1;
            papers_all[i]->plan(&plan);
            papers_all[i]->plan(&plain);
            assert_int_equal(plan.count, plain.count);
            for (size_t j = 0; j < plan.count; j++) {
                assert_null(strchr(plan.steps[j].command, '\n'));
                assert_same_words(plan.steps[j].command, plain.steps[j].command, 0);
                if (plan.steps[j].resume != NULL)
                    assert_same_words(plan.steps[j].resume, plain.steps[j].resume, 0);
            }
            plan_deinit(&plan);
            plan_deinit(&plain);
        }
    }
}

static void test_pairs_are_counted(void **state) {
    (void)state;
    static const char *const written[] = {"FALCON", "EVOL*", "a \\\"quoted\\\" one"};
    for (uint32_t round = 0; round < ROUNDS; round++) {
        Rng rng = rng_at(2, round, 0, 0);
        uint64_t pairs[3][3][PAIR_RESULTS] = {0}, wins[3][3] = {0};
        Plan plan;
        Str text = {0};
        begin(&plan, "games");
        plan_match(&plan, "pairs", 1, 1, "x");
        for (uint32_t i = 0; i < GAMES_MOST; i++) {
            const uint32_t a = rng_below(&rng, 3), b = (a + 1 + rng_below(&rng, 2)) % 3;
            const int first = (int)rng_below(&rng, 3), second = (int)rng_below(&rng, 3);
            add_game(&text, written[a], written[b], first);
            add_game(&text, written[b], written[a], second);
            pairs[a][b][first + 2 - second]++;
            pairs[b][a][2 - first + second]++;
            wins[a][b] += (uint64_t)((first == 2) + (second == 0));
            wins[b][a] += (uint64_t)((first == 0) + (second == 2));
        }
        put(&plan, "pairs", "games.jsonl", &text);
        for (int a = 0; a < 3; a++) {
            MeetingScore score;
            uint64_t all = 0;
            for (int b = 0; b < 3; b++) {
                if (a == b)
                    continue;
                assert_int_equal(evidence_meeting(&plan, "pairs", names[a], names[b], &score), OK);
                assert_memory_equal(score.pairs.results, pairs[a][b], sizeof pairs[a][b]);
                assert_int_equal(score.games.wins, wins[a][b]);
                assert_int_equal(score.games.losses, wins[b][a]);
                all += page_games(&score);
            }
            assert_int_equal(evidence_player(&plan, "pairs", names[a], &score), OK);
            assert_int_equal(page_games(&score), all);
        }
        str_free(&text);
        plan_deinit(&plan);
    }
}

static void test_players_are_found_in_their_order(void **state) {
    (void)state;
    Plan plan;
    Roster roster;
    Str text = {0};
    begin(&plan, "roster");
    plan_match(&plan, "event", 1, 1, "x");
    add_game(&text, "b", "a", 2);
    add_game(&text, "a", "b", 1);
    add_game(&text, "c", "b", 1);
    put(&plan, "event", "games.jsonl", &text);
    assert_int_equal(evidence_roster(&plan, "event", &roster), OK);
    assert_int_equal(roster.count, 3);
    assert_string_equal(roster.names[0], "b");
    assert_string_equal(roster.names[1], "a");
    assert_string_equal(roster.names[2], "c");
    roster_free(&roster);
    assert_int_equal(evidence_roster(&plan, "none", &roster), OK);
    assert_int_equal(roster.count, 0);
    str_free(&text);
    plan_deinit(&plan);
}

static void test_bad_games_are_told_with_their_line(void **state) {
    (void)state;
    Plan plan;
    MeetingScore score;
    Str text = {0};
    begin(&plan, "bad-games");
    plan_match(&plan, "pairs", 1, 1, "x");
    add_game(&text, "a", "b", 2);
    str_add(&text, "{\"game\":2}\n");
    put(&plan, "pairs", "games.jsonl", &text);
    assert_int_equal(evidence_meeting(&plan, "pairs", "a", "b", &score), ERR_PARSE);
    assert_non_null(strstr(error_message(), "games.jsonl:2"));
    assert_int_equal(evidence_meeting(&plan, "none", "a", "b", &score), OK);
    assert_int_equal(page_games(&score), 0);
    assert_true(isnan(page_percent(&score)));
    str_free(&text);
    plan_deinit(&plan);
}

// --- other files ---

static void test_what_engines_solved(void **state) {
    (void)state;
    Plan plan;
    SuiteScores counts;
    begin(&plan, "suite");
    plan_step(&plan, "tactics", 1, "suite x.epd");
    put_text(&plan, ".", "tactics.jsonl",
             "{\"id\":\"1\",\"line\":1,\"engine\":\"x\",\"move\":\"e4\",\"solved\":true,\"points\":"
             "1,\"max_points\":1,\"nodes\":9,\"ms\":1,"
             "\"solution_ms\":1,\"solution_depth\":1,\"solution_nodes\":5}\n"
             "{\"id\":\"1\",\"line\":1,\"engine\":\"y\",\"move\":\"e4\",\"solved\":false,"
             "\"points\":0,\"max_points\":1,\"nodes\":9,\"ms\":1}\n"
             "{\"id\":\"2\",\"line\":2,\"engine\":\"x\",\"move\":null,\"solved\":false,\"points\":"
             "0,\"max_points\":1,\"nodes\":9,\"ms\":1}\n");
    assert_int_equal(evidence_suite(&plan, "tactics", &counts), OK);
    assert_int_equal(counts.count, 2);
    assert_int_equal(suite_scores_find(&counts, "x")->solved, 1);
    assert_int_equal(suite_scores_find(&counts, "x")->count, 2);
    assert_int_equal(suite_scores_find(&counts, "y")->solved, 0);
    assert_null(suite_scores_find(&counts, "z"));
    suite_scores_free(&counts);
    put_text(&plan, ".", "tactics.jsonl", "{\"id\":\"1\"}\n");
    assert_int_equal(evidence_suite(&plan, "tactics", &counts), ERR_PARSE);
    suite_scores_free(&counts);
    plan_deinit(&plan);
}

static void test_what_was_printed(void **state) {
    (void)state;
    Plan plan;
    Str text = {0};
    double number;
    begin(&plan, "printed");
    plan_step(&plan, "score", 1, "score x");
    put_text(&plan, "log", "score.txt", "first\nerror:  12.5 cp  \nerror: 13\nwords: none\n");
    assert_int_equal(evidence_line(&plan, "score", "error:", &text), OK);
    assert_string_equal(str_text(&text), "12.5 cp");
    assert_int_equal(evidence_number(&plan, "score", "error:", &number), OK);
    assert_true(number == 12.5);
    assert_int_equal(evidence_number(&plan, "score", "words:", &number), OK);
    assert_true(isnan(number));
    assert_int_equal(evidence_number(&plan, "none", "error:", &number), OK);
    assert_true(isnan(number));
    assert_true(isnan(evidence_seconds(&plan, "score")));
    str_free(&text);
    plan_deinit(&plan);
}

static void test_what_is_missing_in_a_grid_is_no_number(void **state) {
    (void)state;
    static const char text[] = "run,error,note\n1,2.5,good\n2,3.5,\n3\n";
    char path[TESTING_PATH];
    Grid grid;
    testing_write(path, "grid.csv", text, sizeof text - 1);
    assert_int_equal(grid_read(&grid, path), OK);
    assert_int_equal(grid.rows, 3);
    assert_true(grid_at(&grid, 1, "error") == 3.5);
    assert_true(isnan(grid_at(&grid, 0, "note")));
    assert_true(isnan(grid_at(&grid, 2, "error")));
    assert_true(isnan(grid_at(&grid, 0, "absent")));
    assert_true(isnan(grid_at(&grid, 3, "run")));
    assert_int_equal(grid_find(&grid, "run", 2), 1);
    assert_int_equal(grid_find(&grid, "run", 9), 3);
    assert_true(grid_mean(&grid, "run") == 2 && grid_deviation(&grid, "run") == 1);
    grid_free(&grid);
    testing_write(path, "empty.csv", "", 0);
    assert_int_not_equal(grid_read(&grid, path), OK);
}

// --- pages ---

static void test_times_and_matches_in_words(void **state) {
    (void)state;
    static const struct {
        double seconds;
        const char *text;
    } cases[] = {
        {0.25, "0.2 s"}, {59.7, "60 s"}, {90, "1.5 min"}, {4000, "67 min"}, {7200, "2.0 h"}};
    Str text = {0};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        str_clear(&text);
        page_say_time(&text, cases[i].seconds);
        assert_string_equal(str_text(&text), cases[i].text);
    }
    str_clear(&text);
    page_say_match(&text, &(MeetingScore){0});
    assert_string_equal(str_text(&text), "not played");
    str_clear(&text);
    page_say_match(&text, &(MeetingScore){{4, 0, 0}, {{0, 0, 0, 0, 2}}, 2});
    assert_non_null(strstr(str_text(&text), "100.0% of 4 games (∞ Elo"));
    str_free(&text);
}

static void test_a_claim_stands_in_both_tables(void **state) {
    (void)state;
    Report *own = report_create("own"), *all = report_create("all");
    Page page = {own, page_add_claims(own, "own"), page_add_claims(all, "all")};
    page_claim(&page, "claim", "1%", "2%", "more");
    Str first = {0}, second = {0};
    table_write_csv(page.claims, &first);
    table_write_csv(page.also, &second);
    assert_string_equal(str_text(&first), str_text(&second));
    assert_non_null(strstr(str_text(&first), "claim,1%,2%,more"));
    str_free(&first);
    str_free(&second);
    report_destroy(own);
    report_destroy(all);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_done_is_recalled),
        cmocka_unit_test(test_another_command_is_refused),
        cmocka_unit_test(test_a_match_goes_on_with_more_rounds),
        cmocka_unit_test(test_words_added_to_a_recorded_command_are_refused),
        cmocka_unit_test(test_games_against_the_clock_have_a_limit_of_their_own),
        cmocka_unit_test(test_a_damaged_record_is_told),
        cmocka_unit_test(test_runs_go_on_by_another_command),
        cmocka_unit_test(test_engines_are_found_or_noted_once),
        cmocka_unit_test(test_commands_hold_any_folder),
        cmocka_unit_test(test_pairs_are_counted),
        cmocka_unit_test(test_players_are_found_in_their_order),
        cmocka_unit_test(test_bad_games_are_told_with_their_line),
        cmocka_unit_test(test_what_engines_solved),
        cmocka_unit_test(test_what_was_printed),
        cmocka_unit_test(test_what_is_missing_in_a_grid_is_no_number),
        cmocka_unit_test(test_times_and_matches_in_words),
        cmocka_unit_test(test_a_claim_stands_in_both_tables),
    };
    return cmocka_run_group_tests(tests, testing_set_up, testing_tear_down);
}
