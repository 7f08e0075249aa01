// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/fen.h"

#include "chess/castling.h"
#include "chess/movegen.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { MEN_MAX = 16, PAWNS_MAX = 8, COUNTER_MAX = 9999 };

const char fen_start[] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

static const char piece_letters[] = "PNBRQK";
// The type of a capital letter, from 1; 0 for no piece.
static const uint8_t letter_types[256] = {
    ['P'] = PAWN + 1, ['N'] = KNIGHT + 1, ['B'] = BISHOP + 1,
    ['R'] = ROOK + 1, ['Q'] = QUEEN + 1,  ['K'] = KING + 1,
};
static const char castling_letters[CASTLING_RIGHTS + 1] = "KQkq";

static Status read_piece(Position *pos, char letter, Square square) {
    char upper = (char)(letter & ~32);
    const unsigned found = letter_types[(unsigned char)upper];
    if (found == 0)
        return error_set(ERR_PARSE, "'%c' is no piece",
                         letter >= ' ' && letter < 127 ? letter : '?');
    PieceType type = (PieceType)(found - 1);
    Color color = letter == upper ? WHITE : BLACK;
    pos->board[square] = piece_make(color, type);
    pos->types[type] |= bb_square(square);
    pos->colors[color] |= bb_square(square);
    return OK;
}

static Status read_rank(Position *pos, const char **text, const char *end, unsigned rank) {
    unsigned file = 0;
    for (; *text < end && **text != '/'; ++*text) {
        char c = **text;
        if (c >= '1' && c <= '8') {
            file += (unsigned)(c - '0');
        } else if (file < 8) {
            TRY(read_piece(pos, c, square_make(file, rank)));
            file++;
        } else {
            file = 9;
        }
        if (file > 8)
            return error_set(ERR_PARSE, "rank %u has more than 8 squares", rank + 1);
    }
    if (file != 8)
        return error_set(ERR_PARSE, "rank %u has %u squares, not 8", rank + 1, file);
    return OK;
}

static Status read_board(Position *pos, StrView field) {
    const char *text = field.text, *end = text + field.length;
    for (unsigned rank = 8; rank-- > 0;) {
        TRY(read_rank(pos, &text, end, rank));
        if (rank > 0 && text == end)
            return error_set(ERR_PARSE, "the board has %u ranks, not 8", 8 - rank);
        if (text < end)
            text++;
    }
    if (text != end || text[-1] == '/')
        return error_set(ERR_PARSE, "the board has more than 8 ranks");
    return OK;
}

static Status check_men(const Position *pos, Color color) {
    const char *name = color == WHITE ? "White" : "Black";
    unsigned count[PIECE_TYPE_NB];
    for (PieceType type = PAWN; type <= KING; type++)
        count[type] = bb_count(position_pieces(pos, color, type));
    if (count[KING] != 1)
        return error_set(ERR_PARSE, "%s has %u kings, not 1", name, count[KING]);
    if (count[PAWN] > PAWNS_MAX)
        return error_set(ERR_PARSE, "%s has %u pawns", name, count[PAWN]);
    if (bb_count(pos->colors[color]) > MEN_MAX)
        return error_set(ERR_PARSE, "%s has %u men", name, bb_count(pos->colors[color]));
    static const unsigned original[] = {0, 2, 2, 2, 1};
    unsigned promoted = 0;
    for (PieceType type = KNIGHT; type <= QUEEN; type++)
        promoted += count[type] > original[type] ? count[type] - original[type] : 0;
    if (count[PAWN] + promoted > PAWNS_MAX)
        return error_set(ERR_PARSE, "%s has more promoted pieces than missing pawns", name);
    return OK;
}

static Status check_pieces(const Position *pos) {
    TRY(check_men(pos, WHITE));
    TRY(check_men(pos, BLACK));
    if ((pos->types[PAWN] & (RANK_1 | RANK_8)) != 0)
        return error_set(ERR_PARSE, "a pawn stands on a back rank");
    return OK;
}

static Status read_turn(Position *pos, StrView field) {
    if (field.length == 1 && (field.text[0] | 32) == 'w')
        pos->turn = WHITE;
    else if (field.length == 1 && (field.text[0] | 32) == 'b')
        pos->turn = BLACK;
    else if (field.length == 0)
        return error_set(ERR_PARSE, "the side to move is missing");
    else
        return error_set(ERR_PARSE, "side to move '%.*s' is neither w nor b",
                         (int)(field.length < 20 ? field.length : 20), field.text);
    return OK;
}

