// SPDX-License-Identifier: GPL-3.0-or-later
// Runs the steps of a plan, which are commands of falconer, inside this process: what they print
// goes to FOLDER/log/STEP.txt.
#pragma once

#include "papers/plan.h"

typedef enum StepsEnd {
    STEPS_DONE,
    STEPS_LEFT_OUT, // those that were asked for are done
    STEPS_LEFT,     // there was no time for all
    STEPS_FAILED    // a step failed or was interrupted, which was said
} StepsEnd;

// Runs what is asked for and neither done nor recorded, telling on standard output how it goes, and
// no step that would end after so many seconds from now (0: all). The same command goes on from
// there.
StepsEnd steps_run(Plan *plan, double most_seconds);
