// SPDX-License-Identifier: GPL-3.0-or-later
// Files of EPD, record by record.
#pragma once

#include "chess/epd.h"

// Called for each record: the line it was read from, trimmed, and the line's number. The record is
// borrowed. A failure ends the reading and is returned with file and line in front.
typedef Status (*EpdTaker)(void *context, const Epd *epd, StrView line, uint64_t number);

// Reads a file, plain or packed. Empty lines and those that begin with '#' are passed over.
MUST_CHECK Status epd_read_file(const char *path, EpdTaker take, void *context);
