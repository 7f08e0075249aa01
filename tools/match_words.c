// SPDX-License-Identifier: GPL-3.0-or-later
// The arguments of falconer match when all flags are read: engines, and a text to keep.
#include "base/file.h"
#include "base/hash.h"
#include "base/locate.h"
#include "base/mem.h"
#include "engines/command.h"
#include "match/play/player_create.h"
#include "tools/match_args.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 1 << 16 };

const char match_args_free_from[] = "# What follows may change from call to call.";

static const char quick_clock[] = "tc=10+0.1"; // fastchess's, for -quick

// --- engines ---

static Status set_words(EngineSpec *spec, const EngineWords *words) {
    for (int i = 0; i < words->count; i++)
        TRY(engine_spec_set(spec, words->words[i]));
    return OK;
}

static Status make_engine(MatchArgs *args, size_t index) {
    EngineSpec *spec = &args->engines[index];
    if (args->is_quick)
        TRY(engine_spec_set(spec, quick_clock));
    TRY(set_words(spec, &args->each));
    TRY(set_words(spec, &args->described[index]));
    TRY(engine_spec_finish(spec));
    // Engines of the other kinds need not be told: an XBoard engine hears it with the position.
    if (args->is_chess960 && spec->weights == NULL && spec->protocol == PROTOCOL_UCI)
        TRY(engine_spec_set(spec, "option.UCI_Chess960=true"));
    if (limits_are_empty(&spec->limits))
        return error_set(ERR_ARG, "%s: no limit: give tc=, st=, nodes= or depth= (or -each tc=)",
                         spec->name);
    return OK;
}

static bool is_taken(const MatchArgs *args, size_t before, const char *name) {
    for (size_t i = 0; i < before; i++)
        if (strcmp(args->engines[i].name, name) == 0)
            return true;
    return false;
}

// Results go by name: a second engine of the same name becomes "x (2)".
static void make_name_unique(MatchArgs *args, size_t index) {
    Str name = {0};
    EngineSpec *spec = &args->engines[index];
    str_add(&name, spec->name);
    for (int number = 2; is_taken(args, index, str_text(&name)); number++) {
        str_setf(&name, "%s (%d)", spec->name, number);
    }
    free(spec->name);
    spec->name = name.text;
    args->names[index] = spec->name;
}

static Status check_colors(const MatchArgs *args) {
    const bool has_pairs =
        !args->keeps_colors && (args->policy == POLICY_DEFAULT || args->games > 1);
    if (args->keeps_colors && (args->kind == SCHEDULE_SWISS || args->kind == SCHEDULE_KNOCKOUT))
        return error_set(ERR_ARG, "-noswap: in a Swiss tournament or a knock-out both have White");
    if (args->has_sprt && !has_pairs)
        return error_set(ERR_ARG, "-sprt needs pairs of games with colours reversed: leave out %s",
                         args->keeps_colors ? "-noswap" : "policy=, or give -games 2");
    return OK;
}

static Status check_together(const MatchArgs *args) {
    if (args->engine_count < 2)
        return error_set(ERR_ARG, "two -engine are needed, or --resume with a tournament's folder");
    if (args->has_sprt && args->engine_count != 2)
        return error_set(ERR_ARG, "-sprt is for two engines");
    if (args->has_sprt && args->kind == SCHEDULE_KNOCKOUT)
        return error_set(ERR_ARG, "-sprt and a knock-out cannot both decide");
    if (args->kind == SCHEDULE_KNOCKOUT && args->rounds * args->games > SCHEDULE_GAMES_MAX)
        return error_set(ERR_ARG,
                         "a knock-out match has -rounds times -games games: %d at the most",
                         SCHEDULE_GAMES_MAX);
    if (args->folder != NULL &&
        (args->pgn.path != NULL || args->epd.path != NULL || args->jsonl != NULL))
        return error_set(ERR_ARG, "with --resume the games are in its folder: leave out %s",
                         args->pgn.path != NULL   ? "-pgnout"
                         : args->epd.path != NULL ? "-epdout"
                                                  : "--jsonl");
    return check_colors(args);
}

