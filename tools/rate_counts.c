// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/rate_counts.h"

#include "match/rating/elo_papers.h"
#include "tools/print.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

enum { PAPERS_DEVIATIONS = 2 };

static void print_estimate(const EloEstimate *e, const char *draws) {
    print_out("Score: %.2f %%\n", 100 * e->score);
    print_out("Elo: %.1f +/- %.1f (95%%: %.1f to %.1f), logistic Elo\n", e->elo, e->margin, e->low,
              e->high);
    print_out("nElo: %.1f +/- %.1f (95%%), normalized Elo\n", e->normalized, e->normalized_margin);
    print_out("LOS: %.1f %%, %s: %.1f %%\n", 100 * e->los, draws, 100 * e->draw_ratio);
}

static void print_test(const SprtConfig *sprt, const SprtState *state) {
    Str out = {0};
    sprt_describe(sprt, state, &out);
    print_text(stdout, str_text(&out));
    str_free(&out);
}

static void print_appendix_b(const GameCounts *counts) {
    AppendixB b = appendix_b(counts, PAPERS_DEVIATIONS);
    print_out(
        "Appendix B of GECCO 2008 and GPEM 2010, %d standard deviations (95%%):\n"
        "  mean (B.3) %.4f, difference RD (B.2) %+.1f, s (B.4) %.4f\n"
        "  as printed, mean +- %d s:           %+.1f to %+.1f\n"
        "  as meant, mean +- %d s / sqrt(N):   %+.1f to %+.1f\n"
        "  The appendix takes s, which is the spread of single games, for that of the mean; the\n"
        "  mean of N games spreads by s / sqrt(N), and the papers' own figures are that.\n",
        PAPERS_DEVIATIONS, b.mean, b.difference, b.s, PAPERS_DEVIATIONS, b.printed_low,
        b.printed_high, PAPERS_DEVIATIONS, b.low, b.high);
}

// One row with everything.
static void print_row(const EloEstimate *e, const SprtConfig *sprt, const SprtState *state,
                      RateFormat format) {
    static const char *const verdicts[] = {"", "H0", "H1"};
    static const char *const names[] = {"score", "elo",        "low", "high",      "los",
                                        "draws", "normalized", "llr", "llr_lower", "llr_upper"};
    double values[] = {e->score,
                       e->elo,
                       e->low,
                       e->high,
                       e->los,
                       e->draw_ratio,
                       e->normalized,
                       sprt == NULL ? (double)NAN : state->llr,
                       sprt == NULL ? (double)NAN : state->lower,
                       sprt == NULL ? (double)NAN : state->upper};
    Table *table = table_create("");
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        table_add_number_column(table, names[i], 3);
    table_add_text_column(table, "sprt_model");
    table_add_text_column(table, "accepted");
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        table_add_number(table, values[i]);
    table_add_text(table, sprt == NULL ? "" : sprt_model_names[sprt->model]);
    table_add_text(table, sprt == NULL ? "" : verdicts[state->verdict]);
    rate_print(table, format);
    table_destroy(table);
}

void rate_counts(const GameCounts *counts, const SprtConfig *sprt, RateFormat format) {
    EloEstimate e = elo_from_games(counts);
    SprtState state = {0};
    if (sprt != NULL)
        state = sprt_from_games(sprt, counts);
    if (format != RATE_TEXT) {
        print_row(&e, sprt, &state, format);
        return;
    }
    print_out("Games: %" PRIu64 " won, %" PRIu64 " lost, %" PRIu64 " drawn\n", counts->wins,
              counts->losses, counts->draws);
    print_estimate(&e, "draws");
    if (sprt != NULL)
        print_test(sprt, &state);
    print_appendix_b(counts);
}

void rate_pairs(const PairCounts *pairs, const SprtConfig *sprt, RateFormat format) {
    EloEstimate e = elo_from_pairs(pairs);
    const uint64_t *n = pairs->results;
    SprtState state = {0};
    if (sprt != NULL)
        state = sprt_from_pairs(sprt, pairs);
    if (format != RATE_TEXT) {
        print_row(&e, sprt, &state, format);
        return;
    }
    print_out("Ptnml(0-2): [%" PRIu64 ", %" PRIu64 ", %" PRIu64 ", %" PRIu64 ", %" PRIu64 "]\n",
              n[0], n[1], n[2], n[3], n[4]);
    print_estimate(&e, "even pairs");
    if (sprt != NULL)
        print_test(sprt, &state);
}
