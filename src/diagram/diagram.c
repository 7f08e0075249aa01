// SPDX-License-Identifier: GPL-3.0-or-later
#include "diagram/diagram.h"

#include "base/mem.h"
#include "chess/fen.h"
#include "report/element.h"
#include "report/escape.h"

#include <stdlib.h>

typedef struct Content {
    Position position;
    Move move;
    bool is_from_black;
    char *caption; // owned
    char fen[FEN_SIZE];
} Content;

static DiagramSpec spec_of(const Content *content) {
    return (DiagramSpec){&content->position, content->move, content->is_from_black,
                         content->caption};
}

// Letters as in FEN, a dot for an empty square, the side that is below in the last row.
static void add_letters(const Content *content, Str *out) {
    static const char letters[PIECE_NB + 1] = "PNBRQK..pnbrqk..";
    for (int row = 0; row < 8; row++) {
        const int rank = content->is_from_black ? row : 7 - row;
        str_addf(out, "    %d ", rank + 1);
        for (int column = 0; column < 8; column++) {
            const int file = content->is_from_black ? 7 - column : column;
            str_addf(out, " %c",
                     letters[position_at(&content->position, (Square)(8 * rank + file))]);
        }
        str_add(out, "\n");
    }
    str_add(out, content->is_from_black ? "       h g f e d c b a\n" : "       a b c d e f g h\n");
}

static void text(const void *given, Str *out) {
    const Content *content = given;
    element_text_wrapped(out, content->caption);
    add_letters(content, out);
    str_addf(out, "    %s\n\n", content->fen);
}

static void markdown(const void *given, Str *out) {
    const Content *content = given;
    CLEANUP(str_free) Str board = {0};
    add_letters(content, &board);
    element_markdown_line(out, "", content->caption, "\n\n");
    element_markdown_fenced(out, str_text(&board));
    str_addf(out, "\n`%s`\n\n", content->fen);
}

static void html(const void *given, Str *out) {
    const Content *content = given;
    const DiagramSpec spec = spec_of(content);
    str_add(out, "<li>\n");
    diagram_write_svg(&spec, out);
    if (content->caption[0] != '\0')
        element_html_tag(out, "p", content->caption);
    element_html_tag(out, "code", content->fen);
    str_add(out, "</li>\n");
}

static void destroy(void *given) {
    Content *content = given;
    free(content->caption);
    free(content);
}

static const ReportElement diagram = {text, markdown, html, destroy, "boards"};

void diagram_add(Report *report, const DiagramSpec *spec) {
    Content *content = mem_alloc_zero(1, sizeof *content);
    content->position = *spec->position;
    content->move = spec->move;
    content->is_from_black = spec->is_from_black;
    content->caption = mem_copy_string(spec->caption == NULL ? "" : spec->caption);
    fen_write_board(spec->position, content->fen);
    element_add(report, &diagram, content);
}
