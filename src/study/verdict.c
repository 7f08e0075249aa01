// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/verdict.h"

#include "base/file.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

enum { PAIRS_AT_ONCE = 32, FILE_BYTES_MAX = 4096 };

static const char header[] =
    "games,wins,draws,losses,pairs 0,pairs 1/2,pairs 1,pairs 3/2,pairs 2\n";

static Status write_score(const DuelScore *score, uint64_t games, const char *path) {
    Str text = {0};
    str_addf(&text, "%s%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64, header, games,
             score->games.wins, score->games.draws, score->games.losses);
    for (int i = 0; i < PAIR_RESULTS; i++)
        str_addf(&text, ",%" PRIu64, score->pairs.results[i]);
    str_add(&text, "\n");
    const Status status = file_write(path, text.text, text.length);
    str_free(&text);
    return status;
}

// False where there is no verdict of so many games.
static bool read_score(const char *path, uint64_t games, DuelScore *out) {
    Str text = {0};
    uint64_t of = 0;
    int read = 0;
    if (access(path, R_OK) == 0 && file_read(path, FILE_BYTES_MAX, &text) == OK &&
        text.length > sizeof header - 1)
        read = sscanf(text.text + sizeof header - 1,
                      "%" SCNu64 ",%" SCNu64 ",%" SCNu64 ",%" SCNu64 ",%" SCNu64 ",%" SCNu64
                      ",%" SCNu64 ",%" SCNu64 ",%" SCNu64,
                      &of, &out->games.wins, &out->games.draws, &out->games.losses,
                      &out->pairs.results[0], &out->pairs.results[1], &out->pairs.results[2],
                      &out->pairs.results[3], &out->pairs.results[4]);
    str_free(&text);
    return read == 4 + PAIR_RESULTS && of == games &&
           out->games.wins + out->games.draws + out->games.losses == games;
}

static Status play_games(Problem *problem, const VerdictSetup *setup, DuelScore *score,
                         bool *is_done) {
    const uint64_t pairs = setup->games / 2, first = setup->run * pairs;
    Progress progress;
    Status status = OK;
    *score = (DuelScore){0};
    progress_start(&progress, setup->progress, "games of the verdict", setup->games, 0);
    for (uint64_t done = 0; done < pairs && status == OK && *is_done;) {
        const uint64_t now = pairs - done < PAIRS_AT_ONCE ? pairs - done : PAIRS_AT_ONCE;
        status = problem_duel(problem, setup->players, first + done, (size_t)now, score);
        done += now;
        progress_show(&progress, 2 * done, NULL);
        *is_done = done == pairs || setup->stop == NULL || !atomic_load(setup->stop);
    }
    progress_end(&progress);
    return status;
}

Status verdict_reach(Problem *problem, const VerdictSetup *setup, DuelScore *out, bool *is_done) {
    Str path = {0};
    Status status = OK;
    *is_done = true;
    str_addf(&path, "%s/verdict.csv", setup->directory);
    if (!read_score(str_text(&path), setup->games, out)) {
        status = play_games(problem, setup, out, is_done);
        if (status == OK && *is_done)
            status = write_score(out, setup->games, str_text(&path));
    }
    str_free(&path);
    return status;
}

double verdict_percent(const DuelScore *score) {
    const uint64_t games = score->games.wins + score->games.draws + score->games.losses;
    return games == 0 ? (double)NAN : 100 * elo_from_games(&score->games).score;
}

void verdict_describe(const DuelScore *score, Str *out) {
    const EloEstimate estimate = elo_from_pairs(&score->pairs);
    const char *words = estimate.low > 0    ? "better than what it came from"
                        : estimate.high < 0 ? "worse than what it came from"
                                            : "no difference that these games could show";
    str_addf(out,
             "%+.0f Elo (95%% interval %+.0f to %+.0f): %s, by %" PRIu64 " wins, %" PRIu64
             " draws and %" PRIu64 " losses on openings that evolution has not seen",
             estimate.elo, estimate.low, estimate.high, words, score->games.wins,
             score->games.draws, score->games.losses);
}
