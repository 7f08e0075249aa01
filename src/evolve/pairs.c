// SPDX-License-Identifier: GPL-3.0-or-later
#include "evolve/pairs.h"

#include <math.h>

Status pairs_open(Population *pairs, const EvolveRun *run, const char *name, double games) {
    if (run->start_count > 1)
        return error_set(ERR_ARG, "%s starts from one organism, not from %zu", name,
                         run->start_count);
    if (fmod(games, 2) != 0)
        return error_set(ERR_ARG, "games must be even: each opening is played with both colours");
    pairs->size -= pairs->size % 2;
    pairs->count = pairs->size;
    return OK;
}

void pairs_meet(const Population *pairs, double games, EvolveMeeting *meetings) {
    for (size_t pair = 0; pair < pairs->size / 2; pair++)
        meetings[pair] = (EvolveMeeting){2 * pair, 2 * pair + 1, (unsigned)games};
}

double pairs_step(const EvolveRun *run, size_t parameter, double units, double least) {
    const EvolveParameter *box = &run->space->parameters[parameter];
    const double size = box->high - box->low;
    const double unit = run->units != NULL ? run->units[parameter] : size / 100;
    return fmin(size / 4, fmax(run->space->is_integer ? 0.5 : least * size, unit * units));
}

double pairs_clamp(const EvolveRun *run, size_t parameter, double value) {
    const EvolveParameter *box = &run->space->parameters[parameter];
    return fmin(fmax(value, box->low), box->high);
}
