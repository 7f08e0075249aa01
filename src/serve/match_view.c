// SPDX-License-Identifier: GPL-3.0-or-later
#include "serve/match_view.h"

#include "base/json.h"
#include "base/mem.h"
#include "chess/pgn.h"
#include "match/play/live_games.h"
#include "serve/match_table.h"
#include "serve/plain_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MATCH_CONFIG_MAX = 1 << 20, SPRT_WORDS_MAX = 8 };

static void forget_games(void *context) {
    MatchView *match = context;
    for (size_t i = 0; i < match->player_count; i++)
        free(match->players[i]);
    match->player_count = match->count = 0;
    match->pgn_to = 0;
}

void match_view_free(MatchView *match) {
    forget_games(match);
    free(match->players);
    free(match->games);
}

// --- settings: words of a command line, one a line ---

typedef struct Words {
    char *option;               // the last that began with a dash
    char *sprt[SPRT_WORDS_MAX]; // borrowed
    int sprt_count;
} Words;

static void take_word(MatchView *match, Words *words, char *word) {
    ScheduleConfig *schedule = &match->schedule;
    if (word[0] == '-') {
        words->option = word;
        schedule->players += strcmp(word, "-engine") == 0;
    } else if (words->option == NULL) {
        return;
    } else if (strcmp(words->option, "-rounds") == 0) {
        schedule->rounds = strtoull(word, NULL, 10);
    } else if (strcmp(words->option, "-games") == 0) {
        schedule->games = (int)strtol(word, NULL, 10);
    } else if (strcmp(words->option, "-sprt") == 0 && words->sprt_count < SPRT_WORDS_MAX) {
        words->sprt[words->sprt_count++] = word;
    } else if (strcmp(words->option, "-tournament") == 0) {
        for (int i = 0; i < SCHEDULE_KIND_NB; i++)
            if (strcmp(schedule_names[i], word) == 0)
                schedule->kind = (ScheduleKind)i;
    }
}

static uint64_t total_of(const ScheduleConfig *config) {
    if (config->players < 2 || config->players > SCHEDULE_PLAYERS_MAX || config->games < 1 ||
        config->games > SCHEDULE_GAMES_MAX || config->rounds < 1 || config->rounds > UINT32_MAX ||
        config->kind == SCHEDULE_KNOCKOUT)
        return 0;
    Schedule *schedule = schedule_new(config);
    const uint64_t total = schedule_total(schedule);
    schedule_free(schedule);
    return total;
}

static void read_settings(MatchView *match, const char *folder) {
    CLEANUP(str_free) Str path = {0};
    CLEANUP(str_free) Str text = {0};
    Words words = {0};
    str_addf(&path, "%s/config", folder);
    match->has_settings = true;
    match->schedule = (ScheduleConfig){.rounds = 1, .games = 1};
    if (plain_read(str_text(&path), MATCH_CONFIG_MAX, &text) != OK)
        return;
    char *rest = text.text, *line;
    while (rest != NULL && (line = strsep(&rest, "\n")) != NULL)
        if (line[0] != '#' && line[0] != '\0')
            take_word(match, &words, line);
    match->total = total_of(&match->schedule);
    match->has_sprt =
        words.sprt_count > 0 && sprt_parse(&match->sprt, words.sprt, words.sprt_count) == OK;
}

// --- games ---

// The number of a player; as many as a schedule can have.
static int player_of(MatchView *match, StrView name) {
    CLEANUP(str_free) Str text = {0};
    json_add_unescaped(&text, name);
    for (size_t i = 0; i < match->player_count; i++)
        if (strcmp(match->players[i], str_text(&text)) == 0)
            return (int)i;
    if (match->player_count >= SCHEDULE_PLAYERS_MAX)
        return -1;
    MEM_ADD(match->players, match->player_count, match->player_capacity) =
        mem_copy_string(str_text(&text));
    return (int)match->player_count - 1;
}

static void take_line(void *context, StrView line, uint64_t at) {
    MatchView *match = context;
    StrView white, black, text;
    GameResult result;
    int64_t plies = 0, opening = 0, pgn_to = 0;
    if (!json_find(line, "white", &white) || !json_find(line, "black", &black) ||
        !json_find(line, "result", &text) || !pgn_result_from_text(text, &result) ||
        line.length > UINT32_MAX)
        return;
    const int first = player_of(match, white), second = player_of(match, black);
    if (first < 0 || second < 0 || first == second)
        return;
    json_find_int(line, "plies", &plies);
    json_find_int(line, "opening", &opening);
    const bool has_pgn = json_find_int(line, "pgn_bytes", &pgn_to) &&
                         (uint64_t)pgn_to > match->pgn_to &&
                         (uint64_t)pgn_to - match->pgn_to <= PGN_BUFFER_MAX;
    MEM_ADD(match->games, match->count, match->capacity) =
        (MatchEntry){.line_at = at,
                     .line_length = (uint32_t)line.length,
                     .pgn_at = match->pgn_to,
                     .pgn_length = has_pgn ? (uint32_t)((uint64_t)pgn_to - match->pgn_to) : 0,
                     .opening = (uint32_t)opening,
                     .plies = (uint32_t)plies,
                     .white = (uint16_t)first,
                     .black = (uint16_t)second,
                     .result = (uint8_t)result};
    if (pgn_to > 0)
        match->pgn_to = (uint64_t)pgn_to;
}

// Whether games that go on have changed.
static bool has_live_news(MatchView *match, const char *folder) {
    CLEANUP(str_free) Str path = {0};
    str_addf(&path, "%s/%s", folder, live_games_file);
    return tail_note_news(&match->live, str_text(&path));
}

bool match_view_update(MatchView *match, const char *folder) {
    CLEANUP(str_free) Str path = {0};
    const TailEvents events = {match, forget_games, take_line};
    const bool is_live = has_live_news(match, folder);
    str_addf(&path, "%s/games.jsonl", folder);
    if (!match->has_settings)
        read_settings(match, folder);
    if (!tail_has_news(&match->log, str_text(&path)))
        return is_live;
    // With more rounds the same folder may go on.
    match->has_settings = false;
    return tail_read(&match->log, str_text(&path), &events) == OK;
}

bool match_view_is_over(const MatchView *match) {
    if (match->has_sprt && match_table_sprt(match).verdict != SPRT_GOES_ON)
        return true;
    return match->total > 0 && match->count >= match->total;
}

// --- what is told of it ---

void match_view_write_summary(const MatchView *match, Str *out) {
    const uint64_t total = match->total;
    str_addf(out, ",\"games\":%zu,\"total\":", match->count);
    json_add_number(out, total == 0 ? NAN : (double)total);
    str_add(out, ",\"progress\":");
    json_add_number(out, match_view_is_over(match) ? 1
                         : total == 0              ? NAN
                                                   : (double)match->count / (double)total);
    str_addf(out, ",\"kind_of_event\":\"%s\"", schedule_names[match->schedule.kind]);
    match_table_write_summary(match, out);
}

void match_view_write(const MatchView *match, Str *out) {
    match_view_write_summary(match, out);
    match_table_write(match, out);
}

void match_view_write_games(const MatchView *match, size_t from, size_t most, Str *out) {
    str_add(out, "[");
    for (size_t i = from; i < match->count && i - from < most; i++) {
        const MatchEntry *game = &match->games[i];
        str_addf(out, "%s{\"game\":%zu,\"white\":%u,\"black\":%u,\"result\":\"%s\",\"plies\":%u}",
                 i == from ? "" : ",", i + 1, game->white, game->black,
                 pgn_result_text((GameResult)game->result), game->plies);
    }
    str_add(out, "]");
}
