// SPDX-License-Identifier: GPL-3.0-or-later
// SAN without a list of moves: the pieces that reach the target square are looked up backwards from
// it, and only they are tested for leaving their king in check.
#include "chess/san.h"

#include "chess/castling.h"
#include "chess/movegen.h"

#include <string.h>

// What the text of a move says, before the board is looked at.
typedef struct SanWords {
    Square to;
    PieceType type;      // PIECE_TYPE_NONE: "g1f3" does not say
    PieceType promotion; // PIECE_TYPE_NONE: no promotion
    Bitboard origins;    // squares it may come from
    bool names_origin;   // file or rank (or both) were written
    bool is_full;        // both were
} SanWords;

// Piece letters as PGN has them; PAWN + 1 and so on, 0 for no letter.
static const uint8_t letter_type[256] = {
    ['P'] = PAWN + 1, ['N'] = KNIGHT + 1, ['B'] = BISHOP + 1,
    ['R'] = ROOK + 1, ['Q'] = QUEEN + 1,  ['K'] = KING + 1,
};
static const uint8_t promotion_type[256] = {
    ['N'] = KNIGHT + 1, ['B'] = BISHOP + 1, ['R'] = ROOK + 1, ['Q'] = QUEEN + 1,
    ['n'] = KNIGHT + 1, ['b'] = BISHOP + 1, ['r'] = ROOK + 1, ['q'] = QUEEN + 1,
};

// Squares a piece reaches on an empty board, worked out by the compiler. Picking the set by number
// matters: which piece moves next is what a branch predictor cannot know.
// clang-format off
#define BIT(s)     (1ULL << (s))
#define NOT_A      (~FILE_A)
#define NOT_H      (~FILE_H)
#define NOT_AB     (~(FILE_A | FILE_A << 1))
#define NOT_GH     (~(FILE_H | FILE_H >> 1))
#define NOTHING(s) 0
#define KNIGHT_REACH(s)                                                                            \
    (((BIT(s) << 17 | BIT(s) >> 15) & NOT_A) | ((BIT(s) << 15 | BIT(s) >> 17) & NOT_H) |           \
     ((BIT(s) << 10 | BIT(s) >> 6) & NOT_AB) | ((BIT(s) << 6 | BIT(s) >> 10) & NOT_GH))
#define KING_REACH(s)                                                                              \
    (BIT(s) << 8 | BIT(s) >> 8 | ((BIT(s) << 9 | BIT(s) << 1 | BIT(s) >> 7) & NOT_A) |             \
     ((BIT(s) << 7 | BIT(s) >> 1 | BIT(s) >> 9) & NOT_H))
#define SHIFT_RANKS(set, n) ((n) >= 0 ? (set) << (8 * (n) & 63) : (set) >> (-8 * (n) & 63))
#define BISHOP_REACH(s)                                                                            \
    (SHIFT_RANKS(0x8040201008040201ULL, (s) / 8 - (s) % 8) ^                                       \
     SHIFT_RANKS(0x0102040810204080ULL, (s) / 8 + (s) % 8 - 7))
#define ROOK_REACH(s)  (FILE_A << (s) % 8 ^ RANK_1 << (s) / 8 * 8)
#define QUEEN_REACH(s) (BISHOP_REACH(s) | ROOK_REACH(s))
#define EIGHT(F, s)    F(s), F(s + 1), F(s + 2), F(s + 3), F(s + 4), F(s + 5), F(s + 6), F(s + 7)
#define ALL(F)         {EIGHT(F, 0), EIGHT(F, 8), EIGHT(F, 16), EIGHT(F, 24),                      \
                        EIGHT(F, 32), EIGHT(F, 40), EIGHT(F, 48), EIGHT(F, 56)}
static const Bitboard reach[PIECE_TYPE_NB][SQUARE_NB] = {
    ALL(NOTHING), ALL(KNIGHT_REACH), ALL(BISHOP_REACH), ALL(ROOK_REACH), ALL(QUEEN_REACH), ALL(KING_REACH),
};
// clang-format on

static bool is_file(char c) {
    return c >= 'a' && c <= 'h';
}
static bool is_rank(char c) {
    return c >= '1' && c <= '8';
}

static bool is_mark(char c) {
    return c == '+' || c == '#' || c == '!' || c == '?' || c == '=';
}

static bool cut_suffix(StrView *text, const char *suffix) {
    size_t length = strlen(suffix);
    if (text->length <= length || memcmp(text->text + text->length - length, suffix, length) != 0)
        return false;
    text->length -= length;
    return true;
}

