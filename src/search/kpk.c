// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/kpk.h"

#include <pthread.h>

// White has the pawn, on files a to d (the others are mirrored). Index: side to move, black king,
// white king, pawn's file and rank (2 to 7).
enum { PAWN_SQUARES = 24, SIZE = 2 * SQUARE_NB * SQUARE_NB * PAWN_SQUARES };

typedef enum Verdict { UNKNOWN, INVALID, DRAW, WIN } Verdict;

typedef struct Case {
    Color turn;
    Square white, black, pawn;
} Case;

static uint32_t wins[SIZE / 32];

static size_t index_of(Case c) {
    size_t pawn = square_file(c.pawn) + 4 * (square_rank(c.pawn) - 1);
    return ((pawn * SQUARE_NB + c.white) * SQUARE_NB + c.black) * 2 + c.turn;
}

static Case case_of(size_t index) {
    Case c = {.turn = (Color)(index & 1), .black = (Square)(index >> 1 & 63)};
    c.white = (Square)(index >> 7 & 63);
    size_t pawn = index >> 13;
    c.pawn = square_make((unsigned)(pawn & 3), (unsigned)(pawn >> 2) + 1);
    return c;
}

static bool is_invalid(Case c) {
    return c.white == c.black || c.white == c.pawn || c.black == c.pawn ||
           bb_has(attacks_king(c.white), c.black) ||
           (c.turn == WHITE && bb_has(attacks_pawn(c.pawn, WHITE), c.black));
}

// Where the verdict needs no look ahead.
static Verdict first_verdict(Case c) {
    if (is_invalid(c))
        return INVALID;
    Square front = c.pawn + 8;
    if (c.turn == WHITE) {
        // Promotes, and the new queen is not lost.
        bool promotes = square_rank(c.pawn) == 6 && c.white != front && c.black != front;
        bool safe = !bb_has(attacks_king(c.black), front) || bb_has(attacks_king(c.white), front);
        return promotes && safe ? WIN : UNKNOWN;
    }
    Bitboard forbidden = attacks_king(c.white) | attacks_pawn(c.pawn, WHITE);
    bool takes = bb_has(attacks_king(c.black) & ~attacks_king(c.white), c.pawn);
    bool stuck = (attacks_king(c.black) & ~forbidden) == 0;
    return takes || stuck ? DRAW : UNKNOWN;
}

static Verdict white_verdict(const uint8_t *table, Case c) {
    bool all_known = true;
    Case next = c;
    next.turn = BLACK;
    for (Bitboard set = attacks_king(c.white); set != 0;) {
        next.white = bb_pop(&set);
        Verdict verdict = (Verdict)table[index_of(next)];
        if (verdict == WIN)
            return WIN;
        all_known &= verdict != UNKNOWN;
    }
    next.white = c.white;
    for (unsigned step = 1; step <= (square_rank(c.pawn) == 1 ? 2u : 1u); step++) {
        next.pawn = (Square)(c.pawn + 8 * step);
        if (square_rank(next.pawn) == 7 || next.pawn == c.white || next.pawn == c.black)
            break;
        Verdict verdict = (Verdict)table[index_of(next)];
        if (verdict == WIN)
            return WIN;
        all_known &= verdict != UNKNOWN;
    }
    return all_known ? DRAW : UNKNOWN;
}

static Verdict black_verdict(const uint8_t *table, Case c) {
    bool all_known = true;
    Case next = c;
    next.turn = WHITE;
    for (Bitboard set = attacks_king(c.black); set != 0;) {
        next.black = bb_pop(&set);
        Verdict verdict = (Verdict)table[index_of(next)];
        if (verdict == DRAW)
            return DRAW;
        all_known &= verdict != UNKNOWN;
    }
    return all_known ? WIN : UNKNOWN;
}

static void solve(void) {
    static uint8_t table[SIZE];
    for (size_t i = 0; i < SIZE; i++)
        table[i] = (uint8_t)first_verdict(case_of(i));
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < SIZE; i++) {
            if (table[i] != UNKNOWN)
                continue;
            Case c = case_of(i);
            table[i] =
                (uint8_t)(c.turn == WHITE ? white_verdict(table, c) : black_verdict(table, c));
            changed |= table[i] != UNKNOWN;
        }
    }
    // What stays unknown goes round in circles: a draw.
    for (size_t i = 0; i < SIZE; i++)
        if (table[i] == WIN)
            wins[i / 32] |= 1u << i % 32;
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
    Case c = {.turn = position_turn(pos) == strong ? WHITE : BLACK,
              .white = position_king(pos, strong) ^ flip ^ mirror,
              .black = position_king(pos, color_other(strong)) ^ flip ^ mirror,
              .pawn = pawn ^ mirror};
    size_t index = index_of(c);
    return wins[index / 32] >> index % 32 & 1;
}
