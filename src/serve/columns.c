// SPDX-License-Identifier: GPL-3.0-or-later
#include "serve/columns.h"

#include "base/json.h"

#include <stdlib.h>

void columns_write(const void *rows, size_t first, size_t end, ColumnAt *at, Str *out) {
    str_add(out, "[");
    for (size_t i = first; i < end; i++) {
        if (i > first)
            str_add(out, ",");
        json_add_number(out, at(rows, i));
    }
    str_add(out, "]");
}

void columns_write_thinned(const void *rows, size_t count, ColumnAt *at, size_t most, Str *out) {
    const size_t points = count < most ? count : most;
    str_add(out, "[");
    for (size_t i = 0; i < points; i++) {
        if (i > 0)
            str_add(out, ",");
        json_add_number(out, at(rows, points < 2 ? 0 : i * (count - 1) / (points - 1)));
    }
    str_add(out, "]");
}

void columns_write_cells(const char *text, Str *out) {
    str_add(out, "[");
    for (bool is_first = true; text != NULL && *text != '\0'; is_first = false) {
        char *end;
        const double value = strtod(text, &end);
        if (end == text)
            break;
        str_add(out, is_first ? "" : ",");
        json_add_number(out, value);
        text = *end == ',' ? end + 1 : end;
    }
    str_add(out, "]");
}
