// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/pgn.h"

#include "chess/fen.h"
#include "testing.h"

static PgnGame game;

// Reads the first game of a text that is all there is, and returns how much it took.
static size_t read_text(const char *text, size_t length) {
    size_t consumed;
    assert_int_equal(pgn_parse(&game, view_of(text, length), true, &consumed), PGN_STEP_GAME);
    assert_true(consumed <= length);
    return consumed;
}

static void read_one(const char *text) {
    read_text(text, strlen(text));
}

static void expect_fine(const char *text, size_t plies, GameResult result) {
    read_one(text);
    if (game.problem.kind != PGN_FINE)
        fail_msg("%s: %s \"%s\" %s", text, pgn_problem_name(game.problem.kind), game.problem.text,
                 game.problem.reason);
    if (game.move_count != plies)
        fail_msg("%s: %zu plies", text, game.move_count);
    assert_int_equal(game.result, result);
}

static void expect_problem(const char *text, PgnProblemKind kind, unsigned ply, const char *what) {
    read_one(text);
    if (game.problem.kind != kind || strcmp(game.problem.text, what) != 0)
        fail_msg("%s: %s \"%s\" %s", text, pgn_problem_name(game.problem.kind), game.problem.text,
                 game.problem.reason);
    if (pgn_is_cut(kind)) {
        assert_int_equal(game.problem.ply, ply);
        assert_int_equal(game.move_count, ply - 1);
        assert_memory_equal(text + game.problem.offset, what, strlen(what));
    } else {
        assert_int_equal(game.move_count, 0);
    }
}

static void test_movetext(void **state) {
    (void)state;
    expect_fine("1. e4 e5 2. Nf3 1-0", 3, RESULT_WHITE_WINS);
    expect_fine("1.e4 e5 2.Nf3 Nc6 0-1", 4, RESULT_BLACK_WINS);
    expect_fine("e4 e5 1/2-1/2", 2, RESULT_DRAW);
    expect_fine("e4 e5 1/2", 2, RESULT_DRAW);
    expect_fine("1 e4 1... e5 2. ... *", 2, RESULT_UNKNOWN);
    expect_fine("1. e4 {a 1-0 comment\n[%clk 1:00]} e5; 1-0 to the end\n2. Nf3 *", 3, 0);
    expect_fine("1. e4 (1. d4 (1. c4 {)} ; (((\n e5) d5 1-0) e5 $1 $139 2. Nf3!! ?! *", 3, 0);
    expect_fine("1. e4 e5\n% an escaped line 1-0\n2. Nf3 *", 3, 0);
    expect_fine("1. e4 <reserved> e5 <br />2. Nf3 *", 3, 0);
    expect_fine("1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. 0-0 Nf6 1-0", 8, RESULT_WHITE_WINS);
    expect_fine("1. e4 a6 2. e5 d5 3. exd6 e.p. Nc6 *", 6, 0);
    expect_fine("1. e4 a6 2. e5 d5 3. exd6e.p. Nc6 *", 6, 0);
    expect_fine("1. e4 +- e5 = 2. Nf3 +/- *", 3, 0);
    expect_fine("1. e4 [%clk 0:01] e5 *", 2, 0);
    expect_fine("e2e4 e7e5 g1f3 *", 3, 0);
    expect_fine("1. e4{x}e5(1...c5)2.Nf3;x\n*", 3, 0);
    expect_fine("\xEF\xBB\xBF"
                "1. e4\r\ne5\r\n\r\n*\r\n",
                2, 0);
    expect_fine("1. e4 e5", 2, 0);
    assert_int_equal(game.notes, PGN_NOTE_NO_RESULT | PGN_NOTE_NO_TAGS);
}

