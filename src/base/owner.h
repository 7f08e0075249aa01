// SPDX-License-Identifier: GPL-3.0-or-later
// Whose a file or folder is: whether anybody but this user and root can have written it.
#pragma once

#include "base/error.h"

// OK where the file behind the path belongs to the user who runs this, or to root, and nobody else
// may write to it. A group may where it is the user's own: its number is the user's. ERR_ARG with a
// reason otherwise; ERR_IO where there is no such file.
MUST_CHECK Status owner_check(const char *path);
// The same for an open file; the path is for the message.
MUST_CHECK Status owner_check_open(int descriptor, const char *path);
