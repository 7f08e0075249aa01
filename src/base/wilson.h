// SPDX-License-Identifier: GPL-3.0-or-later
// Wilson's 95% interval of a share: right for few trials, and for shares near 0 and 1.
#pragma once

#include <math.h>
#include <stdint.h>

typedef struct ShareInterval {
    double share, low, high;
} ShareInterval;

static inline ShareInterval wilson_interval(uint64_t hits, uint64_t trials) {
    const double z = 1.959963984540054, n = (double)trials;
    if (trials == 0)
        return (ShareInterval){0, 0, 1};
    const double share = (double)hits / n, middle = (share + z * z / (2 * n)) / (1 + z * z / n);
    const double half = z / (1 + z * z / n) * sqrt(share * (1 - share) / n + z * z / (4 * n * n));
    return (ShareInterval){share, fmax(0, middle - half), fmin(1, middle + half)};
}
