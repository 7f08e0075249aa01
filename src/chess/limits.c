// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/limits.h"

#include <limits.h>
#include <string.h>

enum { TIME_MAX_S = 1000000 };

bool limits_are_empty(const Limits *limits) {
    return !limits_have_clock(limits) && limits->nodes == 0 && limits->depth == 0;
}

bool limits_have_clock(const Limits *limits) {
    return limits->clock.time_ms > 0 || limits->move_ms > 0;
}

static bool is_clock_valid(const ChessClock *clock) {
    return clock->time_ms >= 0 && clock->inc_ms >= 0 && clock->moves >= 0 &&
           (clock->time_ms > 0 || (clock->inc_ms == 0 && clock->moves == 0));
}

bool limits_are_valid(const Limits *limits) {
    return is_clock_valid(&limits->clock) && is_clock_valid(&limits->other) &&
           limits->move_ms >= 0 && limits->cap_ms >= 0 && limits->depth >= 0 && limits->mate >= 0 &&
           limits->lines >= 0 && limits->move_count <= MOVES_MAX;
}

// Digits with at most one point, in thousandths (what is finer is cut off). Cuts it off the front.
static bool cut_thousandths(StrView *text, int64_t *out) {
    int64_t value = 0;
    int digits = 0, decimals = -1;
    while (text->length > 0) {
        char c = text->text[0];
        if (c == '.' && decimals < 0) {
            decimals = 0;
        } else if (c >= '0' && c <= '9') {
            digits++;
            if (decimals < 3)
                value = value * 10 + (c - '0');
            if (decimals >= 0 && decimals < 3)
                decimals++;
            if (value > (int64_t)TIME_MAX_S * 1000)
                return false;
        } else {
            break;
        }
        *text = view_of(text->text + 1, text->length - 1);
    }
    for (int d = decimals < 0 ? 0 : decimals; d < 3; d++)
        value *= 10;
    *out = value;
    return digits > 0;
}

static bool cut_char(StrView *text, char c) {
    if (text->length == 0 || text->text[0] != c)
        return false;
    *text = view_of(text->text + 1, text->length - 1);
    return true;
}

static bool parse_clock(StrView text, ChessClock *out) {
    int64_t value, seconds;
    const char *slash = memchr(text.text, '/', text.length);
    out->moves = 0;
    out->inc_ms = 0;
    if (slash != NULL) {
        StrView moves = view_of(text.text, (size_t)(slash - text.text));
        if (!view_to_int(moves, &value) || value < 0 || value > 1000)
            return false;
        out->moves = (int)value;
        text = view_of(slash + 1, text.length - moves.length - 1);
    }
    if (!cut_thousandths(&text, &value))
        return false;
    if (cut_char(&text, ':')) {
        if (!cut_thousandths(&text, &seconds))
            return false;
        value = value * 60 + seconds;
    }
    out->time_ms = value;
    if (cut_char(&text, '+') && !cut_thousandths(&text, &out->inc_ms))
        return false;
    return text.length == 0 && out->time_ms > 0;
}

Status limits_parse_clock(const char *text, Limits *out) {
    ChessClock clock = {0};
    const bool is_none = strcmp(text, "inf") == 0 || strcmp(text, "infinite") == 0;
    if (!is_none && !parse_clock(view_from_string(text), &clock))
        return error_set(ERR_ARG,
                         "tc=%s: expected [moves/][minutes:]seconds[+increment] or inf, as 2+0.02",
                         text);
    out->clock = clock;
    out->move_ms = 0;
    return OK;
}

Status limits_parse_move_time(const char *text, Limits *out) {
    StrView rest = view_from_string(text);
    int64_t ms;
    if (!cut_thousandths(&rest, &ms) || rest.length != 0 || ms == 0)
        return error_set(ERR_ARG, "st=%s: expected seconds per move, such as 0.5", text);
    out->clock = (ChessClock){0};
    out->move_ms = ms;
    return OK;
}

static void write_seconds(int64_t ms, Str *out) {
    str_addf(out, "%lld", (long long)(ms / 1000));
    if (ms % 1000 == 0)
        return;
    str_addf(out, ".%03d", (int)(ms % 1000));
    while (out->text[out->length - 1] == '0')
        out->text[--out->length] = '\0';
}

void limits_write_clock(const Limits *limits, Str *out) {
    const ChessClock *clock = &limits->clock;
    if (limits->move_ms > 0) {
        str_add(out, "1/");
        write_seconds(limits->move_ms, out);
    } else if (clock->time_ms == 0) {
        str_add(out, "-");
    } else {
        if (clock->moves > 0)
            str_addf(out, "%d/", clock->moves);
        write_seconds(clock->time_ms, out);
        if (clock->inc_ms > 0) {
            str_add(out, "+");
            write_seconds(clock->inc_ms, out);
        }
    }
}

void limits_pack(const Limits *limits, Str *out) {
    bytes_add_short(out, limits->clock.moves);
    bytes_add_short(out, limits->clock.time_ms);
    bytes_add_short(out, limits->clock.inc_ms);
    bytes_add_short(out, limits->move_ms);
    bytes_add_u64(out, limits->nodes);
    bytes_add_short(out, limits->depth);
}

Limits limits_unpack(ByteReader *in) {
    Limits limits = {0};
    limits.clock.moves = bytes_short_in(in, 0, INT_MAX);
    limits.clock.time_ms = bytes_short(in);
    limits.clock.inc_ms = bytes_short(in);
    limits.move_ms = bytes_short(in);
    limits.nodes = bytes_u64(in);
    limits.depth = bytes_short_in(in, 0, INT_MAX);
    in->failed = in->failed || !limits_are_valid(&limits);
    return limits;
}
