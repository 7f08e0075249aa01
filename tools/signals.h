// SPDX-License-Identifier: GPL-3.0-or-later
// The signals that ask a program to end, and what was decided about them before it began.
#pragma once

#include "base/error.h"

#include <stdbool.h>

// Has `handler` called for SIGINT, SIGTERM and SIGHUP, and where this is a part of an MPI job for
// SIGUSR1, the one that mpirun passes on. One that is ignored stays so: nohup ignores SIGHUP, and
// shells ignore SIGINT for what a script starts with "&". `flags` are those of sigaction.
void signals_catch(void (*handler)(int number), int flags, bool is_job);
// Whether one of them came since the program began.
bool signals_came(void);

// For programs that wait for engines: catches the signals from now on; `fd` becomes readable when
// one came.
MUST_CHECK Status signals_open(int *fd);
// As if a signal had come.
void signals_send(void);
