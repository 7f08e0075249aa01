// SPDX-License-Identifier: GPL-3.0-or-later
// What a page wants to start, as words of a command: a preset with changed settings, checked as the
// command line checks them, or a match. Pages choose files from lists, by names that the server
// gave them.
#pragma once

#include "serve/server.h"
#include "serve/start_match.h"
#include "settings/run_config.h"

enum { START_CHANGES_MAX = 100, START_VALUE_MAX = 1000 };

// Everything owned.
typedef struct StartPlan {
    Str name;         // of the preset, or START_MATCH
    RunConfig config; // the preset with the changes
    StartMatch match; // or this
    char **changes;   // name and value in turn, files by their names for pages
    size_t change_count, change_capacity;
    char **settings; // the same, files by their paths
    size_t setting_count, setting_capacity;
    int64_t threads;
    Str bad; // the setting that a message is about, or ""
} StartPlan;

// Reads `preset`, `changes` (lines of NAME=VALUE) and `threads` of what was asked. ERR_ARG where
// the command line would refuse it: what could be read is there. Free it whatever came of it.
MUST_CHECK Status start_plan_read(StartPlan *plan, Server *server, StrView body);
void start_plan_free(StartPlan *plan);

bool start_plan_is_match(const StartPlan *plan);
// The subcommand that takes it, its seed, and its words: calls `add` with each, but for those of
// the folder and the threads.
const char *start_plan_verb(const StartPlan *plan);
int64_t start_plan_seed(const StartPlan *plan);
void start_plan_write(const StartPlan *plan, void (*add)(void *context, const char *word),
                      void *context);
// The value that a page gave a setting, or NULL where it was left alone.
const char *start_plan_change(const StartPlan *plan, const char *name);
// What a page chooses a setting's files from; START_TEXT: it names none.
typedef enum StartFiles { START_TEXT, START_SETS, START_WEIGHTS, START_RUNS } StartFiles;
StartFiles start_plan_files(const char *setting);
// Settings that pages cannot change, for they could name any path.
bool start_plan_is_hidden(const char *setting);

// Appends names of data sets that come with the program, a line each.
void start_plan_list_sets(Str *out);
// Whether a preset can be started by a page alone.
bool start_plan_is_startable(const char *preset);
