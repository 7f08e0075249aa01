// SPDX-License-Identifier: GPL-3.0-or-later
// All settings of a run of evolution: a preset, changed by what the user said. The same text that a
// preset is written in is kept in the run's directory.
#pragma once

#include "base/error.h"
#include "base/str.h"
#include "evolve/algorithm.h"

#define FITNESS(id, name, kind, way) FITNESS_##id,
typedef enum RunFitness {
#include "settings/fitness.def"
} RunFitness;
#undef FITNESS
// Who plays whom for points, and what is taken from the folder of an earlier run.
typedef enum GameSchedule { GAMES_ROUND_ROBIN, GAMES_RANDOM, GAMES_RACE } GameSchedule;
typedef enum StartTake { TAKE_BESTS, TAKE_POPULATION, TAKE_TOP } StartTake;

// Texts are owned; see run_keys.def for what each means.
typedef struct RunConfig {
    Str family, variant, chromosome, data, test, start, freeze, only, bounds, command, forest_cache;
    Str player, start_from, openings, verdict_openings, weights;
    int64_t fitness, sample, seed, runs, keep_organisms, keep_every;
    int64_t tempo, quiet_only, resolve, clamp, beyond, mates;
    int64_t mentors_target, mentors_normalise, mentors_fitness;
    int64_t quiescence, depth, positions, validation, max_memory, surrogate, temperature, stay_near;
    int64_t leaves, trees, step_positions, loss;
    int64_t start_take, schedule, match_games, playoff_games, adjudicate, start_spread,
        initial_position, play_nodes, play_depth, profile;
    int64_t quiescence_checks, max_moves, hash, verdict_games, strength_games;
    int64_t cap, hold_out, suite_positions;
    EvolveConfig algorithm;
    // Called with what is found out or decided before a run begins; not a setting. May be NULL.
    void (*tell)(const char *text);
    // On a rank that only judges for another, which keeps the run: it needs no start, and leaves
    // nothing on the disk. No setting either.
    bool is_helper;
} RunConfig;

void run_config_init(RunConfig *config);
void run_config_free(RunConfig *config);
// Whether every number and choice is one that its row in run_keys.def allows.
bool run_config_is_valid(const RunConfig *config);

// Reads a preset by its name (experiments/NAME.ini, wherever the program finds it) or its path.
MUST_CHECK Status run_config_load(RunConfig *config, const char *preset);
// Reads the text of one.
MUST_CHECK Status run_config_parse(RunConfig *config, StrView text, const char *name);
// Sets one value by its name alone, an algorithm's option too; "algorithm" changes the algorithm,
// with the defaults of the new one, and "family" a chromosome that belongs to another. Unknown
// names and impossible values are ERR_ARG, with what would be possible.
MUST_CHECK Status run_config_set(RunConfig *config, const char *name, const char *value);
// Sets all of a command line's, name and value in turn: the algorithm first, for others may be
// options of it. A list that is given several times is one list, and nothing ("") empties it; of
// other settings the last word counts.
MUST_CHECK Status run_config_set_all(RunConfig *config, const char *const *words, size_t count);
// Fails where one of them has no effect in a run of this kind.
MUST_CHECK Status run_config_check_all(const RunConfig *config, const char *const *words,
                                       size_t count);
// What single values cannot tell: fails where they do not fit each other.
MUST_CHECK Status run_config_check(const RunConfig *config);
// True where organisms play each other, false where they are judged on positions.
bool run_config_plays_games(const RunConfig *config);
// Fails where a setting has no effect in a run of this kind.
MUST_CHECK Status run_config_check_use(const RunConfig *config, const char *name);
// Appends it all as a preset, every value said; reading it gives the same settings.
void run_config_write(const RunConfig *config, Str *out);

// A setting as users are told of it.
typedef struct RunListed {
    const Setting *setting;
    const char *value; // as text
    const char *names; // that a text may be, ", " between them; "": it is none of a few names
    bool is_used;      // it changes something in a run of this kind
} RunListed;
typedef void RunListHandler(void *context, const RunListed *listed);
// Calls the handler for every setting that a user can set: those of run_keys.def, then the
// algorithm and its own. What it is told is borrowed for the call.
void run_config_list(const RunConfig *config, RunListHandler *handler, void *context);
// Appends a list of the settings that change something in a run of this kind, with what each means,
// its value and what it may be; then the names of the others. For a user.
void run_config_describe(const RunConfig *config, Str *out);

// The rows of run_keys.def, and whether one of them changes something in a run of this kind.
const SettingTable *run_config_keys(void);
bool run_config_uses(const RunConfig *config, const Setting *key);
