// SPDX-License-Identifier: GPL-3.0-or-later
// The signals that ask a program to end, and what was decided about them before it began.
#pragma once

#include <stdbool.h>

// Has `handler` called for SIGINT, SIGTERM and SIGHUP, and where this is a part of an MPI job for
// SIGUSR1, the one that mpirun passes on. One that is ignored stays so: nohup ignores SIGHUP, and
// shells ignore SIGINT for what a script starts with "&". `flags` are those of sigaction.
void signals_catch(void (*handler)(int number), int flags, bool is_job);
