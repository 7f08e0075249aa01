// SPDX-License-Identifier: GPL-3.0-or-later
// The papers that falconer reproduces: for each, the plan of its experiments and the page that
// shows its figures beside ours. A new one is a file of its own and a line in papers.c.
#pragma once

#include "papers/page.h"

typedef struct Paper {
    const char *name;     // as the command line has it
    const char *title;    // of the page
    const char *citation; // whose work it is
    void (*plan)(Plan *plan);
    // Fills the page once all steps are done.
    Status (*tell)(const Plan *plan, Page *page);
} Paper;

extern const Paper paper_gecco2008;
extern const Paper paper_gpem2010;
extern const Paper paper_gecco2009;
extern const Paper paper_cec2001;
extern const Paper paper_asoc2013;

// Ended by NULL, in the order in which they are reproduced.
extern const Paper *const papers_all[];
// NULL where there is none of this name.
const Paper *paper_find(const char *name);