static void test_cuts(void **state) {
    (void)state;
    expect_problem("1. e4 e5 2. Ke3 Nf6 1-0", PGN_ILLEGAL_MOVE, 3, "Ke3");
    assert_int_equal(game.result, RESULT_WHITE_WINS);
    expect_problem("1. e4 e5 2. Nf3 Nc6 3. Nc3 a6 4. Ne2 a5 5. Nd4 a4 6. Ne2 *", PGN_AMBIGUOUS_MOVE,
                   9, "Nd4");
    expect_problem("1. e4 -- 2. d4 *", PGN_NULL_MOVE, 2, "--");
    expect_problem("1. e4 Z0 2. d4 *", PGN_NULL_MOVE, 2, "Z0");
    expect_problem("1. e4 0000 2. d4 *", PGN_NULL_MOVE, 2, "0000");
    expect_problem("1. e4 nonsense 2. d4 *", PGN_NOT_A_MOVE, 2, "nonsense");
    expect_problem("1. e4 \"e5\" *", PGN_NOT_A_MOVE, 2, "\"");
    expect_problem("1. e4 e5 2. O-O- *", PGN_NOT_A_MOVE, 3, "O-O-");
    expect_problem("1. e4 {open", PGN_OPEN_COMMENT, 2, "{open");
    expect_problem("1. e4 (1. d4", PGN_OPEN_VARIATION, 2, "(1. d4");
}

// The first game is cut at what never closes, and the second is read.
static void test_open_comment_is_closed_by_the_next_game(void **state) {
    (void)state;
    static const char *const openers[] = {"{never closed", "(1... c5 2. Nf3", "(1... c5 {both"};
    for (size_t i = 0; i < 3; i++) {
        Str text = {0};
        str_addf(&text, "[Event \"a\"]\n\n1. e4 %s\n2. d4 *\n\n[Event \"b\"]\n\n1. d4 d5 0-1\n",
                 openers[i]);
        size_t consumed = read_text(text.text, text.length);
        assert_int_equal(game.problem.kind, i == 0 ? PGN_OPEN_COMMENT : PGN_OPEN_VARIATION);
        assert_int_equal(game.move_count, 1);
        read_text(text.text + consumed, text.length - consumed);
        assert_int_equal(game.problem.kind, PGN_FINE);
        assert_int_equal(game.move_count, 2);
        assert_true(view_equals(pgn_tag(&game, "Event"), "b"));
        str_free(&text);
    }
}

#define SET_UP(fen) "[FEN \"" fen "\"]\n"

// Some programs leave out the blank before the result.
static void test_results_glued_to_moves(void **state) {
    (void)state;
    static const struct {
        const char *text;
        size_t plies;
        GameResult result;
    } cases[] = {
        {"1. e4 e51-0", 2, RESULT_WHITE_WINS},
        {"1. e41/2-1/2", 1, RESULT_DRAW},
        {"1. e4 e51/2", 2, RESULT_DRAW},
        {"1. e2e4 e7e50-1", 2, RESULT_BLACK_WINS},
        {"1. e4 e5 2. Nf30-1", 3, RESULT_BLACK_WINS},
        {SET_UP("6k1/8/8/8/8/8/3Q4/3K4 w - - 0 1") "1. Qd61-0", 1, RESULT_WHITE_WINS},
        {SET_UP("6r1/8/8/k7/8/8/4K1P1/6r1 b - - 0 1") "1... R8xg20-1", 1, RESULT_BLACK_WINS},
        {SET_UP("8/8/8/3k4/4P3/8/8/4K3 b - - 0 1") "1... Kxe41/2-1/2", 1, RESULT_DRAW},
        {SET_UP("8/4P1k1/8/8/8/8/8/4K3 w - - 0 1") "1. e8=Q1-0", 1, RESULT_WHITE_WINS},
        {SET_UP("7k/5K2/8/8/8/8/8/6Q1 w - - 0 1") "1. Qg7#1-0", 1, RESULT_WHITE_WINS},
        {SET_UP("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1") "1. O-O1-0", 1, RESULT_WHITE_WINS},
        {SET_UP("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1") "1. 0-0-01/2-1/2", 1, RESULT_DRAW},
        {SET_UP("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1") "1. O-O-O!?0-1", 1, RESULT_BLACK_WINS},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Str text = {0};
        str_addf(&text, "%s\n\n1. d4 *", cases[i].text);
        expect_fine(str_text(&text), cases[i].plies, cases[i].result);
        assert_true((game.notes & PGN_NOTE_GLUED_RESULT) != 0);
        assert_int_equal(game.length, strlen(cases[i].text)); // the next game is another
        str_free(&text);
    }
    expect_fine("1. Nf3*", 1, RESULT_UNKNOWN);
    // What is no move stays none, and an illegal one is told apart from its result.
    expect_problem("1. e4 Qd61-0", PGN_ILLEGAL_MOVE, 2, "Qd6");
    assert_int_equal(game.result, RESULT_WHITE_WINS);
    expect_problem("1. e4 Nb1-0", PGN_NOT_A_MOVE, 2, "Nb1-0");
    expect_problem("1. e4 e5 2. O-O-0-1", PGN_NOT_A_MOVE, 3, "O-O-0-1");
    expect_problem("1. e4 word1-0", PGN_NOT_A_MOVE, 2, "word1-0");
}

