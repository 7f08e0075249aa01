// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/files/population_file.h"

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
    CLEANUP(str_free) Str text = {0};
    CLEANUP(str_free) Str path = {0};
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
        for (size_t j = 0; j < space->count; j++) {
            str_add(&text, ",");
            str_add_digits(&text, organisms[i * space->count + j], 17);
        }
        str_add(&text, "\n");
    }
    population_path(directory, &path);
    return file_write(str_text(&path), text.text, text.length);
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

static bool take_number(StrView *rest, double *out, StrView *cell) {
    char text[CELL_MAX], *end;
    *cell = next_cell(rest);
    snprintf(text, sizeof text, "%.*s", (int)cell->length, cell->text);
    *out = strtod(text, &end);
    return end != text && *end == '\0';
}

static Status take_values(StrView line, const EvolveSpace *space, int before, double *organism) {
    StrView rest = skip_cells(line, before), cell;
    for (size_t j = 0; j < space->count; j++)
        if (!take_number(&rest, &organism[j], &cell) ||
            space_nearest(space, j, organism[j]) != organism[j])
            return error_set(ERR_PARSE, "'%.*s' is no value of %s", (int)cell.length, cell.text,
                             space->parameters[j].name);
    return rest.length == 0 ? OK : error_set(ERR_PARSE, "more values than parameters");
}

// What is read: organisms, and where they are wanted the worth of each, of which more is better.
typedef struct Lines {
    const EvolveSpace *space;
    int before;  // cells before the parameters
    double sign; // of a figure, as worth: less of an error is better
    bool wants_worths;
    double *organisms, *worths; // owned
    size_t count, organism_capacity, worth_capacity;
} Lines;

static Status take_header(Lines *out, StrView line) {
    StrView rest = skip_cells(line, CELLS_BEFORE - 1);
    out->before = cells_before(line, out->space);
    out->sign = view_equals(next_cell(&rest), "error") ? -1 : 1;
    if (out->wants_worths && out->before < CELLS_BEFORE)
        return error_set(ERR_PARSE, "there are no figures to tell the best by");
    return check_names(line, out->space, out->before);
}

static Status take_worth(Lines *out, StrView line) {
    StrView rest = skip_cells(line, CELLS_BEFORE - 1), cell;
    double figure;
    if (!take_number(&rest, &figure, &cell))
        return error_set(ERR_PARSE, "'%.*s' is no figure", (int)cell.length, cell.text);
    out->worths = mem_grow(out->worths, &out->worth_capacity, out->count + 1, sizeof *out->worths);
    out->worths[out->count] = out->sign * figure;
    return OK;
}

static Status take_line(Lines *out, StrView line) {
    const size_t width = out->space->count;
    out->organisms = mem_grow(out->organisms, &out->organism_capacity, (out->count + 1) * width,
                              sizeof *out->organisms);
    TRY(take_values(line, out->space, out->before, out->organisms + out->count * width));
    if (out->wants_worths)
        TRY(take_worth(out, line));
    out->count++;
    return OK;
}

static Status read_lines(LineReader *lines, Lines *out) {
    StrView line;
    TRY(lines_next(lines, &line));
    if (line.text == NULL)
        return error_set(ERR_PARSE, "it is empty");
    TRY(take_header(out, line));
    for (;;) {
        TRY(lines_next(lines, &line));
        if (line.text == NULL)
            return out->count > 0 ? OK : error_set(ERR_PARSE, "there is no organism in it");
        TRY(take_line(out, line));
    }
}

static Status read_file(const char *directory, Lines *out) {
    CLEANUP(str_free) Str path = {0};
    CLEANUP(lines_close_at) LineReader *lines = NULL;
    population_path(directory, &path);
    TRY(lines_open(&lines, str_text(&path), (out->space->count + CELLS_BEFORE) * CELL_MAX));
    TRY_PREFIX(read_lines(lines, out), "%s:%" PRIu64, str_text(&path), lines_number(lines));
    return OK;
}

static void lines_free(Lines *lines) {
    free(lines->organisms);
    free(lines->worths);
}

// Hands the first of them over, at most so many.
static void hand_over(Lines *lines, size_t most, double **organisms, size_t *count) {
    *organisms = lines->organisms;
    *count = lines->count < most ? lines->count : most;
    lines->organisms = NULL;
}

Status population_read(const char *directory, const EvolveSpace *space, double **organisms,
                       size_t *count) {
    CLEANUP(lines_free) Lines lines = {.space = space};
    *organisms = NULL;
    *count = 0;
    TRY(read_file(directory, &lines));
    hand_over(&lines, lines.count, organisms, count);
    return OK;
}

// Brings the best of those from `first` on to that place, and moves what was before it up.
static void bring_best(Lines *lines, size_t first) {
    const size_t width = lines->space->count, bytes = width * sizeof *lines->organisms;
    size_t best = first;
    for (size_t i = first + 1; i < lines->count; i++)
        if (lines->worths[i] > lines->worths[best])
            best = i;
    double *organism = mem_alloc(bytes), *place = lines->organisms + first * width;
    const double worth = lines->worths[best];
    memcpy(organism, lines->organisms + best * width, bytes);
    memmove(place + width, place, (best - first) * bytes);
    memcpy(place, organism, bytes);
    memmove(lines->worths + first + 1, lines->worths + first,
            (best - first) * sizeof *lines->worths);
    lines->worths[first] = worth;
    free(organism);
}

Status population_read_best(const char *directory, const EvolveSpace *space, size_t most,
                            double **organisms, size_t *count) {
    CLEANUP(lines_free) Lines lines = {.space = space, .wants_worths = true};
    *organisms = NULL;
    *count = 0;
    TRY(read_file(directory, &lines));
    for (size_t i = 0; i < lines.count && i < most; i++)
        bring_best(&lines, i);
    hand_over(&lines, most, organisms, count);
    return OK;
}
