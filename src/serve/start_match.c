// SPDX-License-Identifier: GPL-3.0-or-later
#include "serve/start_match.h"

#include <inttypes.h>
#include <stddef.h>
#include <string.h>

static const char *const no_yes[] = {"no", "yes", NULL};

#define KEY(name, type, low, high, start, choices, meaning)                                        \
    {                                                                                              \
        START_MATCH, #name, SETTING_##type, offsetof(StartMatch, name), low, high, start, choices, \
            meaning                                                                                \
    }
static const Setting keys[] = {
    KEY(first, TEXT, 0, 0, "", NULL, "whose score is told"),
    KEY(second, TEXT, 0, 0, "", NULL, "its opponent"),
    KEY(rounds, WHOLE, 1, 100000, "100", NULL, "openings to play, each with both colours"),
    KEY(nodes, WHOLE, 1, 1e7, "2000", NULL, "nodes of a move"),
    KEY(sprt, CHOICE, 0, 0, "no", no_yes,
        "stop when it is clear whether the first is stronger by 5 Elo or not at all"),
    KEY(seed, WHOLE, 0, 4294967295.0, "1", NULL, "of the order of the openings"),
};
#undef KEY
static const SettingTable table = {keys, sizeof keys / sizeof *keys};

const SettingTable *start_match_keys(void) {
    return &table;
}

void start_match_init(StartMatch *match) {
    *match = (StartMatch){0};
    settings_init(&table, match);
}

void start_match_free(StartMatch *match) {
    settings_free(&table, match);
}

Status start_match_set(StartMatch *match, const char *name, const char *value) {
    const Setting *key = settings_find(&table, NULL, name);
    if (key == NULL)
        return error_set(ERR_ARG, "a match has no setting '%s'", name);
    return setting_parse(key, value, settings_field(key, match));
}

Status start_match_check(const StartMatch *match) {
    const bool has_first = match->first.length > 0;
    if (!has_first || match->second.length == 0)
        return error_set(ERR_ARG, "%s: choose weights", has_first ? "second" : "first");
    return OK;
}

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

// The file's name; where both have the same, a number tells them apart.
static void write_name(const char *const paths[2], int index, Str *out) {
    static const char ending[] = ".weights";
    const char *name = base_name(paths[index]);
    const size_t cut = str_ends_with(name, ending) ? sizeof ending - 1 : 0;
    str_setf(out, "name=%.*s", (int)(strlen(name) - cut), name);
    if (strcmp(name, base_name(paths[1 - index])) == 0)
        str_addf(out, "-%d", index + 1);
}

void start_match_write(const StartMatch *match, void (*add)(void *context, const char *word),
                       void *context) {
    static const char *const sprt[] = {"-sprt", "elo0=0", "elo1=5", "alpha=0.05", "beta=0.05"};
    static const char *const openings[] = {"-openings", "file=openings.epd", "order=random",
                                           "-repeat"};
    const char *const paths[] = {str_text(&match->first), str_text(&match->second)};
    CLEANUP(str_free) Str word = {0};
    for (int i = 0; i < 2; i++) {
        add(context, "-engine");
        str_setf(&word, "weights=%s", paths[i]);
        add(context, str_text(&word));
        write_name(paths, i, &word);
        add(context, str_text(&word));
    }
    add(context, "-each");
    str_setf(&word, "nodes=%" PRId64, match->nodes);
    add(context, str_text(&word));
    add(context, "-rounds");
    str_setf(&word, "%" PRId64, match->rounds);
    add(context, str_text(&word));
    for (size_t i = 0; i < sizeof openings / sizeof *openings; i++)
        add(context, openings[i]);
    add(context, "-srand");
    str_setf(&word, "%" PRId64, match->seed);
    add(context, str_text(&word));
    for (size_t i = 0; match->sprt && i < sizeof sprt / sizeof *sprt; i++)
        add(context, sprt[i]);
}
