// SPDX-License-Identifier: GPL-3.0-or-later
#include "serve/genes_view.h"

#include "base/json.h"
#include "eval/value.h"
#include "serve/columns.h"
#include "serve/plain_file.h"
#include "serve/population_view.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROW_NAME_SIZE = 16, WEIGHTS_TEXT_MAX = 1 << 20 };

static void ignore_restart(void *context) {
    (void)context;
}

// "12,mean,..." of a row; where its values begin, or NULL.
static const char *row_values(const char *line, uint32_t *generation, char of[ROW_NAME_SIZE]) {
    int length = 0;
    if (sscanf(line, "%" SCNu32 ",%15[a-z],%n", generation, of, &length) != 2 || length == 0)
        return NULL;
    return line + length;
}

static Status read_genes(const char *folder, const TailEvents *events) {
    CLEANUP(str_free) Str path = {0};
    Tail tail = {0};
    str_addf(&path, "%s/genes.csv", folder);
    if (!plain_exists(str_text(&path)))
        return error_set(ERR_IO, "this run has no genes.csv: it is of a version before 0.3.0");
    return tail_read(&tail, str_text(&path), events);
}

// --- the picture ---

typedef struct Picture {
    const char *of;
    uint32_t every, last; // every so many generations, and the last
    bool has_header;
    Str names, generations, values;
} Picture;

static void picture_free(Picture *picture) {
    str_free(&picture->names);
    str_free(&picture->generations);
    str_free(&picture->values);
}

static void take_header(Picture *picture, StrView line) {
    char *rest = line.length > 0 ? (char *)line.text : NULL, *name;
    for (int i = 0; rest != NULL && (name = strsep(&rest, ",")) != NULL; i++) {
        if (i < 2)
            continue;
        str_add(&picture->names, i == 2 ? "" : ",");
        json_add_string(&picture->names, name);
    }
    picture->has_header = true;
}

static void take_picture_row(void *context, StrView line, uint64_t at) {
    (void)at;
    Picture *picture = context;
    uint32_t generation;
    char of[ROW_NAME_SIZE];
    if (!picture->has_header) {
        take_header(picture, line);
        return;
    }
    const char *values = row_values(line.text, &generation, of);
    if (values == NULL || strcmp(of, picture->of) != 0 ||
        (generation % picture->every != 0 && generation != picture->last))
        return;
    str_addf(&picture->generations, "%s%" PRIu32, picture->generations.length == 0 ? "" : ",",
             generation);
    str_add(&picture->values, picture->values.length == 0 ? "" : ",");
    columns_write_cells(values, &picture->values);
}

Status genes_write(const char *folder, uint32_t last_generation, const char *of, Str *out) {
    CLEANUP(picture_free)
    Picture picture = {
        .of = of, .every = last_generation / GENES_COLUMNS_MAX + 1, .last = last_generation};
    const TailEvents events = {&picture, ignore_restart, take_picture_row};
    if (strcmp(of, "best") != 0 && strcmp(of, "mean") != 0 && strcmp(of, "deviation") != 0)
        return error_set(ERR_ARG, "genes are told of best, mean and deviation");
    TRY(read_genes(folder, &events));
    str_addf(out, ",\"names\":[%s],\"generations\":[%s],\"values\":[%s]", str_text(&picture.names),
             str_text(&picture.generations), str_text(&picture.values));
    return OK;
}

// --- one organism ---

typedef struct Wanted {
    uint32_t generation;
    Str header, row; // what was found
} Wanted;

static void wanted_free(Wanted *wanted) {
    str_free(&wanted->header);
    str_free(&wanted->row);
}

static void take_wanted_row(void *context, StrView line, uint64_t at) {
    Wanted *wanted = context;
    uint32_t generation;
    char of[ROW_NAME_SIZE];
    const char *values = row_values(line.text, &generation, of);
    if (at == 0)
        str_setf(&wanted->header, "%s", line.text);
    else if (values != NULL && generation == wanted->generation && strcmp(of, "best") == 0)
        str_setf(&wanted->row, "%s", values);
}

// What the genes do not tell.
static Status fixed_values(const char *folder, const RunView *run, Weights *out) {
    const Family *family = family_find(str_text(&run->family));
    CLEANUP(str_free) Str path = {0};
    CLEANUP(str_free) Str text = {0};
    if (family == NULL)
        return error_set(ERR_ARG, "Eyas does not play with the family of this run");
    str_addf(&path, "%s/best.weights", folder);
    if (plain_read(str_text(&path), WEIGHTS_TEXT_MAX, &text) == OK) {
        TRY(weights_parse(out, view_of(str_text(&text), text.length), "best.weights"));
        str_clear(&out->lineage);
        if (out->family == family)
            return OK;
        weights_free(out);
    }
    if (run->start.length > 0 || run->variant.length > 0)
        return error_set(ERR_ARG, "this run keeps values fixed that it does not tell yet: its "
                                  "organisms can be had when it "
                                  "has ended");
    weights_init(out, family);
    return OK;
}

// Genes are in units of the family, as parameters are. One that is no term (the tempo) is left out.
static void set_gene(Weights *weights, const char *name, double value) {
    const int term = family_find_term(weights->family, name);
    if (term < 0 || !isfinite(value))
        return;
    const Term *bounds = &weights->family->terms[term];
    const double limited = fmin(fmax(value, bounds->low), bounds->high);
    weights->parameters[term] = (int)lround(limited);
}

// The names of the genes and the values of the best, with commas between.
static Status find_best(const char *folder, uint32_t generation, Str *names, Str *values) {
    CLEANUP(wanted_free) Wanted wanted = {.generation = generation};
    const TailEvents events = {&wanted, ignore_restart, take_wanted_row};
    TRY(read_genes(folder, &events));
    const char *first = strchr(str_text(&wanted.header), ',');
    const char *second = first == NULL ? NULL : strchr(first + 1, ',');
    if (wanted.row.length == 0 || second == NULL)
        return error_set(ERR_ARG, "there is no generation %" PRIu32 " in genes.csv", generation);
    str_setf(names, "%s", second + 1);
    str_setf(values, "%s", str_text(&wanted.row));
    return OK;
}

Status genes_organism(const char *folder, const RunView *run, uint32_t generation, uint32_t place,
                      Weights *out) {
    CLEANUP(str_free) Str header = {0};
    CLEANUP(str_free) Str row = {0};
    const bool is_best = place == GENES_BEST_PLACE;
    TRY(is_best ? find_best(folder, generation, &header, &row)
                : population_view_find(folder, generation, place, &header, &row));
    TRY(fixed_values(folder, run, out));
    char *names = header.text, *values = row.text, *name, *value;
    while (names != NULL && values != NULL && (name = strsep(&names, ",")) != NULL &&
           (value = strsep(&values, ",")) != NULL)
        set_gene(out, name, strtod(value, NULL));
    if (is_best)
        str_addf(&out->lineage, "method: %s, the best of generation %" PRIu32 " of a run\n",
                 str_text(&run->algorithm), generation);
    else
        str_addf(&out->lineage,
                 "method: %s, organism %" PRIu32 " of generation %" PRIu32 " of a run\n",
                 str_text(&run->algorithm), place, generation);
    return OK;
}
