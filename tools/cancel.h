// SPDX-License-Identifier: GPL-3.0-or-later
// Ctrl-C, SIGTERM and SIGHUP as a file descriptor that becomes readable, for programs that wait for
// engines.
#pragma once

#include "base/error.h"

// Catches the signals from now on, but for those that are ignored (tools/signals.h); `fd` becomes
// readable when one came.
MUST_CHECK Status cancel_on_signals(int *fd);
// As if a signal had come.
void cancel_now(void);
