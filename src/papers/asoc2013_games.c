// SPDX-License-Identifier: GPL-3.0-or-later
// Applied Soft Computing 2013: the virtual players' games, and what they are rated by them.
#include "base/json.h"
#include "papers/asoc2013.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Sections 5.3 and 5.4, Fig. 5: results of 200 games a pair, from the first player's view. Those of
// two pairs are not told in words: they are what fits Table 13 best.
typedef struct Meeting {
    const char *step, *a, *b;
    int wins, draws, losses;
    const char *claim; // NULL where none is made of it
} Meeting;

static const Meeting meetings[] = {
    {"vp24", "VP24_200_10", "VP24_200_0", 103, 97, 0, NULL},
    {"vp24", "VP24_200_10", "VP24_0_0", 195, 5, 0, NULL},
    {"vp24", "VP24_200_0", "VP24_0_0", 186, 14, 0, NULL},
    {"vp33", "VP33_200_10", "VP33_200_0", 104, 96, 0,
     "With 33 weights, the player evolved with the historical mechanism beats the one without"},
    {"vp33", "VP33_200_10", "VP33_0_0", 199, 1, 0, "It beats the best of generation 0"},
    {"vp33", "VP33_200_0", "VP33_0_0", 198, 2, 0, NULL},
    {"opponent", "VP33_200_10", "Stockfish2400", 14, 169, 17,
     "It holds its own against an opponent of 2400 (Chessmaster there, Stockfish here)"},
    {"opponent", "VP24_200_10", "Stockfish2400", 10, 137, 53, NULL},
    {"opponent", "VP33_200_0", "Stockfish2400", 0, 99, 101, NULL},
    {"opponent", "VP24_200_0", "Stockfish2400", 0, 75, 125, NULL},
    {"vp50", "VP33_50", "VP33_200_10", 53, 122, 25,
     "A tournament among the players of the median run makes them stronger"},
};
enum { MEETING_COUNT = sizeof meetings / sizeof meetings[0] };

// Tables 11 to 14.
typedef struct Rated {
    const char *step, *name;
    int elo, plus, minus;
} Rated;

static const Rated ratings[] = {
    {"rate-24", "VP24_200_10", 2341, 26, 25},
    {"rate-24", "VP24_200_0", 2186, 24, 24},
    {"rate-24", "VP24_0_0", 1685, 43, 53},
    {"rate-33", "VP33_200_10", 2402, 27, 26},
    {"rate-33", "VP33_200_0", 2245, 26, 27},
    {"rate-33", "VP33_0_0", 1509, 78, 121},
    {"rate-opponent", "Stockfish2400", 2401, 16, 15},
    {"rate-opponent", "VP33_200_10", 2397, 27, 27},
    {"rate-opponent", "VP24_200_10", 2344, 29, 29},
    {"rate-opponent", "VP33_200_0", 2249, 31, 32},
    {"rate-opponent", "VP24_200_0", 2194, 34, 36},
    {"rate-vp50", "VP33_50", 2442, 19, 18},
    {"rate-vp50", "VP33_200_10", 2404, 18, 19},
};

// --- matches ---

static double share(const Meeting *meeting) {
    return (meeting->wins + meeting->draws / 2.0) /
           (meeting->wins + meeting->draws + meeting->losses);
}

static void say_theirs(Str *out, const Meeting *meeting) {
    str_addf(out, "%.1f%% (+%d =%d -%d)", 100 * share(meeting), meeting->wins, meeting->draws,
             meeting->losses);
}

static const char *compare_match(const Meeting *meeting, const MeetingScore *score) {
    const EloEstimate elo = page_elo(score);
    const double theirs = elo_of_score(share(meeting));
    const bool is_within = theirs >= elo.low && theirs <= elo.high;
    if (elo.low <= 0 && elo.high >= 0)
        return is_within ? "No difference that these games could show; the paper's result lies "
                           "within the interval, too."
                         : "No difference that these games could show.";
    if (is_within)
        return "The paper's result lies within our interval.";
    if (elo.low > 0)
        return theirs > elo.high ? "Stronger here too, by less." : "Stronger here too, by more.";
    return "Weaker here.";
}

static void add_claim(Page *page, const Meeting *meeting, const MeetingScore *score) {
    Str theirs = {0}, ours = {0};
    say_theirs(&theirs, meeting);
    page_say_match(&ours, score);
    page_claim(page, meeting->claim, str_text(&theirs), str_text(&ours),
               page_games(score) == 0 ? "" : compare_match(meeting, score));
    str_free(&theirs);
    str_free(&ours);
}

static Status add_meeting(const Plan *plan, Page *page, Table *table, const Meeting *meeting) {
    MeetingScore score;
    char players[96];
    Str theirs = {0};
    Status status = evidence_meeting(plan, meeting->step, meeting->a, meeting->b, &score);
    if (status != OK)
        return status;
    snprintf(players, sizeof players, "%s – %s", meeting->a, meeting->b);
    say_theirs(&theirs, meeting);
    page_add_match(table, players, &score, str_text(&theirs));
    str_free(&theirs);
    if (meeting->claim != NULL)
        add_claim(page, meeting, &score);
    return OK;
}

