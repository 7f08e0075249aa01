// SPDX-License-Identifier: GPL-3.0-or-later
// One game from text. The parser walks over tokens by the class of their first byte; after a
// problem it goes on walking, without moving, to find where the game ends.
#include "chess/pgn.h"

#include "base/mem.h"
#include "chess/fen.h"
#include "chess/pgn_scan.h"
#include "chess/san.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { LOOKAHEAD = 64 }; // no token but comments, variations and tags needs more to be recognised

typedef struct Parser {
    PgnScan scan;
    PgnGame *game;
    const char *token; // the front of the current token
    bool has_begun;    // a tag or a word of the game was seen
    bool has_moves;    // movetext was seen: a tag now begins the next game
    bool has_result;   // of the movetext
    bool is_dead;      // no more moves are made
    bool has_event;
    size_t fen, variant, result; // indices of these tags, PGN_TAGS_MAX for none
    PgnWants *wants;             // NULL: all moves are wanted
    void *context;               // of `wants`
} Parser;

static void set_problem(Parser *parser, PgnProblemKind kind, const char *at, StrView text) {
    PgnProblem *problem = &parser->game->problem;
    parser->is_dead = true;
    if (problem->kind != PGN_FINE)
        return;
    problem->kind = kind;
    problem->ply = (unsigned)parser->game->move_count + 1;
    problem->offset = (uint64_t)(at - parser->scan.front);
    CLEANUP(str_free) Str utf8 = {0};
    size_t length = text.length < PGN_TEXT_SIZE / 2 ? text.length : PGN_TEXT_SIZE / 2;
    str_add_utf8(&utf8, view_of(text.text, length));
    snprintf(problem->text, sizeof problem->text, "%s%s", str_text(&utf8),
             length < text.length ? "..." : "");
    for (char *c = problem->text; *c != '\0'; c++)
        if ((unsigned char)*c < ' ')
            *c = ' ';
}

static void note_begin(Parser *parser) {
    if (parser->has_begun)
        return;
    parser->has_begun = true;
    parser->game->offset = (uint64_t)(parser->scan.at - parser->scan.front);
}

// Copies a value that has escapes or is not plain ASCII, clean, into the arena.
static bool clean_value(PgnGame *game, StrView raw, StrView *out) {
    CLEANUP(str_free) Str text = {0};
    CLEANUP(str_free) Str utf8 = {0};
    for (size_t i = 0; i < raw.length; i++) {
        bool is_escape = raw.text[i] == '\\' && i + 1 < raw.length &&
                         (raw.text[i + 1] == '"' || raw.text[i + 1] == '\\');
        i += is_escape;
        str_append(&text, raw.text + i, 1);
    }
    str_add_utf8(&utf8, view_of(text.text, text.length));
    if (utf8.length != text.length)
        game->notes |= PGN_NOTE_LATIN1;
    return pgn_keep_text(game, view_of(utf8.text, utf8.length), out);
}

static void remember(Parser *parser, StrView name, size_t index) {
    if (name.length == 3 && parser->fen == PGN_TAGS_MAX && view_equals_ignoring_case(name, "FEN"))
        parser->fen = index;
    else if (name.length == 7 && parser->variant == PGN_TAGS_MAX &&
             view_equals_ignoring_case(name, "Variant"))
        parser->variant = index;
    else if (name.length == 6 && parser->result == PGN_TAGS_MAX && view_equals(name, "Result"))
        parser->result = index;
}

// A game must still fit when it is written with all standard tags, so those do not count.
static bool has_room_for(const PgnGame *game, StrView name) {
    if (game->tag_count < PGN_OTHER_TAGS_MAX)
        return true;
    size_t others = !pgn_tag_is_standard(name);
    for (size_t i = 0; i < game->tag_count; i++)
        others += !pgn_tag_is_standard(game->tags[i].name);
    return others <= PGN_OTHER_TAGS_MAX && game->tag_count < PGN_TAGS_MAX;
}

static void add_tag(Parser *parser, const PgnRawTag *raw) {
    PgnGame *game = parser->game;
    if (raw->is_bad)
        game->notes |= PGN_NOTE_BAD_TAG;
    if (raw->name.length == 0)
        return;
    PgnTag tag = {raw->name, raw->value};
    if (!has_room_for(game, raw->name) ||
        (raw->needs_copy && !clean_value(game, raw->value, &tag.value))) {
        set_problem(parser, PGN_TOO_MANY_TAGS, raw->name.text, raw->name);
        return;
    }
    remember(parser, tag.name, game->tag_count);
    game->tags[game->tag_count++] = tag;
}

