// SPDX-License-Identifier: GPL-3.0-or-later
// GPEM 2010: GECCO 2008 at greater length, with RANDORG, longer matches, commercial programs and
// the championship of 2008.
#include "papers/gpem2010_event.h"
#include "papers/mentor.h"
#include "papers/paper.h"
#include "report/number.h"

#include <stdio.h>

static const MentorPaper setup = {
    .preset = "gpem2010",
    .positions = {"mentor-train.epd", "mentor-test.epd"},
    .has_engines_solve = true,
};

static const PaperMatch theirs[] = {
    {"FALCON", "RANDORG", 99.0, "Table 1"},
    {"EVOL*", "RANDORG", 98.7, "Table 1"},
    {"EVOL*", "FALCON", 54.5, "Table 1"},
};
static const PaperSolved solved[] = {
    {"EVOL*", 649, "Tables 3 and 5"}, {"FALCON", 645, "Table 3"}, {"CRAFTY", 593, "Table 3"},
    {"JUNIOR", 681, "Table 5"},       {"FRITZ", 640, "Table 5"},  {"HIARCS", 642, "Table 5"},
};
static const Gauntlet against_crafty[] = {
    {"others-falcon", PLAYER_FALCON, 57.8},
    {"others-evol", PLAYER_EVOL, 59.0},
};

enum {
    MATCHES = sizeof theirs / sizeof theirs[0],
    SOLVED = sizeof solved / sizeof solved[0],
    AGAINST = sizeof against_crafty / sizeof against_crafty[0],
};

static const MentorPlayer players[] = {PLAYER_FALCON, PLAYER_EVOL, PLAYER_LITERAL, PLAYER_FIG3,
                                       PLAYER_RANDORG};
// Fig. 3's values solve GECCO 2008's.
static const MentorPlayer solvers[] = {PLAYER_FALCON, PLAYER_EVOL, PLAYER_RANDORG};
enum {
    PLAYERS = sizeof players / sizeof players[0],
    SOLVERS = sizeof solvers / sizeof solvers[0],
};

// The depths of FALCON's search that pupils learned from; EVOL* is that of depth 2.
static const int depths[] = {0, 1, 2, 4};
enum { DEPTHS = sizeof depths / sizeof depths[0], PAPER_DEPTH = 2 };

// --- the plan ---

static void name_pupil(int depth, char *out, size_t size) {
    if (depth == PAPER_DEPTH)
        snprintf(out, size, "%s", mentor_name(PLAYER_EVOL));
    else
        snprintf(out, size, "EVOL-%d-ply", depth);
}

// The two explanations of EVOL*'s lead: labels of other depths, and equal time.
static void plan_explanations(Plan *plan) {
    Str words = {0};
    str_add(&words, " -engine ");
    mentor_add_player(plan, PLAYER_FALCON, &words);
    for (int i = 0; i < DEPTHS; i++) {
        char name[32], run[32];
        name_pupil(depths[i], name, sizeof name);
        if (depths[i] == PAPER_DEPTH) {
            str_add(&words, " -engine ");
            mentor_add_player(plan, PLAYER_EVOL, &words);
            continue;
        }
        snprintf(run, sizeof run, "play-%d", depths[i]);
        mentor_plan_labels(plan, &setup, depths[i]);
        plan_run(plan, run, 3, "evolve play --data %s/train-%d.epd --test %s/test-%d.epd --runs %d",
                 plan->folder_word, depths[i], plan->folder_word, depths[i], MENTOR_RUNS);
        str_addf(&words, " -engine name=%s weights=%s/%s/best.weights", name, plan->folder_word,
                 run);
    }
    plan_match(plan, "depths", plan_count(plan, 8, 400), plan_count(plan, 40, 500),
               "-tournament gauntlet%s -each nodes=%d", str_text(&words), mentor_nodes(plan));
    str_clear(&words);
    mentor_add_player(plan, PLAYER_FALCON, &words);
    str_add(&words, " -engine ");
    mentor_add_player(plan, PLAYER_EVOL, &words);
    plan_timed_match(plan, "clock", plan_count(plan, 16, 4000), plan_count(plan, 10, 500),
                     "-engine %s -each %s timemargin=1000", str_text(&words),
                     plan->scale == SCALE_QUICK ? "st=0.01" : "st=0.05");
    str_free(&words);
}

static void plan_gpem2010(Plan *plan) {
    if (!mentor_plan_labels(plan, &setup, PAPER_DEPTH))
        return;
    mentor_plan_evolution(plan, &setup);
    mentor_plan_pairs(plan, players, PLAYERS, plan_count(plan, 16, 900));
    plan_explanations(plan);
    for (size_t i = 0; i < AGAINST; i++)
        mentor_plan_others(plan, against_crafty[i].step, against_crafty[i].player);
    mentor_plan_tactics(plan, &setup, solvers, SOLVERS, plan_count(plan, 20, 2470));
    event_plan(plan);
}

// --- the page ---

static Status add_depth(const Plan *plan, Table *table, int depth, MeetingScore *score) {
    char name[32];
    Str path = {0};
    Grid runs = {0};
    name_pupil(depth, name, sizeof name);
    if (depth == PAPER_DEPTH)
        evidence_path(plan, &path, "play/runs.csv");
    else
        evidence_path(plan, &path, "play-%d/runs.csv", depth);
    Status status = grid_read(&runs, str_text(&path));
    if (status == OK)
        status = evidence_meeting(plan, "depths", name, "FALCON", score);
    if (status == OK) {
        const EloEstimate elo = page_elo(score);
        table_add_number(table, depth);
        table_add_number(table, grid_mean(&runs, "training"));
        table_add_number(table, grid_mean(&runs, "test"));
        table_add_number(table, page_percent(score));
        table_add_number(table, elo.elo);
        table_add_number(table, elo.low);
        table_add_number(table, elo.high);
    }
    grid_free(&runs);
    str_free(&path);
    return status;
}

