// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/lines.h"
#include "base/mem.h"
#include "base/moments.h"
#include "papers/evidence.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { GRID_LINE_MAX = 1 << 16 };

// Cuts the next field off the front of a line; false when there is none.
static bool next_field(StrView *rest, StrView *field) {
    if (rest->text == NULL)
        return false;
    const char *comma = memchr(rest->text, ',', rest->length);
    const size_t length = comma == NULL ? rest->length : (size_t)(comma - rest->text);
    *field = view_of(rest->text, length);
    *rest = comma == NULL ? view_of(NULL, 0) : view_of(comma + 1, rest->length - length - 1);
    return true;
}

static double to_number(StrView field) {
    CLEANUP(mem_free_at) char *text = view_copy(field);
    char *end;
    const double value = strtod(text, &end);
    return end != text && *end == '\0' ? value : (double)NAN;
}

static void read_names(Grid *grid, StrView line) {
    size_t capacity = 0;
    for (StrView field; next_field(&line, &field);)
        MEM_ADD(grid->names, grid->columns, capacity) = view_copy(field);
}

static void read_row(Grid *grid, size_t *capacity, StrView line) {
    grid->cells =
        mem_grow(grid->cells, capacity, (grid->rows + 1) * grid->columns, sizeof *grid->cells);
    double *row = grid->cells + grid->rows++ * grid->columns;
    StrView field;
    for (size_t i = 0; i < grid->columns; i++)
        row[i] = next_field(&line, &field) ? to_number(field) : (double)NAN;
}

static Status read_lines(Grid *grid, const char *path) {
    CLEANUP(lines_close_at) LineReader *lines = NULL;
    size_t capacity = 0;
    TRY(lines_open(&lines, path, GRID_LINE_MAX));
    for (StrView line;;) {
        TRY(lines_next(lines, &line));
        if (line.text == NULL)
            break;
        if (grid->columns == 0)
            read_names(grid, line);
        else
            read_row(grid, &capacity, line);
    }
    return grid->columns > 0 ? OK : error_set(ERR_PARSE, "%s: empty", path);
}

Status grid_read(Grid *out, const char *path) {
    *out = (Grid){0};
    const Status status = read_lines(out, path);
    if (status != OK)
        grid_free(out);
    return status;
}

void grid_free(Grid *grid) {
    for (size_t i = 0; i < grid->columns; i++)
        free(grid->names[i]);
    free(grid->names);
    free(grid->cells);
    *grid = (Grid){0};
}

double grid_at(const Grid *grid, size_t row, const char *column) {
    for (size_t i = 0; i < grid->columns && row < grid->rows; i++)
        if (strcmp(grid->names[i], column) == 0)
            return grid->cells[row * grid->columns + i];
    return (double)NAN;
}

size_t grid_find(const Grid *grid, const char *column, double value) {
    size_t row = 0;
    while (row < grid->rows && grid_at(grid, row, column) != value)
        row++;
    return row;
}

static Moments moments_of(const Grid *grid, const char *column) {
    Moments moments = {0};
    for (size_t row = 0; row < grid->rows; row++)
        moments_add(&moments, grid_at(grid, row, column));
    return moments;
}

double grid_mean(const Grid *grid, const char *column) {
    return moments_of(grid, column).mean;
}

double grid_deviation(const Grid *grid, const char *column) {
    const Moments moments = moments_of(grid, column);
    return moments_deviation(&moments);
}
