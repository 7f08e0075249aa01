// SPDX-License-Identifier: GPL-3.0-or-later
// Takes the place of src/engines/process.c in fuzz targets: no process, no pipe and no clock. What
// the engine says is the input, line by line, whatever it is told. Some lines stand for events:
//   !timeout   nothing comes in time
//   !cancel    the wait is cancelled
//   !long      the beginning of a line that is too long
//   !deaf      the next thing it is told arrives nowhere: it is gone
//   !full      the next thing it is told is not read in time
// At the end of the input it closes its output.
#pragma once

#include "engines/process.h"

// What all engines say that are started from now on, one after the other. Borrowed.
void fake_process_say(StrView input);
// How many are started and not closed, and how many were started since fake_process_say.
int fake_process_running(void);
int fake_process_started(void);
