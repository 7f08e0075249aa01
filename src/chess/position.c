// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/position.h"

#include "chess/castling.h"
#include "chess/fen.h"
#include "chess/zobrist.h"

#include <assert.h>
#include <string.h>

// Castling rights of chess that survive a move from or to a square.
static uint8_t rights_kept[SQUARE_NB];

void chess_init(void) {
    static bool done;
    if (done)
        return;
    attacks_init();
    zobrist_init();
    memset(rights_kept, CASTLING_NB - 1, sizeof rights_kept);
    rights_kept[A1] &= (uint8_t)~CASTLE_WHITE_QUEEN;
    rights_kept[H1] &= (uint8_t)~CASTLE_WHITE_KING;
    rights_kept[E1] &= (uint8_t) ~(CASTLE_WHITE_KING | CASTLE_WHITE_QUEEN);
    rights_kept[A8] &= (uint8_t)~CASTLE_BLACK_QUEEN;
    rights_kept[H8] &= (uint8_t)~CASTLE_BLACK_KING;
    rights_kept[E8] &= (uint8_t) ~(CASTLE_BLACK_KING | CASTLE_BLACK_QUEEN);
    done = true;
}

void position_set_start(Position *pos) {
    Status status = fen_parse(fen_start, pos);
    assert(status == OK);
    (void)status;
}

static inline void put(Position *pos, Piece piece, Square square) {
    Bitboard bit = bb_square(square);
    pos->types[piece_type(piece)] |= bit;
    pos->colors[piece_color(piece)] |= bit;
    pos->board[square] = piece;
}

static inline void take(Position *pos, Piece piece, Square square) {
    Bitboard bit = bb_square(square);
    pos->types[piece_type(piece)] ^= bit;
    pos->colors[piece_color(piece)] ^= bit;
    pos->board[square] = PIECE_NONE;
}

static inline void shift(Position *pos, Piece piece, Square from, Square to) {
    Bitboard bits = bb_square(from) | bb_square(to);
    pos->types[piece_type(piece)] ^= bits;
    pos->colors[piece_color(piece)] ^= bits;
    pos->board[from] = PIECE_NONE;
    pos->board[to] = piece;
}

static inline uint64_t material_unit(Piece piece) {
    return 1ULL << 4 * piece;
}

// True when the side to move has a legal en passant capture on pos->ep.
static bool ep_is_legal(const Position *pos) {
    Color us = position_turn(pos), them = color_other(us);
    Square king = position_king(pos, us), victim = pos->ep ^ 8;
    Bitboard takers = attacks_pawn(pos->ep, them) & position_pieces(pos, us, PAWN);
    while (takers != 0) {
        Bitboard gone = bb_square(bb_pop(&takers)) | bb_square(victim);
        Bitboard occupied = (position_occupied(pos) & ~gone) | bb_square(pos->ep);
        if ((position_attackers(pos, king, them, occupied) & ~gone) == 0)
            return true;
    }
    return false;
}

static inline uint64_t ep_key(const Position *pos) {
    return pos->ep != SQUARE_NONE && ep_is_legal(pos) ? zobrist.ep_file[square_file(pos->ep)] : 0;
}

static inline void toggle_piece(Position *pos, Piece piece, Square square) {
    uint64_t key = zobrist.piece[piece][square];
    pos->key ^= key;
    if (piece_type(piece) == PAWN)
        pos->pawn_key ^= key;
}

static inline void capture(Position *pos, Piece piece, Square square) {
    take(pos, piece, square);
    toggle_piece(pos, piece, square);
    pos->material -= material_unit(piece);
    pos->halfmove = 0;
}

static void promote(Position *pos, Piece pawn, Piece piece, Square square) {
    take(pos, pawn, square);
    put(pos, piece, square);
    toggle_piece(pos, pawn, square);
    toggle_piece(pos, piece, square);
    pos->material += material_unit(piece) - material_unit(pawn);
}

static inline Undo undo_of(const Position *pos, Piece captured) {
    return (Undo){.key = pos->key,
                  .pawn_key = pos->pawn_key,
                  .halfmove = pos->halfmove,
                  .castling_files = pos->castling_files,
                  .castling = pos->castling,
                  .ep = pos->ep,
                  .captured = captured};
}

