// SPDX-License-Identifier: GPL-3.0-or-later
#include "board/play_game.h"

#include "base/json.h"
#include "base/mem.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/san.h"

#include <stdlib.h>
#include <string.h>

void play_text(StrView body, const char *key, Str *out) {
    StrView value;
    str_clear(out);
    if (json_find(body, key, &value))
        json_add_unescaped(out, value);
}

static void add_key(PlayGame *game) {
    MEM_ADD(game->keys, game->key_count, game->key_capacity) = game->pgn.final.key;
}

static Status add_moves(PlayGame *game, StrView rest) {
    for (;;) {
        const StrView word = view_next_word(&rest);
        if (word.length == 0)
            return OK;
        const Move move = move_from_uci(&game->pgn.final, word.text, word.length);
        if (move == MOVE_NONE)
            return error_set(ERR_ARG, "'%s' is no move in this position", view_shown(word).text);
        if (game->pgn.move_count >= PLAY_PLIES_MAX || !pgn_add_move(&game->pgn, move))
            return error_set(ERR_LIMIT, "more than %d moves", PLAY_PLIES_MAX);
        add_key(game);
    }
}

static Status add_said(PlayGame *game, StrView body) {
    CLEANUP(str_free) Str said = {0};
    Move move;
    play_text(body, "say", &said);
    if (said.length == 0)
        return OK;
    const SanError error = san_parse(&game->pgn.final, view_of(said.text, said.length), &move);
    if (error != SAN_OK)
        return error_set(ERR_ARG, "%s: %s", str_text(&said), san_error_name(error));
    if (game->pgn.move_count >= PLAY_PLIES_MAX || !pgn_add_move(&game->pgn, move))
        return error_set(ERR_LIMIT, "more than %d moves", PLAY_PLIES_MAX);
    add_key(game);
    return OK;
}

Status play_game_read(PlayGame *game, StrView body) {
    CLEANUP(str_free) Str fen = {0};
    CLEANUP(str_free) Str moves = {0};
    Position start;
    play_text(body, "fen", &fen);
    play_text(body, "moves", &moves);
    TRY(fen_parse(fen.length == 0 ? fen_start : str_text(&fen), &start));
    pgn_game_reset(&game->pgn);
    pgn_set_start(&game->pgn, &start);
    add_key(game);
    TRY(add_moves(game, view_of(str_text(&moves), moves.length)));
    TRY(add_said(game, body));
    game->end = game_end(&game->pgn.final, game->keys, game->key_count);
    return OK;
}

void play_game_free(PlayGame *game) {
    pgn_game_free(&game->pgn);
    free(game->keys);
}

GameResult play_game_result(const PlayGame *game) {
    if (game->end == GAME_GOES_ON)
        return RESULT_UNKNOWN;
    if (game->end != GAME_CHECKMATE)
        return RESULT_DRAW;
    return position_turn(&game->pgn.final) == WHITE ? RESULT_BLACK_WINS : RESULT_WHITE_WINS;
}

// --- as JSON ---

static void square_text(Square square, char out[3]) {
    out[0] = (char)('a' + square_file(square));
    out[1] = (char)('1' + square_rank(square));
    out[2] = '\0';
}

// "e2":["e3","e4"], of each piece that can move.
static void write_moves(const Position *pos, Str *out) {
    Move moves[MOVES_MAX];
    const size_t count = movegen(pos, MOVES_ALL, moves);
    char name[3];
    size_t pieces = 0;
    str_add(out, ",\"legal\":{");
    for (Square from = A1; from < SQUARE_NB; from++) {
        size_t told = 0;
        for (size_t i = 0; i < count; i++) {
            // Of the four promotions the page asks for one.
            if (move_from(moves[i]) != from ||
                (move_kind(moves[i]) == MOVE_PROMOTION && move_promotion(moves[i]) != QUEEN))
                continue;
            square_text(from, name);
            if (told++ == 0)
                str_addf(out, "%s\"%s\":[", pieces++ == 0 ? "" : ",", name);
            // In Chess960 the king may go where castling leads to: there it takes the rook.
            char uci[UCI_MOVE_SIZE];
            move_to_uci(pos, moves[i], uci);
            str_addf(out, "%s\"%.2s\"", told == 1 ? "" : ",", uci + 2);
        }
        if (told > 0)
            str_add(out, "]");
    }
    str_add(out, "}");
}

static void write_played(const PgnGame *game, Str *out) {
    Position pos = game->start;
    char san[SAN_SIZE], uci[UCI_MOVE_SIZE];
    Undo undo;
    str_add(out, ",\"played\":[");
    for (size_t i = 0; i < game->move_count; i++) {
        san_write(&pos, game->moves[i], san);
        move_to_uci(&pos, game->moves[i], uci);
        str_addf(out, "%s{\"san\":\"%s\",\"uci\":\"%s\"", i == 0 ? "" : ",", san, uci);
        position_make(&pos, game->moves[i], &undo);
        char fen[FEN_SIZE];
        fen_write(&pos, fen);
        str_addf(out, ",\"fen\":\"%s\"}", fen);
    }
    str_add(out, "]");
}

void play_game_write(const PlayGame *game, Str *out) {
    static const char *const ends[] = {
        [GAME_GOES_ON] = "",
        [GAME_CHECKMATE] = "checkmate",
        [GAME_STALEMATE] = "stalemate",
        [GAME_MATERIAL] = "draw: nobody can mate",
        [GAME_FIFTY_MOVES] = "draw by the fifty-move rule",
        [GAME_REPETITION] = "draw by repetition",
    };
    const Position *pos = &game->pgn.final;
    char fen[FEN_SIZE], start[FEN_SIZE];
    fen_write(pos, fen);
    fen_write(&game->pgn.start, start);
    str_addf(out, "{\"fen\":\"%s\",\"start\":\"%s\",\"turn\":\"%s\",\"check\":%s,\"end\":\"%s\"",
             fen, start, position_turn(pos) == WHITE ? "white" : "black",
             position_checkers(pos) != 0 ? "true" : "false", ends[game->end]);
    str_addf(out, ",\"result\":\"%s\"", pgn_result_text(play_game_result(game)));
    write_moves(pos, out);
    write_played(&game->pgn, out);
    str_add(out, "}");
}
