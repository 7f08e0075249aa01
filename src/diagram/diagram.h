// SPDX-License-Identifier: GPL-3.0-or-later
// Positions as board diagrams: a drawing of its own, and an element of reports.
#pragma once

#include "chess/position.h"
#include "report/report.h"

typedef struct DiagramSpec {
    const Position *position;
    Move move;           // shown as an arrow; MOVE_NONE: none
    bool is_from_black;  // Black's side of the board is below
    const char *caption; // of diagram_add; NULL: none
} DiagramSpec;

// Appends an <svg> of class "board" that needs no style sheet. The dot beside the board tells whose
// turn it is.
void diagram_write_svg(const DiagramSpec *spec, Str *out);
// Adds the diagram, with its caption and FEN, to a report, which copies what it needs. Those that
// follow each other stand side by side.
void diagram_add(Report *report, const DiagramSpec *spec);
