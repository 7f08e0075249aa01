// SPDX-License-Identifier: GPL-3.0-or-later
// What is to be tuned, held against the engine.
#include "base/hash.h"
#include "base/mem.h"
#include "engine_tuning/tune_options.h"
#include "engines/client.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { PROBE_DEPTH = 6, PROBE_CAP_MS = 10000, NUMBER_SIZE = 24 };

static Status set_number(EngineClient *client, const char *name, int64_t value) {
    char text[NUMBER_SIZE];
    snprintf(text, sizeof text, "%lld", (long long)value);
    return client_set_option(client, name, text);
}

// What the description sets the option to, or NULL.
static const char *described_value(const EngineSpec *spec, const char *name) {
    for (size_t i = 0; i < spec->option_count; i++)
        if (strcasecmp(spec->options[i].name, name) == 0)
            return spec->options[i].value;
    return NULL;
}

static Status find_start(TuneOption *option, const EngineSpec *spec, const UciOption *declared) {
    const char *described = described_value(spec, option->name);
    const char *text = described != NULL ? described : declared->value;
    int64_t number;
    const bool is_said_twice = option->has_start && described != NULL;
    if (is_said_twice &&
        (!view_to_int(view_from_string(described), &number) || number != option->start))
        return error_set(ERR_ARG, "%s: its start is said twice, as %lld and in option.%s=%s",
                         option->name, (long long)option->start, option->name, described);
    if (!option->has_start &&
        (text == NULL || !view_to_int(view_from_string(text), &option->start)))
        return error_set(ERR_ARG, "%s: the engine tells no default: give option.%s=", option->name,
                         option->name);
    option->has_start = true;
    if (option->start >= option->low && option->start <= option->high)
        return OK;
    return error_set(ERR_ARG, "%s: starts at %lld, outside of %lld to %lld", option->name,
                     (long long)option->start, (long long)option->low, (long long)option->high);
}

static Status check_option(TuneOption *option, const EngineSpec *spec, EngineClient *client) {
    // Also says which name may have been meant, and what the engine's own bounds are.
    TRY(set_number(client, option->name, option->low));
    TRY(set_number(client, option->name, option->high));
    const UciOption *declared = client_option(client, option->name);
    if (declared->type != UCI_SPIN)
        return error_set(ERR_ARG, "%s: option '%s' is no spin: only numbers can be tuned",
                         spec->name, declared->name);
    free(option->name);
    option->name = mem_copy_string(declared->name);
    TRY(find_start(option, spec, declared));
    TRY(set_number(client, option->name, option->start));
    return client_sync(client);
}

// A number that tells what the engine thinks of the positions.
static Status probe(EngineClient *client, const EngineSpec *spec, const Position *positions,
                    size_t count, uint64_t *out) {
    const bool has_limit = spec->limits.nodes > 0 || spec->limits.depth > 0;
    const Limits limits = {.depth = has_limit ? spec->limits.depth : PROBE_DEPTH,
                           .nodes = spec->limits.nodes,
                           .cap_ms = PROBE_CAP_MS};
    *out = HASH_START;
    for (size_t i = 0; i < count; i++) {
        EngineAnswer answer;
        TRY(client_new_game(client, &positions[i]));
        TRY(client_go(client, &limits, NULL, &answer));
        if (answer.is_late)
            return error_set(
                ERR_ENGINE,
                "%s: no move within %d s; does it know this kind of limit? (Some engines "
                "ignore nodes=: try depth=, st= or tc=.)",
                spec->name, PROBE_CAP_MS / 1000);
        *out = hash_bytes(*out, answer.text, strlen(answer.text));
        *out = hash_bytes(*out, &answer.info.score, sizeof answer.info.score);
        *out = hash_bytes(*out, &answer.info.nodes, sizeof answer.info.nodes);
    }
    return OK;
}

static Status look_for_effect(TuneOption *option, const EngineSpec *spec, EngineClient *client,
                              const Position *positions, size_t count) {
    uint64_t low, high;
    TRY(set_number(client, option->name, option->low));
    TRY(probe(client, spec, positions, count, &low));
    TRY(set_number(client, option->name, option->high));
    TRY(probe(client, spec, positions, count, &high));
    TRY(set_number(client, option->name, option->start));
    option->has_effect = low != high;
    return OK;
}

Status tune_options_check(TuneOptions *options, const EngineSpec *spec, const Position *positions,
                          size_t count, int cancel_fd) {
    CLEANUP(client_close_at) EngineClient *client = NULL;
    const ClientConfig config = {.spec = spec, .cancel_fd = cancel_fd, .is_uci_only = true};
    bool has_effect = false;
    TRY(client_open(&client, &config));
    for (size_t i = 0; i < options->count; i++)
        TRY(check_option(&options->items[i], spec, client));
    for (size_t i = 0; i < options->count; i++) {
        TRY(look_for_effect(&options->items[i], spec, client, positions, count));
        has_effect = has_effect || options->items[i].has_effect;
    }
    if (has_effect)
        return OK;
    return error_set(ERR_ARG,
                     "%s: it ignores what is to be tuned: in %zu positions its thoughts are "
                     "the same at the lower and upper bounds",
                     spec->name, count);
}
