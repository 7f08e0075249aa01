// SPDX-License-Identifier: GPL-3.0-or-later
#include "engines/xboard_text.h"

#include "base/mem.h"

#include <limits.h>
#include <string.h>
#include <strings.h>

enum { MATE_SCORE = 100000, MATE_MOVES_MAX = 1000, CHOICES_MAX = 1024 };

bool xboard_next_feature(StrView *rest, StrView *name, StrView *value) {
    StrView text = view_trim(*rest);
    const char *equals = memchr(text.text, '=', text.length);
    if (equals == NULL)
        return false;
    *name = view_trim(view_of(text.text, (size_t)(equals - text.text)));
    const char *start = equals + 1, *end = text.text + text.length;
    if (start < end && *start == '"') {
        start++;
        const char *quote = memchr(start, '"', (size_t)(end - start));
        *value = view_of(start, (size_t)((quote == NULL ? end : quote) - start));
        start = quote == NULL ? end : quote + 1;
        *rest = view_of(start, (size_t)(end - start));
    } else {
        *rest = view_of(start, (size_t)(end - start));
        *value = view_next_word(rest);
    }
    return name->length > 0;
}

// Kinds of options, and the UCI kind whose rules they follow.
static const struct {
    const char *word;
    UciOptionType type;
} kinds[] = {
    {"-spin", UCI_SPIN},     {"-slider", UCI_SPIN},  {"-check", UCI_CHECK}, {"-combo", UCI_COMBO},
    {"-string", UCI_STRING}, {"-file", UCI_STRING},  {"-path", UCI_STRING}, {"-button", UCI_BUTTON},
    {"-save", UCI_BUTTON},   {"-reset", UCI_BUTTON},
};

static bool find_kind(StrView word, UciOptionType *out) {
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (!view_equals(word, kinds[i].word))
            continue;
        *out = kinds[i].type;
        return true;
    }
    return false;
}

// Choices are separated by "///"; the chosen one has a star.
static void read_choices(StrView rest, UciOption *out) {
    while (rest.length > 0 && out->choice_count < CHOICES_MAX) {
        const char *bar = memmem(rest.text, rest.length, "///", 3);
        size_t length = bar == NULL ? rest.length : (size_t)(bar - rest.text);
        StrView choice = view_trim(view_of(rest.text, length));
        rest = bar == NULL ? view_of("", 0) : view_of(bar + 3, rest.length - length - 3);
        if (choice.length > 0 && choice.text[0] == '*')
            choice = view_of(choice.text + 1, choice.length - 1);
        MEM_ADD(out->choices, out->choice_count, out->choice_capacity) =
            strndup(choice.text, choice.length);
    }
}

static void read_bounds(StrView rest, UciOption *out) {
    int64_t start;
    out->has_bounds = view_to_int(view_next_word(&rest), &start) &&
                      view_to_int(view_next_word(&rest), &out->low) &&
                      view_to_int(view_next_word(&rest), &out->high);
}

Status xboard_option_parse(StrView text, UciOption *out) {
    StrView rest = text, word;
    *out = (UciOption){0};
    while ((word = view_next_word(&rest)).length > 0) {
        if (!find_kind(word, &out->type))
            continue;
        StrView name = view_trim(view_of(text.text, (size_t)(word.text - text.text)));
        if (name.length == 0)
            break;
        StrView value = view_trim(rest);
        out->name = strndup(name.text, name.length);
        out->value = strndup(value.text, value.length);
        if (out->type == UCI_SPIN)
            read_bounds(rest, out);
        else if (out->type == UCI_COMBO)
            read_choices(rest, out);
        return OK;
    }
    return error_set(ERR_PARSE, "an option without a name or kind: '%.*s'",
                     (int)(text.length < 200 ? text.length : 200), text.text);
}

static int clamp_int(int64_t value) {
    return (int)(value < -INT_MAX ? -INT_MAX : value > INT_MAX ? INT_MAX : value);
}

