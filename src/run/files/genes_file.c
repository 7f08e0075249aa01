// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/files/genes_file.h"

#include "base/file.h"
#include "base/lines.h"
#include "base/mem.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char file_name[] = "genes.csv";

static bool is_free(const EvolveParameter *parameter) {
    return parameter->low != parameter->high;
}

static void add_header(const EvolveSpace *space, Str *out) {
    str_add(out, "generation,of");
    for (size_t j = 0; j < space->count; j++)
        if (is_free(&space->parameters[j]))
            str_addf(out, ",%s", space->parameters[j].name);
    str_add(out, "\n");
}

// --- going on ---

// How far a file is this run's.
typedef struct Kept {
    bool is_ours;
    uint64_t bytes;      // up to the generation that comes next
    uint32_t generation; // the last before it, where there is one
    bool has_rows, is_whole;
} Kept;

// "12,mean,..." of a whole line.
static bool parse_row(const char *line, uint32_t *generation, char what[16]) {
    return sscanf(line, "%" SCNu32 ",%15[a-z],", generation, what) == 2;
}

// A row that a kill cut short ends the file, and is never kept.
static void take_row(Kept *kept, const char *line, size_t length, uint32_t next) {
    uint32_t generation;
    char what[16];
    if (line[length - 1] != '\n')
        return;
    if (!parse_row(line, &generation, what)) {
        kept->is_ours = false;
    } else if (generation < next) {
        kept->bytes += length;
        kept->generation = generation;
        kept->has_rows = true;
        kept->is_whole = strcmp(what, "deviation") == 0; // the last row of a generation
    }
}

static Kept look_at(FILE *file, const char *header, uint32_t next) {
    Kept kept = {.is_ours = true};
    char *line = NULL;
    size_t capacity = 0;
    ssize_t got = getline(&line, &capacity, file);
    if (got > 0 && strcmp(line, header) == 0) {
        kept.bytes = (uint64_t)got;
        while (kept.is_ours && (got = getline(&line, &capacity, file)) > 0)
            take_row(&kept, line, (size_t)got, next);
    } else if (got > 0) {
        kept.is_ours = strncmp(line, header, (size_t)got) == 0;
    }
    free(line);
    return kept;
}

static Status check_kept(const char *path, const Kept *kept, uint32_t next) {
    if (!kept->is_ours)
        return error_set(ERR_PARSE,
                         "%s: not the genes of this run: move it away to go on without them", path);
    if (kept->has_rows && (!kept->is_whole || kept->generation + 1 != next))
        return error_set(ERR_PARSE,
                         "%s ends in generation %" PRIu32 ", before the checkpoint, which is of "
                         "%" PRIu32 ": put it back, or move it away to go on without it",
                         path, kept->generation, next);
    return OK;
}

static Status cut_back(Journal *journal, const char *header, uint32_t next) {
    CLEANUP(file_close_at) FILE *file = fopen(journal->path, "re");
    if (file == NULL)
        return error_set(ERR_IO, "%s: %s", journal->path, strerror(errno));
    const Kept kept = look_at(file, header, next);
    TRY(check_kept(journal->path, &kept, next));
    return journal_cut(journal, kept.bytes);
}

Status genes_open(GenesFile *genes, const char *directory, const EvolveSpace *space,
                  uint32_t generation) {
    CLEANUP(str_free) Str header = {0};
    *genes = (GenesFile){.journal = JOURNAL_NONE, .space = space};
    add_header(space, &header);
    TRY(journal_open(&genes->journal, directory, file_name));
    TRY(cut_back(&genes->journal, str_text(&header), generation));
    return genes->journal.length > 0 ? OK : journal_append(&genes->journal, &header);
}

// --- rows ---

static void add_row(const EvolveSpace *space, uint32_t generation, const char *what, int digits,
                    const double *values, Str *out) {
    str_addf(out, "%" PRIu32 ",%s", generation, what);
    for (size_t j = 0; j < space->count; j++)
        if (is_free(&space->parameters[j])) {
            str_add(out, ",");
            str_add_digits(out, values[j], digits);
        }
    str_add(out, "\n");
}

