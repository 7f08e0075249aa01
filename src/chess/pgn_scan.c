// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/pgn_scan.h"

#include <string.h>

// clang-format off
const unsigned char pgn_classes[256] = {
    [0 ... ' '] = PGN_CLASS_BLANK, [127] = PGN_CLASS_BLANK,
    ['.'] = PGN_CLASS_BLANK, ['!'] = PGN_CLASS_BLANK, ['?'] = PGN_CLASS_BLANK,
    [')'] = PGN_CLASS_BLANK, [']'] = PGN_CLASS_BLANK, ['}'] = PGN_CLASS_BLANK,
    ['>'] = PGN_CLASS_BLANK, ['#'] = PGN_CLASS_BLANK, [','] = PGN_CLASS_BLANK,
    ['0' ... '9'] = PGN_CLASS_DIGIT,
    ['A' ... 'Z'] = PGN_CLASS_SYMBOL, ['a' ... 'z'] = PGN_CLASS_SYMBOL, ['@'] = PGN_CLASS_SYMBOL,
    ['{'] = PGN_CLASS_COMMENT, [';'] = PGN_CLASS_LINE_COMMENT, ['%'] = PGN_CLASS_ESCAPE,
    ['('] = PGN_CLASS_VARIATION, ['$'] = PGN_CLASS_NAG, ['<'] = PGN_CLASS_RESERVED,
    ['['] = PGN_CLASS_TAG, ['*'] = PGN_CLASS_STAR, [0xEF] = PGN_CLASS_BOM,
    ['+'] = PGN_CLASS_MARK, ['-'] = PGN_CLASS_MARK, ['='] = PGN_CLASS_MARK,
    ['/'] = PGN_CLASS_MARK, ['~'] = PGN_CLASS_MARK,
};

// What goes on with a word: letters, digits, the signs of moves, and bytes beyond ASCII, so that a
// word that is no move is reported whole.
static const bool continues_symbol[256] = {
    ['0' ... '9'] = true, ['A' ... 'Z'] = true, ['a' ... 'z'] = true, [128 ... 255] = true,
    ['+'] = true, ['#'] = true, ['='] = true, ['-'] = true, [':'] = true, ['/'] = true,
    ['@'] = true, ['!'] = true, ['?'] = true, ['_'] = true, ['\''] = true,
};
static const bool stops_comment[256] = {['}'] = true, ['\n'] = true};
static const bool stops_variation[256] = {
    ['('] = true, [')'] = true, ['{'] = true, [';'] = true, ['\n'] = true,
};
static const bool stops_value[256] = {
    ['"'] = true, ['\\'] = true, ['\n'] = true, [128 ... 255] = true,
};
// clang-format on

enum { RESERVED_MAX = 256 }; // bytes between < and >

static const char event_line[] = "[Event \"";

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

static void pass_to(PgnScan *scan, const bool stops[256]) {
    const char *at = scan->at, *end = scan->end;
    while (at < end && !stops[(unsigned char)*at])
        at++;
    scan->at = at;
}

bool pgn_scan_begins(const PgnScan *scan, const char *text) {
    size_t length = strlen(text);
    return (size_t)(scan->end - scan->at) >= length && memcmp(scan->at, text, length) == 0;
}

// The longer come first: "1/2" begins and ends another.
static const struct {
    const char *text;
    GameResult result;
} results[] = {
    {"1/2-1/2", RESULT_DRAW},
    {"1-0", RESULT_WHITE_WINS},
    {"0-1", RESULT_BLACK_WINS},
    {"1/2", RESULT_DRAW},
};
enum { RESULT_COUNT = sizeof results / sizeof results[0] };

static bool is_followed_by_word(const PgnScan *scan, size_t length) {
    if ((size_t)(scan->end - scan->at) <= length)
        return false;
    unsigned char next = (unsigned char)scan->at[length];
    return pgn_classes[next] == PGN_CLASS_DIGIT || pgn_classes[next] == PGN_CLASS_SYMBOL ||
           next == '-';
}

size_t pgn_scan_result(const PgnScan *scan, GameResult *out) {
    for (size_t i = 0; i < RESULT_COUNT; i++) {
        const size_t length = strlen(results[i].text);
        if (pgn_scan_begins(scan, results[i].text) && !is_followed_by_word(scan, length)) {
            *out = results[i].result;
            return length;
        }
    }
    return 0;
}

bool pgn_cut_result(StrView *word, GameResult *out) {
    for (size_t i = 0; i < RESULT_COUNT; i++) {
        const size_t length = strlen(results[i].text);
        if (word->length > length &&
            memcmp(word->text + word->length - length, results[i].text, length) == 0) {
            *out = results[i].result;
            word->length -= length;
            return true;
        }
    }
    return false;
}

bool pgn_scan_at_event(const PgnScan *scan) {
    return pgn_scan_begins(scan, event_line);
}

// `at` is behind a line break: true when the next game begins here, or when that cannot be known.
static bool is_game_end(PgnScan *scan) {
    size_t left = (size_t)(scan->end - scan->at);
    if (left < sizeof event_line - 1 && !scan->is_final)
        scan->starved = true;
    return scan->starved || pgn_scan_at_event(scan);
}

bool pgn_scan_comment(PgnScan *scan) {
    for (;;) {
        pass_to(scan, stops_comment);
        if (scan->at == scan->end) {
            scan->starved = !scan->is_final;
            return false;
        }
        if (*scan->at++ == '}')
            return true;
        if (is_game_end(scan))
            return false;
    }
}