static void expect_tag(const char *name, const char *value) {
    StrView found = pgn_tag(&game, name);
    if (found.text == NULL || !view_equals(found, value))
        fail_msg("%s is \"%.*s\", not \"%s\"", name, (int)found.length, found.text, value);
}

static void test_tags(void **state) {
    (void)state;
    read_one(
        "[Event \"A \\\"b\\\" \\\\ c\"] [Site\"x\"]\n\n[ Round  \"\" ]\n[White \"M\xfcller\"]\n"
        "[Black \"M\xc3\xbcller\"]\n[Odd \"in \"ner\" quotes\"]\n[Result \"1-0\"] 1. e4 1-0");
    expect_tag("Event", "A \"b\" \\ c");
    expect_tag("Site", "x");
    expect_tag("Round", "");
    expect_tag("White", "M\xc3\xbcller");
    expect_tag("Black", "M\xc3\xbcller");
    expect_tag("Odd", "in \"ner\" quotes");
    assert_null(pgn_tag(&game, "Absent").text);
    assert_int_equal(game.notes, PGN_NOTE_LATIN1);
    assert_int_equal(game.tag_result, RESULT_WHITE_WINS);
    assert_int_equal(game.move_count, 1);
    read_one("[Event \"no end\n[Site bare]\n[White \"w\"\n[Black \"b\"]\n\n*");
    expect_tag("Event", "no end");
    expect_tag("Site", "bare");
    expect_tag("White", "w");
    expect_tag("Black", "b");
    assert_int_equal(game.notes, PGN_NOTE_BAD_TAG);
    read_one("[Result \"1-0\"] e4 0-1");
    assert_int_equal(game.notes, PGN_NOTE_RESULT_MISMATCH);
    assert_int_equal(pgn_result(&game), RESULT_BLACK_WINS);
    read_one("[Result \"1-0\"] e4");
    assert_int_equal(pgn_result(&game), RESULT_WHITE_WINS);
}

static void test_games_without_movetext(void **state) {
    (void)state;
    static const char text[] = "[Event \"a\"]\n[White \"w\"]\n\n[Event \"b\"]\n\n*\n";
    size_t consumed = read_text(text, strlen(text));
    assert_int_equal(game.tag_count, 2);
    assert_int_equal(game.notes, PGN_NOTE_NO_RESULT);
    read_text(text + consumed, strlen(text) - consumed);
    expect_tag("Event", "b");
    size_t rest;
    assert_int_equal(pgn_parse(&game, view_from_string(" \n{done} \x1a"), true, &rest),
                     PGN_STEP_END);
}

static void test_set_up(void **state) {
    (void)state;
    expect_fine("[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 9\"]\n\n9. O-O Ke7 *", 2, 0);
    assert_true(game.is_set_up);
    expect_fine("[FEN \"4k3/8/8/8/8/8/8/4K2R b - - 0 9\"]\n\n9... Ke7 *", 1, 0);
    // The next game starts from the start again.
    expect_fine("1. e4 *", 1, 0);
    assert_false(game.is_set_up);
    expect_problem("[FEN \"4k3/8/8/8 w - - 0 1\"]\n\n1. e4 *", PGN_BAD_FEN, 0,
                   "4k3/8/8/8 w - - 0 1");
    assert_true(game.problem.reason[0] != '\0');
    expect_fine("[FEN \"bqrknnrb/pppppppp/8/8/8/8/PPPPPPPP/BQRKNNRB w KQkq - 0 1\"]\n\n1. e4 *", 1,
                0);
    expect_problem("[Variant \"Chess960\"]\n\n1. e4 *", PGN_CHESS960, 0, "Chess960");
    expect_problem("[Variant \"Atomic\"]\n\n1. e4 *", PGN_VARIANT, 0, "Atomic");
    expect_fine("[Variant \"Standard\"]\n\n1. e4 *", 1, 0);
    expect_fine("[Variant \"From Position\"]\n\n1. e4 *", 1, 0);
}

