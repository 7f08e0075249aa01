// SPDX-License-Identifier: GPL-3.0-or-later
// Games played before. Of either file no more is cut off than the one game that comes next, half
// written, or than a power cut can have left; whatever else is found is refused, and stays.
#include "base/json.h"
#include "base/mem.h"
#include "match/play/game_text.h"
#include "match/play/tournament_internal.h"

#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    GAME_MAX = 1 << 22, // bytes of a game in PGN
    // Files are synced every two seconds; a slow disk takes its time.
    LOST_SECONDS_MAX = 10,
};

typedef struct Recall {
    Tournament *tournament;
    Match *match;
    const char *const *names;
    uint64_t pgn_bytes; // of the games that stand
    uint64_t line;
    uint64_t kept;      // bytes of games.jsonl that stand
    bool needs_newline; // behind them
    MatchGame last;     // the last game that stands
    uint64_t last_from; // where it begins in games.pgn
    double end_s;       // of the last of all games so far
    uint64_t lost;      // games that have a line, but are not all in games.pgn
    double lost_s;      // when the first of them ended
} Recall;

// --- lines ---

static bool is_name(StrView written, const char *name) {
    CLEANUP(str_free) Str json = {0};
    json_add_string(&json, name);
    return written.length + 2 == json.length &&
           memcmp(written.text, json.text + 1, written.length) == 0;
}

static Status recall_game(Recall *recall, const GameLine *told) {
    const char *const *names = recall->names;
    MatchGame game;
    if (!match_recall(recall->match, &game))
        return error_set(ERR_PARSE, "the tournament has fewer games now than were played: give it "
                                    "as many -rounds as before, or more");
    if (told->number != game.index + 1 || !is_name(told->white, names[game.white]) ||
        !is_name(told->black, names[game.black]))
        return error_set(ERR_PARSE, "here belongs game %" PRIu64 ", %s vs %s", game.index + 1,
                         names[game.white], names[game.black]);
    if (told->pgn_bytes <= recall->pgn_bytes)
        return error_set(ERR_PARSE, "pgn_bytes does not grow");
    recall->last = game;
    recall->last_from = recall->pgn_bytes;
    recall->pgn_bytes = told->pgn_bytes;
    match_recall_result(recall->match, &game, told->result, told->fault);
    return OK;
}

// A game whose line is there and whose moves are not: it must be the one that comes then.
static Status lose_game(Recall *recall, const GameLine *told) {
    MatchGame next;
    const bool is_next = recall->lost > 0 || (match_peek(recall->match, &next) &&
                                              is_name(told->white, recall->names[next.white]) &&
                                              is_name(told->black, recall->names[next.black]));
    if (!is_next || told->number != recall->line)
        return error_set(ERR_PARSE, "this is not game %" PRIu64 " of this tournament",
                         recall->line);
    if (recall->lost++ == 0)
        recall->lost_s = recall->end_s;
    return OK;
}

// Takes a line of `length` bytes, with its end.
static Status recall_line(Recall *recall, StrView line, size_t length) {
    GameLine told;
    recall->line++;
    TRY(game_parse_json(line, &told));
    recall->end_s = fmax(recall->end_s, game_json_end_s(line));
    if (recall->lost > 0 || told.pgn_bytes > recall->tournament->pgn.length)
        return lose_game(recall, &told);
    recall->kept += length;
    return recall_game(recall, &told);
}

static GameNames names_of(const Recall *recall, const MatchGame *game) {
    return (GameNames){.white = recall->names[game->white],
                       .black = recall->names[game->black],
                       .round = game->round + 1};
}

// After a power cut a file can end in zeros.
static size_t without_zeros(const char *text, size_t length) {
    while (length > 0 && text[length - 1] == '\0')
        length--;
    return length;
}

// What comes behind the last newline: a whole line counts, and half of the next one goes.
static Status recall_rest(Recall *recall, const char *text, size_t length) {
    const StrView rest = view_of(text, without_zeros(text, length));
    GameLine told;
    MatchGame next;
    if (rest.length == 0)
        return OK;
    if (game_parse_json(rest, &told) == OK) {
        TRY_PREFIX(recall_line(recall, rest, rest.length), "%s/games.jsonl:%" PRIu64,
                   recall->tournament->directory, recall->line);
        recall->needs_newline = recall->lost == 0;
        return OK;
    }
    if (recall->lost > 0 && strncmp(text, "{\"game\":", 8) == 0)
        return OK;
    if (recall->lost == 0 && match_peek(recall->match, &next)) {
        const GameNames names = names_of(recall, &next);
        if (game_text_in_json(rest, &next, &names))
            return OK;
    }
    return error_set(ERR_PARSE,
                     "%s/games.jsonl:%" PRIu64 ": '%s' is not the beginning of the next game's "
                     "line: was it put there by something else? Move it away to go on",
                     recall->tournament->directory, recall->line + 1, view_shown(rest).text);
}

static Status recall_lines(Recall *recall, FILE *file) {
    CLEANUP(mem_free_at) char *text = NULL;
    size_t capacity = 0;
    ssize_t got;
    while ((got = getline(&text, &capacity, file)) > 0) {
        if (text[got - 1] != '\n')
            TRY(recall_rest(recall, text, (size_t)got));
        else
            TRY_PREFIX(recall_line(recall, view_of(text, (size_t)got - 1), (size_t)got),
                       "%s/games.jsonl:%" PRIu64, recall->tournament->directory, recall->line);
    }
    return ferror(file) ? journal_fail(&recall->tournament->jsonl) : OK;
}