static __attribute__((noinline)) void lose_rights(Position *pos, Piece moved, Square from,
                                                  Square to) {
    uint8_t kept = position_is_chess960(pos) ? castling_kept(pos, moved, from, to)
                                             : pos->castling & rights_kept[from] & rights_kept[to];
    pos->key ^= zobrist.castling[pos->castling] ^ zobrist.castling[kept];
    castling_keep(pos, kept);
}

static inline void pass_turn(Position *pos, Color us) {
    pos->fullmove = (uint16_t)(pos->fullmove + (us == BLACK));
    pos->turn = (uint8_t)color_other(us);
}

// Either may land where the other stood, so both leave before one arrives.
static __attribute__((noinline)) void make_castling(Position *pos, Move move, Undo *undo) {
    Color us = position_turn(pos);
    CastlingSquares at = castling_squares(pos, us, castling_is_king_side(move));
    Piece king = piece_make(us, KING), rook = piece_make(us, ROOK);
    *undo = undo_of(pos, PIECE_NONE);
    pos->key ^= ep_key(pos) ^ zobrist.white_to_move;
    pos->ep = SQUARE_NONE;
    pos->halfmove++;
    take(pos, king, at.king_from);
    take(pos, rook, at.rook_from);
    put(pos, king, at.king_to);
    put(pos, rook, at.rook_to);
    pos->key ^= zobrist.piece[king][at.king_from] ^ zobrist.piece[king][at.king_to] ^
                zobrist.piece[rook][at.rook_from] ^ zobrist.piece[rook][at.rook_to];
    lose_rights(pos, king, at.king_from, at.king_to);
    pass_turn(pos, us);
}

static void take_back_castling(Position *pos, Color us, Move move) {
    CastlingSquares at = castling_squares(pos, us, castling_is_king_side(move));
    Piece king = piece_make(us, KING), rook = piece_make(us, ROOK);
    take(pos, king, at.king_to);
    take(pos, rook, at.rook_to);
    put(pos, king, move_from(move));
    put(pos, rook, at.rook_from);
}

void position_make(Position *pos, Move move, Undo *undo) {
    Square from = move_from(move), to = move_to(move);
    MoveKind kind = move_kind(move);
    if (kind == MOVE_CASTLING) {
        make_castling(pos, move, undo);
        return;
    }
    Color us = position_turn(pos), them = color_other(us);
    Piece piece = pos->board[from];
    Piece captured = kind == MOVE_EN_PASSANT ? piece_make(them, PAWN) : pos->board[to];
    *undo = undo_of(pos, captured);

    pos->key ^= ep_key(pos) ^ zobrist.white_to_move;
    pos->ep = SQUARE_NONE;
    pos->halfmove++;
    if (captured != PIECE_NONE)
        capture(pos, captured, kind == MOVE_EN_PASSANT ? to ^ 8 : to);
    shift(pos, piece, from, to);
    toggle_piece(pos, piece, from);
    toggle_piece(pos, piece, to);
    // One branch for both: rights of chess that are lost, and any of Chess960.
    unsigned castling = pos->castling & rights_kept[from] & rights_kept[to];
    if (((castling ^ pos->castling) | pos->castling_files) != 0)
        lose_rights(pos, piece, from, to);
    pass_turn(pos, us);
    if (piece_type(piece) != PAWN)
        return;
    pos->halfmove = 0;
    if (kind == MOVE_PROMOTION)
        promote(pos, piece, piece_make(us, move_promotion(move)), to);
    else if ((from ^ to) == 16 &&
             (attacks_pawn(to ^ 8, us) & position_pieces(pos, them, PAWN)) != 0) {
        pos->ep = to ^ 8;
        pos->key ^= ep_key(pos);
    }
}

