// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine_tuning/tune_config.h"

#include "base/ini.h"
#include "base/mem.h"
#include "base/shell.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_SEATS = 32, DEFAULT_SHARE = 16, DEFAULT_CAP_S = 120, SEATS_MAX = 1024 };

typedef enum KeyType { KEY_WHOLE, KEY_INT, KEY_REAL, KEY_TEXT } KeyType;

#define FIELD(name) offsetof(TuneConfig, name)
static const struct {
    const char *name;
    KeyType type;
    size_t offset;
} keys[] = {
    {"openings", KEY_TEXT, FIELD(openings)},
    {"command", KEY_TEXT, FIELD(command)},
    {"seed", KEY_WHOLE, FIELD(seed)},
    {"games", KEY_WHOLE, FIELD(games)},
    {"minutes", KEY_WHOLE, FIELD(minutes)},
    {"verdict-games", KEY_WHOLE, FIELD(verdict_games)},
    {"seats", KEY_WHOLE, FIELD(seats)},
    {"share", KEY_WHOLE, FIELD(share)},
    {"equal-shares", KEY_WHOLE, FIELD(equal_shares)},
    {"stall", KEY_WHOLE, FIELD(cap_s)},
    {"resign-moves", KEY_INT, FIELD(rules.resign_moves)},
    {"resign-score", KEY_INT, FIELD(rules.resign_cp)},
    {"draw-from", KEY_INT, FIELD(rules.draw_from)},
    {"draw-moves", KEY_INT, FIELD(rules.draw_moves)},
    {"draw-score", KEY_INT, FIELD(rules.draw_cp)},
    {"max-moves", KEY_INT, FIELD(rules.max_moves)},
    {"elo0", KEY_REAL, FIELD(sprt.elo0)},
    {"elo1", KEY_REAL, FIELD(sprt.elo1)},
    {"alpha", KEY_REAL, FIELD(sprt.alpha)},
    {"beta", KEY_REAL, FIELD(sprt.beta)},
};
enum { KEY_COUNT = sizeof keys / sizeof keys[0] };

TuneConfig tune_config_init(void) {
    return (TuneConfig){
        .spec = engine_spec_init(),
        .seats = DEFAULT_SEATS,
        .share = DEFAULT_SHARE,
        .cap_s = DEFAULT_CAP_S,
        // As testers commonly have it: a game is given up at 6 pawns, three times in a row.
        .rules = {.resign_moves = 3,
                  .resign_cp = 600,
                  .draw_from = 34,
                  .draw_moves = 8,
                  .draw_cp = 20,
                  .max_moves = 200},
        .sprt = {.elo0 = 0, .elo1 = 5, .alpha = 0.05, .beta = 0.05, .model = SPRT_LOGISTIC},
    };
}

void tune_config_free(TuneConfig *config) {
    free(config->engine);
    free(config->openings);
    free(config->command);
    engine_spec_deinit(&config->spec);
    tune_options_free(&config->options);
}

Status tune_config_set_engine(TuneConfig *config, const char *text) {
    Str words = {0};
    if (strchr(text, '=') == NULL)
        str_add(&words, "cmd=");
    // The file of settings has one line for them.
    shell_quote_words(&words, text);
    free(config->engine);
    config->engine = words.text;
    engine_spec_deinit(&config->spec);
    Status status = engine_spec_parse(&config->spec, config->engine);
    if (status == OK)
        status = engine_spec_finish(&config->spec);
    if (status == OK && config->spec.command == NULL)
        status = error_set(ERR_ARG, "weights=%s: only an engine has options to tune: give cmd=",
                           config->spec.weights);
    if (status == OK && limits_are_empty(&config->spec.limits))
        status =
            error_set(ERR_ARG, "%s: no limit: give tc=, st=, nodes= or depth=", config->spec.name);
    return status;
}

