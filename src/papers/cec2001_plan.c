// SPDX-License-Identifier: GPL-3.0-or-later
// CEC 2001: five weights of Shannon's evaluation, learned by members of a population that play each
// other.
#include "papers/cec2001.h"
#include "papers/paper.h"

// "The chess program was set to use a fixed look ahead of three moves."
#define THREE_PLIES "depth=3 option.Profile=plain"

const CecWeight cec_weights[CEC_WEIGHTS] = {
    {"knight", "KNIGHT_VALUE", 6.24, 3.88, 3.22, 0.28},
    {"bishop", "BISHOP_VALUE", 5.80, 3.60, 3.44, 0.58},
    {"rook", "ROOK_VALUE", 6.54, 3.90, 5.61, 0.33},
    {"queen", "QUEEN_VALUE", 5.44, 3.75, 8.91, 0.47},
    {"legal move", "LEGAL_MOVE", 6.38, 3.98, 0.13, 0.13},
};

// 45 generations of 49 meetings are 2,205; 92 of 24 are 2,208, and 245 of 9 are 2,205.
const CecPopulation cec_populations[CEC_POPULATIONS] = {
    {"seeded", 50, 45},
    {"population-25", 25, 92},
    {"population-10", 10, 245},
};

const CecPlayer cec_rungs[CEC_RUNGS] = {
    {"random mover", "weights=random nodes=1"},
    {"Shannon's values, 1 ply", "weights=shannon-1950.weights depth=1 option.Profile=plain"},
    {"Shannon's values, 3 plies", "weights=shannon-1950.weights " THREE_PLIES},
    {"Eyas, 1 node", "weights=falcon.weights nodes=1"},
    {"Eyas, 10 nodes", "weights=falcon.weights nodes=10"},
    {"Eyas, 100 nodes", "weights=falcon.weights nodes=100"},
    {"Eyas, 1,000 nodes", "weights=falcon.weights nodes=1000"},
};

const int cec_anchors[CEC_ANCHORS] = {1350, 1500, 1700};

void cec_anchor_name(Str *out, int elo) {
    str_addf(out, "Stockfish at %d", elo);
}

void cec_anchor_step(Str *out, int elo) {
    str_addf(out, "stockfish-%d", elo);
}

int cec_runs(const Plan *plan, const CecPopulation *population) {
    const bool is_as_there = population == &cec_populations[0];
    return plan_count(plan, is_as_there ? 3 : 2, is_as_there ? 10 : 3);
}

// --- evolution ---

// One ply takes a twentieth of the time of three, and leaves generations and members as they are.
static void plan_evolution(Plan *plan, const char *preset, const char *step,
                           const CecPopulation *population) {
    const int runs = cec_runs(plan, population);
    plan_run(plan, step, runs * plan_count(plan, 8, 150),
             "coevolve %s --population %d --generations %d --play-depth %d --verdict-games %d "
             "--runs %d",
             preset, population->members, population->generations - 1, plan_count(plan, 1, 3),
             plan_count(plan, 50, 200), runs);
}

// --- matches ---

static void add_player(Str *out, const char *name, const char *words) {
    str_addf(out, "-engine \"name=%s\" %s ", name, words);
}

// The first run's players and the paper's, each at three plies.
static void add_players(const Plan *plan, Str *out) {
    Str words = {0};
    str_addf(&words, "weights=%s/seeded/run-01/undeveloped.weights " THREE_PLIES,
             plan->folder_word);
    add_player(out, "undeveloped", str_text(&words));
    str_clear(&words);
    str_addf(&words, "weights=%s/seeded/run-01/best.weights " THREE_PLIES, plan->folder_word);
    add_player(out, "developed", str_text(&words));
    add_player(out, "the paper's undeveloped", "weights=shannon-undeveloped.weights " THREE_PLIES);
    add_player(out, "the paper's developed", "weights=shannon-developed.weights " THREE_PLIES);
    str_free(&words);
}

// In place of Chessmaster 2100 at three plies: the largest of our evaluations.
static void plan_fixed_depth(Plan *plan) {
    Str players = {0};
    add_player(&players, "FALCON", "weights=falcon.weights " THREE_PLIES);
    add_players(plan, &players);
    plan_match(plan, "fixed-depth", plan_count(plan, 5, 60), plan_count(plan, 20, 250),
               "-tournament gauntlet %s", str_text(&players));
    str_free(&players);
}

static void plan_ladder(Plan *plan) {
    Str players = {0};
    add_players(plan, &players);
    for (int i = 0; i < CEC_RUNGS; i++)
        add_player(&players, cec_rungs[i].name, cec_rungs[i].words);
    plan_match(plan, "ladder", plan_count(plan, 12, 150), plan_count(plan, 4, 50),
               "-tournament round-robin %s", str_text(&players));
    plan_step(plan, "ratings", 1, "rate --jsonl %s/ladder/games.pgn", plan->folder_word);
    str_free(&players);
}

// Stockfish says on which scale its limited strength is measured; so it gives ours a zero.
static void plan_anchors(Plan *plan, const char *stockfish) {
    Str step = {0}, name = {0}, words = {0}, files = {0}, players = {0};
    add_players(plan, &players);
    for (int i = 0; i < CEC_RUNGS; i++)
        add_player(&players, cec_rungs[i].name, cec_rungs[i].words);
    for (int i = 0; i < CEC_ANCHORS; i++) {
        Str first = {0};
        str_clear(&step), str_clear(&name), str_clear(&words);
        cec_anchor_step(&step, cec_anchors[i]);
        cec_anchor_name(&name, cec_anchors[i]);
        str_addf(&words, "cmd=%s option.UCI_LimitStrength=true option.UCI_Elo=%d nodes=5000",
                 stockfish, cec_anchors[i]);
        add_player(&first, str_text(&name), str_text(&words));
        plan_match(plan, str_text(&step), plan_count(plan, 4, 50), plan_count(plan, 2, 25),
                   "-tournament gauntlet %s%s", str_text(&first), str_text(&players));
        str_addf(&files, " %s/%s/games.pgn", plan->folder_word, str_text(&step));
        str_free(&first);
    }
    str_clear(&name);
    cec_anchor_name(&name, cec_anchors[0]);
    plan_step(plan, "stockfish-ratings", 1, "rate --jsonl --anchor \"%s=%d\" %s/ladder/games.pgn%s",
              str_text(&name), cec_anchors[0], plan->folder_word, str_text(&files));
    str_free(&step), str_free(&name), str_free(&words), str_free(&files), str_free(&players);
}

void plan_cec2001(Plan *plan) {
    plan_evolution(plan, "cec2001", cec_populations[0].step, &cec_populations[0]);
    plan_evolution(plan, "cec2001-unseeded", "unseeded", &cec_populations[0]);
    for (int i = 1; i < CEC_POPULATIONS; i++)
        plan_evolution(plan, "cec2001", cec_populations[i].step, &cec_populations[i]);
    plan_fixed_depth(plan);
    plan_ladder(plan);
    const char *stockfish = plan_engine(plan, "stockfish");
    if (stockfish != NULL)
        plan_anchors(plan, stockfish);
}

const Paper paper_cec2001 = {
    .name = "cec2001",
    .title = "CEC 2001: evolution by games among a population",
    .citation = "G. Kendall, G. Whitwell: An Evolutionary Approach for the Tuning of a Chess "
                "Evaluation Function Using Population Dynamics, CEC 2001.",
    .plan = plan_cec2001,
    .tell = tell_cec2001,
};
