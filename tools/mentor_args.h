// SPDX-License-Identifier: GPL-3.0-or-later
// Options of the commands that read labelled sets.
#pragma once

#include "fitness/linear/mentor_set.h"
#include "tools/args.h"

#include <stdbool.h>

typedef struct MentorArgs {
    bool quiet_only;
    int clamp;
    const char *beyond, *mates;
} MentorArgs;

// Rows for a table of options whose values hold a MentorArgs.
#define MENTOR_OPTIONS(type, field)                                                                \
    {"quiet-only",                                                                                 \
     0,                                                                                            \
     NULL,                                                                                         \
     ARG_FLAG,                                                                                     \
     offsetof(type, field.quiet_only),                                                             \
     0,                                                                                            \
     0,                                                                                            \
     "leave out positions where a capture wins material for either side"},                         \
        {"clamp",                                                                                  \
         0,                                                                                        \
         "CP",                                                                                     \
         ARG_INT,                                                                                  \
         offsetof(type, field.clamp),                                                              \
         0,                                                                                        \
         30000,                                                                                    \
         "largest score; 0: none is too large (default: 0)"},                                      \
        {"beyond",                                                                                 \
         0,                                                                                        \
         "WHAT",                                                                                   \
         ARG_STRING,                                                                               \
         offsetof(type, field.beyond),                                                             \
         0,                                                                                        \
         0,                                                                                        \
         "what becomes of larger scores: drop or clamp (default: drop)"},                          \
    {                                                                                              \
        "mates", 0, "WHAT", ARG_STRING, offsetof(type, field.mates), 0, 0,                         \
            "what becomes of mates: drop or clamp (default: drop)"                                 \
    }

// ARGS_GO_ON, or what to return at once when a word is none of those.
int mentor_args_check(const MentorArgs *args, const ArgSpec *spec);
MentorLimits mentor_args_limits(const MentorArgs *args);
MentorSetOptions mentor_args_options(const MentorArgs *args, const Family *family, bool tempo);