void pgn_scan_line(PgnScan *scan) {
    const char *newline = memchr(scan->at, '\n', (size_t)(scan->end - scan->at));
    scan->at = newline == NULL ? scan->end : newline;
    scan->starved = newline == NULL && !scan->is_final;
}

// One stop inside a variation; false when the variation cannot go on.
static bool pass_in_variation(PgnScan *scan, unsigned *depth) {
    char stop = *scan->at++;
    switch (stop) {
    case '(':
        ++*depth;
        return true;
    case ')':
        --*depth;
        return true;
    case '{':
        return pgn_scan_comment(scan);
    case ';':
        pgn_scan_line(scan);
        return !scan->starved;
    default:
        if (is_game_end(scan))
            return false;
        if (scan->at < scan->end && *scan->at == '%')
            pgn_scan_line(scan);
        return !scan->starved;
    }
}

bool pgn_scan_variation(PgnScan *scan) {
    unsigned depth = 0;
    do {
        pass_to(scan, stops_variation);
        if (scan->at == scan->end) {
            scan->starved = !scan->is_final;
            return false;
        }
        if (!pass_in_variation(scan, &depth))
            return false;
    } while (depth > 0);
    return true;
}

void pgn_scan_reserved(PgnScan *scan) {
    const char *at = scan->at + 1;
    // Bounded, because a "<" that closes nowhere is looked behind only to go back.
    const char *end = scan->end - at > RESERVED_MAX ? at + RESERVED_MAX : scan->end;
    while (at < end && *at != '>' && *at != '\n')
        at++;
    scan->starved = at == scan->end && !scan->is_final;
    scan->at = at < end && *at == '>' ? at + 1 : scan->at + 1;
}

// Behind a quote: true, and `at` moved behind the bracket, when the tag closes here.
static bool closes_tag(PgnScan *scan) {
    const char *at = scan->at;
    while (at < scan->end && is_blank(*at))
        at++;
    if (at == scan->end || *at != ']')
        return false;
    scan->at = at + 1;
    return true;
}

// The value from behind its opening quote. A quote that no bracket follows belongs to the value.
static void scan_value(PgnScan *scan, PgnRawTag *tag) {
    const char *start = scan->at, *last_quote = NULL;
    for (;;) {
        pass_to(scan, stops_value);
        if (scan->at == scan->end || *scan->at == '\n')
            break;
        char stop = *scan->at++;
        if (stop == '\\' && scan->at < scan->end && *scan->at != '\n') {
            tag->needs_copy = true;
            scan->at++;
        } else if ((unsigned char)stop >= 128) {
            tag->needs_copy = true;
        } else if (stop == '"') {
            last_quote = scan->at - 1;
            if (closes_tag(scan)) {
                tag->value = view_of(start, (size_t)(last_quote - start));
                return;
            }
        }
    }
    tag->is_bad = true;
    const char *stop = last_quote != NULL ? last_quote : scan->at;
    tag->value = view_trim(view_of(start, (size_t)(stop - start)));
}

// A value without quotes: up to the bracket or the end of the line.
static void scan_bare_value(PgnScan *scan, PgnRawTag *tag) {
    const char *start = scan->at;
    while (scan->at < scan->end && *scan->at != ']' && *scan->at != '\n')
        scan->at++;
    tag->is_bad = tag->needs_copy = true;
    tag->value = view_trim(view_of(start, (size_t)(scan->at - start)));
    if (scan->at < scan->end && *scan->at == ']')
        scan->at++;
}

static void pass_blanks(PgnScan *scan) {
    while (scan->at < scan->end && is_blank(*scan->at))
        scan->at++;
}

void pgn_scan_tag(PgnScan *scan, PgnRawTag *tag) {
    *tag = (PgnRawTag){0};
    scan->at++;
    pass_blanks(scan);
    const char *start = scan->at;
    while (scan->at < scan->end && (unsigned char)*scan->at > ' ' && *scan->at != '"' &&
           *scan->at != ']')
        scan->at++;
    tag->name = view_of(start, (size_t)(scan->at - start));
    pass_blanks(scan);
    if (scan->at < scan->end && *scan->at == '"') {
        scan->at++;
        scan_value(scan, tag);
    } else {
        scan_bare_value(scan, tag);
    }
    scan->starved = scan->at == scan->end && !scan->is_final;
}

static bool has_promotion_brackets(const PgnScan *scan) {
    return scan->end - scan->at >= 3 && scan->at[0] == '(' && scan->at[2] == ')' &&
           memchr("QRBNqrbn", scan->at[1], 8) != NULL;
}

// What follows a word and still belongs to it: "(Q)" and the rest of "e.p.".
static bool pass_more(PgnScan *scan, const char *start) {
    if (scan->at == scan->end || scan->at == start)
        return false;
    if (has_promotion_brackets(scan)) {
        scan->at += 3;
        return true;
    }
    if (scan->at[-1] != 'e' || !pgn_scan_begins(scan, ".p"))
        return false;
    scan->at += pgn_scan_begins(scan, ".p.") ? 3 : 2;
    return true;
}

StrView pgn_scan_symbol(PgnScan *scan) {
    const char *start = scan->at, *at = start, *end = scan->end;
    do {
        while (at < end && continues_symbol[(unsigned char)*at])
            at++;
        scan->at = at;
    } while (at < end && (*at == '(' || *at == '.') && pass_more(scan, start) &&
             (at = scan->at, true));
    scan->starved = scan->at == end && !scan->is_final;
    return view_of(start, (size_t)(scan->at - start));
}
