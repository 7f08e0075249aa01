// SPDX-License-Identifier: GPL-3.0-or-later
// White has the pawn, on files a to d (the others are mirrored). For a pawn, a white king and a
// side to move, the squares of the black king from which White wins are a set; a rule of the game
// is an operation on all of them at once.
#include "search/kpk.h"

#include <pthread.h>

enum { PAWN_SQUARES = 24 };

typedef struct Wins {
    Bitboard to_move[COLOR_NB][SQUARE_NB]; // by the square of the white king
} Wins;

static Wins wins[PAWN_SQUARES];

static Wins *wins_with(Square pawn) {
    return &wins[square_file(pawn) + 4 * (square_rank(pawn) - 1)];
}

// Where a king comes to from any of these squares.
static Bitboard kings_reach(Bitboard kings) {
    Bitboard sides = (kings & ~FILE_H) << 1 | (kings & ~FILE_A) >> 1, row = kings | sides;
    return sides | row << 8 | row >> 8;
}

// Where Black's king can be when it is Black's move.
static Bitboard black_squares(Square white, Square pawn) {
    return ~(attacks_king(white) | bb_square(white) | bb_square(pawn));
}

// White wins by moving the pawn: it promotes and the new queen is not lost, or what comes of it is
// won. Squares nearer to promotion are solved before.
static Bitboard wins_by_pawn(Square white, Square pawn) {
    Square front = pawn + 8, next = pawn + 16;
    if (front == white)
        return 0;
    Bitboard free = ~bb_square(front);
    if (square_rank(pawn) == 6)
        return bb_has(attacks_king(white), front) ? free : free & ~attacks_king(front);
    Bitboard won = wins_with(front)->to_move[BLACK][white];
    if (square_rank(pawn) == 1 && next != white)
        won |= wins_with(next)->to_move[BLACK][white];
    return won & free;
}

static Bitboard wins_by_king(const Wins *of, Square white, Square pawn) {
    Bitboard won = 0;
    for (Bitboard set = attacks_king(white) & ~bb_square(pawn); set != 0;)
        won |= of->to_move[BLACK][bb_pop(&set)];
    return won;
}

// Black loses if he can move, and every move loses.
static Bitboard losses(const Wins *of, Square white, Square pawn) {
    Bitboard allowed = ~(attacks_king(white) | attacks_pawn(pawn, WHITE));
    Bitboard saved = kings_reach(allowed & ~of->to_move[WHITE][white]);
    return black_squares(white, pawn) & kings_reach(allowed) & ~saved;
}

static void solve_pawn(Square pawn) {
    Wins *of = wins_with(pawn);
    for (bool changed = true; changed;) {
        changed = false;
        for (Square white = 0; white < SQUARE_NB; white++) {
            if (white == pawn)
                continue;
            Bitboard legal = black_squares(white, pawn) & ~attacks_pawn(pawn, WHITE);
            Bitboard won = legal & (wins_by_pawn(white, pawn) | wins_by_king(of, white, pawn));
            changed |= won != of->to_move[WHITE][white];
            of->to_move[WHITE][white] = won;
            Bitboard lost = losses(of, white, pawn);
            changed |= lost != of->to_move[BLACK][white];
            of->to_move[BLACK][white] = lost;
        }
    }
}

// What is never found to be won goes round in circles: a draw.
static void solve(void) {
    for (unsigned rank = 6; rank >= 1; rank--)
        for (unsigned file = 0; file < 4; file++)
            solve_pawn(square_make(file, rank));
}

void kpk_init(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, solve);
}

bool kpk_applies(const Position *pos) {
    return bb_count(position_occupied(pos)) == 3 && pos->types[PAWN] != 0;
}

bool kpk_is_win(const Position *pos) {
    Color strong = position_pieces(pos, WHITE, PAWN) != 0 ? WHITE : BLACK;
    Square flip = strong == WHITE ? 0 : 56;
    Square pawn = bb_first(pos->types[PAWN]) ^ flip;
    Square mirror = square_file(pawn) > 3 ? 7 : 0;
    Color turn = position_turn(pos) == strong ? WHITE : BLACK;
    Square white = position_king(pos, strong) ^ flip ^ mirror;
    Square black = position_king(pos, color_other(strong)) ^ flip ^ mirror;
    return bb_has(wins_with(pawn ^ mirror)->to_move[turn][white], black);
}
