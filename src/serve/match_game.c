// SPDX-License-Identifier: GPL-3.0-or-later
#include "serve/match_game.h"

#include "base/json.h"
#include "base/mem.h"
#include "chess/fen.h"
#include "chess/pgn.h"
#include "chess/san.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What a comment says, from the mover's view.
typedef struct MoveScore {
    bool has_score, is_mate;
    double score; // pawns, or moves to mate
    int depth;
    double seconds; // NaN where none are told
} MoveScore;

// --- comments: {+0.31/12 0.500s}, {-M2/54 0.000s, White mates}, {book} ---

static MoveScore read_comment(StrView comment) {
    CLEANUP(mem_free_at) char *copy = view_copy(comment);
    MoveScore out = {.seconds = NAN};
    char sign = '+';
    int moves;
    if (sscanf(copy, "%c M%d/%d %lfs", &sign, &moves, &out.depth, &out.seconds) >= 3) {
        out.has_score = out.is_mate = true;
        out.score = sign == '-' ? -moves : moves;
    } else if (sscanf(copy, "%lf/%d %lfs", &out.score, &out.depth, &out.seconds) >= 2) {
        out.has_score = isfinite(out.score);
    }
    return out;
}

// Where the moves begin: behind the line of the last tag.
static StrView movetext(StrView pgn) {
    const char *at = pgn.text, *end = pgn.text + pgn.length;
    while (at < end && (*at == '[' || isspace((unsigned char)*at))) {
        const char *line = memchr(at, '\n', (size_t)(end - at));
        at = line == NULL ? end : line + 1;
    }
    return view_of(at, (size_t)(end - at));
}

static bool is_move(StrView word) {
    return isalpha((unsigned char)word.text[0]);
}

// Reads the comment behind each move, in as many places as there are moves.
static void read_comments(StrView text, MoveScore *scores, size_t count) {
    size_t moves = 0;
    while (text.length > 0) {
        text = view_trim(text);
        if (text.length == 0)
            return;
        const char *end = text.text[0] == '{' ? memchr(text.text, '}', text.length) : NULL;
        if (end == NULL) {
            const StrView word = view_next_word(&text);
            moves += is_move(word);
            continue;
        }
        const size_t length = (size_t)(end - text.text);
        if (moves > 0 && moves <= count)
            scores[moves - 1] = read_comment(view_of(text.text + 1, length - 1));
        text = view_of(end + 1, text.length - length - 1);
    }
}

// --- as JSON ---

static void write_score(const MoveScore *score, Color mover, Str *out) {
    if (!score->has_score)
        return;
    const double white = mover == WHITE ? score->score : -score->score;
    str_add(out, score->is_mate ? ",\"mate\":" : ",\"cp\":");
    json_add_number(out, score->is_mate ? white : round(100 * white));
    str_addf(out, ",\"depth\":%d,\"seconds\":", score->depth);
    json_add_number(out, score->seconds);
}

static void write_moves(const PgnGame *game, const MoveScore *scores, Str *out) {
    Position pos = game->start;
    char san[SAN_SIZE], uci[UCI_MOVE_SIZE], fen[FEN_SIZE];
    Undo undo;
    str_add(out, ",\"played\":[");
    for (size_t i = 0; i < game->move_count; i++) {
        const Color mover = position_turn(&pos);
        san_write(&pos, game->moves[i], san);
        move_to_uci(&pos, game->moves[i], uci);
        position_make(&pos, game->moves[i], &undo);
        fen_write(&pos, fen);
        str_addf(out, "%s{\"san\":\"%s\",\"uci\":\"%s\",\"fen\":\"%s\",\"check\":%s",
                 i == 0 ? "" : ",", san, uci, fen, position_checkers(&pos) != 0 ? "true" : "false");
        write_score(&scores[i], mover, out);
        str_add(out, "}");
    }
    str_add(out, "]");
}

static void write_tag(const PgnGame *game, const char *key, const char *tag, Str *out) {
    CLEANUP(mem_free_at) char *text = view_copy(pgn_tag(game, tag));
    str_addf(out, "\"%s\":", key);
    json_add_string(out, text);
    str_add(out, ",");
}

static void game_free(PgnGame **game) {
    pgn_game_free(*game);
    free(*game);
}

Status match_game_write(StrView pgn, Str *out) {
    CLEANUP(game_free) PgnGame *game = mem_alloc_zero(1, sizeof *game);
    char fen[FEN_SIZE];
    size_t consumed;
    if (pgn_parse(game, pgn, true, &consumed) != PGN_STEP_GAME ||
        pgn_is_skipped(game->problem.kind))
        return error_set(ERR_PARSE, "this game cannot be read");
    CLEANUP(mem_free_at)
    MoveScore *scores = mem_alloc_zero(game->move_count + 1, sizeof *scores);
    read_comments(movetext(pgn), scores, game->move_count);
    fen_write(&game->start, fen);
    str_add(out, "{");
    write_tag(game, "white", "White", out);
    write_tag(game, "black", "Black", out);
    write_tag(game, "termination", "Termination", out);
    str_addf(out, "\"result\":\"%s\",\"start\":\"%s\"", pgn_result_text(pgn_result(game)), fen);
    write_moves(game, scores, out);
    str_add(out, "}");
    return OK;
}
