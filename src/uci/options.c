// SPDX-License-Identifier: GPL-3.0-or-later
// UCI options: one table for listing and setting. The features and numbers of the search and the
// parameters of the evaluation family are options too, from their own tables.
#include "base/settings.h"
#include "search/search_family.h"
#include "uci/engine.h"
#include "uci/uci.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

enum { HASH_MAX_MB = 1 << 20, THREADS_MAX = 512, OVERHEAD_MAX_MS = 10000 };

typedef enum OptionType {
    OPTION_SPIN,
    OPTION_CHECK,
    OPTION_BUTTON,
    OPTION_STRING,
    OPTION_COMBO
} OptionType;

typedef struct Option {
    const char *name;
    OptionType type;
    const char *start; // the default, as text; NULL: a spin's highest, or whether there is a book
    int64_t low, high; // of a spin
    size_t offset;     // without `set`: of the engine's field, an int64_t or a bool
    void (*set)(Engine *engine, int64_t number, const char *text);
    const char *help;
} Option;

static void set_hash(Engine *engine, int64_t number, const char *text) {
    (void)text;
    if (engine_set_hash(engine, number) != OK)
        engine_say(engine, "info string %s; keeping %lld MB", error_message(),
                   (long long)engine->hash_mb);
}

static void set_threads(Engine *engine, int64_t number, const char *text) {
    (void)text;
    engine->threads = number;
    engine->settings_changed = true;
}

// Pondering is the user's business: the engine is told by "go ponder".
static void set_ponder(Engine *engine, int64_t number, const char *text) {
    (void)engine, (void)number, (void)text;
}

static void set_book_file(Engine *engine, int64_t number, const char *text) {
    (void)number;
    Book *book = NULL;
    if (text[0] != '\0' && book_open(&book, text) != OK) {
        engine_say(engine, "info string %s", error_message());
        return;
    }
    book_close(engine->book);
    engine->book = book;
    engine->book_was_set = book != NULL;
    engine_find_book(engine);
}

static void set_own_book(Engine *engine, int64_t number, const char *text) {
    (void)text;
    engine->own_book = number != 0;
    engine->own_book_was_set = true;
}

static void set_eval_file(Engine *engine, int64_t number, const char *text) {
    (void)number;
    Weights weights;
    if (text[0] == '\0') {
        weights_copy(&weights, &engine->start_weights);
    } else if (weights_load(&weights, text) != OK) {
        engine_say(engine, "info string %s; keeping the weights as they are", error_message());
        return;
    }
    if (weights.family != engine->weights.family)
        engine_say(engine, "info string the weights are now of the family %s",
                   weights.family->name);
    weights_free(&engine->weights);
    engine->weights = weights;
    engine_set_weights_path(engine, text[0] == '\0' ? str_text(&engine->start_path) : text);
    engine->settings_changed = true;
}

static void set_clear_hash(Engine *engine, int64_t number, const char *text) {
    (void)number, (void)text;
    tt_clear(engine->tt);
}

// An empty name undoes a file, and not a profile that programs send before it.
static void set_search_file(Engine *engine, int64_t number, const char *text) {
    (void)number;
    if (text[0] == '\0' && engine->has_search_file)
        engine->features = engine->start_features;
    else if (text[0] != '\0' && search_family_load(&engine->features, text) != OK) {
        engine_say(engine, "info string %s; keeping the search as it is", error_message());
        return;
    }
    engine->has_search_file = text[0] != '\0';
    engine->settings_changed = true;
}

static void set_profile(Engine *engine, int64_t number, const char *text) {
    (void)number;
    for (Profile profile = 0; profile < PROFILE_NB; profile++)
        if (strcasecmp(text, profile_name(profile)) == 0) {
            engine->profile = profile;
            engine->features = features_of(profile);
            engine->settings_changed = true;
            return;
        }
    engine_say(engine, "info string no profile '%.40s': papers, plain or modern", text);
}

