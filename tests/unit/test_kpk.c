// SPDX-License-Identifier: GPL-3.0-or-later
// The bitbase against a solver that knows nothing but the rules: it takes its moves from the move
// generator, and goes backwards from promotions until nothing changes.
#include "search/kpk.h"

#include "chess/fen.h"
#include "chess/movegen.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

// White has the pawn, on any file. Index: pawn (48), white king, black king, side to move.
enum { PAWN_SQUARES = 48, STATES = PAWN_SQUARES * 64 * 64 * 2, MOVES_KEPT = 10 };

enum { LOST_PAWN = -1, PROMOTED = -2 }; // successors that are no states of ours

typedef struct Node {
    bool legal, won;
    uint8_t count;
    int32_t next[MOVES_KEPT];
} Node;

static Node *nodes;

static bool set_up_position(size_t index, Position *pos) {
    Square black = index >> 1 & 63, white = index >> 7 & 63, pawn = (Square)((index >> 13) + 8);
    if (black == white || black == pawn || white == pawn)
        return false;
    *pos = (Position){.turn = (uint8_t)(index & 1), .ep = SQUARE_NONE, .fullmove = 1};
    for (Square s = 0; s < SQUARE_NB; s++)
        pos->board[s] = PIECE_NONE;
    pos->board[white] = piece_make(WHITE, KING);
    pos->board[black] = piece_make(BLACK, KING);
    pos->board[pawn] = piece_make(WHITE, PAWN);
    pos->types[KING] = bb_square(white) | bb_square(black);
    pos->types[PAWN] = bb_square(pawn);
    pos->colors[WHITE] = bb_square(white) | bb_square(pawn);
    pos->colors[BLACK] = bb_square(black);
    position_refresh(pos);
    Color them = color_other(position_turn(pos));
    return position_attackers(pos, position_king(pos, them), position_turn(pos),
                              position_occupied(pos)) == 0;
}

static int32_t index_of(const Position *pos) {
    Square pawn = bb_first(pos->types[PAWN]);
    return (int32_t)(((pawn - 8u) * 64 + position_king(pos, WHITE)) * 64 * 2 +
                     position_king(pos, BLACK) * 2u + pos->turn);
}

// A queen or rook wins unless she is taken or the other side has no move (a bare king that is not
// mated then never escapes); mate wins too.
static bool promotion_wins(const Position *pos) {
    Move replies[MOVES_MAX];
    size_t count = movegen(pos, MOVES_ALL, replies);
    if (count == 0)
        return position_checkers(pos) != 0;
    for (size_t i = 0; i < count; i++)
        if (move_is_capture(pos, replies[i]))
            return false;
    return true;
}

static void add_successor(Node *node, const Position *pos, Move move) {
    Position after = *pos;
    Undo undo;
    position_make(&after, move, &undo);
    int32_t next = LOST_PAWN;
    if (after.types[PAWN] != 0)
        next = index_of(&after);
    else if (move_kind(move) == MOVE_PROMOTION) {
        bool heavy = move_promotion(move) == QUEEN || move_promotion(move) == ROOK;
        next = heavy && promotion_wins(&after) ? PROMOTED : LOST_PAWN;
    }
    if (next == LOST_PAWN && pos->turn == WHITE)
        return; // of no use
    assert_true(node->count < MOVES_KEPT);
    node->next[node->count++] = next;
}

static void find_successors(size_t index) {
    Position pos;
    Node *node = &nodes[index];
    node->legal = set_up_position(index, &pos);
    if (!node->legal)
        return;
    Move moves[MOVES_MAX];
    size_t count = movegen(&pos, MOVES_ALL, moves);
    bool promoted = false;
    for (size_t i = 0; i < count; i++) {
        // Both winning promotions are one successor.
        if (move_kind(moves[i]) == MOVE_PROMOTION && promoted)
            continue;
        uint8_t before = node->count;
        add_successor(node, &pos, moves[i]);
        promoted |= move_kind(moves[i]) == MOVE_PROMOTION && node->count > before;
    }
    node->won = count == 0 && pos.turn == BLACK && position_checkers(&pos) != 0;
}

static bool is_won(int32_t next) {
    return next == PROMOTED || (next >= 0 && nodes[next].won);
}

// White needs one winning move; Black must have moves, all of them losing.
static bool decide(const Node *node, bool black) {
    for (unsigned i = 0; i < node->count; i++)
        if (is_won(node->next[i]) != black)
            return !black;
    return black && node->count > 0;
}

