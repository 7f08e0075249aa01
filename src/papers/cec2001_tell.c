// SPDX-License-Identifier: GPL-3.0-or-later
// The page on CEC 2001: claims first, then evolution, matches, populations and times.
#include "papers/cec2001.h"

// "About three minutes" a game at first, six in the end; 2,205 meetings of two games.
enum { THEIR_GAMES = 4410, THEIR_LEAST_MINUTES = 3, THEIR_MOST_MINUTES = 6 };

static Status read_findings(const Plan *plan, CecFindings *out) {
    *out = (CecFindings){0};
    Status status = OK;
    for (int i = 0; status == OK && i < CEC_POPULATIONS; i++) {
        const CecPopulation *population = &cec_populations[i];
        const int runs = cec_runs(plan, population);
        status = cec_course_read(&out->courses[i], plan, population->step, runs);
        if (status == OK)
            status = evidence_verdict(plan, population->step, runs, &out->verdicts[i]);
    }
    const int runs = cec_runs(plan, &cec_populations[0]);
    if (status == OK)
        status = cec_course_read(&out->unseeded, plan, "unseeded", runs);
    return status == OK ? evidence_verdict(plan, "unseeded", runs, &out->unseeded_verdict) : status;
}

static void free_findings(CecFindings *findings) {
    for (int i = 0; i < CEC_POPULATIONS; i++)
        cec_course_free(&findings->courses[i]);
    cec_course_free(&findings->unseeded);
}

static void introduce(const Plan *plan, Report *report) {
    const int runs = cec_runs(plan, &cec_populations[0]);
    report_add_heading(report, "Evolution");
    report_add_paragraph(
        report,
        "50 members start with whole numbers of pawns from 0 to 12 for five weights; one has "
        "Shannon's values, with a legal move at 1. In each of 45 generations 49 pairs play two "
        "games from the initial position; a loser becomes a varied copy of the winner. The paper "
        "ran this once; here it ran %d times with the seed and %d times without.",
        runs, runs);
    if (plan->scale == SCALE_QUICK)
        report_add_paragraph(
            report, "At this scale members think one ply, and captures, where the paper's "
                    "thought three; --scale papers has three. Matches are at three plies.");
}

static void add_time(Table *table, const Plan *plan, const char *what, const char *step, int runs) {
    Str theirs = {0}, ours = {0};
    page_say_time(&theirs, (double)THEIR_GAMES * THEIR_LEAST_MINUTES * 60);
    str_add(&theirs, " to ");
    page_say_time(&theirs, (double)THEIR_GAMES * THEIR_MOST_MINUTES * 60);
    page_say_time(&ours, evidence_seconds(plan, step) / runs);
    table_add_text(table, what);
    table_add_text(table, str_text(&theirs));
    table_add_text(table, str_text(&ours));
    str_free(&theirs);
    str_free(&ours);
}

static void show_times(const Plan *plan, Report *report) {
    report_add_heading(report, "Time");
    report_add_paragraph(report, "The paper tells of three minutes a game at first and six in the "
                                 "end, at three plies. Ours are with the games that judge a run.");
    Table *table = report_add_table(report, "Time of one run");
    table_add_text_column(table, "run");
    table_add_text_column(table, "the paper");
    table_add_text_column(table, "here");
    const int runs = cec_runs(plan, &cec_populations[0]);
    add_time(table, plan, "seeded", "seeded", runs);
    add_time(table, plan, "not seeded", "unseeded", runs);
}

Status tell_cec2001(const Plan *plan, Page *page) {
    CecFindings findings;
    Status status = read_findings(plan, &findings);
    if (status == OK) {
        cec_claim_evolution(&findings, page);
        status = cec_claim_matches(plan, page);
        cec_claim_populations(&findings, page);
        introduce(plan, page->report);
        cec_show_evolution(&findings, page->report);
    }
    if (status == OK)
        status = cec_show_matches(plan, page->report);
    if (status == OK) {
        report_add_heading(page->report, "Smaller populations");
        cec_show_populations(&findings, page->report);
        show_times(plan, page->report);
    }
    free_findings(&findings);
    return status;
}
