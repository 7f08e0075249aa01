// SPDX-License-Identifier: GPL-3.0-or-later
// Which program made a page, and on what day.
#pragma once

#include "base/str.h"

// Appends "Made by Falconer 0.3.0 on 17 November 2026 (UTC)". The day is that of SOURCE_DATE_EPOCH,
// in seconds since 1970, where the environment has it: then equal work makes equal bytes.
void byline_add(Str *out);
