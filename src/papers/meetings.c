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

typedef Status TakeLine(Meetings *meetings, StrView line);

static Status read_lines(Meetings *out, const char *path, TakeLine *take) {
    CLEANUP(lines_close_at) LineReader *lines = NULL;
    CLEANUP(meetings_free) Meetings meetings = {0};
    TRY(lines_open(&lines, path, MEETINGS_LINE_MAX));
    for (StrView line;;) {
        TRY(lines_next(lines, &line));
        if (line.text == NULL)
            break;
        TRY_PREFIX(take(&meetings, line), "%s:%" PRIu64, path, lines_number(lines));
    }
    *out = meetings;
    meetings = (Meetings){0};
    return OK;
}

Status meetings_read_games(Meetings *out, const char *path) {
    return read_lines(out, path, add_line);
}

// --- a file of its own ---

void meetings_write(const Meetings *meetings, Str *out) {
    for (size_t i = 0; i < meetings->count; i++) {
        const PaperMeeting *at = &meetings->items[i];
        const size_t start = out->length;
        str_add(out, "{\"first\":");
        json_add_string(out, at->first);
        str_add(out, ",\"second\":");
        json_add_string(out, at->second);
        str_addf(out, ",\"wins\":%" PRIu64 ",\"draws\":%" PRIu64 ",\"losses\":%" PRIu64,
                 at->score.games.wins, at->score.games.draws, at->score.games.losses);
        for (int pair = 0; pair < PAIR_RESULTS; pair++)
            str_addf(out, ",\"pairs_%d\":%" PRIu64, pair, at->score.pairs.results[pair]);
        str_addf(out, ",\"adjudicated\":%.0f", at->score.adjudicated);
        json_end_checked(out, start);
    }
}

static bool find_count(StrView line, const char *key, uint64_t *out) {
    int64_t value;
    const bool is_count = json_find_int(line, key, &value) && value >= 0 && value < UINT32_MAX;
    *out = is_count ? (uint64_t)value : 0;
    return is_count;
}

static Status add_meeting(Meetings *meetings, StrView line) {
    StrView first, second;
    PaperScore score = {0};
    uint64_t adjudicated, pairs = 0;
    bool is_good = json_find(line, "first", &first) && json_find(line, "second", &second) &&
                   find_count(line, "wins", &score.games.wins) &&
                   find_count(line, "draws", &score.games.draws) &&
                   find_count(line, "losses", &score.games.losses) &&
                   find_count(line, "adjudicated", &adjudicated);
    for (int pair = 0; pair < PAIR_RESULTS && is_good; pair++) {
        char key[] = "pairs_0";
        key[sizeof key - 2] = (char)('0' + pair);
        is_good = find_count(line, key, &score.pairs.results[pair]);
        pairs += score.pairs.results[pair];
    }
    const uint64_t games = score.games.wins + score.games.draws + score.games.losses;
    if (!is_good || adjudicated > games || pairs > games / 2)
        return error_set(ERR_PARSE, "no line of two players' games");
    TRY(json_check(line));
    CLEANUP(mem_free_at) char *one = unescaped(first);
    CLEANUP(mem_free_at) char *other = unescaped(second);
    score.adjudicated = (double)adjudicated;
    meeting_of(meetings, one, other)->score = score;
    return OK;
}

Status meetings_read(Meetings *out, const char *path) {
    return read_lines(out, path, add_meeting);
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
