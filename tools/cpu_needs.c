// SPDX-License-Identifier: GPL-3.0-or-later
// Data only: this file is compiled for the CPU the program is built for, and read on any.
#include "tools/cpu_needs.h"

// 1 where a macro is defined as 1, 0 where it is not defined: its text is "1" or its own name.
#define IS_ALLOWED(macro)      (sizeof #macro == sizeof "1")
#define NEED(bit, name, macro) | (uint32_t)IS_ALLOWED(macro) << bit

const uint32_t cpu_needs = 0 CPU_FEATURES(NEED);
