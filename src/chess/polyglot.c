// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/polyglot.h"

#include "chess/castling.h"
#include "chess/movegen.h"
#include "chess/zobrist.h"

#include <assert.h>
#include <endian.h>
#include <string.h>

uint64_t polyglot_key(const Position *pos) {
    uint64_t key = zobrist.castling[pos->castling];
    for (Bitboard left = position_occupied(pos); left;) {
        Square square = bb_pop(&left);
        key ^= zobrist.piece[position_at(pos, square)][square];
    }
    if (pos->ep != SQUARE_NONE)
        key ^= zobrist.ep_file[square_file(pos->ep)];
    return position_turn(pos) == WHITE ? key ^ zobrist.white_to_move : key;
}

uint16_t polyglot_move_encode(const Position *pos, Move move) {
    unsigned from = move_from(move), to = move_to(move), promotion = 0;
    if (move_kind(move) == MOVE_CASTLING)
        to = castling_squares(pos, position_turn(pos), castling_is_king_side(move)).rook_from;
    if (move_kind(move) == MOVE_PROMOTION)
        promotion = (unsigned)move_promotion(move); // KNIGHT is 1, as in the format
    return (uint16_t)(to | from << 6 | promotion << 12);
}

// Where a king that castles lands when it is said to go to `to`, its rook's square or its own new
// one; or SQUARE_NONE.
static Square castling_target(const Position *pos, Square from, Square to) {
    const Color us = position_turn(pos);
    const CastlingSquares at = castling_squares(pos, us, to > from);
    if (position_at(pos, from) != piece_make(us, KING))
        return SQUARE_NONE;
    const bool takes_rook = to == at.rook_from && position_at(pos, to) == piece_make(us, ROOK);
    const bool goes_far = to == at.king_to && !bb_has(attacks_king(from), to);
    return takes_rook || goes_far ? at.king_to : SQUARE_NONE;
}

Move polyglot_move_decode(const Position *pos, uint16_t code) {
    Square to = code & 63, from = code >> 6 & 63;
    unsigned promotion = code >> 12;
    Color us = position_turn(pos);
    Move move;
    if (promotion > QUEEN || position_at(pos, from) == PIECE_NONE)
        return MOVE_NONE;
    if (promotion != 0)
        move = move_make_promotion(from, to, (PieceType)promotion);
    else if (position_at(pos, from) == piece_make(us, PAWN) && to == pos->ep &&
             square_file(from) != square_file(to))
        move = move_make_kind(from, to, MOVE_EN_PASSANT);
    else if (castling_target(pos, from, to) != SQUARE_NONE)
        move = move_make_kind(from, castling_target(pos, from, to), MOVE_CASTLING);
    else
        move = move_make(from, to);
    return move_is_legal(pos, move) ? move : MOVE_NONE;
}

PolyglotEntry polyglot_entry_read(const uint8_t bytes[POLYGLOT_ENTRY_SIZE]) {
    PolyglotEntry entry;
    memcpy(&entry, bytes, sizeof entry);
    entry.key = be64toh(entry.key);
    entry.move = be16toh(entry.move);
    entry.weight = be16toh(entry.weight);
    entry.learn = be32toh(entry.learn);
    return entry;
}

void polyglot_entry_write(const PolyglotEntry *entry, uint8_t bytes[POLYGLOT_ENTRY_SIZE]) {
    PolyglotEntry stored = {htobe64(entry->key), htobe16(entry->move), htobe16(entry->weight),
                            htobe32(entry->learn)};
    static_assert(sizeof stored == POLYGLOT_ENTRY_SIZE, "an entry is stored without gaps");
    memcpy(bytes, &stored, sizeof stored);
}

int polyglot_entry_compare(const void *a, const void *b) {
    const PolyglotEntry *first = a, *second = b;
    if (first->key != second->key)
        return first->key < second->key ? -1 : 1;
    if (first->weight != second->weight)
        return first->weight > second->weight ? -1 : 1;
    return (first->move > second->move) - (first->move < second->move);
}
