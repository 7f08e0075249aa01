// SPDX-License-Identifier: GPL-3.0-or-later
// A member of a family: one value per term, with the story of where it came from; and the text file
// it lives in.
#pragma once

#include "base/error.h"
#include "base/str.h"
#include "eval/family.h"

typedef struct Weights {
    const Family *family;
    int parameters[TERMS_MAX]; // in the family's units
    Str lineage; // comment lines of the file's header, without their '#'; may be empty
} Weights;

// The family's start values.
void weights_init(Weights *weights, const Family *family);
void weights_free(Weights *weights);
void weights_copy(Weights *to, const Weights *from);
// Whether every value is within its term's bounds, for assertions.
bool weights_are_valid(const Weights *weights);

// Reads a weights file, which may be a bundled one by its bare name (eval/bundled.h). Unknown,
// missing, repeated or out-of-range names are errors that name file and line. `out` is written on
// success only and need not be initialised; free it with weights_free.
MUST_CHECK Status weights_load(Weights *out, const char *path);
// The same where `own`, a family that is not among `families`, is known too; a file that names no
// family is of `own` if that is foreign.
MUST_CHECK Status weights_load_own(Weights *out, const char *path, const Family *own);
// The same as weights_load over text; `name` stands for the file in messages.
MUST_CHECK Status weights_parse(Weights *out, StrView text, const char *name);
// Where the value of a term comes from that an older file does not have: 0, so that the term counts
// for nothing (the family's default where bounds exclude 0), or the family's default.
typedef enum WeightsMissing { MISSING_ZERO, MISSING_DEFAULT } WeightsMissing;
typedef struct WeightsMigration {
    WeightsMissing missing;
    const char *const *set; // "NAME=VALUE" each: values that go before all others
    size_t set_count;
} WeightsMigration;
// Reads a file of any version of its family, with terms missing, terms that no longer exist, or
// values out of bounds. `notes` gets a line for each thing that was done; so does the lineage.
MUST_CHECK Status weights_migrate(Weights *out, const char *path, const WeightsMigration *how,
                                  Str *notes);
// What the engine plays with unless told otherwise: FALCON's, compiled in from
// weights/falcon.weights.
MUST_CHECK Status weights_load_default(Weights *out);
// The file, or the default where the path is NULL.
MUST_CHECK Status weights_load_or_default(Weights *out, const char *path);
// Writes the file atomically.
MUST_CHECK Status weights_save(const Weights *weights, const char *path);
void weights_write(const Weights *weights, Str *out);
// Writes the same file without the line that names the family: for programs that know it.
MUST_CHECK Status weights_save_values(const Weights *weights, const char *path);

// Names the values: the same for all files of the family that have them, whatever their lineage.
uint64_t weights_digest(const Weights *weights);

// Sets one term to so many units, refusing unknown names and values out of bounds.
MUST_CHECK Status weights_set(Weights *weights, const char *name, int64_t value);