// --- ratings ---

static Status add_rating(const Plan *plan, Table *table, const Rated *theirs) {
    EvidenceRating ours;
    const Status status = evidence_rating(plan, theirs->step, theirs->name, &ours);
    table_add_text(table, theirs->name);
    table_add_number(table, theirs->elo);
    table_add_number(table, theirs->plus);
    table_add_number(table, theirs->minus);
    table_add_number(table, ours.elo);
    table_add_number(table, ours.plus);
    table_add_number(table, ours.minus);
    table_add_number(table, ours.games);
    table_add_number(table, 100 * ours.score);
    table_add_number(table, 100 * ours.draws);
    return status;
}

static Status add_ratings(const Plan *plan, Report *report, const char *step, const char *caption) {
    if (!plan_has(plan, step))
        return OK;
    Table *table = report_add_table(report, caption);
    table_add_text_column(table, "player");
    table_add_number_column(table, "paper", 0);
    table_add_number_column(table, "+", 0);
    table_add_number_column(table, "-", 0);
    table_add_number_column(table, "here", 0);
    table_add_number_column(table, "here +", 0);
    table_add_number_column(table, "here -", 0);
    table_add_number_column(table, "games", 0);
    table_add_number_column(table, "score, %", 1);
    table_add_number_column(table, "draws, %", 1);
    Status status = OK;
    for (size_t i = 0; i < sizeof ratings / sizeof ratings[0] && status == OK; i++)
        if (strcmp(ratings[i].step, step) == 0)
            status = add_rating(plan, table, &ratings[i]);
    return status;
}

// --- the tournament ---

static Status add_tournament(const Plan *plan, Report *report) {
    report_add_heading(report, "The tournament");
    report_add_paragraph(
        report,
        "Second stage: the 20 players of the median run with 33 weights and Pr = 10 play 10 games "
        "each against random opponents of their generation; the better half survives. Moves are "
        "limited by nodes there (the paper searched six plies, see the time below), and VP33_50 is "
        "the best of the last generation.");
    Status status = page_add_curve(plan, report, "tournament",
                                   &(ChartSpec){.title = "The tournament: points by generation",
                                                .x_label = "generation",
                                                .y_label = "points (%)",
                                                .y_decimals = 1});
    MeetingScore score;
    if (status == OK)
        status = evidence_meeting(plan, "vp50", "VP33_50", "VP33_200_10", &score);
    if (status == OK && page_games(&score) > 0) {
        // 20 players, 10 games each, 50 generations and the first.
        const double seconds =
            evidence_seconds(plan, "vp50") / (double)page_games(&score) * 20 * 10 * 51;
        Str time = {0};
        page_say_time(&time, seconds);
        report_add_paragraph(report,
                             "At %d plies, the limit of the match between the two players, the "
                             "paper's 10,200 games would take some %s at the pace of that match.",
                             asoc_plies(plan), str_text(&time));
        str_free(&time);
    }
    return status;
}

Status asoc_tell_games(const Plan *plan, Page *page) {
    report_add_heading(page->report, "Games");
    report_add_paragraph(
        page->report,
        "VP33_200_10 is the best player of the median run with 33 weights and Pr = 10 at "
        "generation "
        "200, VP33_0_0 the best of generation 0, and so on. All search %d plies here, and six "
        "in the paper, by alpha-beta with quiescence and hash tables, from openings of ours in "
        "place of its "
        "book. Stockfish2400 is Stockfish with UCI_Elo 2400, whose weaker moves are drawn by "
        "chance: "
        "its games differ from run to run, and all others are the same again.",
        asoc_plies(plan));
    Table *table = page_add_matches(page->report, "Matches, sections 5.3 and 5.4");
    Status status = OK;
    for (size_t i = 0; i < MEETING_COUNT && status == OK; i++)
        if (plan_has(plan, meetings[i].step))
            status = add_meeting(plan, page, table, &meetings[i]);
    static const char *const captions[][2] = {
        {"rate-24", "Table 11: ratings with 24 weights; VP24_200_10 is given the paper's"},
        {"rate-33", "Table 12: ratings with 33 weights; VP33_200_10 is given the paper's"},
        {"rate-opponent", "Table 13: ratings against an opponent of 2400 (Chessmaster there, "
                          "Stockfish here), who is given the paper's"},
        {"rate-vp50",
         "Table 14: before and after the tournament; VP33_200_10 is given the paper's"},
    };
    for (size_t i = 0; i < sizeof captions / sizeof captions[0] && status == OK; i++)
        status = add_ratings(plan, page->report, captions[i][0], captions[i][1]);
    return status == OK ? add_tournament(plan, page->report) : status;
}
