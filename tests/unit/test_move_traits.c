// SPDX-License-Identifier: GPL-3.0-or-later
// Kinds of moves, on positions made by hand and as properties of random games.
#include "players/move_traits.h"

#include "chess/fen.h"
#include "chess/san.h"
#include "testing.h"

#define BIT(trait) (1u << TRAIT_##trait)

static void check(const char *fen, const char *san, unsigned expected) {
    Position pos;
    Move move;
    assert_int_equal(fen_parse(fen, &pos), OK);
    assert_int_equal(san_parse(&pos, view_from_string(san), &move), SAN_OK);
    if (move_traits(&pos, move) != expected)
        fail_msg("%s in %s: %x, expected %x", san, fen, move_traits(&pos, move), expected);
}

static void test_positions_made_by_hand(void **state) {
    (void)state;
    const char *open = "r3k2r/ppp2ppp/2n2n2/3q4/3Q4/2N2N2/PPP2PPP/R3K2R w KQkq - 0 1";
    check(open, "O-O", BIT(CASTLING));
    check(open, "O-O-O", BIT(CASTLING));
    check(open, "Kf1", BIT(KING));
    check(open, "h3", BIT(PAWN));
    check(open, "Nxd5", BIT(KNIGHT) | BIT(CAPTURE) | BIT(TOWARDS_KING));
    check(open, "Qxd5", BIT(QUEEN) | BIT(CAPTURE) | BIT(TOWARDS_KING) | BIT(QUEENS_OFF));
    // Guarded by the knight, in the other queen's line, and for a knight to take; then not in it.
    check(open, "Qe4+", BIT(QUEEN) | BIT(CHECK) | BIT(QUEENS_OFF) | BIT(OFFER));
    check(open, "Qd2", BIT(QUEEN) | BIT(RETREAT) | BIT(QUEENS_OFF));
    check(open, "Qf4", BIT(QUEEN));
    check(open, "Nd2", BIT(KNIGHT) | BIT(RETREAT));
    check(open, "Rd1", BIT(ROOK));
    const char *black = "4k3/8/8/2b5/4p3/8/3P4/4K2R b - - 0 1";
    check(black, "Bf8", BIT(BISHOP) | BIT(RETREAT));
    check(black, "Bb4", BIT(BISHOP) | BIT(TOWARDS_KING));
    check("4k3/8/8/8/3Pp3/8/8/4K2R b - d3 0 1", "exd3", BIT(PAWN) | BIT(CAPTURE));
    // A pawn for nothing; a rook for a pawn; a rook that nobody takes.
    check("4k3/8/3p4/8/4P3/8/8/4K3 w - - 0 1", "e5", BIT(PAWN) | BIT(OFFER));
    check("4k3/1p6/2p5/8/8/8/8/2R1K3 w - - 0 1", "Rxc6",
          BIT(ROOK) | BIT(CAPTURE) | BIT(TOWARDS_KING) | BIT(OFFER));
    check("4k3/8/8/8/8/8/5r2/R3K3 w - - 0 1", "Ra7", BIT(ROOK) | BIT(TOWARDS_KING));
    // A discovered check.
    check("4k3/8/8/8/4N3/8/8/4RK2 w - - 0 1", "Nc5+", BIT(KNIGHT) | BIT(CHECK) | BIT(TOWARDS_KING));
    check("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a8=Q+", BIT(PAWN) | BIT(CHECK));
}

static void test_every_move_is_of_one_piece_and_the_same_seen_from_the_other_side(void **state) {
    (void)state;
    const unsigned pieces =
        BIT(CASTLING) | BIT(PAWN) | BIT(KNIGHT) | BIT(BISHOP) | BIT(ROOK) | BIT(QUEEN) | BIT(KING);
    PgnGame game = {0};
    Rng rng = rng_at(6, 0, 0, 0);
    for (int i = 0; i < 200; i++) {
        Move moves[MOVES_MAX];
        Position mirrored;
        testing_random_game(&game, &rng, 1 + rng_below(&rng, 80));
        position_mirror(&game.final, &mirrored);
        const size_t count = movegen(&game.final, MOVES_ALL, moves);
        for (size_t k = 0; k < count; k++) {
            const unsigned traits = move_traits(&game.final, moves[k]);
            assert_int_equal(__builtin_popcount(traits & pieces), 1);
            assert_int_equal((traits & BIT(CAPTURE)) != 0, move_is_capture(&game.final, moves[k]));
            assert_int_equal(traits, move_traits(&mirrored, (Move)(moves[k] ^ (56 | 56 << 6))));
        }
    }
    pgn_game_free(&game);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_positions_made_by_hand),
        cmocka_unit_test(test_every_move_is_of_one_piece_and_the_same_seen_from_the_other_side),
    };
    return cmocka_run_group_tests(tests, testing_set_up, testing_tear_down);
}
