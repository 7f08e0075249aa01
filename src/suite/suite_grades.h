// SPDX-License-Identifier: GPL-3.0-or-later
// The points that positions of the Strategic Test Suite give to moves, in the forms that are
// around: c8 "10 3" with c9 "f4f5 d4e5" or c7 "f5 Be5+", or c0 "f5=10, Be5+=3".
#pragma once

#include "chess/epd.h"
#include "suite/suite.h"

// Reads them into `item`: none when the operations are absent or other people's comments. ERR_PARSE
// for an illegal move, a number that is none, or more moves than points.
MUST_CHECK Status suite_read_grades(const Epd *epd, SuiteItem *item);
