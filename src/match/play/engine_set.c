// SPDX-License-Identifier: GPL-3.0-or-later
#include "match/play/engine_set.h"

#include "base/mem.h"
#include "engines/command.h"

#include <stdlib.h>

enum { SPEC_BYTES_MIN = 16 };

// `text` is what the file holds, or NULL: it is read.
static Status take_weights(EngineSet *engines, size_t engine, const char *text) {
    const EngineSpec *spec = &engines->specs[engine];
    Weights weights;
    if (text == NULL)
        TRY_PREFIX(weights_load(&weights, spec->weights), "%s", spec->name);
    else
        TRY_PREFIX(weights_parse(&weights, view_from_string(text), spec->weights), "%s",
                   spec->name);
    engines->weights[engine] = mem_alloc(sizeof weights);
    *engines->weights[engine] = weights;
    return OK;
}

// Players inside the process are made once for the sake of their options, which costs nothing.
static Status check_player(const EngineSet *engines, size_t engine) {
    Player player;
    if (engines->specs[engine].weights == NULL)
        return OK;
    TRY(engine_set_player(engines, engine, -1, &player));
    player.ops->close(player.self);
    return OK;
}

// `texts` has the files of weights, or is NULL.
static Status open_all(EngineSet *out, char *const *texts) {
    for (size_t i = 0; i < out->count; i++) {
        if (player_has_weights(&out->specs[i]))
            TRY(take_weights(out, i, texts == NULL ? NULL : texts[i]));
        TRY(check_player(out, i));
    }
    return OK;
}

static EngineSet make(const EngineSpec *specs, size_t count) {
    return (EngineSet){
        .specs = specs, .weights = mem_alloc_zero(count + 1, sizeof(Weights *)), .count = count};
}

Status engine_set_open(EngineSet *out, const EngineSpec *specs, size_t count) {
    *out = make(specs, count);
    return open_all(out, NULL);
}

void engine_set_close(EngineSet *engines) {
    for (size_t i = 0; i < engines->count; i++) {
        if (engines->weights[i] != NULL)
            weights_free(engines->weights[i]);
        free(engines->weights[i]);
        if (engines->owned != NULL)
            engine_spec_deinit(&engines->owned[i]);
    }
    free(engines->weights);
    free(engines->owned);
    *engines = (EngineSet){0};
}

Status engine_set_player(const EngineSet *engines, size_t engine, int cancel_fd, Player *out) {
    return player_create_from(out, &engines->specs[engine], engines->weights[engine], cancel_fd);
}

void engine_set_pack(const EngineSet *engines, Str *out) {
    bytes_add_short(out, (int64_t)engines->count);
    for (size_t i = 0; i < engines->count; i++) {
        CLEANUP(str_free) Str text = {0};
        if (engines->weights[i] != NULL)
            weights_write(engines->weights[i], &text);
        engine_spec_pack(&engines->specs[i], out);
        bytes_add_string(out, engines->weights[i] == NULL ? NULL : str_text(&text));
        bytes_add_u64(out, command_program_hash(&engines->specs[i]));
    }
}

static Status unpack_all(ByteReader *in, EngineSet *out, char **texts, uint64_t *hashes) {
    for (size_t i = 0; i < out->count; i++) {
        engine_spec_unpack(in, &out->owned[i]);
        texts[i] = bytes_string(in);
        hashes[i] = bytes_u64(in);
        in->failed = in->failed || (texts[i] != NULL) != player_has_weights(&out->owned[i]);
    }
    if (in->failed)
        return error_set(ERR_PARSE, "malformed description of engines");
    for (size_t i = 0; i < out->count; i++)
        TRY(command_program_check(&out->owned[i], hashes[i]));
    return open_all(out, texts);
}

Status engine_set_unpack(ByteReader *in, EngineSet *out) {
    const size_t count = bytes_count(in, SPEC_BYTES_MIN);
    CLEANUP(mem_free_at) char **texts = mem_alloc_zero(count + 1, sizeof *texts);
    CLEANUP(mem_free_at) uint64_t *hashes = mem_alloc_zero(count + 1, sizeof *hashes);
    EngineSpec *specs = mem_alloc_zero(count + 1, sizeof *specs);
    *out = make(specs, count);
    out->owned = specs;
    const Status status = unpack_all(in, out, texts, hashes);
    for (size_t i = 0; i < count; i++)
        free(texts[i]);
    return status;
}
