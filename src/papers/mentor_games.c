// SPDX-License-Identifier: GPL-3.0-or-later
// Matches and the tactical suite of GECCO 2008 and GPEM 2010.
#include "papers/mentor.h"

#include "report/number.h"

#include <math.h>
#include <string.h>

// The paper's suite is the Encyclopedia of Chess Middlegames.
enum { ECM_POSITIONS = 879 };

// --- pairs ---

void mentor_judge(Str *out, const MeetingScore *ours, double percent) {
    if (page_games(ours) == 0)
        return;
    const EloEstimate elo = page_elo(ours);
    const double low = 100 * elo_to_score(elo.low), high = 100 * elo_to_score(elo.high);
    str_addf(out, "The paper's %.1f%% lies %s our interval, %.1f to %.1f%%.", percent,
             percent < low    ? "below"
             : percent > high ? "above"
                              : "within",
             low, high);
}

static const PaperMatch *find_match(const PaperMatch *theirs, size_t count, const char *first,
                                    const char *second) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(theirs[i].first, first) == 0 && strcmp(theirs[i].second, second) == 0)
            return &theirs[i];
    return NULL;
}

// A row, with the paper's first player first where the paper has the match.
static Status add_pair(const Plan *plan, Table *table, const PaperMatch *theirs, size_t count,
                       const char *first, const char *second) {
    const PaperMatch *match = find_match(theirs, count, first, second);
    if (match == NULL && (match = find_match(theirs, count, second, first)) != NULL) {
        const char *swapped = first;
        first = second;
        second = swapped;
    }
    MeetingScore score;
    Str names = {0}, paper = {0};
    const Status status = evidence_meeting(plan, "pairs", first, second, &score);
    str_addf(&names, "%s – %s", first, second);
    if (match != NULL)
        str_addf(&paper, "%.1f%% (%s)", match->percent, match->table);
    if (status == OK && page_games(&score) > 0) // not all play in both papers
        page_add_match(table, str_text(&names), &score, str_text(&paper));
    str_free(&names);
    str_free(&paper);
    return status;
}

Status mentor_tell_pairs(const Plan *plan, Page *page, const PaperMatch *theirs, size_t count) {
    if (!plan_has(plan, "pairs"))
        return OK;
    report_add_heading(page->report, "Matches at equal nodes");
    report_add_paragraph(
        page->report,
        "All play with the same search, %s nodes a move, and differ in nothing but their "
        "evaluation. The paper's matches were 300 games at 3 minutes a side, or 1,000 at 10. "
        "Fig.3 is MAESTRO with the values that the paper printed.",
        number_of(mentor_nodes(plan)).text);
    Table *table = page_add_matches(page->report, "All pairs");
    Status status = OK;
    for (int i = 0; i < MENTOR_PLAYERS; i++)
        for (int j = i + 1; status == OK && j < MENTOR_PLAYERS; j++)
            status = add_pair(plan, table, theirs, count, mentor_name((MentorPlayer)i),
                              mentor_name((MentorPlayer)j));
    return status;
}

Status mentor_claim_match(const Plan *plan, Page *page, const char *claim,
                          const PaperMatch *theirs) {
    MeetingScore score;
    Str paper = {0}, ours = {0}, remark = {0};
    const Status status = evidence_meeting(plan, "pairs", theirs->first, theirs->second, &score);
    str_addf(&paper, "%s – %s: %.1f%%", theirs->first, theirs->second, theirs->percent);
    page_say_match(&ours, &score);
    mentor_judge(&remark, &score, theirs->percent);
    if (status == OK)
        page_claim(page, claim, str_text(&paper), str_text(&ours), str_text(&remark));
    str_free(&paper);
    str_free(&ours);
    str_free(&remark);
    return status;
}

// --- other engines ---

// A row for the games with one opponent, or with all of them where it is NULL.
static Status add_opponent(const Plan *plan, Table *table, const Gauntlet *gauntlet,
                           const char *opponent) {
    const char *const player = mentor_name(gauntlet->player);
    MeetingScore score;
    Str names = {0};
    str_addf(&names, "%s – %s", player, opponent == NULL ? "all of them" : opponent);
    const Status status = evidence_meeting(plan, gauntlet->step, player, opponent, &score);
    if (status == OK)
        page_add_match(table, str_text(&names), &score, "");
    str_free(&names);
    return status;
}

static Status add_gauntlet(const Plan *plan, Table *table, const Gauntlet *gauntlet) {
    Roster roster;
    Status status = evidence_roster(plan, gauntlet->step, &roster);
    for (size_t i = 0; status == OK && i < roster.count; i++)
        if (strcmp(roster.names[i], mentor_name(gauntlet->player)) != 0)
            status = add_opponent(plan, table, gauntlet, roster.names[i]);
    if (status == OK && roster.count > 2)
        status = add_opponent(plan, table, gauntlet, NULL);
    roster_free(&roster);
    return status;
}