bool xboard_parse_info(StrView line, UciInfo *out) {
    int64_t depth, score, time, nodes;
    StrView rest = line, word = view_next_word(&rest);
    // Some mark the depth: "9." "12+" "7&".
    if (word.length > 1 && strchr(".+-&!?:", word.text[word.length - 1]) != NULL)
        word.length--;
    if (!view_to_int(word, &depth) || depth < 0 || !view_to_int(view_next_word(&rest), &score) ||
        !view_to_int(view_next_word(&rest), &time) || !view_to_int(view_next_word(&rest), &nodes) ||
        nodes < 0)
        return false;
    const int told = clamp_int(score), size = told < 0 ? -told : told;
    const bool is_mate = size >= MATE_SCORE && size <= MATE_SCORE + MATE_MOVES_MAX;
    *out = (UciInfo){.has = UCI_INFO_DEPTH | UCI_INFO_SCORE | UCI_INFO_NODES,
                     .depth = clamp_int(depth),
                     .score = told,
                     .nodes = (uint64_t)nodes,
                     .pv = view_trim(rest)};
    // Mate in 0 is for the side to move lost: who says that it wins so means the next move.
    if (is_mate) {
        out->has |= UCI_INFO_MATE;
        out->score = told < 0 ? told + MATE_SCORE : told > MATE_SCORE ? told - MATE_SCORE : 1;
    }
    return true;
}

StrView xboard_first_move(StrView pv) {
    for (StrView word = view_next_word(&pv); word.length > 0; word = view_next_word(&pv)) {
        // Castling, "0-0", begins like a number, but has no point.
        size_t number = 0;
        for (size_t i = 0; i < word.length && strchr("0123456789.", word.text[i]) != NULL; i++)
            number = word.text[i] == '.' ? i + 1 : number;
        if (number < word.length)
            return view_of(word.text + number, word.length - number);
    }
    return view_of("", 0);
}

static bool starts_with(StrView line, const char *text) {
    size_t length = strlen(text);
    return line.length >= length && strncasecmp(line.text, text, length) == 0;
}

// "1. ... e7e5": how engines of the first version of the protocol move.
static bool is_old_move(StrView line, StrView *move) {
    int64_t number;
    StrView word = view_next_word(&line);
    if (word.length > 1 && word.text[word.length - 1] == '.')
        word.length--;
    if (!view_to_int(word, &number) || !view_equals(view_next_word(&line), "..."))
        return false;
    *move = view_next_word(&line);
    return move->length > 0;
}

XboardSaid xboard_parse_line(StrView line, StrView *text) {
    StrView rest = line, word = view_next_word(&rest);
    *text = rest;
    if (view_equals(word, "move")) {
        *text = view_next_word(&rest);
        return XBOARD_MOVE;
    }
    if (view_equals(word, "feature"))
        return XBOARD_FEATURE;
    if (view_equals(word, "pong"))
        return XBOARD_PONG;
    if (view_equals(word, "resign"))
        return XBOARD_RESIGN;
    if (view_equals(word, "offer") && view_equals(view_next_word(&rest), "draw"))
        return XBOARD_OFFER_DRAW;
    if (view_equals(word, "tellusererror") || view_equals(word, "tellallerror")) {
        *text = view_trim(*text);
        return XBOARD_MESSAGE;
    }
    if (view_equals(word, "1-0") || view_equals(word, "0-1") || view_equals(word, "1/2-1/2") ||
        view_equals(word, "*")) {
        *text = word;
        return XBOARD_RESULT;
    }
    *text = view_trim(line);
    if (starts_with(*text, "illegal move") || starts_with(*text, "invalid move") ||
        starts_with(*text, "error "))
        return XBOARD_COMPLAINT;
    return is_old_move(line, text) ? XBOARD_MOVE : XBOARD_OTHER;
}
