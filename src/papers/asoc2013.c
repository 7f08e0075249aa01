// SPDX-License-Identifier: GPL-3.0-or-later
// Applied Soft Computing 2013: virtual players evolved from grandmasters' moves, with a memory of
// those that left, then by a tournament among themselves.
#include "papers/asoc2013.h"

#include <stdio.h>

const int asoc_chances[] = {0, 10, 20, -1};
const int asoc_more_chances[] = {5, 15, 25, 30, 35, 40, -1};
const int asoc_sizes[] = {1000, 2000, 3000, -1};
const int asoc_archives[] = {0, 5, 20, 100, -1};

const AsocYardstick asoc_yardsticks[] = {
    {"stockfish-1", "stockfish", "Stockfish", 1, 3, 3},
    {"stockfish-8", "stockfish", "Stockfish", 8, 12, 12},
    {"stockfish-12", "stockfish", "Stockfish", 12, 0, 150},
    {"toga-2", "toga2", "Toga", 2, 3, 3},
    {"toga-6", "toga2", "Toga", 6, 0, 40},
    {NULL, NULL, NULL, 0, 0, 0},
};

int asoc_plies(const Plan *plan) {
    return plan_count(plan, 4, 6);
}

// --- the first stage ---

// The words and the time of runs of so many weights.
static void plan_moves(Plan *plan, const char *name, int weights, int positions,
                       const char *words) {
    const int runs = plan_count(plan, 5, 31);
    const double seconds = (3.5 + 0.85 * runs) * positions / ASOC_POSITIONS;
    plan_run(plan, name, seconds, "evolve asoc2013 --runs %d --positions %d%s%s", runs, positions,
             weights == 24 ? " --variant vazquez-24" : "", words);
}

static void plan_chances(Plan *plan, int weights, const int *chances) {
    for (; *chances >= 0; chances++) {
        char name[32], words[64];
        snprintf(name, sizeof name, "%d-%d", weights, *chances);
        snprintf(words, sizeof words, " --archive-rate %g", *chances / 100.0);
        plan_moves(plan, name, weights, ASOC_POSITIONS, words);
    }
}

// The best player of generation 0: the same starts as those of the runs.
static void plan_start(Plan *plan, int weights) {
    char name[32];
    snprintf(name, sizeof name, "start-%d", weights);
    plan_moves(plan, name, weights, ASOC_POSITIONS, " --archive-rate 0 --generations 0");
    plan->steps[plan->count - 1].estimate = 4;
}

static void plan_others(Plan *plan) {
    char name[32], words[64];
    for (const int *size = asoc_sizes; *size >= 0; size++) {
        snprintf(name, sizeof name, "size-%d", *size);
        plan_moves(plan, name, 33, *size, "");
    }
    for (const int *kept = asoc_archives; *kept >= 0 && plan->scale == SCALE_PAPERS; kept++) {
        if (*kept == ASOC_KEPT)
            continue;
        snprintf(name, sizeof name, "archive-%d", *kept);
        snprintf(words, sizeof words, " --archive %d", *kept);
        plan_moves(plan, name, 33, ASOC_POSITIONS, words);
    }
    if (plan->scale == SCALE_PAPERS)
        for (int weights = 24; weights <= 33; weights += 9) {
            snprintf(name, sizeof name, "cmaes-%d", weights);
            plan_run(plan, name, 15, "evolve asoc2013 --algorithm cmaes --generations 400%s",
                     weights == 24 ? " --variant vazquez-24" : "");
        }
}

static void plan_yardsticks(Plan *plan) {
    plan_step(plan, "table-1", 3,
              "score --moves --data grandmasters-test.epd --weights vazquez-asoc2013.weights");
    for (const AsocYardstick *stick = asoc_yardsticks; stick->step != NULL; stick++) {
        const double seconds = plan->scale == SCALE_QUICK ? stick->quick : stick->papers;
        const char *engine = seconds == 0 ? NULL : plan_engine(plan, stick->engine);
        char name[48];
        if (engine == NULL)
            continue;
        snprintf(name, sizeof name, "label-%s", stick->step);
        Str how = {0};
        plan_add_mentor(&how, engine, "", stick->depth);
        plan_step(plan, name, seconds, "label grandmasters-test.epd %s -o %s/%s.epd",
                  str_text(&how), plan->folder_word, stick->step);
        str_free(&how);
        plan_step(plan, stick->step, 1, "score --moves --data %s/%s.epd", plan->folder_word,
                  stick->step);
    }
}

// --- games ---

static void plan_player(Plan *plan, const char *name, const char *runs) {
    plan_step(plan, name, 0, "weights median %s/%s -o %s/%s.weights", plan->folder_word, runs,
              plan->folder_word, name);
}

