// SPDX-License-Identifier: GPL-3.0-or-later
#include "uci/level.h"

#include <math.h>
#include <stddef.h>

typedef struct LevelPoint {
    int elo;
    double nodes, noise_cp;
} LevelPoint;

static const LevelPoint points[] = {
#define LEVEL(elo, nodes, noise_cp) {elo, nodes, noise_cp},
#define LEVEL_FIRST                 LEVEL
#define LEVEL_LAST                  LEVEL
#include "uci/levels.def"
};
enum { POINTS = sizeof points / sizeof points[0] };

static Level level_between(const LevelPoint *low, const LevelPoint *high, double share) {
    const double nodes = exp(log(low->nodes) + share * (log(high->nodes) - log(low->nodes)));
    const double noise = low->noise_cp + share * (high->noise_cp - low->noise_cp);
    return (Level){(uint64_t)llround(nodes), (int)lround(noise)};
}

Level level_of_elo(int64_t elo) {
    const int64_t wanted = elo < LEVEL_ELO_LEAST  ? LEVEL_ELO_LEAST
                           : elo > LEVEL_ELO_MOST ? LEVEL_ELO_MOST
                                                  : elo;
    size_t i = 1;
    while (i < POINTS - 1 && points[i].elo < wanted)
        i++;
    const LevelPoint *low = &points[i - 1], *high = &points[i];
    return level_between(low, high, (double)(wanted - low->elo) / (high->elo - low->elo));
}

Level level_of_skill(int64_t skill) {
    const int64_t span = LEVEL_ELO_MOST - LEVEL_ELO_LEAST;
    return level_of_elo(LEVEL_ELO_LEAST + span * skill / (LEVEL_SKILL_MAX - 1));
}
