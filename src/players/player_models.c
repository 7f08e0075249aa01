// SPDX-License-Identifier: GPL-3.0-or-later
#include "players/player_models.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

static const char *const END = ".weights", *const KEY = "player:";

// "kasparov" of "weights/players/kasparov.weights"; blanks become underscores.
static char *name_of(const char *path) {
    const char *slash = strrchr(path, '/'), *name = slash == NULL ? path : slash + 1;
    size_t length = strlen(name);
    if (length > strlen(END) && strcmp(name + length - strlen(END), END) == 0)
        length -= strlen(END);
    char *copy = view_copy(view_of(name, length));
    for (char *at = copy; *at != '\0'; at++)
        *at = strchr(" \t\n", *at) != NULL ? '_' : *at;
    return copy;
}

// The rest of the lineage's line that begins with the key, or NULL.
static char *spellings_of(const Weights *weights) {
    for (const char *line = str_text(&weights->lineage); line != NULL && *line != '\0';) {
        const char *end = strchr(line, '\n');
        const StrView view =
            view_trim(view_of(line, end == NULL ? strlen(line) : (size_t)(end - line)));
        if (view.length > strlen(KEY) && memcmp(view.text, KEY, strlen(KEY)) == 0)
            return view_copy(
                view_trim(view_of(view.text + strlen(KEY), view.length - strlen(KEY))));
        line = end == NULL ? NULL : end + 1;
    }
    return NULL;
}

static Status add_model(PlayerModels *models, const char *path) {
    CLEANUP(weights_free) Weights weights = {0};
    TRY(weights_load(&weights, path));
    const size_t index = models->count++;
    models->names[index] = name_of(path);
    models->spellings[index] = spellings_of(&weights);
    models->coefficients[index] = mem_alloc_zero(COEFFICIENTS_MAX, sizeof(int));
    family_expand(weights.family, weights.parameters, models->coefficients[index]);
    if (index == 0)
        models->family = weights.family;
    if (weights.family != models->family)
        return error_set(ERR_ARG, "%s is of the family %s, and %s of %s: give players of one", path,
                         weights.family->name, models->names[0], models->family->name);
    for (size_t i = 0; i < index; i++)
        if (strcmp(models->names[i], models->names[index]) == 0)
            return error_set(ERR_ARG, "two players are called %s", models->names[i]);
    return OK;
}

Status player_models_load(PlayerModels *out, const char *const *paths, size_t count) {
    CLEANUP(player_models_free) PlayerModels models = {0};
    *out = models;
    if (count < 2 || count > MOVE_SCORES_LANES)
        return error_set(ERR_ARG, "%zu players given: 2 to %d can be told apart", count,
                         MOVE_SCORES_LANES);
    for (size_t i = 0; i < count; i++)
        TRY(add_model(&models, paths[i]));
    *out = TAKE(models);
    return OK;
}

void player_models_free(PlayerModels *models) {
    for (size_t i = 0; i < models->count; i++) {
        free(models->names[i]);
        free(models->spellings[i]);
        free(models->coefficients[i]);
    }
    *models = (PlayerModels){0};
}
