// SPDX-License-Identifier: GPL-3.0-or-later
#include "match/play/standings.h"

#include "base/mem.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    CROSS_PLAYERS_MAX = 12, // a table of more is wider than a terminal
    NAME_WIDTH = 25,
};

typedef struct Rank {
    int player;
    uint64_t games;
    EloEstimate elo;
} Rank;

static uint64_t games_of(const GameCounts *counts) {
    return counts->wins + counts->losses + counts->draws;
}

static uint64_t points_of(const GameCounts *counts) {
    return 2 * counts->wins + counts->draws;
}

static void add_counts(const MeetingScore *score, Str *out) {
    EloEstimate elo = elo_from_games(&score->games);
    str_addf(out, "%" PRIu64 " - %" PRIu64 " - %" PRIu64 "  [%.3f] %" PRIu64, score->games.wins,
             score->games.losses, score->games.draws, elo.score, games_of(&score->games));
}

static void add_pairs(const PairCounts *pairs, Str *out) {
    const uint64_t *p = pairs->results;
    str_addf(out, "Ptnml(0-2): [%" PRIu64 ", %" PRIu64 ", %" PRIu64 ", %" PRIu64 ", %" PRIu64 "]",
             p[0], p[1], p[2], p[3], p[4]);
}

void standings_write_line(const Tally *tally, const char *const *names, int a, int b, Str *out) {
    MeetingScore score = tally_meeting(tally, a, b);
    str_addf(out, "Score of %s vs %s: ", names[a], names[b]);
    add_counts(&score, out);
    str_add(out, "\n");
}

void standings_write_score(const Tally *tally, const char *const *names, int a, int b,
                           bool has_pairs, Str *out) {
    MeetingScore score = tally_meeting(tally, a, b);
    EloEstimate elo = elo_from_games(&score.games), pairs = elo_from_pairs(&score.pairs);
    standings_write_line(tally, names, a, b, out);
    str_addf(out, "Elo difference: %.1f +/- %.1f, LOS: %.1f %%, DrawRatio: %.1f %%\n", elo.elo,
             elo.margin, 100 * elo.los, 100 * elo.draw_ratio);
    if (!has_pairs)
        return;
    add_pairs(&score.pairs, out);
    str_addf(out, ", logistic Elo by pairs: %.1f +/- %.1f, normalized: %.1f +/- %.1f\n", pairs.elo,
             pairs.margin, pairs.normalized, pairs.normalized_margin);
}

static void add_ratio(const char *name, uint64_t part, uint64_t other, Str *out) {
    if (other > 0)
        str_addf(out, "%s: %.2f", name, (double)part / (double)other);
    else
        str_addf(out, "%s: %s", name, part > 0 ? "inf" : "nan");
}

static void add_block_pairs(const MeetingScore *score, Str *out) {
    add_pairs(&score->pairs, out);
    add_ratio(", WL/DD Ratio", score->split_pairs, score->pairs.results[2] - score->split_pairs,
              out);
    str_add(out, "\n");
}

void standings_write_block(const Tally *tally, const char *const *names, int a, int b,
                           bool has_pairs, const char *setting, Str *out) {
    MeetingScore score = tally_meeting(tally, a, b);
    const uint64_t *p = score.pairs.results, games = games_of(&score.games);
    EloEstimate elo = has_pairs ? elo_from_pairs(&score.pairs) : elo_from_games(&score.games);
    double points = (double)points_of(&score.games) / 2;
    str_addf(out, "Results of %s vs %s (%s):\n", names[a], names[b], setting);
    str_addf(out, "Elo: %.2f +/- %.2f, nElo: %.2f +/- %.2f\n", elo.elo, elo.margin, elo.normalized,
             elo.normalized_margin);
    str_addf(out, "LOS: %.2f %%, DrawRatio: %.2f %%", 100 * elo.los, 100 * elo.draw_ratio);
    if (has_pairs)
        add_ratio(", PairsRatio", p[3] + p[4], p[0] + p[1], out);
    str_addf(out,
             "\nGames: %" PRIu64 ", Wins: %" PRIu64 ", Losses: %" PRIu64 ", Draws: %" PRIu64
             ", Points: %.1f (%.2f %%)\n",
             games, score.games.wins, score.games.losses, score.games.draws, points,
             games == 0 ? 0 : 100 * points / (double)games);
    if (has_pairs)
        add_block_pairs(&score, out);
}

