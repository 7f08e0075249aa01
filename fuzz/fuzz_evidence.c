// SPDX-License-Identifier: GPL-3.0-or-later
// Input: the files that a paper's page is made of. Whatever is accepted can be added up and shown:
// counts that fit each other, numbers that are finite or missing; what is refused names the folder.
#include "fuzz/scratch.h"
#include "papers/evidence.h"

#include <math.h>
#include <string.h>

enum { FILES = 5 };

static const char *const files[FILES] = {"match/games.jsonl", "runs/verdict.csv", "suite.jsonl",
                                         "ratings.jsonl", "runs/runs.csv"};

static void make_plan(Plan *plan) {
    plan_init(plan, SCALE_QUICK, 1, scratch_folder());
    plan_match(plan, "match", 1, 8, false, "-engine weights=a -engine weights=b -each nodes=1");
    plan_run(plan, "runs", 1, 1, "coevolve --runs 1");
    plan_suite(plan, "suite", 1, "suite.epd");
    plan_step(plan, "ratings", 1, "rate --jsonl games.pgn");
}

static bool is_accepted(Status status) {
    if (status != OK)
        MUST_HOLD(strstr(error_message(), scratch_folder()) != NULL);
    return status == OK;
}

static void check_score(const PaperScore *score) {
    const uint64_t games = score->games.wins + score->games.draws + score->games.losses;
    uint64_t pairs = 0;
    for (int i = 0; i < PAIR_RESULTS; i++)
        pairs += score->pairs.results[i];
    MUST_HOLD(score->games.wins <= games && score->games.draws <= games);
    MUST_HOLD(pairs <= games / 2);
}

static void check_games(const Plan *plan) {
    PaperScore meeting, player;
    CLEANUP(str_free) Str names = {0};
    if (is_accepted(evidence_meeting(plan, "match", "Tal", "Petrosian", &meeting)) &&
        is_accepted(evidence_meeting(plan, "match", "Tal", "", &player))) {
        check_score(&meeting);
        check_score(&player);
        MUST_HOLD(meeting.games.wins <= player.games.wins);
    }
    if (is_accepted(evidence_players(plan, "match", &names)))
        MUST_HOLD(names.length == 0 || names.text[names.length - 1] != '\0');
}

static void check_verdict(const Plan *plan) {
    PaperScore score;
    if (is_accepted(evidence_verdict(plan, "runs", 1, &score)))
        check_score(&score);
}

static void check_suite(const Plan *plan) {
    SuiteScores scores;
    if (is_accepted(evidence_suite(plan, "suite", &scores)))
        for (size_t i = 0; i < scores.count; i++)
            MUST_HOLD(scores.items[i].engine != NULL);
    suite_scores_free(&scores);
}

static void check_result(const Plan *plan) {
    double elo;
    if (is_accepted(evidence_result(plan, "ratings", "name", "Tal", "elo", &elo)))
        MUST_HOLD(!isinf(elo));
}

static void check_grid(void) {
    Grid grid;
    Str path = {0};
    str_addf(&path, "%s/runs/runs.csv", scratch_folder());
    if (is_accepted(grid_read(&grid, str_text(&path)))) {
        MUST_HOLD(grid.columns > 0);
        const size_t row = grid_find(&grid, "rank", 1);
        MUST_HOLD(row <= grid.rows);
        MUST_HOLD(row == grid.rows || grid_at(&grid, row, "rank") == 1);
        MUST_HOLD(isnan(grid_at(&grid, grid.rows, "rank")));
        (void)grid_mean(&grid, "rank"), (void)grid_deviation(&grid, "rank");
        grid_free(&grid);
    }
    str_free(&path);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Plan plan;
    scratch_write_parts(view_of((const char *)data, size), files, FILES);
    make_plan(&plan);
    check_games(&plan);
    check_verdict(&plan);
    check_suite(&plan);
    check_result(&plan);
    check_grid();
    plan_deinit(&plan);
    return 0;
}
