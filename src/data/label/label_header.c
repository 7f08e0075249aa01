// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/label/label_header.h"

#include "base/error.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

static const char mark[] = "# label: ";

void label_header_add(Str *header, const char *format, ...) {
    CLEANUP(str_free) Str line = {0};
    va_list args;
    va_start(args, format);
    str_addv(&line, format, args);
    va_end(args);
    str_add(header, mark);
    text_clean_line(header, view_of(str_text(&line), line.length));
    str_add(header, "\n");
}

void label_header_add_weights(Str *header, const char *name, const Weights *weights) {
    label_header_add(header, "weights %s, family %s %u, digest %016" PRIx64, name,
                     weights->family->name, weights->family->version, weights_digest(weights));
}

bool label_header_has(StrView line) {
    return line.length >= sizeof mark - 1 && memcmp(line.text, mark, sizeof mark - 1) == 0;
}
