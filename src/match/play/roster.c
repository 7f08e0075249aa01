// SPDX-License-Identifier: GPL-3.0-or-later
#include "match/play/roster.h"

#include "base/mem.h"
#include "engines/command.h"

#include <stdlib.h>

enum { SPEC_BYTES_MIN = 16 };

// `text` is what the file holds, or NULL: it is read.
static Status take_weights(Roster *roster, size_t engine, const char *text) {
    const EngineSpec *spec = &roster->specs[engine];
    Weights weights;
    Status status = text == NULL ? weights_load(&weights, spec->weights)
                                 : weights_parse(&weights, view_from_string(text), spec->weights);
    if (status != OK) {
        error_prefix("%s", spec->name);
        return status;
    }
    roster->weights[engine] = mem_alloc(sizeof weights);
    *roster->weights[engine] = weights;
    return OK;
}

// Players inside the process are made once for the sake of their options, which costs nothing.
static Status check_player(const Roster *roster, size_t engine) {
    Player player;
    if (roster->specs[engine].weights == NULL)
        return OK;
    Status status = roster_player(roster, engine, -1, &player);
    if (status == OK)
        player.ops->close(player.self);
    return status;
}

// `texts` has the files of weights, or is NULL.
static Status open_all(Roster *out, const EngineSpec *specs, size_t count, char *const *texts) {
    *out = (Roster){
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

Status roster_open(Roster *out, const EngineSpec *specs, size_t count) {
    return open_all(out, specs, count, NULL);
}

void roster_close(Roster *roster) {
    for (size_t i = 0; i < roster->count; i++) {
        if (roster->weights[i] != NULL)
            weights_free(roster->weights[i]);
        free(roster->weights[i]);
        if (roster->owned != NULL)
            engine_spec_deinit(&roster->owned[i]);
    }
    free(roster->weights);
    free(roster->owned);
    *roster = (Roster){0};
}

Status roster_player(const Roster *roster, size_t engine, int cancel_fd, Player *out) {
    return player_create_from(out, &roster->specs[engine], roster->weights[engine], cancel_fd);
}

void roster_pack(const Roster *roster, Str *out) {
    bytes_add_short(out, (int64_t)roster->count);
    for (size_t i = 0; i < roster->count; i++) {
        Str text = {0};
        if (roster->weights[i] != NULL)
            weights_write(roster->weights[i], &text);
        engine_spec_pack(&roster->specs[i], out);
        bytes_add_string(out, roster->weights[i] == NULL ? NULL : str_text(&text));
        bytes_add_u64(out, command_program_hash(&roster->specs[i]));
        str_free(&text);
    }
}

Status roster_unpack(ByteReader *in, Roster *out) {
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
        *out = (Roster){.weights = mem_alloc_zero(count + 1, sizeof(Weights *)), .count = count};
    out->owned = specs;
    for (size_t i = 0; i < count; i++)
        free(texts[i]);
    free(texts);
    return status;
}