Status match_args_finish(MatchArgs *args) {
    TRY(check_together(args));
    args->engines = mem_alloc_zero(args->engine_count, sizeof *args->engines);
    args->names = mem_alloc_zero(args->engine_count, sizeof *args->names);
    for (size_t i = 0; i < args->engine_count; i++)
        args->engines[i] = engine_spec_init();
    for (size_t i = 0; i < args->engine_count; i++) {
        TRY(make_engine(args, i));
        make_name_unique(args, i);
    }
    if (args->is_chess960 && !args->has_openings) {
        args->has_openings = args->openings.is_random = true;
        args->openings.format = OPENINGS_960;
    }
    args->openings.seed = args->seed;
    return OK;
}

// --- the text ---

static Status add_word(Str *out, const char *word) {
    if (strchr(word, '\n') != NULL)
        return error_set(ERR_ARG, "'%s': a line end cannot be kept in a tournament's folder", word);
    str_addf(out, "%s\n", word);
    return OK;
}

// Of the file at `path`, under the name that the user gave it: it may be found elsewhere another
// time.
static Status add_hash(Str *out, const char *path, const char *name) {
    CLEANUP(file_close_at) FILE *file = fopen(path, "rb");
    if (file == NULL)
        return error_set(ERR_IO, "%s: %s", path, strerror(errno));
    CLEANUP(mem_free_at) char *block = mem_alloc(BLOCK);
    uint64_t hash = HASH_START;
    size_t got;
    while ((got = fread(block, 1, BLOCK, file)) > 0)
        hash = hash_bytes(hash, block, got);
    if (ferror(file))
        return error_set(ERR_IO, "%s: cannot be read", path);
    str_addf(out, "# %016" PRIx64 " is the hash of ", hash);
    return add_word(out, name);
}

// The same for a file that may be a bundled one of this folder.
static Status add_bundled_hash(Str *out, const char *folder, const char *name) {
    CLEANUP(str_free) Str path = {0};
    TRY(locate(folder, name, &path));
    return add_hash(out, str_text(&path), name);
}

static Status add_program_hash(Str *out, const EngineSpec *spec) {
    if (spec->weights != NULL && strcmp(spec->weights, PLAYER_RANDOM) == 0)
        return OK;
    if (spec->weights != NULL)
        return add_bundled_hash(out, "weights", spec->weights);
    CLEANUP(command_free_at) char **words = command_words(spec);
    CLEANUP(str_free) Str path = {0};
    // A program that cannot be found is reported when it is started.
    return command_find(spec, words[0], &path) ? add_hash(out, str_text(&path), words[0]) : OK;
}

static Status add_engine(const MatchArgs *args, size_t index, Str *out) {
    const EngineWords *lists[] = {&args->each, &args->described[index]};
    str_add(out, "-engine\n");
    if (args->is_quick)
        TRY(add_word(out, quick_clock));
    for (int l = 0; l < 2; l++)
        for (int i = 0; i < lists[l]->count; i++)
            if (strncmp(lists[l]->words[i], "name=", 5) != 0)
                TRY(add_word(out, lists[l]->words[i]));
    str_add(out, "name=");
    TRY(add_word(out, args->engines[index].name));
    return add_program_hash(out, &args->engines[index]);
}

static Status add_openings(const MatchArgs *args, Str *out) {
    const OpeningsConfig *openings = &args->openings;
    if (!args->has_openings)
        return OK;
    str_add(out, "-openings\n");
    if (openings->path != NULL) {
        str_add(out, "file=");
        TRY(add_word(out, openings->path));
    }
    str_addf(out, "format=%s\norder=%s\nstart=%" PRIu64 "\nplies=%d\n",
             openings_format_names[openings->format], openings->is_random ? "random" : "sequential",
             openings->first + 1, openings->plies);
    if (args->policy != POLICY_DEFAULT)
        str_addf(out, "policy=%s\n", opening_policy_names[args->policy]);
    return openings->path == NULL ? OK : add_bundled_hash(out, "data", openings->path);
}

