// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/mentor_args.h"

#include <string.h>

static bool is_treatment(const char *text) {
    return text == NULL || strcmp(text, treatment_names[MENTOR_DROP]) == 0 ||
           strcmp(text, treatment_names[MENTOR_CLAMP]) == 0;
}

static MentorTreatment treatment_of(const char *text) {
    return text != NULL && strcmp(text, treatment_names[MENTOR_CLAMP]) == 0 ? MENTOR_CLAMP
                                                                            : MENTOR_DROP;
}

int mentor_args_check(const MentorArgs *args, const ArgSpec *spec) {
    if (!is_treatment(args->beyond))
        return args_complain(spec, "--beyond must be drop or clamp, not '%s'", args->beyond);
    if (!is_treatment(args->mates))
        return args_complain(spec, "--mates must be drop or clamp, not '%s'", args->mates);
    if (treatment_of(args->mates) == MENTOR_CLAMP && args->clamp == 0)
        return args_complain(spec, "--mates clamp needs a limit: give --clamp too");
    return ARGS_GO_ON;
}

MentorLimits mentor_args_limits(const MentorArgs *args) {
    return (MentorLimits){args->clamp, treatment_of(args->beyond), treatment_of(args->mates)};
}

MentorSetOptions mentor_args_options(const MentorArgs *args, const Family *family, bool tempo) {
    return (MentorSetOptions){.family = family,
                              .tempo = tempo,
                              .quiet_only = args->quiet_only,
                              .limits = mentor_args_limits(args)};
}
