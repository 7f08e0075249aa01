// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/match_flags.h"

#include "base/mem.h"
#include "dist/pool.h"

#include <ctype.h>
#include <string.h>

// --- words ---

Status match_read_number(const char *text, int64_t low, int64_t high, int64_t *out) {
    if (view_to_int(view_from_string(text), out) && *out >= low && *out <= high)
        return OK;
    return error_set(ERR_ARG, "'%s': expected a whole number from %lld to %lld", text,
                     (long long)low, (long long)high);
}

Status match_read_choice(const char *value, const char *const *names, int count, int *out) {
    CLEANUP(str_free) Str list = {0};
    for (int i = 0; i < count; i++) {
        if (strcmp(value, names[i]) == 0) {
            *out = i;
            return OK;
        }
        str_addf(&list, "%s%s", i == 0 ? "" : ", ", names[i]);
    }
    return error_set(ERR_ARG, "'%s': expected one of %s", value, str_text(&list));
}

Status match_read_truth(const char *value, bool *out) {
    static const char *const truths[] = {"false", "true"};
    int choice = 0;
    TRY(match_read_choice(value, truths, 2, &choice));
    *out = choice == 1;
    return OK;
}

bool match_has_key(const char *word, const char *key, const char **value) {
    size_t length = strlen(key);
    *value = word + length + 1;
    return strncmp(word, key, length) == 0 && word[length] == '=';
}

// --- files ---

// "key=value", not the name of a file.
static bool looks_like_key(const char *word) {
    size_t length = 0;
    while (isalpha((unsigned char)word[length]) || word[length] == '_')
        length++;
    return length > 0 && word[length] == '=';
}

// file=, append=, or the first word as it is; false for what is none of these.
static bool take_file(MatchFile *file, const char *word, bool is_first, Status *status) {
    const char *value;
    bool appends = true;
    *status = OK;
    if (match_has_key(word, "file", &value)) {
        file->path = value;
    } else if (match_has_key(word, "append", &value)) {
        *status = match_read_truth(value, &appends);
        file->is_replaced = !appends;
    } else if (is_first && !looks_like_key(word)) {
        file->path = word;
    } else {
        return false;
    }
    if (*status == OK && file->path != NULL && file->path[0] == '\0')
        *status = error_set(ERR_ARG, "file= has no value");
    return true;
}

static Status check_file(const MatchFile *file) {
    return file->path != NULL ? OK : error_set(ERR_ARG, "file= is missing");
}

// What fastchess can write behind a move, and we do not know.
static bool take_extra(MatchArgs *args, const char *word, Status *status) {
    static const char *const keys[] = {"nodes",  "seldepth", "nps",     "hashfull",
                                       "tbhits", "timeleft", "latency", "pv"};
    const char *value;
    bool is_wanted = false, is_known = match_has_key(word, "match_line", &value);
    *status = OK;
    if (is_known)
        is_wanted = true;
    for (size_t i = 0; !is_known && i < sizeof keys / sizeof keys[0]; i++) {
        is_known = match_has_key(word, keys[i], &value);
        if (is_known)
            *status = match_read_truth(value, &is_wanted);
    }
    if (*status == OK && is_wanted)
        match_add_note(args, "-pgnout", "comments have score, depth and time, and nothing else");
    return is_known;
}

static Status take_style(MatchArgs *args, const char *word) {
    const char *value;
    int notation = 0;
    Status status;
    if (strcmp(word, "min") == 0) {
        args->style.is_minimal = true;
    } else if (match_has_key(word, "min", &value)) {
        return match_read_truth(value, &args->style.is_minimal);
    } else if (match_has_key(word, "notation", &value)) {
        TRY(match_read_choice(value, pgn_notation_names, PGN_NOTATION_NB, &notation));
        args->style.notation = (PgnNotation)notation;
    } else if (take_extra(args, word, &status)) {
        return status;
    } else if (strcmp(word, "fi") != 0) { // only finished games are written anyway
        return error_set(ERR_ARG,
                         "'%s': expected file=, notation=, min=, append=, or a file and min or fi",
                         word);
    }
    return OK;
}

Status match_take_pgnout(MatchArgs *args, char **words, int count) {
    args->pgn = (MatchFile){0};
    args->style = (GameStyle){0};
    for (int i = 0; i < count; i++) {
        Status status;
        if (!take_file(&args->pgn, words[i], i == 0, &status))
            status = take_style(args, words[i]);
        TRY(status);
    }
    return check_file(&args->pgn);
}

Status match_take_epdout(MatchArgs *args, char **words, int count) {
    args->epd = (MatchFile){0};
    for (int i = 0; i < count; i++) {
        Status status;
        if (!take_file(&args->epd, words[i], i == 0, &status))
            return error_set(ERR_ARG, "'%s': expected a file, file= or append=", words[i]);
        TRY(status);
    }
    return check_file(&args->epd);
}

// --- what is shown ---

