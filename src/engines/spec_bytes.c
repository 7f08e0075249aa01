// SPDX-License-Identifier: GPL-3.0-or-later
#include "engines/spec_bytes.h"

#include "base/hash.h"
#include "base/mem.h"
#include "engines/command.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

enum { BLOCK = 1 << 16 };

static void pack_limits(const EngineLimits *limits, Str *out) {
    bytes_add_short(out, limits->moves);
    bytes_add_short(out, limits->time_ms);
    bytes_add_short(out, limits->inc_ms);
    bytes_add_short(out, limits->move_ms);
    bytes_add_u64(out, limits->nodes);
    bytes_add_short(out, limits->depth);
    bytes_add_u8(out, limits->is_infinite);
}

static EngineLimits unpack_limits(ByteReader *in) {
    EngineLimits limits;
    limits.moves = bytes_short_in(in, 0, INT_MAX);
    limits.time_ms = bytes_short(in);
    limits.inc_ms = bytes_short(in);
    limits.move_ms = bytes_short(in);
    limits.nodes = bytes_u64(in);
    limits.depth = bytes_short_in(in, 0, INT_MAX);
    limits.is_infinite = bytes_u8(in) != 0;
    return limits;
}

void engine_spec_pack(const EngineSpec *spec, Str *out) {
    const char *texts[] = {spec->name, spec->command, spec->dir, spec->weights, spec->stderr_path};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        bytes_add_string(out, texts[i]);
    bytes_add_short(out, (int64_t)spec->arg_count);
    for (size_t i = 0; i < spec->arg_count; i++)
        bytes_add_string(out, spec->args[i]);
    bytes_add_short(out, (int64_t)spec->option_count);
    for (size_t i = 0; i < spec->option_count; i++) {
        bytes_add_string(out, spec->options[i].name);
        bytes_add_string(out, spec->options[i].value);
    }
    pack_limits(&spec->limits, out);
    bytes_add_u8(out, (uint8_t)spec->protocol);
    bytes_add_short(out, spec->margin_ms);
    bytes_add_short(out, spec->memory_mb);
    bytes_add_short(out, spec->cpu_s);
}

// A text that must be there.
static char *unpack_word(ByteReader *in) {
    char *text = bytes_string(in);
    in->failed = in->failed || text == NULL;
    return text == NULL ? mem_copy_string("") : text;
}

static void unpack_lists(ByteReader *in, EngineSpec *out) {
    const size_t args = bytes_count(in, 1);
    out->args = mem_grow(NULL, &out->arg_capacity, args + 1, sizeof *out->args);
    for (; out->arg_count < args; out->arg_count++)
        out->args[out->arg_count] = unpack_word(in);
    const size_t options = bytes_count(in, 2);
    out->options = mem_grow(NULL, &out->option_capacity, options + 1, sizeof *out->options);
    for (; out->option_count < options; out->option_count++) {
        EngineOption *option = &out->options[out->option_count];
        option->name = unpack_word(in);
        option->value = unpack_word(in);
    }
}

void engine_spec_unpack(ByteReader *in, EngineSpec *out) {
    *out = engine_spec_init();
    out->name = unpack_word(in);
    out->command = bytes_string(in);
    out->dir = bytes_string(in);
    out->weights = bytes_string(in);
    out->stderr_path = bytes_string(in);
    unpack_lists(in, out);
    out->limits = unpack_limits(in);
    const int protocol = bytes_u8(in);
    in->failed = in->failed || protocol > PROTOCOL_XBOARD ||
                 (out->command == NULL) == (out->weights == NULL);
    out->protocol = protocol == PROTOCOL_XBOARD ? PROTOCOL_XBOARD : PROTOCOL_UCI;
    out->margin_ms = bytes_short_in(in, -1, INT_MAX);
    out->memory_mb = bytes_short_in(in, 0, INT_MAX);
    out->cpu_s = bytes_short_in(in, 0, INT_MAX);
}

static uint64_t hash_file(const char *path) {
    FILE *file = fopen(path, "rbe");
    if (file == NULL)
        return 0;
    unsigned char *block = mem_alloc(BLOCK);
    uint64_t hash = HASH_START;
    size_t got;
    while ((got = fread(block, 1, BLOCK, file)) > 0)
        hash = hash_words(hash, block, got);
    free(block);
    fclose(file);
    return hash;
}

uint64_t engine_program_hash(const EngineSpec *spec) {
    if (spec->command == NULL)
        return 0;
    char **words = command_words(spec);
    Str path = {0};
    uint64_t hash =
        words[0] != NULL && command_find(spec, words[0], &path) ? hash_file(str_text(&path)) : 0;
    str_free(&path);
    command_free(words);
    return hash;
}

Status engine_program_check(const EngineSpec *spec, uint64_t hash) {
    const uint64_t here = engine_program_hash(spec);
    // Where nobody has it, starting it will tell.
    if (here == hash)
        return OK;
    const char *what = here == 0 ? "not there" : hash == 0 ? "there" : "another program";
    return error_set(ERR_ARG, "%s: %s is %s: all ranks must have the same", spec->name,
                     spec->command, what);
}
