// SPDX-License-Identifier: GPL-3.0-or-later
#include "serve/reference.h"

#include "base/json.h"
#include "base/locate.h"
#include "eval/value.h"
#include "eval/weights.h"
#include "serve/plain_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { OPTIMUM_TEXT_MAX = 1 << 20 };

static const struct {
    const char *family, *weights, *title;
} references[] = {
    {"maestro", "maestro-gecco2008", "GECCO 2008"},
    {"vazquez", "vazquez-asoc2013", "ASOC 2013"},
    {"shannon", "shannon-developed", "CEC 2001"},
    {"falcon", "falcon", "FALCON"},
};

const char *reference_of(const char *family, const char **title) {
    for (size_t i = 0; i < sizeof references / sizeof *references; i++)
        if (strcmp(references[i].family, family) == 0) {
            *title = references[i].title;
            return references[i].weights;
        }
    return NULL;
}

static Status load(const char *name, Weights *out) {
    CLEANUP(str_free) Str file = {0};
    CLEANUP(str_free) Str path = {0};
    str_addf(&file, "%s.weights", name);
    TRY(locate_shipped("weights", str_text(&file), &path));
    return weights_load(out, str_text(&path));
}

static void write_weights(const Weights *weights, const char *title, Str *out) {
    str_addf(out, "{\"title\":\"%s\",\"values\":{", title);
    for (size_t i = 0; i < weights->family->term_count; i++)
        str_addf(out, "%s\"%s\":%s", i == 0 ? "" : ",", weights->family->terms[i].name,
                 value_text(weights->family, weights->parameters[i]).text);
    str_add(out, "}}");
}

static void write_shipped(const char *family, Str *out) {
    CLEANUP(weights_free) Weights weights = {0};
    const char *title, *name = reference_of(family, &title);
    if (name != NULL && load(name, &weights) == OK)
        write_weights(&weights, title, out);
    else
        str_add(out, "null");
}

// "PAWN_VALUE,100.2,3.1" in the units of parameters; one that the data cannot tell has no error.
static bool write_optimum_row(char *line, double unit, bool is_first, Str *out) {
    char *rest = line;
    const char *name = strsep(&rest, ","), *value = strsep(&rest, ",");
    if (name == NULL || value == NULL || rest == NULL || *value == '\0')
        return false;
    str_add(out, is_first ? "" : ",");
    json_add_string(out, name);
    str_add(out, ":{\"value\":");
    json_add_number(out, strtod(value, NULL) / unit);
    str_add(out, ",\"error\":");
    json_add_number(out, *rest == '\0' ? NAN : strtod(rest, NULL) / unit);
    str_add(out, "}");
    return true;
}

static void write_optimum(const Family *family, const char *path, Str *out) {
    CLEANUP(str_free) Str text = {0};
    if (family == NULL || plain_read(path, OPTIMUM_TEXT_MAX, &text) != OK) {
        str_add(out, "null");
        return;
    }
    char *rest = text.text, *line;
    size_t told = 0;
    if (rest != NULL)
        (void)strsep(&rest, "\n");
    str_add(out, "{");
    while (rest != NULL && (line = strsep(&rest, "\n")) != NULL)
        told += write_optimum_row(line, family->unit, told == 0, out);
    str_add(out, "}");
}

void reference_write(const char *family, const char *optimum, Str *out) {
    str_add(out, ",\"reference\":");
    write_shipped(family, out);
    str_add(out, ",\"optimum\":");
    write_optimum(family_find(family), optimum, out);
}
