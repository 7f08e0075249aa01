// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/value.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

// Units are 1, or 10 for tenths.
static bool has_tenths(const Family *family) {
    assert(family->unit == 1 || family->unit == 10);
    return family->unit == 10;
}

static ValueText format(const Family *family, int64_t value, const char *plus) {
    ValueText out;
    const char *sign = value < 0 ? "-" : plus;
    const uint64_t size = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    if (has_tenths(family))
        snprintf(out.text, sizeof out.text, "%s%" PRIu64 ".%u", sign, size / 10,
                 (unsigned)(size % 10));
    else
        snprintf(out.text, sizeof out.text, "%s%" PRIu64, sign, size);
    return out;
}

ValueText value_text(const Family *family, int64_t value) {
    return format(family, value, "");
}

ValueText value_text_signed(const Family *family, int64_t value) {
    return format(family, value, "+");
}

bool value_parse(const Family *family, StrView text, int64_t *out) {
    if (!has_tenths(family))
        return view_to_int(text, out);
    const char *point = memchr(text.text, '.', text.length);
    const size_t before = point == NULL ? text.length : (size_t)(point - text.text);
    const size_t decimals = point == NULL ? 0 : text.length - before - 1;
    const bool is_negative = text.length > 0 && text.text[0] == '-';
    int64_t whole, tenths = 0;
    if (!view_to_int(view_of(text.text, before), &whole) ||
        __builtin_mul_overflow(whole, 10, &whole))
        return false;
    if (point != NULL && (decimals != 1 || point[1] < '0' || point[1] > '9'))
        return false;
    if (point != NULL)
        tenths = point[1] - '0';
    return !__builtin_add_overflow(whole, is_negative ? -tenths : tenths, out);
}

const char *value_kind(const Family *family) {
    return has_tenths(family) ? "a number with at most one decimal" : "a whole number";
}
