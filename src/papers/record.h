// SPDX-License-Identifier: GPL-3.0-or-later
// What is kept of a finished step, so that others need not run it: its command, what it was made by
// and of, and the files that later steps and the page read. One packed file per step, small enough
// for version control (docs/formats.md).
#pragma once

#include "base/error.h"
#include "base/str.h"

// A file that the step read, "./NAME" in the plan's folder or NAME as it comes with falconer.
typedef struct RecordInput {
    char *name; // owned
    uint64_t digest;
} RecordInput;

// A file that it left, by its path below the plan's folder.
typedef struct RecordFile {
    char *name; // owned
    Str content;
} RecordFile;

typedef struct Record {
    Str step, command, scale, version, commit, engines; // engines: lines NAME=VERSION
    uint64_t seed;
    int64_t rounds; // of a match, which the command ends with; 0 otherwise
    double seconds;
    RecordInput *inputs; // owned
    size_t input_count, input_capacity;
    RecordFile *files; // owned
    size_t file_count, file_capacity;
} Record;

void record_free(Record *record);
// Adds copies. An input of that name which is there stays.
void record_add_input(Record *record, const char *name, uint64_t digest);
void record_add_file(Record *record, const char *name, const Str *content);
void record_remove_file(Record *record, size_t index);

MUST_CHECK Status record_write(const Record *record, const char *path);
// ERR_PARSE where it is damaged or names a file that is not below the folder.
MUST_CHECK Status record_read(Record *out, const char *path);

// What names a file's content: of weights and positions without comments, of the latter without who
// labelled them. ERR_IO where it cannot be read.
MUST_CHECK Status record_digest(const char *path, uint64_t *out);
