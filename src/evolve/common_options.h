// SPDX-License-Identifier: GPL-3.0-or-later
// The rows with which every table of options begins.
#pragma once

// clang-format off
#define COMMON_OPTIONS(least, population, generations) \
    {"population", EVOLVE_WHOLE, least, 1000000, population, "organisms in a generation", NULL}, \
    {"generations", EVOLVE_WHOLE, 0, 1000000000, generations, "the last generation; 0 is the start", NULL}, \
    {"evaluations", EVOLVE_WHOLE, 0, 1e12, 0, "stop after so many organisms judged; 0: no limit", NULL}
// clang-format on
