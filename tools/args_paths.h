// SPDX-License-Identifier: GPL-3.0-or-later
// The paths of a command line that has been parsed.
#pragma once

#include "tools/args.h"

// ARGS_GO_ON, or the exit code after a complaint: of an output that is an input or another output
// too, or cannot be written.
int args_check_paths(const ArgSpec *spec, const void *values, const ArgStrings *positional);
