// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/verdict.h"

#include "run/files/verdict_file.h"

#include <inttypes.h>
#include <math.h>
#include <unistd.h>

enum { PAIRS_AT_ONCE = 32 };

Status verdict_play(Problem *problem, const VerdictSetup *setup, const EvolveBatch *players,
                    uint64_t first, uint64_t before, Progress *progress, DuelScore *score,
                    bool *is_done) {
    const uint64_t pairs = setup->games / 2;
    for (uint64_t done = 0; done < pairs && *is_done;) {
        const uint64_t now = pairs - done < PAIRS_AT_ONCE ? pairs - done : PAIRS_AT_ONCE;
        TRY(problem_duel(problem, players, first + done, (size_t)now, score));
        done += now;
        progress_show(progress, before + 2 * done, NULL);
        *is_done = done == pairs || setup->stop == NULL || !atomic_load(setup->stop);
    }
    return OK;
}

static Status play_games(Problem *problem, const VerdictSetup *setup, DuelScore *score,
                         bool *is_done) {
    Progress progress;
    *score = (DuelScore){0};
    progress_start(&progress, setup->progress, "games of the verdict", setup->games, 0);
    const Status status =
        verdict_play(problem, setup, setup->players, setup->run * (setup->games / 2), 0, &progress,
                     score, is_done);
    progress_end(&progress);
    return status;
}

Status verdict_reach(Problem *problem, const VerdictSetup *setup, DuelScore *out, bool *is_done) {
    CLEANUP(str_free) Str path = {0};
    VerdictCounts counts = {0};
    *is_done = true;
    str_addf(&path, "%s/verdict.csv", setup->directory);
    const bool is_there = access(str_text(&path), F_OK) == 0;
    if (is_there)
        TRY(verdict_file_read(str_text(&path), &counts));
    *out = (DuelScore){counts.games, counts.pairs};
    if (is_there && counts.played == setup->games)
        return OK;
    TRY(play_games(problem, setup, out, is_done));
    counts = (VerdictCounts){setup->games, out->games, out->pairs};
    return *is_done ? verdict_file_write(str_text(&path), &counts) : OK;
}

double verdict_percent(const DuelScore *score) {
    const uint64_t games = score->games.wins + score->games.draws + score->games.losses;
    return games == 0 ? (double)NAN : 100 * elo_from_games(&score->games).score;
}

const char *verdict_opponent(const Problem *problem) {
    return problem_can_play(problem) ? "the values set by hand" : "what it came from";
}

void verdict_describe(const DuelScore *score, const char *opponent, Str *out) {
    const EloEstimate estimate = elo_from_pairs(&score->pairs);
    str_addf(out, "%+.0f Elo (95%% interval %+.0f to %+.0f): ", estimate.elo, estimate.low,
             estimate.high);
    if (estimate.low <= 0 && estimate.high >= 0)
        str_add(out, "no difference that these games could show");
    else
        str_addf(out, "%s than %s", estimate.low > 0 ? "better" : "worse", opponent);
    str_addf(out,
             ", by %" PRIu64 " wins, %" PRIu64 " draws and %" PRIu64
             " losses on openings that evolution has not seen",
             score->games.wins, score->games.draws, score->games.losses);
}
