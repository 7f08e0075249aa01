// SPDX-License-Identifier: GPL-3.0-or-later
// The positions of an EPD file that are to be labelled. Lines with the same position share one
// label. Comments, and everything a line holds besides the label, are kept; empty lines and the
// header of an older labelling are not.
#pragma once

#include "base/error.h"
#include "base/str.h"
#include "chess/position.h"

#include <stdbool.h>
#include <stdint.h>

// A distinct position.
typedef struct LabelPosition {
    size_t key;    // where its four fields lie in the set's text
    bool is_over;  // no legal move: nothing to ask
    char *answer;  // as label_answer_write has it, or NULL; owned
    char *failure; // why there is no answer, or NULL; owned
} LabelPosition;

typedef struct LabelRecord {
    size_t text, length; // the line as it was, in the set's text
    size_t key;
    size_t position; // LABEL_NO_POSITION: a comment
    uint64_t line;
} LabelRecord;

#define LABEL_NO_POSITION SIZE_MAX

typedef struct LabelSet {
    char *path;
    Str text;
    LabelRecord *records;
    size_t record_count, record_capacity;
    LabelPosition *positions; // sorted by key
    size_t position_count;
} LabelSet;

// What was written, in lines.
typedef struct LabelCounts {
    uint64_t labelled, mates, over, failed;
} LabelCounts;

// A line that is malformed, or holds an impossible move or number, is an error with file and line.
MUST_CHECK Status label_set_load(LabelSet *out, const char *path);
// The same of positions at hand; `path` stands for the file.
void label_set_of(LabelSet *out, const char *path, const Position *positions, size_t count);
void label_set_free(LabelSet *set);
// Records have positions of the set, which are sorted and distinct; for assertions.
bool label_set_is_valid(const LabelSet *set);
const char *label_set_key(const LabelSet *set, size_t position);

// Who labelled, and how.
typedef struct LabelSource {
    const char *mentor; // for c1
    const char *header; // lines of label_header.h for the top of the file
    int lines;          // as many as were asked for
} LabelSource;

// Writes the header, then the lines in their order, each with its label, to a file that appears
// when it is whole.
MUST_CHECK Status label_set_write(const LabelSet *set, const char *path, const LabelSource *source,
                                  LabelCounts *counts);
