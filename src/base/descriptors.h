// SPDX-License-Identifier: GPL-3.0-or-later
// How many files, pipes and the like a process may have open.
#pragma once

#include "base/error.h"

#include <stdint.h>

// Whether `need` can be open at a time once the soft limit is raised, which those who start engines
// do. ERR_LIMIT, with what to do, where the hard limit is lower.
MUST_CHECK Status descriptors_check(uint64_t need);
