// SPDX-License-Identifier: GPL-3.0-or-later
// Blocked pawn endings: what is called a draw is proved one, by visiting every position that can
// be reached from it.
#include "search/blockage.h"

#include "base/rng.h"
#include "searching.h"

#include <stdio.h>

static const char *const blocked[] = {
    // Walls of four pawns each, on either colour of files, with either side to move.
    "8/8/3k4/1p1p1p1p/1P1P1P1P/3K4/8/8 w - - 0 1",
    "8/8/3k4/1p1p1p1p/1P1P1P1P/3K4/8/8 b - - 0 1",
    "8/8/1k6/p1p1p1p1/P1P1P1P1/1K6/8/8 w - - 12 60",
    // Material does not matter: three pawns more, behind the wall.
    "8/4k3/8/1p1p1p1p/1P1P1P1P/1P1P1P2/4K3/8 w - - 0 1",
    "8/1p1k1p2/1p3p2/1p1p1p1p/1P1P1P1P/8/4K3/8 w - - 0 1",
    // Walls with steps; a pawn inside the enemy's camp that another guards.
    "8/8/1p1k4/pP1p1p1p/P2P1P1P/3K4/8/8 w - - 0 1",
    "8/3k4/1p1p4/pPpPp1p1/P1P1P1P1/8/3K4/8 w - - 0 1",
    "8/3k4/3p1p2/p1pPpPp1/P1P1P1P1/8/3K4/8 b - - 0 1",
    // Next to the wall, and in the corner.
    "8/8/6k1/1p1p1p1p/1P1P1P1P/6K1/8/8 b - - 0 1",
    "k7/8/8/1p1p1p1p/1P1P1P1P/8/8/7K b - - 40 90",
};
enum { BLOCKED = sizeof blocked / sizeof blocked[0] };

static const char *const open_yet[] = {
    // A king can go round the wall.
    "8/8/3k4/1p1p1p2/1P1P1P2/3K4/8/8 w - - 0 1",
    "8/8/3k4/3p1p1p/3P1P1P/3K4/8/8 b - - 0 1",
    "8/8/3k4/1p3p1p/1P3P1P/3K4/8/8 w - - 0 1",
    // A king stands beyond it, where pawns are without guard.
    "8/3K1k2/8/1p1p1p1p/1P1P1P1P/8/8/8 w - - 0 1",
    "8/8/8/1p1p1p1p/1P1P1P1P/8/3k1K2/8 b - - 0 1",
    // A pawn can step, now or once a king has moved, and break the wall.
    "8/8/3k4/1p1p1p1p/1P1P1P1P/2PK4/8/8 w - - 0 1",
    "8/2p5/3k4/1p1p1p1p/1P1P1P1P/3K4/8/8 w - - 0 1",
    "8/2p5/2k5/1p1p1p1p/1P1P1P1P/3K4/8/8 w - - 0 1",
    // A pawn can take.
    "8/8/3k4/1p1p1p1p/1PPP1P1P/3K4/8/8 w - - 0 1",
    "8/8/3k4/1pp2p1p/1P1P1P1P/3K4/8/8 b - - 0 1",
    // En passant opens what else would be closed.
    "8/8/1p1k4/pP1p1p1p/P2P1P1P/3K4/8/8 w - a6 0 1",
    // The guard of a pawn is the king alone.
    "8/8/4k3/4p3/4P3/4K3/8/8 w - - 0 1",
    // Pieces, or no pawns at all.
    "8/8/3k4/1p1p1p1p/1P1P1P1P/3K4/8/6N1 w - - 0 1",
    "8/8/3k4/8/8/3K4/8/8 w - - 0 1",
};
enum { OPEN_YET = sizeof open_yet / sizeof open_yet[0] };

// All that can come of a position while only kings move.
typedef struct Reach {
    bool seen[2 * SQUARE_NB * SQUARE_NB];
    Position queue[2 * SQUARE_NB * SQUARE_NB];
    size_t count;
} Reach;

static void reach_add(Reach *reach, const Position *pos) {
    size_t index =
        (size_t)(position_king(pos, WHITE) * SQUARE_NB + position_king(pos, BLACK)) * 2 + pos->turn;
    if (!reach->seen[index])
        reach->queue[reach->count++] = *pos;
    reach->seen[index] = true;
}

// The oracle: no position that can be reached has a pawn's move, a capture, or a mate.
static bool nothing_ever_happens(const Position *start) {
    static Reach reach;
    memset(reach.seen, 0, sizeof reach.seen);
    reach.count = 0;
    reach_add(&reach, start);
    for (size_t i = 0; i < reach.count; i++) {
        Position pos = reach.queue[i];
        Move moves[MOVES_MAX];
        size_t count = movegen(&pos, MOVES_ALL, moves);
        if (count == 0 && position_checkers(&pos) != 0)
            return false;
        for (size_t j = 0; j < count; j++) {
            Undo undo;
            if (piece_type(pos.board[move_from(moves[j])]) != KING ||
                move_is_capture(&pos, moves[j]))
                return false;
            position_make(&pos, moves[j], &undo);
            reach_add(&reach, &pos);
            position_unmake(&pos, moves[j], &undo);
        }
    }
    return true;
}

