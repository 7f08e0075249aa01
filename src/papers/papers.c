// SPDX-License-Identifier: GPL-3.0-or-later
#include "papers/paper.h"

#include <string.h>

const Paper *const papers_all[] = {&paper_gecco2008, &paper_gpem2010, &paper_gecco2009,
                                   &paper_asoc2013,  &paper_cec2001,  NULL};

const Paper *paper_find(const char *name) {
    for (size_t i = 0; papers_all[i] != NULL; i++)
        if (strcmp(papers_all[i]->name, name) == 0)
            return papers_all[i];
    return NULL;
}
