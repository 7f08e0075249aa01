// SPDX-License-Identifier: GPL-3.0-or-later
// The definitions of docs/families.md, square by square and in no hurry, against the fast ones.
#include "eval/family.h"
#include "plain_board.h"
#include "walk.h"

#include <stdlib.h>
#include <string.h>

enum {
#define TERM(name, ...) name,
#include "eval/maestro.def"
#undef TERM
    TERM_COUNT
};

enum { PLIES = 300000 };

static void count_pawn(View v, int file, int rank, int *counts) {
    int king_file, king_rank;
    find_king(other_side(v), &king_file, &king_rank);
    counts[PAWN_VALUE]++;
    counts[from_edge(file) < 2 ? PAWN_ADVANCE_A : PAWN_ADVANCE_B] += rank - 1;
    counts[DOUBLED_PAWN_PENALTY] -= pawn_on(v, file, rank + 1, 7);
    counts[ISOLATED_PAWN_PENALTY] -= is_isolated(v, file, rank);
    counts[BACKWARD_PAWN_PENALTY] -= is_backward(v, file, rank);
    if (is_passed(v, file, rank)) {
        counts[PASSED_PAWN_MULT] += rank * rank;
        counts[PASSED_PAWN_ENEMY_KING_DIST] += max(abs(king_file - file), king_rank);
    }
}

static void count_weak_squares(View v, int *counts) {
    for (int file = 2; file <= 5; file++)
        for (int rank = 2; rank <= 3; rank++)
            counts[WEAK_SQUARE_PENALTY] -= !may_guard(v, file, rank);
}

static void count_knight(View v, int file, int rank, int *counts) {
    bool outpost = rank >= 3 && rank <= 5 && !may_guard(other_side(v), file, 7 - rank);
    bool guarded = own(v, PAWN, file - 1, rank - 1) || own(v, PAWN, file + 1, rank - 1);
    counts[KNIGHT_VALUE]++;
    counts[KNIGHT_SQ_MULT] += min(from_edge(file), from_edge(rank));
    counts[KNIGHT_OUTPOST_MULT] += outpost + (outpost && guarded);
}

// Goes along the file until something stands there: is that a passed pawn, seen from behind?
static bool is_behind_passed(View v, int file, int rank) {
    for (int step = -1; step <= 1; step += 2)
        for (int r = rank + step; r >= 0 && r <= 7; r += step) {
            Square square = square_make((unsigned)file, (unsigned)(v.us == WHITE ? r : 7 - r));
            if (v.pos->board[square] == PIECE_NONE)
                continue;
            if (step > 0 ? r >= 3 && is_passed(v, file, r)
                         : r <= 4 && is_passed(other_side(v), file, 7 - r))
                return true;
            break;
        }
    return false;
}

static bool has_weak_enemy(View v, int file) {
    View they = other_side(v);
    for (int rank = 1; rank <= 6; rank++)
        if (is_isolated(they, file, rank) || is_backward(they, file, rank))
            return true;
    return false;
}

static void count_rook(View v, int file, int rank, int *counts) {
    int king_file, king_rank;
    find_king(other_side(v), &king_file, &king_rank);
    bool free = !pawn_on(v, file, 0, 7), open = free && !enemy_pawn_on(v, file, 0, 7);
    bool prey = king_rank == 0;
    for (int f = 0; f <= 7; f++)
        prey |= enemy(v, PAWN, f, 6);
    counts[ROOK_VALUE]++;
    counts[ROOK_ATTACK_KING_FILE] += free && file == king_file;
    counts[from_edge(king_file) < 2 ? ROOK_ATTACK_KING_ADJ_FILE_ABGH : ROOK_ATTACK_KING_ADJ_FILE] +=
        free && abs(file - king_file) == 1;
    counts[ROOK_7TH_RANK] += rank == 6 && prey;
    counts[ROOK_BEHIND_PASSED_PAWN] += is_behind_passed(v, file, rank);
    counts[ROOK_OPEN_FILE] += open;
    counts[ROOK_SEMI_OPEN_FILE] += free && !open;
    counts[ROOK_ATCK_WEAK_PAWN_OPEN_COLUMN] += free && has_weak_enemy(v, file);
    counts[ROOK_COLUMN_MULT] += from_edge(file);
}

