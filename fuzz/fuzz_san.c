// SPDX-License-Identifier: GPL-3.0-or-later
// Input: a FEN (or nothing, for the start position), a newline, words. Each word that is read as a
// move is a legal one, whose own text is read as the same move; it is then made.
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/san.h"
#include "fuzz/fuzz.h"

#include <string.h>

static void check_all_moves(const Position *pos) {
    Move moves[MOVES_MAX];
    size_t count = movegen(pos, MOVES_ALL, moves);
    for (size_t i = 0; i < count; i++) {
        char text[SAN_SIZE];
        Move read = MOVE_NONE;
        san_write(pos, moves[i], text);
        MUST_HOLD(strlen(text) < SAN_SIZE);
        MUST_HOLD(san_parse(pos, view_from_string(text), &read) == SAN_OK);
        MUST_HOLD(read == moves[i]);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    chess_init();
    const char *text = (const char *)data;
    const char *newline = size == 0 ? NULL : memchr(text, '\n', size);
    size_t fen_length = newline == NULL ? 0 : (size_t)(newline - text);
    StrView fen = view_of(text, fen_length), words = view_of(text, size);
    Position pos;
    position_set_start(&pos);
    if (newline != NULL)
        words = view_of(newline + 1, size - fen_length - 1);
    if (fen_length > 0 && fen_read(&fen, &pos) != OK)
        return 0;
    check_all_moves(&pos);
    for (StrView word = view_next_word(&words); word.length > 0; word = view_next_word(&words)) {
        Move move = MOVE_NONE;
        Undo undo;
        SanError error = san_parse(&pos, word, &move);
        MUST_HOLD(san_error_name(error) != NULL);
        if (error != SAN_OK)
            continue;
        MUST_HOLD(move_is_legal(&pos, move));
        position_make(&pos, move, &undo);
    }
    check_all_moves(&pos);
    return 0;
}