// Removes "+", "!?", "e.p." and the like from the end.
static void cut_marks(StrView *text) {
    while (text->length > 0 && is_mark(text->text[text->length - 1]))
        text->length--;
    if (text->length == 0 || is_rank(text->text[text->length - 1]))
        return;
    if (cut_suffix(text, "e.p.") || cut_suffix(text, "e.p") || cut_suffix(text, "ep"))
        while (text->length > 0 &&
               (is_mark(text->text[text->length - 1]) || text->text[text->length - 1] == ' '))
            text->length--;
}

// Removes "Q", "=Q", "/Q" or "(Q)" from the end; false when a letter stands there that is no piece.
static bool cut_promotion(StrView *text, PieceType *out) {
    *out = PIECE_TYPE_NONE;
    size_t length = text->length;
    if (length == 0 || is_rank(text->text[length - 1]))
        return true;
    bool in_brackets = text->text[length - 1] == ')';
    length -= in_brackets;
    if (length < 2 || promotion_type[(unsigned char)text->text[length - 1]] == 0)
        return false;
    *out = (PieceType)(promotion_type[(unsigned char)text->text[length - 1]] - 1);
    length--;
    char before = text->text[length - 1];
    if (in_brackets ? before == '(' : before == '=' || before == '/')
        length--;
    else if (in_brackets)
        return false;
    text->length = length;
    return true;
}

// Reads [piece][file][rank][x or - or :]square[promotion][marks].
static bool read_words(StrView text, SanWords *out) {
    const char *front = text.text;
    text.length -= front[text.length - 1] == '+';
    out->promotion = PIECE_TYPE_NONE;
    if (text.length == 0)
        return false;
    if (!is_rank(front[text.length - 1])) {
        cut_marks(&text);
        if (!cut_promotion(&text, &out->promotion))
            return false;
    }
    size_t end = text.length;
    if (end < 2 || !is_rank(front[end - 1]) || !is_file(front[end - 2]))
        return false;
    out->to = square_make((unsigned)(front[end - 2] - 'a'), (unsigned)(front[end - 1] - '1'));
    end -= 2;
    size_t start = end > 0 && letter_type[(unsigned char)front[0]] != 0;
    out->type = start == 0 ? PAWN : (PieceType)(letter_type[(unsigned char)front[0]] - 1);
    bool has_separator =
        end > start && (front[end - 1] == 'x' || front[end - 1] == '-' || front[end - 1] == ':');
    end -= has_separator;
    out->origins = ~0ULL;
    bool has_rank = end > start && is_rank(front[end - 1]);
    if (has_rank)
        out->origins = bb_rank((unsigned)(front[--end] - '1'));
    bool has_file = end > start && is_file(front[end - 1]);
    if (has_file)
        out->origins &= bb_file((unsigned)(front[--end] - 'a'));
    out->names_origin = has_rank || has_file;
    out->is_full = has_rank && has_file;
    if (start == 0 && out->is_full)
        out->type = PIECE_TYPE_NONE;
    // A pawn that takes without saying from where is not a notation.
    return end == start && (has_file || !has_separator || out->type != PAWN);
}

// True when our king is not attacked after the move; castling is not asked here. Sliders in line
// with the king are few, and mostly the same from move to move: looking at them one by one is
// faster than two look-ups in the big tables.
static bool is_safe(const Position *pos, Square from, Square to, Bitboard captured) {
    Color us = position_turn(pos);
    Bitboard occupied = ((position_occupied(pos) & ~captured) ^ bb_square(from)) | bb_square(to);
    Bitboard them = pos->colors[color_other(us)] & ~captured;
    Square king = position_king(pos, us);
    if (king == from)
        king = to;
    Bitboard steppers = (attacks_pawn(king, us) & pos->types[PAWN]) |
                        (attacks_knight(king) & pos->types[KNIGHT]) |
                        (attacks_king(king) & pos->types[KING]);
    if ((steppers & them) != 0)
        return false;
    Bitboard queens = pos->types[QUEEN];
    Bitboard sliders = ((reach[BISHOP][king] & (pos->types[BISHOP] | queens)) |
                        (reach[ROOK][king] & (pos->types[ROOK] | queens))) &
                       them;
    while (sliders != 0)
        if ((squares_between(king, bb_pop(&sliders)) & occupied) == 0)
            return false;
    return true;
}

