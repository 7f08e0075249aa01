// SPDX-License-Identifier: GPL-3.0-or-later
// Random sets of positions that are linear in coefficients.
#pragma once

#include "base/rng.h"
#include "fitness/linear/linear_set.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { FITTING_COUNTS = 80 };

// Half of the counts are 0, the others up to `most` either way; targets are from 0 to 1.
static inline void fitting_fill(LinearSet *set, Rng *rng, size_t counts, bool is_tapered,
                                size_t positions, int most) {
    linear_set_init(set, counts, is_tapered);
    for (size_t p = 0; p < positions; p++) {
        int16_t row[FITTING_COUNTS];
        for (size_t i = 0; i < counts; i++)
            row[i] = (int16_t)(rng_below(rng, 2) == 0
                                   ? 0
                                   : (int)rng_below(rng, (uint32_t)(2 * most + 1)) - most);
        const float share = is_tapered ? (float)rng_real(rng) : 1;
        const float target = (float)rng_real(rng), weight = 0.5f + (float)rng_real(rng);
        const LinearRow one = {.counts = row,
                               .middlegame = share,
                               .endgame = is_tapered ? 1 - share : 0,
                               .target = target,
                               .weight = weight};
        assert_int_equal(linear_set_add(set, &one), OK);
    }
}

static inline void fitting_draw(Rng *rng, size_t count, double most, double *coefficients) {
    for (size_t i = 0; i < count; i++)
        coefficients[i] = most * (2 * rng_real(rng) - 1);
}
