// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/label/label_mentor.h"

#include "base/hash.h"
#include "base/mem.h"
#include "data/label/label_eyas.h"
#include "data/label/label_header.h"
#include "engines/client.h"
#include "engines/command.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

enum { CHUNK = 1 << 16 };

// What engines call the number of their threads.
static const char *const thread_options[] = {
    "Threads",      "Number of Threads", "Max Threads",  "NumThreads",     "Search Threads",
    "Thread Count", "Max CPUs",          "CPUs",         "Number of CPUs", "Cores",
    "Max Cores",    "Number of Cores",   "Core Threads",
};

static bool is_set(const EngineSpec *spec, const char *name) {
    for (size_t i = 0; i < spec->option_count; i++)
        if (strcasecmp(spec->options[i].name, name) == 0)
            return true;
    return false;
}

static Status set_option(EngineSpec *spec, const UciOption *option, const char *value) {
    CLEANUP(str_free) Str word = {0};
    str_addf(&word, "option.%s=%s", option->name, value);
    return engine_spec_set(spec, word.text);
}

// Sets a number as near to `wanted` as the engine allows, unless the user chose one.
static Status set_number(EngineSpec *spec, const EngineClient *client, const char *name,
                         int64_t wanted) {
    const UciOption *option = client_option(client, name);
    char value[32];
    if (option == NULL || option->type != UCI_SPIN || is_set(spec, name))
        return OK;
    if (option->has_bounds && wanted < option->low)
        wanted = option->low;
    snprintf(value, sizeof value, "%" PRId64, wanted);
    return set_option(spec, option, value);
}

static Status set_off(EngineSpec *spec, const EngineClient *client, const char *name) {
    const UciOption *option = client_option(client, name);
    if (option == NULL || option->type != UCI_CHECK || is_set(spec, name))
        return OK;
    return set_option(spec, option, "false");
}

static Status set_lines(EngineSpec *spec, const EngineClient *client, int lines) {
    const UciOption *option = client_option(client, "MultiPV");
    char value[32];
    if (is_set(spec, "MultiPV"))
        return error_set(ERR_ARG, "option.MultiPV: say --multipv instead");
    if (option == NULL)
        return lines == 1 ? OK
                          : error_set(ERR_ARG,
                                      "%s: it has no option 'MultiPV', so --multipv must "
                                      "be 1",
                                      spec->name);
    snprintf(value, sizeof value, "%d", lines);
    TRY_PREFIX(uci_option_check(option, value), "%s", spec->name);
    return set_option(spec, option, value);
}

// Hash tables and threads carry something over from one position to the next.
static Status set_defaults(EngineSpec *spec, const EngineClient *client, int lines) {
    TRY(set_lines(spec, client, lines));
    for (size_t i = 0; i < sizeof thread_options / sizeof thread_options[0]; i++)
        TRY(set_number(spec, client, thread_options[i], 1));
    TRY(set_number(spec, client, "Hash", 1));
    TRY(set_off(spec, client, "OwnBook"));
    return set_off(spec, client, "Ponder");
}

static void add_limit(const Limits *limits, Str *out) {
    if (limits->depth > 0)
        str_addf(out, ", depth %d", limits->depth);
    if (limits->nodes > 0)
        str_addf(out, ", nodes %" PRIu64, limits->nodes);
    if (limits->move_ms > 0)
        str_addf(out, ", time %" PRId64 " ms", limits->move_ms);
}

// Size and hash of a file as it lies on disk. Files that cannot be read add nothing.
static void add_fingerprint(const char *path, Str *out) {
    struct stat info;
    FILE *file = stat(path, &info) == 0 && S_ISREG(info.st_mode) ? fopen(path, "rbe") : NULL;
    if (file == NULL)
        return;
    unsigned char *chunk = mem_alloc(CHUNK);
    uint64_t hash = HASH_START, size = 0;
    size_t got;
    while ((got = fread(chunk, 1, CHUNK, file)) > 0) {
        hash = hash_bytes(hash, chunk, got);
        size += got;
    }
    free(chunk);
    fclose(file);
    str_addf(out, " [%" PRIu64 " bytes, %016" PRIx64 "]", size, hash);
}

