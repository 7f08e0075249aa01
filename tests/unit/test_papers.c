// SPDX-License-Identifier: GPL-3.0-or-later
// What pages on papers rest on: what is read from files of results, and how it is told.
#include "papers/page.h"
#include "papers/paper.h"
#include "testing.h"

#include "base/folder.h"

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

// --- matches ---

static const char *const names[] = {"FALCON", "EVOL*", "a \"quoted\" one"};

static void add_game(Str *out, const char *white, const char *black, int points) {
    static const char *const results[] = {"0-1", "1/2-1/2", "1-0"};
    str_addf(out, "{\"game\":1,\"pgn_bytes\":0,\"white\":\"%s\",\"black\":\"%s\",", white, black);
    str_addf(out, "\"result\":\"%s\",\"termination\":\"normal\"}\n", results[points]);
}

// An hour on two cores: longer work comes in several steps.
enum { STEP_SECONDS_MOST = 3600 };

// Commands name neither the folder they run in nor any place of this machine.
static void test_commands_are_the_same_in_any_folder(void **state) {
    (void)state;
    static const char *const named[] = {"cmd='a b' option.X='; touch x' depth=1"};
    setenv("FALCONER_DATA", ".", 1);
    for (size_t i = 0; paper_names[i].name != NULL; i++) {
        for (Scale scale = SCALE_QUICK; scale <= SCALE_PAPERS; scale++) {
            Plan plans[2];
            for (int j = 0; j < 2; j++) {
                Paper *paper;
                plan_init(&plans[j], scale, 7, j == 0 ? "it's a \"folder\";\n$(x)" : "PLAIN");
                plans[j].named = named;
                plans[j].named_count = 1;
                assert_int_equal(paper_open(&paper, paper_names[i].name, &plans[j]), OK);
                assert_true(paper_title(paper)[0] != '\0' && paper_citation(paper)[0] != '\0');
                paper_close(paper);
            }
            assert_int_equal(plans[0].count, plans[1].count);
            for (size_t j = 0; j < plans[0].count; j++) {
                const char *const command = plans[0].steps[j].command;
                assert_null(strchr(command, '\n'));
                assert_string_equal(command, plans[1].steps[j].command);
                if (plans[0].steps[j].estimate > STEP_SECONDS_MOST)
                    fail_msg("%s: step %s takes more than an hour", paper_names[i].name,
                             plans[0].steps[j].name);
                if (strstr(command, " /") != NULL || strstr(command, "=/") != NULL)
                    fail_msg("a place of this machine: %s", command);
            }
            plan_deinit(&plans[0]);
            plan_deinit(&plans[1]);
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
        plan_match(&plan, "pairs", 1, 1, false, "x");
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
            PaperScore score;
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
            assert_int_equal(evidence_meeting(&plan, "pairs", names[a], "", &score), OK);
            assert_int_equal(page_games(&score), all);
        }
        str_free(&text);
        plan_deinit(&plan);
    }
}

static void test_adjudicated_games_are_counted(void **state) {
    (void)state;
    static const char *const endings[] = {"normal", "adjudication", "time forfeit", "adjudication"};
    Plan plan;
    PaperScore score;
    Str text = {0};
    begin(&plan, "adjudicated");
    plan_match(&plan, "pairs", 1, 1, false, "x");
    for (int i = 0; i < 4; i++)
        str_addf(&text,
                 "{\"game\":1,\"pgn_bytes\":0,\"white\":\"%s\",\"black\":\"%s\",\"result\":"
                 "\"1-0\",\"termination\":\"%s\"}\n",
                 i < 3 ? "a" : "b", i < 3 ? "b" : "c", endings[i]);
    put(&plan, "pairs", "games.jsonl", &text);
    assert_int_equal(evidence_meeting(&plan, "pairs", "b", "a", &score), OK);
    assert_true(fabs(page_adjudicated(&score) - 100.0 / 3) < 1e-9);
    assert_int_equal(evidence_meeting(&plan, "pairs", "b", "", &score), OK);
    assert_true(page_adjudicated(&score) == 50);
    assert_int_equal(evidence_meeting(&plan, "pairs", "a", "c", &score), OK);
    assert_true(isnan(page_adjudicated(&score)));
    str_free(&text);
    plan_deinit(&plan);
}

