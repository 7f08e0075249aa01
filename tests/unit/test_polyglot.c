// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/polyglot.h"

#include "base/rng.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/zobrist.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

enum { GAMES = 500, PLIES = 200 };

static Position position_of(const char *fen) {
    Position pos;
    assert_int_equal(fen_parse(fen, &pos), OK);
    return pos;
}

static uint64_t ep_key(const Position *pos) {
    return zobrist.ep_file[square_file(pos->ep)];
}

// The nine keys that book_format.html publishes.
static void test_published_keys(void **state) {
    (void)state;
    static const struct {
        const char *fen;
        uint64_t key;
    } cases[] = {
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 0x463b96181691fc9cULL},
        {"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", 0x823c9b50fd114196ULL},
        {"rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 2", 0x0756b94461c50fb0ULL},
        {"rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2", 0x662fafb965db29d4ULL},
        {"rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3", 0x22a48b5a8e47ff78ULL},
        {"rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR b kq - 0 3", 0x652a607ca3f242c1ULL},
        {"rnbq1bnr/ppp1pkpp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR w - - 0 4", 0x00fdd303c946bdd9ULL},
        {"rnbqkbnr/p1pppppp/8/8/PpP4P/8/1P1PPPP1/RNBQKBNR b KQkq c3 0 3", 0x3c8123ea7b067637ULL},
        {"rnbqkbnr/p1pppppp/8/8/P6P/R1p5/1P1PPPP1/1NBQKBNR b Kkq - 0 4", 0x5c3f9b829b279560ULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Position pos = position_of(cases[i].fen);
        assert_int_equal(polyglot_key(&pos), cases[i].key);
        assert_int_equal(pos.key, cases[i].key);
    }
}

// Polyglot hashes a capture that a pin forbids; the position's own key does not.
static void test_illegal_en_passant(void **state) {
    (void)state;
    Position pinned = position_of("8/8/8/K2pP2r/8/8/8/7k w - d6 0 2");
    Position without = position_of("8/8/8/K2pP2r/8/8/8/7k w - - 0 2");
    assert_int_not_equal(polyglot_key(&pinned), polyglot_key(&without));
    assert_int_equal(pinned.key, without.key);
    assert_int_equal(polyglot_key(&without), without.key);
}

// The key kept move by move is Polyglot's but for en passant, and every legal move survives its
// code.
static void test_random_games(void **state) {
    (void)state;
    for (uint32_t game = 0; game < GAMES; game++) {
        Rng rng = rng_at(2, game, 0, 0);
        Position pos;
        position_set_start(&pos);
        for (unsigned ply = 0; ply < PLIES; ply++) {
            Move moves[MOVES_MAX];
            Undo undo;
            size_t count = movegen(&pos, MOVES_ALL, moves);
            uint64_t key = polyglot_key(&pos);
            assert_true(key == pos.key ||
                        (pos.ep != SQUARE_NONE && key == (pos.key ^ ep_key(&pos))));
            for (size_t i = 0; i < count; i++)
                assert_int_equal(polyglot_move_decode(&pos, polyglot_move_encode(&pos, moves[i])),
                                 moves[i]);
            if (count == 0)
                break;
            position_make(&pos, moves[rng_below(&rng, (uint32_t)count)], &undo);
        }
    }
}

// Codes that stand for no legal move are MOVE_NONE, whatever their bits.
static void test_every_code(void **state) {
    (void)state;
    static const char *const fens[] = {
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
    };
    for (size_t i = 0; i < sizeof fens / sizeof fens[0]; i++) {
        Position pos = position_of(fens[i]);
        size_t legal = 0, castling = 0;
        for (unsigned code = 0; code <= UINT16_MAX; code++) {
            Move move = polyglot_move_decode(&pos, (uint16_t)code);
            if (move == MOVE_NONE)
                continue;
            assert_true(move_is_legal(&pos, move));
            legal++;
            castling += move_kind(move) == MOVE_CASTLING;
        }
        // Castling is understood both ways.
        assert_int_equal(legal - castling / 2, movegen_count(&pos));
    }
}

static uint16_t code(unsigned from_file, unsigned from_rank, unsigned to_file, unsigned to_rank) {
    return (uint16_t)(to_file | to_rank << 3 | from_file << 6 | from_rank << 9);
}

static void test_castling_codes(void **state) {
    (void)state;
    Position pos = position_of("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    Move king_side = move_make_kind(E1, G1, MOVE_CASTLING);
    Move queen_side = move_make_kind(E1, C1, MOVE_CASTLING);
    assert_int_equal(polyglot_move_encode(&pos, king_side), code(4, 0, 7, 0));
    assert_int_equal(polyglot_move_encode(&pos, queen_side), code(4, 0, 0, 0));
    assert_int_equal(polyglot_move_decode(&pos, code(4, 0, 7, 0)), king_side);
    assert_int_equal(polyglot_move_decode(&pos, code(4, 0, 6, 0)), king_side);
    assert_int_equal(polyglot_move_decode(&pos, code(4, 0, 0, 0)), queen_side);
    assert_int_equal(polyglot_move_decode(&pos, code(4, 0, 2, 0)), queen_side);
    // A rook on e1 goes to h1 as rooks do.
    pos = position_of("3k4/8/8/8/8/8/K7/4R3 w - - 0 1");
    assert_int_equal(polyglot_move_decode(&pos, code(4, 0, 7, 0)), move_make(E1, H1));
}

static void test_entry_bytes(void **state) {
    (void)state;
    static const uint8_t bytes[POLYGLOT_ENTRY_SIZE] = {0x46, 0x3b, 0x96, 0x18, 0x16, 0x91,
                                                       0xfc, 0x9c, 0x03, 0x1c, 0x01, 0x02,
                                                       0xa0, 0xb0, 0xc0, 0xd0};
    PolyglotEntry entry = polyglot_entry_read(bytes);
    assert_int_equal(entry.key, 0x463b96181691fc9cULL);
    assert_int_equal(entry.weight, 0x0102);
    assert_int_equal(entry.learn, 0xa0b0c0d0);
    Position pos;
    char text[UCI_MOVE_SIZE];
    position_set_start(&pos);
    move_to_uci(&pos, polyglot_move_decode(&pos, entry.move), text);
    assert_string_equal(text, "e2e4");
    uint8_t again[POLYGLOT_ENTRY_SIZE];
    polyglot_entry_write(&entry, again);
    assert_memory_equal(again, bytes, sizeof again);
}

static int setup(void **state) {
    (void)state;
    chess_init();
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_published_keys), cmocka_unit_test(test_illegal_en_passant),
        cmocka_unit_test(test_random_games),   cmocka_unit_test(test_every_code),
        cmocka_unit_test(test_castling_codes), cmocka_unit_test(test_entry_bytes),
    };
    return cmocka_run_group_tests(tests, setup, NULL);
}
