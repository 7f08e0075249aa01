// SPDX-License-Identifier: GPL-3.0-or-later
// Inside the PGN reader: passing over pieces of text. Each function leaves `at` behind what it
// read, or sets `starved` when the text ends first and is not final.
#pragma once

#include "chess/pgn.h"

#include <stdbool.h>

typedef struct PgnScan {
    const char *front, *at, *end;
    bool is_final;
    bool starved;
} PgnScan;

// What a byte can begin, or continue, in movetext.
typedef enum PgnClass {
    PGN_CLASS_OTHER, // nothing that belongs there
    PGN_CLASS_BLANK,
    PGN_CLASS_DIGIT,
    PGN_CLASS_SYMBOL,
    PGN_CLASS_COMMENT,
    PGN_CLASS_LINE_COMMENT,
    PGN_CLASS_ESCAPE,
    PGN_CLASS_VARIATION,
    PGN_CLASS_NAG,
    PGN_CLASS_RESERVED,
    PGN_CLASS_TAG,
    PGN_CLASS_STAR,
    PGN_CLASS_MARK, // "+-", "=", "--"
    PGN_CLASS_BOM,
} PgnClass;

extern const unsigned char pgn_classes[256];

// A tag as it stands in the text.
typedef struct PgnRawTag {
    StrView name, value;
    bool needs_copy; // has escapes, or bytes beyond ASCII
    bool is_bad;     // malformed, read as well as can be
} PgnRawTag;

// Copies a text into the game's arena; false when that is full.
bool pgn_keep_text(PgnGame *game, StrView text, StrView *out);

bool pgn_scan_begins(const PgnScan *scan, const char *text);
// The length of the result at `at`, 0 where there is none or a word goes on behind it.
size_t pgn_scan_result(const PgnScan *scan, GameResult *out);
// Removes a result from the end of a word; false when there is none, or nothing else.
bool pgn_cut_result(StrView *word, GameResult *out);
// True at a line that begins the next game: `[Event "`.
bool pgn_scan_at_event(const PgnScan *scan);

// `at` is on the opening brace or parenthesis. False when a line `[Event "` or the end of all text
// comes before the closing one; `at` is then on that line.
bool pgn_scan_comment(PgnScan *scan);
bool pgn_scan_variation(PgnScan *scan);
// To the end of the line.
void pgn_scan_line(PgnScan *scan);
// `at` is on "<": over "<...>" within a line, or over the "<" alone.
void pgn_scan_reserved(PgnScan *scan);
// `at` is on "[".
void pgn_scan_tag(PgnScan *scan, PgnRawTag *tag);
// A word of movetext, such as a move with its marks.
StrView pgn_scan_symbol(PgnScan *scan);
