// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine_tuning/tune_config.h"

#include "base/ini.h"
#include "base/settings.h"
#include "base/shell.h"
#include "engine_tuning/tune_suite.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { MOVES_MOST = 200 }; // a longer game is a draw

#define KEY(name, type, field, low, high, start)                                                   \
    { "run", name, SETTING_##type, offsetof(TuneConfig, field), low, high, start, NULL, "" }
const char *const tune_method_names[] = {"race", "spsa", NULL};

static const Setting keys[] = {
    {"run", "method", SETTING_CHOICE, offsetof(TuneConfig, method), 0, 0, "race", tune_method_names,
     ""},
    KEY("openings", TEXT, openings, 0, 0, ""),
    KEY("command", TEXT, command, 0, 0, ""),
    KEY("confirm", TEXT, confirm, 0, 0, ""),
    KEY("suite", TEXT, suite, 0, 0, ""),
    KEY("suite-limit", TEXT, suite_limit, 0, 0, ""),
    KEY("trials", WHOLE, trials, 1, 1e9, "200"),
    KEY("seed", WHOLE, seed, 0, 0, "0"),
    KEY("games", WHOLE, games, 0, 9e18, "0"),
    KEY("minutes", WHOLE, minutes, 0, 9e18, "0"),
    KEY("verdict-games", WHOLE, verdict_games, 0, 9e18, "0"),
    KEY("seats", WHOLE, seats, 2, 1024, "32"),
    KEY("share", WHOLE, share, 1, UINT32_MAX, "16"),
    KEY("equal-shares", WHOLE, equal_shares, 0, 0, "0"),
    KEY("stall", WHOLE, cap_s, 1, 9e18, "120"),
    // The usual rules, unless a file says otherwise.
    KEY("resign-moves", INT, rules.resign_moves, 0, 1000000, "0"),
    KEY("resign-score", INT, rules.resign_cp, 0, 1000000, "0"),
    KEY("draw-from", INT, rules.draw_from, 0, 1000000, "0"),
    KEY("draw-moves", INT, rules.draw_moves, 0, 1000000, "0"),
    KEY("draw-score", INT, rules.draw_cp, 0, 1000000, "0"),
    KEY("max-moves", INT, rules.max_moves, 0, 1000000, "0"),
    KEY("elo0", REAL, sprt.elo0, 0, 0, "0"),
    KEY("elo1", REAL, sprt.elo1, 0, 0, "5"),
    KEY("alpha", REAL, sprt.alpha, 0, 0.5, "0.05"),
    KEY("beta", REAL, sprt.beta, 0, 0.5, "0.05"),
};
static const SettingTable table = {keys, sizeof keys / sizeof *keys};

TuneConfig tune_config_init(void) {
    TuneConfig config = {.spec = engine_spec_init(), .sprt = {.model = SPRT_LOGISTIC}};
    settings_init(&table, &config);
    config.rules = adjudication_usual(MOVES_MOST);
    return config;
}

void tune_config_free(TuneConfig *config) {
    free(config->engine);
    settings_free(&table, config);
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

// Limits alone: it must be the same engine.
static Status check_limits(const char *words) {
    static const char *const limits[] = {"tc=", "st=", "nodes=", "depth=", "timemargin="};
    StrView rest = view_from_string(words);
    for (StrView word = view_next_word(&rest); word.length > 0; word = view_next_word(&rest)) {
        bool is_limit = false;
        for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
            is_limit = is_limit || strncmp(word.text, limits[i], strlen(limits[i])) == 0;
        if (!is_limit)
            return error_set(ERR_ARG,
                             "confirm: '%.*s' is no limit: give tc=, st=, nodes= or depth=",
                             (int)word.length, word.text);
    }
    return OK;
}

Status tune_config_confirm_spec(const TuneConfig *config, EngineSpec *out) {
    const char *limits = str_text(&config->confirm);
    *out = engine_spec_init();
    TRY(check_limits(limits));
    TRY(engine_spec_parse(out, config->engine));
    out->limits = (Limits){0};
    TRY_PREFIX(engine_spec_parse(out, limits), "confirm");
    TRY(engine_spec_finish(out));
    return limits_are_empty(&out->limits)
               ? error_set(ERR_ARG,
                           "confirm: '%s' is no limit: give tc=, st=, nodes= or depth=", limits)
               : OK;
}

static Status check_suite(const TuneConfig *config) {
    EngineSpec spec;
    if (!tune_config_has_suite(config))
        return config->suite_limit.length == 0
                   ? OK
                   : error_set(ERR_ARG, "suite-limit goes with a suite");
    if (config->method != TUNE_BY_RACE || config->equal_shares != 0)
        return error_set(ERR_ARG, "a suite takes the place of the race and of SPSA: choose one");
    const Status status = tune_suite_spec(config, &spec);
    engine_spec_deinit(&spec);
    return status;
}

static Status check_confirm(const TuneConfig *config) {
    EngineSpec spec;
    if (config->confirm.length == 0)
        return OK;
    const Status status = tune_config_confirm_spec(config, &spec);
    engine_spec_deinit(&spec);
    return status;
}

// Values that did not come as text are checked too.
static Status check_numbers(const TuneConfig *config) {
    for (size_t i = 0; i < table.count; i++) {
        CLEANUP(str_free) Str text = {0};
        TuneConfig copy = *config;
        void *field = settings_field(&keys[i], &copy);
        if (keys[i].type == SETTING_TEXT)
            continue;
        setting_write(&keys[i], field, &text);
        TRY(setting_parse(&keys[i], str_text(&text), field));
    }
    return OK;
}

Status tune_config_check(const TuneConfig *config) {
    if (config->engine == NULL)
        return error_set(ERR_ARG, "no engine to tune");
    if (config->options.count == 0)
        return error_set(ERR_ARG, "nothing to tune");
    TRY(check_suite(config));
    if (!tune_config_has_suite(config) && config->games == 0 && config->minutes == 0)
        return error_set(ERR_ARG, "neither games nor minutes are limited");
    if (config->method == TUNE_BY_SPSA && config->equal_shares != 0)
        return error_set(ERR_ARG, "equal-shares is for the race: SPSA has none");
    if (config->method == TUNE_BY_SPSA && config->games == 0)
        return error_set(ERR_ARG, "spsa needs a number of games: its steps shrink with them");
    TRY(check_numbers(config));
    TRY(check_confirm(config));
    if (!(config->sprt.elo0 < config->sprt.elo1))
        return error_set(ERR_ARG, "elo0 must be below elo1");
    if (!(config->sprt.alpha > 0 && config->sprt.alpha < 0.5 && config->sprt.beta > 0 &&
          config->sprt.beta < 0.5))
        return error_set(ERR_ARG, "alpha and beta must be above 0 and below 0.5");
    return OK;
}

static void write_spsa(const TuneConfig *config, Str *out) {
    bool is_first = true;
    for (size_t i = 0; i < config->options.count; i++) {
        const TuneOption *option = &config->options.items[i];
        if (option->c_end == 0)
            continue;
        str_addf(out, "%s%s = %.15g %.15g\n", is_first ? "\n[spsa]\n" : "", option->name,
                 option->c_end, option->r_end);
        is_first = false;
    }
}

void tune_config_write(const TuneConfig *config, Str *out) {
    str_addf(out, "[engine]\nwords = %s\n\n[tune]\n", config->engine);
    for (size_t i = 0; i < config->options.count; i++) {
        const TuneOption *option = &config->options.items[i];
        CLEANUP(str_free) Str text = {0};
        tune_option_write(option, &text);
        str_addf(out, "%s = %s\n", option->name, str_text(&text) + strlen(option->name) + 1);
    }
    write_spsa(config, out);
    str_add(out, "\n[run]\n");
    for (size_t i = 0; i < table.count; i++) {
        CLEANUP(str_free) Str value = {0};
        setting_write(&keys[i], (const char *)config + keys[i].offset, &value);
        if (value.length > 0)
            str_addf(out, "%s = %s\n", keys[i].name, str_text(&value));
    }
}

static Status take_setting(void *context, const char *section, const char *key, const char *value) {
    TuneConfig *config = context;
    const Setting *row = settings_find(&table, section, key);
    if (strcmp(section, "engine") == 0 && strcmp(key, "words") == 0)
        return tune_config_set_engine(config, value);
    if (strcmp(section, "tune") == 0) {
        CLEANUP(str_free) Str text = {0};
        str_addf(&text, "%s:%s", key, value);
        return tune_options_add(&config->options, str_text(&text));
    }
    if (strcmp(section, "spsa") == 0)
        return tune_options_set_spsa(&config->options, key, value);
    return row != NULL
               ? setting_parse(row, value, settings_field(row, config))
               : error_set(ERR_PARSE, "there is no setting '%s' in section [%s]", key, section);
}

Status tune_config_read(TuneConfig *config, const char *path) {
    TRY(ini_read_file(path, take_setting, config));
    TRY_PREFIX(tune_config_check(config), "%s", path);
    return OK;
}
