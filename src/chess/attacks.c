// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/attacks.h"

enum { BISHOP_ENTRIES = 5248, ROOK_ENTRIES = 102400 };

typedef enum LineKind { LINE_RANK, LINE_FILE, LINE_DIAGONAL, LINE_ANTIDIAGONAL, LINE_NB } LineKind;

AttackTables attack_tables;

static Bitboard lines[SQUARE_NB][LINE_NB]; // without the square itself
#if ATTACKS_USE_PEXT
static Bitboard bishop_entries[BISHOP_ENTRIES], rook_entries[ROOK_ENTRIES];
#endif

// Squares from `square` in one direction to the edge.
static Bitboard ray(Square square, int file_step, int rank_step) {
    Bitboard set = 0;
    int file = (int)square_file(square) + file_step, rank = (int)square_rank(square) + rank_step;
    for (; file >= 0 && file < 8 && rank >= 0 && rank < 8; file += file_step, rank += rank_step)
        set |= bb_square(square_make((unsigned)file, (unsigned)rank));
    return set;
}

static Bitboard leap(Square square, const int steps[8][2]) {
    Bitboard set = 0;
    for (int i = 0; i < 8; i++) {
        int file = (int)square_file(square) + steps[i][0];
        int rank = (int)square_rank(square) + steps[i][1];
        if (file >= 0 && file < 8 && rank >= 0 && rank < 8)
            set |= bb_square(square_make((unsigned)file, (unsigned)rank));
    }
    return set;
}

// Obstruction difference: everything between the nearest blockers on both sides, inclusive.
static Bitboard line_attacks(Square square, LineKind kind, Bitboard occupied) {
    Bitboard line = lines[square][kind];
    Bitboard below = bb_square(square) - 1;
    Bitboard lower = occupied & line & below, upper = occupied & line & ~below;
    Bitboard nearest_lower = 1ULL << (63 - __builtin_clzll(lower | 1));
    return line & (2 * (upper & -upper) - nearest_lower);
}

Bitboard attacks_bishop_plain(Square square, Bitboard occupied) {
    return line_attacks(square, LINE_DIAGONAL, occupied) |
           line_attacks(square, LINE_ANTIDIAGONAL, occupied);
}

Bitboard attacks_rook_plain(Square square, Bitboard occupied) {
    return line_attacks(square, LINE_RANK, occupied) | line_attacks(square, LINE_FILE, occupied);
}

static void init_leapers_and_lines(Square s) {
    static const int knight_steps[8][2] = {{1, 2},   {2, 1},   {2, -1}, {1, -2},
                                           {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};
    static const int king_steps[8][2] = {{0, 1},  {1, 1},   {1, 0},  {1, -1},
                                         {0, -1}, {-1, -1}, {-1, 0}, {-1, 1}};
    attack_tables.knight[s] = leap(s, knight_steps);
    attack_tables.king[s] = leap(s, king_steps);
    attack_tables.pawn[WHITE][s] = bb_pawn_attacks(bb_square(s), WHITE);
    attack_tables.pawn[BLACK][s] = bb_pawn_attacks(bb_square(s), BLACK);
    lines[s][LINE_RANK] = ray(s, 1, 0) | ray(s, -1, 0);
    lines[s][LINE_FILE] = ray(s, 0, 1) | ray(s, 0, -1);
    lines[s][LINE_DIAGONAL] = ray(s, 1, 1) | ray(s, -1, -1);
    lines[s][LINE_ANTIDIAGONAL] = ray(s, 1, -1) | ray(s, -1, 1);
}

static void init_pairs(Square a) {
    for (Square b = 0; b < SQUARE_NB; b++)
        for (LineKind kind = LINE_RANK; kind < LINE_NB; kind++) {
            if (!bb_has(lines[a][kind], b))
                continue;
            attack_tables.line[a][b] = lines[a][kind] | bb_square(a);
            attack_tables.between[a][b] = line_attacks(a, kind, bb_square(b)) &
                                          line_attacks(b, kind, bb_square(a)) & ~bb_square(a) &
                                          ~bb_square(b);
        }
}

#if ATTACKS_USE_PEXT
// Edge squares do not matter to a slider unless it moves along that edge.
static Bitboard relevant_edges(Square square) {
    Bitboard ranks = (RANK_1 | RANK_8) & ~bb_rank(square_rank(square));
    Bitboard files = (FILE_A | FILE_H) & ~bb_file(square_file(square));
    return ranks | files;
}

static Bitboard *init_slider(SliderTable *table, Square square, Bitboard *entries,
                             Bitboard (*plain)(Square, Bitboard)) {
    table->mask = plain(square, 0) & ~relevant_edges(square);
    table->attacks = entries;
    Bitboard subset = 0;
    do {
        entries[attacks_pext(subset, table->mask)] = plain(square, subset);
        subset = (subset - table->mask) & table->mask;
    } while (subset != 0);
    return entries + (1ULL << bb_count(table->mask));
}
#endif

void attacks_init(void) {
    for (Square s = 0; s < SQUARE_NB; s++)
        init_leapers_and_lines(s);
    for (Square s = 0; s < SQUARE_NB; s++)
        init_pairs(s);
#if ATTACKS_USE_PEXT
    Bitboard *bishops = bishop_entries, *rooks = rook_entries;
    for (Square s = 0; s < SQUARE_NB; s++) {
        bishops = init_slider(&attack_tables.bishop[s], s, bishops, attacks_bishop_plain);
        rooks = init_slider(&attack_tables.rook[s], s, rooks, attacks_rook_plain);
    }
#endif
}
