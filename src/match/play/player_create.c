// SPDX-License-Identifier: GPL-3.0-or-later
#include "match/play/player_create.h"

#include "base/nearest.h"
#include "base/settings.h"
#include "match/play/player_organism.h"
#include "search/search_family.h"

#include <string.h>
#include <strings.h>

enum { HASH_MAX_MB = 1 << 20, OTHERS = 3, OPTION_COUNT = OTHERS + FEATURE_NB + SEARCH_NUMBER_NB };

static Status refuse_option(const char *name) {
    const char *names[OPTION_COUNT] = {"Hash", "Profile", "SearchFile"};
    for (Feature feature = 0; feature < FEATURE_NB; feature++)
        names[OTHERS + feature] = feature_name(feature);
    for (size_t i = 0; i < SEARCH_NUMBER_NB; i++)
        names[OTHERS + FEATURE_NB + i] = search_number(i)->name;
    const char *nearest = nearest_name(name, names, OPTION_COUNT);
    return error_set(ERR_ARG,
                     "an organism inside the process has no option '%s'%s%s%s: there are Hash, "
                     "Profile, SearchFile and the search's switches and numbers",
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

static Status set_number(const EngineOption *option, OrganismConfig *out) {
    const SearchNumber *number = search_number_find(option->name);
    if (number == NULL)
        return refuse_option(option->name);
    const Setting setting = {
        .name = number->name, .type = SETTING_INT, .low = number->low, .high = number->high};
    return setting_parse(&setting, option->value, search_number_in(&out->features, number));
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
    return set_number(option, out);
}

// Sets all switches and numbers, by a profile or a file.
static bool is_whole_search(const EngineOption *option) {
    return strcasecmp(option->name, "Profile") == 0 || strcasecmp(option->name, "SearchFile") == 0;
}

static Status set_whole_search(const EngineOption *option, OrganismConfig *out) {
    return strcasecmp(option->name, "Profile") == 0
               ? set_profile(option->value, out)
               : search_family_load(&out->features, option->value);
}

// What sets all comes first wherever it stands.
static Status set_options(const EngineSpec *spec, OrganismConfig *out) {
    for (size_t i = 0; i < spec->option_count; i++)
        if (is_whole_search(&spec->options[i]))
            TRY(set_whole_search(&spec->options[i], out));
    for (size_t i = 0; i < spec->option_count; i++) {
        const EngineOption *option = &spec->options[i];
        if (strcasecmp(option->name, "Hash") == 0)
            TRY(set_hash(option->value, out));
        else if (!is_whole_search(option))
            TRY(set_switch(option, out));
    }
    return OK;
}

static Status create_organism(Player *out, const EngineSpec *spec, const Weights *weights,
                              int cancel_fd) {
    OrganismConfig config = {
        .weights = weights, .features = features_of(PROFILE_MODERN), .cancel_fd = cancel_fd};
    TRY_PREFIX(set_options(spec, &config), "%s", spec->name);
    *out = player_organism_create(&config, spec->name);
    return OK;
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

// ERR_ARG for limits that the protocol does not have.
static Status check_xboard_limits(const EngineSpec *spec) {
    if (spec->limits.nodes > 0)
        return error_set(
            ERR_ARG,
            "%s: the XBoard protocol has no limit by nodes: give tc=, st= or depth=", spec->name);
    if (spec->limits.move_ms % 1000 != 0)
        return error_set(ERR_ARG, "%s: XBoard engines think whole seconds: give st=1 or more",
                         spec->name);
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
        TRY(check_xboard_limits(spec));
    *out = player_engine_create(spec, cancel_fd);
    return OK;
}

Status player_create(Player *out, const EngineSpec *spec, int cancel_fd) {
    if (!player_has_weights(spec))
        return player_create_from(out, spec, NULL, cancel_fd);
    CLEANUP(weights_free) Weights weights = {0};
    TRY_PREFIX(weights_load(&weights, spec->weights), "%s", spec->name);
    return player_create_from(out, spec, &weights, cancel_fd);
}