static void plan_pairs(Plan *plan, int weights, int anchor) {
    char name[32], rate[32];
    snprintf(name, sizeof name, "vp%d", weights);
    snprintf(rate, sizeof rate, "rate-%d", weights);
    plan_match(plan, name, plan_count(plan, 6, 4300), plan_count(plan, 10, ASOC_ROUNDS),
               "-tournament round-robin -engine name=VP%d_200_10 weights=%s/vp%d-10.weights "
               "-engine name=VP%d_200_0 weights=%s/vp%d-0.weights -engine name=VP%d_0_0 "
               "weights=%s/vp%d-start.weights -each depth=%d option.Profile=plain",
               weights, plan->folder_word, weights, weights, plan->folder_word, weights, weights,
               plan->folder_word, weights, asoc_plies(plan));
    plan_step(plan, rate, 0, "rate --jsonl --anchor VP%d_200_10=%d %s/%s/games.pgn", weights,
              anchor, plan->folder_word, name);
}

static void plan_opponent(Plan *plan) {
    const char *engine = plan_engine(plan, "stockfish");
    if (engine == NULL)
        return;
    const char *folder = plan->folder_word;
    // Held to 2400 it picks its move at the twelfth ply, or before: more plies would change
    // nothing.
    plan_match(plan, "opponent", plan_count(plan, 20, 5000), plan_count(plan, 1, ASOC_ROUNDS),
               "-tournament gauntlet -engine name=Stockfish2400 cmd=%s depth=12 "
               "option.UCI_LimitStrength=true option.UCI_Elo=2400 -engine name=VP33_200_10 "
               "weights=%s/vp33-10.weights depth=%d option.Profile=plain -engine name=VP24_200_10 "
               "weights=%s/vp24-10.weights depth=%d option.Profile=plain -engine name=VP33_200_0 "
               "weights=%s/vp33-0.weights depth=%d option.Profile=plain -engine name=VP24_200_0 "
               "weights=%s/vp24-0.weights depth=%d option.Profile=plain",
               engine, folder, asoc_plies(plan), folder, asoc_plies(plan), folder, asoc_plies(plan),
               folder, asoc_plies(plan));
    plan_step(plan, "rate-opponent", 0,
              "rate --jsonl --anchor Stockfish2400=2401 %s/opponent/games.pgn", folder);
}

static void plan_tournament(Plan *plan) {
    plan_run(plan, "tournament", plan_count(plan, 15, 1200),
             "coevolve asoc2013-tournament --start-from %s/33-10 --generations %d --play-depth 0 "
             "--play-nodes %d --verdict-games 0",
             plan->folder_word, plan_count(plan, 5, 50), plan_count(plan, 1000, 5000));
    plan_match(plan, "vp50", plan_count(plan, 4, 1300), plan_count(plan, 20, ASOC_ROUNDS),
               "-engine name=VP33_50 weights=%s/tournament/best.weights -engine name=VP33_200_10 "
               "weights=%s/vp33-10.weights -each depth=%d option.Profile=plain",
               plan->folder_word, plan->folder_word, asoc_plies(plan));
    plan_step(plan, "rate-vp50", 0, "rate --jsonl --anchor VP33_200_10=2404 %s/vp50/games.pgn",
              plan->folder_word);
}

static void plan_asoc2013(Plan *plan) {
    for (int weights = 24; weights <= 33; weights += 9) {
        plan_chances(plan, weights, asoc_chances);
        if (plan->scale == SCALE_PAPERS)
            plan_chances(plan, weights, asoc_more_chances);
        plan_start(plan, weights);
    }
    plan_others(plan);
    plan_yardsticks(plan);
    plan_player(plan, "vp24-10", "24-10");
    plan_player(plan, "vp24-0", "24-0");
    plan_player(plan, "vp24-start", "start-24");
    plan_player(plan, "vp33-10", "33-10");
    plan_player(plan, "vp33-0", "33-0");
    plan_player(plan, "vp33-start", "start-33");
    plan_pairs(plan, 24, 2341);
    plan_pairs(plan, 33, 2402);
    plan_opponent(plan);
    plan_tournament(plan);
}

static Status tell_asoc2013(const Plan *plan, Page *page) {
    Status status = asoc_tell_moves(plan, page);
    return status == OK ? asoc_tell_games(plan, page) : status;
}

const Paper paper_asoc2013 = {
    .name = "asoc2013",
    .title = "Applied Soft Computing 2013: virtual players from grandmasters' moves",
    .citation =
        "E. Vázquez-Fernández, C. A. Coello Coello: An Evolutionary Algorithm with a History "
        "Mechanism for Tuning a Chess Evaluation Function, Applied Soft Computing, 2013.",
    .plan = plan_asoc2013,
    .tell = tell_asoc2013,
};
