// SPDX-License-Identifier: GPL-3.0-or-later
// A descriptor that tells those who wait, by being readable, to break off what they do.
#pragma once

#include "base/error.h"

#include <stdbool.h>

// Where it fails, `fd` is -1.
MUST_CHECK Status cancel_open(int *fd);
// -1 is fine.
void cancel_close(int fd);
// Safe while others wait for it.
void cancel_tell(int fd);
// Takes any descriptor that becomes readable for this; false for -1.
bool cancel_is_told(int fd);
