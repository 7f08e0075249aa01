// SPDX-License-Identifier: GPL-3.0-or-later
// Settings of any kind from one table: each row declares a name, a type, bounds, a default and a
// meaning. Parsing, range checks, messages, files of settings and lists for users come from it.
#pragma once

#include "base/error.h"
#include "base/str.h"

// What a setting is in the caller's struct of values.
typedef enum SettingType {
    SETTING_INT,    // int
    SETTING_WHOLE,  // int64_t
    SETTING_U64,    // uint64_t
    SETTING_REAL,   // double
    SETTING_CHOICE, // int64_t: the index of one of `choices`
    SETTING_TEXT,   // Str, owned by the struct
} SettingType;

typedef struct Setting {
    const char *section; // of files; may be NULL
    const char *name;
    SettingType type;
    size_t offset;              // of the field in the struct of values
    double low, high;           // bounds of a number; equal: those of its type
    const char *start;          // the default, as text
    const char *const *choices; // NULL at the end; NULL unless the type is SETTING_CHOICE
    const char *meaning;
} Setting;

typedef struct SettingTable {
    const Setting *rows;
    size_t count;
} SettingTable;

// Reads `text` into `field`, of the setting's type. ERR_ARG with a message that begins with the
// setting's name and says what is allowed: "runs must be a whole number from 1 to 9999, not '0'".
MUST_CHECK Status setting_parse(const Setting *setting, const char *text, void *field);
// Checks a number that was read elsewhere; `what` is its text, for the message.
MUST_CHECK Status setting_check_number(const Setting *setting, double number, const char *what);
// Appends a field as text that setting_parse reads back.
void setting_write(const Setting *setting, const void *field, Str *out);
// Appends what a setting may be: "1 to 9", "no or yes"; nothing for a text or a number without
// bounds.
void setting_write_allowed(const Setting *setting, Str *out);
// Appends the line that tells a user of a setting, with its value as text and what else it may be
// (empty: anything).
void setting_describe(const Setting *setting, const char *value, const char *allowed, Str *out);

// The row of that name, or NULL; `section` may be NULL: any.
const Setting *settings_find(const SettingTable *table, const char *section, const char *name);
// The fields of a struct of values that a table describes.
void *settings_field(const Setting *setting, void *values);
// Sets every field to its default. Texts must be empty or owned.
void settings_init(const SettingTable *table, void *values);
// Frees the texts.
void settings_free(const SettingTable *table, void *values);
// Appends everything as "[section]" and "name = value" lines.
void settings_write(const SettingTable *table, const void *values, Str *out);
