// SPDX-License-Identifier: GPL-3.0-or-later
// A descriptor that becomes readable when work is to be cancelled.
#pragma once

#include "base/error.h"

#include <stdbool.h>

// Where it fails, `fd` is -1.
MUST_CHECK Status cancel_open(int *fd);
// -1 is fine.
void cancel_close(int fd);
// Safe while others wait for it.
void cancel_request(int fd);
// Takes any descriptor that becomes readable for this; false for -1.
bool cancel_is_requested(int fd);
