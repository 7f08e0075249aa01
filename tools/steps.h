// SPDX-License-Identifier: GPL-3.0-or-later
// Runs the steps of a plan, which are commands of falconer, inside this process: what they print
// goes to FOLDER/log/STEP.txt.
#pragma once

#include "papers/plan.h"

// Runs what is not done yet, telling on standard output how it goes. False when a step failed or
// was interrupted, which was said; the same command goes on from there.
bool steps_run(Plan *plan);