static void test_too_many_tags(void **state) {
    (void)state;
    Str text = {0};
    for (int i = 0; i <= PGN_TAGS_MAX; i++)
        str_addf(&text, "[T%d \"x\"]\n", i);
    str_add(&text, "\n1. e4 *\n");
    read_text(text.text, text.length);
    assert_int_equal(game.problem.kind, PGN_TOO_MANY_TAGS);
    assert_int_equal(game.move_count, 0);
    str_free(&text);
}

// Whatever the text is cut to, the parser asks for more or says the same as for the whole.
static void test_need_more(void **state) {
    (void)state;
    static const char text[] =
        "[Event \"a \\\" b\"]\n[Site \"s\"]\n\n1. e4 {comment (} e5 (1... c5 {x} 2. Nf3) 2. Nf3 $1 "
        "Nc6 ; rest\n% escape\n3. Bc4 <x> Bc5 4. 0-0 Nf6 1/2-1/2\n\n[Event \"b\"]\n\n1. d4 *\n\n"
        "[Event \"some more text to have enough behind the games\"]\n[Site \"far away\"]\n\n1. c4 "
        "*";
    size_t whole = read_text(text, strlen(text));
    assert_int_equal(game.move_count, 8);
    unsigned answers = 0;
    for (size_t length = 0; length < strlen(text); length++) {
        char *copy = malloc(length + 1); // exact, so that a sanitizer sees what lies beyond
        memcpy(copy, text, length);
        size_t consumed;
        PgnStep step = pgn_parse(&game, view_of(copy, length), false, &consumed);
        if (step == PGN_STEP_GAME) {
            answers++;
            assert_int_equal(consumed, whole);
            assert_int_equal(game.move_count, 8);
            assert_int_equal(game.result, RESULT_DRAW);
        } else {
            assert_int_equal(step, PGN_STEP_NEED_MORE);
        }
        assert_int_not_equal(pgn_parse(&game, view_of(copy, length), true, &consumed),
                             PGN_STEP_NEED_MORE);
        free(copy);
    }
    assert_true(answers > 0);
}

// Random games, written and read back: the same moves, tags and text.
static void test_round_trips(void **state) {
    (void)state;
    PgnGame made = {0};
    Rng rng = rng_at(4, 0, 0, 0);
    for (int i = 0; i < 400; i++) {
        testing_random_game(&made, &rng, rng_below(&rng, 300));
        assert_int_equal(pgn_set_tag(&made, "White", view_from_string("\"\\ M\xc3\xbcller")), OK);
        assert_int_equal(pgn_set_tag(&made, "Zzz", view_from_string("x")), OK);
        made.result = (GameResult)rng_below(&rng, 4);
        StrView comments[300];
        for (size_t j = 0; j < 300; j++)
            comments[j] =
                view_from_string(rng_below(&rng, 5) == 0 ? "+0.31/12 0.50s, {odd} (" : "");
        Str first = {0}, second = {0};
        pgn_write(&made, i % 2 == 0 ? comments : NULL, &first);
        read_text(first.text, first.length);
        assert_int_equal(game.problem.kind, PGN_FINE);
        assert_int_equal(game.notes, 0);
        assert_int_equal(game.move_count, made.move_count);
        assert_memory_equal(game.moves, made.moves, made.move_count * sizeof(Move));
        assert_memory_equal(&game.final, &made.final, sizeof made.final);
        assert_int_equal(game.result, made.result);
        expect_tag("White", "\"\\ M\xc3\xbcller");
        pgn_write(&game, i % 2 == 0 ? comments : NULL, &second);
        assert_string_equal(first.text, second.text);
        for (const char *line = first.text, *end; (end = strchr(line, '\n')) != NULL;
             line = end + 1)
            assert_true(end - line < 80 || line[0] == '[');
        str_free(&first);
        str_free(&second);
    }
    pgn_game_free(&made);
}

