// SPDX-License-Identifier: GPL-3.0-or-later
#include "fit/fit_verdict.h"

#include "base/locate.h"
#include "base/mem.h"
#include "base/progress.h"
#include "fitness/games/games.h"
#include "match/play/openings.h"

#include <inttypes.h>

enum { PAIRS_AT_ONCE = 32, OPENING_PLIES = 16, MOVES_OF_GAME_MAX = 300, FITTED = 0, START = 1 };

// Between equal and ten Elo: what is clearly one or the other ends the test early.
static const SprtConfig test = {.elo0 = 0, .elo1 = 10, .alpha = 0.05, .beta = 0.05};

// The two games of each opening: the fitted weights have White, then Black.
static void set_up(const Openings *openings, uint64_t first, size_t pairs, GameTask *tasks) {
    for (size_t i = 0; i < pairs; i++) {
        const Position start = openings_position(openings, first + i);
        tasks[2 * i] = (GameTask){FITTED, START, start};
        tasks[2 * i + 1] = (GameTask){START, FITTED, start};
    }
}

static void count_pair(const GameScore scores[2], FitVerdict *out) {
    const unsigned points[2] = {scores[0].half_points, 2 - scores[1].half_points};
    out->pairs.results[points[0] + points[1]]++;
    for (int i = 0; i < 2; i++) {
        out->games.wins += points[i] == 2;
        out->games.draws += points[i] == 1;
        out->games.losses += points[i] == 0;
    }
}

static FitAnswer answer_of(const FitVerdict *verdict) {
    const EloEstimate estimate = elo_from_pairs(&verdict->pairs);
    const SprtState state = sprt_from_pairs(&test, &verdict->pairs);
    if (estimate.high < 0)
        return ANSWER_WORSE;
    return state.verdict == SPRT_H1 || estimate.low > 0 ? ANSWER_BETTER : ANSWER_CANNOT_TELL;
}

static Status play_all(const FitVerdictConfig *config, const Openings *openings, Games *games,
                       const Weights *players, FitVerdict *out) {
    const uint64_t pairs = config->games / 2;
    GameTask tasks[2 * PAIRS_AT_ONCE];
    GameScore scores[2 * PAIRS_AT_ONCE];
    Progress progress;
    Status status = OK;
    progress_start(&progress, config->progress, "games of the verdict", config->games, 0);
    for (uint64_t done = 0; done < pairs && status == OK;) {
        const size_t now = pairs - done < PAIRS_AT_ONCE ? (size_t)(pairs - done) : PAIRS_AT_ONCE;
        set_up(openings, done, now, tasks);
        status = games_play(games, players, tasks, 2 * now, scores, NULL);
        for (size_t i = 0; i < now && status == OK; i++)
            count_pair(scores + 2 * i, out);
        done += now;
        char note[40];
        const EloEstimate estimate = elo_from_pairs(&out->pairs);
        snprintf(note, sizeof note, "%+.0f Elo", estimate.elo);
        progress_show(&progress, 2 * done, note);
        if (sprt_from_pairs(&test, &out->pairs).verdict != SPRT_GOES_ON)
            break;
    }
    progress_end(&progress);
    return status;
}

CLEANUP_AT(Games *, games_destroy)

Status fit_verdict_play(const FitVerdictConfig *config, const Weights *fitted, const Weights *start,
                        DistPool *pool, FitVerdict *out) {
    CLEANUP(str_free) Str path = {0};
    CLEANUP(openings_free_at) Openings *openings = NULL;
    *out = (FitVerdict){.answer = ANSWER_CANNOT_TELL};
    TRY(locate("data", config->openings, &path));
    const OpeningsConfig what = {.path = str_text(&path),
                                 .format = openings_guess_format(str_text(&path)),
                                 .plies = OPENING_PLIES,
                                 .is_random = true,
                                 .seed = config->seed};
    TRY(openings_load(&openings, &what));
    if (openings_count(openings) < config->games / 2)
        return error_set(ERR_ARG,
                         "%s: %zu openings are too few for %" PRIu64
                         " games of a verdict, each opening played once with either colour",
                         str_text(&path), openings_count(openings), config->games);
    const GamesConfig how = {
        .profile = PROFILE_MODERN, .nodes = config->nodes, .max_moves = MOVES_OF_GAME_MAX};
    CLEANUP(games_destroy_at) Games *games = games_create(&how, pool);
    const Weights players[2] = {[FITTED] = *fitted, [START] = *start};
    TRY(play_all(config, openings, games, players, out));
    out->answer = answer_of(out);
    return OK;
}

void fit_verdict_describe(const FitVerdict *verdict, const FitVerdictConfig *config, Str *out) {
    const EloEstimate estimate = elo_from_pairs(&verdict->pairs);
    const GameCounts *games = &verdict->games;
    str_addf(out,
             "%+.0f Elo (95%% interval %+.0f to %+.0f) in %" PRIu64 " games of %" PRIu64
             " nodes a move: %" PRIu64 " won, %" PRIu64 " drawn, %" PRIu64 " lost",
             estimate.elo, estimate.low, estimate.high, games->wins + games->draws + games->losses,
             config->nodes, games->wins, games->draws, games->losses);
}