// A word that names a file stands for what is in it: weights, a network, a script.
static void add_file_behind(const EngineSpec *spec, const char *word, Str *out) {
    CLEANUP(str_free) Str path = {0};
    command_file_behind(spec, word, &path);
    add_fingerprint(str_text(&path), out);
}

static void add_command(const EngineSpec *spec, Str *out) {
    char **words = command_words(spec);
    CLEANUP(str_free) Str path = {0};
    if (words[0] != NULL && command_find(spec, words[0], &path))
        add_fingerprint(str_text(&path), out);
    for (size_t i = 1; words[0] != NULL && words[i] != NULL; i++) {
        str_addf(out, "\nargument %s", words[i]);
        add_file_behind(spec, words[i], out);
    }
    command_free(words);
}

static int compare_options(const void *a, const void *b) {
    const EngineOption *const *one = a, *const *two = b;
    return strcasecmp((*one)->name, (*two)->name);
}

static void add_options(const EngineSpec *spec, const EngineClient *client, Mentor *out) {
    const EngineOption **sorted = mem_alloc_zero(spec->option_count + 1, sizeof *sorted);
    for (size_t i = 0; i < spec->option_count; i++)
        sorted[i] = &spec->options[i];
    qsort(sorted, spec->option_count, sizeof *sorted, compare_options);
    for (size_t i = 0; i < spec->option_count; i++) {
        const UciOption *declared = client_option(client, sorted[i]->name);
        const char *name = declared == NULL ? sorted[i]->name : declared->name;
        str_addf(&out->settings, "%s%s=%s", i == 0 ? "" : ", ", name, sorted[i]->value);
        str_addf(&out->key, "\noption %s=%s", name, sorted[i]->value);
        add_file_behind(spec, sorted[i]->value, &out->key);
    }
    free(sorted);
}

// Quotes would end EPD's string, and control characters its line.
static void make_plain(Str *text) {
    for (size_t i = 0; i < text->length; i++)
        if (text->text[i] == '"' || (unsigned char)text->text[i] < ' ')
            text->text[i] = '\'';
}

static void describe(const EngineSpec *spec, const EngineClient *client, size_t chosen,
                     Mentor *out) {
    const char *id = client_id(client);
    str_add(&out->label, id[0] == '\0' ? spec->name : id);
    add_limit(&spec->limits, &out->label);
    str_addf(&out->key, "engine %s\nlines %d\nprogram", str_text(&out->label), out->lines);
    add_command(spec, &out->key);
    if (spec->dir != NULL)
        str_addf(&out->key, "\nfolder %s", spec->dir);
    for (size_t i = 0; i < chosen; i++)
        str_addf(&out->label, ", %s=%s", spec->options[i].name, spec->options[i].value);
    make_plain(&out->label);
    add_options(spec, client, out);
    label_header_add(&out->header, "%s", str_text(&out->label));
    label_eyas_describe(spec, client, chosen, &out->header, &out->key);
    label_header_add(&out->header, "options %s", str_text(&out->settings));
}

static Status check_limits(const EngineSpec *spec) {
    if (spec->weights != NULL)
        return error_set(ERR_ARG, "weights=%s: a mentor is an engine: cmd=", spec->weights);
    if (spec->limits.clock.time_ms > 0)
        return error_set(ERR_ARG, "tc=: a mentor has no clock: give depth=, nodes= or st=");
    if (limits_are_empty(&spec->limits))
        return error_set(ERR_ARG, "%s: no limit: give depth=, nodes= or st=", spec->name);
    return OK;
}

Status mentor_prepare(Mentor *out, EngineSpec *spec, int lines, int cancel_fd) {
    *out = (Mentor){.spec = spec, .lines = lines};
    CLEANUP(client_close_at) EngineClient *client = NULL;
    const ClientConfig config = {.spec = spec, .cancel_fd = cancel_fd, .is_uci_only = true};
    const size_t chosen = spec->option_count;
    TRY(check_limits(spec));
    TRY(client_open(&client, &config));
    TRY(set_defaults(spec, client, lines));
    describe(spec, client, chosen, out);
    return OK;
}

void mentor_free(Mentor *mentor) {
    str_free(&mentor->settings);
    str_free(&mentor->label);
    str_free(&mentor->header);
    str_free(&mentor->key);
}
