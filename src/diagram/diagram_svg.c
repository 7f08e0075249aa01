// SPDX-License-Identifier: GPL-3.0-or-later
// The board as a drawing. The outlines of the pieces are our own and have the licence of this file;
// pages and pictures that show them may be used and shared without conditions.
#include "chess/fen.h"
#include "diagram/diagram.h"

#include <math.h>

enum { CELL = 40, BOARD = 8 * CELL, MARGIN = 16 }; // the margin has ranks, files and the dot

// Each within a cell, from its upper left corner. What is open at its end is a line on the piece.
#define FOOT "M9.5 35.5v-3q0-2.5 2.5-2.5h16q2.5 0 2.5 2.5v3z"
static const char *const outlines[PIECE_TYPE_NB] = {
    [PAWN] =
        "M20 8a5.5 5.5 0 0 1 3.7 9.6h2.5v2.9h-3c.4 3.6 2 6.6 4.8 9.5H12c2.8-2.9 4.4-5.9 4.8-9.5"
        "h-3v-2.9h2.5A5.5 5.5 0 0 1 20 8z" FOOT,
    [KNIGHT] = "M12.5 30c.4-5.5 5.2-6.8 6-11.6-2.8 1.6-4.6 2-6.9 4.5-1 1-2.8.7-3.5-.5l-.9-1.8"
               "c-.3-.7-.1-1.4.3-2 2.2-2.7 3-4 3.8-6.7.8-2.3 2.2-3.7 4.4-4.6l.6-3.6 3.6 2.9"
               "c7.6 1.6 11.3 9.5 10.1 23.4zM8.5 35.5v-3q0-2.5 2.5-2.5h19q2.5 0 2.5 2.5v3z"
               "M15.4 13.6l1.6-1",
    [BISHOP] = "M20 8.2c4.8 3.6 7.2 7.2 7.2 11 0 2.7-1.3 4.6-3.4 5.8l2.4 5H13.8l2.4-5"
               "c-2.1-1.2-3.4-3.1-3.4-5.8 0-3.8 2.4-7.4 7.2-11zM20 3.6a2.3 2.3 0 0 1 0 4.6 "
               "2.3 2.3 0 0 1 0-4.6z" FOOT "M22.6 13.2l-3.4 5.2M16.2 25h7.6",
    [ROOK] = "M10 6.5h4.6v3.2h3v-3.2h4.8v3.2h3V6.5H30v6.7l-3.2 2.6v10.4L29.5 30h-19l2.7-3.8V15.8"
             "L10 13.2zM8.5 35.5v-3q0-2.5 2.5-2.5h18q2.5 0 2.5 2.5v3z"
             "M13.2 15.8h13.6M13.2 26.2h13.6",
    [QUEEN] = "M12.2 30 7.2 13.4l6.6 6L14.6 9l5.4 9 5.4-9 .8 10.4 6.6-6-5 16.6z" FOOT
              "M6.4 9.6a1.9 1.9 0 1 1 0 3.8 1.9 1.9 0 0 1 0-3.8zM14.4 5.2a1.9 1.9 0 1 1 0 3.8 "
              "1.9 1.9 0 0 1 0-3.8zM25.6 5.2a1.9 1.9 0 1 1 0 3.8 1.9 1.9 0 0 1 0-3.8z"
              "M33.6 9.6a1.9 1.9 0 1 1 0 3.8 1.9 1.9 0 0 1 0-3.8zM12 26h16",
    [KING] = "M18.6 3.5h2.8v2.6H24v2.7h-2.6v4.4h-2.8V8.8H16V6.1h2.6zM20 19.5c-1-4-3-6.3-6-6.3"
             "-4 0-7 3-7 7 0 4.2 2.4 6.3 4.5 9.8h17c2.1-3.5 4.5-5.6 4.5-9.8"
             " 0-4-3-7-7-7-3 0-5 2.3-6 6.3z" FOOT "M20 13.2v12.8M11.5 26h17",
};
static const char *const fills[COLOR_NB] = {"#fff", "#2b2b2b"};
static const char *const strokes[COLOR_NB] = {"#1a1a1a", "#f0f0f0"};

// The column and row of a square as they are seen, from the upper left.
static int column_of(const DiagramSpec *spec, Square square) {
    return spec->is_from_black ? 7 - square % 8 : square % 8;
}
static int row_of(const DiagramSpec *spec, Square square) {
    return spec->is_from_black ? square / 8 : 7 - square / 8;
}