static void test_players_are_found_in_their_order(void **state) {
    (void)state;
    Plan plan;
    Str text = {0}, players = {0};
    begin(&plan, "roster");
    plan_match(&plan, "event", 1, 1, false, "x");
    add_game(&text, "b", "a \\\"x\\\"", 2);
    add_game(&text, "a \\\"x\\\"", "b", 1);
    add_game(&text, "c", "b", 1);
    put(&plan, "event", "games.jsonl", &text);
    assert_int_equal(evidence_players(&plan, "event", &players), OK);
    assert_string_equal(str_text(&players), "b\na \"x\"\nc");
    str_clear(&players);
    assert_int_equal(evidence_players(&plan, "none", &players), OK);
    assert_int_equal(players.length, 0);
    str_free(&players);
    str_free(&text);
    plan_deinit(&plan);
}

static void test_bad_games_are_told_with_their_line(void **state) {
    (void)state;
    Plan plan;
    PaperScore score;
    Str text = {0};
    begin(&plan, "bad-games");
    plan_match(&plan, "pairs", 1, 1, false, "x");
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
    page_say_match(&text, &(PaperScore){0});
    assert_string_equal(str_text(&text), "not played");
    str_clear(&text);
    page_say_match(&text, &(PaperScore){{4, 0, 0}, {{0, 0, 0, 0, 2}}, 2});
    assert_non_null(strstr(str_text(&text), "100.0% of 4 games (∞ Elo"));
    str_free(&text);
}

static void test_a_claim_stands_in_both_tables(void **state) {
    (void)state;
    Report *own = report_create("own"), *all = report_create("all");
    Page page = {own, page_add_claims(own, "own"), page_add_claims(all, "all")};
    page_claim(&page, &(PageClaim){"claim", "1%", "2%", "more", VERDICT_FAILS});
    Str first = {0}, second = {0};
    table_write_csv(page.claims, &first);
    table_write_csv(page.also, &second);
    assert_string_equal(str_text(&first), str_text(&second));
    assert_non_null(strstr(str_text(&first), "claim,does not,1%,2%,more"));
    str_free(&first);
    str_free(&second);
    report_destroy(own);
    report_destroy(all);
}

// 300 pairs of two games each: the pairs that made 0 to 4 half points.
static PaperScore pairs_of(unsigned worst, unsigned even, unsigned best) {
    return (PaperScore){{2 * best, 2 * even, 2 * worst}, {{worst, 0, even, 0, best}}, 0};
}

static void test_a_match_tells_of_the_papers_score(void **state) {
    (void)state;
    const PaperScore many = pairs_of(20, 240, 40), few = pairs_of(2, 24, 4),
                     wide = pairs_of(30, 0, 33);
    assert_int_equal(page_judge_match(&many, 53), VERDICT_HOLDS);
    assert_int_equal(page_judge_match(&many, 66.3), VERDICT_FAILS);
    assert_int_equal(page_judge_match(&many, 40), VERDICT_FAILS);
    assert_int_equal(page_judge_match(&many, (double)NAN), VERDICT_NONE);
    assert_int_equal(page_judge_match(&few, 53), VERDICT_UNSURE);
    assert_int_equal(page_judge_match(&wide, 53), VERDICT_UNSURE);
    assert_int_equal(page_judge_match(&wide, 90), VERDICT_FAILS);
    assert_string_equal(page_verdict_words(VERDICT_UNSURE), "cannot tell");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_commands_are_the_same_in_any_folder),
        cmocka_unit_test(test_pairs_are_counted),
        cmocka_unit_test(test_adjudicated_games_are_counted),
        cmocka_unit_test(test_players_are_found_in_their_order),
        cmocka_unit_test(test_bad_games_are_told_with_their_line),
        cmocka_unit_test(test_what_engines_solved),
        cmocka_unit_test(test_what_is_missing_in_a_grid_is_no_number),
        cmocka_unit_test(test_times_and_matches_in_words),
        cmocka_unit_test(test_a_claim_stands_in_both_tables),
        cmocka_unit_test(test_a_match_tells_of_the_papers_score),
    };
    return cmocka_run_group_tests(tests, testing_set_up, testing_tear_down);
}