// Mobility, connection and pressure: whatever asks where a piece reaches.
static void count_reach(View v, Square square, PieceType type, int *counts, int pressure[2]) {
    static const int units[] = {0, 1, 1, 2, 4, 0};
    int king_file, king_rank, reached = 0;
    bool bears = false;
    find_king(other_side(v), &king_file, &king_rank);
    Bitboard attacks = attacks_of(type, square, position_occupied(v.pos));
    for (Square to = 0; to < SQUARE_NB; to++) {
        if (!bb_has(attacks, to))
            continue;
        int across = abs((int)square_file(to) - king_file);
        int along = abs((int)square_relative_rank(to, color_other(v.us)) - king_rank);
        bears |= max(across, along) <= 1;
        reached += !bb_has(v.pos->colors[v.us], to);
        if (type == ROOK && v.pos->board[to] == piece_make(v.us, ROOK))
            counts[ROOK_CONNECTED] = 1;
    }
    if (type == BISHOP || type == ROOK || type == QUEEN)
        counts[type == BISHOP ? BISHOP_MOBILITY
               : type == ROOK ? ROOK_MOBILITY
                              : QUEEN_MOBILITY] += reached;
    pressure[0] += bears && type != KING;
    pressure[1] += bears ? units[type] : 0;
}

static bool threatens_kings(View v) {
    unsigned pieces = 0;
    for (PieceType type = KNIGHT; type <= QUEEN; type++)
        pieces += bb_count(position_pieces(v.pos, v.us, type));
    return pieces >= 2 && position_pieces(v.pos, v.us, QUEEN) != 0;
}

static void count_shelter(View v, int *counts) {
    int king_file, king_rank;
    find_king(v, &king_file, &king_rank);
    for (int file = max(king_file - 1, 0); file <= min(king_file + 1, 7); file++) {
        bool at_home = file == king_file, second = king_rank <= 1 && own(v, PAWN, file, 1);
        bool third = king_rank <= 2 && own(v, PAWN, file, 2);
        counts[at_home ? KING_NO_FRIENDLY_PAWN : KING_NO_FRIENDLY_PAWN_ADJ] -= !second && !third;
        counts[KING_FRIENDLY_PAWN_ADVANCED1] -= third && !second;
        counts[at_home ? KING_NO_ENEMY_PAWN : KING_NO_ENEMY_PAWN_ADJ] -=
            !enemy_pawn_on(v, file, 0, 7);
    }
}

static void count_side(View v, int counts[TERM_COUNT]) {
    int pressure[2] = {0, 0};
    bool light = false, dark = false;
    memset(counts, 0, TERM_COUNT * sizeof *counts);
    count_weak_squares(v, counts);
    for (Square square = 0; square < SQUARE_NB; square++) {
        int file = (int)square_file(square), rank = (int)square_relative_rank(square, v.us);
        Piece piece = v.pos->board[square];
        if (piece == PIECE_NONE || piece_color(piece) != v.us)
            continue;
        if (piece_type(piece) == PAWN) {
            count_pawn(v, file, rank, counts);
            continue;
        }
        if (piece_type(piece) == KNIGHT)
            count_knight(v, file, rank, counts);
        if (piece_type(piece) == ROOK)
            count_rook(v, file, rank, counts);
        counts[BISHOP_VALUE] += piece_type(piece) == BISHOP;
        counts[QUEEN_VALUE] += piece_type(piece) == QUEEN;
        light |= piece_type(piece) == BISHOP && (file + rank) % 2 == 1;
        dark |= piece_type(piece) == BISHOP && (file + rank) % 2 == 0;
        count_reach(v, square, piece_type(piece), counts, pressure);
    }
    counts[BISHOP_PAIR] = light && dark;
    if (threatens_kings(v) && pressure[0] > 0)
        counts[KING_PRESSURE_MULT] = pressure[1] * min(pressure[0] - 1, 2);
    if (threatens_kings(other_side(v)))
        count_shelter(v, counts);
}

static void visit_counts(Position *pos, Rng *rng) {
    (void)rng;
    Trace sides[COLOR_NB];
    family_find("maestro")->trace_sides(pos, sides);
    for (Color color = WHITE; color < COLOR_NB; color++) {
        int counts[TERM_COUNT];
        count_side((View){pos, color}, counts);
        for (size_t i = 0; i < TERM_COUNT; i++)
            if (counts[i] != sides[color].counts[i]) {
                char fen[FEN_SIZE];
                fen_write(pos, fen);
                fail_msg("%s: %s of colour %u: %d, but plainly %d", fen,
                         family_find("maestro")->terms[i].name, color, sides[color].counts[i],
                         counts[i]);
            }
    }
}

static void test_counts_against_plain_ones(void **state) {
    (void)state;
    walk(11, PLIES, visit_counts);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_counts_against_plain_ones)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
