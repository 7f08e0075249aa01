// SPDX-License-Identifier: GPL-3.0-or-later
// GECCO 2009: evolution from grandmasters' moves, then co-evolution of what came of it. What its
// plan and its page have in common.
#pragma once

#include "papers/page.h"

enum { GECCO2009_RUNS = 10, GECCO2009_GAMES_EACH = 36 }; // the latter: of an organism, a generation

// --- who plays, and where it comes from ---

// EVOL* is the first of the ten runs: the organism of one run, as in the paper.
#define GECCO2009_EVOL "EVOL*"
#define GECCO2009_TEN  "ten" // the step of the ten runs

// The ways to begin co-evolution; the first is the paper's and makes COEVOL*.
typedef enum CoevolveStart {
    START_TEN_RUNS,
    START_RANDOM,
    START_ONE_RUN,
    START_MASTERS,
    COEVOLVE_STARTS,
} CoevolveStart;

typedef struct Coevolution {
    const char *step;   // of the plan
    const char *player; // what the best that came of it is called
    const char *from;   // in words
} Coevolution;
extern const Coevolution gecco2009_coevolutions[COEVOLVE_STARTS];

// The ten who have the most positions in the bundled training set.
typedef struct Master {
    const char *step, *name;
    const char *spellings; // as `evolve --player` takes them
} Master;
enum { GECCO2009_MASTERS = 10 };
extern const Master gecco2009_masters[GECCO2009_MASTERS];

// Engines in CRAFTY's place.
typedef struct StandIn {
    const char *step, *program;
} StandIn;
enum { GECCO2009_ENGINES = 3 };
extern const StandIn gecco2009_engines[GECCO2009_ENGINES];

// Generations of co-evolution, the start counted; nodes of a move there, and in matches between
// organisms; and the time of a move against other engines.
int gecco2009_generations(const Plan *plan);
int gecco2009_evolution_nodes(const Plan *plan);
int gecco2009_match_nodes(const Plan *plan);
const char *gecco2009_move_seconds(const Plan *plan);

// --- the page ---

// The moves found, by generation, run and grandmaster.
MUST_CHECK Status gecco2009_tell_learning(const Plan *plan, Page *page);
// What the games showed: Tables 1 and 2, and the four ways to begin.
MUST_CHECK Status gecco2009_tell_games(const Plan *plan, Page *page);
// Weights of EVOL*, the ten and COEVOL*.
MUST_CHECK Status gecco2009_tell_values(const Plan *plan, Page *page);
