// SPDX-License-Identifier: GPL-3.0-or-later
#include "match/play/game_text.h"

#include "base/json.h"
#include "base/mem.h"
#include "chess/epd.h"
#include "chess/fen.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SHORT_SIZE = 64, ROSTER_LINES = 6 }; // Event, Site, Date, Round, White, Black

static const char time_format[] = "%Y-%m-%dT%H:%M:%SZ";

// Allocated, for it is large; freed by free_game.
static PgnGame *new_game(void) {
    PgnGame *game = mem_alloc_zero(1, sizeof *game);
    pgn_game_reset(game);
    return game;
}

static void free_game(PgnGame **game) {
    pgn_game_free(*game);
    free(*game);
}

// --- PGN ---

static void add_score(const GameThought *thought, Str *out) {
    if (!thought->has_score)
        return;
    if (thought->is_mate)
        str_addf(out, "%cM%d", thought->score > 0 ? '+' : '-', abs(thought->score));
    else if (thought->score == 0)
        str_add(out, "0.00");
    else
        str_addf(out, "%+.2f", thought->score / 100.0);
    str_addf(out, "/%d ", thought->depth);
}

// The comments of all moves, one after the other in `text`; `ends` says where each ends.
static void write_comments(const GameRecord *record, Str *text, size_t *ends) {
    for (size_t i = 0; i < record->count; i++) {
        const GameThought *thought = &record->thoughts[i];
        if (i < record->opening_count) {
            str_add(text, "book");
        } else {
            add_score(thought, text);
            str_addf(text, "%.3fs", (double)thought->elapsed_ns / 1e9);
        }
        if (i + 1 == record->count) {
            str_add(text, ", ");
            game_describe_ending(record, text);
        }
        ends[i] = text->length;
    }
}

static Status set_tag(PgnGame *game, const char *name, const char *value) {
    return pgn_set_tag(game, name, view_from_string(value));
}

// What is known before the game: where and when it was is not.
static Status set_roster(PgnGame *game, const GameNames *names) {
    char round[SHORT_SIZE];
    snprintf(round, sizeof round, "%" PRIu64, names->round);
    TRY(set_tag(game, "Round", round));
    TRY(set_tag(game, "White", names->white));
    return set_tag(game, "Black", names->black);
}

static void write_duration(int64_t elapsed_ns, char out[SHORT_SIZE]) {
    int64_t seconds = elapsed_ns / 1000000000;
    snprintf(out, SHORT_SIZE, "%02d:%02d:%02d", (int)(seconds / 3600), (int)(seconds / 60 % 60),
             (int)(seconds % 60));
}

static Status set_time_control(PgnGame *game, const GameNames *names) {
    CLEANUP(str_free) Str white = {0};
    CLEANUP(str_free) Str black = {0};
    limits_write_clock(&names->sides[WHITE].limits, &white);
    limits_write_clock(&names->sides[BLACK].limits, &black);
    if (strcmp(str_text(&white), str_text(&black)) == 0)
        return set_tag(game, "TimeControl", str_text(&white));
    TRY(set_tag(game, "WhiteTimeControl", str_text(&white)));
    return set_tag(game, "BlackTimeControl", str_text(&black));
}

static void write_time(int64_t seconds, const char *format, char out[SHORT_SIZE]) {
    const time_t time = (time_t)seconds;
    struct tm when;
    gmtime_r(&time, &when);
    strftime(out, SHORT_SIZE, format, &when);
}

// The tags that PGN needs.
static Status set_needed_tags(PgnGame *game, const GameRecord *record, const GameNames *names) {
    char date[SHORT_SIZE];
    write_time(record->started_s, "%Y.%m.%d", date);
    TRY(set_tag(game, "Event", names->event));
    TRY(set_tag(game, "Site", names->site == NULL ? "?" : names->site));
    TRY(set_tag(game, "Date", date));
    return set_roster(game, names);
}

