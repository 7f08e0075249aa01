// SPDX-License-Identifier: GPL-3.0-or-later
// The papers that falconer reproduces: each is a file, experiments/NAME.paper, that declares the
// plan of its experiments and the page that shows its figures beside ours.
#pragma once

#include "papers/page.h"

// A name as the command line has it. Experiments of our own are not published, nor among "all".
typedef struct PaperName {
    const char *name;
    bool is_published;
} PaperName;
// In the order in which they are reproduced; ended by the name NULL.
extern const PaperName paper_names[];

typedef struct Paper Paper;
// Reads a paper, whole, and adds its steps to the plan, which must outlive it.
MUST_CHECK Status paper_open(Paper **out, const char *name, Plan *plan);
void paper_close(Paper *paper);
CLEANUP_AT(Paper *, paper_close)
const char *paper_title(const Paper *paper);
// Whose work it is.
const char *paper_citation(const Paper *paper);
// Fills the page, once all steps are done.
MUST_CHECK Status paper_fill(Paper *paper, Page *page);
