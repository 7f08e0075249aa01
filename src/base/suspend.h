// SPDX-License-Identifier: GPL-3.0-or-later
// Whether this program was stopped (Ctrl-Z, SIGSTOP) and went on: time that passed then is
// nobody's.
#pragma once

#include <stdint.h>

// To be called before any thread is started. Blocks SIGCONT, which continues the program all the
// same, and then waits to be counted: it is there before any thread runs on.
void suspend_watch(void);
// How often the program went on since; 0 where nobody watches. Any thread may ask.
uint64_t suspend_count(void);
