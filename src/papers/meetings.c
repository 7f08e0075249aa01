// SPDX-License-Identifier: GPL-3.0-or-later
#include "papers/meetings.h"

#include "base/json.h"
#include "base/lines.h"
#include "base/mem.h"
#include "match/play/game_text.h"
#include "match/play/tally.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MEETINGS_LINE_MAX = 1 << 20 };

void paper_score_add(PaperScore *sum, const PaperScore *score) {
    sum->games.wins += score->games.wins;
    sum->games.draws += score->games.draws;
    sum->games.losses += score->games.losses;
    for (int i = 0; i < PAIR_RESULTS; i++)
        sum->pairs.results[i] += score->pairs.results[i];
    sum->adjudicated += score->adjudicated;
}

static PaperScore reversed(const PaperScore *score) {
    PaperScore out = {.games = {score->games.losses, score->games.wins, score->games.draws},
                      .adjudicated = score->adjudicated};
    for (int i = 0; i < PAIR_RESULTS; i++)
        out.pairs.results[i] = score->pairs.results[PAIR_RESULTS - 1 - i];
    return out;
}

// --- games ---

static char *unescaped(StrView escaped) {
    Str name = {0};
    json_add_unescaped(&name, escaped);
    return name.text != NULL ? name.text : mem_copy_string("");
}

// The meeting of two players, which may be new. Takes over neither name.
static PaperMeeting *meeting_of(Meetings *meetings, const char *white, const char *black) {
    for (size_t i = 0; i < meetings->count; i++) {
        const PaperMeeting *at = &meetings->items[i];
        if ((strcmp(at->first, white) == 0 && strcmp(at->second, black) == 0) ||
            (strcmp(at->first, black) == 0 && strcmp(at->second, white) == 0))
            return &meetings->items[i];
    }
    PaperMeeting *added = &MEM_ADD(meetings->items, meetings->count, meetings->capacity);
    *added = (PaperMeeting){
        .first = mem_copy_string(white), .second = mem_copy_string(black), .open_points = -1};
    return added;
}

static void add_game(PaperMeeting *meeting, int points, bool is_adjudicated) {
    PaperScore *score = &meeting->score;
    score->games.wins += points == 2;
    score->games.draws += points == 1;
    score->games.losses += points == 0;
    score->adjudicated += is_adjudicated;
    if (meeting->open_points >= 0) // the two of a pair follow each other
        score->pairs.results[meeting->open_points + points]++;
    meeting->open_points = meeting->open_points >= 0 ? -1 : points;
}

static Status add_line(Meetings *meetings, StrView line) {
    GameLine game;
    TRY(game_parse_json(line, &game));
    CLEANUP(mem_free_at) char *white = unescaped(game.white);
    CLEANUP(mem_free_at) char *black = unescaped(game.black);
    PaperMeeting *meeting = meeting_of(meetings, white, black);
    const int points = match_white_points(game.result);
    add_game(meeting, strcmp(meeting->first, white) == 0 ? points : 2 - points,
             game.is_adjudicated);
    return OK;
}

Status meetings_read_games(Meetings *out, const char *path) {
    CLEANUP(lines_close_at) LineReader *lines = NULL;
    CLEANUP(meetings_free) Meetings meetings = {0};
    TRY(lines_open(&lines, path, MEETINGS_LINE_MAX));
    for (StrView line;;) {
        TRY(lines_next(lines, &line));
        if (line.text == NULL)
            break;
        TRY_PREFIX(add_line(&meetings, line), "%s:%" PRIu64, path, lines_number(lines));
    }
    *out = meetings;
    meetings = (Meetings){0};
    return OK;
}

void meetings_free(Meetings *meetings) {
    for (size_t i = 0; i < meetings->count; i++) {
        free(meetings->items[i].first);
        free(meetings->items[i].second);
    }
    free(meetings->items);
    *meetings = (Meetings){0};
}

// --- questions ---

static bool is_name(const char *wanted, const char *name) {
    return wanted[0] == '\0' || strcmp(wanted, name) == 0;
}

PaperScore meetings_between(const Meetings *meetings, const char *a, const char *b) {
    PaperScore sum = {0};
    for (size_t i = 0; i < meetings->count; i++) {
        const PaperMeeting *at = &meetings->items[i];
        const PaperScore other_view = reversed(&at->score);
        if (is_name(a, at->first) && is_name(b, at->second))
            paper_score_add(&sum, &at->score);
        else if (is_name(a, at->second) && is_name(b, at->first))
            paper_score_add(&sum, &other_view);
    }
    return sum;
}