// Lines get to the disk after their games, but a power cut need not care: the games of the last
// seconds are played again. More than those were not lost so.
static Status check_lost(const Recall *recall) {
    if (recall->lost == 0 || recall->end_s - recall->lost_s <= LOST_SECONDS_MAX)
        return OK;
    return error_set(ERR_PARSE,
                     "%s/games.pgn is shorter than games.jsonl says: it has %" PRIu64 " of %" PRIu64
                     " games; put it back",
                     recall->tournament->directory, recall->line - recall->lost, recall->line);
}

// --- games ---

// Reads so many bytes, or what there is of them.
static Status read_pgn(const Tournament *tournament, uint64_t from, uint64_t count, Str *out) {
    char buffer[1 << 14];
    while (out->length < count) {
        const uint64_t left = count - out->length;
        const ssize_t got =
            pread(tournament->pgn.fd, buffer, left < sizeof buffer ? (size_t)left : sizeof buffer,
                  (off_t)(from + out->length));
        if (got < 0)
            return journal_fail(&tournament->pgn);
        if (got == 0)
            break;
        str_append(out, buffer, (size_t)got);
    }
    return OK;
}

// How many games begin behind `from`.
static uint64_t count_games(const Tournament *tournament, uint64_t from) {
    const int copy = fcntl(tournament->pgn.fd, F_DUPFD_CLOEXEC, 0);
    FILE *file = copy < 0 ? NULL : fdopen(copy, "r");
    char *text = NULL;
    size_t capacity = 0;
    uint64_t count = 0;
    if (file == NULL)
        return 0;
    if (fseeko(file, (off_t)from, SEEK_SET) == 0)
        while (getline(&text, &capacity, file) > 0)
            count += strncmp(text, "[Event \"", 8) == 0;
    fclose(file);
    free(text);
    return count;
}

// The last game that has a line must be where the line says.
static Status check_last(const Recall *recall) {
    const Tournament *tournament = recall->tournament;
    const uint64_t length = recall->pgn_bytes - recall->last_from;
    if (recall->kept == 0)
        return OK;
    CLEANUP(str_free) Str text = {0};
    const GameNames names = names_of(recall, &recall->last);
    TRY(read_pgn(tournament, recall->last_from, length, &text));
    if (game_text_in_pgn(view_of(str_text(&text), text.length), &names) == GAME_TEXT_WHOLE)
        return OK;
    return error_set(ERR_PARSE,
                     "%s/games.pgn: game %" PRIu64 " is not at byte %" PRIu64
                     ", where games.jsonl says it is: put back the file that belongs to it",
                     tournament->directory, recall->last.index + 1, recall->last_from);
}

static bool is_next_game(const Recall *recall, StrView text) {
    MatchGame next;
    if (!match_peek(recall->match, &next))
        return false;
    const GameNames names = names_of(recall, &next);
    return game_text_in_pgn(text, &names) != GAME_TEXT_OTHER;
}

static Status check_rest(const Recall *recall) {
    const Tournament *tournament = recall->tournament;
    const uint64_t from = recall->pgn_bytes;
    CLEANUP(str_free) Str text = {0};
    TRY(read_pgn(tournament, from, GAME_MAX, &text));
    const size_t length = without_zeros(str_text(&text), text.length);
    if (length > 0 &&
        (text.length == GAME_MAX || !is_next_game(recall, view_of(text.text, length))))
        return error_set(
            ERR_PARSE,
            "%s/games.pgn has %" PRIu64 " bytes (%" PRIu64 " games) behind the %" PRIu64
            " games that games.jsonl tells of, which are not just the next game, half written: "
            "put back the games.jsonl that belongs to it; or keep the rest elsewhere and cut it "
            "off (truncate -s %" PRIu64 " games.pgn), and these games are played again",
            tournament->directory, recall->tournament->pgn.length - from,
            count_games(tournament, from), match_tally(recall->match)->played, from);
    return OK;
}

// --- both ---

static Status cut_files(const Recall *recall) {
    Tournament *tournament = recall->tournament;
    CLEANUP(str_free) Str newline = {0};
    str_add(&newline, recall->needs_newline ? "\n" : "");
    TRY(journal_cut(&tournament->pgn, recall->pgn_bytes));
    TRY(journal_cut(&tournament->jsonl, recall->kept));
    return journal_append(&tournament->jsonl, &newline);
}

static Status recall_file(Recall *recall, FILE *file) {
    TRY(recall_lines(recall, file));
    TRY(check_lost(recall));
    TRY(check_last(recall));
    TRY(check_rest(recall));
    return cut_files(recall);
}

Status tournament_recall(Tournament *tournament, Match *match, const char *const *names,
                         uint64_t *lost) {
    Recall recall = {.tournament = tournament, .match = match, .names = names, .end_s = -INFINITY};
    int copy = fcntl(tournament->jsonl.fd, F_DUPFD_CLOEXEC, 0);
    FILE *file = copy < 0 ? NULL : fdopen(copy, "r");
    if (file == NULL)
        return journal_fail(&tournament->jsonl);
    const Status status = recall_file(&recall, file);
    fclose(file);
    *lost = recall.lost;
    return status;
}
