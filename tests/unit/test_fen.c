// SPDX-License-Identifier: GPL-3.0-or-later
#include "walk.h"

#include <string.h>

static void visit_round_trip(Position *pos, Rng *rng) {
    (void)rng;
    char text[FEN_SIZE], again[FEN_SIZE];
    Position back;
    fen_write(pos, text);
    assert_int_equal(fen_parse(text, &back), OK);
    assert_memory_equal(&back, pos, sizeof back);
    fen_write(&back, again);
    assert_string_equal(again, text);
}

static void test_round_trip(void **state) {
    (void)state;
    walk(9, 100000, visit_round_trip);
}

typedef struct Case {
    const char *text, *said; // what is said of a bad one, or how a good one is written
} Case;

static const Case refused[] = {
    {"", "no position"},
    {"   ", "no position"},
    {"8/8/8/8/8/8/8/8 w - - 0 1", "White has 0 kings, not 1"},
    {"4k3/8/8/8/8/8/8/4K2K w - - 0 1", "White has 2 kings, not 1"},
    {"4k2P/8/8/8/8/8/8/4K3 w - - 0 1", "a pawn stands on a back rank"},
    {"4k3/8/8/8/8/8/8/4K2R b K - 0 1", NULL},
    {"4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", "Black is in check, but White is to move"},
    {"4k3/8/8/8/8/8/4r3/4K3 b - - 0 1", "White is in check, but Black is to move"},
    {"4k3/8/8/8/8/8/8/4K3 w K - 0 1", "castling right 'K' without king and rook at home"},
    {"4k3/8/8/8/8/8/8/R3K3 w A - 0 1", NULL},
    {"4k3/8/8/8/8/8/8/R3K3 w B - 0 1", "castling right 'B' without king and rook at home"},
    {"4k3/8/8/8/8/8/4K3/R6R w HA - 0 1", "castling right 'H' without king and rook at home"},
    {"4k3/8/8/8/8/8/8/RR2K3 w AB - 0 1", "castling right 'B' is the second of its side"},
    {"4k3/8/8/8/8/8/8/RR2K3 w QA - 0 1", NULL},
    {"4k3/8/8/8/8/8/8/4K3 w Z - 0 1",
     "castling field has a character that is none of KQkq-, nor the file of a rook"},
    {"4k3/8/8/8/8/8/8/4K3 w - e6 0 1", "no pawn can just have passed the en passant square"},
    {"4k3/8/8/4p3/8/8/8/4K3 w - e3 0 1",
     "en passant square is on the wrong rank for the side to move"},
    {"4k3/8/8/4p3/8/8/8/4K3 w - e9 0 1", "en passant field 'e9' is no square"},
    {"4k3/8/8/8/8/8/8/4K3 x - - 0 1", "side to move 'x' is neither w nor b"},
    {"4k3/8/8/8/8/8/8/4K3", "the side to move is missing"},
    {"4k3/8/8/8/8/8/8/4K3 w - - 0 1 bm Ke2;", "'bm Ke2;' after the position"},
    {"4k3/8/8/8/8/8/4K3 w - - 0 1", "the board has 7 ranks, not 8"},
    {"4k3/8/8/8/8/8/8/8/4K3 w - - 0 1", "the board has more than 8 ranks"},
    {"4k3/8/8/8/8/8/8/4K3/ w - - 0 1", "the board has more than 8 ranks"},
    {"4k4/8/8/8/8/8/8/4K3 w - - 0 1", "rank 8 has more than 8 squares"},
    {"4k2/8/8/8/8/8/8/4K3 w - - 0 1", "rank 8 has 7 squares, not 8"},
    {"4k3/8/8/8/8/8/x7/4K3 w - - 0 1", "'x' is no piece"},
    {"4k3/pppppppp/p7/8/8/8/8/4K3 w - - 0 1", "Black has 9 pawns"},
    {"4k3/8/8/8/8/NNNNNNNN/PPPPPPPP/4K3 w - - 0 1", "White has 17 men"},
    {"4k3/8/8/8/8/QQ6/PPPPPPPP/4K3 w - - 0 1", "White has more promoted pieces than missing pawns"},
};

static void test_refused_with_reason(void **state) {
    (void)state;
    chess_init();
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        Position pos;
        if (refused[i].said == NULL) {
            assert_int_equal(fen_parse(refused[i].text, &pos), OK);
            continue;
        }
        assert_int_equal(fen_parse(refused[i].text, &pos), ERR_PARSE);
        assert_string_equal(error_message(), refused[i].said);
    }
}

static const Case tolerated[] = {
    {"4k3/8/8/8/8/8/8/4K3 w - -", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"},
    {"  4k3/8/8/8/8/8/8/4K3   b  -   -  7   9 ", "4k3/8/8/8/8/8/8/4K3 b - - 7 9"},
    {"4k3/8/8/8/8/8/8/4K3 w - -0 1", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"},
    {"4k3/8/8/8/8/8/8/4K3 w - -12 44;", "4k3/8/8/8/8/8/8/4K3 w - - 12 44"},
    {"4k3/8/8/8/8/8/8/4K3 w", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"},
    {"4k3/8/8/8/8/8/8/4K3 w - - 3", "4k3/8/8/8/8/8/8/4K3 w - - 3 1"},
    {"4k3/8/8/8/8/8/8/4K3 w - - 0 0", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"},
    {"r3k2r/8/8/8/8/8/8/R3K2R w qkQK - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"},
    {"4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1", "4k3/8/8/8/4P3/8/8/4K3 b - - 0 1"},
    {"4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1"},
};

static void test_sloppy_but_clear(void **state) {
    (void)state;
    chess_init();
    for (size_t i = 0; i < sizeof tolerated / sizeof tolerated[0]; i++) {
        Position pos;
        char text[FEN_SIZE];
        assert_int_equal(fen_parse(tolerated[i].text, &pos), OK);
        fen_write(&pos, text);
        assert_string_equal(text, tolerated[i].said);
    }
}

static void test_read_leaves_the_rest(void **state) {
    (void)state;
    chess_init();
    const char line[] = "4k3/8/8/8/8/8/8/4K3 w - - bm Kd2;\0junk";
    StrView rest = {line, sizeof line - 1};
    Position pos;
    assert_int_equal(fen_read(&rest, &pos), OK);
    assert_memory_equal(view_trim(rest).text, "bm Kd2;", 7);
    StrView nul = {"4k3/8/8/8/8/8/8/4K3 w - -\0", 26};
    assert_int_equal(fen_read(&nul, &pos), OK);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_refused_with_reason),
        cmocka_unit_test(test_sloppy_but_clear),
        cmocka_unit_test(test_read_leaves_the_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