static void test_exact_text(void **state) {
    (void)state;
    read_one("[White \"A\"] [ECO \"B00\"] 1. e4 e5 2. Nf3 1-0");
    Str text = {0};
    const StrView comments[] = {{0}, view_from_string("book"), {0}};
    pgn_write(&game, NULL, &text);
    assert_string_equal(text.text, "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n"
                                   "[Round \"?\"]\n[White \"A\"]\n[Black \"?\"]\n[Result \"1-0\"]\n"
                                   "[ECO \"B00\"]\n\n1. e4 e5 2. Nf3 1-0\n\n");
    str_clear(&text);
    read_one("[FEN \"4k3/8/8/8/8/8/8/4K2R b K - 3 9\"] 9... Ke7 10. O-O Kd7 *");
    pgn_write(&game, comments, &text);
    assert_non_null(strstr(text.text, "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R b K - 3 9\"]\n\n"
                                      "9... Ke7 10. O-O {book} 10... Kd7 *\n\n"));
    str_free(&text);
}

typedef struct Expected {
    const char *name;
    uint64_t games, cut, skipped, plies;
    const char *first; // problem
} Expected;

// The next game; NULL at the end, also of what is no PGN.
static const PgnGame *next_game(PgnReader *reader) {
    const PgnGame *found;
    const Status status = pgn_reader_next(reader, &found);
    const PgnTotals *totals = pgn_reader_totals(reader);
    if (status == ERR_PARSE)
        assert_true(found == NULL && totals->real <= totals->games / 100);
    else
        assert_int_equal(status, OK);
    return found;
}

static void check_file(const char *path, const Expected *expected) {
    PgnReader *reader;
    const PgnGame *found;
    Str first = {0};
    assert_int_equal(pgn_reader_open(&reader, path), OK);
    while ((found = next_game(reader)) != NULL) {
        if (found->problem.kind != PGN_FINE && first.length == 0)
            pgn_describe_problem(found, &first);
        Position pos = found->start;
        for (size_t i = 0; i < found->move_count; i++) {
            Undo undo;
            assert_true(move_is_legal(&pos, found->moves[i]));
            position_make(&pos, found->moves[i], &undo);
        }
        assert_memory_equal(&pos, &found->final, sizeof pos);
    }
    const PgnTotals *totals = pgn_reader_totals(reader);
    if (totals->games != expected->games || totals->cut != expected->cut ||
        totals->skipped != expected->skipped || totals->plies != expected->plies)
        fail_msg("%s: %d games, %d cut, %d skipped, %d plies", path, (int)totals->games,
                 (int)totals->cut, (int)totals->skipped, (int)totals->plies);
    assert_string_equal(str_text(&first), expected->first);
    assert_int_equal(totals->bytes_read, totals->bytes_there);
    str_free(&first);
    pgn_reader_close(reader);
}

static void test_odd_files(void **state) {
    (void)state;
    static const Expected odd[] = {
#include "odd_pgn.def"
    };
    for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) {
        char path[TESTING_PATH];
        testing_shared(path, odd[i].name);
        check_file(path, &odd[i]);
    }
}

static void read_file_games(const char *text, size_t length, const Expected *expected) {
    char path[TESTING_PATH];
    testing_write(path, expected->name, text, length);
    check_file(path, expected);
}

// Games that straddle the buffer's end, one that needs a larger one, and one too large to keep.
static void test_large_files(void **state) {
    (void)state;
    Str text = {0};
    for (int i = 0; i < 20000; i++)
        str_addf(&text, "[Event \"%d\"]\n\n1. e4 {%*s} e5 1-0\n\n", i, i % 97, "");
    read_file_games(text.text, text.length, &(Expected){"many", 20000, 0, 0, 40000, ""});
    str_clear(&text);
    static char filler[PGN_BUFFER_MAX + 1];
    memset(filler, 'x', sizeof filler - 1);
    str_addf(&text, "[Event \"a\"]\n\n1. e4 {%.*s} e5 1-0\n\n[Event \"b\"]\n\n1. d4 *\n", 3 << 20,
             filler);
    read_file_games(text.text, text.length, &(Expected){"big", 2, 0, 0, 3, ""});
    str_clear(&text);
    str_addf(&text, "1. c4 *\n[Event \"a\"]\n\n1. e4 {%s} e5 1-0\n\n[Event \"b\"]\n\n1. d4 *\n",
             filler);
    read_file_games(text.text, text.length,
                    &(Expected){"huge", 3, 0, 1, 2, "game 2, byte 8: game too long"});
    str_free(&text);
}

