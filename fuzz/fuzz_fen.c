// SPDX-License-Identifier: GPL-3.0-or-later
// Whatever is read as a position obeys the rules, and is the same when written and read again.
#include "chess/fen.h"
#include "chess/movegen.h"
#include "fuzz/fuzz.h"

#include <string.h>

static void check_round_trip(const Position *pos) {
    char text[FEN_SIZE];
    Position again;
    for (FenCastling style = FEN_X; style <= FEN_SHREDDER; style++) {
        fen_write_in(pos, style, text);
        MUST_HOLD(strlen(text) < FEN_SIZE);
        MUST_HOLD(fen_parse(text, &again) == OK);
        MUST_HOLD(memcmp(pos, &again, sizeof again) == 0);
    }
    fen_write_board(pos, text);
    StrView board = view_from_string(text);
    MUST_HOLD(fen_read(&board, &again) == OK);
    MUST_HOLD(again.key == pos->key);
}

static void check_moves(const Position *pos) {
    Move moves[MOVES_MAX];
    size_t count = movegen(pos, MOVES_ALL, moves);
    MUST_HOLD(count == movegen_count(pos));
    for (size_t i = 0; i < count; i++) {
        Position next = *pos;
        Undo undo;
        MUST_HOLD(move_is_legal(pos, moves[i]));
        position_make(&next, moves[i], &undo);
        MUST_HOLD(position_is_ok(&next));
        position_unmake(&next, moves[i], &undo);
        MUST_HOLD(memcmp(pos, &next, sizeof next) == 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    chess_init();
    Position pos;
    StrView text = view_of((const char *)data, size);
    if (fen_read(&text, &pos) == OK) {
        MUST_HOLD(text.length <= size);
        MUST_HOLD(position_is_ok(&pos));
        check_round_trip(&pos);
        check_moves(&pos);
    } else {
        MUST_HOLD(error_message()[0] != '\0');
    }
    char *copy = strndup((const char *)data, size);
    if (fen_parse(copy, &pos) == OK)
        MUST_HOLD(position_is_ok(&pos));
    free(copy);
    return 0;
}
