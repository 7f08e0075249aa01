// SPDX-License-Identifier: GPL-3.0-or-later
// Opening an address in the user's browser. The address holds a secret, and everybody on a machine
// can see the words that programs are started with: so a file that only the user can read leads
// there.
#pragma once

#include "base/error.h"
#include "base/str.h"

typedef struct Browser {
    Str file; // the path of that file, or ""
} Browser;

// Starts $BROWSER (commands parted by ':', the first that starts; %s stands for the file) or
// xdg-open, without a shell. ERR_IO where none can be started.
MUST_CHECK Status browser_open(Browser *browser, const char *address);
// Removes the file.
void browser_close(Browser *browser);
