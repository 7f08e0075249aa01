// SPDX-License-Identifier: GPL-3.0-or-later
#include "settings/space.h"

#include "base/nearest.h"
#include "eval/chromosome.h"
#include "eval/value.h"
#include "search/search_family.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

static const char tempo_name[] = "TEMPO";

const Family *space_find_family(const RunConfig *config, const char *name) {
    const bool has_searches = config->fitness == FITNESS_SUITE || config->fitness == FITNESS_GAMES;
    return has_searches && strcmp(name, FAMILY_SEARCH) == 0 ? &family_search : family_find(name);
}

static Status find_family(const RunConfig *config, const Family **out) {
    const char *name = str_text(&config->family);
    *out = space_find_family(config, name);
    if (*out == NULL && strcmp(name, FAMILY_SEARCH) == 0)
        return error_set(ERR_ARG, "family %s is no evaluation: fitness must be suite or games",
                         name);
    if (*out == NULL && strcmp(name, FAMILY_COEFFICIENTS) == 0)
        return error_set(ERR_ARG,
                         "family %s is another engine's, known by a file of its "
                         "coefficients alone: falconer evolve coefficients takes it",
                         name);
    return *out != NULL ? OK : error_set(ERR_ARG, "there is no family '%s'", name);
}

// Codings that go with any family: the bounds alone, or as many bits as they need.
static const char *const coding_names[] = {
    [EVOLVE_BINARY] = "binary", [EVOLVE_GRAY] = "gray", [EVOLVE_REAL] = "real"};

const char *space_coding_name(EvolveCoding coding) {
    return coding_names[coding];
}

static bool find_coding(const char *name, EvolveCoding *out) {
    for (int i = EVOLVE_BINARY; i <= EVOLVE_REAL; i++)
        if (strcmp(coding_names[i], name) == 0) {
            *out = (EvolveCoding)i;
            return true;
        }
    return false;
}

static unsigned bits_for(int low, int high) {
    unsigned bits = 0;
    while ((int64_t)high - low >= INT64_C(1) << bits)
        bits++;
    return bits;
}

static void narrow_to_gene(EvolveParameter *parameter, const Gene *gene) {
    parameter->bits = gene->bits;
    if (gene->bits == 0)
        parameter->low = parameter->high = gene->fixed;
    else if (parameter->high - parameter->low >= (double)(1u << gene->bits))
        parameter->high = parameter->low + (double)((1u << gene->bits) - 1);
}

// Boxes and genes as the chromosome has them; in a coding of no chromosome, the family's bounds.
static Status set_boxes(FamilySpace *out, const RunConfig *config, const Family *family) {
    const char *name = str_text(&config->chromosome);
    const bool is_coding = find_coding(name, &out->space.coding);
    const Chromosome *chromosome = is_coding ? NULL : chromosome_find(name);
    if (!is_coding && chromosome == NULL)
        return error_set(ERR_ARG, "there is no chromosome '%s'", name);
    if (chromosome != NULL && chromosome->family != family)
        return error_set(ERR_ARG,
                         "chromosome %s belongs to family %s, not %s; gray, binary and real go "
                         "with any",
                         name, chromosome->family->name, family->name);
    if (chromosome != NULL)
        out->space.coding = chromosome->coding == CODING_GRAY ? EVOLVE_GRAY : EVOLVE_BINARY;
    if (out->space.coding == EVOLVE_REAL && config->algorithm.algorithm->needs_bits)
        return error_set(ERR_ARG, "algorithm %s works on bits: it needs a chromosome, not 'real'",
                         config->algorithm.algorithm->name);
    for (size_t i = 0; i < family->term_count; i++) {
        const Term *term = &family->terms[i];
        out->parameters[i] =
            (EvolveParameter){term->name, term->low, term->high, bits_for(term->low, term->high)};
        if (chromosome != NULL)
            narrow_to_gene(&out->parameters[i], &chromosome->genes[i]);
    }
    return OK;
}