static void add_rules(const MatchArgs *args, Str *out) {
    const AdjudicationRules *rules = &args->rules;
    if (rules->resign_moves > 0)
        str_addf(out, "-resign\nmovecount=%d\nscore=%d\ntwosided=%s\n", rules->resign_moves,
                 rules->resign_cp, rules->resign_needs_both ? "true" : "false");
    if (rules->draw_moves > 0)
        str_addf(out, "-draw\nmovenumber=%d\nmovecount=%d\nscore=%d\n", rules->draw_from,
                 rules->draw_moves, rules->draw_cp);
    if (rules->max_moves > 0)
        str_addf(out, "-maxmoves\n%d\n", rules->max_moves);
    if (args->has_sprt)
        str_addf(out, "-sprt\nelo0=%.17g\nelo1=%.17g\nalpha=%.17g\nbeta=%.17g\nmodel=%s\n",
                 args->sprt.elo0, args->sprt.elo1, args->sprt.alpha, args->sprt.beta,
                 sprt_model_names[args->sprt.model]);
}

// Lines that are all the user's own, which match_args_words must not pass over.
static Status add_own(const char *flag, const char *text, Str *out) {
    if (text[0] == '\0' || text[0] == '#')
        return error_set(ERR_ARG,
                         "%s '%s': in a tournament's folder it cannot be empty or begin with #",
                         flag, text);
    str_addf(out, "%s\n", flag);
    return add_word(out, text);
}

// What is shown, and how fast games follow each other.
static void add_free(const MatchArgs *args, Str *out) {
    str_addf(out, "%s\n-concurrency\n%lld\n-ratinginterval\n%lld\n", match_args_free_from,
             (long long)args->concurrency, (long long)args->interval);
    if (args->score_interval > 0)
        str_addf(out, "-scoreinterval\n%lld\n", (long long)args->score_interval);
    if (args->wait_ms > 0)
        str_addf(out, "-wait\n%lld\n", (long long)args->wait_ms);
    str_add(out, args->shows_block ? "-output\nformat=fastchess\n" : "");
    str_add(out, args->hides_pairs ? "-report\npenta=false\n" : "");
}

static void add_rounds(const MatchArgs *args, Str *out) {
    str_addf(out, "-rounds\n%lld\n", (long long)args->rounds);
}

Status match_args_write(const MatchArgs *args, Str *out) {
    str_add(out, "# What this tournament is played with: words of a command line, one a line.\n");
    for (size_t i = 0; i < args->engine_count; i++)
        TRY(add_engine(args, i, out));
    str_addf(out, "-tournament\n%s\n-games\n%lld\n-srand\n%" PRIu64 "\n",
             schedule_names[args->kind], (long long)args->games, args->seed);
    if (args->kind == SCHEDULE_KNOCKOUT) // elsewhere more rounds are more games at the end
        add_rounds(args, out);
    str_add(out, args->is_chess960 ? "-variant\nfischerandom\n" : "");
    TRY(add_openings(args, out));
    str_add(out, args->keeps_colors ? "-noswap\n" : "");
    str_add(out, args->reverses_colors ? "-reverse\n" : "");
    add_rules(args, out);
    str_addf(out, "-stall\n%lld\n", (long long)args->cap_s);
    TRY(add_own("-event", args->event, out));
    if (args->site != NULL)
        TRY(add_own("-site", args->site, out));
    add_free(args, out);
    if (args->kind != SCHEDULE_KNOCKOUT)
        add_rounds(args, out);
    return OK;
}

char **match_args_words(char *text, int *count) {
    char **words = NULL;
    size_t capacity = 0, found = 0;
    char *rest = text, *line;
    while ((line = strsep(&rest, "\n")) != NULL) {
        if (line[0] == '\0' || line[0] == '#')
            continue;
        MEM_ADD(words, found, capacity) = line;
    }
    *count = (int)found;
    return words;
}
