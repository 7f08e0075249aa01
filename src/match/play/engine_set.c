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
    Status status = text == NULL ? weights_load(&weights, spec->weights)
                                 : weights_parse(&weights, view_from_string(text), spec->weights);
    if (status != OK) {
        error_prefix("%s", spec->name);
        return status;
    }
    engines->weights[engine] = mem_alloc(sizeof weights);
    *engines->weights[engine] = weights;
    return OK;
}

// Players inside the process are made once for the sake of their options, which costs nothing.
static Status check_player(const EngineSet *engines, size_t engine) {
    Player player;
    if (engines->specs[engine].weights == NULL)
        return OK;
    Status status = engine_set_player(engines, engine, -1, &player);
    if (status == OK)
        player.ops->close(player.self);
    return status;
}

// `texts` has the files of weights, or is NULL.
static Status open_all(EngineSet *out, const EngineSpec *specs, size_t count, char *const *texts) {
    *out = (EngineSet){
        .specs = specs, .weights = mem_alloc_zero(count + 1, sizeof(Weights *)), .count = count};
    Status status = OK;
    for (size_t i = 0; i < count && status == OK; i++) {
        if (player_has_weights(&specs[i]))
            status = take_weights(out, i, texts == NULL ? NULL : texts[i]);
        if (status == OK)
            status = check_player(out, i);
    }
    return status;
}

Status engine_set_open(EngineSet *out, const EngineSpec *specs, size_t count) {
    return open_all(out, specs, count, NULL);
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
        Str text = {0};
        if (engines->weights[i] != NULL)
            weights_write(engines->weights[i], &text);
        engine_spec_pack(&engines->specs[i], out);
        bytes_add_string(out, engines->weights[i] == NULL ? NULL : str_text(&text));
        bytes_add_u64(out, command_program_hash(&engines->specs[i]));
        str_free(&text);
    }
}

Status engine_set_unpack(ByteReader *in, EngineSet *out) {
    const size_t count = bytes_count(in, SPEC_BYTES_MIN);
    EngineSpec *specs = mem_alloc_zero(count + 1, sizeof *specs);
    char **texts = mem_alloc_zero(count + 1, sizeof *texts);
    Status status = OK;
    for (size_t i = 0; i < count; i++) {
        engine_spec_unpack(in, &specs[i]);
        texts[i] = bytes_string(in);
        const uint64_t hash = bytes_u64(in);
        in->failed = in->failed || (texts[i] != NULL) != player_has_weights(&specs[i]);
        if (status == OK && !in->failed)
            status = command_program_check(&specs[i], hash);
    }
    if (in->failed)
        status = error_set(ERR_PARSE, "these bytes describe no engines");
    if (status == OK)
        status = open_all(out, specs, count, texts);
    else
        *out = (EngineSet){.weights = mem_alloc_zero(count + 1, sizeof(Weights *)), .count = count};
    out->owned = specs;
    for (size_t i = 0; i < count; i++)
        free(texts[i]);
    free(texts);
    return status;
}
