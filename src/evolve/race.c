// SPDX-License-Identifier: GPL-3.0-or-later
#include "evolve/race.h"

#include "base/mem.h"
#include "evolve/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DRAWS_MAX = 64, USE_DRAW = 0x72616365, USE_PAIRING, SEATS_MIN = 2 };

static const double clearly = 2; // standard deviations
// Standard deviation of a draw, over half the range. Wide: a slope is seen the better the longer
// the way over which it is measured.
static const double width_start = 0.4;

typedef struct Seat {
    double *values; // owned by the race
    uint32_t rounds;
    bool is_taken;
} Seat;

struct Race {
    RaceConfig config;
    DuelModel *model;
    Seat *seats;
    size_t *order; // of the seats: those next to each other meet
    size_t seat_count, meeting_count;
    double *values, *scaled; // scaled: room for three candidates
    double *best;            // scaled: the mean of the model's best over the last rounds
    RaceCounts counts;
    uint32_t drawn;
};

static double scale(const Race *race, size_t i, double value) {
    const RaceConfig *config = &race->config;
    return 2 * (value - config->low[i]) / (config->high[i] - config->low[i]) - 1;
}

static double *scale_all(const Race *race, const double *values, double *out) {
    for (size_t i = 0; i < race->config.size; i++)
        out[i] = scale(race, i, values[i]);
    return out;
}

// The nearest value on the steps, which begin at the lower bound.
static double unscale(const Race *race, size_t i, double scaled) {
    const RaceConfig *config = &race->config;
    const double range = config->high[i] - config->low[i], step = config->step[i];
    const double steps = floor(range / step + 1e-9);
    return config->low[i] + step * fmin(steps, fmax(0, round((scaled + 1) / 2 * range / step)));
}

// How many different candidates there are, up to a limit.
static size_t count_candidates(const RaceConfig *config, size_t most) {
    double count = 1;
    for (size_t i = 0; i < config->size; i++)
        count *= floor((config->high[i] - config->low[i]) / config->step[i] + 1e-9) + 1;
    return count < (double)most ? (size_t)count : most;
}

Race *race_new(const RaceConfig *config) {
    Race *race = mem_alloc_zero(1, sizeof *race);
    race->config = *config;
    race->model = duel_model_new(config->size);
    race->seat_count = count_candidates(config, config->seats) / 2 * 2;
    race->seats = mem_alloc_zero(race->seat_count, sizeof *race->seats);
    race->order = mem_alloc_zero(race->seat_count, sizeof *race->order);
    race->values = mem_alloc_zero(race->seat_count * config->size, sizeof *race->values);
    race->scaled = mem_alloc_zero(3 * config->size, sizeof *race->scaled);
    race->best = mem_alloc_zero(config->size, sizeof *race->best);
    for (size_t i = 0; i < race->seat_count; i++)
        race->seats[i].values = race->values + i * config->size;
    return race;
}

void race_free(Race *race) {
    if (race == NULL)
        return;
    duel_model_free(race->model);
    free(race->seats);
    free(race->order);
    free(race->values);
    free(race->scaled);
    free(race->best);
    free(race);
}

static bool is_seated(const Race *race, const double *values) {
    const size_t bytes = race->config.size * sizeof *values;
    for (size_t i = 0; i < race->seat_count; i++)
        if (race->seats[i].is_taken && memcmp(race->seats[i].values, values, bytes) == 0)
            return true;
    return false;
}

double race_gain(const Race *race, const double *from, const double *to, double *deviation) {
    double *a = scale_all(race, from, race->scaled);
    double *b = scale_all(race, to, race->scaled + race->config.size);
    *deviation = duel_model_deviation(race->model, a, b);
    return duel_model_value(race->model, b) - duel_model_value(race->model, a);
}

static bool is_clearly_worse(const Race *race, const double *values, const double *than) {
    double deviation;
    const double gain = race_gain(race, values, than, &deviation);
    return gain > clearly * deviation;
}

// Draws around the best so far.
static void draw_once(Race *race, Rng *rng, double width, double *out) {
    const double *centre = duel_model_best(race->model);
    for (size_t i = 0; i < race->config.size; i++) {
        double middle =
            race->counts.rounds == 0 ? scale(race, i, race->config.start[i]) : centre[i];
        double x;
        do
            x = middle + width * random_normal(rng);
        while (x < -1 || x > 1);
        out[i] = unscale(race, i, x);
    }
}

