// SPDX-License-Identifier: GPL-3.0-or-later
#include "serve/population_view.h"

#include "base/json.h"
#include "serve/columns.h"
#include "serve/plain_file.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS_BEFORE = 3 }; // generation, organism, figure

static void ignore_restart(void *context) {
    (void)context;
}

static Status read_lines(const char *folder, const char *name, const char *why,
                         const TailEvents *events) {
    CLEANUP(str_free) Str path = {0};
    Tail tail = {0};
    str_addf(&path, "%s/%s", folder, name);
    return plain_exists(str_text(&path)) ? tail_read(&tail, str_text(&path), events)
                                         : error_set(ERR_IO, "%s", why);
}

static Status read_populations(const char *folder, const TailEvents *events) {
    return read_lines(folder, "populations.csv", "this run has kept no populations", events);
}

// What follows so many cells.
static const char *skip_cells(const char *line, int count) {
    for (int i = 0; i < count && line != NULL; i++) {
        line = strchr(line, ',');
        line = line == NULL ? NULL : line + 1;
    }
    return line;
}

static bool parse_row(const char *line, uint32_t *generation, uint32_t *place) {
    return sscanf(line, "%" SCNu32 ",%" SCNu32 ",", generation, place) == 2;
}

// --- a generation ---

typedef struct Looking {
    uint32_t wanted, shown, last;
    bool has_any;
    Str names, generations;
    Str rows; // of the one to be shown, as they are
} Looking;

static void looking_free(Looking *looking) {
    str_free(&looking->names);
    str_free(&looking->generations);
    str_free(&looking->rows);
}

static void add_names(const char *header, Str *out) {
    CLEANUP(str_free) Str text = {0};
    const char *names = skip_cells(header, CELLS_BEFORE);
    str_add(&text, names == NULL ? "" : names);
    char *rest = text.text, *name;
    while (rest != NULL && (name = strsep(&rest, ",")) != NULL) {
        str_add(out, out->length == 0 ? "" : ",");
        json_add_string(out, name);
    }
}

static void add_organism(const char *line, Str *out) {
    const char *figure = skip_cells(line, CELLS_BEFORE - 1);
    uint32_t generation, place;
    if (!parse_row(line, &generation, &place))
        return;
    str_addf(out, "%s{\"place\":%" PRIu32 ",\"figure\":", out->length == 0 ? "" : ",", place);
    json_add_number(out, figure == NULL || *figure == ',' ? NAN : strtod(figure, NULL));
    str_add(out, ",\"values\":");
    columns_write_cells(skip_cells(line, CELLS_BEFORE), out);
    str_add(out, "}");
}

static void take_row(void *context, StrView line, uint64_t at) {
    Looking *looking = context;
    uint32_t generation, place;
    if (at == 0) {
        add_names(line.text, &looking->names);
        return;
    }
    if (!parse_row(line.text, &generation, &place))
        return;
    if (!looking->has_any || generation != looking->last)
        str_addf(&looking->generations, "%s%" PRIu32, looking->has_any ? "," : "", generation);
    if (!looking->has_any || (generation != looking->shown && generation <= looking->wanted)) {
        looking->shown = generation;
        str_clear(&looking->rows);
    }
    looking->has_any = true;
    looking->last = generation;
    if (generation == looking->shown)
        str_addf(&looking->rows, "%s\n", line.text);
}

Status population_view_write(const char *folder, uint32_t wanted, Str *out) {
    CLEANUP(looking_free) Looking looking = {.wanted = wanted};
    CLEANUP(str_free) Str organisms = {0};
    const TailEvents events = {&looking, ignore_restart, take_row};
    TRY(read_populations(folder, &events));
    char *rest = looking.rows.text, *row;
    while (rest != NULL && (row = strsep(&rest, "\n")) != NULL)
        add_organism(row, &organisms);
    str_addf(out,
             ",\"generations\":[%s],\"generation\":%" PRIu32 ",\"names\":[%s],\"organisms\":[%s]",
             str_text(&looking.generations), looking.shown, str_text(&looking.names),
             str_text(&organisms));
    return OK;
}

// --- one organism ---

typedef struct Wanted {
    uint32_t generation, place;
    Str *names, *values;
} Wanted;

static void take_wanted(void *context, StrView line, uint64_t at) {
    const Wanted *wanted = context;
    const char *cells = skip_cells(line.text, CELLS_BEFORE);
    uint32_t generation, place;
    if (cells == NULL)
        return;
    if (at == 0)
        str_setf(wanted->names, "%s", cells);
    else if (parse_row(line.text, &generation, &place) && generation == wanted->generation &&
             place == wanted->place)
        str_setf(wanted->values, "%s", cells);
}

Status population_view_find(const char *folder, uint32_t generation, uint32_t place, Str *names,
                            Str *values) {
    Wanted wanted = {generation, place, names, values};
    const TailEvents events = {&wanted, ignore_restart, take_wanted};
    TRY(read_populations(folder, &events));
    return values->length > 0
               ? OK
               : error_set(ERR_ARG, "organism %" PRIu32 " of generation %" PRIu32 " was not kept",
                           place, generation);
}

// --- the lineage of the best ---

typedef struct Lineage {
    Str best; // the last row
    uint32_t steps[LINEAGE_STEPS_MAX];
    size_t count; // ever
} Lineage;

static void take_gene_row(void *context, StrView line, uint64_t at) {
    Lineage *lineage = context;
    uint32_t generation;
    char of[16];
    int length = 0;
    (void)at;
    if (sscanf(line.text, "%" SCNu32 ",%15[a-z],%n", &generation, of, &length) != 2 ||
        strcmp(of, "best") != 0 || strcmp(str_text(&lineage->best), line.text + length) == 0)
        return;
    str_setf(&lineage->best, "%s", line.text + length);
    lineage->steps[lineage->count++ % LINEAGE_STEPS_MAX] = generation;
}

static const RunPoint *point_of(const RunView *run, uint32_t generation) {
    size_t low = 0, high = run->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (run->points[middle].generation < generation)
            low = middle + 1;
        else
            high = middle;
    }
    return low < run->count && run->points[low].generation == generation ? &run->points[low] : NULL;
}

static void add_step(const RunView *run, uint32_t generation, Str *out) {
    const RunPoint *point = point_of(run, generation);
    str_addf(out, "{\"generation\":%" PRIu32 ",\"figure\":", generation);
    json_add_number(out, point == NULL ? NAN : point->best);
    str_add(out, ",\"mother\":");
    json_add_number(out, point == NULL ? NAN : point->mother);
    str_add(out, ",\"father\":");
    json_add_number(out, point == NULL ? NAN : point->father);
    str_addf(out, ",\"survived\":%s}", point != NULL && point->has_survived ? "true" : "false");
}

Status population_view_lineage(const char *folder, const RunView *run, Str *out) {
    Lineage lineage = {0};
    const TailEvents events = {&lineage, ignore_restart, take_gene_row};
    const Status status = read_lines(
        folder, "genes.csv", "this run has no genes.csv: it is of a version before 0.3.0", &events);
    str_free(&lineage.best);
    TRY(status);
    const size_t kept = lineage.count < LINEAGE_STEPS_MAX ? lineage.count : LINEAGE_STEPS_MAX;
    str_addf(out, ",\"changes\":%zu,\"steps\":[", lineage.count);
    for (size_t i = 1; i <= kept; i++) {
        str_add(out, i == 1 ? "" : ",");
        add_step(run, lineage.steps[(lineage.count - i) % LINEAGE_STEPS_MAX], out);
    }
    str_add(out, "]");
    return OK;
}