// Counted from the first organism, so that squares stay small where all are alike.
static void find_moments(const EvolveBatch *batch, double *means, double *deviations) {
    const double *first = batch->parameters, count = (double)batch->count;
    memset(means, 0, batch->width * sizeof *means);
    memset(deviations, 0, batch->width * sizeof *deviations);
    for (size_t i = 1; i < batch->count; i++)
        for (size_t j = 0; j < batch->width; j++) {
            const double off = batch->parameters[i * batch->width + j] - first[j];
            means[j] += off;
            deviations[j] += off * off;
        }
    for (size_t j = 0; j < batch->width; j++) {
        const double off = means[j] / count, squares = deviations[j] - off * means[j];
        deviations[j] = batch->count < 2 || squares <= 0 ? 0 : sqrt(squares / (count - 1));
        means[j] = first[j] + off;
    }
}

static const char *const of_names[GENES_OF_NB] = {
    [GENES_BEST] = "best", [GENES_MEAN] = "mean", [GENES_DEVIATION] = "deviation"};

Status genes_add(GenesFile *genes, const double *best, const EvolveBatch *population) {
    enum { ALL_DIGITS = 15, FEW_DIGITS = 6 };
    CLEANUP(str_free) Str rows = {0};
    CLEANUP(mem_free_at)
    double *means = mem_alloc(2 * (population->width + 1) * sizeof *means);
    double *deviations = means + population->width;
    find_moments(population, means, deviations);
    if (best != NULL)
        add_row(genes->space, population->generation, of_names[GENES_BEST], ALL_DIGITS, best,
                &rows);
    add_row(genes->space, population->generation, of_names[GENES_MEAN], FEW_DIGITS, means, &rows);
    add_row(genes->space, population->generation, of_names[GENES_DEVIATION], FEW_DIGITS, deviations,
            &rows);
    return journal_append(&genes->journal, &rows);
}

Status genes_sync(GenesFile *genes) {
    return journal_sync(&genes->journal);
}

Status genes_close(GenesFile *genes) {
    return journal_close(&genes->journal);
}

// --- reading ---

enum { ROW_MAX = 1 << 20 };

// The numbers of "12,mean,1,2,..."; false where there are not so many.
static bool parse_values(const char *line, double *values, size_t count) {
    const char *at = strchr(line, ',');
    at = at == NULL ? NULL : strchr(at + 1, ',');
    for (size_t i = 0; i < count && at != NULL; i++) {
        char *end;
        values[i] = strtod(at + 1, &end);
        if (end == at + 1 || !isfinite(values[i]))
            return false;
        at = *end == (i + 1 == count ? '\0' : ',') ? end : NULL;
    }
    return at != NULL;
}

static Status tell_row(const char *line, double *values, size_t count, GenesVisit *visit,
                       void *context) {
    uint32_t generation;
    char what[16];
    if (!parse_row(line, &generation, what) || !parse_values(line, values, count))
        return error_set(ERR_PARSE, "not a row of genes");
    for (GenesOf of = GENES_BEST; of < GENES_OF_NB; of++)
        if (strcmp(what, of_names[of]) == 0)
            visit(context, generation, of, values);
    return OK;
}

static size_t count_free(const EvolveSpace *space) {
    size_t count = 0;
    for (size_t j = 0; j < space->count; j++)
        count += is_free(&space->parameters[j]);
    return count;
}

static Status read_rows(const char *path, const EvolveSpace *space, GenesVisit *visit,
                        void *context) {
    const size_t count = count_free(space);
    CLEANUP(mem_free_at) double *values = mem_alloc((count + 1) * sizeof *values);
    CLEANUP(str_free) Str header = {0};
    CLEANUP(str_free) Str row = {0};
    CLEANUP(lines_close_at) LineReader *lines = NULL;
    add_header(space, &header);
    TRY(lines_open(&lines, path, ROW_MAX));
    for (;;) {
        StrView line;
        TRY(lines_next(lines, &line));
        if (line.text == NULL)
            return OK;
        str_clear(&row);
        str_append(&row, line.text, line.length);
        if (lines_number(lines) > 1) {
            TRY_PREFIX(tell_row(str_text(&row), values, count, visit, context), "%s:%" PRIu64, path,
                       lines_number(lines));
        } else if (row.length + 1 != header.length ||
                   memcmp(str_text(&row), header.text, row.length) != 0) {
            return error_set(ERR_PARSE, "%s: not the genes of this run", path);
        }
    }
}

Status genes_each(const char *directory, const EvolveSpace *space, GenesVisit *visit,
                  void *context) {
    CLEANUP(str_free) Str path = {0};
    str_addf(&path, "%s/%s", directory, file_name);
    return access(str_text(&path), F_OK) != 0 ? OK
                                              : read_rows(str_text(&path), space, visit, context);
}
