// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/settings.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// --- one value ---

static bool has_bounds(const Setting *setting) {
    return setting->low != setting->high;
}

static Status refuse_number(const Setting *setting, const char *what) {
    const char *kind = setting->type == SETTING_REAL ? "number" : "whole number";
    if (has_bounds(setting))
        return error_set(ERR_ARG, "%s must be a %s from %.15g to %.15g, not '%s'", setting->name,
                         kind, setting->low, setting->high, what);
    if (setting->type == SETTING_U64)
        return error_set(ERR_ARG, "%s must be a whole number from 0 to %" PRIu64 ", not '%s'",
                         setting->name, UINT64_MAX, what);
    return error_set(ERR_ARG, "%s must be a %s, not '%s'", setting->name, kind, what);
}

static size_t count_choices(const Setting *setting) {
    size_t count = 0;
    while (setting->choices[count] != NULL)
        count++;
    return count;
}

Status setting_check_number(const Setting *setting, double number, const char *what) {
    const bool is_whole = setting->type == SETTING_REAL || number == floor(number);
    bool is_inside = !has_bounds(setting) || (number >= setting->low && number <= setting->high);
    if (setting->type == SETTING_CHOICE)
        is_inside = number >= 0 && number < (double)count_choices(setting);
    return isfinite(number) && is_whole && is_inside ? OK : refuse_number(setting, what);
}

static Status parse_whole(const Setting *setting, const char *text, int64_t low, int64_t high,
                          int64_t *out) {
    if (!view_to_int(view_from_string(text), out) || *out < low || *out > high)
        return refuse_number(setting, text);
    return setting_check_number(setting, (double)*out, text);
}

static Status parse_u64(const Setting *setting, const char *text, uint64_t *out) {
    char *end;
    errno = 0;
    const unsigned long long value = strtoull(text, &end, 10);
    if (!isdigit((unsigned char)text[0]) || *end != '\0' || errno != 0)
        return refuse_number(setting, text);
    *out = value;
    return setting_check_number(setting, (double)value, text);
}

static Status parse_real(const Setting *setting, const char *text, double *out) {
    if (!view_to_number(view_from_string(text), out))
        return refuse_number(setting, text);
    return setting_check_number(setting, *out, text);
}

static Status parse_choice(const Setting *setting, const char *text, int64_t *out) {
    CLEANUP(str_free) Str names = {0};
    for (int64_t i = 0; setting->choices[i] != NULL; i++) {
        if (strcmp(setting->choices[i], text) == 0) {
            *out = i;
            return OK;
        }
        str_addf(&names, "%s%s", i == 0 ? "" : ", ", setting->choices[i]);
    }
    return error_set(ERR_ARG, "%s must be one of %s, not '%s'", setting->name, str_text(&names),
                     text);
}

// What a line of a file cannot hold would not come back from it.
static Status parse_text(const Setting *setting, const char *text, Str *out) {
    const StrView view = view_from_string(text);
    for (size_t i = 0; i < view.length; i++)
        if (iscntrl((unsigned char)text[i]))
            return error_set(ERR_ARG, "%s must not hold a line break or other control character",
                             setting->name);
    if (view_trim(view).length != view.length)
        return error_set(ERR_ARG, "%s must not begin or end with a blank: '%s'", setting->name,
                         text);
    str_setf(out, "%s", text);
    return OK;
}

Status setting_parse(const Setting *setting, const char *text, void *field) {
    int64_t whole;
    switch (setting->type) {
    case SETTING_INT:
        TRY(parse_whole(setting, text, INT_MIN, INT_MAX, &whole));
        *(int *)field = (int)whole;
        return OK;
    case SETTING_WHOLE:
        TRY(parse_whole(setting, text, INT64_MIN, INT64_MAX, &whole));
        *(int64_t *)field = whole;
        return OK;
    case SETTING_U64:
        return parse_u64(setting, text, field);
    case SETTING_REAL:
        return parse_real(setting, text, field);
    case SETTING_CHOICE:
        return parse_choice(setting, text, field);
    default:
        return parse_text(setting, text, field);
    }
}

void setting_write(const Setting *setting, const void *field, Str *out) {
    switch (setting->type) {
    case SETTING_INT:
        str_addf(out, "%d", *(const int *)field);
        break;
    case SETTING_WHOLE:
        str_addf(out, "%" PRId64, *(const int64_t *)field);
        break;
    case SETTING_U64:
        str_addf(out, "%" PRIu64, *(const uint64_t *)field);
        break;
    case SETTING_REAL:
        str_add_double(out, *(const double *)field);
        break;
    case SETTING_CHOICE:
        str_add(out, setting->choices[*(const int64_t *)field]);
        break;
    case SETTING_TEXT:
        str_add(out, str_text(field));
        break;
    }
}

void setting_write_allowed(const Setting *setting, Str *out) {
    if (setting->type == SETTING_CHOICE)
        for (size_t i = 0, count = count_choices(setting); i < count; i++)
            str_addf(out, "%s%s",
                     i == 0           ? ""
                     : i + 1 == count ? " or "
                                      : ", ",
                     setting->choices[i]);
    else if (setting->type != SETTING_TEXT && has_bounds(setting))
        str_addf(out, "%.15g to %.15g", setting->low, setting->high);
}

void setting_describe(const Setting *setting, const char *value, const char *allowed, Str *out) {
    str_addf(out, "  --%-18s %s (%s%s%s)\n", setting->name, setting->meaning,
             value[0] == '\0' ? "none" : value, allowed[0] == '\0' ? "" : "; ", allowed);
}

// --- all values ---

const Setting *settings_find(const SettingTable *table, const char *section, const char *name) {
    for (size_t i = 0; i < table->count; i++) {
        const Setting *row = &table->rows[i];
        if (strcmp(row->name, name) == 0 && (section == NULL || strcmp(row->section, section) == 0))
            return row;
    }
    return NULL;
}

void *settings_field(const Setting *setting, void *values) {
    return (char *)values + setting->offset;
}

static const void *field_of(const Setting *setting, const void *values) {
    return (const char *)values + setting->offset;
}

void settings_init(const SettingTable *table, void *values) {
    for (size_t i = 0; i < table->count; i++) {
        const Setting *row = &table->rows[i];
        const Status status = setting_parse(row, row->start, settings_field(row, values));
        assert(status == OK); // or the row contradicts itself
        (void)status;
    }
}

void settings_free(const SettingTable *table, void *values) {
    for (size_t i = 0; i < table->count; i++)
        if (table->rows[i].type == SETTING_TEXT)
            str_free(settings_field(&table->rows[i], values));
}

void settings_write(const SettingTable *table, const void *values, Str *out) {
    const char *section = "";
    for (size_t i = 0; i < table->count; i++) {
        const Setting *row = &table->rows[i];
        if (strcmp(section, row->section) != 0)
            str_addf(out, "%s[%s]\n", i == 0 ? "" : "\n", row->section);
        section = row->section;
        str_addf(out, "%s = ", row->name);
        setting_write(row, field_of(row, values), out);
        str_add(out, "\n");
    }
}