// Texts that would take ages if anything were looked at again and again.
static void test_time_is_linear(void **state) {
    (void)state;
    static const char *const parts[] = {
        "<",   "{",       "(",   "[",     "[a \"",
        "\"",  "1",       ";",   "; x\n", "%",
        "%\n", "{}",      "()",  "$",     "{\n[Event \"",
        "*",   "[%clk ",  "--",  "e",     "e.p",
        "\\",  "[a \"\\", "e(",  "1-",    "(\n[Event \"x\"]",
        "e4 ", "\xef",    "\0 ", "[]",    "a(Q)",
    };
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        Str text = {0};
        size_t length = strlen(parts[i]);
        while (text.length < 1 << 20)
            str_append(&text, parts[i], length > 0 ? length : 2);
        char path[TESTING_PATH];
        testing_write(path, "repeated", text.text, text.length);
        PgnReader *reader;
        const PgnGame *found;
        assert_int_equal(pgn_reader_open(&reader, path), OK);
        do
            found = next_game(reader);
        while (found != NULL);
        pgn_reader_close(reader);
        str_free(&text);
    }
}

static void test_offsets_and_numbers(void **state) {
    (void)state;
    static const char text[] = "[Event \"a\"]\n\n1. e4 *\n\n[Event \"b\"]\n\n1. d4 Ke5 2. c4 *\n";
    read_file_games(
        text, strlen(text),
        &(Expected){"offsets", 2, 1, 0, 2, "game 2, byte 41, ply 2: illegal move \"Ke5\""});
}

// Games before the damage of an archive are read, the broken one is skipped, and the error
// returned.
static void test_damaged_archive(void **state) {
    (void)state;
    char plain[TESTING_PATH], packed[TESTING_PATH], command[4 * TESTING_PATH];
    Str text = {0};
    Rng rng = rng_at(9, 0, 0, 0);
    for (int i = 0; i < 20000; i++)
        str_addf(&text, "[Event \"%u\"]\n\n1. e4 e5 1-0\n\n", rng_u32(&rng));
    testing_write(plain, "plain.pgn", text.text, text.length);
    testing_path(packed, "damaged.gz");
    snprintf(command, sizeof command, "gzip -c '%s' | head -c 100000 > '%s'", plain, packed);
    assert_int_equal(system(command), 0);
    PgnReader *reader;
    const PgnGame *found;
    Status status;
    assert_int_equal(pgn_reader_open(&reader, packed), OK);
    while ((status = pgn_reader_next(reader, &found)) == OK && found != NULL)
        assert_true(found->move_count == 2 || found->problem.kind == PGN_CUT_SHORT);
    assert_int_equal(status, ERR_IO);
    assert_non_null(strstr(error_message(), packed));
    assert_true(pgn_reader_totals(reader)->games > 1000);
    assert_int_equal(pgn_reader_totals(reader)->kinds[PGN_CUT_SHORT], 1);
    pgn_reader_close(reader);
    str_free(&text);
}

static int tear_down(void **state) {
    pgn_game_free(&game);
    return testing_tear_down(state);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_movetext),
        cmocka_unit_test(test_cuts),
        cmocka_unit_test(test_open_comment_is_closed_by_the_next_game),
        cmocka_unit_test(test_results_glued_to_moves),
        cmocka_unit_test(test_tags),
        cmocka_unit_test(test_games_without_movetext),
        cmocka_unit_test(test_set_up),

        cmocka_unit_test(test_too_many_tags),
        cmocka_unit_test(test_need_more),
        cmocka_unit_test(test_round_trips),
        cmocka_unit_test(test_exact_text),
        cmocka_unit_test(test_odd_files),
        cmocka_unit_test(test_large_files),
        cmocka_unit_test(test_time_is_linear),
        cmocka_unit_test(test_offsets_and_numbers),
        cmocka_unit_test(test_damaged_archive),
    };
    return cmocka_run_group_tests(tests, testing_set_up, tear_down);
}
