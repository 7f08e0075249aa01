// SPDX-License-Identifier: GPL-3.0-or-later
// Games as text (portable game notation). A game is cut at its first impossible move and says so;
// no move is ever invented. Nothing here prints: each game comes with its problem.
#pragma once

#include "base/error.h"
#include "base/str.h"
#include "chess/position.h"

enum {
    PGN_OTHER_TAGS_MAX = 128, // besides those that the writer may add: roster, Variant, SetUp, FEN
    PGN_TAGS_MAX = PGN_OTHER_TAGS_MAX + 10,
    PGN_PLIES_MAX = 1 << 16,
    PGN_ARENA_SIZE = 1 << 16, // bytes of tag texts that had to be copied
    PGN_TEXT_SIZE = 64,
    PGN_REASON_SIZE = 128,
    PGN_BUFFER_FIRST = 1 << 18,
    PGN_BUFFER_MAX = 16 << 20, // no single game may be longer
};

// What is wrong with a game. The order matters: see pgn_is_cut and pgn_is_skipped.
typedef enum PgnProblemKind {
    PGN_FINE,
    // The game is cut: `moves` holds what came before.
    PGN_ILLEGAL_MOVE,
    PGN_AMBIGUOUS_MOVE,
    PGN_NULL_MOVE,
    PGN_NOT_A_MOVE,     // text that is no move in any notation
    PGN_OPEN_COMMENT,   // a { never closed before the next game
    PGN_OPEN_VARIATION, // a ( never closed before the next game
    PGN_TOO_MANY_MOVES,
    // The game is skipped: it has no moves.
    PGN_BAD_FEN,
    PGN_CHESS960, // without a FEN: nobody knows from where
    PGN_VARIANT,
    PGN_TOO_MANY_TAGS,
    PGN_TOO_LONG,  // longer than PGN_BUFFER_MAX
    PGN_CUT_SHORT, // the file failed in the middle of the game
    PGN_PROBLEM_NB,
} PgnProblemKind;

static inline bool pgn_is_cut(PgnProblemKind kind) {
    return kind >= PGN_ILLEGAL_MOVE && kind <= PGN_TOO_MANY_MOVES;
}
static inline bool pgn_is_skipped(PgnProblemKind kind) {
    return kind >= PGN_BAD_FEN;
}

typedef struct PgnProblem {
    PgnProblemKind kind;
    unsigned ply;                 // of the offending text, from 1
    uint64_t offset;              // of the offending text, in bytes from the front of the input
    char text[PGN_TEXT_SIZE];     // the offending text, cut to fit: a move, a FEN, a variant's name
    char reason[PGN_REASON_SIZE]; // more words where there are any ("no black king"), else ""
} PgnProblem;

// What is odd about a game without spoiling it.
enum {
    PGN_NOTE_NO_RESULT = 1,       // the movetext ends without one
    PGN_NOTE_RESULT_MISMATCH = 2, // movetext and tag tell different results
    PGN_NOTE_BAD_TAG = 4,         // a malformed tag was read as well as it can be
    PGN_NOTE_LATIN1 = 8,          // a tag was not UTF-8 and was taken for Latin-1
    PGN_NOTE_NO_TAGS = 16,
    PGN_NOTE_GLUED_RESULT = 32, // no blank between the last move and the result: "Qd61-0"
};

typedef struct PgnTag {
    StrView name, value; // UTF-8, escapes resolved
} PgnTag;

// One game. Tags are borrowed from the parsed text (or from `arena`), so a game that was read is
// valid until the next one is read.
typedef struct PgnGame {
    PgnTag tags[PGN_TAGS_MAX];
    size_t tag_count;
    Position start, final;
    Move *moves; // owned
    size_t move_count, move_capacity;
    GameResult result;     // of the movetext, RESULT_UNKNOWN for * and for none
    GameResult tag_result; // of the Result tag, likewise
    unsigned notes;        // PGN_NOTE_ flags
    bool is_set_up;        // starts from a FEN tag
    bool is_chess960;      // by its Variant tag, or by its start: then FEN and Variant are written
    bool is_passed_over;   // its moves were not wanted: see pgn_parse_wanted
    PgnProblem problem;
    uint64_t number;         // from 1, counting every game of the input
    uint64_t offset, length; // bytes of the input that the game takes
    char *arena;             // owned
    size_t arena_used;
} PgnGame;

// {0} is an empty game without a position. pgn_game_reset makes it a game of no moves from the
// start position and keeps the memory.
void pgn_game_reset(PgnGame *game);
void pgn_game_free(PgnGame *game);

// Whether its parts fit: `moves` are legal from `start` and lead to `final`, and counts are in
// bounds.
bool pgn_game_is_valid(const PgnGame *game);