static Position position_of(const char *fen) {
    Position pos;
    chess_init();
    if (fen_parse(fen, &pos) != OK)
        fail_msg("%s: %s", fen, error_message());
    return pos;
}

static void assert_verdict(const char *fen, bool expected) {
    Position pos = position_of(fen), mirrored;
    position_mirror(&pos, &mirrored);
    if (blockage_is_draw(&pos) != expected || blockage_is_draw(&mirrored) != expected)
        fail_msg("%s is %s", fen, expected ? "blocked" : "open yet");
    if (expected)
        assert_true(nothing_ever_happens(&pos));
}

static void test_blocked_is_recognised(void **state) {
    (void)state;
    for (size_t i = 0; i < BLOCKED; i++)
        assert_verdict(blocked[i], true);
}

static void test_near_misses_are_not(void **state) {
    (void)state;
    for (size_t i = 0; i < OPEN_YET; i++)
        assert_verdict(open_yet[i], false);
}

// The pawn that closed the position gave mate with its last step.
static void test_mate_is_no_blockage(void **state) {
    (void)state;
    assert_verdict("8/8/3p1p2/p1pPkp1p/P1P1pP1P/4P3/8/6K1 b - - 0 1", false);
    Engine engine = engine_open();
    SearchResult result = engine_go_fen(&engine, "8/8/3p1p2/p1pPkp1p/P1P1p2P/4PP2/8/6K1 w - - 0 1",
                                        (Limits){.depth = 6});
    engine_close(&engine);
    assert_int_equal(result.score, score_mate_in(1));
}

// A row of pawns that face each other on most files, some doubled, at ranks that wander.
static void random_structure(Rng *rng, char board[SQUARE_NB]) {
    memset(board, 0, SQUARE_NB);
    unsigned rank = 2 + rng_below(rng, 3);
    for (unsigned file = 0; file < 8; file++) {
        rank += rng_below(rng, 3) - 1;
        rank = rank < 1 ? 1 : rank > 5 ? 5 : rank;
        if (rng_below(rng, 3) == 0)
            continue;
        board[square_make(file, rank)] = 'P';
        board[square_make(file, rank + 1)] = 'p';
        if (rank > 1 && rng_below(rng, 8) == 0)
            board[square_make(file, rank - 1)] = 'P';
        if (rank < 5 && rng_below(rng, 8) == 0)
            board[square_make(file, rank + 2)] = 'p';
    }
    for (const char *king = "Kk"; *king != '\0'; king++) {
        Square square;
        do
            square = (Square)rng_below(rng, SQUARE_NB);
        while (board[square] != 0);
        board[square] = *king;
    }
}

static void write_fen(const char board[SQUARE_NB], char turn, char out[FEN_SIZE]) {
    for (int rank = 7; rank >= 0; rank--) {
        for (int file = 0; file < 8; file++) {
            char piece = board[rank * 8 + file];
            *out++ = '1';
            if (piece != 0)
                out[-1] = piece;
            else if (file > 0 && board[rank * 8 + file - 1] == 0)
                *--out = '\0', out[-1]++;
        }
        *out++ = rank > 0 ? '/' : ' ';
    }
    snprintf(out, 16, "%c - - 0 1", turn);
}

static void test_random_structures(void **state) {
    (void)state;
    chess_init();
    Rng rng = rng_at(29, 0, 0, 0);
    unsigned tried = 0, recognised = 0, missed = 0;
    for (unsigned i = 0; i < 40000; i++) {
        char board[SQUARE_NB], fen[FEN_SIZE];
        Position pos;
        random_structure(&rng, board);
        write_fen(board, "wb"[i % 2], fen);
        if (fen_parse(fen, &pos) != OK)
            continue;
        tried++;
        bool blocked_here = blockage_is_draw(&pos), proved = nothing_ever_happens(&pos);
        if (blocked_here && !proved)
            fail_msg("%s is open yet", fen);
        recognised += blocked_here;
        missed += proved && !blocked_here;
    }
    assert_true(tried > 10000);
    assert_true(recognised > 100);
    // Few escape: those where a king keeps the other out.
    assert_true(missed * 5 < recognised);
}

static void test_search_knows(void **state) {
    (void)state;
    Engine engine = engine_open();
    for (size_t i = 0; i < BLOCKED; i++) {
        SearchResult result = engine_go_fen(&engine, blocked[i], (Limits){.depth = 4});
        assert_int_equal(result.score, SCORE_DRAW);
    }
    engine_close(&engine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blocked_is_recognised), cmocka_unit_test(test_near_misses_are_not),
        cmocka_unit_test(test_mate_is_no_blockage),   cmocka_unit_test(test_random_structures),
        cmocka_unit_test(test_search_knows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