static Status set_tags(PgnGame *game, const GameRecord *record, const GameNames *names) {
    char start[SHORT_SIZE], plies[SHORT_SIZE], duration[SHORT_SIZE];
    write_time(record->started_s, time_format, start);
    snprintf(plies, sizeof plies, "%zu", record->count);
    write_duration(record->elapsed_ns, duration);
    TRY(set_needed_tags(game, record, names));
    TRY(set_tag(game, "GameStartTime", start));
    TRY(set_tag(game, "GameDuration", duration));
    TRY(set_tag(game, "PlyCount", plies));
    TRY(set_tag(game, "Termination", game_termination(record)));
    return set_time_control(game, names);
}

static void set_game(PgnGame *game, const GameRecord *record, const GameNames *names) {
    pgn_set_start(game, &record->start);
    game->is_chess960 |= names->is_chess960;
    game->result = record->result;
}

static void add_all_moves(PgnGame *game, const GameRecord *record) {
    for (size_t i = 0; i < record->count; i++)
        pgn_add_move(game, record->moves[i]);
}

static Status write_minimal(const GameRecord *record, const GameNames *names, PgnNotation notation,
                            Str *out) {
    CLEANUP(free_game) PgnGame *game = new_game();
    set_game(game, record, names);
    TRY(set_needed_tags(game, record, names));
    add_all_moves(game, record);
    pgn_write_in(game, NULL, notation, out);
    return OK;
}

static Status write_whole(const GameRecord *record, const GameNames *names, PgnNotation notation,
                          Str *out) {
    CLEANUP(free_game) PgnGame *game = new_game();
    CLEANUP(str_free) Str text = {0};
    CLEANUP(mem_free_at) size_t *ends = mem_alloc_zero(record->count + 1, sizeof *ends);
    CLEANUP(mem_free_at) StrView *comments = mem_alloc_zero(record->count + 1, sizeof *comments);
    set_game(game, record, names);
    TRY(set_tags(game, record, names));
    write_comments(record, &text, ends);
    add_all_moves(game, record);
    for (size_t i = 0, from = 0; i < record->count; from = ends[i++])
        comments[i] = view_of(text.text + from, ends[i] - from);
    pgn_write_in(game, comments, notation, out);
    return OK;
}

Status game_write_pgn_in(const GameRecord *record, const GameNames *names, const GameStyle *style,
                         Str *out) {
    assert(game_record_is_valid(record));
    return style->is_minimal ? write_minimal(record, names, style->notation, out)
                             : write_whole(record, names, style->notation, out);
}

Status game_write_pgn(const GameRecord *record, const GameNames *names, Str *out) {
    return game_write_pgn_in(record, names, &(GameStyle){0}, out);
}

// --- EPD ---

void game_write_epd(const GameRecord *record, Str *out) {
    Epd last = {.pos = record->start};
    assert(game_record_is_valid(record));
    for (size_t i = 0; i < record->count; i++) {
        Undo undo;
        position_make(&last.pos, record->moves[i], &undo);
    }
    epd_write(&last, out);
    str_add(out, "\n");
}

// --- JSON ---

static void add_text(Str *out, const char *key, const char *value) {
    str_addf(out, ",\"%s\":", key);
    json_add_string(out, value);
}

static void add_number(Str *out, const char *key, uint64_t value) {
    str_addf(out, ",\"%s\":%" PRIu64, key, value);
}

static void add_moves(const GameRecord *record, Str *out) {
    Position pos = record->start;
    str_add(out, ",\"moves\":\"");
    for (size_t i = 0; i < record->count; i++) {
        char text[UCI_MOVE_SIZE];
        Undo undo;
        move_to_uci(&pos, record->moves[i], text);
        str_addf(out, "%s%s", i == 0 ? "" : " ", text);
        position_make(&pos, record->moves[i], &undo);
    }
    str_add(out, "\"");
}