// A "[" between words. False when the next game begins here.
static bool take_tag(Parser *parser) {
    PgnScan *scan = &parser->scan;
    bool is_event = pgn_scan_at_event(scan);
    const char *next = scan->at + 1;
    if (parser->has_moves && next < scan->end && *next == '%') {
        // "[%clk 0:01:00]" that lost its braces.
        while (scan->at < scan->end && *scan->at != ']' && *scan->at != '\n')
            scan->at++;
        scan->starved = scan->at == scan->end && !scan->is_final;
        return true;
    }
    if (parser->has_moves || (is_event && parser->has_event))
        return false;
    note_begin(parser);
    parser->has_event |= is_event;
    PgnRawTag raw;
    pgn_scan_tag(scan, &raw);
    if (!scan->starved)
        add_tag(parser, &raw);
    return true;
}

static bool is_word_in(StrView text, const char *const *words, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (view_equals_ignoring_case(text, words[i]))
            return true;
    return false;
}

static bool contains(StrView text, const char *part) {
    const size_t length = strlen(part);
    for (size_t i = 0; i + length <= text.length; i++)
        if (strncasecmp(text.text + i, part, length) == 0)
            return true;
    return false;
}

static bool is_chess960(StrView name) {
    static const char *const others[] = {"frc", "dfrc", "freestyle"};
    return contains(name, "960") || contains(name, "fischer") ||
           is_word_in(name, others, sizeof others / sizeof others[0]);
}

static void judge_variant(Parser *parser) {
    static const char *const standard[] = {
        "standard", "chess", "normal", "regular", "from position", "orthodox", "?", "-", ""};
    if (parser->variant == PGN_TAGS_MAX)
        return;
    StrView name = view_trim(parser->game->tags[parser->variant].value);
    if (is_word_in(name, standard, sizeof standard / sizeof standard[0]))
        return;
    parser->game->is_chess960 = is_chess960(name);
    if (parser->game->is_chess960 && parser->fen != PGN_TAGS_MAX)
        return;
    const char *at = parser->scan.front + parser->game->offset;
    set_problem(parser, parser->game->is_chess960 ? PGN_CHESS960 : PGN_VARIANT, at, name);
}

static void set_up(Parser *parser) {
    PgnGame *game = parser->game;
    if (parser->fen == PGN_TAGS_MAX)
        return;
    StrView fen = game->tags[parser->fen].value, rest = fen;
    Position start;
    if (fen_read(&rest, &start) == OK && view_trim(rest).length == 0) {
        pgn_set_start(game, &start);
        return;
    }
    const char *why = view_trim(rest).length > 0 ? "text after the FEN" : "";
    rest = fen;
    if (fen_read(&rest, &start) != OK)
        why = error_message();
    char reason[PGN_REASON_SIZE];
    snprintf(reason, sizeof reason, "%.*s", PGN_REASON_SIZE - 1, why);
    const char *at = parser->scan.front + game->offset;
    set_problem(parser, PGN_BAD_FEN, at, fen);
    memcpy(game->problem.reason, reason, sizeof reason);
}

// Called before the first word of movetext: the tags are complete.
static void begin_moves(Parser *parser) {
    if (parser->has_moves)
        return;
    note_begin(parser);
    parser->has_moves = true;
    if (parser->game->problem.kind == PGN_FINE)
        judge_variant(parser);
    if (parser->game->problem.kind == PGN_FINE)
        set_up(parser);
    if (parser->game->problem.kind == PGN_FINE && parser->wants != NULL &&
        !parser->wants(parser->context, parser->game))
        parser->is_dead = parser->game->is_passed_over = true;
}

static void take_move(Parser *parser, StrView text) {
    static const PgnProblemKind kinds[] = {
        [SAN_MALFORMED] = PGN_NOT_A_MOVE,
        [SAN_ILLEGAL] = PGN_ILLEGAL_MOVE,
        [SAN_AMBIGUOUS] = PGN_AMBIGUOUS_MOVE,
        [SAN_NULL_MOVE] = PGN_NULL_MOVE,
    };
    begin_moves(parser);
    if (parser->is_dead || parser->scan.starved)
        return;
    Move move;
    SanError error = san_parse(&parser->game->final, text, &move);
    if (error != SAN_OK)
        set_problem(parser, kinds[error], text.text, text);
    else if (!pgn_add_move(parser->game, move))
        set_problem(parser, PGN_TOO_MANY_MOVES, text.text, text);
}

