// SPDX-License-Identifier: GPL-3.0-or-later
// How many files, pipes and the like a process may have open.
#pragma once

#include "base/status.h"

#include <stdint.h>

// Makes sure that `need` can be open at a time, by raising the soft limit. ERR_LIMIT, with what to
// do, where the hard limit is lower.
MUST_CHECK Status descriptors_reserve(uint64_t need);
