// SPDX-License-Identifier: GPL-3.0-or-later
// What engines say in the XBoard protocol (CECP), read by pure functions that survive any bytes.
#pragma once

#include "engines/uci_text.h"

// Cuts the next NAME=VALUE off what follows the word "feature"; quotes around the value are
// dropped. False when there is none, or what follows is no feature.
bool xboard_next_feature(StrView *rest, StrView *name, StrView *value);

// Reads what feature option= describes: "NAME -spin VALUE MIN MAX", "NAME -check 1",
// "NAME -combo a /// *b", "NAME -button" ... ERR_PARSE for what is none.
MUST_CHECK Status xboard_option_parse(StrView text, UciOption *out);

// True for a line of thinking: "DEPTH SCORE TIME NODES PV", from the mover's view, with moves in
// whatever notation. Its time, in hundredths, is left out.
bool xboard_parse_info(StrView line, UciInfo *out);
// The first move of `pv`, without the number that some put before it; empty when there is none.
StrView xboard_first_move(StrView pv);

// What else a line can be.
typedef enum XboardSaid {
    XBOARD_OTHER,
    XBOARD_MOVE,       // a move, in whatever notation: the text
    XBOARD_RESIGN,     // it gives up
    XBOARD_OFFER_DRAW, // it offers a draw
    XBOARD_RESULT,     // it claims a result: "1-0", "0-1", "1/2-1/2", "*"
    XBOARD_COMPLAINT,  // "Illegal move: ..." or "Error (...): ...": the whole line
    XBOARD_MESSAGE,    // "tellusererror ...": the text
    XBOARD_PONG,       // the number
    XBOARD_FEATURE,    // the features
} XboardSaid;

XboardSaid xboard_parse_line(StrView line, StrView *text);