#define FIELD(name) offsetof(Engine, name)
static const Option options[] = {
    {"Hash", OPTION_SPIN, "16", 1, HASH_MAX_MB, 0, set_hash,
     "megabytes of the transposition table; more than the machine has is refused, and the old "
     "table stays"},
    {"Threads", OPTION_SPIN, "1", 1, THREADS_MAX, 0, set_threads,
     "threads that search together; one thread gives the same moves every time at fixed depth or "
     "nodes"},
    {"MultiPV", OPTION_SPIN, "1", 1, MOVES_MAX, FIELD(multi_pv), NULL,
     "how many best lines are shown"},
    {"Ponder", OPTION_CHECK, "false", 0, 0, 0, set_ponder,
     "says that the program may send go ponder; changes nothing else"},
    {"Move Overhead", OPTION_SPIN, "10", 0, OVERHEAD_MAX_MS, FIELD(overhead_ms), NULL,
     "milliseconds that are lost between the engine's move and the clock"},
    {"OwnBook", OPTION_CHECK, NULL, 0, 0, 0, set_own_book,
     "play from BookFile where it knows the position; true from the start where a book was found "
     "beside the weights"},
    {"BookFile", OPTION_STRING, "<empty>", 0, 0, 0, set_book_file,
     "a Polyglot book (.bin); falconer book builds one from games. Empty: the one beside the "
     "weights, where there is one"},
    {"EvalFile", OPTION_STRING, "<empty>", 0, 0, 0, set_eval_file,
     "a weights file, or a bundled one by its name; empty: as it was started. One of another "
     "family "
     "brings its own weights as options, in place of those that uci listed"},
    {"Clear Hash", OPTION_BUTTON, "", 0, 0, 0, set_clear_hash, "forgets the transposition table"},
    {"UCI_AnalyseMode", OPTION_CHECK, "false", 0, 0, FIELD(analyse_mode), NULL,
     "never play from the book"},
    {"UCI_Chess960", OPTION_CHECK, "false", 0, 0, FIELD(chess960), NULL,
     "write castling as king takes rook (e1h1), as programs for Chess960 want it; positions and "
     "moves of Chess960 are understood either way"},
    {"UCI_LimitStrength", OPTION_CHECK, "false", 0, 0, FIELD(limit_strength), NULL,
     "play as strong as UCI_Elo says"},
    {"UCI_Elo", OPTION_SPIN, NULL, LEVEL_ELO_LEAST, LEVEL_ELO_MOST, FIELD(elo), NULL,
     "how strong, on the scale of Stockfish's UCI_Elo, where UCI_LimitStrength is true"},
    {"Skill Level", OPTION_SPIN, NULL, 0, LEVEL_SKILL_MAX, FIELD(skill), NULL,
     "the same in steps, from the lowest UCI_Elo to full strength; UCI_LimitStrength goes before "
     "it"},
    {"Profile", OPTION_COMBO, "modern", 0, 0, 0, set_profile,
     "which parts of the search are on, and the numbers in them: papers, plain or modern"},
    {"SearchFile", OPTION_STRING, "<empty>", 0, 0, 0, set_search_file,
     "the same from a file, such as falconer evolve icga2010 writes; empty: as it was started"},
};
enum { OPTION_COUNT = sizeof options / sizeof options[0] };

static void add_start(const Option *option, bool has_book, Str *out) {
    if (option->start != NULL)
        str_add(out, option->start);
    else if (option->type == OPTION_CHECK)
        str_add(out, has_book ? "true" : "false");
    else
        str_addf(out, "%lld", (long long)option->high);
}

static void print_option(Engine *engine, const Option *option) {
    CLEANUP(str_free) Str start = {0};
    add_start(option, engine->own_book, &start);
    switch (option->type) {
    case OPTION_SPIN:
        engine_say(engine, "option name %s type spin default %s min %lld max %lld", option->name,
                   str_text(&start), (long long)option->low, (long long)option->high);
        break;
    case OPTION_CHECK:
        engine_say(engine, "option name %s type check default %s", option->name, str_text(&start));
        break;
    case OPTION_BUTTON:
        engine_say(engine, "option name %s type button", option->name);
        break;
    case OPTION_STRING:
        engine_say(engine, "option name %s type string default %s", option->name, option->start);
        break;
    case OPTION_COMBO:
        engine_say(engine, "option name %s type combo default %s var papers var plain var modern",
                   option->name, option->start);
        break;
    }
}

// Hundreds of them: some programs give up on so many lines, and nobody sets them by hand.
static void print_tunable(Engine *engine) {
    const Family *family = engine->weights.family;
    for (size_t i = 0; i < SEARCH_NUMBER_NB; i++) {
        const SearchNumber *number = search_number(i);
        engine_say(engine, "option name %s type spin default %d min %d max %d", number->name,
                   *search_number_in(&engine->features, number), number->low, number->high);
    }
    for (size_t i = 0; i < family->term_count; i++)
        engine_say(engine, "option name %s type spin default %d min %d max %d",
                   family->terms[i].name, engine->weights.parameters[i], family->terms[i].low,
                   family->terms[i].high);
}

void uci_options_print(Engine *engine) {
    for (size_t i = 0; i < OPTION_COUNT; i++)
        print_option(engine, &options[i]);
    for (Feature feature = 0; feature < FEATURE_NB; feature++)
        engine_say(engine, "option name %s type check default %s", feature_name(feature),
                   engine->features.on[feature] ? "true" : "false");
    if (engine->tunable)
        print_tunable(engine);
}

static void describe_option(const Option *option, UciOptionTaker *take, void *context) {
    CLEANUP(str_free) Str values = {0};
    if (option->type == OPTION_SPIN)
        str_addf(&values, "%lld to %lld, ", (long long)option->low, (long long)option->high);
    if (option->type != OPTION_BUTTON) {
        str_add(&values, "default ");
        add_start(option, false, &values);
    }
    take(context, UCI_GENERAL, option->name, str_text(&values), option->help);
}

