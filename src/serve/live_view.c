// SPDX-License-Identifier: GPL-3.0-or-later
#include "serve/live_view.h"

#include "base/json.h"
#include "base/mem.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "match/play/live_games.h"
#include "serve/plain_file.h"

#include <math.h>
#include <string.h>

// A mate in a curve, in centipawns: beyond all that a page draws.
enum { LIVE_FILE_MAX = 1 << 22, CURVE_MATE_CP = 100000 };

// A score from White's view.
typedef struct LiveScore {
    bool is_known, is_mate;
    int64_t score;
} LiveScore;

// A game while its moves are made.
typedef struct Replay {
    Position pos;
    size_t plies;
    char last[UCI_MOVE_SIZE];
    LiveScore scores[COLOR_NB]; // the last of each side
    Str curve;
} Replay;

// "31", "-12", "M3", "M-3", or "-" for none; from the mover's view.
static LiveScore read_score(StrView word, Color mover) {
    LiveScore out = {.is_mate = word.length > 0 && word.text[0] == 'M'};
    const size_t skipped = out.is_mate;
    out.is_known = view_to_int(view_of(word.text + skipped, word.length - skipped), &out.score) &&
                   out.score > -CURVE_MATE_CP && out.score < CURVE_MATE_CP;
    out.score = mover == WHITE ? out.score : -out.score;
    return out;
}

static void add_to_curve(Replay *replay, const LiveScore *score) {
    str_add(&replay->curve, replay->plies == 0 ? "" : ",");
    if (!score->is_known)
        str_add(&replay->curve, "null");
    else
        str_addf(&replay->curve, "%lld",
                 (long long)(!score->is_mate    ? score->score
                             : score->score > 0 ? CURVE_MATE_CP
                                                : -CURVE_MATE_CP));
}

// Makes all moves; false at one that is none.
static bool make_moves(Replay *replay, StrView moves, StrView scores) {
    while (view_trim(moves).length > 0) {
        const StrView word = view_next_word(&moves);
        const Move move = move_from_uci(&replay->pos, word.text, word.length);
        const Color mover = position_turn(&replay->pos);
        const LiveScore score = read_score(view_next_word(&scores), mover);
        Undo undo;
        if (move == MOVE_NONE)
            return false;
        move_to_uci(&replay->pos, move, replay->last);
        position_make(&replay->pos, move, &undo);
        add_to_curve(replay, &score);
        if (score.is_known)
            replay->scores[mover] = score;
        replay->plies++;
    }
    return true;
}

static void write_score(const char *key, const LiveScore *score, Str *out) {
    str_addf(out, ",\"%s\":", key);
    if (score->is_known)
        str_addf(out, "{\"%s\":%lld}", score->is_mate ? "mate" : "cp", (long long)score->score);
    else
        str_add(out, "null");
}

static void write_number(StrView line, const char *key, Str *out) {
    int64_t number;
    str_addf(out, ",\"%s\":", key);
    json_add_number(out, json_find_int(line, key, &number) ? (double)number : NAN);
}

static void write_text(StrView line, const char *key, Str *out) {
    CLEANUP(str_free) Str text = {0};
    StrView value;
    if (json_find(line, key, &value))
        json_add_unescaped(&text, value);
    str_addf(out, ",\"%s\":", key);
    json_add_string(out, str_text(&text));
}

static void write_board(StrView line, const Replay *replay, Str *out) {
    static const char *const numbers[] = {"game", "opening", "white_ms", "black_ms", "since_ms"};
    int64_t board = 0;
    char fen[FEN_SIZE];
    json_find_int(line, "board", &board);
    fen_write(&replay->pos, fen);
    str_addf(out, "{\"board\":%lld,\"fen\":\"%s\",\"turn\":\"%s\",\"check\":%s,\"plies\":%zu",
             (long long)board, fen, position_turn(&replay->pos) == WHITE ? "white" : "black",
             position_checkers(&replay->pos) != 0 ? "true" : "false", replay->plies);
    if (replay->plies > 0)
        str_addf(out, ",\"last\":\"%s\"", replay->last);
    write_text(line, "white", out);
    write_text(line, "black", out);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        write_number(line, numbers[i], out);
    write_score("white_score", &replay->scores[WHITE], out);
    write_score("black_score", &replay->scores[BLACK], out);
    str_addf(out, ",\"curve\":[%s]}", str_text(&replay->curve));
}

// False where it cannot be read.
static bool write_game(StrView line, bool is_first, Str *out) {
    Replay replay = {0};
    StrView start, moves, scores;
    const bool is_read = json_find(line, "start", &start) && json_find(line, "moves", &moves) &&
                         json_find(line, "scores", &scores) &&
                         fen_read(&start, &replay.pos) == OK && make_moves(&replay, moves, scores);
    if (is_read) {
        str_add(out, is_first ? "" : ",");
        write_board(line, &replay, out);
    }
    str_free(&replay.curve);
    return is_read;
}

void live_view_write(const char *folder, Str *out) {
    CLEANUP(str_free) Str path = {0};
    CLEANUP(str_free) Str text = {0};
    size_t told = 0;
    str_addf(&path, "%s/%s", folder, live_games_file);
    str_add(out, "[");
    if (plain_read(str_text(&path), LIVE_FILE_MAX, &text) == OK) {
        const char *end;
        for (const char *line = str_text(&text);
             told < LIVE_GAMES_MAX && (end = strchr(line, '\n')) != NULL; line = end + 1)
            told += write_game(view_of(line, (size_t)(end - line)), told == 0, out);
    }
    str_add(out, "]");
}
