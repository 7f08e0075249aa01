// SPDX-License-Identifier: GPL-3.0-or-later
// The form of the page New, as JSON: what a preset's settings are, and what they may be.
#pragma once

#include "serve/start_plan.h"

// Appends the keys "presets", those that pages can start, each with what it says of itself, and
// "sets", "weights" and "runs", the lists that files are chosen from.
void start_form_write_choices(Server *server, Str *out);
// Appends an array of the settings of a plan.
void start_form_write(const StartPlan *plan, Str *out);
