// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/files/populations_file.h"

#include "base/file.h"
#include "base/mem.h"
#include "evolve/selection.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char file_name[] = "populations.csv";

// While the number of generations doubles, so many of them are kept.
enum { KEPT_PER_DOUBLING = 16, ALL_DIGITS = 15 };

bool populations_keep(const PopulationsConfig *config, uint32_t generation) {
    uint32_t every = config->every;
    if (config->organisms == 0)
        return false;
    if (every == 0)
        for (every = 1; every <= generation / (2 * KEPT_PER_DOUBLING); every *= 2)
            ;
    return generation % every == 0 || generation == config->last;
}

static bool is_free(const EvolveParameter *parameter) {
    return parameter->low != parameter->high;
}

static void add_header(const EvolveSpace *space, Str *out) {
    str_add(out, "generation,organism,figure");
    for (size_t j = 0; j < space->count; j++)
        if (is_free(&space->parameters[j]))
            str_addf(out, ",%s", space->parameters[j].name);
    str_add(out, "\n");
}

// --- going on ---

// Whether a whole line is a row, of which generation.
static bool parse_row(const char *line, uint32_t *generation) {
    uint32_t organism;
    return sscanf(line, "%" SCNu32 ",%" SCNu32 ",", generation, &organism) == 2;
}

// How much of the file is of generations before `next`; a row that a kill cut short ends it, and is
// never kept. ERR_PARSE where it is no such file.
static Status measure(FILE *file, const char *path, const char *header, uint32_t next,
                      uint64_t *bytes) {
    CLEANUP(mem_free_at) char *line = NULL;
    size_t capacity = 0;
    uint32_t generation;
    *bytes = 0;
    for (ssize_t got; (got = getline(&line, &capacity, file)) > 0;) {
        const bool is_whole = line[got - 1] == '\n', is_first = *bytes == 0;
        const bool is_ours = is_first   ? strncmp(line, header, (size_t)got) == 0
                             : is_whole ? parse_row(line, &generation)
                                        : true;
        if (!is_ours)
            return error_set(ERR_PARSE,
                             "%s: not the populations of this run: move it away to go on without "
                             "them",
                             path);
        if (!is_whole || (!is_first && generation >= next))
            break;
        *bytes += (uint64_t)got;
    }
    return OK;
}

Status populations_open(PopulationsFile *file, const char *directory, const EvolveSpace *space,
                        const PopulationsConfig *config, uint32_t generation) {
    CLEANUP(str_free) Str header = {0};
    uint64_t bytes;
    *file = (PopulationsFile){.journal = JOURNAL_NONE, .space = space, .config = *config};
    if (config->organisms == 0)
        return OK;
    add_header(space, &header);
    TRY(journal_open(&file->journal, directory, file_name));
    CLEANUP(file_close_at) FILE *old = fopen(file->journal.path, "re");
    if (old == NULL)
        return error_set(ERR_IO, "%s: %s", file->journal.path, strerror(errno));
    TRY(measure(old, file->journal.path, str_text(&header), generation, &bytes));
    TRY(journal_cut(&file->journal, bytes));
    return bytes > 0 ? OK : journal_append(&file->journal, &header);
}

// --- rows ---

static void add_row(const PopulationsFile *file, const EvolveBatch *population, size_t place,
                    const double *figures, Str *out) {
    const EvolveSpace *space = file->space;
    const double *values = population->parameters + place * population->width;
    str_addf(out, "%" PRIu32 ",%zu,", population->generation, place);
    if (figures != NULL)
        str_addf(out, "%.4f", figures[place]);
    for (size_t j = 0; j < space->count; j++)
        if (is_free(&space->parameters[j])) {
            str_add(out, ",");
            str_add_digits(out, values[j], ALL_DIGITS);
        }
    str_add(out, "\n");
}

Status populations_add(PopulationsFile *file, const EvolveBatch *population, const int64_t *scores,
                       const double *figures) {
    CLEANUP(str_free) Str rows = {0};
    if (!populations_keep(&file->config, population->generation))
        return OK;
    CLEANUP(mem_free_at) uint32_t *order = mem_alloc((population->count + 1) * sizeof *order);
    for (size_t i = 0; i < population->count; i++)
        order[i] = (uint32_t)i;
    if (scores != NULL)
        selection_order(scores, population->count, order);
    const size_t most = file->config.organisms;
    const size_t count = population->count < most ? population->count : most;
    for (size_t i = 0; i < count; i++)
        add_row(file, population, order[i * population->count / count], figures, &rows);
    return file->journal.length + rows.length > POPULATIONS_BYTES_MAX
               ? OK
               : journal_append(&file->journal, &rows);
}

Status populations_sync(PopulationsFile *file) {
    return file->journal.fd < 0 ? OK : journal_sync(&file->journal);
}

Status populations_close(PopulationsFile *file) {
    return journal_close(&file->journal);
}