// The length of the word at `at` if it ends in a blank within eight bytes, else 0.
static size_t short_word(const PgnScan *scan) {
    static const uint64_t ones = 0x0101010101010101ULL;
    uint64_t bytes;
    if (scan->end - scan->at < (ptrdiff_t)sizeof bytes)
        return 0;
    memcpy(&bytes, scan->at, sizeof bytes);
    uint64_t blanks = (bytes - ones * (' ' + 1)) & ~bytes & ones << 7;
    return blanks == 0 ? 0 : (size_t)__builtin_ctzll(blanks) / 8;
}

// The usual case without looking at every byte: a move with a blank behind it.
static bool take_short_move(Parser *parser) {
    size_t length = short_word(&parser->scan);
    Move move;
    if (length == 0 || parser->is_dead || !parser->has_moves ||
        san_parse(&parser->game->final, view_of(parser->scan.at, length), &move) != SAN_OK ||
        !pgn_add_move(parser->game, move))
        return false;
    parser->scan.at += length;
    return true;
}

static bool end_with(Parser *parser, GameResult result, size_t length) {
    begin_moves(parser);
    parser->scan.at += length;
    parser->game->result = result;
    parser->has_result = true;
    return false;
}

// A move, and the result of the game where it is glued to it ("Qd61-0"): no move ends like a
// result, so that there is one way to part them. False when the game ends.
static bool take_word(Parser *parser, StrView text) {
    GameResult result;
    StrView move = text;
    begin_moves(parser);
    if (parser->scan.starved || !pgn_cut_result(&move, &result) ||
        san_parse(&parser->game->final, move, &(Move){0}) == SAN_MALFORMED) {
        take_move(parser, text);
        return true;
    }
    parser->game->notes |= PGN_NOTE_GLUED_RESULT;
    take_move(parser, move);
    return end_with(parser, result, 0);
}

// False when the game ends.
static bool take_symbol(Parser *parser) {
    if (take_short_move(parser))
        return true;
    StrView text = pgn_scan_symbol(&parser->scan);
    // "exd6 e.p." in two words.
    if (text.text[0] == 'e' && parser->game->move_count > 0 &&
        (view_equals(text, "ep") || view_equals(text, "e.p.") || view_equals(text, "e.p")))
        return true;
    return take_word(parser, text);
}

// A number, a result, or castling with zeros. False when the game ends.
static bool take_digits(Parser *parser) {
    PgnScan *scan = &parser->scan;
    const char *end = scan->at + 1;
    GameResult result;
    while (end < scan->end && pgn_classes[(unsigned char)*end] == PGN_CLASS_DIGIT)
        end++;
    if (end < scan->end && (*end == '-' || *end == '/') && end == scan->at + 1) {
        const size_t length = pgn_scan_result(scan, &result);
        if (length > 0)
            return end_with(parser, result, length);
    }
    bool is_null = end == scan->at + 4 && memcmp(scan->at, "0000", 4) == 0;
    if (is_null || (end < scan->end && *end == '-'))
        return take_word(parser, pgn_scan_symbol(scan));
    begin_moves(parser);
    scan->at = end;
    return true;
}

// "--" is a null move; other runs of signs are remarks ("+-", "=").
static void take_mark(Parser *parser) {
    PgnScan *scan = &parser->scan;
    const char *start = scan->at;
    while (scan->at < scan->end && pgn_classes[(unsigned char)*scan->at] == PGN_CLASS_MARK)
        scan->at++;
    StrView text = view_of(start, (size_t)(scan->at - start));
    if (view_equals(text, "--") || view_equals(text, "---"))
        take_move(parser, text);
}

static void take_other(Parser *parser) {
    PgnScan *scan = &parser->scan;
    if (pgn_scan_begins(scan, "\xEF\xBB\xBF")) {
        scan->at += 3;
        return;
    }
    StrView text = pgn_scan_symbol(scan);
    if (text.length == 0)
        text = view_of(scan->at++, 1);
    take_move(parser, text);
}

static void take_escape(Parser *parser) {
    PgnScan *scan = &parser->scan;
    if (scan->at == scan->front || scan->at[-1] == '\n')
        pgn_scan_line(scan);
    else
        take_other(parser);
}

