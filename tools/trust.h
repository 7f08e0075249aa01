// SPDX-License-Identifier: GPL-3.0-or-later
// Folders that name programs to run: --resume runs them without being asked again only where nobody
// but the user can have written them.
#pragma once

#include "base/str.h"

#include <stdbool.h>

// True where the folder and its file `name` can only have been written by the user or root. If not,
// says so on standard error, shows the engines that the file names, a line each, and the option
// --trust-folder that runs them.
bool trust_is_own(const char *program, const char *folder, const char *name, const Str *engines);