// What a line begins with: all that is known before the game.
static void begin_json(const MatchGame *game, const GameNames *names, Str *out) {
    str_addf(out, "{\"game\":%" PRIu64, game->index + 1);
    add_number(out, "round", names->round);
    add_text(out, "white", names->white);
    add_text(out, "black", names->black);
}

void game_write_json(const GameRecord *record, const MatchGame *game, const GameNames *names,
                     uint64_t pgn_bytes, Str *out) {
    char started[SHORT_SIZE], fen[FEN_SIZE];
    CLEANUP(str_free) Str reason = {0};
    assert(game_record_is_valid(record));
    write_time(record->started_s, time_format, started);
    fen_write(&record->start, fen);
    game_describe_ending(record, &reason);
    begin_json(game, names, out);
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
}

double game_json_end_s(StrView line) {
    char text[SHORT_SIZE];
    StrView started, seconds;
    struct tm when = {0};
    if (!json_find(line, "started", &started) || !json_find(line, "seconds", &seconds) ||
        started.length >= sizeof text || seconds.length >= sizeof text)
        return -INFINITY;
    snprintf(text, sizeof text, "%.*s", (int)started.length, started.text);
    const char *end = strptime(text, time_format, &when);
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
    out->is_adjudicated = view_equals(termination, termination_adjudicated);
    return OK;
}

// --- what lies on the disk ---

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

static bool begin_alike(StrView a, StrView b) {
    return memcmp(a.text, b.text, least(a.length, b.length)) == 0;
}

// Cuts off a line with its end; the last one may have none.
static StrView cut_line(StrView *rest) {
    const char *end = memchr(rest->text, '\n', rest->length);
    const size_t length = end == NULL ? rest->length : (size_t)(end - rest->text) + 1;
    const StrView line = view_of(rest->text, length);
    *rest = view_of(rest->text + length, rest->length - length);
    return line;
}

static bool is_ended(StrView line) {
    return line.length > 0 && line.text[line.length - 1] == '\n';
}

// The roster of a game, as far as it is known before it is played.
static bool fits_roster(StrView *rest, const GameNames *names) {
    static const char *const beginnings[ROSTER_LINES] = {"[Event \"", "[Site \"", "[Date \""};
    CLEANUP(free_game) PgnGame *game = new_game();
    CLEANUP(str_free) Str roster = {0};
    if (set_roster(game, names) != OK)
        return false;
    pgn_write(game, NULL, &roster);
    StrView wanted_rest = view_of(roster.text, roster.length);
    bool fits = true;
    for (int i = 0; i < ROSTER_LINES && fits && rest->length > 0; i++) {
        const StrView wanted = cut_line(&wanted_rest), line = cut_line(rest);
        if (beginnings[i] != NULL)
            fits = begin_alike(line, view_from_string(beginnings[i]));
        else
            fits = begin_alike(line, wanted) && (!is_ended(line) || line.length == wanted.length);
    }
    return fits;
}

GameText game_text_in_pgn(StrView text, const GameNames *names) {
    const bool fits = fits_roster(&text, names);
    // Other tags, an empty line, moves, an empty line.
    bool is_tag = true, is_whole = false;
    while (fits && text.length > 0 && !is_whole) {
        const StrView line = cut_line(&text);
        if (view_equals(line, "\n")) {
            is_whole = !is_tag;
            is_tag = false;
        } else if (is_tag && line.text[0] != '[') {
            return GAME_TEXT_OTHER;
        }
    }
    if (!fits || text.length > 0)
        return GAME_TEXT_OTHER;
    return is_whole ? GAME_TEXT_WHOLE : GAME_TEXT_PART;
}

bool game_text_in_json(StrView text, const MatchGame *game, const GameNames *names) {
    CLEANUP(str_free) Str head = {0};
    begin_json(game, names, &head);
    return begin_alike(text, view_of(head.text, head.length));
}