static int compare_ranks(const void *one, const void *other) {
    const Rank *a = one, *b = other;
    if (a->elo.score != b->elo.score)
        return a->elo.score > b->elo.score ? -1 : 1;
    if (a->games != b->games)
        return a->games > b->games ? -1 : 1;
    return a->player - b->player;
}

// Owned by the caller.
static Rank *rank_all(const Tally *tally) {
    Rank *ranks = mem_alloc_zero((size_t)tally->players, sizeof *ranks);
    for (int i = 0; i < tally->players; i++) {
        MeetingScore score = tally_player(tally, i);
        ranks[i] = (Rank){i, games_of(&score.games), elo_from_games(&score.games)};
    }
    qsort(ranks, (size_t)tally->players, sizeof *ranks, compare_ranks);
    return ranks;
}

static void add_points(uint64_t points, Str *out) {
    str_addf(out, "%" PRIu64 "%s", points / 2, points % 2 == 1 ? ".5" : "");
}

static void add_padded(Str *out, const Str *text, int width) {
    str_addf(out, "%*s", width, str_text(text));
}

// What one scored against each of the others, in the order of the ranks.
static void add_cross_row(const Tally *tally, const Rank *ranks, int row, Str *out) {
    CLEANUP(str_free) Str cell = {0};
    for (int column = 0; column < tally->players; column++) {
        str_clear(&cell);
        if (column == row) {
            str_add(&cell, "-");
        } else {
            MeetingScore score = tally_meeting(tally, ranks[row].player, ranks[column].player);
            add_points(points_of(&score.games), &cell);
        }
        add_padded(out, &cell, 7);
    }
}

void standings_write_ranks(const Tally *tally, const char *const *names, Str *out) {
    Rank *ranks = rank_all(tally);
    bool has_cross = tally->players <= CROSS_PLAYERS_MAX;
    str_addf(out, "Rank %-*s %7s %7s %7s %7s %7s", NAME_WIDTH, "Name", "Elo", "+/-", "Games",
             "Score", "Draw");
    for (int i = 0; has_cross && i < tally->players; i++)
        str_addf(out, "%7d", i + 1);
    str_add(out, "\n");
    for (int i = 0; i < tally->players; i++) {
        const EloEstimate *elo = &ranks[i].elo;
        str_addf(out, "%4d %-*s %7.0f %7.0f %7" PRIu64 " %6.1f%% %6.1f%%", i + 1, NAME_WIDTH,
                 names[ranks[i].player], elo->elo, elo->margin, ranks[i].games, 100 * elo->score,
                 100 * elo->draw_ratio);
        if (has_cross)
            add_cross_row(tally, ranks, i, out);
        str_add(out, "\n");
    }
    str_add(out, "Elo is logistic, from the score against all opponents; +/- holds with 95%\n");
    free(ranks);
}

void standings_write_meetings(const Tally *tally, const char *const *names, bool has_pairs,
                              Str *out) {
    for (int a = 0; a < tally->players; a++)
        for (int b = a + 1; b < tally->players; b++) {
            MeetingScore score = tally_meeting(tally, a, b);
            if (games_of(&score.games) == 0)
                continue;
            str_addf(out, "Score of %s vs %s: ", names[a], names[b]);
            add_counts(&score, out);
            if (has_pairs) {
                str_add(out, "  ");
                add_pairs(&score.pairs, out);
            }
            str_add(out, "\n");
        }
}

void standings_write_faults(const Tally *tally, const char *const *names, Str *out) {
    for (int i = 0; i < tally->players; i++) {
        str_addf(out, "Faults of %s: ", names[i]);
        fault_counts_write(&tally->faults[i], out);
        str_add(out, "\n");
    }
}
