// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/files/populations_file.h"

#include "base/mem.h"
#include "evolve/selection.h"
#include "run/files/generation_rows.h"

#include <inttypes.h>

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

Status populations_open(PopulationsFile *file, const char *directory, const EvolveSpace *space,
                        const PopulationsConfig *config, uint32_t generation) {
    CLEANUP(str_free) Str header = {0};
    *file = (PopulationsFile){.journal = JOURNAL_NONE, .space = space, .config = *config};
    if (config->organisms == 0)
        return OK;
    add_header(space, &header);
    return generation_rows_open(&file->journal, directory, "populations.csv", &header,
                                "populations", generation);
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
    return generation_rows_add(&file->journal, &rows);
}

Status populations_sync(PopulationsFile *file) {
    return file->journal.fd < 0 ? OK : journal_sync(&file->journal);
}

Status populations_close(PopulationsFile *file) {
    return journal_close(&file->journal);
}