void position_unmake(Position *pos, Move move, const Undo *undo) {
    Square from = move_from(move), to = move_to(move);
    MoveKind kind = move_kind(move);
    Color us = color_other(position_turn(pos));
    pos->turn = (uint8_t)us;
    pos->fullmove = (uint16_t)(pos->fullmove - (us == BLACK));
    if (kind == MOVE_PROMOTION) {
        Piece piece = pos->board[to], pawn = piece_make(us, PAWN);
        take(pos, piece, to);
        put(pos, pawn, to);
        pos->material += material_unit(pawn) - material_unit(piece);
    }
    pos->castling_files = undo->castling_files;
    if (kind == MOVE_CASTLING)
        take_back_castling(pos, us, move);
    else
        shift(pos, pos->board[to], to, from);
    if (undo->captured != PIECE_NONE) {
        put(pos, undo->captured, kind == MOVE_EN_PASSANT ? to ^ 8 : to);
        pos->material += material_unit(undo->captured);
    }
    pos->key = undo->key;
    pos->pawn_key = undo->pawn_key;
    pos->halfmove = undo->halfmove;
    pos->castling = undo->castling;
    pos->ep = undo->ep;
}

void position_make_null(Position *pos, Undo *undo) {
    *undo = undo_of(pos, PIECE_NONE);
    pos->key ^= ep_key(pos) ^ zobrist.white_to_move;
    pos->ep = SQUARE_NONE;
    pos->halfmove++;
    pos->fullmove = (uint16_t)(pos->fullmove + (pos->turn == BLACK));
    pos->turn ^= 1;
}

void position_unmake_null(Position *pos, const Undo *undo) {
    pos->turn ^= 1;
    pos->fullmove = (uint16_t)(pos->fullmove - (pos->turn == BLACK));
    pos->key = undo->key;
    pos->halfmove = undo->halfmove;
    pos->ep = undo->ep;
}

uint64_t position_key_after(const Position *pos, Move move) {
    Square from = move_from(move), to = move_to(move);
    Piece piece = pos->board[from], captured = pos->board[to];
    uint64_t key = pos->key ^ zobrist.white_to_move ^ zobrist.piece[piece][from];
    if (captured != PIECE_NONE)
        key ^= zobrist.piece[captured][to];
    return key ^ zobrist.piece[piece][to];
}

void position_refresh(Position *pos) {
    pos->key = zobrist.castling[pos->castling] ^ (pos->turn == WHITE ? zobrist.white_to_move : 0);
    pos->pawn_key = pos->material = 0;
    for (Bitboard left = position_occupied(pos); left != 0;) {
        const Square s = bb_pop(&left);
        toggle_piece(pos, pos->board[s], s);
        pos->material += material_unit(pos->board[s]);
    }
    pos->key ^= ep_key(pos);
}

void position_mirror(const Position *pos, Position *out) {
    memset(out, 0, sizeof *out);
    memset(out->board, PIECE_NONE, sizeof out->board);
    for (Square s = 0; s < SQUARE_NB; s++)
        if (pos->board[s] != PIECE_NONE)
            put(out, pos->board[s] ^ 8, square_flip(s));
    out->turn = pos->turn ^ 1;
    out->castling = (uint8_t)((pos->castling & 3) << 2 | pos->castling >> 2);
    out->castling_files = (uint16_t)(pos->castling_files << 8 | pos->castling_files >> 8);
    out->ep = pos->ep == SQUARE_NONE ? SQUARE_NONE : square_flip(pos->ep);
    out->halfmove = pos->halfmove;
    out->fullmove = pos->fullmove;
    position_refresh(out);
}

static bool board_matches_sets(const Position *pos) {
    Bitboard seen = 0;
    for (PieceType type = PAWN; type <= KING; type++) {
        if ((seen & pos->types[type]) != 0)
            return false;
        seen |= pos->types[type];
    }
    if (seen != position_occupied(pos) || (pos->colors[WHITE] & pos->colors[BLACK]) != 0)
        return false;
    for (Square s = 0; s < SQUARE_NB; s++) {
        Piece piece = pos->board[s];
        if (piece == PIECE_NONE
                ? bb_has(seen, s)
                : !bb_has(position_pieces(pos, piece_color(piece), piece_type(piece)), s))
            return false;
    }
    return true;
}

