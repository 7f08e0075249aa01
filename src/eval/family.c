// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/family.h"

#include <string.h>

const Family *const families[] = {&family_maestro, NULL};

const Family *family_find(const char *name) {
    for (size_t i = 0; families[i] != NULL; i++)
        if (strcmp(families[i]->name, name) == 0)
            return families[i];
    return NULL;
}

int family_find_term(const Family *family, const char *name) {
    for (size_t i = 0; i < family->term_count; i++)
        if (strcmp(family->terms[i].name, name) == 0)
            return (int)i;
    return -1;
}

void family_trace(const Family *family, const Position *pos, Trace *out) {
    Trace sides[COLOR_NB];
    family->trace_sides(pos, sides);
    for (size_t i = 0; i < family->coefficient_count; i++)
        out->counts[i] = (int16_t)(sides[WHITE].counts[i] - sides[BLACK].counts[i]);
}
