// SPDX-License-Identifier: GPL-3.0-or-later
#include "match/play/game_json.h"

#include "base/json.h"
#include "chess/fen.h"
#include "chess/pgn.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { TIME_SIZE = 64 };

static void add_text(Str *out, const char *key, const char *value) {
    str_addf(out, ",\"%s\":", key);
    json_add_string(out, value);
}

static void add_number(Str *out, const char *key, uint64_t value) {
    str_addf(out, ",\"%s\":%" PRIu64, key, value);
}

static void add_moves(const GameRecord *record, Str *out) {
    str_add(out, ",\"moves\":\"");
    for (size_t i = 0; i < record->count; i++) {
        char text[UCI_MOVE_SIZE];
        move_to_uci(record->moves[i], text);
        str_addf(out, "%s%s", i == 0 ? "" : " ", text);
    }
    str_add(out, "\"");
}

void game_begin_json(const MatchGame *game, const GameNames *names, Str *out) {
    str_addf(out, "{\"game\":%" PRIu64, game->index + 1);
    add_number(out, "round", names->round);
    add_text(out, "white", names->white);
    add_text(out, "black", names->black);
}

void game_write_json(const GameRecord *record, const MatchGame *game, const GameNames *names,
                     uint64_t pgn_bytes, Str *out) {
    char started[TIME_SIZE], fen[FEN_SIZE];
    time_t seconds = (time_t)record->started_s;
    struct tm when;
    Str reason = {0};
    gmtime_r(&seconds, &when);
    strftime(started, sizeof started, "%Y-%m-%dT%H:%M:%SZ", &when);
    fen_write(&record->start, fen);
    game_describe_ending(record, &reason);
    game_begin_json(game, names, out);
    add_text(out, "result", pgn_result_text(record->result));
    add_text(out, "reason", str_text(&reason));
    add_text(out, "termination", game_termination(record));
    add_number(out, "plies", record->count);
    add_number(out, "opening", game->opening + 1);
    add_number(out, "opening_plies", record->opening_count);
    add_text(out, "started", started);
    str_addf(out, ",\"seconds\":%.3f", (double)record->elapsed_ns / 1e9);
    if (record->detail[0] != '\0')
        add_text(out, "detail", record->detail);
    if (pgn_bytes > 0)
        add_number(out, "pgn_bytes", pgn_bytes);
    add_text(out, "fen", fen);
    add_moves(record, out);
    str_add(out, "}\n");
    str_free(&reason);
}

double game_json_end_s(StrView line) {
    char text[TIME_SIZE];
    StrView started, seconds;
    struct tm when = {0};
    if (!json_find(line, "started", &started) || !json_find(line, "seconds", &seconds) ||
        started.length >= sizeof text || seconds.length >= sizeof text)
        return -INFINITY;
    snprintf(text, sizeof text, "%.*s", (int)started.length, started.text);
    const char *end = strptime(text, "%Y-%m-%dT%H:%M:%SZ", &when);
    if (end == NULL || *end != '\0')
        return -INFINITY;
    snprintf(text, sizeof text, "%.*s", (int)seconds.length, seconds.text);
    return (double)timegm(&when) + strtod(text, NULL);
}

static Fault fault_named(StrView termination) {
    for (Fault fault = FAULT_LATE; fault <= FAULT_STALLED; fault++)
        if (view_equals(termination, fault_words[fault].termination))
            return fault;
    return FAULT_NONE;
}

Status game_parse_json(StrView line, GameLine *out) {
    int64_t number, bytes;
    StrView result, termination;
    bool is_whole = line.length > 2 && line.text[0] == '{' && line.text[line.length - 1] == '}' &&
                    json_find_int(line, "game", &number) && number > 0 &&
                    json_find_int(line, "pgn_bytes", &bytes) && bytes >= 0 &&
                    json_find(line, "white", &out->white) &&
                    json_find(line, "black", &out->black) && json_find(line, "result", &result) &&
                    json_find(line, "termination", &termination) &&
                    pgn_result_from_text(result, &out->result) && out->result != RESULT_UNKNOWN;
    if (!is_whole)
        return error_set(ERR_PARSE, "this is no line of a tournament's games");
    out->number = (uint64_t)number;
    out->pgn_bytes = (uint64_t)bytes;
    out->fault = fault_named(termination);
    return OK;
}
