// SPDX-License-Identifier: GPL-3.0-or-later
#include "serve/match_table.h"

#include "base/json.h"
#include "base/mem.h"
#include "match/play/tally.h"
#include "match/rating/rating.h"
#include "serve/columns.h"

#include <math.h>
#include <stdlib.h>

enum { PATH_POINTS = 300 };

// --- two players ---

// Whether a game is the second of a pair: the same opening as the one before, colours reversed.
static bool is_second(const MatchView *match, size_t index) {
    const MatchEntry *game = &match->games[index], *before = game - 1;
    return index % 2 == 1 && before->opening == game->opening && before->white == game->black &&
           before->black == game->white;
}

static void add_game(const MatchView *match, size_t index, MeetingScore *score) {
    const MatchEntry *game = &match->games[index];
    const int white = match_white_points((GameResult)game->result);
    meeting_score_add(score, game->white == 0 ? white : 2 - white, is_second(match, index));
}

// The games of two players from the first one's view; whether all come in pairs.
static MeetingScore meeting_of_two(const MatchView *match, bool *is_paired) {
    MeetingScore score = {0};
    *is_paired = match->count > 1;
    for (size_t i = 0; i < match->count; i++) {
        *is_paired = *is_paired && (i % 2 == 0 || is_second(match, i));
        add_game(match, i, &score);
    }
    return score;
}

SprtState match_table_sprt(const MatchView *match) {
    bool is_paired;
    const MeetingScore score = meeting_of_two(match, &is_paired);
    return sprt_from_pairs(&match->sprt, &score.pairs);
}

static void write_key(Str *out, const char *key, double number) {
    str_addf(out, ",\"%s\":", key);
    json_add_number(out, number);
}

// --- how it came about ---

// The difference with its interval, and the test, after some of the pairs (or games).
static void write_paths(const MatchView *match, bool is_paired, Str *out) {
    const size_t unit = is_paired ? 2 : 1, steps = match->count / unit;
    const size_t every = steps / PATH_POINTS + 1;
    MeetingScore score = {0};
    str_add(out, ",\"path\":[");
    for (size_t i = 0, told = 0; i < steps * unit; i++) {
        add_game(match, i, &score);
        const size_t step = (i + 1) / unit;
        if ((i + 1) % unit != 0 || (step % every != 0 && step != steps))
            continue;
        const EloEstimate elo =
            is_paired ? elo_from_pairs(&score.pairs) : elo_from_games(&score.games);
        str_addf(out, "%s{\"games\":%zu", told++ == 0 ? "" : ",", i + 1);
        write_key(out, "elo", elo.elo);
        write_key(out, "low", elo.low);
        write_key(out, "high", elo.high);
        if (match->has_sprt)
            write_key(out, "llr", sprt_from_pairs(&match->sprt, &score.pairs).llr);
        str_add(out, "}");
    }
    str_add(out, "]");
}

static void write_difference(const MatchView *match, Str *out) {
    bool is_paired;
    const MeetingScore score = meeting_of_two(match, &is_paired);
    const EloEstimate elo = is_paired ? elo_from_pairs(&score.pairs) : elo_from_games(&score.games);
    str_addf(out, ",\"difference\":{\"pairs\":%s", is_paired ? "true" : "false");
    write_key(out, "elo", elo.elo);
    write_key(out, "low", elo.low);
    write_key(out, "high", elo.high);
    write_key(out, "los", elo.los);
    write_key(out, "score", elo.score);
    str_add(out, "}");
    write_paths(match, is_paired, out);
}

static void write_sprt(const MatchView *match, Str *out) {
    static const char *const verdicts[] = {"goes on", "H0", "H1"};
    const SprtState state = match_table_sprt(match);
    str_addf(out, ",\"sprt\":{\"verdict\":\"%s\"", verdicts[state.verdict]);
    write_key(out, "llr", state.llr);
    write_key(out, "lower", state.lower);
    write_key(out, "upper", state.upper);
    write_key(out, "elo0", match->sprt.elo0);
    write_key(out, "elo1", match->sprt.elo1);
    str_add(out, "}");
}

// --- the field ---

