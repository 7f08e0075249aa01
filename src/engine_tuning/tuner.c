// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine_tuning/tuner.h"

#include "base/mem.h"
#include "evolve/algorithm.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

struct Tuner {
    const TuneConfig *config;
    size_t size;
    double *numbers; // low, high, step and start of each option
    Race *race;      // one of these two
    Evolver *spsa;   // in steps from the low bounds
    EvolveParameter *parameters;
    double *candidates; // of a round
    RaceCounts counts;
    DuelModel *model; // of SPSA's games, for who asks afterwards
    double *scaled;   // room for two candidates of it
    double *tried;    // the lowest and highest value of each option
    bool has_tried;
};

const double *tuner_start(const Tuner *tuner) {
    return tuner->numbers + 3 * tuner->size;
}

static double low_of(const Tuner *tuner, size_t option) {
    return tuner->numbers[option];
}

static double step_of(const Tuner *tuner, size_t option) {
    return tuner->numbers[2 * tuner->size + option];
}

static void take_options(Tuner *tuner) {
    const size_t n = tuner->size;
    tuner->numbers = mem_alloc_zero(4 * n, sizeof *tuner->numbers);
    for (size_t i = 0; i < n; i++) {
        const TuneOption *option = &tuner->config->options.items[i];
        tuner->numbers[i] = (double)option->low;
        tuner->numbers[n + i] = (double)option->high;
        tuner->numbers[2 * n + i] = (double)option->step;
        tuner->numbers[3 * n + i] = (double)option->start;
    }
}

static Race *make_race(const Tuner *tuner) {
    const TuneConfig *config = tuner->config;
    const double *numbers = tuner->numbers;
    const size_t n = tuner->size;
    const RaceConfig race = {n,
                             numbers,
                             numbers + n,
                             numbers + 2 * n,
                             numbers + 3 * n,
                             (uint64_t)config->seed,
                             (size_t)config->seats,
                             (uint32_t)config->share,
                             config->equal_shares != 0};
    return race_new(&race);
}

// --- SPSA ---

// What a candidate is off by in the end where nothing is told, as a share of the range.
static const double step_share = 0.1;

// The rate where nothing is told. What the values can move is the sum of all rates, so a fixed rate
// hardly leaves the start in few games and follows luck in many. By simulation
// (docs/tune-engine.md) the best rate falls with the root of the games, up to a bound, and with
// that of the options from five on: luck moves each of them, whatever the others do.
static double rate_for(int64_t games, size_t options) {
    return fmin(0.05, 1.2 / sqrt((double)games)) * fmin(1, sqrt(5 / (double)options));
}

static Status set(EvolveConfig *config, const char *name, double value) {
    CLEANUP(str_free) Str text = {0};
    str_addf(&text, "%.15g", value);
    return evolve_config_set(config, name, str_text(&text));
}

// A round is as many pairs as there are seats for; the games decide how many rounds there are.
static Status configure_spsa(const TuneConfig *config, EvolveConfig *out) {
    const int64_t seats = config->seats / 2 * 2, rounds = config->games / seats;
    *out = evolve_config_default(evolve_find("spsa"));
    TRY(set(out, "population", (double)seats));
    TRY(set(out, "generations", (double)(rounds > 1 ? rounds - 1 : 0)));
    TRY(set(out, "step", 1));
    return set(out, "rate", rate_for(config->games, config->options.count));
}

static Status make_spsa(Tuner *tuner) {
    const size_t n = tuner->size;
    CLEANUP(mem_free_at) double *numbers = mem_alloc_zero(3 * n, sizeof *numbers);
    double *start = numbers, *units = numbers + n, *paces = numbers + 2 * n;
    tuner->parameters = mem_alloc_zero(n, sizeof *tuner->parameters);
    for (size_t i = 0; i < n; i++) {
        const TuneOption *option = &tuner->config->options.items[i];
        const double range = (double)(option->high - option->low), step = (double)option->step;
        tuner->parameters[i] =
            (EvolveParameter){.name = option->name, .high = floor(range / step + 1e-9)};
        start[i] = (double)(option->start - option->low) / step;
        if (start[i] != floor(start[i]))
            return error_set(ERR_ARG,
                             "%s: starts at %" PRId64 ", which is not on its steps of %" PRId64,
                             option->name, option->start, option->step);
        units[i] = (option->c_end > 0 ? option->c_end : range * step_share) / step;
        paces[i] = option->r_end > 0 ? option->r_end / rate_for(tuner->config->games, n) : 1;
    }
    EvolveSetup setup = {.space = {tuner->parameters, n, EVOLVE_REAL, true},
                         .seed = (uint64_t)tuner->config->seed,
                         .start = start,
                         .start_count = 1,
                         .units = units,
                         .paces = paces};
    TRY(configure_spsa(tuner->config, &setup.config));
    return evolver_create(&tuner->spsa, &setup);
}

// Within -1..1, as the model has it.
static double *scale(const Tuner *tuner, const double *values, double *out) {
    for (size_t i = 0; i < tuner->size; i++) {
        const double low = low_of(tuner, i), high = tuner->numbers[tuner->size + i];
        out[i] = 2 * (values[i] - low) / (high - low) - 1;
    }
    return out;
}

static size_t ask_spsa(Tuner *tuner, RaceMeeting *out) {
    const EvolveBatch batch = evolver_ask(tuner->spsa);
    size_t count;
    const EvolveMeeting *meetings = evolver_ask_meetings(tuner->spsa, &count);
    for (size_t i = 0; i < batch.count * batch.width; i++) {
        const size_t option = i % batch.width;
        tuner->candidates[i] = low_of(tuner, option) + step_of(tuner, option) * batch.parameters[i];
    }
    for (size_t i = 0; i < count; i++)
        out[i] = (RaceMeeting){tuner->candidates + meetings[i].first * batch.width,
                               tuner->candidates + meetings[i].second * batch.width};
    tuner->counts.candidates += batch.count;
    return count;
}