bool position_is_ok(const Position *pos) {
    if (!board_matches_sets(pos) || bb_count(position_pieces(pos, WHITE, KING)) != 1 ||
        bb_count(position_pieces(pos, BLACK, KING)) != 1)
        return false;
    static const uint8_t zeros[sizeof pos->padding];
    if ((pos->types[PAWN] & (RANK_1 | RANK_8)) != 0 || !castling_is_ok(pos) ||
        memcmp(pos->padding, zeros, sizeof zeros) != 0)
        return false;
    Color us = position_turn(pos), them = color_other(us);
    if (position_attackers(pos, position_king(pos, them), us, position_occupied(pos)) != 0)
        return false;
    Position fresh = *pos;
    position_refresh(&fresh);
    return memcmp(&fresh, pos, sizeof fresh) == 0;
}

Bitboard position_king_blockers(const Position *pos, Color color) {
    Square king = position_king(pos, color);
    Bitboard occupied = position_occupied(pos), blockers = 0;
    Bitboard diagonal = pos->types[BISHOP] | pos->types[QUEEN];
    Bitboard straight = pos->types[ROOK] | pos->types[QUEEN];
    Bitboard snipers = ((attacks_bishop(king, 0) & diagonal) | (attacks_rook(king, 0) & straight)) &
                       pos->colors[color_other(color)];
    while (snipers != 0) {
        Bitboard between = squares_between(king, bb_pop(&snipers)) & occupied;
        if (between != 0 && !bb_several(between))
            blockers |= between;
    }
    return blockers;
}

// Checks by sliders of `us` once `occupied` is what stands in the way.
static bool slides_to(const Position *pos, Square king, Color us, Bitboard occupied) {
    Bitboard ours = pos->colors[us] & occupied;
    Bitboard diagonal = pos->types[BISHOP] | pos->types[QUEEN];
    Bitboard straight = pos->types[ROOK] | pos->types[QUEEN];
    return (attacks_bishop(king, occupied) & diagonal & ours) != 0 ||
           (attacks_rook(king, occupied) & straight & ours) != 0;
}

bool position_gives_check(const Position *pos, Move move) {
    Square from = move_from(move), to = move_to(move);
    MoveKind kind = move_kind(move);
    Color us = position_turn(pos);
    Square king = position_king(pos, color_other(us));
    Bitboard occupied = (position_occupied(pos) & ~bb_square(from)) | bb_square(to);
    if (kind == MOVE_EN_PASSANT)
        occupied &= ~bb_square(to ^ 8);
    PieceType type = kind == MOVE_PROMOTION ? move_promotion(move) : piece_type(pos->board[from]);
    // All between king and rook is empty, so that castling uncovers nothing on the rank.
    if (kind == MOVE_CASTLING) {
        CastlingSquares at = castling_squares(pos, us, castling_is_king_side(move));
        occupied = (position_occupied(pos) & ~bb_square(at.king_from) & ~bb_square(at.rook_from)) |
                   bb_square(at.king_to) | bb_square(at.rook_to);
        return bb_has(attacks_rook(at.rook_to, occupied), king);
    }
    Bitboard reach = type == PAWN ? attacks_pawn(to, us) : attacks_of(type, to, occupied);
    // A king cannot give check itself, but it can step out of the way.
    if (type != KING && bb_has(reach, king))
        return true;
    // Otherwise a slider behind the square it left must do it.
    bool may_discover = squares_line(from, king) != 0 || kind == MOVE_EN_PASSANT;
    return may_discover && slides_to(pos, king, us, occupied);
}

CheckInfo position_check_info(const Position *pos) {
    Color us = position_turn(pos), them = color_other(us);
    Square king = position_king(pos, them);
    Bitboard occupied = position_occupied(pos);
    Bitboard bishop = attacks_bishop(king, occupied), rook = attacks_rook(king, occupied);
    // Most often none of our pieces is in sight of the king, and nothing can be discovered.
    bool in_sight = ((bishop | rook) & pos->colors[us]) != 0;
    return (CheckInfo){
        .squares = {[PAWN] = attacks_pawn(king, them),
                    [KNIGHT] = attacks_knight(king),
                    [BISHOP] = bishop,
                    [ROOK] = rook,
                    [QUEEN] = bishop | rook},
        .discoverers = in_sight ? position_king_blockers(pos, them) & pos->colors[us] : 0,
        .king = king,
    };
}
