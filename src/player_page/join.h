// SPDX-License-Identifier: GPL-3.0-or-later
// Modules of the pages as one script, for a page that is one file: browsers load no modules from
// beside a file.
#pragma once

#include "base/error.h"
#include "base/str.h"

// Appends the module of an address (serve/web_files.h) behind all that it imports, directly or
// through them, each in a function of its own. Imports and exports must stand at the beginning of
// a line, as `import { a, b } from "/web/x.js";`, `export function`, `export const`, or in one
// list at the end; ERR_ARG else.
MUST_CHECK Status join_modules(const char *address, Str *out);
