// SPDX-License-Identifier: GPL-3.0-or-later
// Games in PGN's export format.
#include "chess/pgn.h"

#include "base/text.h"
#include "chess/fen.h"
#include "chess/san.h"

#include <assert.h>
#include <string.h>

enum { COLUMNS = 79 };

static const struct {
    const char *name, *unknown;
} roster[] = {
    {"Event", "?"}, {"Site", "?"},  {"Date", "????.??.??"}, {"Round", "?"},
    {"White", "?"}, {"Black", "?"}, {"Result", "*"},
};
const char *const pgn_notation_names[PGN_NOTATION_NB] = {"san", "lan", "uci"};

enum { ROSTER_SIZE = sizeof roster / sizeof roster[0], ROSTER_RESULT = ROSTER_SIZE - 1 };

static void write_tag(Str *out, StrView name, StrView value) {
    str_add(out, "[");
    str_append(out, name.text, name.length);
    str_add(out, " \"");
    // A blank for what no tag should hold: an escape could make it longer than a tag may be.
    for (size_t i = 0, length; i < value.length; i += length) {
        const char *at = value.text + i;
        length = text_utf8_length(at, value.length - i);
        const bool is_bad = length == 0 || text_is_dangerous(text_code_point(at, length));
        length += length == 0;
        if (*at == '"' || *at == '\\')
            str_add(out, "\\");
        str_append(out, is_bad ? " " : at, is_bad ? 1 : length);
    }
    str_add(out, "\"]\n");
}

bool pgn_tag_is_standard(StrView name) {
    for (size_t i = 0; i < ROSTER_SIZE; i++)
        if (view_equals(name, roster[i].name))
            return true;
    return view_equals(name, "Variant") || view_equals(name, "SetUp") || view_equals(name, "FEN");
}

static void write_tags(const PgnGame *game, Str *out) {
    for (size_t i = 0; i < ROSTER_SIZE; i++) {
        StrView value = i == ROSTER_RESULT ? view_from_string(pgn_result_text(pgn_result(game)))
                                           : pgn_tag(game, roster[i].name);
        if (value.text == NULL)
            value = view_from_string(roster[i].unknown);
        write_tag(out, view_from_string(roster[i].name), value);
    }
    for (size_t i = 0; i < game->tag_count; i++)
        if (!pgn_tag_is_standard(game->tags[i].name))
            write_tag(out, game->tags[i].name, game->tags[i].value);
    StrView variant = pgn_tag(game, "Variant");
    if (variant.text == NULL && game->is_chess960)
        variant = view_from_string("Chess960");
    if (variant.text != NULL)
        write_tag(out, view_from_string("Variant"), variant);
    if (game->is_set_up || game->is_chess960) {
        char fen[FEN_SIZE];
        fen_write(&game->start, fen);
        write_tag(out, view_from_string("SetUp"), view_from_string("1"));
        write_tag(out, view_from_string("FEN"), view_from_string(fen));
    }
    str_add(out, "\n");
}

// Movetext under way: words joined by blanks into lines.
typedef struct Lines {
    Str *out;
    size_t column;
} Lines;

static void add_word(Lines *lines, StrView word) {
    if (word.length == 0)
        return;
    bool fits = lines->column + 1 + word.length <= COLUMNS;
    if (lines->column > 0) {
        str_add(lines->out, fits ? " " : "\n");
        lines->column = fits ? lines->column + 1 : 0;
    }
    str_append(lines->out, word.text, word.length);
    lines->column += word.length;
}

// The comment in braces, word by word; a brace inside, which would end it, becomes a bracket.
static void add_comment(Lines *lines, StrView comment) {
    CLEANUP(str_free) Str text = {0};
    str_add(&text, "{");
    str_append(&text, comment.text, comment.length);
    for (size_t i = 1; i < text.length; i++)
        if (text.text[i] == '}')
            text.text[i] = ')';
    str_add(&text, "}");
    StrView rest = view_of(text.text, text.length);
    for (StrView word = view_next_word(&rest); word.length > 0; word = view_next_word(&rest))
        add_word(lines, word);
}

static void add_number(Lines *lines, const Position *pos) {
    CLEANUP(str_free) Str number = {0};
    str_addf(&number, "%u%s", pos->fullmove, position_turn(pos) == WHITE ? "." : "...");
    add_word(lines, view_of(number.text, number.length));
}

static void add_move(Lines *lines, const Position *pos, Move move, PgnNotation notation) {
    char text[SAN_SIZE];
    static_assert((int)SAN_SIZE >= (int)UCI_MOVE_SIZE, "either fits");
    if (notation == PGN_UCI)
        move_to_uci(pos, move, text);
    else if (notation == PGN_LONG)
        san_write_long(pos, move, text);
    else
        san_write(pos, move, text);
    add_word(lines, view_from_string(text));
}

static void write_moves(const PgnGame *game, const StrView *comments, PgnNotation notation,
                        Lines *lines) {
    Position pos = game->start;
    bool needs_number = true;
    for (size_t i = 0; i < game->move_count; i++) {
        if (needs_number || position_turn(&pos) == WHITE)
            add_number(lines, &pos);
        add_move(lines, &pos, game->moves[i], notation);
        needs_number = comments != NULL && comments[i].length > 0;
        if (needs_number)
            add_comment(lines, comments[i]);
        Undo undo;
        position_make(&pos, game->moves[i], &undo);
    }
}

void pgn_write_in(const PgnGame *game, const StrView *comments, PgnNotation notation, Str *out) {
    assert(pgn_game_is_valid(game));
    write_tags(game, out);
    Lines lines = {.out = out};
    write_moves(game, comments, notation, &lines);
    add_word(&lines, view_from_string(pgn_result_text(pgn_result(game))));
    str_add(out, "\n\n");
}

void pgn_write(const PgnGame *game, const StrView *comments, Str *out) {
    pgn_write_in(game, comments, PGN_SAN, out);
}