// Terms that a variant leaves out are 0.
static Status apply_variant(FamilySpace *out, const RunConfig *config) {
    if (config->variant.length == 0)
        return OK;
    const Variant *variant = family_find_variant(out->family, str_text(&config->variant));
    if (variant == NULL)
        return error_set(ERR_ARG, "family %s has no variant '%s'", out->family->name,
                         str_text(&config->variant));
    for (size_t i = variant->term_count; i < out->family->term_count; i++) {
        out->parameters[i].low = out->parameters[i].high = out->start[i] = 0;
        out->parameters[i].bits = 0;
    }
    return OK;
}

bool space_start_profile(const RunConfig *config, Profile *out) {
    for (*out = 0; *out < PROFILE_NB; (*out)++)
        if (strcmp(str_text(&config->start), profile_name(*out)) == 0)
            return space_find_family(config, str_text(&config->family)) == &family_search;
    return false;
}

static Status load_start(FamilySpace *out, const RunConfig *config, const Family *family) {
    CLEANUP(weights_free) Weights weights = {0};
    Profile profile;
    const bool is_profile = space_start_profile(config, &profile);
    out->has_start = config->start.length > 0;
    if (out->has_start && !is_profile)
        TRY(weights_load_own(&weights, str_text(&config->start), family));
    else
        weights_init(&weights, family);
    if (family == &family_search && (is_profile || !out->has_start)) {
        const Features features = features_of(is_profile ? profile : (Profile)config->profile);
        search_family_parameters(&features, weights.parameters);
    }
    if (weights.family != family)
        return error_set(ERR_ARG, "%s: weights of family %s, where %s is evolved",
                         str_text(&config->start), weights.family->name, family->name);
    for (size_t i = 0; i < family->term_count; i++)
        out->start[i] = out->given[i] = weights.parameters[i];
    return OK;
}

// --- lists of names ---

typedef Status (*NameHandler)(FamilySpace *space, size_t index, StrView rest);

static Status refuse_name(const FamilySpace *space, const char *key, StrView name) {
    const char *names[TERMS_MAX + 1];
    char word[64];
    for (size_t i = 0; i < space->space.count; i++)
        names[i] = space->parameters[i].name;
    snprintf(word, sizeof word, "%.*s", (int)name.length, name.text);
    const char *nearest = nearest_name(word, names, space->space.count);
    return error_set(ERR_ARG, "%s: there is no parameter '%s'%s%s%s", key, word,
                     nearest == NULL ? "" : ": did you mean '", nearest == NULL ? "" : nearest,
                     nearest == NULL ? "" : "'?");
}

// Calls back for each parameter that a name, or a pattern such as KING_*, stands for.
static Status each_match(FamilySpace *space, StrView name, StrView rest, const char *key,
                         NameHandler handler) {
    char pattern[64];
    if (name.length >= sizeof pattern)
        return refuse_name(space, key, name);
    snprintf(pattern, sizeof pattern, "%.*s", (int)name.length, name.text);
    bool any = false;
    for (size_t i = 0; i < space->space.count; i++) {
        if (fnmatch(pattern, space->parameters[i].name, 0) != 0)
            continue;
        any = true;
        TRY(handler(space, i, rest));
    }
    return any ? OK : refuse_name(space, key, name);
}

// Takes a list with commas, of NAME, NAME=REST or NAME:REST.
static Status each_name(FamilySpace *space, const Str *list, const char *key, NameHandler handler) {
    StrView left = view_of(str_text(list), list->length);
    while (left.length > 0) {
        const char *comma = memchr(left.text, ',', left.length);
        const size_t length = comma == NULL ? left.length : (size_t)(comma - left.text);
        const StrView item = view_trim(view_of(left.text, length));
        const size_t used = comma == NULL ? length : length + 1;
        left = view_of(left.text + used, left.length - used);
        size_t end = 0;
        while (end < item.length && item.text[end] != '=' && item.text[end] != ':')
            end++;
        const size_t skip = end < item.length ? end + 1 : end;
        TRY(each_match(space, view_trim(view_of(item.text, end)),
                       view_trim(view_of(item.text + skip, item.length - skip)), key, handler));
    }
    return OK;
}

