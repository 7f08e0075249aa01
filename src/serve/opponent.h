// SPDX-License-Identifier: GPL-3.0-or-later
// Whom a page can play against, by names that the server gave it: "shipped/falcon", "file/ID",
// "organism/ID/GENERATION", the best of a generation of a run, "organism/ID/GENERATION/PLACE",
// another of it; and "engine/NAME", of the list.
#pragma once

#include "eval/weights.h"
#include "serve/server.h"

// Appends an array of those that are shipped, of the weights files that were found and of engines.
void opponent_write_list(Server *server, Str *out);
// Loads weights; ERR_ARG where there is none of that name. `name` becomes what to call it. Free the
// weights with weights_free.
MUST_CHECK Status opponent_load(Server *server, const char *which, Weights *out, Str *name);

// Appends the file or folder that commands are to be given for one that is no engine or organism;
// also for "run/ID", a run's folder, and "runs/ID", the folder that holds it and others. ERR_ARG
// where there is none of that name.
MUST_CHECK Status opponent_find_file(Server *server, const char *which, Str *out);
