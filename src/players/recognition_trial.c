// SPDX-License-Identifier: GPL-3.0-or-later
#include "players/recognition.h"

#include "base/mem.h"
#include "base/rng.h"
#include "players/opening_model.h"

#include <math.h>
#include <stdlib.h>

const char *const trial_rule_names[TRIAL_RULES] = {"agreement", "likelihood", "combined",
                                                   "openings alone"};

// What random numbers are drawn for.
enum { USE_GAMES = 1, USE_TIES, USE_LABELS };
// A game tells little without so many plies behind the opening; more games than this of a player do
// not make the calibration better.
enum { PLIES_MIN = 20, CALIBRATION_MAX = 300 };
static const double TESTED_SHARE = 2.0 / 3;

typedef struct Bench {
    const TrialConfig *config;
    const PlayerGames *games;
    const PlayerGame **chosen; // for calibration, then for the test, player by player
    size_t calibration, count;
    size_t per_player; // of the test
    Evidence *evidence;
    OpeningModel *openings;
    size_t commonest;
    Trial *out;
} Bench;

// --- which games ---

static void bench_free(Bench *bench) {
    opening_model_destroy(bench->openings);
    free(bench->evidence);
    free(bench->chosen);
}

typedef enum Part { PART_TRAINING, PART_CALIBRATION, PART_TEST } Part;

static void shuffle(const PlayerGame **games, size_t count, Rng rng) {
    for (size_t i = count; i > 1; i--) {
        const size_t other = rng_below(&rng, (uint32_t)i);
        const PlayerGame *swapped = games[i - 1];
        games[i - 1] = games[other];
        games[other] = swapped;
    }
}

// Appends the games of a player and a part, at most so many, in random order.
static size_t choose(Bench *bench, const Part *parts, size_t player, Part part, size_t most) {
    const PlayerGames *games = bench->games;
    const PlayerGame **first = bench->chosen + bench->count;
    size_t found = 0;
    for (size_t i = games->begin[player]; i < games->begin[player + 1]; i++)
        if (parts[i] == part &&
            games->items[i].move_count >= bench->config->organisms.skip_plies + PLIES_MIN)
            first[found++] = &games->items[i];
    shuffle(first, found, rng_at(bench->config->seed, (uint32_t)player, part, USE_GAMES));
    const size_t taken = found < most ? found : most;
    bench->count += taken;
    return taken;
}

static Status choose_games(Bench *bench, const Part *parts) {
    const TrialConfig *config = bench->config;
    bench->per_player = (size_t)config->bundle * config->bundles;
    for (size_t i = 0; i < bench->games->player_count; i++) {
        const size_t found = choose(bench, parts, i, PART_CALIBRATION, CALIBRATION_MAX);
        if (found < RECOGNITION_GAMES_MIN)
            return error_set(ERR_ARG,
                             "%s has %zu games to calibrate with, of %d needed: hold out more, or "
                             "take another seed",
                             config->names[i], found, RECOGNITION_GAMES_MIN);
    }
    bench->calibration = bench->count;
    for (size_t i = 0; i < bench->games->player_count; i++) {
        const size_t found = choose(bench, parts, i, PART_TEST, bench->per_player);
        if (found < bench->per_player)
            return error_set(ERR_ARG,
                             "%s has %zu games to test on, of %zu needed: ask for fewer bundles, "
                             "hold out more, or take another seed",
                             config->names[i], found, bench->per_player);
    }
    return OK;
}

// What is not tested on teaches the openings, and who has the most games.
static void learn_openings(Bench *bench, const Part *parts) {
    size_t counts[MOVE_SCORES_LANES] = {0};
    bench->openings = opening_model_create(bench->games->player_count);
    for (size_t i = 0; i < bench->games->count; i++)
        if (parts[i] != PART_TEST) {
            opening_model_add(bench->openings, &bench->games->items[i]);
            counts[bench->games->items[i].player]++;
        }
    opening_model_finish(bench->openings);
    for (size_t i = 0; i < bench->games->player_count; i++)
        bench->commonest = counts[i] > counts[bench->commonest] ? i : bench->commonest;
}

static Part *part_games(const Bench *bench) {
    const TrialConfig *config = bench->config;
    const PlayerGames *games = bench->games;
    CLEANUP(mem_free_at) bool *held_out = mem_alloc(games->count + 1);
    CLEANUP(mem_free_at) bool *tested = mem_alloc(games->count + 1);
    Part *parts = mem_alloc((games->count + 1) * sizeof *parts);
    player_games_split(games, config->split, config->seed, config->hold_out, held_out);
    player_games_split(games, config->split, config->seed, config->hold_out * TESTED_SHARE, tested);
    for (size_t i = 0; i < games->count; i++)
        parts[i] = tested[i] ? PART_TEST : held_out[i] ? PART_CALIBRATION : PART_TRAINING;
    return parts;
}

// --- the test ---

// Ties are broken at random.
static size_t best_of(const double *scores, size_t count, Rng rng) {
    size_t best = 0, equal = 1;
    for (size_t i = 1; i < count; i++) {
        if (scores[i] > scores[best]) {
            best = i;
            equal = 1;
        } else if (!(scores[i] < scores[best]) && rng_below(&rng, (uint32_t)++equal) == 0) {
            best = i;
        }
    }
    return best;
}