// Those of `origins` from which a piece may legally go to `to`.
static Bitboard keep_safe(const Position *pos, Bitboard origins, Square to, Bitboard captured) {
    Bitboard safe = 0;
    while (origins != 0) {
        Square from = bb_pop(&origins);
        if ((squares_between(from, to) & position_occupied(pos)) == 0 &&
            is_safe(pos, from, to, captured))
            safe |= bb_square(from);
    }
    return safe;
}

// Pieces that would reach `to` if nothing stood between; keep_safe looks at that.
static Bitboard piece_origins(const Position *pos, PieceType type, Square to) {
    Color us = position_turn(pos);
    if (bb_has(pos->colors[us], to))
        return 0;
    return reach[type][to] & position_pieces(pos, us, type);
}

// Pawns that may push to `to`, or, with `takes`, take there.
static Bitboard pawn_origins(const Position *pos, Square to, bool takes) {
    Color us = position_turn(pos);
    Bitboard target = bb_square(to), occupied = position_occupied(pos);
    Bitboard pawns = position_pieces(pos, us, PAWN);
    if (takes) {
        bool can_take = bb_has(pos->colors[color_other(us)], to) || to == pos->ep;
        return can_take ? attacks_pawn(to, color_other(us)) & pawns : 0;
    }
    if ((target & occupied) != 0)
        return 0;
    Bitboard one = bb_forward(target, color_other(us));
    if ((one & pawns) != 0 || (one & occupied) != 0 || square_relative_rank(to, us) != 3)
        return one & pawns;
    return bb_forward(one, color_other(us)) & pawns;
}

static SanError choose(Bitboard origins, Square *out) {
    if (origins == 0)
        return SAN_ILLEGAL;
    *out = bb_first(origins);
    return bb_several(origins) ? SAN_AMBIGUOUS : SAN_OK;
}

static SanError find_pawn_move(const Position *pos, const SanWords *words, Move *out) {
    bool takes = words->names_origin && (words->origins & bb_file(square_file(words->to))) == 0;
    bool promotes = square_relative_rank(words->to, position_turn(pos)) == 7;
    // Which piece a pawn becomes must be said, and cannot be said elsewhere.
    if (promotes != (words->promotion != PIECE_TYPE_NONE))
        return promotes ? SAN_MALFORMED : SAN_ILLEGAL;
    bool en_passant = takes && words->to == pos->ep;
    Bitboard captured = en_passant ? bb_square(words->to ^ 8) : bb_square(words->to);
    Bitboard origins = pawn_origins(pos, words->to, takes) & words->origins;
    Square from;
    SanError error = choose(keep_safe(pos, origins, words->to, captured), &from);
    if (error != SAN_OK)
        return error;
    if (promotes)
        *out = move_make_promotion(from, words->to, words->promotion);
    else
        *out = move_make_kind(from, words->to, en_passant ? MOVE_EN_PASSANT : MOVE_NORMAL);
    return SAN_OK;
}

static SanError find_castling(const Position *pos, bool kingside, Move *out) {
    Color us = position_turn(pos);
    if (!castling_is_possible(pos, us, kingside))
        return SAN_ILLEGAL;
    CastlingSquares at = castling_squares(pos, us, kingside);
    *out = move_make_kind(at.king_from, at.king_to, MOVE_CASTLING);
    return SAN_OK;
}

static bool is_castling_letter(char c) {
    return c == 'O' || c == '0' || c == 'o';
}

static SanError parse_castling(const Position *pos, StrView text, Move *out) {
    cut_marks(&text);
    size_t letters = 0;
    for (size_t i = 0; i < text.length; i++) {
        bool is_letter = is_castling_letter(text.text[i]);
        if (i % 2 == 0 ? !is_letter : text.text[i] != '-')
            return SAN_MALFORMED;
        letters += is_letter;
    }
    if (text.length != 3 && text.length != 5)
        return SAN_MALFORMED;
    return find_castling(pos, letters == 2, out);
}

