// SPDX-License-Identifier: GPL-3.0-or-later
// A position and how moves change it. The key is the Polyglot key of the position, kept up to date
// move by move, except that it holds en passant only when such a capture is legal, so that
// positions with the same moves have the same key. As Polyglot has it, rights to castle count, and
// not with which of two rooks on a side: within a game that never changes.
#pragma once

#include "chess/attacks.h"
#include "chess/move.h"

struct Position {
    Bitboard types[PIECE_TYPE_NB];
    Bitboard colors[COLOR_NB];
    Piece board[SQUARE_NB];
    uint64_t key;
    uint64_t pawn_key; // of the pawns alone
    uint64_t material; // four bits per piece: how many of it there are
    uint16_t halfmove; // plies since a capture or a pawn's move
    uint16_t fullmove;
    uint16_t castling_files; // 0, unless a right is Chess960's: four bits for each, see castling.h
    uint8_t turn;            // Color
    uint8_t castling;        // CastlingRight flags
    uint8_t ep;         // behind a pawn that just made two steps, if an enemy pawn stands beside it
    uint8_t padding[7]; // always 0, so that positions compare as bytes
};

// What a move cannot restore by itself.
typedef struct Undo {
    uint64_t key, pawn_key;
    uint16_t halfmove, castling_files;
    uint8_t castling, ep;
    Piece captured;
} Undo;

// Fills every table of the module; cheap to call again. Not to be called first from two threads.
void chess_init(void);

// The start position of chess.
void position_set_start(Position *pos);

// Makes a legal move, and takes it back. Every byte is restored.
void position_make(Position *pos, Move move, Undo *undo);
void position_unmake(Position *pos, Move move, const Undo *undo);
// Passes the turn; not when in check.
void position_make_null(Position *pos, Undo *undo);
void position_unmake_null(Position *pos, const Undo *undo);

// The key after `move`, but for changes of castling rights and en passant: good enough to prefetch.
uint64_t position_key_after(const Position *pos, Move move);

// Swaps colours: ranks mirrored, the other side to move.
void position_mirror(const Position *pos, Position *out);

// True when the position obeys all invariants (consistent sets, keys, one king each ...).
bool position_is_ok(const Position *pos);

// Recomputes keys and material from the board: for set-up, and the oracle of the incremental ones.
void position_refresh(Position *pos);

static inline Color position_turn(const Position *pos) {
    return (Color)pos->turn;
}
static inline Bitboard position_occupied(const Position *pos) {
    return pos->colors[WHITE] | pos->colors[BLACK];
}
static inline Bitboard position_pieces(const Position *pos, Color color, PieceType type) {
    return pos->types[type] & pos->colors[color];
}
static inline Square position_king(const Position *pos, Color color) {
    return bb_first(position_pieces(pos, color, KING));
}
static inline Piece position_at(const Position *pos, Square square) {
    return pos->board[square];
}
// How many of a piece there are.
static inline unsigned position_count(const Position *pos, Color color, PieceType type) {
    return pos->material >> 4 * piece_make(color, type) & 15;
}
static inline bool position_has_pieces(const Position *pos, Color color) {
    return (pos->colors[color] & ~pos->types[PAWN] & ~pos->types[KING]) != 0;
}
// True when a side has a right to castle that chess does not know, because of where king or rook
// stand.
static inline bool position_is_chess960(const Position *pos) {
    return pos->castling_files != 0;
}
// What a move takes, PIECE_TYPE_NONE for nothing. Where a king lands that castles, its rook may
// stand, or it itself.
static inline PieceType move_victim(const Position *pos, Move move) {
    if (move_kind(move) < MOVE_EN_PASSANT)
        return piece_type(pos->board[move_to(move)]);
    return move_kind(move) == MOVE_EN_PASSANT ? PAWN : PIECE_TYPE_NONE;
}
static inline bool move_is_capture(const Position *pos, Move move) {
    return move_victim(pos, move) != PIECE_TYPE_NONE;
}
// Neither a capture nor a promotion.
static inline bool move_is_quiet(const Position *pos, Move move) {
    return !move_is_capture(pos, move) && move_kind(move) != MOVE_PROMOTION;
}

// Pieces of both colours that reach `square` when `occupied` is in the way.
static inline Bitboard position_all_attackers(const Position *pos, Square square,
                                              Bitboard occupied) {
    Bitboard diagonal = pos->types[BISHOP] | pos->types[QUEEN];
    Bitboard straight = pos->types[ROOK] | pos->types[QUEEN];
    return (attacks_pawn(square, BLACK) & position_pieces(pos, WHITE, PAWN)) |
           (attacks_pawn(square, WHITE) & position_pieces(pos, BLACK, PAWN)) |
           (attacks_knight(square) & pos->types[KNIGHT]) |
           (attacks_king(square) & pos->types[KING]) |
           (attacks_bishop(square, occupied) & diagonal) |
           (attacks_rook(square, occupied) & straight);
}

// Those of one colour.
static inline Bitboard position_attackers(const Position *pos, Square square, Color by,
                                          Bitboard occupied) {
    return position_all_attackers(pos, square, occupied) & pos->colors[by];
}

// Enemy pieces that give check to the side to move.
static inline Bitboard position_checkers(const Position *pos) {
    Color us = position_turn(pos);
    return position_attackers(pos, position_king(pos, us), color_other(us), position_occupied(pos));
}

// Pieces of either colour that alone stand between `color`'s king and an enemy slider.
Bitboard position_king_blockers(const Position *pos, Color color);
// True when `move`, which is legal, gives check.
bool position_gives_check(const Position *pos, Move move);

// What makes many such questions about one position cheap.
typedef struct CheckInfo {
    Bitboard squares[PIECE_TYPE_NB]; // from which a piece of ours attacks the enemy king
    Bitboard discoverers;            // pieces of ours that stand before one of our sliders
    Square king;                     // the enemy's
} CheckInfo;

CheckInfo position_check_info(const Position *pos);

static inline bool check_info_gives_check(const CheckInfo *info, const Position *pos, Move move) {
    if (move_kind(move) != MOVE_NORMAL)
        return position_gives_check(pos, move);
    Square from = move_from(move), to = move_to(move);
    if (bb_has(info->squares[piece_type(pos->board[from])], to))
        return true;
    return bb_has(info->discoverers, from) && !bb_has(squares_line(from, info->king), to);
}