// The rook that a letter of the castling field means, a square that may be empty, or SQUARE_NONE.
// X-FEN: K and Q are the outermost rooks of their side; a file's letter, which Shredder always
// writes, is the rook on that file.
static Square rook_of_letter(const Position *pos, char upper, Color color) {
    const Bitboard rank = bb_rank(color == WHITE ? 0 : 7);
    const Bitboard beyond = ~0ULL << position_king(pos, color);
    Bitboard rooks = position_pieces(pos, color, ROOK) & rank;
    if (upper >= 'A' && upper <= 'H')
        return square_make((unsigned)(upper - 'A'), color == WHITE ? 0 : 7);
    rooks &= upper == 'K' ? beyond : ~beyond;
    if (rooks == 0)
        return SQUARE_NONE;
    return upper == 'K' ? bb_last(rooks) : bb_first(rooks);
}

static Status read_castling(Position *pos, StrView field) {
    if (field.length == 0 || view_equals(field, "-"))
        return OK;
    for (size_t i = 0; i < field.length; i++) {
        const char c = field.text[i];
        const char upper = (char)(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
        const Color color = c == upper ? WHITE : BLACK;
        if (upper != 'K' && upper != 'Q' && (upper < 'A' || upper > 'H'))
            return error_set(ERR_PARSE, "castling field has a character that is none of KQkq-, nor "
                                        "the file of a rook");
        const Square rook = rook_of_letter(pos, upper, color);
        const bool is_home = square_relative_rank(position_king(pos, color), color) == 0;
        if (!is_home || rook == SQUARE_NONE || pos->board[rook] != piece_make(color, ROOK))
            return error_set(ERR_PARSE, "castling right '%c' without king and rook at home", c);
        if (!castling_add(pos, color, rook))
            return error_set(ERR_PARSE, "castling right '%c' is the second of its side", c);
    }
    return OK;
}

// Keeps an en passant square only where a pawn stands ready to take; refuses one that cannot be.
static Status set_ep(Position *pos, Square ep) {
    Color us = position_turn(pos), them = color_other(us);
    Square pushed = ep ^ 8, origin = (Square)(2 * ep - pushed);
    if (square_relative_rank(ep, us) != 5)
        return error_set(ERR_PARSE, "en passant square is on the wrong rank for the side to move");
    if (pos->board[pushed] != piece_make(them, PAWN) || pos->board[ep] != PIECE_NONE ||
        pos->board[origin] != PIECE_NONE)
        return error_set(ERR_PARSE, "no pawn can just have passed the en passant square");
    if ((attacks_pawn(ep, them) & position_pieces(pos, us, PAWN)) != 0)
        pos->ep = ep;
    return OK;
}

static Status read_ep(Position *pos, StrView field) {
    pos->ep = SQUARE_NONE;
    if (field.length == 0 || view_equals(field, "-"))
        return OK;
    if (field.length != 2 || field.text[0] < 'a' || field.text[0] > 'h' || field.text[1] < '1' ||
        field.text[1] > '8')
        return error_set(ERR_PARSE, "en passant field '%.*s' is no square",
                         (int)(field.length < 20 ? field.length : 20), field.text);
    return set_ep(pos,
                  square_make((unsigned)(field.text[0] - 'a'), (unsigned)(field.text[1] - '1')));
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

// The next field: up to a blank, a NUL or a semicolon.
static StrView next_field(StrView *rest) {
    while (rest->length > 0 && (rest->text[0] == ' ' || rest->text[0] == '\t')) {
        rest->text++;
        rest->length--;
    }
    size_t end = 0;
    while (end < rest->length && rest->text[end] != ';' && rest->text[end] != '\0' &&
           (unsigned char)rest->text[end] > ' ')
        end++;
    StrView field = {rest->text, end};
    rest->text += end;
    rest->length -= end;
    return field;
}

// A "-0 1" glued by a sloppy writer is the field "-" and the counter 0.
static StrView next_ep_field(StrView *rest) {
    StrView whole = *rest, field = next_field(rest);
    if (field.length < 2 || field.text[0] != '-' || !is_digit(field.text[1]))
        return field;
    size_t skipped = (size_t)(field.text + 1 - whole.text);
    *rest = (StrView){field.text + 1, whole.length - skipped};
    return (StrView){field.text, 1};
}

// Reads a counter if the next field is one; any other field is left to the caller.
static bool read_counter(StrView *rest, uint16_t *out) {
    StrView before = *rest, field = next_field(rest);
    int64_t value;
    if (field.length > 0 && is_digit(field.text[0]) && view_to_int(field, &value)) {
        *out = (uint16_t)(value > COUNTER_MAX ? COUNTER_MAX : value);
        return true;
    }
    *rest = before;
    return false;
}

static void read_counters(Position *pos, StrView *rest) {
    pos->fullmove = 1;
    if (read_counter(rest, &pos->halfmove) && read_counter(rest, &pos->fullmove) &&
        pos->fullmove == 0)
        pos->fullmove = 1;
}

Status fen_read(StrView *text, Position *out) {
    StrView rest = view_trim(*text);
    Position pos = {.ep = SQUARE_NONE};
    memset(pos.board, PIECE_NONE, sizeof pos.board);
    StrView board = next_field(&rest);
    if (board.length == 0)
        return error_set(ERR_PARSE, "no position");
    TRY(read_board(&pos, board));
    TRY(check_pieces(&pos));
    TRY(read_turn(&pos, next_field(&rest)));
    TRY(read_castling(&pos, next_field(&rest)));
    TRY(read_ep(&pos, next_ep_field(&rest)));
    read_counters(&pos, &rest);
    Color us = position_turn(&pos), them = color_other(us);
    if (position_attackers(&pos, position_king(&pos, them), us, position_occupied(&pos)) != 0)
        return error_set(ERR_PARSE, "%s is in check, but %s is to move",
                         them == WHITE ? "White" : "Black", us == WHITE ? "White" : "Black");
    position_refresh(&pos);
    assert(position_is_ok(&pos));
    *out = pos;
    *text = rest;
    return OK;
}

Status fen_parse(const char *text, Position *out) {
    StrView rest = view_from_string(text);
    TRY(fen_read(&rest, out));
    while (rest.length > 0 && rest.text[0] == ';')
        rest = view_trim((StrView){rest.text + 1, rest.length - 1});
    rest = view_trim(rest);
    if (rest.length != 0)
        return error_set(ERR_PARSE, "'%.*s' after the position",
                         (int)(rest.length < 20 ? rest.length : 20), rest.text);
    return OK;
}

static char *write_rank(const Position *pos, unsigned rank, char *out) {
    unsigned empty = 0;
    for (unsigned file = 0; file < 8; file++) {
        Piece piece = pos->board[square_make(file, rank)];
        if (piece == PIECE_NONE) {
            empty++;
            continue;
        }
        if (empty > 0)
            *out++ = (char)('0' + empty);
        empty = 0;
        char letter = piece_letters[piece_type(piece)];
        *out++ = (char)(piece_color(piece) == WHITE ? letter : letter | 32);
    }
    if (empty > 0)
        *out++ = (char)('0' + empty);
    return out;
}

// The letter of a right: K or Q where the rook is the outermost of its side, else its file. Chess
// has no other rooks to castle with than the outermost.
static char castling_letter(const Position *pos, unsigned right, FenCastling style) {
    const Color color = right < 2 ? WHITE : BLACK;
    const Square rook = castling_rook(pos, right);
    const bool is_outermost = rook_of_letter(pos, right % 2 == 0 ? 'K' : 'Q', color) == rook;
    if (is_outermost && (style == FEN_X || !position_is_chess960(pos)))
        return castling_letters[right];
    return (char)((color == WHITE ? 'A' : 'a') + square_file(rook));
}

static char *write_castling(const Position *pos, FenCastling style, char *out) {
    for (unsigned right = 0; right < CASTLING_RIGHTS; right++)
        if (pos->castling >> right & 1)
            *out++ = castling_letter(pos, right, style);
    if (pos->castling == 0)
        *out++ = '-';
    return out;
}

static void write_fields(const Position *pos, FenCastling style, char *out) {
    for (unsigned rank = 8; rank-- > 0;) {
        out = write_rank(pos, rank, out);
        *out++ = rank > 0 ? '/' : ' ';
    }
    *out++ = pos->turn == WHITE ? 'w' : 'b';
    *out++ = ' ';
    out = write_castling(pos, style, out);
    *out++ = ' ';
    if (pos->ep == SQUARE_NONE) {
        *out++ = '-';
    } else {
        *out++ = (char)('a' + square_file(pos->ep));
        *out++ = (char)('1' + square_rank(pos->ep));
    }
    *out = '\0';
}

void fen_write_board(const Position *pos, char out[FEN_SIZE]) {
    write_fields(pos, FEN_X, out);
}

void fen_write_in(const Position *pos, FenCastling style, char out[FEN_SIZE]) {
    write_fields(pos, style, out);
    size_t length = strlen(out);
    snprintf(out + length, FEN_SIZE - length, " %u %u", pos->halfmove, pos->fullmove);
}

void fen_write(const Position *pos, char out[FEN_SIZE]) {
    fen_write_in(pos, FEN_X, out);
}
