// SPDX-License-Identifier: GPL-3.0-or-later
// The two games in the appendix of CEC 2001 are legal and end in mate, with two misprints of the
// first mended: 34.d2d3 is c2d3, and 36...a5f5 is g4f5.
#include "chess/draw.h"
#include "chess/movegen.h"
#include "testing.h"

#include <string.h>

typedef struct PrintedGame {
    const char *moves;
    size_t plies; // the paper's "97 moves" and "69 moves"
    Color winner;
} PrintedGame;

static const PrintedGame games[] = {
    {"g1f3 d7d5 b1c3 d8d6 e2e4 d5e4 c3e4 d6e6 f3g5 e6d5 d2d4 b8c6 c1e3 e7e6 f1e2 f8b4 c2c3 h7h6 "
     "e2f3 d5b5 g5f7 e8f7 a2a4 b5c4 c3b4 c6b4 b2b3 b4d3 e1d2 c4a6 d2c3 a6a5 c3d3 a5f5 g2g4 f5a5 "
     "d3c2 g8f6 e4f6 f7f6 d1e1 a5b6 g4g5 h6g5 a1d1 g5g4 a4a5 b6d6 f3g4 c8d7 g4f3 d7c6 e1e2 h8h4 "
     "a5a6 b7b5 c2b1 b5b4 f3c6 d6c6 d1c1 c6d5 e2d1 d5f5 d1c2 h4e4 c2d3 a8d8 c1c7 f5g4 c7a7 g4f5 "
     "h1g1 e4g4 d3f5 e6f5 g1g4 f5g4 a7c7 d8d5 a6a7 d5a5 e3d2 g4g3 h2g3 g7g6 d2b4 a5a6 c7c6 a6c6 "
     "a7a8q c6e6 a8f8 f6g5 f8f4 g5h5 f4h4",
     97, WHITE},
    {"d2d4 g8f6 c1f4 b8c6 b1c3 f6h5 e2e3 h5f4 e3f4 e7e6 d4d5 e6d5 d1d5 f8e7 f1c4 e8g8 a1d1 d7d6 "
     "d5e4 e7f6 g1e2 f6c3 b2c3 f8e8 e4d5 c8e6 d5e4 e6c4 e4c4 c6a5 c4d5 a5c6 d1d3 d8e7 d3e3 e7h4 "
     "g2g3 h4g4 e1d2 a8d8 h1b1 g4c8 c3c4 e8e6 e2c3 e6h6 h2h4 a7a6 b1e1 c6b4 d5b7 a6a5 b7c8 g7g6 "
     "c8d8 g8g7 d8c7 h6h5 c7d6 h5f5 e3e8 f5h5 c3e4 h5d5 c4d5 h7h5 d6f8 g7h7 f8h8",
     69, WHITE},
};

static void replay(const PrintedGame *game) {
    Position pos;
    Undo undo;
    size_t plies = 0;
    StrView rest = view_from_string(game->moves);
    position_set_start(&pos);
    for (StrView word; (word = view_next_word(&rest)).length > 0; plies++) {
        Move move = move_from_uci(&pos, word.text, word.length);
        if (move == MOVE_NONE)
            fail_msg("ply %zu: %.*s is not legal", plies + 1, (int)word.length, word.text);
        assert_int_equal(game_end(&pos, &pos.key, 1), GAME_GOES_ON);
        position_make(&pos, move, &undo);
    }
    assert_int_equal(plies, game->plies);
    assert_int_equal(game_end(&pos, &pos.key, 1), GAME_CHECKMATE);
    assert_int_equal(position_turn(&pos), color_other(game->winner));
}

static void test_the_printed_games_end_in_mate(void **state) {
    (void)state;
    chess_init();
    for (size_t i = 0; i < sizeof games / sizeof *games; i++)
        replay(&games[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_printed_games_end_in_mate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
