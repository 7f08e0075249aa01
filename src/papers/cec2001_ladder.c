// SPDX-License-Identifier: GPL-3.0-or-later
// CEC 2001's players against others: at a fixed depth (Table 1) and up a ladder (Table 2).
#include "papers/cec2001.h"

#include <math.h>
#include <stdlib.h>

enum { OURS = 4, RATED = OURS + CEC_RUNGS + CEC_ANCHORS };

// Ours and the paper's, with what Tables 1 and 2 say of the paper's.
typedef struct Contender {
    const char *name, *points;
    double rating;
} Contender;
static const Contender contenders[OURS] = {
    {"undeveloped", "0 of 2 games", 650},
    {"developed", "1 of 2 games", 1750},
    {"the paper's undeveloped", "0 of 2 games", 650},
    {"the paper's developed", "1 of 2 games", 1750},
};
enum { UNDEVELOPED, DEVELOPED }; // their places among them

// --- a fixed depth ---

static Status claim_fixed_depth(const Plan *plan, Page *page) {
    MeetingScore before, after;
    Status status = evidence_meeting(plan, "fixed-depth", "undeveloped", "FALCON", &before);
    if (status == OK)
        status = evidence_meeting(plan, "fixed-depth", "developed", "FALCON", &after);
    if (status != OK)
        return status;
    Str ours = {0};
    str_add(&ours, "undeveloped: ");
    page_say_match(&ours, &before);
    str_add(&ours, "; developed: ");
    page_say_match(&ours, &after);
    const EloEstimate low = page_elo(&before), high = page_elo(&after);
    page_claim(
        page, "It holds its own at three plies",
        "undeveloped 0 of 2 games, developed 1 of 2, against Chessmaster 2100", str_text(&ours),
        high.low > low.high   ? "Developed it scores more, beyond doubt, as in the paper; "
                                "the opponent is another one."
        : high.high < low.low ? "Developed it scores less, unlike in the paper; the opponent "
                                "is another one."
                              : "Not told apart by these games; the opponent is another one.");
    str_free(&ours);
    return OK;
}

static Status show_fixed_depth(const Plan *plan, Report *report) {
    report_add_paragraph(report, "FALCON, the largest of our evaluations, stands in for "
                                 "Chessmaster 2100: three plies of the same plain search for "
                                 "both sides, so that only the evaluation differs.");
    Table *table = page_add_matches(report, "Table 1: against FALCON at three plies");
    Status status = OK;
    for (int i = 0; status == OK && i < OURS; i++) {
        MeetingScore score;
        status = evidence_meeting(plan, "fixed-depth", contenders[i].name, "FALCON", &score);
        page_add_match(table, contenders[i].name, &score, contenders[i].points);
    }
    return status;
}

// --- ratings ---

typedef struct Rated {
    Str name;
    EvidenceRating ladder, anchored; // the latter on Stockfish's scale
    double paper;
} Rated;

typedef struct Ratings {
    Rated players[RATED];
    size_t count;
} Ratings;

static Status rate_player(const Plan *plan, Ratings *ratings, const char *name, double paper) {
    Rated *rated = &ratings->players[ratings->count++];
    *rated = (Rated){.paper = paper};
    str_add(&rated->name, name);
    Status status = evidence_rating(plan, "ratings", name, &rated->ladder);
    if (status == OK)
        status = evidence_rating(plan, "stockfish-ratings", name, &rated->anchored);
    return status;
}

static int by_strength(const void *a, const void *b) {
    const Rated *one = a, *other = b;
    const bool is_anchored = !isnan(one->anchored.elo) && !isnan(other->anchored.elo);
    const double difference =
        is_anchored ? one->anchored.elo - other->anchored.elo : one->ladder.elo - other->ladder.elo;
    return difference > 0 ? -1 : difference < 0;
}

// Strongest first.
static Status read_ratings(const Plan *plan, Ratings *out) {
    *out = (Ratings){0};
    Status status = OK;
    for (int i = 0; status == OK && i < OURS; i++)
        status = rate_player(plan, out, contenders[i].name, contenders[i].rating);
    for (int i = 0; status == OK && i < CEC_RUNGS; i++)
        status = rate_player(plan, out, cec_rungs[i].name, (double)NAN);
    for (int i = 0; status == OK && i < CEC_ANCHORS && plan_has(plan, "stockfish-ratings"); i++) {
        Str name = {0};
        cec_anchor_name(&name, cec_anchors[i]);
        status = rate_player(plan, out, str_text(&name), (double)NAN);
        str_free(&name);
    }
    qsort(out->players, out->count, sizeof *out->players, by_strength);
    return status;
}

static void ratings_free(Ratings *ratings) {
    for (size_t i = 0; i < ratings->count; i++)
        str_free(&ratings->players[i].name);
}

static Status claim_ratings(const Plan *plan, Page *page) {
    Ratings two = {0};
    Status status = rate_player(plan, &two, contenders[UNDEVELOPED].name, 0);
    if (status == OK)
        status = rate_player(plan, &two, contenders[DEVELOPED].name, 0);
    const Rated *before = &two.players[0], *after = &two.players[1];
    if (status == OK) {
        const double gain = after->ladder.elo - before->ladder.elo,
                     margin = hypot(before->ladder.plus, after->ladder.plus);
        const double theirs = contenders[DEVELOPED].rating - contenders[UNDEVELOPED].rating;
        Str said = {0}, ours = {0};
        str_addf(&said, "from %.0f to %.0f: %+.0f (USCF, by opponents of Chessmaster 8000)",
                 contenders[UNDEVELOPED].rating, contenders[DEVELOPED].rating, theirs);
        str_addf(&ours, "%+.0f Elo, 95%% interval %+.0f to %+.0f", gain, gain - margin,
                 gain + margin);
        if (!isnan(after->anchored.elo))
            str_addf(&ours, "; on Stockfish's scale from %.0f to %.0f", before->anchored.elo,
                     after->anchored.elo);
        page_claim(page, "Learning raises the rating", str_text(&said), str_text(&ours),
                   gain - margin > theirs   ? "Here it is worth more."
                   : gain + margin < theirs ? "Here it is worth less."
                                            : "Not told apart from the paper's.");
        str_free(&said);
        str_free(&ours);
    }
    ratings_free(&two);
    return status;
}