static void claim_depths(Page *page, const MeetingScore *scores) {
    const EloEstimate zero = page_elo(&scores[0]), two = page_elo(&scores[2]);
    Str ours = {0};
    str_addf(&ours, "pupils of depths 0, 1, 2, 4 against FALCON: %.1f, %.1f, %.1f, %.1f%%",
             page_percent(&scores[0]), page_percent(&scores[1]), page_percent(&scores[2]),
             page_percent(&scores[3]));
    page_claim(page, "Scores of a search of two plies teach more than static ones",
               "offered as an explanation, not measured", str_text(&ours),
               two.low > zero.high   ? "The pupil of two plies is the stronger one."
               : two.high < zero.low ? "The pupil of static scores is the stronger one."
                                     : "Depths 0 and 2 are not told apart by these games.");
    str_free(&ours);
}

static void claim_clock(Page *page, const MeetingScore *nodes, const MeetingScore *clock) {
    const EloEstimate by_nodes = page_elo(nodes), by_clock = page_elo(clock);
    Str ours = {0};
    str_addf(&ours, "EVOL* – FALCON: %.1f%% at equal nodes, %.1f%% at equal time",
             page_percent(nodes), page_percent(clock));
    page_claim(page, "A smaller evaluation is faster, and that helps EVOL*",
               "offered as an explanation, not measured", str_text(&ours),
               by_clock.low > by_nodes.high
                   ? "It scores more at equal time; that both then search other numbers of nodes "
                     "than in the first match may have a share in it."
               : by_clock.high < by_nodes.low ? "It scores less at equal time."
                                              : "The two are not told apart by these games.");
    str_free(&ours);
}

static Status tell_explanations(const Plan *plan, Page *page) {
    if (!plan_has(plan, "depths"))
        return OK;
    report_add_heading(page->report, "Why EVOL* could be better than its mentor");
    report_add_paragraph(
        page->report,
        "The paper offers two explanations for the 54.5%% that EVOL* scored against FALCON: its "
        "evaluation is faster, and it learned from a search of two plies what a static score does "
        "not know. Here both are measured: pupils of FALCON's scores at depths 0, 1, 2 and 4, %s "
        "nodes a move, and EVOL* against FALCON with %s ms a move. The latter differs from run to "
        "run.",
        number_of(mentor_nodes(plan)).text, plan->scale == SCALE_QUICK ? "10" : "50");
    Table *table =
        report_add_table(page->report, "Pupils of FALCON at several depths, each against it");
    table_add_number_column(table, "FALCON's depth", 0);
    table_add_number_column(table, "training error", 1);
    table_add_number_column(table, "test error", 1);
    table_add_number_column(table, "score against FALCON, %", 1);
    table_add_number_column(table, "Elo", 0);
    table_add_number_column(table, "from", 0);
    table_add_number_column(table, "to", 0);
    MeetingScore scores[DEPTHS], nodes, clock;
    Status status = OK;
    for (int i = 0; status == OK && i < DEPTHS; i++)
        status = add_depth(plan, table, depths[i], &scores[i]);
    if (status == OK)
        status = evidence_meeting(plan, "pairs", "EVOL*", "FALCON", &nodes);
    if (status == OK)
        status = evidence_meeting(plan, "clock", "EVOL*", "FALCON", &clock);
    if (status != OK)
        return status;
    claim_depths(page, scores);
    claim_clock(page, &nodes, &clock);
    table =
        page_add_matches(page->report, "EVOL* against FALCON, at equal nodes and at equal time");
    page_add_match(table, "equal nodes", &nodes, "");
    page_add_match(table, "equal time", &clock, "54.5% (Table 1)");
    return OK;
}

static Status claim_matches(const Plan *plan, Page *page) {
    Status status = mentor_claim_match(plan, page, "FALCON beats a random organism", &theirs[0]);
    if (status == OK)
        status = mentor_claim_match(plan, page, "EVOL* beats a random organism", &theirs[1]);
    if (status == OK)
        status = mentor_claim_match(plan, page, "EVOL* is on a par with its mentor", &theirs[2]);
    return status;
}

static Status tell_gpem2010(const Plan *plan, Page *page) {
    Status status = mentor_tell_learning(plan, page, &setup);
    if (status == OK)
        status = claim_matches(plan, page);
    if (status == OK)
        status = mentor_tell_pairs(plan, page, theirs, MATCHES);
    if (status == OK)
        status = tell_explanations(plan, page);
    if (status == OK)
        status = mentor_tell_others(
            plan, page, against_crafty, AGAINST,
            "In the paper, 300 games each, FALCON scored 57.8% against CRAFTY 19 and EVOL* 59.0% "
            "(Table 2); EVOL* scored 45.0% against JUNIOR 9, 51.3% against FRITZ 8 and 57.5% "
            "against HIARCS 8 (Table 4). Debian's engines stand in for them.");
    if (status == OK)
        status = mentor_tell_tactics(plan, page, &setup, solved, SOLVED);
    if (status == OK)
        status = event_tell(plan, page);
    return status;
}

const Paper paper_gpem2010 = {
    .name = "gpem2010",
    .title = "GPEM 2010: evolution from an expert",
    .citation =
        "O. David-Tabibi, M. Koppel, N. S. Netanyahu: Expert-Driven Genetic Algorithms for "
        "Simulating Evaluation Functions, Genetic Programming and Evolvable Machines, 2010.",
    .plan = plan_gpem2010,
    .tell = tell_gpem2010,
};
