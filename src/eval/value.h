// SPDX-License-Identifier: GPL-3.0-or-later
// Values of a family as people write them, exactly: whole units inside, centipawns outside, with as
// many decimals as the unit has. 2952 tenths are "295.2".
#pragma once

#include "base/str.h"
#include "eval/family.h"

typedef struct ValueText {
    char text[24];
} ValueText;

// The text of a value; `value_text_signed` writes a plus too.
ValueText value_text(const Family *family, int64_t value);
ValueText value_text_signed(const Family *family, int64_t value);
// True, and the value in units, when the whole text is a number of at most as many decimals as the
// unit has. Bounds are not looked at.
bool value_parse(const Family *family, StrView text, int64_t *out);
// What such a text must be, for messages: "a whole number".
const char *value_kind(const Family *family);
