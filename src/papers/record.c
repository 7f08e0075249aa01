// SPDX-License-Identifier: GPL-3.0-or-later
#include "papers/record.h"

#include "base/file.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/mem.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RECORD_MAX_BYTES = 1 << 28, INPUT_MAX_BYTES = 1 << 30 };

void record_free(Record *record) {
    Str *const texts[] = {&record->step,    &record->command, &record->scale,
                          &record->version, &record->commit,  &record->engines};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        str_free(texts[i]);
    for (size_t i = 0; i < record->input_count; i++)
        free(record->inputs[i].name);
    for (size_t i = 0; i < record->file_count; i++) {
        free(record->files[i].name);
        str_free(&record->files[i].content);
    }
    free(record->inputs);
    free(record->files);
    *record = (Record){0};
}

void record_add_input(Record *record, const char *name, uint64_t digest) {
    for (size_t i = 0; i < record->input_count; i++)
        if (strcmp(record->inputs[i].name, name) == 0)
            return;
    MEM_ADD(record->inputs, record->input_count, record->input_capacity) =
        (RecordInput){mem_copy_string(name), digest};
}

void record_add_file(Record *record, const char *name, const Str *content) {
    RecordFile *file = &MEM_ADD(record->files, record->file_count, record->file_capacity);
    *file = (RecordFile){.name = mem_copy_string(name)};
    str_append(&file->content, str_text(content), content->length);
}

void record_remove_file(Record *record, size_t index) {
    RecordFile *file = &record->files[index];
    free(file->name);
    str_free(&file->content);
    memmove(file, file + 1, (--record->file_count - index) * sizeof *file);
}

// --- writing ---

static void add_text(Str *out, const char *key, const Str *text) {
    str_addf(out, ",\"%s\":", key);
    json_add_string(out, str_text(text));
}

static void add_header(const Record *record, Str *out) {
    const size_t start = out->length;
    str_add(out, "{\"record\":1");
    add_text(out, "step", &record->step);
    add_text(out, "command", &record->command);
    if (record->rounds > 0)
        str_addf(out, ",\"rounds\":%" PRId64, record->rounds);
    add_text(out, "scale", &record->scale);
    str_addf(out, ",\"seed\":%" PRIu64, record->seed);
    add_text(out, "version", &record->version);
    add_text(out, "commit", &record->commit);
    if (record->engines.length > 0)
        add_text(out, "engines", &record->engines);
    str_addf(out, ",\"seconds\":%.2f", record->seconds);
    json_end_checked(out, start);
}

static void add_digest(Str *out, const char *key, const char *name, uint64_t digest) {
    str_addf(out, "{\"%s\":", key);
    json_add_string(out, name);
    str_addf(out, ",\"digest\":\"%016" PRIx64 "\"", digest);
}

static void add_file(const RecordFile *file, Str *out) {
    const size_t start = out->length;
    add_digest(out, "file", file->name,
               hash_bytes(HASH_START, str_text(&file->content), file->content.length));
    str_addf(out, ",\"bytes\":%zu", file->content.length);
    json_end_checked(out, start);
    str_append(out, str_text(&file->content), file->content.length);
    str_add(out, "\n");
}

Status record_write(const Record *record, const char *path) {
    CLEANUP(str_free) Str text = {0};
    CLEANUP(outfile_discard_at) OutFile *file = NULL;
    add_header(record, &text);
    for (size_t i = 0; i < record->input_count; i++) {
        const size_t start = text.length;
        add_digest(&text, "input", record->inputs[i].name, record->inputs[i].digest);
        json_end_checked(&text, start);
    }
    for (size_t i = 0; i < record->file_count; i++)
        add_file(&record->files[i], &text);
    TRY(outfile_open(&file, path));
    TRY(outfile_write(file, str_text(&text), text.length));
    const Status status = outfile_commit(file);
    file = NULL;
    return status;
}

// --- reading ---

static bool find_text(StrView line, const char *key, Str *out) {
    StrView value;
    const bool is_there = json_find(line, key, &value);
    if (is_there)
        json_add_unescaped(out, value);
    return is_there;
}

static bool find_digest(StrView line, uint64_t *out) {
    StrView value;
    char text[17], *end;
    if (!json_find(line, "digest", &value) || value.length != sizeof text - 1)
        return false;
    snprintf(text, sizeof text, "%.*s", (int)value.length, value.text);
    *out = strtoull(text, &end, 16);
    return *end == '\0';
}

