// SPDX-License-Identifier: GPL-3.0-or-later
// The vocabulary of the board: colours, pieces, squares, moves.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint64_t Bitboard; // bit 0 is a1, bit 7 h1, bit 63 h8
typedef uint8_t Square;
typedef uint8_t Piece; // colour * 8 + type, or PIECE_NONE
typedef uint16_t Move; // from, to << 6, kind << 12, promotion << 14; see move.h

typedef struct Position Position;

typedef enum Color { WHITE, BLACK, COLOR_NB } Color;

typedef enum PieceType {
    PAWN,
    KNIGHT,
    BISHOP,
    ROOK,
    QUEEN,
    KING,
    PIECE_TYPE_NB,
    PIECE_TYPE_NONE = PIECE_TYPE_NB,
} PieceType;

enum { PIECE_NONE = PIECE_TYPE_NONE, PIECE_NB = 16 };

enum { A1 = 0, C1 = 2, E1 = 4, G1 = 6, H1 = 7, A8 = 56, E8 = 60, H8 = 63, SQUARE_NB = 64 };
enum { SQUARE_NONE = 64 };

typedef enum CastlingRight {
    CASTLE_WHITE_KING = 1,
    CASTLE_WHITE_QUEEN = 2,
    CASTLE_BLACK_KING = 4,
    CASTLE_BLACK_QUEEN = 8,
    CASTLING_NB = 16,
} CastlingRight;

typedef enum GameResult {
    RESULT_UNKNOWN,
    RESULT_WHITE_WINS,
    RESULT_BLACK_WINS,
    RESULT_DRAW
} GameResult;

static inline Color color_other(Color color) {
    return (Color)(color ^ 1);
}

static inline Piece piece_make(Color color, PieceType type) {
    return (Piece)((unsigned)color << 3 | (unsigned)type);
}
static inline PieceType piece_type(Piece piece) {
    return (PieceType)(piece & 7);
}
static inline Color piece_color(Piece piece) {
    return (Color)(piece >> 3);
}

static inline Square square_make(unsigned file, unsigned rank) {
    return (Square)(rank << 3 | file);
}
static inline unsigned square_file(Square square) {
    return square & 7u;
}
static inline unsigned square_rank(Square square) {
    return square >> 3u;
}
// The rank as `color` counts it, from 0 at its own back rank.
static inline unsigned square_relative_rank(Square square, Color color) {
    return square_rank(square) ^ (color == WHITE ? 0u : 7u);
}
// In king's steps.
static inline unsigned square_distance(Square a, Square b) {
    const int files = (int)square_file(a) - (int)square_file(b);
    const int ranks = (int)square_rank(a) - (int)square_rank(b);
    const int across = files < 0 ? -files : files, along = ranks < 0 ? -ranks : ranks;
    return (unsigned)(across > along ? across : along);
}
static inline Square square_flip(Square square) {
    return square ^ 56;
}
