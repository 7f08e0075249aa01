// SPDX-License-Identifier: GPL-3.0-or-later
#include "papers/page.h"

#include "report/number.h"

#include <math.h>

// --- claims ---

const char *page_verdict_words(PageVerdict verdict) {
    static const char *const words[] = {"", "holds", "does not", "cannot tell"};
    return words[verdict];
}

Table *page_add_claims(Report *report, const char *caption) {
    Table *table = report_add_table(report, caption);
    table_add_columns(table, "claim|verdict|the paper|here|the difference");
    return table;
}

void page_claim(Page *page, const PageClaim *claim) {
    Table *const tables[] = {page->claims, page->also};
    for (int i = 0; i < 2; i++)
        if (tables[i] != NULL) {
            table_add_text(tables[i], claim->claim);
            table_add_text(tables[i], page_verdict_words(claim->verdict));
            table_add_text(tables[i], claim->theirs);
            table_add_text(tables[i], claim->ours);
            table_add_text(tables[i], claim->remark);
        }
}

// --- matches ---

uint64_t page_games(const PaperScore *score) {
    return score->games.wins + score->games.draws + score->games.losses;
}

double page_percent(const PaperScore *score) {
    const uint64_t games = page_games(score);
    if (games == 0)
        return (double)NAN;
    return 100 * ((double)score->games.wins + (double)score->games.draws / 2) / (double)games;
}

double page_adjudicated(const PaperScore *score) {
    const uint64_t games = page_games(score);
    return games == 0 ? (double)NAN : 100 * score->adjudicated / (double)games;
}

EloEstimate page_elo(const PaperScore *score) {
    return elo_from_pairs(&score->pairs);
}

Table *page_add_matches(Report *report, const char *caption, Intervals **elo) {
    Table *table = report_add_table(report, caption);
    *elo = report_add_intervals(
        report, &(IntervalsSpec){.value_label = "Elo difference, with the 95% interval",
                                 .mark_label = "the paper"});
    table_add_columns(
        table,
        "match|games:0|wins:0|draws:0|losses:0|score, %:1|Elo:0|from:0|to:0|adjudicated, %:1|"
        "the paper|verdict");
    return table;
}

void page_add_score(Table *table, const PaperScore *score) {
    const uint64_t games = page_games(score);
    const EloEstimate elo = page_elo(score);
    TABLE_ADD_NUMBERS(table, (double)games, (double)score->games.wins, (double)score->games.draws,
                      (double)score->games.losses, page_percent(score),
                      games == 0 ? (double)NAN : elo.elo, games == 0 ? (double)NAN : elo.low,
                      games == 0 ? (double)NAN : elo.high, page_adjudicated(score));
}

static double elo_of_percent(double percent) {
    return percent > 0 && percent < 100 ? elo_of_score(percent / 100) : (double)NAN;
}

void page_add_elo(Intervals *elo, const char *match, const PaperScore *score, double percent) {
    const EloEstimate estimate = page_elo(score);
    if (page_games(score) > 0)
        intervals_add(elo, match,
                      &(Interval){.value = estimate.elo,
                                  .low = estimate.low,
                                  .high = estimate.high,
                                  .mark = elo_of_percent(percent)});
}

PageVerdict page_judge_match(const PaperScore *score, double percent) {
    const EloEstimate elo = page_elo(score);
    const double theirs = elo_of_percent(percent);
    if (isnan(theirs))
        return VERDICT_NONE;
    if (page_games(score) < PAGE_GAMES_LEAST)
        return VERDICT_UNSURE;
    if (theirs < elo.low || theirs > elo.high)
        return VERDICT_FAILS;
    return elo.high - elo.low > PAGE_ELO_WIDE ? VERDICT_UNSURE : VERDICT_HOLDS;
}

static void say_elo(Str *out, double elo) {
    if (isinf(elo))
        str_add(out, elo > 0 ? "∞" : "-∞");
    else
        str_addf(out, "%+.0f", elo);
}

void page_say_match(Str *out, const PaperScore *score) {
    const uint64_t games = page_games(score);
    if (games == 0) {
        str_add(out, "not played");
        return;
    }
    const EloEstimate elo = page_elo(score);
    str_addf(out, "%.1f%% of %s games (", page_percent(score), number_of((long long)games).text);
    say_elo(out, elo.elo);
    str_add(out, " Elo, 95% interval ");
    say_elo(out, elo.low);
    str_add(out, " to ");
    say_elo(out, elo.high);
    str_add(out, ")");
}

void page_say_time(Str *out, double seconds) {
    if (isnan(seconds))
        str_add(out, "–");
    else if (seconds < 60)
        str_addf(out, seconds < 10 ? "%.1f s" : "%.0f s", seconds);
    else if (seconds < 5400)
        str_addf(out, seconds < 600 ? "%.1f min" : "%.0f min", seconds / 60);
    else
        str_addf(out, "%.1f h", seconds / 3600);
}