static Status read_header(StrView line, Record *out) {
    int64_t format = 0, seed;
    StrView seconds;
    const bool is_good =
        json_find_int(line, "record", &format) && format == 1 &&
        find_text(line, "step", &out->step) && find_text(line, "command", &out->command) &&
        find_text(line, "scale", &out->scale) && find_text(line, "version", &out->version) &&
        find_text(line, "commit", &out->commit) && json_find_int(line, "seed", &seed) &&
        seed >= 0 && json_find(line, "seconds", &seconds) &&
        view_to_number(seconds, &out->seconds) && out->seconds >= 0;
    if (!is_good)
        return error_set(ERR_PARSE, "no record of a step");
    out->seed = (uint64_t)seed;
    (void)find_text(line, "engines", &out->engines);
    if (!json_find_int(line, "rounds", &out->rounds))
        out->rounds = 0;
    return json_check(line);
}

// Nothing outside of the folder is written.
static bool is_below(const char *name) {
    return name[0] != '\0' && name[0] != '/' && strstr(name, "..") == NULL;
}

// A file's line, and its content behind it.
static Status read_file(StrView line, StrView *rest, Record *out) {
    CLEANUP(str_free) Str name = {0};
    int64_t bytes;
    uint64_t digest;
    if (!find_text(line, "file", &name) || !find_digest(line, &digest) ||
        !json_find_int(line, "bytes", &bytes) || bytes < 0 || !is_below(str_text(&name)))
        return error_set(ERR_PARSE, "no line of an input or a file");
    TRY(json_check(line));
    const Str content = {.text = (char *)rest->text, .length = (size_t)bytes};
    if ((uint64_t)bytes >= rest->length || rest->text[bytes] != '\n' ||
        hash_bytes(HASH_START, rest->text, (size_t)bytes) != digest)
        return error_set(ERR_PARSE, "%s is damaged", str_text(&name));
    RecordFile *file = &MEM_ADD(out->files, out->file_count, out->file_capacity);
    *file = (RecordFile){.name = mem_copy_string(str_text(&name))};
    str_append(&file->content, content.text, content.length);
    *rest = view_of(rest->text + bytes + 1, rest->length - (size_t)bytes - 1);
    return OK;
}

static StrView cut_line(StrView *rest) {
    const char *const end = memchr(rest->text, '\n', rest->length);
    const size_t length = end == NULL ? rest->length : (size_t)(end - rest->text);
    const StrView line = view_of(rest->text, length);
    *rest = view_of(rest->text + length + (end != NULL), rest->length - length - (end != NULL));
    return line;
}

static Status parse(StrView rest, Record *out) {
    TRY(read_header(cut_line(&rest), out));
    while (rest.length > 0) {
        CLEANUP(str_free) Str name = {0};
        const StrView line = cut_line(&rest);
        uint64_t digest;
        if (line.length == 0) // a packed file ends with one
            continue;
        if (!find_text(line, "input", &name)) {
            TRY(read_file(line, &rest, out));
            continue;
        }
        if (!find_digest(line, &digest))
            return error_set(ERR_PARSE, "an input without its digest");
        TRY(json_check(line));
        record_add_input(out, str_text(&name), digest);
    }
    return OK;
}

Status record_read(Record *out, const char *path) {
    CLEANUP(str_free) Str text = {0};
    CLEANUP(record_free) Record record = {0};
    TRY(file_read(path, RECORD_MAX_BYTES, &text));
    TRY_PREFIX(parse(view_of(str_text(&text), text.length), &record), "%s", path);
    *out = record;
    record = (Record){0};
    return OK;
}

// --- digests ---

// What a line counts for.
static StrView what_counts(StrView line, bool is_labels, char comment) {
    if (comment != '\0' && line.length > 0 && line.text[0] == comment)
        return view_of(line.text, 0);
    const char *const by = is_labels ? memmem(line.text, line.length, " c1 \"", 5) : NULL;
    return by == NULL ? line : view_of(line.text, (size_t)(by - line.text));
}

Status record_digest(const char *path, uint64_t *out) {
    CLEANUP(str_free) Str text = {0};
    const bool is_labels = str_ends_with(path, ".epd");
    const char comment = is_labels || str_ends_with(path, ".weights") ? '#'
                         : str_ends_with(path, ".ini")                ? ';'
                                                                      : '\0';
    *out = HASH_START;
    TRY(file_read(path, INPUT_MAX_BYTES, &text));
    for (StrView rest = view_of(str_text(&text), text.length); rest.length > 0;) {
        const StrView line = what_counts(cut_line(&rest), is_labels, comment);
        *out = hash_bytes(*out, line.text, line.length);
        *out = line.length > 0 ? hash_bytes(*out, "\n", 1) : *out;
    }
    return OK;
}
