// SPDX-License-Identifier: GPL-3.0-or-later
// GECCO 2008: MAESTRO's evaluation evolved to mimic FALCON's, which the same search plays with.
#include "papers/mentor.h"
#include "papers/paper.h"

static const MentorPaper setup = {
    .preset = "gecco2008",
    // White is to move in all of them; FALCON's labels take the place of those in the files.
    .positions = {"mentor-white-train.toga2.epd.zst", "mentor-white-test.toga2.epd.zst"},
};

// Their MAESTROGA is our EVOL*.
static const PaperMatch theirs[] = {
    {"FALCON", "MAESTRO", 66.3, "Table 1"},
    {"FALCON", "EVOL*", 50.5, "Table 1"},
    {"EVOL*", "MAESTRO", 67.5, "Table 1"},
};
static const PaperSolved solved[] = {
    {"MAESTRO", 616, "Table 3"},
    {"EVOL*", 649, "Table 3"},
    {"FALCON", 645, "Table 3"},
};
// Table 2: what each scored against CRAFTY, in percent.
static const Gauntlet against_crafty[] = {
    {"others-maestro", PLAYER_MAESTRO, 46.8},
    {"others-evol", PLAYER_EVOL, 59.0},
    {"others-falcon", PLAYER_FALCON, 57.8},
};

enum {
    MATCHES = sizeof theirs / sizeof theirs[0],
    SOLVED = sizeof solved / sizeof solved[0],
    AGAINST = sizeof against_crafty / sizeof against_crafty[0],
};

static const MentorPlayer players[] = {PLAYER_FALCON, PLAYER_EVOL,    PLAYER_LITERAL,
                                       PLAYER_FIG3,   PLAYER_MAESTRO, PLAYER_RANDORG};
static const MentorPlayer solvers[] = {PLAYER_FALCON, PLAYER_EVOL, PLAYER_FIG3, PLAYER_MAESTRO,
                                       PLAYER_RANDORG};
enum {
    PLAYERS = sizeof players / sizeof players[0],
    SOLVERS = sizeof solvers / sizeof solvers[0],
};

static void plan_gecco2008(Plan *plan) {
    if (!mentor_plan_labels(plan, &setup, 2))
        return;
    mentor_plan_evolution(plan, &setup);
    mentor_plan_pairs(plan, players, PLAYERS, plan_count(plan, 25, 1400));
    for (size_t i = 0; i < AGAINST; i++)
        mentor_plan_others(plan, against_crafty[i].step, against_crafty[i].player);
    mentor_plan_tactics(plan, &setup, solvers, SOLVERS, plan_count(plan, 6, 110));
}

static Status claim_others(const Plan *plan, Page *page) {
    Str paper = {0}, ours = {0};
    double percents[AGAINST];
    Status status = OK;
    for (size_t i = 0; status == OK && i < AGAINST; i++) {
        MeetingScore score;
        const char *const name = mentor_name(against_crafty[i].player);
        status = evidence_player(plan, against_crafty[i].step, name, &score);
        percents[i] = page_percent(&score);
        str_addf(&paper, "%s%s %.1f%%", i == 0 ? "" : ", ", name, against_crafty[i].percent);
        str_addf(&ours, "%s%s %.1f%% of %lu", i == 0 ? "" : ", ", name, percents[i],
                 (unsigned long)page_games(&score));
    }
    if (status == OK && plan_has(plan, against_crafty[0].step))
        page_claim(page, "Evolution lifts MAESTRO past another engine (CRAFTY there)",
                   str_text(&paper), str_text(&ours),
                   percents[1] > percents[0]
                       ? "Other opponents, against the clock. EVOL* scores more than the "
                         "hand-tuned MAESTRO here too."
                       : "Other opponents, against the clock. EVOL* does not score more than the "
                         "hand-tuned MAESTRO here.");
    str_free(&paper);
    str_free(&ours);
    return status;
}

static Status tell_gecco2008(const Plan *plan, Page *page) {
    Status status = mentor_tell_learning(plan, page, &setup);
    if (status == OK)
        status = mentor_claim_match(plan, page, "FALCON is stronger than the hand-tuned MAESTRO",
                                    &theirs[0]);
    if (status == OK)
        status =
            mentor_claim_match(plan, page, "EVOL* (MAESTROGA there) equals its mentor", &theirs[1]);
    if (status == OK)
        status = mentor_claim_match(plan, page, "EVOL* is stronger than the hand-tuned MAESTRO",
                                    &theirs[2]);
    if (status == OK)
        status = claim_others(plan, page);
    if (status == OK)
        status = mentor_tell_pairs(plan, page, theirs, MATCHES);
    if (status == OK)
        status = mentor_tell_others(plan, page, against_crafty, AGAINST,
                                    "Table 2 of the paper is on CRAFTY 19.19, against which "
                                    "MAESTRO scored 46.8%, MAESTROGA 59.0% and FALCON 57.8% of "
                                    "300 games each; Debian's engines stand in for it.");
    if (status == OK)
        status = mentor_tell_tactics(plan, page, &setup, solved, SOLVED);
    return status;
}

const Paper paper_gecco2008 = {
    .name = "gecco2008",
    .title = "GECCO 2008: evolution from a mentor",
    .citation =
        "O. David-Tabibi, M. Koppel, N. S. Netanyahu: Genetic Algorithms for Mentor-Assisted "
        "Evaluation Function Optimization, GECCO 2008.",
    .plan = plan_gecco2008,
    .tell = tell_gecco2008,
};
