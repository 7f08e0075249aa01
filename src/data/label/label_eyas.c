// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/label/label_eyas.h"

#include "data/label/label_header.h"
#include "engines/command.h"
#include "eval/weights.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

static bool is_eyas(const EngineClient *client) {
    return strncmp(client_id(client), "Eyas", strlen("Eyas")) == 0;
}

static const char *file_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

// The profile that was set last, or the engine's default; "" where it knows none.
static const char *find_profile(const EngineSpec *spec, const EngineClient *client) {
    const UciOption *option = client_option(client, "Profile");
    const char *profile = option == NULL ? "" : option->value;
    for (size_t i = 0; i < spec->option_count; i++)
        if (strcasecmp(spec->options[i].name, "Profile") == 0)
            profile = spec->options[i].value;
    return profile;
}

// Takes the values that the engine declares as defaults: those it was started with.
static bool read_declared(const EngineClient *client, const Family *family, Weights *out) {
    weights_init(out, family);
    for (size_t i = 0; i < family->term_count; i++) {
        const UciOption *option = client_option(client, family->terms[i].name);
        int64_t value;
        if (option == NULL || option->type != UCI_SPIN ||
            !view_to_int(view_from_string(option->value), &value) ||
            weights_set(out, family->terms[i].name, value) != OK)
            return false;
    }
    return true;
}

static bool find_declared(const EngineClient *client, Weights *out) {
    for (size_t i = 0; families[i] != NULL; i++)
        if (read_declared(client, families[i], out))
            return true;
    return false;
}

// The file that the engine was started with, or NULL.
static const char *started_with(char *const *words) {
    static const char option[] = "--weights";
    const char *file = NULL;
    for (size_t i = 0; words[i] != NULL; i++) {
        if (strcmp(words[i], option) == 0 && words[i + 1] != NULL)
            file = words[i + 1];
        else if (strncmp(words[i], option, sizeof option - 1) == 0 &&
                 words[i][sizeof option - 1] == '=')
            file = words[i] + sizeof option;
    }
    return file;
}

static bool load_file(const EngineSpec *spec, const char *value, Weights *out) {
    CLEANUP(str_free) Str path = {0};
    command_file_behind(spec, value, &path);
    weights_free(out);
    return weights_load(out, access(str_text(&path), R_OK) == 0 ? str_text(&path) : value) == OK;
}

// Applies the options that change weights. False where the result is not known.
static bool apply_options(const EngineSpec *spec, const char **name, Weights *weights) {
    bool is_known = true;
    for (size_t i = 0; i < spec->option_count; i++) {
        const EngineOption *option = &spec->options[i];
        int64_t value;
        if (strcasecmp(option->name, "EvalFile") == 0) {
            *name = file_name(option->value);
            is_known = load_file(spec, option->value, weights);
        } else if (is_known && family_find_term(weights->family, option->name) >= 0 &&
                   view_to_int(view_from_string(option->value), &value)) {
            is_known = weights_set(weights, option->name, value) == OK;
        }
    }
    return is_known;
}

static void describe_weights(const EngineSpec *spec, const EngineClient *client, Str *header,
                             Str *key) {
    CLEANUP(weights_free) Weights weights = {0};
    CLEANUP(command_free_at) char **words = command_words(spec);
    const char *file = started_with(words), *name = file == NULL ? "built in" : file_name(file);
    if (!find_declared(client, &weights) || !apply_options(spec, &name, &weights)) {
        label_header_add(header, "weights %s", name);
        return;
    }
    label_header_add_weights(header, name, &weights);
    str_addf(key, "\nweights %016" PRIx64, weights_digest(&weights));
}

void label_eyas_describe(const EngineSpec *spec, const EngineClient *client, size_t chosen,
                         Str *header, Str *key) {
    if (!is_eyas(client))
        return;
    const char *profile = find_profile(spec, client);
    if (profile[0] != '\0')
        label_header_add(header, "profile %s", profile);
    describe_weights(spec, client, header, key);
    for (size_t i = 0; i < chosen; i++)
        str_addf(key, "\nthen %s=%s", spec->options[i].name, spec->options[i].value);
}
