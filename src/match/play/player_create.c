// SPDX-License-Identifier: GPL-3.0-or-later
#include "match/play/player_create.h"

#include "base/nearest.h"
#include "match/play/player_organism.h"
#include "match/play/player_random.h"
#include "match/play/player_uci.h"
#include "match/play/player_xboard.h"

#include <string.h>
#include <strings.h>

enum { HASH_MAX_MB = 1 << 20, OPTION_COUNT = 2 + FEATURE_NB };

static Status refuse_option(const char *name) {
    const char *names[OPTION_COUNT] = {"Hash", "Profile"};
    for (Feature feature = 0; feature < FEATURE_NB; feature++)
        names[2 + feature] = feature_name(feature);
    const char *nearest = nearest_name(name, names, OPTION_COUNT);
    return error_set(ERR_ARG,
                     "an organism inside the process has no option '%s'%s%s%s: there are Hash, "
                     "Profile and the search's switches",
                     name, nearest == NULL ? "" : ", did you mean '",
                     nearest == NULL ? "" : nearest, nearest == NULL ? "" : "'");
}

static Status set_hash(const char *value, OrganismConfig *out) {
    int64_t megabytes;
    if (!view_to_int(view_from_string(value), &megabytes) || megabytes < 1 ||
        megabytes > HASH_MAX_MB)
        return error_set(ERR_ARG, "option Hash takes 1 to %d MB, not '%s'", HASH_MAX_MB, value);
    out->hash_mb = (size_t)megabytes;
    return OK;
}

static Status set_profile(const char *value, OrganismConfig *out) {
    for (Profile profile = 0; profile < PROFILE_NB; profile++) {
        if (strcasecmp(value, profile_name(profile)) != 0)
            continue;
        out->features = features_of(profile);
        return OK;
    }
    return error_set(ERR_ARG, "option Profile is papers, plain or modern, not '%s'", value);
}

static Status set_switch(const EngineOption *option, OrganismConfig *out) {
    bool is_true = strcasecmp(option->value, "true") == 0;
    for (Feature feature = 0; feature < FEATURE_NB; feature++) {
        if (strcasecmp(option->name, feature_name(feature)) != 0)
            continue;
        if (!is_true && strcasecmp(option->value, "false") != 0)
            return error_set(ERR_ARG, "option %s is true or false, not '%s'", feature_name(feature),
                             option->value);
        out->features.on[feature] = is_true;
        return OK;
    }
    return refuse_option(option->name);
}

// A profile sets all switches, so it comes first wherever it stands.
static Status set_options(const EngineSpec *spec, OrganismConfig *out) {
    Status status = OK;
    for (size_t i = 0; i < spec->option_count && status == OK; i++)
        if (strcasecmp(spec->options[i].name, "Profile") == 0)
            status = set_profile(spec->options[i].value, out);
    for (size_t i = 0; i < spec->option_count && status == OK; i++) {
        const EngineOption *option = &spec->options[i];
        if (strcasecmp(option->name, "Hash") == 0)
            status = set_hash(option->value, out);
        else if (strcasecmp(option->name, "Profile") != 0)
            status = set_switch(option, out);
    }
    return status;
}

static Status create_organism(Player *out, const EngineSpec *spec, const Weights *weights,
                              int cancel_fd) {
    OrganismConfig config = {
        .weights = weights, .features = features_of(PROFILE_MODERN), .cancel_fd = cancel_fd};
    Status status = set_options(spec, &config);
    if (status == OK)
        *out = player_organism_create(&config, spec->name);
    else
        error_prefix("%s", spec->name);
    return status;
}

static Status create_random(Player *out, const EngineSpec *spec, int cancel_fd) {
    int64_t seed = 0;
    for (size_t i = 0; i < spec->option_count; i++) {
        const EngineOption *option = &spec->options[i];
        if (strcasecmp(option->name, "Seed") != 0)
            return error_set(ERR_ARG, "%s: a random mover has no option '%s': there is Seed",
                             spec->name, option->name);
        if (!view_to_int(view_from_string(option->value), &seed) || seed < 0)
            return error_set(ERR_ARG, "%s: option Seed takes a number from 0, not '%s'", spec->name,
                             option->value);
    }
    *out = player_random_create((uint64_t)seed, cancel_fd, spec->name);
    return OK;
}

bool player_has_weights(const EngineSpec *spec) {
    return spec->weights != NULL && strcmp(spec->weights, PLAYER_RANDOM) != 0;
}

Status player_create_from(Player *out, const EngineSpec *spec, const Weights *weights,
                          int cancel_fd) {
    if (player_has_weights(spec))
        return create_organism(out, spec, weights, cancel_fd);
    if (spec->weights != NULL)
        return create_random(out, spec, cancel_fd);
    if (spec->protocol == PROTOCOL_XBOARD)
        return player_xboard_create(out, spec, cancel_fd);
    *out = player_uci_create(spec, cancel_fd);
    return OK;
}

Status player_create(Player *out, const EngineSpec *spec, int cancel_fd) {
    if (!player_has_weights(spec))
        return player_create_from(out, spec, NULL, cancel_fd);
    Weights weights;
    Status status = weights_load(&weights, spec->weights);
    if (status != OK) {
        error_prefix("%s", spec->name);
        return status;
    }
    status = player_create_from(out, spec, &weights, cancel_fd);
    weights_free(&weights);
    return status;
}
