// SPDX-License-Identifier: GPL-3.0-or-later
// The actions of falconer weights that have files of their own.
#pragma once

#include "eval/weights.h"
#include "tools/args.h"

extern const ArgSpec weights_median_spec, weights_migrate_spec, weights_page_spec,
    weights_vary_spec;
int weights_median(int argc, char **argv);
int weights_migrate_file(int argc, char **argv);
int weights_page(int argc, char **argv);
int weights_vary(int argc, char **argv);

// Writes the file, or prints it where no path is given.
MUST_CHECK Status weights_print_or_save(const Weights *weights, const char *path);