static Status tell_spsa(Tuner *tuner, const int *points) {
    static const EvolveResult of_points[] = {{.losses = 2},
                                             {.draws = 1, .losses = 1},
                                             {.draws = 2},
                                             {.wins = 1, .draws = 1},
                                             {.wins = 2}};
    size_t count;
    bool is_over;
    const EvolveMeeting *meetings = evolver_ask_meetings(tuner->spsa, &count);
    CLEANUP(mem_free_at) EvolveResult *results = mem_alloc((count + 1) * sizeof *results);
    for (size_t i = 0; i < count; i++) {
        results[i] = of_points[points[i] < 0 ? 2 : points[i]];
        if (points[i] >= 0)
            duel_model_add(
                tuner->model,
                scale(tuner, tuner->candidates + meetings[i].first * tuner->size, tuner->scaled),
                scale(tuner, tuner->candidates + meetings[i].second * tuner->size,
                      tuner->scaled + tuner->size),
                points[i]);
    }
    tuner->counts.rounds++;
    tuner->counts.meetings += count;
    return evolver_tell_meetings(tuner->spsa, results, &is_over);
}

// --- either ---

Status tuner_create(Tuner **out, const TuneConfig *config) {
    Tuner *tuner = *out = mem_alloc_zero(1, sizeof *tuner);
    tuner->config = config;
    tuner->size = config->options.count;
    tuner->candidates =
        mem_alloc_zero((size_t)config->seats * tuner->size, sizeof *tuner->candidates);
    tuner->scaled = mem_alloc_zero(2 * tuner->size, sizeof *tuner->scaled);
    tuner->tried = mem_alloc_zero(2 * tuner->size, sizeof *tuner->tried);
    take_options(tuner);
    if (config->method == TUNE_BY_SPSA)
        tuner->model = duel_model_new(tuner->size);
    if (config->method == TUNE_BY_SPSA)
        return make_spsa(tuner);
    tuner->race = make_race(tuner);
    return OK;
}

void tuner_destroy(Tuner *tuner) {
    if (tuner == NULL)
        return;
    race_free(tuner->race);
    evolver_destroy(tuner->spsa);
    duel_model_free(tuner->model);
    free(tuner->scaled);
    free(tuner->tried);
    free(tuner->parameters);
    free(tuner->candidates);
    free(tuner->numbers);
    free(tuner);
}

static void note_tried(Tuner *tuner, const double *values) {
    for (size_t i = 0; i < tuner->size; i++) {
        double *low = &tuner->tried[2 * i], *high = low + 1;
        *low = tuner->has_tried ? fmin(*low, values[i]) : values[i];
        *high = tuner->has_tried ? fmax(*high, values[i]) : values[i];
    }
    tuner->has_tried = true;
}

size_t tuner_ask(Tuner *tuner, RaceMeeting *out) {
    const size_t count = tuner->race != NULL ? race_ask(tuner->race, out) : ask_spsa(tuner, out);
    for (size_t i = 0; i < count; i++) {
        note_tried(tuner, out[i].first);
        note_tried(tuner, out[i].second);
    }
    return count;
}

Status tuner_tell(Tuner *tuner, const int *points) {
    if (tuner->race == NULL)
        return tell_spsa(tuner, points);
    race_tell(tuner->race, points);
    return OK;
}

void tuner_best(const Tuner *tuner, double *out) {
    if (tuner->race != NULL) {
        race_best(tuner->race, out);
        return;
    }
    const double *best = evolver_best(tuner->spsa, NULL);
    for (size_t i = 0; i < tuner->size; i++)
        out[i] = low_of(tuner, i) + step_of(tuner, i) * round(best[i]);
}

double tuner_gain(const Tuner *tuner, const double *best, double *deviation) {
    *deviation = (double)NAN;
    return tuner->race != NULL ? race_gain(tuner->race, tuner_start(tuner), best, deviation)
                               : (double)NAN;
}

RaceCounts tuner_counts(const Tuner *tuner) {
    return tuner->race != NULL ? race_counts(tuner->race) : tuner->counts;
}

// --- looking back ---

size_t tuner_size(const Tuner *tuner) {
    return tuner->size;
}

void tuner_current(const Tuner *tuner, double *out) {
    if (tuner->race != NULL) {
        race_best(tuner->race, out);
        return;
    }
    // The candidates of a pair are off by the same to both sides.
    const size_t count = (size_t)tuner->config->seats / 2 * 2;
    for (size_t i = 0; i < tuner->size; i++) {
        out[i] = 0;
        for (size_t k = 0; k < count; k++)
            out[i] += tuner->candidates[k * tuner->size + i] / (double)count;
    }
}

void tuner_tried(const Tuner *tuner, size_t option, double *low, double *high) {
    *low = tuner->has_tried ? tuner->tried[2 * option] : low_of(tuner, option);
    *high = tuner->has_tried ? tuner->tried[2 * option + 1] : tuner->numbers[tuner->size + option];
}

void tuner_fit(Tuner *tuner) {
    if (tuner->model != NULL)
        duel_model_fit(tuner->model);
}

double tuner_strength(const Tuner *tuner, const double *values, double *deviation) {
    if (tuner->race != NULL)
        return race_gain(tuner->race, tuner_start(tuner), values, deviation);
    const double *from = scale(tuner, tuner_start(tuner), tuner->scaled);
    const double *to = scale(tuner, values, tuner->scaled + tuner->size);
    *deviation = duel_model_deviation(tuner->model, from, to);
    return duel_model_value(tuner->model, to) - duel_model_value(tuner->model, from);
}
