// SPDX-License-Identifier: GPL-3.0-or-later
#include "papers/paper.h"

#include "base/mem.h"
#include "papers/script.h"

#include <stdlib.h>

const PaperName paper_names[] = {
    {"gecco2008", true}, {"gpem2010", true}, {"gecco2009", true}, {"asoc2013", true},
    {"cec2001", true},   {"methods", false}, {"search", false},   {NULL, false},
};

struct Paper {
    Script script;
};

Status paper_open(Paper **out, const char *name, Plan *plan) {
    CLEANUP(paper_close_at) Paper *paper = mem_alloc_zero(1, sizeof *paper);
    *out = NULL;
    TRY(script_open(&paper->script, name, plan));
    TRY(script_check_page(&paper->script));
    TRY(script_plan(&paper->script));
    *out = paper;
    paper = NULL;
    return OK;
}

void paper_close(Paper *paper) {
    if (paper != NULL)
        script_close(&paper->script);
    free(paper);
}

const char *paper_title(const Paper *paper) {
    return script_text(&paper->script, "title");
}

const char *paper_citation(const Paper *paper) {
    return script_text(&paper->script, "citation");
}

Status paper_fill(Paper *paper, Page *page) {
    return script_page(&paper->script, page);
}