static void add_squares(Str *out) {
    str_addf(out, "<rect width=\"%d\" height=\"%d\" fill=\"#ebe3d3\"/><path fill=\"#a9b3a0\" d=\"",
             BOARD, BOARD);
    for (int row = 0; row < 8; row++)
        for (int column = 1 - row % 2; column < 8; column += 2)
            str_addf(out, "M%d %dh%dv%dh-%dz", column * CELL, row * CELL, CELL, CELL, CELL);
    str_add(out, "\"/>\n");
}

static void add_names(const DiagramSpec *spec, Str *out) {
    for (int i = 0; i < 8; i++) {
        const int seen = spec->is_from_black ? 7 - i : i, middle = CELL * i + CELL / 2;
        str_addf(out,
                 "<text class=\"tick\" x=\"%d\" y=\"%d\" text-anchor=\"middle\">%c</text>"
                 "<text class=\"tick\" x=\"-%d\" y=\"%d\" text-anchor=\"middle\">%d</text>\n",
                 middle, BOARD + MARGIN - 3, 'a' + seen, MARGIN / 2, middle + 4, 8 - seen);
    }
}

static void add_pieces(const DiagramSpec *spec, Color color, Str *out) {
    str_addf(out,
             "<g fill=\"%s\" stroke=\"%s\" stroke-width=\"1.5\" stroke-linejoin=\"round\" "
             "stroke-linecap=\"round\">\n",
             fills[color], strokes[color]);
    for (Square square = 0; square < SQUARE_NB; square++) {
        const Piece piece = position_at(spec->position, square);
        if (piece != PIECE_NONE && piece_color(piece) == color)
            str_addf(out, "<path transform=\"translate(%d %d)\" d=\"%s\"/>\n",
                     CELL * column_of(spec, square), CELL * row_of(spec, square),
                     outlines[piece_type(piece)]);
    }
    str_add(out, "</g>\n");
}

static void add_tint(const DiagramSpec *spec, Square square, Str *out) {
    str_addf(out,
             "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#f2c94c\" "
             "opacity=\".55\"/>\n",
             CELL * column_of(spec, square), CELL * row_of(spec, square), CELL, CELL);
}

// From the middle of one square to the middle of the other, a head at its end.
static void add_arrow(const DiagramSpec *spec, Str *out) {
    const double head = 13, half = 7, half_line = 2.5, gap = 8;
    const Square from = move_from(spec->move), to = move_to(spec->move);
    const double across = CELL * (column_of(spec, to) - column_of(spec, from));
    const double down = CELL * (row_of(spec, to) - row_of(spec, from));
    const double length = hypot(across, down) - 2, neck = length - head;
    // Drawn to the right from the origin, then turned and moved.
    str_addf(out,
             "<path fill=\"#c0392b\" opacity=\".8\" transform=\"translate(%d %d) rotate(%.2f)\" "
             "d=\"M%.1f -%.1fH%.1fV-%.1fL%.1f 0 %.1f %.1fV%.1fH%.1fz\"/>\n",
             CELL * column_of(spec, from) + CELL / 2, CELL * row_of(spec, from) + CELL / 2,
             atan2(down, across) * 180 / acos(-1), gap, half_line, neck, half, length, neck, half,
             half_line, gap);
}

static void add_turn(const DiagramSpec *spec, Str *out) {
    const Color turn = position_turn(spec->position);
    const bool is_below = (turn == BLACK) == spec->is_from_black;
    str_addf(out,
             "<circle cx=\"%d\" cy=\"%d\" r=\"4.5\" fill=\"%s\" stroke=\"#777\" "
             "stroke-width=\"1.5\"/>\n",
             BOARD + MARGIN / 2, is_below ? BOARD - CELL / 2 : CELL / 2, fills[turn]);
}

void diagram_write_svg(const DiagramSpec *spec, Str *out) {
    char fen[FEN_SIZE];
    fen_write_board(spec->position, fen);
    str_addf(out,
             "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"board\" viewBox=\"-%d 0 %d %d\" "
             "font-size=\"12\" role=\"img\" aria-label=\"Board: %s\">\n",
             MARGIN, BOARD + 2 * MARGIN, BOARD + MARGIN, fen);
    add_squares(out);
    if (spec->move != MOVE_NONE) {
        add_tint(spec, move_from(spec->move), out);
        add_tint(spec, move_to(spec->move), out);
    }
    add_pieces(spec, WHITE, out);
    add_pieces(spec, BLACK, out);
    if (spec->move != MOVE_NONE)
        add_arrow(spec, out);
    add_names(spec, out);
    add_turn(spec, out);
    str_add(out, "</svg>\n");
}
