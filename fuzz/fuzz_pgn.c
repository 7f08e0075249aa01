// SPDX-License-Identifier: GPL-3.0-or-later
// Every move of every game is legal by itself, nothing is consumed twice or never, a whole game is
// the same when written and read again, and it does not matter in how many pieces the text comes.
#include "base/mem.h"
#include "chess/movegen.h"
#include "chess/pgn.h"
#include "fuzz/fuzz.h"

#include <string.h>

static void check_moves(const PgnGame *game) {
    Position pos = game->start;
    MUST_HOLD(position_is_ok(&pos));
    for (size_t i = 0; i < game->move_count; i++) {
        Undo undo;
        MUST_HOLD(move_is_legal(&pos, game->moves[i]));
        position_make(&pos, game->moves[i], &undo);
    }
    MUST_HOLD(memcmp(&pos, &game->final, sizeof pos) == 0);
    MUST_HOLD(game->tag_count <= PGN_TAGS_MAX);
}

static void check_same(const PgnGame *a, const PgnGame *b) {
    MUST_HOLD(a->move_count == b->move_count);
    MUST_HOLD(a->move_count == 0 ||
              memcmp(a->moves, b->moves, a->move_count * sizeof *a->moves) == 0);
    MUST_HOLD(a->result == b->result);
    MUST_HOLD(a->problem.kind == b->problem.kind);
}

static void check_written(const PgnGame *game) {
    Str text = {0};
    PgnGame again = {0};
    size_t consumed;
    pgn_write(game, NULL, &text);
    MUST_HOLD(pgn_parse(&again, view_of(str_text(&text), text.length), true, &consumed) ==
              PGN_STEP_GAME);
    MUST_HOLD(again.problem.kind == PGN_FINE);
    MUST_HOLD(again.move_count == game->move_count);
    MUST_HOLD(memcmp(&again.final, &game->final, sizeof again.final) == 0);
    MUST_HOLD(pgn_result(&again) == pgn_result(game));
    pgn_game_free(&again);
    str_free(&text);
}

// Asks with less text first: the answer must be the same game, or a wish for more.
static void check_in_pieces(const PgnGame *game, StrView text, size_t consumed) {
    PgnGame part = {0};
    size_t used;
    for (size_t length = 1; length < text.length; length = length * 3 + 1) {
        // A copy of just that length, so that a look beyond it is seen.
        char *piece = mem_alloc(length);
        memcpy(piece, text.text, length);
        if (pgn_parse(&part, view_of(piece, length), false, &used) == PGN_STEP_GAME) {
            MUST_HOLD(used == consumed);
            check_same(&part, game);
        }
        free(piece);
    }
    pgn_game_free(&part);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    chess_init();
    PgnGame game = {0};
    StrView text = view_of((const char *)data, size);
    size_t consumed = 0;
    while (pgn_parse(&game, text, true, &consumed) == PGN_STEP_GAME) {
        MUST_HOLD(consumed > 0 && consumed <= text.length);
        MUST_HOLD(game.offset + game.length <= text.length);
        if (!pgn_is_skipped(game.problem.kind))
            check_moves(&game);
        else
            MUST_HOLD(game.move_count == 0);
        if (game.problem.kind == PGN_FINE)
            check_written(&game);
        check_in_pieces(&game, text, consumed);
        text = view_of(text.text + consumed, text.length - consumed);
    }
    pgn_game_free(&game);
    return 0;
}