// A new candidate, different from all others, that the games so far do not rule out.
static void seat_candidate(Race *race, Seat *seat, const double *best) {
    Rng rng = rng_at(race->config.seed, race->drawn++, 0, USE_DRAW);
    double width = width_start;
    seat->is_taken = false;
    for (int tries = 0;; tries++) {
        draw_once(race, &rng, width, seat->values);
        if (is_seated(race, seat->values)) {
            width = fmin(2, width * 1.1);
            continue;
        }
        race->counts.candidates++;
        if (tries >= DRAWS_MAX || race->config.has_equal_shares || race->counts.rounds == 0 ||
            !is_clearly_worse(race, seat->values, best))
            break;
        race->counts.refused++;
    }
    seat->is_taken = true;
    seat->rounds = 0;
}

static void shuffle_seats(Race *race) {
    Rng rng = rng_at(race->config.seed, (uint32_t)race->counts.rounds, 0, USE_PAIRING);
    for (size_t i = 0; i < race->seat_count; i++)
        race->order[i] = i;
    for (size_t i = race->seat_count; i > 1; i--) {
        const size_t j = rng_below(&rng, (uint32_t)i), held = race->order[i - 1];
        race->order[i - 1] = race->order[j];
        race->order[j] = held;
    }
}

size_t race_ask(Race *race, RaceMeeting *out) {
    double *best = race->scaled + 2 * race->config.size;
    race_best(race, best);
    for (size_t i = 0; i < race->seat_count; i++)
        if (!race->seats[i].is_taken)
            seat_candidate(race, &race->seats[i], best);
    shuffle_seats(race);
    race->meeting_count = race->seat_count / 2;
    for (size_t i = 0; i < race->meeting_count; i++)
        out[i] = (RaceMeeting){race->seats[race->order[2 * i]].values,
                               race->seats[race->order[2 * i + 1]].values};
    return race->meeting_count;
}

// Removes candidates that are clearly worse than the best or have played their share.
static void clear_seats(Race *race) {
    double *best = race->scaled + 2 * race->config.size;
    race_best(race, best);
    for (size_t i = 0; i < race->seat_count; i++) {
        Seat *seat = &race->seats[i];
        const bool is_worse =
            !race->config.has_equal_shares && is_clearly_worse(race, seat->values, best);
        if (seat->rounds < race->config.share)
            race->counts.stopped += is_worse;
        seat->is_taken = seat->rounds < race->config.share && !is_worse;
    }
}

// One round more or less may move the model's best far: the mean over the last quarter of all
// rounds, about, does not follow such jumps.
static void follow_best(Race *race) {
    const double part = fmin(1, 4 / (double)race->counts.rounds);
    const double *best = duel_model_best(race->model);
    for (size_t i = 0; i < race->config.size; i++)
        race->best[i] += part * (best[i] - race->best[i]);
}

void race_tell(Race *race, const int *points) {
    for (size_t i = 0; i < race->meeting_count; i++) {
        Seat *first = &race->seats[race->order[2 * i]],
             *second = &race->seats[race->order[2 * i + 1]];
        first->rounds++;
        second->rounds++;
        race->counts.meetings++;
        if (points[i] < 0)
            continue;
        double *a = scale_all(race, first->values, race->scaled);
        double *b = scale_all(race, second->values, race->scaled + race->config.size);
        duel_model_add(race->model, a, b, points[i]);
    }
    race->counts.rounds++;
    duel_model_fit(race->model);
    follow_best(race);
    clear_seats(race);
}

void race_best(const Race *race, double *out) {
    for (size_t i = 0; i < race->config.size; i++)
        out[i] = race->counts.rounds == 0 ? race->config.start[i] : unscale(race, i, race->best[i]);
}

RaceCounts race_counts(const Race *race) {
    RaceCounts counts = race->counts;
    uint64_t rounds = counts.candidates * race->config.share;
    // Those who still sit have not had the rest of their share in equal shares either.
    for (size_t i = 0; i < race->seat_count; i++)
        if (race->seats[i].is_taken)
            rounds -= race->config.share - race->seats[i].rounds;
    counts.equal_meetings = rounds / 2;
    return counts;
}