static void show_bars(const Ratings *ratings, bool is_anchored, Report *report) {
    Bars *bars = report_add_bars(
        report, &(BarsSpec){.title = is_anchored ? "Players and ladder on Stockfish's scale"
                                                 : "Players and ladder (the mean of all is 0)",
                            .value_label = "Elo"});
    bars_add_series(bars, "Elo");
    for (size_t i = 0; i < ratings->count; i++) {
        const Rated *rated = &ratings->players[i];
        bars_add_group(bars, str_text(&rated->name),
                       is_anchored ? &rated->anchored.elo : &rated->ladder.elo);
    }
}

static void show_table(const Ratings *ratings, bool is_anchored, Report *report) {
    Table *table = report_add_table(report, "Table 2: ratings");
    table_add_text_column(table, "player");
    table_add_number_column(table, "Elo", 0);
    table_add_number_column(table, "±", 0);
    if (is_anchored) {
        table_add_number_column(table, "on Stockfish's scale", 0);
        table_add_number_column(table, "± of it", 0);
    }
    table_add_number_column(table, "the paper (USCF)", 0);
    for (size_t i = 0; i < ratings->count; i++) {
        const Rated *rated = &ratings->players[i];
        table_add_text(table, str_text(&rated->name));
        table_add_number(table, rated->ladder.elo);
        table_add_number(table, rated->ladder.plus);
        if (is_anchored) {
            table_add_number(table, rated->anchored.elo);
            table_add_number(table, rated->anchored.plus);
        }
        table_add_number(table, rated->paper);
    }
}

static Status show_ratings(const Plan *plan, Report *report) {
    const bool is_anchored = plan_has(plan, "stockfish-ratings");
    Ratings ratings;
    Status status = read_ratings(plan, &ratings);
    if (status == OK) {
        if (is_anchored)
            report_add_paragraph(
                report,
                "Elo is from the games of these players with each other, which repeat exactly; the "
                "mean of all is 0. Stockfish with limited strength (UCI_Elo) draws its mistakes "
                "from the clock: its games differ from run to run, and so does the scale they "
                "give, on which Stockfish at %d has that rating.",
                cec_anchors[0]);
        show_bars(&ratings, is_anchored, report);
        show_table(&ratings, is_anchored, report);
    }
    ratings_free(&ratings);
    return status;
}

// --- the ladder ---

// The step in which a contender met a rung.
static Status meet(const Plan *plan, int contender, int rung, MeetingScore *out) {
    return evidence_meeting(plan, "ladder", contenders[contender].name, cec_rungs[rung].name, out);
}

static Status show_ladder(const Plan *plan, Report *report) {
    int nearest[OURS] = {0};
    double distance[OURS];
    Table *table = report_add_table(report, "Up the ladder: score of each player, in %");
    table_add_text_column(table, "against");
    table_add_number_column(table, "games each", 0);
    for (int i = 0; i < OURS; i++) {
        table_add_number_column(table, contenders[i].name, 1);
        distance[i] = (double)INFINITY;
    }
    Status status = OK;
    for (int rung = 0; status == OK && rung < CEC_RUNGS; rung++) {
        table_add_text(table, cec_rungs[rung].name);
        for (int i = 0; status == OK && i < OURS; i++) {
            MeetingScore score;
            status = meet(plan, i, rung, &score);
            if (i == 0)
                table_add_number(table, (double)page_games(&score));
            table_add_number(table, page_percent(&score));
            if (fabs(page_percent(&score) - 50) < distance[i]) {
                distance[i] = fabs(page_percent(&score) - 50);
                nearest[i] = rung;
            }
        }
    }
    Str even = {0};
    for (int i = 0; i < OURS; i++)
        str_addf(&even, "%s%s with %s", i == 0 ? "" : "; ", contenders[i].name,
                 cec_rungs[nearest[i]].name);
    report_add_paragraph(report, "Nearest to an even match: %s.", str_text(&even));
    str_free(&even);
    return status;
}

Status cec_claim_matches(const Plan *plan, Page *page) {
    Status status = claim_fixed_depth(plan, page);
    return status == OK ? claim_ratings(plan, page) : status;
}

Status cec_show_matches(const Plan *plan, Report *report) {
    report_add_heading(report, "Against a fixed-depth opponent");
    Status status = show_fixed_depth(plan, report);
    report_add_heading(report, "Up the ladder");
    report_add_paragraph(
        report, "The paper raised or lowered Chessmaster's opponents until they were evenly "
                "matched. Here everybody meets every rung: a mover at random, Shannon's values "
                "with the legal move at 1 as the paper seeded it, and Eyas with FALCON's weights "
                "and few nodes. Our players and the paper's, with its printed values, think three "
                "plies.");
    if (status == OK)
        status = show_ladder(plan, report);
    return status == OK ? show_ratings(plan, report) : status;
}