static bool is_null_move(StrView text) {
    static const char *const names[] = {"--", "---", "Z0", "z0", "0000", "@@@@", "null", "pass"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (view_equals(text, names[i]))
            return true;
    return false;
}

// "e1g1", "Ke1-g1" and, king takes rook, "e1h1".
static bool says_castling(const Position *pos, const SanWords *words) {
    Color us = position_turn(pos);
    Square king = position_king(pos, us);
    CastlingSquares at = castling_squares(pos, us, words->to > king);
    bool goes_far = words->to == at.king_to && !bb_has(attacks_king(king), words->to);
    bool takes_rook = words->to == at.rook_from && pos->board[words->to] == piece_make(us, ROOK);
    return bb_has(words->origins, king) && square_relative_rank(king, us) == 0 &&
           (goes_far || takes_rook);
}

static SanError find_piece_move(const Position *pos, const SanWords *words, Move *out) {
    if (words->type == KING && words->is_full && says_castling(pos, words))
        return find_castling(pos, words->to > position_king(pos, position_turn(pos)), out);
    Bitboard origins = piece_origins(pos, words->type, words->to) & words->origins;
    Square from;
    SanError error = choose(keep_safe(pos, origins, words->to, bb_square(words->to)), &from);
    if (error == SAN_OK)
        *out = move_make(from, words->to);
    return error;
}

SanError san_parse(const Position *pos, StrView text, Move *out) {
    if (text.length == 0)
        return SAN_MALFORMED;
    SanWords words;
    if (!read_words(text, &words)) {
        if (is_null_move(text))
            return SAN_NULL_MOVE;
        return is_castling_letter(text.text[0]) ? parse_castling(pos, text, out) : SAN_MALFORMED;
    }
    if (words.type == PIECE_TYPE_NONE) {
        Bitboard origin = words.origins & pos->colors[pos->turn];
        if (origin == 0)
            return SAN_ILLEGAL;
        words.type = piece_type(position_at(pos, bb_first(origin)));
    }
    if (words.type == PAWN)
        return find_pawn_move(pos, &words, out);
    return words.promotion == PIECE_TYPE_NONE ? find_piece_move(pos, &words, out) : SAN_MALFORMED;
}

const char *san_error_name(SanError error) {
    static const char *const names[] = {
        [SAN_OK] = "a move",
        [SAN_MALFORMED] = "not a move",
        [SAN_ILLEGAL] = "illegal move",
        [SAN_AMBIGUOUS] = "ambiguous move",
        [SAN_NULL_MOVE] = "null move",
    };
    return names[error];
}

static char *write_square(char *at, Square square) {
    *at++ = (char)('a' + square_file(square));
    *at++ = (char)('1' + square_rank(square));
    return at;
}

// The least that tells `from` apart from the other pieces of its kind: file, else rank, else both.
static char *write_origin(const Position *pos, PieceType type, Move move, char *at) {
    Square from = move_from(move), to = move_to(move);
    Bitboard rivals = piece_origins(pos, type, to) & ~bb_square(from);
    if (type == KING || rivals == 0)
        return at;
    rivals = keep_safe(pos, rivals, to, bb_square(to));
    if (rivals == 0)
        return at;
    bool file_tells = (rivals & bb_file(square_file(from))) == 0;
    bool rank_tells = (rivals & bb_rank(square_rank(from))) == 0;
    if (file_tells || !rank_tells)
        *at++ = (char)('a' + square_file(from));
    if (!file_tells)
        *at++ = (char)('1' + square_rank(from));
    return at;
}

static char *write_plain(const Position *pos, Move move, bool is_long, char *at) {
    Square from = move_from(move), to = move_to(move);
    if (move_kind(move) == MOVE_CASTLING)
        return stpcpy(at, castling_is_king_side(move) ? "O-O" : "O-O-O");
    PieceType type = piece_type(position_at(pos, from));
    bool takes = move_is_capture(pos, move);
    if (type != PAWN)
        *at++ = "PNBRQK"[type];
    if (is_long) {
        at = write_square(at, from);
    } else if (type != PAWN) {
        at = write_origin(pos, type, move, at);
    } else if (takes) {
        *at++ = (char)('a' + square_file(from));
    }
    if (takes)
        *at++ = 'x';
    at = write_square(at, to);
    if (move_kind(move) == MOVE_PROMOTION) {
        *at++ = '=';
        *at++ = "PNBRQK"[move_promotion(move)];
    }
    return at;
}

static void write_whole(const Position *pos, Move move, bool is_long, char *out) {
    char *at = write_plain(pos, move, is_long, out);
    if (position_gives_check(pos, move)) {
        Position after = *pos;
        Undo undo;
        position_make(&after, move, &undo);
        *at++ = movegen_has_any(&after) ? '+' : '#';
    }
    *at = '\0';
}

void san_write(const Position *pos, Move move, char out[SAN_SIZE]) {
    write_whole(pos, move, false, out);
}

void san_write_long(const Position *pos, Move move, char out[SAN_SIZE]) {
    write_whole(pos, move, true, out);
}