// The value of the first tag of that name, an empty view (text NULL) when there is none.
StrView pgn_tag(const PgnGame *game, const char *name);
// True for the seven of the roster, Variant, SetUp and FEN, which the writer has places of their
// own for.
bool pgn_tag_is_standard(StrView name);
// Sets or adds a tag, copying both texts (not UTF-8: taken for Latin-1). ERR_LIMIT when full.
MUST_CHECK Status pgn_set_tag(PgnGame *game, const char *name, StrView value);
// Starts the game, which has no moves yet, from a position.
void pgn_set_start(PgnGame *game, const Position *start);
// Appends a legal move and makes it on `final`. False beyond PGN_PLIES_MAX.
bool pgn_add_move(PgnGame *game, Move move);

// The result a game is worth: the movetext's, else the tag's.
GameResult pgn_result(const PgnGame *game);
// "1-0", "0-1", "1/2-1/2" or "*", and back (also "1/2"); false for any other text.
const char *pgn_result_text(GameResult result);
bool pgn_result_from_text(StrView text, GameResult *out);

// Whether this is a game at all, though it may be a bad one: it has a move, or a tag that PGN
// knows. Bytes that are no PGN are read as games that have neither, but for chance.
bool pgn_is_game(const PgnGame *game);
// ERR_PARSE, for the input of that name, where not one in a hundred of the games read is one.
MUST_CHECK Status pgn_check_found(uint64_t games, uint64_t real, const char *name);

// "illegal move", "variant" ...: a name for lists and totals.
const char *pgn_problem_name(PgnProblemKind kind);
// Appends "game 12, byte 34567, ply 17: illegal move "Nf9"", for a game with a problem.
void pgn_describe_problem(const PgnGame *game, Str *out);

// What one call of pgn_parse found.
typedef enum PgnStep {
    PGN_STEP_GAME,      // a game; `consumed` bytes are done with
    PGN_STEP_NEED_MORE, // no whole game in the text, and there is more to come
    PGN_STEP_END,       // final, and no further game
} PgnStep;

// Reads the next game at the front of `text`. A pure function: nothing is kept between calls but
// the memory of `game`; `is_final` says that no text follows. Offsets are relative to `text` and
// `number` is left 0. After PGN_STEP_NEED_MORE ask again with more text, from behind the `consumed`
// bytes (blanks and remarks before the game).
PgnStep pgn_parse(PgnGame *game, StrView text, bool is_final, size_t *consumed);

// Asked when the tags of a game are complete, before its moves.
typedef bool PgnWants(void *context, const PgnGame *game);
// The same, but the moves of unwanted games are passed over unread, which is faster: such
// a game has no moves, and no problem with them is found.
PgnStep pgn_parse_wanted(PgnGame *game, StrView text, bool is_final, size_t *consumed,
                         PgnWants *wants, void *context);

typedef struct PgnTotals {
    uint64_t games;   // found, whole or not
    uint64_t real;    // of these, those that pgn_is_game tells of
    uint64_t cut;     // with moves up to a problem
    uint64_t skipped; // without moves, for a reason
    uint64_t plies;
    uint64_t kinds[PGN_PROBLEM_NB]; // games by problem
    uint64_t mismatches, without_result;
    uint64_t text_bytes;              // read, uncompressed
    uint64_t bytes_read, bytes_there; // of the file as it lies on disk; there = 0 for a pipe
} PgnTotals;

// Reads the games of a file, plain or compressed ("-": standard input), in constant memory.
typedef struct PgnReader PgnReader;
MUST_CHECK Status pgn_reader_open(PgnReader **out, const char *path);
// The next game, or NULL at the end. A failure of the file (also a damaged archive) is returned
// after the last game before it, and ERR_PARSE at the end of what is no PGN at all. The game is
// borrowed until the next call.
MUST_CHECK Status pgn_reader_next(PgnReader *reader, const PgnGame **out);
const PgnTotals *pgn_reader_totals(const PgnReader *reader);
void pgn_reader_close(PgnReader *reader);
CLEANUP_AT(PgnReader *, pgn_reader_close)

// Appends the game in PGN's export format: the seven tag roster ("?" where unknown), the other tags
// in order, SetUp and FEN for another start or Chess960 (with Variant), and movetext in lines below
// 80 columns. `comments` is NULL or one text per move (empty: none). Ends with an empty line, so
// that games can be joined.
void pgn_write(const PgnGame *game, const StrView *comments, Str *out);

// How moves are written; all three can be read again.
typedef enum PgnNotation {
    PGN_SAN,  // Nf3, as PGN wants it
    PGN_LONG, // Ng1f3
    PGN_UCI,  // g1f3
    PGN_NOTATION_NB,
} PgnNotation;

// As the command line spells them: "san", "lan", "uci".
extern const char *const pgn_notation_names[PGN_NOTATION_NB];
void pgn_write_in(const PgnGame *game, const StrView *comments, PgnNotation notation, Str *out);
