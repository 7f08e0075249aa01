// SPDX-License-Identifier: GPL-3.0-or-later
// The pages, scripts and styles that the program has within it.
#pragma once

#include "base/view.h"

typedef struct WebFile {
    const char *address, *type;
    StrView contents; // no text where there is no such file
} WebFile;

// The file of an address.
WebFile web_file_find(const char *address);