Status mentor_tell_others(const Plan *plan, Page *page, const Gauntlet *gauntlets, size_t count,
                          const char *note) {
    if (!plan_has(plan, gauntlets[0].step))
        return OK;
    report_add_heading(page->report, "Matches against other engines");
    report_add_paragraph(page->report,
                         "%s Both sides have %s ms for each move. These games are played against "
                         "the clock, and their results differ from run to run.",
                         note, plan->scale == SCALE_QUICK ? "10" : "50");
    Table *table = page_add_matches(page->report, "Against other engines");
    Status status = OK;
    for (size_t i = 0; status == OK && i < count; i++)
        status = add_gauntlet(plan, table, &gauntlets[i]);
    return status;
}

// --- tactics ---

static void add_solved(Table *table, const SuiteScore *score, const char *theirs) {
    table_add_text(table, score->engine);
    table_add_number(table, (double)score->total.solved);
    table_add_number(table, (double)score->total.count);
    table_add_number(table, suite_total_percent(&score->total));
    table_add_text(table, theirs);
}

static void add_theirs(Str *out, const PaperSolved *theirs, size_t count, const char *program) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(theirs[i].program, program) == 0)
            str_addf(out, "%d of %d, %.1f%% (%s)", theirs[i].solved, ECM_POSITIONS,
                     100.0 * theirs[i].solved / ECM_POSITIONS, theirs[i].table);
}

static void add_tactics(const Plan *plan, Report *report, const MentorPaper *paper,
                        const SuiteScores *scores, const PaperSolved *theirs, size_t count) {
    report_add_heading(report, "Tactics");
    report_add_paragraph(report,
                         "The paper has 879 positions of the Encyclopedia of Chess Middlegames, "
                         "5 seconds each. Ours are those of data/tactics.epd, %s.",
                         mentor_tactics_limit(plan, paper));
    Bars *bars = report_add_bars(report, &(BarsSpec){.title = "Positions solved",
                                                     .value_label = "percent of the suite",
                                                     .decimals = 1});
    bars_add_series(bars, "solved");
    Table *table = report_add_table(report, "Positions solved");
    table_add_text_column(table, "program");
    table_add_number_column(table, "solved", 0);
    table_add_number_column(table, "of", 0);
    table_add_number_column(table, "%", 1);
    table_add_text_column(table, "the paper");
    for (size_t i = 0; i < scores->count; i++) {
        const SuiteScore *item = &scores->items[i];
        const double percent = suite_total_percent(&item->total);
        Str there = {0};
        add_theirs(&there, theirs, count, item->engine);
        add_solved(table, item, str_text(&there));
        bars_add_group(bars, item->engine, &percent);
        str_free(&there);
    }
    for (size_t i = 0; i < count; i++)
        if (suite_scores_find(scores, theirs[i].program) == NULL) {
            Str there = {0};
            add_theirs(&there, theirs, count, theirs[i].program);
            table_add_text(table, theirs[i].program);
            for (int cell = 0; cell < 3; cell++)
                table_add_text(table, "–");
            table_add_text(table, str_text(&there));
            str_free(&there);
        }
}

static void claim_tactics(Page *page, const SuiteScores *scores) {
    const SuiteTotal *evol = suite_scores_find(scores, mentor_name(PLAYER_EVOL));
    const SuiteTotal *falcon = suite_scores_find(scores, mentor_name(PLAYER_FALCON));
    if (evol == NULL || falcon == NULL || evol->count == 0)
        return;
    Str ours = {0}, remark = {0};
    const double points = suite_total_percent(evol) - suite_total_percent(falcon);
    str_addf(&ours, "%.1f%% and %.1f%% of %lu", suite_total_percent(evol),
             suite_total_percent(falcon), (unsigned long)evol->count);
    str_addf(&remark,
             "Other positions and another limit. EVOL* solves %s FALCON here (%+.1f points).",
             points >= 0    ? "no fewer than"
             : points >= -2 ? "nearly as many as"
                            : "fewer than",
             points);
    page_claim(page, "EVOL* solves as many tactical positions as FALCON", "73.8% and 73.4% of 879",
               str_text(&ours), str_text(&remark));
    str_free(&ours);
    str_free(&remark);
}

Status mentor_tell_tactics(const Plan *plan, Page *page, const MentorPaper *paper,
                           const PaperSolved *theirs, size_t count) {
    SuiteScores scores;
    const Status status = evidence_suite(plan, "tactics", &scores);
    if (status == OK && scores.count > 0) {
        claim_tactics(page, &scores);
        add_tactics(plan, page->report, paper, &scores, theirs, count);
    }
    suite_scores_free(&scores);
    return status;
}
