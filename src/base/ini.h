// SPDX-License-Identifier: GPL-3.0-or-later
// Settings as text: "[section]", "key = value", comments after ';' or '#' at the start of a line.
#pragma once

#include "base/error.h"
#include "base/str.h"

// Called for every setting; a failure ends the reading and is returned with file and line in front.
typedef Status (*IniHandler)(void *context, const char *section, const char *key,
                             const char *value);

// Reads a file, or a text that `name` stands for in messages.
MUST_CHECK Status ini_read_file(const char *path, IniHandler handler, void *context);
MUST_CHECK Status ini_read_text(StrView text, const char *name, IniHandler handler, void *context);
