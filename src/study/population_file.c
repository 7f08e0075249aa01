// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/population_file.h"

#include "base/file.h"
#include "base/lines.h"
#include "base/mem.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CELL_MAX = 128 };   // bytes of a name or number, with its comma
enum { CELLS_BEFORE = 2 }; // the organism's number and its figure, where there are figures

static void population_path(const char *directory, Str *out) {
    str_addf(out, "%s/population.csv", directory);
}

Status population_write(const char *directory, const EvolveSpace *space, const char *name,
                        const double *organisms, const double *figures, size_t count) {
    Str text = {0}, path = {0};
    str_add(&text, "organism");
    if (figures != NULL)
        str_addf(&text, ",%s", name);
    for (size_t j = 0; j < space->count; j++)
        str_addf(&text, ",%s", space->parameters[j].name);
    str_add(&text, "\n");
    for (size_t i = 0; i < count; i++) {
        str_addf(&text, "%zu", i);
        if (figures != NULL)
            str_addf(&text, ",%.4f", figures[i]);
        for (size_t j = 0; j < space->count; j++)
            str_addf(&text, ",%.17g", organisms[i * space->count + j]);
        str_add(&text, "\n");
    }
    population_path(directory, &path);
    const Status status = file_write(str_text(&path), text.text, text.length);
    str_free(&text);
    str_free(&path);
    return status;
}

// --- back ---

// Cuts the text before the next comma off the front of `rest`.
static StrView next_cell(StrView *rest) {
    const char *comma = rest->length == 0 ? NULL : memchr(rest->text, ',', rest->length);
    const StrView cell =
        view_of(rest->text, comma == NULL ? rest->length : (size_t)(comma - rest->text));
    const size_t used = cell.length + (comma != NULL);
    *rest = view_of(rest->text + used, rest->length - used);
    return cell;
}

static StrView skip_cells(StrView line, int count) {
    for (int i = 0; i < count; i++)
        (void)next_cell(&line);
    return line;
}

// How many cells stand before the parameters in a file with that first line.
static int cells_before(StrView header, const EvolveSpace *space) {
    StrView rest = skip_cells(header, CELLS_BEFORE - 1);
    const bool has_figures = !view_equals(next_cell(&rest), space->parameters[0].name);
    return CELLS_BEFORE - !has_figures;
}

static Status check_names(StrView line, const EvolveSpace *space, int before) {
    StrView rest = skip_cells(line, before);
    for (size_t j = 0; j < space->count; j++)
        if (!view_equals(next_cell(&rest), space->parameters[j].name))
            return error_set(ERR_PARSE,
                             "no column %s where it should be: is this a population of "
                             "other parameters?",
                             space->parameters[j].name);
    return rest.length == 0 ? OK : error_set(ERR_PARSE, "more columns than parameters");
}

static Status take_values(StrView line, const EvolveSpace *space, int before, double *organism) {
    StrView rest = skip_cells(line, before);
    for (size_t j = 0; j < space->count; j++) {
        char text[CELL_MAX], *end;
        const StrView cell = next_cell(&rest);
        snprintf(text, sizeof text, "%.*s", (int)cell.length, cell.text);
        organism[j] = strtod(text, &end);
        if (end == text || *end != '\0' || space_nearest(space, j, organism[j]) != organism[j])
            return error_set(ERR_PARSE, "'%s' is no value of %s", text, space->parameters[j].name);
    }
    return rest.length == 0 ? OK : error_set(ERR_PARSE, "more values than parameters");
}

static Status read_lines(LineReader *lines, const EvolveSpace *space, double **organisms,
                         size_t *count) {
    StrView line;
    size_t capacity = 0;
    Status status = lines_next(lines, &line);
    if (status == OK && line.text == NULL)
        return error_set(ERR_PARSE, "it is empty");
    const int before = status == OK ? cells_before(line, space) : 0;
    if (status == OK)
        status = check_names(line, space, before);
    while (status == OK && (status = lines_next(lines, &line)) == OK && line.text != NULL) {
        *organisms =
            vec_grow(*organisms, &capacity, (*count + 1) * space->count, sizeof **organisms);
        status = take_values(line, space, before, *organisms + *count * space->count);
        *count += status == OK;
    }
    return status;
}

Status population_read(const char *directory, const EvolveSpace *space, double **organisms,
                       size_t *count) {
    Str path = {0};
    LineReader *lines;
    *organisms = NULL;
    *count = 0;
    population_path(directory, &path);
    Status status = lines_open(&lines, str_text(&path), (space->count + CELLS_BEFORE) * CELL_MAX);
    if (status == OK) {
        status = read_lines(lines, space, organisms, count);
        if (status == OK && *count == 0)
            status = error_set(ERR_PARSE, "there is no organism in it");
        if (status != OK)
            error_prefix("%s:%" PRIu64, str_text(&path), lines_number(lines));
        lines_close(lines);
    }
    if (status != OK) {
        free(*organisms);
        *organisms = NULL;
        *count = 0;
    }
    str_free(&path);
    return status;
}
