// SPDX-License-Identifier: GPL-3.0-or-later
#include "match/play/game_pgn.h"

#include "base/mem.h"
#include "chess/pgn.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { SHORT_SIZE = 64 };

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

static void write_duration(int64_t elapsed_ns, char out[SHORT_SIZE]) {
    int64_t seconds = elapsed_ns / 1000000000;
    snprintf(out, SHORT_SIZE, "%02d:%02d:%02d", (int)(seconds / 3600), (int)(seconds / 60 % 60),
             (int)(seconds % 60));
}

static Status set_time_control(PgnGame *game, const GameNames *names) {
    Str white = {0}, black = {0};
    limits_write_clock(&names->sides[WHITE].limits, &white);
    limits_write_clock(&names->sides[BLACK].limits, &black);
    Status status;
    if (view_equals(view_of(white.text, white.length), str_text(&black))) {
        status = set_tag(game, "TimeControl", str_text(&white));
    } else {
        status = set_tag(game, "WhiteTimeControl", str_text(&white));
        if (status == OK)
            status = set_tag(game, "BlackTimeControl", str_text(&black));
    }
    str_free(&white);
    str_free(&black);
    return status;
}

static Status set_tags(PgnGame *game, const GameRecord *record, const GameNames *names) {
    char date[SHORT_SIZE], start[SHORT_SIZE], round[SHORT_SIZE], plies[SHORT_SIZE],
        duration[SHORT_SIZE];
    time_t seconds = (time_t)record->started_s;
    struct tm when;
    gmtime_r(&seconds, &when);
    strftime(date, sizeof date, "%Y.%m.%d", &when);
    strftime(start, sizeof start, "%Y-%m-%dT%H:%M:%SZ", &when);
    snprintf(round, sizeof round, "%" PRIu64, names->round);
    snprintf(plies, sizeof plies, "%zu", record->count);
    write_duration(record->elapsed_ns, duration);
    const char *const tags[][2] = {
        {"Event", names->event},  {"Site", "?"},
        {"Date", date},           {"Round", round},
        {"White", names->white},  {"Black", names->black},
        {"GameStartTime", start}, {"GameDuration", duration},
        {"PlyCount", plies},      {"Termination", game_termination(record)},
    };
    Status status = OK;
    for (size_t i = 0; i < sizeof tags / sizeof tags[0] && status == OK; i++)
        status = set_tag(game, tags[i][0], tags[i][1]);
    return status == OK ? set_time_control(game, names) : status;
}

Status game_write_pgn(const GameRecord *record, const GameNames *names, Str *out) {
    PgnGame *game = mem_alloc_zero(1, sizeof *game);
    Str text = {0};
    size_t *ends = mem_alloc_zero(record->count + 1, sizeof *ends);
    StrView *comments = mem_alloc_zero(record->count + 1, sizeof *comments);
    pgn_game_reset(game);
    pgn_set_start(game, &record->start);
    game->result = record->result;
    Status status = set_tags(game, record, names);
    write_comments(record, &text, ends);
    for (size_t i = 0, from = 0; i < record->count; from = ends[i++]) {
        pgn_add_move(game, record->moves[i]);
        comments[i] = view_of(text.text + from, ends[i] - from);
    }
    if (status == OK)
        pgn_write(game, comments, out);
    pgn_game_free(game);
    free(game);
    free(comments);
    free(ends);
    str_free(&text);
    return status;
}