void uci_describe_options(const Weights *weights, UciOptionTaker *take, void *context) {
    CLEANUP(str_free) Str values = {0};
    const Family *family = weights->family;
    const Features features = features_of(PROFILE_MODERN);
    for (size_t i = 0; i < OPTION_COUNT; i++)
        describe_option(&options[i], take, context);
    for (Feature feature = 0; feature < FEATURE_NB; feature++)
        take(context, UCI_SEARCH, feature_name(feature),
             features.on[feature] ? "default true" : "default false", feature_doc(feature));
    for (size_t i = 0; i < SEARCH_NUMBER_NB; i++) {
        const SearchNumber *number = search_number(i);
        str_setf(&values, "%d to %d, default %d", number->low, number->high,
                 number->of[PROFILE_MODERN]);
        take(context, UCI_NUMBERS, number->name, str_text(&values), number->doc);
    }
    for (size_t i = 0; i < family->term_count; i++) {
        str_setf(&values, "%d to %d, default %d", family->terms[i].low, family->terms[i].high,
                 weights->parameters[i]);
        take(context, UCI_WEIGHTS, family->terms[i].name, str_text(&values),
             family->terms[i].meaning);
    }
}

// Reads what a spin or a check was set to, and says what is wrong with it.
static bool read_value(Engine *engine, const char *name, OptionType type, const char *text,
                       int64_t low, int64_t high, int64_t *out) {
    const Setting spin = {
        .name = name, .type = SETTING_WHOLE, .low = (double)low, .high = (double)high};
    bool is_true = strcasecmp(text, "true") == 0, is_false = strcasecmp(text, "false") == 0;
    if (type == OPTION_CHECK) {
        *out = is_true;
        if (!is_true && !is_false)
            engine_say(engine, "info string option %s must be true or false, not '%.40s'", name,
                       text);
        return is_true || is_false;
    }
    if (type != OPTION_SPIN)
        return true;
    Status status = setting_parse(&spin, text, out);
    if (status == OK && low == high && *out != low) // equal bounds are no bounds of a setting
        status = error_set(ERR_ARG, "%s must be %lld, not '%s'", name, (long long)low, text);
    if (status != OK) {
        engine_say(engine, "info string option %s", error_message());
        return false;
    }
    return true;
}

static void set_option(Engine *engine, const Option *option, int64_t number, const char *text) {
    void *field = (char *)engine + option->offset;
    if (option->set != NULL)
        option->set(engine, number, text);
    else if (option->type == OPTION_CHECK)
        *(bool *)field = number != 0;
    else
        *(int64_t *)field = number;
}

static bool set_from_table(Engine *engine, const char *name, const char *value) {
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        const Option *option = &options[i];
        if (strcasecmp(option->name, name) != 0)
            continue;
        int64_t number = 0;
        const char *text = strcmp(value, "<empty>") == 0 ? "" : value;
        if (read_value(engine, option->name, option->type, text, option->low, option->high,
                       &number))
            set_option(engine, option, number, text);
        return true;
    }
    return false;
}

static bool set_feature(Engine *engine, const char *name, const char *value) {
    for (Feature feature = 0; feature < FEATURE_NB; feature++) {
        if (strcasecmp(feature_name(feature), name) != 0)
            continue;
        int64_t on;
        if (read_value(engine, feature_name(feature), OPTION_CHECK, value, 0, 1, &on)) {
            engine->features.on[feature] = on != 0;
            engine->settings_changed = true;
        }
        return true;
    }
    return false;
}

static bool set_number(Engine *engine, const char *name, const char *value) {
    const SearchNumber *number = search_number_find(name);
    if (number == NULL)
        return false;
    int64_t read;
    if (read_value(engine, number->name, OPTION_SPIN, value, number->low, number->high, &read)) {
        *search_number_in(&engine->features, number) = (int)read;
        engine->settings_changed = true;
    }
    return true;
}

static bool set_parameter(Engine *engine, const char *name, const char *value) {
    int index = family_find_term(engine->weights.family, name);
    if (index < 0)
        return false;
    const Term *term = &engine->weights.family->terms[index];
    int64_t number;
    if (read_value(engine, term->name, OPTION_SPIN, value, term->low, term->high, &number)) {
        engine->weights.parameters[index] = (int)number;
        engine->settings_changed = true;
    }
    return true;
}

void uci_options_set(Engine *engine, const char *name, const char *value) {
    if (!set_from_table(engine, name, value) && !set_feature(engine, name, value) &&
        !set_number(engine, name, value) && !set_parameter(engine, name, value))
        engine_say(engine, "info string no option '%.40s'", name);
}
