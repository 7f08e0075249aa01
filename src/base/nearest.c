// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/nearest.h"

#include "base/str.h"

#include <ctype.h>
#include <limits.h>
#include <stdbool.h>
#include <string.h>

enum { WORD_MAX = 32, TOO_FAR = 3 }; // further away is no slip of the finger

static bool is_same_letter(char a, char b) {
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

unsigned nearest_distance(const char *a, const char *b) {
    unsigned row[WORD_MAX + 1];
    size_t width = strlen(b);
    if (width > WORD_MAX)
        return UINT_MAX;
    for (unsigned j = 0; j <= width; j++)
        row[j] = j;
    for (unsigned i = 1; a[i - 1] != '\0'; i++) {
        unsigned diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= width; j++) {
            unsigned changed = diagonal + !is_same_letter(a[i - 1], b[j - 1]);
            unsigned shifted = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
            diagonal = row[j];
            row[j] = changed < shifted ? changed : shifted;
        }
    }
    return row[width];
}

const char *nearest_name(const char *word, const char *const *names, size_t count) {
    const char *nearest = NULL;
    unsigned smallest = TOO_FAR;
    for (size_t i = 0; i < count; i++) {
        unsigned distance = nearest_distance(word, names[i]);
        if (distance < smallest) {
            smallest = distance;
            nearest = names[i];
        }
    }
    return nearest;
}

Status nearest_suggest(Status status, const char *word, const char *const *names, size_t count) {
    const char *nearest = nearest_name(word, names, count);
    CLEANUP(str_free) Str message = {0};
    if (nearest == NULL)
        return status;
    str_add(&message, error_message());
    return error_set(status, "%s: did you mean '%s'?", str_text(&message), nearest);
}
