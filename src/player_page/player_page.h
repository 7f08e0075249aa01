// SPDX-License-Identifier: GPL-3.0-or-later
// A player as one HTML file: board, engine, weights, and their book where there is one. It needs
// nothing but a browser, and asks for nothing from elsewhere.
#pragma once

#include "base/error.h"
#include "base/str.h"

// ERR_IO where the engine for a browser is not there, or is of another version: the message says
// how it is made. To be asked before work of which a page is to be the end.
MUST_CHECK Status player_page_check(void);

// Writes the page of a weights file, which may be a bundled one by its name. `commit` is that of
// the program.
MUST_CHECK Status player_page_write(const char *weights_path, const char *commit,
                                    const char *output);
