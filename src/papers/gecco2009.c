// SPDX-License-Identifier: GPL-3.0-or-later
// GECCO 2009: the plan. Ten runs from grandmasters' moves, ten more from one grandmaster each, four
// co-evolutions, and the matches.
#include "papers/gecco2009.h"

#include "papers/paper.h"

const Coevolution gecco2009_coevolutions[COEVOLVE_STARTS] = {
    [START_TEN_RUNS] = {"coevolve", "COEVOL*", "the best of each of ten runs"},
    [START_RANDOM] = {"coevolve-random", "RANDOM-START", "random bits"},
    [START_ONE_RUN] = {"coevolve-one-run", "ONE-RUN", "the top ten of one run"},
    [START_MASTERS] = {"coevolve-masters", "MASTERS", "one organism per grandmaster"},
};

const Master gecco2009_masters[GECCO2009_MASTERS] = {
    {"master-adams", "Adams", "Adams, Michael"},
    {"master-ivanchuk", "Ivanchuk", "Ivanchuk, Vassily;Ivanchuk, Vasily"},
    {"master-karpov", "Karpov", "Karpov, Anatoly;Karpov, Anatoli"},
    {"master-kasparov", "Kasparov", "Kasparov, Garry;Kasparov, Gary"},
    {"master-korchnoi", "Korchnoi", "Kortchnoi, Viktor;Korchnoi, Viktor"},
    {"master-ljubojevic", "Ljubojevic", "Ljubojevic, Ljubomir"},
    {"master-polugaevsky", "Polugaevsky", "Polugaevsky, Lev"},
    {"master-portisch", "Portisch", "Portisch, Lajos"},
    {"master-tal", "Tal", "Tal, Mikhail;Tal, Mihail"},
    {"master-timman", "Timman", "Timman, Jan"},
};

const StandIn gecco2009_engines[GECCO2009_ENGINES] = {
    {"against-gnuchess", "gnuchess"},
    {"against-glaurung", "glaurung"},
    {"against-toga2", "toga2"},
};

int gecco2009_generations(const Plan *plan) {
    return plan_count(plan, 8, 50);
}

int gecco2009_evolution_nodes(const Plan *plan) {
    return plan_count(plan, 500, 5000);
}

int gecco2009_match_nodes(const Plan *plan) {
    return plan_count(plan, 1000, 5000);
}

const char *gecco2009_move_seconds(const Plan *plan) {
    return plan->scale == SCALE_QUICK ? "0.01" : "0.05";
}

// --- steps ---

static void plan_learning(Plan *plan) {
    plan_run(plan, GECCO2009_TEN, 30, "evolve gecco2009 --runs %d", GECCO2009_RUNS);
    for (int i = 0; i < GECCO2009_MASTERS; i++)
        plan_run(plan, gecco2009_masters[i].step, 0.6, "evolve gecco2009 --player '%s'",
                 gecco2009_masters[i].spellings);
}

static void add_start(const Plan *plan, CoevolveStart start, Str *out) {
    if (start == START_RANDOM)
        return;
    str_addf(out, " --start-take %s --start-from ", start == START_ONE_RUN ? "top" : "bests");
    if (start != START_MASTERS) {
        str_addf(out, "%s/%s", plan->folder_word, GECCO2009_TEN);
        return;
    }
    for (int i = 0; i < GECCO2009_MASTERS; i++)
        str_addf(out, "%s%s/%s", i == 0 ? "" : ",", plan->folder_word, gecco2009_masters[i].step);
}

// A game takes some 0.012 s of a core at 500 nodes a move, 0.11 at 5,000.
static void plan_coevolution(Plan *plan) {
    for (int start = 0; start < COEVOLVE_STARTS; start++) {
        Str from = {0};
        add_start(plan, (CoevolveStart)start, &from);
        plan_run(plan, gecco2009_coevolutions[start].step, plan_count(plan, 10, 550),
                 "coevolve gecco2009-coevolve%s --generations %d --play-nodes %d --verdict-games "
                 "%d",
                 str_text(&from), gecco2009_generations(plan) - 1, gecco2009_evolution_nodes(plan),
                 plan_count(plan, 200, 1000));
        str_free(&from);
    }
}

// The worth of a piece is whatever evolution made it, so that both sides must think a game lost.
#define RESIGN "-resign movecount=4 score=900 twosided=true"

static void add_evol(const Plan *plan, Str *out) {
    str_addf(out, " -engine name=%s weights=%s/%s/run-01/best.weights", GECCO2009_EVOL,
             plan->folder_word, GECCO2009_TEN);
}

static void add_coevol(const Plan *plan, CoevolveStart start, Str *out) {
    str_addf(out, " -engine name=%s weights=%s/%s/best.weights",
             gecco2009_coevolutions[start].player, plan->folder_word,
             gecco2009_coevolutions[start].step);
}

static void plan_pairs(Plan *plan) {
    Str players = {0};
    add_evol(plan, &players);
    for (int start = 0; start < COEVOLVE_STARTS; start++)
        add_coevol(plan, (CoevolveStart)start, &players);
    plan_match(plan, "pairs", plan_count(plan, 12, 300), plan_count(plan, 50, 250),
               RESIGN " -tournament round-robin%s -each nodes=%d option.Profile=papers",
               str_text(&players), gecco2009_match_nodes(plan));
    str_free(&players);
}

// An engine against EVOL* and COEVOL*.
static void plan_stand_in(Plan *plan, const StandIn *engine) {
    const char *path = plan_engine(plan, engine->program);
    if (path == NULL)
        return;
    Str players = {0};
    str_addf(&players, " -engine name=%s cmd=%s %s", engine->program, path,
             plan_engine_words(engine->program));
    add_evol(plan, &players);
    str_add(&players, " option.Profile=papers");
    add_coevol(plan, START_TEN_RUNS, &players);
    str_add(&players, " option.Profile=papers");
    plan_timed_match(plan, engine->step, plan_count(plan, 20, 3000), plan_count(plan, 8, 250),
                     RESIGN " -tournament gauntlet%s -each st=%s timemargin=1000",
                     str_text(&players), gecco2009_move_seconds(plan));
    str_free(&players);
}

static void plan_gecco2009(Plan *plan) {
    plan_learning(plan);
    plan_coevolution(plan);
    plan_pairs(plan);
    for (int i = 0; i < GECCO2009_ENGINES; i++)
        plan_stand_in(plan, &gecco2009_engines[i]);
}

static Status tell_gecco2009(const Plan *plan, Page *page) {
    Status status = gecco2009_tell_learning(plan, page);
    if (status == OK)
        status = gecco2009_tell_games(plan, page);
    return status == OK ? gecco2009_tell_values(plan, page) : status;
}

const Paper paper_gecco2009 = {
    .name = "gecco2009",
    .title = "GECCO 2009: evolution from grandmasters, then by games",
    .citation = "O. David-Tabibi, H. J. van den Herik, M. Koppel, N. S. Netanyahu: Simulating "
                "Human Grandmasters: Evolution and Coevolution of Evaluation Functions, GECCO "
                "2009.",
    .plan = plan_gecco2009,
    .tell = tell_gecco2009,
};
