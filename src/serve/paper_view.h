// SPDX-License-Identifier: GPL-3.0-or-later
// Pages that `falconer reproduce` wrote: those that were found in folders, and those that come with
// the program.
#pragma once

#include "serve/server.h"

// Appends an array of all of them.
void paper_view_write_list(Server *server, Str *out);
// Appends the text (Markdown) of one that comes with the program; ERR_ARG where there is none of
// that name.
MUST_CHECK Status paper_view_read(const char *name, Str *out);
