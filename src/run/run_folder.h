// SPDX-License-Identifier: GPL-3.0-or-later
// The directory of a run: begun, opened again, and held by one process at a time.
#pragma once

#include "settings/run_config.h"

// ERR_ARG where the directory holds a run already, or files that a run would write over.
MUST_CHECK Status run_check_directory(const char *directory, const RunConfig *config);
// Makes the directory, with those above it, and writes the settings; ERR_ARG where
// run_check_directory says so: all files then stay as they are.
MUST_CHECK Status run_begin(const char *directory, const RunConfig *config);
// What is said of a directory that holds a run; ERR_ARG.
MUST_CHECK Status run_folder_refuse(const char *directory);
// Reads the settings back; ERR_IO, with the reason, where there is no run.
MUST_CHECK Status run_open(const char *directory, RunConfig *config);
// The directory of one run: the run's own, or run-01 and so on inside it.
void run_directory(const char *directory, const RunConfig *config, uint32_t index, Str *out);

// Holds the directory for this process, until run_unlock or its death; ERR_ARG where another has
// it.
MUST_CHECK Status run_lock(const char *directory, int *lock);
void run_unlock(int lock);