Status match_take_output(MatchArgs *args, char **words, int count) {
    static const char *const formats[] = {"cutechess", "fastchess"};
    const char *value;
    int choice = 0;
    (void)count;
    if (!match_has_key(words[0], "format", &value))
        return error_set(ERR_ARG, "'%s': expected format=cutechess or format=fastchess", words[0]);
    TRY(match_read_choice(value, formats, 2, &choice));
    args->shows_block = choice == 1;
    return OK;
}

Status match_take_report(MatchArgs *args, char **words, int count) {
    const char *value;
    bool shows_pairs = true;
    (void)count;
    if (!match_has_key(words[0], "penta", &value))
        return error_set(ERR_ARG, "'%s': expected penta=true or penta=false", words[0]);
    TRY(match_read_truth(value, &shows_pairs));
    args->hides_pairs = !shows_pairs;
    return OK;
}

// --- openings ---

static Status take_openings_word(MatchArgs *args, const char *word, bool *has_format) {
    static const char *const orders[] = {"sequential", "random"};
    OpeningsConfig *openings = &args->openings;
    const char *value;
    int choice = 0;
    int64_t number = 1;
    Status status = OK;
    if (match_has_key(word, "file", &value)) {
        openings->path = value;
    } else if (match_has_key(word, "format", &value)) {
        status = match_read_choice(value, openings_format_names, OPENINGS_FORMAT_NB, &choice);
        openings->format = (OpeningsFormat)choice;
        *has_format = true;
    } else if (match_has_key(word, "order", &value)) {
        status = match_read_choice(value, orders, 2, &choice);
        openings->is_random = choice == 1;
    } else if (match_has_key(word, "policy", &value)) {
        status = match_read_choice(value, opening_policy_names, POLICY_NB, &choice);
        args->policy = (OpeningPolicy)choice;
    } else if (match_has_key(word, "start", &value)) {
        status = match_read_number(value, 1, INT64_MAX, &number);
        openings->first = (uint64_t)number - 1;
    } else if (match_has_key(word, "plies", &value)) {
        status = match_read_number(value, 1, OPENING_PLIES_MAX, &number);
        openings->plies = (int)number;
    } else {
        status = error_set(
            ERR_ARG, "'%s': expected file=, format=, order=, start=, plies= or policy=", word);
    }
    return status;
}

Status match_take_openings(MatchArgs *args, char **words, int count) {
    bool has_format = false;
    args->has_openings = true;
    args->openings = match_args_init().openings;
    args->policy = POLICY_DEFAULT;
    for (int i = 0; i < count; i++)
        TRY(take_openings_word(args, words[i], &has_format));
    const bool needs_file = !has_format || !openings_are_arrays(args->openings.format);
    if ((args->openings.path != NULL) != needs_file)
        return error_set(ERR_ARG, needs_file ? "file= is missing" : "this format= has no file=");
    if (!has_format)
        args->openings.format = openings_guess_format(args->openings.path);
    return OK;
}

// --- short for many, and what cannot be ---

// fastchess's choice of a quick match. What is said after it counts more.
static void set_quick(MatchArgs *args) {
    enum { SPARE_CORES = 2 };
    const int cores = dist_cores();
    args->games = 2;
    args->rounds = 25000;
    args->concurrency = cores > SPARE_CORES ? cores - SPARE_CORES : 1;
    args->rules.draw_from = 30;
    args->rules.draw_moves = 8;
    args->rules.draw_cp = 8;
    args->is_quick = true;
}

Status match_take_quick(MatchArgs *args, char **words, int count) {
    const char *value;
    set_quick(args);
    for (int i = 0; i < count; i++) {
        if (match_has_key(words[i], "cmd", &value)) {
            MEM_ADD(args->described, args->engine_count, args->engine_capacity) =
                (EngineWords){words + i, 1};
        } else if (match_has_key(words[i], "book", &value)) {
            args->has_openings = true;
            args->openings.path = value;
            args->openings.is_random = true;
            args->openings.format = openings_guess_format(value);
        } else {
            return error_set(ERR_ARG, "'%s': expected cmd=, cmd= and book=", words[i]);
        }
    }
    return args->engine_count == 2 ? OK : error_set(ERR_ARG, "two cmd= are needed");
}

Status match_take_seeds(MatchArgs *args, char **words, int count) {
    int64_t seeds;
    (void)args, (void)count;
    TRY(match_read_number(words[0], 1, SCHEDULE_PLAYERS_MAX, &seeds));
    if (seeds == 1)
        return OK;
    return error_set(ERR_ARG, "a gauntlet is played by one engine, the first: play one gauntlet "
                              "for each, or a round-robin");
}

// cutechess's name for Chess960, and what others type.
Status match_take_variant(MatchArgs *args, char **words, int count) {
    (void)count;
    static const char *const names[] = {"standard", "fischerandom", "chess960"};
    int choice = 0;
    TRY(match_read_choice(words[0], names, 3, &choice));
    args->is_chess960 = choice > 0;
    return OK;
}
