// SPDX-License-Identifier: GPL-3.0-or-later
// What every rank but the first does: waits for rank 0, and answers it.
#pragma once

#include "dist/service.h"
#include "dist/world.h"

// Serves rank 0 until it says that all is over. Which services there are is the program's business.
void dist_serve(DistWorld *world, const DistService *const *services, size_t count);
