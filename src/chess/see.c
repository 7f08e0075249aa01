// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/see.h"

const int see_values[PIECE_TYPE_NB + 1] = {100, 325, 325, 500, 975, 20000, 0};

enum { EXCHANGE_MAX = 34 };

typedef struct Exchange {
    const Position *pos;
    Square square;
    Bitboard occupied;
    Bitboard attackers; // of both colours, that bear on the square now
    Bitboard diagonal, straight;
} Exchange;

static Exchange begin(const Position *pos, Move move) {
    Square from = move_from(move), to = move_to(move);
    Exchange exchange = {.pos = pos, .square = to};
    exchange.occupied = (position_occupied(pos) & ~bb_square(from)) | bb_square(to);
    if (move_kind(move) == MOVE_EN_PASSANT)
        exchange.occupied &= ~bb_square(to ^ 8);
    exchange.diagonal = pos->types[BISHOP] | pos->types[QUEEN];
    exchange.straight = pos->types[ROOK] | pos->types[QUEEN];
    exchange.attackers = position_all_attackers(pos, to, exchange.occupied) & exchange.occupied;
    return exchange;
}

// Takes an attacker off the board, which may let sliders behind it through.
static void remove_attacker(Exchange *exchange, Square square, PieceType type) {
    exchange->occupied ^= bb_square(square);
    if (type == PAWN || type == BISHOP || type == QUEEN)
        exchange->attackers |=
            attacks_bishop(exchange->square, exchange->occupied) & exchange->diagonal;
    if (type == ROOK || type == QUEEN)
        exchange->attackers |=
            attacks_rook(exchange->square, exchange->occupied) & exchange->straight;
    exchange->attackers &= exchange->occupied;
}

// What the first move takes, with what a promotion adds.
static int first_gain(const Position *pos, Move move) {
    MoveKind kind = move_kind(move);
    if (kind == MOVE_CASTLING)
        return 0;
    int gain = kind == MOVE_EN_PASSANT ? see_values[PAWN]
                                       : see_values[piece_type(pos->board[move_to(move)])];
    return kind == MOVE_PROMOTION ? gain + see_values[move_promotion(move)] - see_values[PAWN]
                                  : gain;
}

static PieceType mover_after(const Position *pos, Move move) {
    return move_kind(move) == MOVE_PROMOTION ? move_promotion(move)
                                             : piece_type(pos->board[move_from(move)]);
}

// Captures with the least valuable attacker of `side`; PIECE_TYPE_NONE when there is none, or only
// a king that would step into check.
static PieceType next_attacker(Exchange *exchange, Color side) {
    Bitboard ours = exchange->attackers & exchange->pos->colors[side];
    if (ours == 0)
        return PIECE_TYPE_NONE;
    for (PieceType type = PAWN; type < KING; type++) {
        Bitboard candidates = ours & exchange->pos->types[type];
        if (candidates == 0)
            continue;
        remove_attacker(exchange, bb_first(candidates), type);
        return type;
    }
    if ((exchange->attackers & ~ours) != 0)
        return PIECE_TYPE_NONE;
    remove_attacker(exchange, bb_first(ours), KING);
    return KING;
}

bool see_at_least(const Position *pos, Move move, int threshold) {
    int balance = first_gain(pos, move) - threshold;
    if (balance < 0)
        return false;
    if (move_kind(move) == MOVE_CASTLING)
        return true;
    // Suppose the moved piece is lost for nothing: if that is good enough, it is certain.
    balance -= see_values[mover_after(pos, move)];
    if (balance >= 0)
        return true;
    Exchange exchange = begin(pos, move);
    Color mover = position_turn(pos), side = color_other(mover);
    for (;;) {
        PieceType type = next_attacker(&exchange, side);
        if (type == PIECE_TYPE_NONE)
            break;
        side = color_other(side);
        // The side that just took is ahead unless it can still lose its piece and fall behind.
        balance = -balance - 1 - see_values[type];
        if (balance >= 0)
            break;
    }
    return side != mover;
}

int see_value(const Position *pos, Move move) {
    if (move_kind(move) == MOVE_CASTLING)
        return 0;
    int gain[EXCHANGE_MAX];
    int depth = 0;
    Exchange exchange = begin(pos, move);
    Color side = color_other(position_turn(pos));
    PieceType standing = mover_after(pos, move), next;
    gain[0] = first_gain(pos, move);
    while ((next = next_attacker(&exchange, side)) != PIECE_TYPE_NONE) {
        depth++;
        gain[depth] = see_values[standing] - gain[depth - 1];
        standing = next;
        side = color_other(side);
    }
    for (; depth > 0; depth--)
        if (-gain[depth] < gain[depth - 1])
            gain[depth - 1] = -gain[depth];
    return gain[0];
}
