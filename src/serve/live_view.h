// SPDX-License-Identifier: GPL-3.0-or-later
// The games of a match that go on, as its live.jsonl tells them.
#pragma once

#include "base/str.h"

// Appends an array of the games, each as its board is now, with the scores of both sides from
// White's view. Games that cannot be read are left out.
void live_view_write(const char *folder, Str *out);