Status tune_config_check(const TuneConfig *config) {
    if (config->engine == NULL)
        return error_set(ERR_ARG, "no engine to tune");
    if (config->options.count == 0)
        return error_set(ERR_ARG, "nothing to tune");
    if (config->games == 0 && config->minutes == 0)
        return error_set(ERR_ARG, "neither games nor minutes are limited");
    if (config->games < 0 || config->minutes < 0 || config->verdict_games < 0 || config->cap_s < 1)
        return error_set(ERR_ARG, "a limit below 0");
    if (config->seats < 2 || config->seats > SEATS_MAX || config->share < 1 ||
        config->share > UINT32_MAX)
        return error_set(ERR_ARG, "seats must be 2 to %d, and the share 1 or more", SEATS_MAX);
    if (!(config->sprt.elo0 < config->sprt.elo1))
        return error_set(ERR_ARG, "elo0 must be below elo1");
    if (!(config->sprt.alpha > 0 && config->sprt.alpha < 0.5 && config->sprt.beta > 0 &&
          config->sprt.beta < 0.5))
        return error_set(ERR_ARG, "alpha and beta must be above 0 and below 0.5");
    return OK;
}

void tune_config_write(const TuneConfig *config, Str *out) {
    str_addf(out, "[engine]\nwords = %s\n\n[tune]\n", config->engine);
    for (size_t i = 0; i < config->options.count; i++) {
        const TuneOption *option = &config->options.items[i];
        Str text = {0};
        tune_option_write(option, &text);
        str_addf(out, "%s = %s\n", option->name, str_text(&text) + strlen(option->name) + 1);
        str_free(&text);
    }
    str_add(out, "\n[run]\n");
    for (size_t i = 0; i < KEY_COUNT; i++) {
        const char *field = (const char *)config + keys[i].offset;
        const char *text = keys[i].type == KEY_TEXT ? *(char *const *)(const void *)field : NULL;
        if (keys[i].type == KEY_WHOLE)
            str_addf(out, "%s = %lld\n", keys[i].name,
                     (long long)*(const int64_t *)(const void *)field);
        else if (keys[i].type == KEY_INT)
            str_addf(out, "%s = %d\n", keys[i].name, *(const int *)(const void *)field);
        else if (keys[i].type == KEY_REAL)
            str_addf(out, "%s = %.17g\n", keys[i].name, *(const double *)(const void *)field);
        else if (text != NULL)
            str_addf(out, "%s = %s\n", keys[i].name, text);
    }
}

static Status set_key(void *field, KeyType type, const char *value) {
    int64_t number;
    char *end;
    if (type == KEY_TEXT) {
        char **text = field;
        free(*text);
        *text = mem_copy_string(value);
        return OK;
    }
    if (type == KEY_REAL) {
        *(double *)field = strtod(value, &end);
        return *value != '\0' && *end == '\0' ? OK : error_set(ERR_PARSE, "'%s': no number", value);
    }
    if (!view_to_int(view_from_string(value), &number) ||
        (type == KEY_INT && (number < 0 || number > 1000000)))
        return error_set(ERR_PARSE, "'%s': no whole number that fits", value);
    if (type == KEY_INT)
        *(int *)field = (int)number;
    else
        *(int64_t *)field = number;
    return OK;
}

static Status take_setting(void *context, const char *section, const char *key, const char *value) {
    TuneConfig *config = context;
    if (strcmp(section, "engine") == 0 && strcmp(key, "words") == 0)
        return tune_config_set_engine(config, value);
    if (strcmp(section, "tune") == 0) {
        Str text = {0};
        str_addf(&text, "%s:%s", key, value);
        Status status = tune_options_add(&config->options, str_text(&text));
        str_free(&text);
        return status;
    }
    for (size_t i = 0; i < KEY_COUNT && strcmp(section, "run") == 0; i++)
        if (strcmp(keys[i].name, key) == 0)
            return set_key((char *)config + keys[i].offset, keys[i].type, value);
    return error_set(ERR_PARSE, "[%s] %s is not known here", section, key);
}

Status tune_config_read(TuneConfig *config, const char *path) {
    Status status = ini_read_file(path, take_setting, config);
    if (status == OK) {
        status = tune_config_check(config);
        if (status != OK)
            error_prefix("%s", path);
    }
    return status;
}