static int solve(void **state) {
    (void)state;
    chess_init();
    kpk_init();
    nodes = calloc(STATES, sizeof *nodes);
    for (size_t i = 0; i < STATES; i++)
        find_successors(i);
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < STATES; i++)
            if (nodes[i].legal && !nodes[i].won && decide(&nodes[i], i & 1))
                nodes[i].won = changed = true;
    }
    return 0;
}

static int forget(void **state) {
    (void)state;
    free(nodes);
    return 0;
}

static void test_agrees_with_solver(void **state) {
    (void)state;
    unsigned legal[2] = {0}, won[2] = {0};
    for (size_t i = 0; i < STATES; i++) {
        Position pos, mirrored;
        if (!nodes[i].legal)
            continue;
        set_up_position(i, &pos);
        legal[pos.turn]++;
        won[pos.turn] += nodes[i].won;
        assert_true(kpk_applies(&pos));
        assert_int_equal(kpk_is_win(&pos), nodes[i].won);
        position_mirror(&pos, &mirrored);
        assert_true(kpk_applies(&mirrored));
        assert_int_equal(kpk_is_win(&mirrored), nodes[i].won);
    }
    // Known counts of the ending, with White and with Black to move.
    assert_int_equal(won[WHITE], 124960);
    assert_int_equal(won[BLACK], 97604);
    assert_int_equal(legal[WHITE], 163328);
    assert_int_equal(legal[BLACK], 168024);
}

static const struct {
    const char *fen;
    bool win;
} famous[] = {
    // A king before his pawn: whoever has to move gives up the opposition.
    {"4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", true},
    {"4k3/8/4K3/4P3/8/8/8/8 b - - 0 1", true}, // but not on the sixth rank
    {"8/4k3/8/4K3/4P3/8/8/8 w - - 0 1", false},
    {"8/4k3/8/4K3/4P3/8/8/8 b - - 0 1", true},
    {"8/8/4k3/8/4K3/8/4P3/8 w - - 0 1", true}, // a move to spare
    // A king behind or beside his pawn.
    {"4k3/4P3/4K3/8/8/8/8/8 b - - 0 1", false}, // stalemate
    {"4k3/4P3/3K4/8/8/8/8/8 w - - 0 1", false},
    {"4k3/8/3KP3/8/8/8/8/8 w - - 0 1", true}, // to the seventh rank without check
    {"4k3/8/3KP3/8/8/8/8/8 b - - 0 1", false},
    {"3k4/8/3KP3/8/8/8/8/8 w - - 0 1", false},
    // Rook pawns: the corner, and being shut out of it.
    {"k7/8/1K6/P7/8/8/8/8 w - - 0 1", false},
    {"2k5/K7/P7/8/8/8/8/8 w - - 0 1", false},
    {"8/1K1k4/8/P7/8/8/8/8 w - - 0 1", true},
    {"7k/7P/6K1/8/8/8/8/8 b - - 0 1", false},
    // Knight pawns: one stalemate too many.
    {"k7/8/K7/1P6/8/8/8/8 w - - 0 1", true},
    {"1k6/8/1K6/1P6/8/8/8/8 b - - 0 1", true},
    // Outside the square, and inside it.
    {"8/8/8/P6k/8/8/8/K7 w - - 0 1", true},
    {"8/8/8/P3k3/8/8/8/K7 b - - 0 1", false},
    // The pawn falls.
    {"8/8/8/3kP3/8/8/8/K7 b - - 0 1", false},
};

static void test_famous_positions(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof famous / sizeof famous[0]; i++) {
        Position pos;
        assert_int_equal(fen_parse(famous[i].fen, &pos), OK);
        if (kpk_is_win(&pos) != famous[i].win)
            fail_msg("%s is %s", famous[i].fen, famous[i].win ? "won" : "drawn");
    }
}

static void test_applies_to_nothing_else(void **state) {
    (void)state;
    const char *others[] = {fen_start, "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
                            "4k3/8/8/8/8/8/8/4KR2 w - - 0 1", "4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1",
                            "4k3/8/8/8/8/8/3PP3/4K3 w - - 0 1"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        Position pos;
        assert_int_equal(fen_parse(others[i], &pos), OK);
        assert_false(kpk_applies(&pos));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_agrees_with_solver),
        cmocka_unit_test(test_famous_positions),
        cmocka_unit_test(test_applies_to_nothing_else),
    };
    return cmocka_run_group_tests(tests, solve, forget);
}