static void count_games(const MatchView *match, GameCounts *counts) {
    for (size_t i = 0; i < match->count; i++) {
        const MatchEntry *game = &match->games[i];
        GameCounts *white = &counts[game->white], *black = &counts[game->black];
        const int points = match_white_points((GameResult)game->result);
        white->wins += points == 2;
        black->losses += points == 2;
        white->losses += points == 0;
        black->wins += points == 0;
        white->draws += points == 1;
        black->draws += points == 1;
    }
}

static Ratings *rate(const MatchView *match) {
    const size_t players = match->player_count;
    CLEANUP(mem_free_at)
    RatingResult *results = mem_alloc_zero(players * players + 1, sizeof *results);
    for (size_t i = 0; i < match->count; i++) {
        const MatchEntry *game = &match->games[i];
        const int points = match_white_points((GameResult)game->result);
        RatingResult *result = &results[game->white * players + game->black];
        *result = (RatingResult){game->white, game->black, result->wins + (points == 2),
                                 result->draws + (points == 1), result->losses + (points == 0)};
    }
    size_t used = 0;
    for (size_t i = 0; i < players * players; i++)
        if (results[i].wins + results[i].draws + results[i].losses > 0)
            results[used++] = results[i];
    const RatingConfig config = rating_defaults(RATING_BAYESELO);
    return ratings_compute(results, used, players, &config);
}

static double share_of(const GameCounts *counts) {
    const double games = (double)(counts->wins + counts->losses + counts->draws);
    return games == 0 ? NAN : ((double)counts->wins + 0.5 * (double)counts->draws) / games;
}

static void write_players(const MatchView *match, const GameCounts *counts, const Ratings *ratings,
                          Str *out) {
    str_add(out, ",\"players\":[");
    for (size_t i = 0; i < match->player_count; i++) {
        const Rating *rating = &ratings->players[i];
        str_addf(out, "%s{\"name\":", i == 0 ? "" : ",");
        json_add_string(out, match->players[i]);
        write_key(out, "wins", (double)counts[i].wins);
        write_key(out, "draws", (double)counts[i].draws);
        write_key(out, "losses", (double)counts[i].losses);
        write_key(out, "score", share_of(&counts[i]));
        write_key(out, "elo", rating->elo);
        write_key(out, "plus", rating->plus);
        write_key(out, "minus", rating->minus);
        str_add(out, "}");
    }
    str_add(out, "]");
}

void match_table_write(const MatchView *match, Str *out) {
    CLEANUP(mem_free_at)
    GameCounts *counts = mem_alloc_zero(match->player_count + 1, sizeof *counts);
    CLEANUP(ratings_free_at) Ratings *ratings = rate(match);
    count_games(match, counts);
    write_players(match, counts, ratings, out);
    if (match->player_count == 2)
        write_difference(match, out);
    if (match->has_sprt && match->player_count == 2)
        write_sprt(match, out);
}

// --- the list of all ---

static double number_at(const void *numbers, size_t index) {
    return ((const double *)numbers)[index];
}

// The score of the first player after each of its games, in percent.
static void write_curve(const MatchView *match, Str *out) {
    CLEANUP(mem_free_at) double *scores = mem_alloc((match->count + 1) * sizeof *scores);
    size_t games = 0;
    int points = 0;
    for (size_t i = 0; i < match->count; i++) {
        const MatchEntry *game = &match->games[i];
        const int white = match_white_points((GameResult)game->result);
        if (game->white != 0 && game->black != 0)
            continue;
        points += game->white == 0 ? white : 2 - white;
        games++;
        scores[games - 1] = 50.0 * points / (double)games;
    }
    columns_write_thinned(scores, games, number_at, COLUMNS_SMALL, out);
}

void match_table_write_summary(const MatchView *match, Str *out) {
    CLEANUP(mem_free_at)
    GameCounts *counts = mem_alloc_zero(match->player_count + 1, sizeof *counts);
    size_t best = 0;
    count_games(match, counts);
    for (size_t i = 1; i < match->player_count; i++)
        if (share_of(&counts[i]) > share_of(&counts[best]))
            best = i;
    const size_t field = (size_t)match->schedule.players;
    str_addf(out, ",\"player_count\":%zu,\"field\":%zu,\"leader\":", match->player_count,
             field > match->player_count ? field : match->player_count);
    json_add_string(out, match->player_count == 0 ? "" : match->players[best]);
    write_key(out, "leader_score", share_of(&counts[best]));
    str_add(out, ",\"curve\":");
    write_curve(match, out);
}