static Status freeze(FamilySpace *space, size_t index, StrView value) {
    EvolveParameter *parameter = &space->parameters[index];
    int64_t number = (int64_t)space->start[index];
    if (value.length > 0 && !value_parse(space->family, value, &number))
        return error_set(ERR_ARG, "freeze: %s=%.*s is not %s", parameter->name, (int)value.length,
                         value.text, value_kind(space->family));
    if ((double)number < parameter->low || (double)number > parameter->high)
        return error_set(ERR_ARG, "freeze: %s must be from %s to %s, not %s", parameter->name,
                         value_text(space->family, (int64_t)parameter->low).text,
                         value_text(space->family, (int64_t)parameter->high).text,
                         value_text(space->family, number).text);
    parameter->low = parameter->high = space->start[index] = (double)number;
    parameter->bits = 0;
    return OK;
}

static Status keep_free(FamilySpace *space, size_t index, StrView rest) {
    if (rest.length > 0)
        return error_set(ERR_ARG, "only: write %s alone, without a value",
                         space->parameters[index].name);
    space->is_named[index] = true;
    return OK;
}

static Status narrow(FamilySpace *space, size_t index, StrView rest) {
    EvolveParameter *parameter = &space->parameters[index];
    const char *colon = memchr(rest.text, ':', rest.length);
    const size_t before = colon == NULL ? rest.length : (size_t)(colon - rest.text);
    int64_t low, high;
    if (colon == NULL || !value_parse(space->family, view_trim(view_of(rest.text, before)), &low) ||
        !value_parse(space->family, view_trim(view_of(colon + 1, rest.length - before - 1)), &high))
        return error_set(ERR_ARG, "bounds: write %s:LOW:HIGH", parameter->name);
    if (low > high || (double)low < parameter->low || (double)high > parameter->high)
        return error_set(ERR_ARG, "bounds: %s must stay within %s and %s", parameter->name,
                         value_text(space->family, (int64_t)parameter->low).text,
                         value_text(space->family, (int64_t)parameter->high).text);
    parameter->low = (double)low;
    parameter->high = (double)high;
    // No more bits than the box needs: codes beyond it all stand for its upper end.
    while (parameter->bits > 0 && (high - low) >> (parameter->bits - 1) == 0)
        parameter->bits--;
    return OK;
}

static Status apply_only(FamilySpace *space, const RunConfig *config) {
    if (config->only.length == 0)
        return OK;
    TRY(each_name(space, &config->only, "only", keep_free));
    for (size_t i = 0; i < space->space.count; i++)
        if (!space->is_named[i] && space->parameters[i].low < space->parameters[i].high)
            TRY(freeze(space, i, view_of("", 0)));
    return OK;
}

static Status check_start(FamilySpace *space) {
    bool any_free = false;
    for (size_t i = 0; i < space->space.count; i++) {
        const EvolveParameter *parameter = &space->parameters[i];
        any_free = any_free || parameter->low < parameter->high;
        if (!space->has_start)
            continue;
        if (space->start[i] < parameter->low || space->start[i] > parameter->high)
            return error_set(ERR_ARG, "start: %s is %.15g, and must be from %.15g to %.15g",
                             parameter->name, space->start[i], parameter->low, parameter->high);
    }
    return any_free ? OK
                    : error_set(ERR_ARG, "every parameter is fixed: nothing is left to evolve");
}

Status space_of_family(FamilySpace *out, const RunConfig *config, const Family *family) {
    memset(out, 0, sizeof *out);
    out->family = family;
    TRY(set_boxes(out, config, family));
    TRY(load_start(out, config, family));
    TRY(apply_variant(out, config));
    out->has_tempo = config->tempo;
    if (out->has_tempo)
        out->parameters[family->term_count] =
            (EvolveParameter){tempo_name, 0, TEMPO_HIGH, TEMPO_BITS};
    out->space.parameters = out->parameters;
    out->space.count = family->term_count + out->has_tempo;
    out->space.is_integer = true;
    TRY(each_name(out, &config->bounds, "bounds", narrow));
    TRY(each_name(out, &config->freeze, "freeze", freeze));
    TRY(apply_only(out, config));
    return check_start(out);
}

Status family_space_init(FamilySpace *out, const RunConfig *config, const Family **family) {
    TRY(find_family(config, family));
    return space_of_family(out, config, *family);
}
