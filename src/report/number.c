// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/number.h"

#include "base/error.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DECIMALS_MAX = 15, NUMBER_SIZE = 64 };

static const double exponent_from = 1e15;

static void add_with_commas(Str *out, const char *digits) {
    size_t whole = strcspn(digits, ".");
    for (size_t i = 0; i < whole; i++) {
        if (i > 0 && (whole - i) % 3 == 0)
            str_add(out, ",");
        str_append(out, digits + i, 1);
    }
    str_add(out, digits + whole);
}

void number_add(Str *out, double value, int decimals) {
    char digits[NUMBER_SIZE];
    if (isnan(value)) {
        str_add(out, "–");
        return;
    }
    if (isinf(value)) {
        str_add(out, value > 0 ? "∞" : "-∞");
        return;
    }
    if (fabs(value) >= exponent_from) {
        str_addf(out, "%.3e", value);
        return;
    }
    decimals = decimals < 0 ? 0 : decimals > DECIMALS_MAX ? DECIMALS_MAX : decimals;
    snprintf(digits, sizeof digits, "%.*f", decimals, fabs(value));
    bool is_zero = strspn(digits, "0.") == strlen(digits);
    if (value < 0 && !is_zero)
        str_add(out, "-");
    add_with_commas(out, digits);
}

void number_add_range(Str *out, double low, double high, int decimals) {
    str_add(out, " (");
    number_add(out, low, decimals);
    str_add(out, " to ");
    number_add(out, high, decimals);
    str_add(out, ")");
}

NumberText number_of(long long count) {
    NumberText number;
    CLEANUP(str_free) Str shown = {0};
    number_add(&shown, (double)count, 0);
    snprintf(number.text, sizeof number.text, "%s", str_text(&shown));
    return number;
}

void number_add_exact(Str *out, double value) {
    char digits[NUMBER_SIZE];
    for (int precision = DECIMALS_MAX; precision <= DECIMALS_MAX + 2; precision++) {
        snprintf(digits, sizeof digits, "%.*g", precision, value);
        if (strtod(digits, NULL) == value)
            break;
    }
    str_add(out, digits);
}
