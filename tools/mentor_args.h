// SPDX-License-Identifier: GPL-3.0-or-later
// Options of the commands that read labelled sets.
#pragma once

#include "fitness/linear/mentor_set.h"
#include "tools/args.h"

typedef struct MentorArgs {
    bool quiet_only;
    int clamp, beyond, mates; // the last two are MentorTreatments
} MentorArgs;

// Rows for a table of options whose ARGS hold a MentorArgs.
// clang-format off
#define MENTOR_OPTIONS(field)                                                                      \
    ARG_SWITCH("quiet-only", 0, field.quiet_only,                                                  \
               "skip positions where a capture wins material for either side"),               \
    ARG_RANGE("clamp", 0, "CP", INT, field.clamp, 0, 30000,                                        \
              "largest score in centipawns; 0: no limit (default: 0)"),                                 \
    ARG_ONE_OF("beyond", 0, "WHAT", field.beyond, treatment_names,                                 \
               "what to do with larger scores: drop or clamp (default: drop)"),                    \
    ARG_ONE_OF("mates", 0, "WHAT", field.mates, treatment_names,                                   \
               "what to do with mate scores: drop or clamp (default: drop)")
// clang-format on

// ARGS_GO_ON, or what to return at once when the options do not fit each other.
static inline int mentor_args_check(const MentorArgs *args, const ArgSpec *spec) {
    if (args->mates == MENTOR_CLAMP && args->clamp == 0)
        return args_complain(spec, "--mates clamp needs a limit: give --clamp too");
    return ARGS_GO_ON;
}

static inline MentorLimits mentor_args_limits(const MentorArgs *args) {
    return (MentorLimits){args->clamp, (MentorTreatment)args->beyond, (MentorTreatment)args->mates};
}

static inline MentorSetOptions mentor_args_options(const MentorArgs *args, const Family *family,
                                                   bool tempo) {
    return (MentorSetOptions){.family = family,
                              .tempo = tempo,
                              .quiet_only = args->quiet_only,
                              .limits = mentor_args_limits(args)};
}