// A comment or variation. False when it was never closed, so that the game ends.
static bool take_bracketed(Parser *parser, bool is_comment) {
    const char *start = parser->scan.at;
    bool closed = is_comment ? pgn_scan_comment(&parser->scan) : pgn_scan_variation(&parser->scan);
    if (closed || parser->scan.starved)
        return closed;
    const char *end = parser->scan.at;
    parser->scan.at = start;
    begin_moves(parser);
    parser->scan.at = end;
    set_problem(parser, is_comment ? PGN_OPEN_COMMENT : PGN_OPEN_VARIATION, start,
                view_of(start, (size_t)(end - start)));
    return false;
}

// One token. False at the end of the game.
static bool take_token(Parser *parser, PgnClass class) {
    PgnScan *scan = &parser->scan;
    switch (class) {
    case PGN_CLASS_COMMENT:
        return take_bracketed(parser, true);
    case PGN_CLASS_VARIATION:
        return take_bracketed(parser, false);
    case PGN_CLASS_LINE_COMMENT:
        pgn_scan_line(scan);
        return true;
    case PGN_CLASS_ESCAPE:
        take_escape(parser);
        return true;
    case PGN_CLASS_NAG:
        do
            scan->at++;
        while (scan->at < scan->end && pgn_classes[(unsigned char)*scan->at] == PGN_CLASS_DIGIT);
        return true;
    case PGN_CLASS_RESERVED:
        pgn_scan_reserved(scan);
        return true;
    case PGN_CLASS_TAG:
        return take_tag(parser);
    case PGN_CLASS_STAR:
        return end_with(parser, RESULT_UNKNOWN, 1);
    case PGN_CLASS_MARK:
        take_mark(parser);
        return true;
    default:
        take_other(parser);
        return true;
    }
}

// Walks to the end of the game. False when the text ends first and more is to come.
static bool walk(Parser *parser) {
    PgnScan *scan = &parser->scan;
    bool goes_on = true;
    while (goes_on) {
        while (scan->at < scan->end && pgn_classes[(unsigned char)*scan->at] == PGN_CLASS_BLANK)
            scan->at++;
        parser->token = scan->at;
        if (!scan->is_final && scan->end - scan->at < LOOKAHEAD)
            return false;
        if (scan->at == scan->end)
            return true;
        PgnClass class = (PgnClass)pgn_classes[(unsigned char)*scan->at];
        if (class == PGN_CLASS_SYMBOL)
            goes_on = take_symbol(parser);
        else if (class == PGN_CLASS_DIGIT)
            goes_on = take_digits(parser);
        else
            goes_on = take_token(parser, class);
        if (scan->starved)
            return false;
    }
    return true;
}

static void finish(Parser *parser) {
    PgnGame *game = parser->game;
    begin_moves(parser);
    bool has_tag =
        parser->result != PGN_TAGS_MAX &&
        pgn_result_from_text(view_trim(game->tags[parser->result].value), &game->tag_result);
    if (!parser->has_result)
        game->notes |= PGN_NOTE_NO_RESULT;
    else if (has_tag && game->result != game->tag_result)
        game->notes |= PGN_NOTE_RESULT_MISMATCH;
    if (game->tag_count == 0)
        game->notes |= PGN_NOTE_NO_TAGS;
    game->length = (uint64_t)(parser->scan.at - parser->scan.front) - game->offset;
}

PgnStep pgn_parse_wanted(PgnGame *game, StrView text, bool is_final, size_t *consumed,
                         PgnWants *wants, void *context) {
    Parser parser = {
        .scan = {.front = text.text,
                 .at = text.text,
                 .end = text.text + text.length,
                 .is_final = is_final},
        .game = game,
        .fen = PGN_TAGS_MAX,
        .variant = PGN_TAGS_MAX,
        .result = PGN_TAGS_MAX,
        .wants = wants,
        .context = context,
    };
    pgn_game_reset(game);
    if (!walk(&parser)) {
        *consumed = parser.has_begun ? 0 : (size_t)(parser.token - parser.scan.front);
        return PGN_STEP_NEED_MORE;
    }
    *consumed = (size_t)(parser.scan.at - parser.scan.front);
    if (!parser.has_begun)
        return PGN_STEP_END;
    finish(&parser);
    return PGN_STEP_GAME;
}

PgnStep pgn_parse(PgnGame *game, StrView text, bool is_final, size_t *consumed) {
    return pgn_parse_wanted(game, text, is_final, consumed, NULL, NULL);
}