// The answers of all rules for one bundle.
static void answer(const Bench *bench, size_t first, TrialSize *size, size_t answers[TRIAL_RULES]) {
    const size_t players = bench->games->player_count;
    double scores[MOVE_SCORES_LANES], openings[MOVE_SCORES_LANES] = {0};
    Evidence sum = {0};
    for (size_t i = first; i < first + size->games; i++) {
        evidence_add(&sum, &bench->evidence[i]);
        opening_model_score(bench->openings, bench->chosen[i], openings);
    }
    for (int rule = 0; rule < RULE_NB; rule++) {
        const Rng ties = rng_at(bench->config->seed, (uint32_t)first, size->games,
                                USE_TIES + (uint32_t)rule * 8);
        recognition_posterior(&bench->out->fit, (RecognitionRule)rule, &sum, NULL, scores);
        answers[rule] = best_of(scores, players, ties);
        size->stated[rule] += scores[answers[rule]];
    }
    answers[TRIAL_OPENINGS] =
        best_of(openings, players, rng_at(bench->config->seed, (uint32_t)first, 0, USE_TIES));
}

// How likely so many right answers are where labels mean nothing.
static double permute(const Bench *bench, const size_t *answers, const size_t *labels, size_t count,
                      uint64_t right) {
    CLEANUP(mem_free_at) size_t *shuffled = mem_alloc((count + 1) * sizeof *shuffled);
    unsigned as_good = 1;
    for (unsigned turn = 0; turn < bench->config->permutations; turn++) {
        Rng rng = rng_at(bench->config->seed, turn, 0, USE_LABELS);
        uint64_t hits = 0;
        for (size_t i = 0; i < count; i++) {
            const size_t other = rng_below(&rng, (uint32_t)i + 1);
            shuffled[i] = shuffled[other];
            shuffled[other] = labels[i];
        }
        for (size_t i = 0; i < count; i++)
            hits += answers[i] == shuffled[i];
        as_good += hits >= right;
    }
    return bench->config->permutations == 0 ? NAN : as_good / (bench->config->permutations + 1.0);
}

static void test_size(Bench *bench, TrialSize *size, bool is_last) {
    const size_t players = bench->games->player_count, each = bench->per_player / size->games;
    CLEANUP(mem_free_at)
    size_t *answers = mem_alloc((TRIAL_RULES + 1) * players * each * sizeof *answers);
    size_t *labels = answers + TRIAL_RULES * players * each, found[TRIAL_RULES];
    Trial *out = bench->out;
    for (size_t player = 0; player < players; player++)
        for (size_t i = 0; i < each; i++, size->bundles++) {
            const size_t first = bench->calibration + player * bench->per_player + i * size->games;
            answer(bench, first, size, found);
            labels[size->bundles] = player;
            for (int rule = 0; rule < TRIAL_RULES; rule++) {
                size->right[rule] += found[rule] == player;
                answers[(size_t)rule * players * each + size->bundles] = found[rule];
                out->confusion[rule][player][found[rule]] += is_last;
            }
            out->commonest_right += is_last && player == bench->commonest;
        }
    for (int rule = 0; rule < RULE_NB; rule++)
        size->stated[rule] /= (double)size->bundles;
    for (int rule = 0; rule < TRIAL_RULES && is_last; rule++)
        out->chance[rule] = permute(bench, answers + (size_t)rule * players * each, labels,
                                    size->bundles, size->right[rule]);
}

static void test_all(Bench *bench) {
    static const unsigned sizes[] = {1, 2, 5, 10, 20, 50};
    Trial *out = bench->out;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0] && sizes[i] < bench->config->bundle; i++)
        out->sizes[out->size_count++].games = sizes[i];
    out->sizes[out->size_count++].games = bench->config->bundle;
    for (size_t i = 0; i < out->size_count; i++)
        test_size(bench, &out->sizes[i], i + 1 == out->size_count);
    for (size_t i = bench->calibration; i < bench->count; i++)
        out->test_moves += bench->evidence[i].moves;
}

static Status calibrate(Bench *bench) {
    CLEANUP(mem_free_at) KnownGame *known = mem_alloc((bench->calibration + 1) * sizeof *known);
    for (size_t i = 0; i < bench->calibration; i++)
        known[i] = (KnownGame){&bench->evidence[i], bench->chosen[i]->player};
    return recognition_fit(&bench->out->fit, bench->games->player_count, known, bench->calibration);
}

Status recognition_trial(const TrialConfig *config, const PlayerGames *games, DistPool *pool,
                         Trial *out) {
    CLEANUP(bench_free) Bench bench = {.config = config, .games = games, .out = out};
    CLEANUP(mem_free_at) Part *parts = part_games(&bench);
    *out = (Trial){.players = games->player_count};
    bench.chosen = mem_alloc((games->count + 1) * sizeof *bench.chosen);
    TRY(choose_games(&bench, parts));
    bench.evidence = mem_alloc((bench.count + 1) * sizeof *bench.evidence);
    TRY(likelihood_of_games(&config->organisms, bench.chosen, bench.count, pool, bench.evidence));
    TRY(calibrate(&bench));
    out->calibration_games = bench.calibration;
    out->test_games = bench.count - bench.calibration;
    learn_openings(&bench, parts);
    test_all(&bench);
    return OK;
}
