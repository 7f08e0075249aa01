// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/book.h"

#include "chess/book_builder.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/san.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { ENTRIES_MAX = 64, DRAWS = 40000 };

static const uint64_t start_key = 0x463b96181691fc9cULL;

static Move start_move(const char *uci) {
    Position pos;
    position_set_start(&pos);
    Move move = move_from_uci(&pos, uci, strlen(uci));
    assert_int_not_equal(move, MOVE_NONE);
    return move;
}

static uint16_t start_code(const char *uci) {
    Position pos;
    position_set_start(&pos);
    return polyglot_move_encode(&pos, start_move(uci));
}

static PolyglotEntry entry_for(const char *uci, uint16_t weight) {
    return (PolyglotEntry){start_key, start_code(uci), weight, 0};
}

static Status book_of(Book **out, const PolyglotEntry *entries, size_t count) {
    uint8_t bytes[ENTRIES_MAX * POLYGLOT_ENTRY_SIZE];
    assert_true(count <= ENTRIES_MAX);
    for (size_t i = 0; i < count; i++)
        polyglot_entry_write(&entries[i], bytes + i * POLYGLOT_ENTRY_SIZE);
    return book_from_bytes(out, bytes, count * POLYGLOT_ENTRY_SIZE);
}

// --- reading ---

static void test_damaged_books(void **state) {
    (void)state;
    Book *book;
    const uint8_t bytes[POLYGLOT_ENTRY_SIZE] = {0};
    assert_int_equal(book_from_bytes(&book, bytes, 0), ERR_PARSE);
    assert_non_null(strstr(error_message(), "empty"));
    assert_int_equal(book_from_bytes(&book, bytes, 15), ERR_PARSE);
    assert_non_null(strstr(error_message(), "15 bytes"));
    const PolyglotEntry unsorted[] = {{.key = 1}, {.key = 3}, {.key = 2}};
    assert_int_equal(book_of(&book, unsorted, 3), ERR_PARSE);
    assert_non_null(strstr(error_message(), "entry 3"));
    assert_null(book);
    book_close(NULL);
}

static void test_unreadable_books(void **state) {
    (void)state;
    Book *book;
    assert_int_equal(book_open(&book, "/nonexistent/book.bin"), ERR_IO);
    assert_non_null(strstr(error_message(), "/nonexistent/book.bin"));
    assert_int_equal(book_open(&book, "/tmp"), ERR_IO);
    assert_non_null(strstr(error_message(), "/tmp"));
    assert_int_equal(book_open(&book, "/dev/null"), ERR_PARSE);
    assert_non_null(strstr(error_message(), "/dev/null: the book is empty"));
}

static void test_moves(void **state) {
    (void)state;
    PolyglotEntry entries[] = {
        {.key = 0, .move = 1, .weight = 1},
        entry_for("e2e4", 5),
        {start_key, 0, 7, 0},          // a1a1: no move
        {start_key, 0xFFFF, 7, 0},     // nonsense
        {start_key, 6 | 4 << 6, 7, 0}, // castling, not possible yet
        entry_for("d2d4", 3),
        entry_for("e2e4", 2), // the same again
        {.key = UINT64_MAX, .move = 1, .weight = 1},
    };
    Book *book;
    Position pos;
    BookMove moves[MOVES_MAX];
    position_set_start(&pos);
    assert_int_equal(book_of(&book, entries, sizeof entries / sizeof entries[0]), OK);
    assert_int_equal(book_moves(book, &pos, moves), 2);
    assert_int_equal(moves[0].move, start_move("e2e4"));
    assert_int_equal(moves[0].weight, 7);
    assert_int_equal(moves[1].move, start_move("d2d4"));
    assert_int_equal(moves[1].weight, 3);
    assert_int_equal(book_size(book), 8);
    assert_int_equal(book_entry(book, 7).key, UINT64_MAX);
    assert_int_equal(fen_parse("4k3/8/8/8/8/8/8/4K3 w - - 0 1", &pos), OK);
    Rng rng = rng_at(0, 0, 0, 0);
    assert_int_equal(book_moves(book, &pos, moves), 0);
    assert_int_equal(book_pick(book, &pos, &rng), MOVE_NONE);
    book_close(book);
}

static void test_picking(void **state) {
    (void)state;
    const PolyglotEntry entries[] = {entry_for("e2e4", 3), entry_for("d2d4", 1),
                                     entry_for("a2a3", 0)};
    Book *book;
    Position pos;
    Rng rng = rng_at(7, 0, 0, 0);
    unsigned king_pawn = 0, queen_pawn = 0;
    position_set_start(&pos);
    assert_int_equal(book_of(&book, entries, 3), OK);
    for (unsigned i = 0; i < DRAWS; i++) {
        Move move = book_pick(book, &pos, &rng);
        king_pawn += move == start_move("e2e4");
        queen_pawn += move == start_move("d2d4");
    }
    assert_int_equal(king_pawn + queen_pawn, DRAWS);
    assert_in_range(king_pawn, DRAWS * 3 / 4 - 400, DRAWS * 3 / 4 + 400);
    book_close(book);
    assert_int_equal(book_of(&book, &entries[2], 1), OK);
    assert_int_equal(book_pick(book, &pos, &rng), MOVE_NONE);
    book_close(book);
}

static void test_writing(void **state) {
    (void)state;
    char path[] = "/tmp/falconer-book-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    PolyglotEntry entries[] = {{9, 5, 1, 0}, {3, 6, 1, 0}, {9, 4, 2, 0}, {3, 5, 1, 8}};
    Book *book;
    assert_int_equal(book_write(path, entries, 4), OK);
    assert_int_equal(book_open(&book, path), OK);
    assert_int_equal(book_size(book), 4);
    assert_int_equal(book_entry(book, 0).move, 5);
    assert_int_equal(book_entry(book, 0).learn, 8);
    assert_int_equal(book_entry(book, 1).move, 6);
    assert_int_equal(book_entry(book, 2).weight, 2);
    book_close(book);
    unlink(path);
    assert_int_equal(book_write("/dev/full", entries, 4), ERR_IO);
    assert_int_equal(book_write("/nonexistent/x.bin", entries, 4), ERR_IO);
}

// --- building ---

// Adds a game of moves in SAN, `times` times.
static void add_game(BookBuilder *builder, const char *moves, GameResult result, unsigned times) {
    PgnGame game = {0};
    StrView rest = view_from_string(moves);
    pgn_game_reset(&game);
    for (StrView word = view_next_word(&rest); word.length > 0; word = view_next_word(&rest)) {
        Move move;
        assert_int_equal(san_parse(&game.final, word, &move), SAN_OK);
        assert_true(pgn_add_move(&game, move));
    }
    game.result = result;
    for (unsigned i = 0; i < times; i++)
        assert_int_equal(book_builder_add(builder, &game), OK);
    pgn_game_free(&game);
}

static PolyglotEntry *finish(BookBuilder *builder, size_t *count) {
    PolyglotEntry *entries = book_builder_finish(builder, count);
    book_builder_destroy(builder);
    return entries;
}

static void test_weights(void **state) {
    (void)state;
    BookBuilder *builder = book_builder_create((BookOptions){.max_ply = 2, .min_games = 1});
    size_t count;
    add_game(builder, "e4 e5 Nf3", RESULT_WHITE_WINS, 2);
    add_game(builder, "e4 c5 Nf3", RESULT_DRAW, 1);
    add_game(builder, "d4 d5 c4", RESULT_BLACK_WINS, 1);
    add_game(builder, "c4", RESULT_UNKNOWN, 1);
    assert_int_equal(book_builder_size(builder), 6);
    PolyglotEntry *entries = finish(builder, &count);
    // Not e5 and d4, which never scored; not Nf3, which is the third ply.
    assert_int_equal(count, 4);
    Position pos;
    Undo undo;
    position_set_start(&pos);
    Book *book;
    BookMove moves[MOVES_MAX];
    assert_int_equal(book_of(&book, entries, count), OK);
    assert_int_equal(book_moves(book, &pos, moves), 2);
    assert_int_equal(moves[0].move, start_move("e2e4"));
    assert_int_equal(moves[0].weight, 5);
    assert_int_equal(moves[1].move, start_move("c2c4"));
    assert_int_equal(moves[1].weight, 1);
    position_make(&pos, start_move("d2d4"), &undo);
    assert_int_equal(book_moves(book, &pos, moves), 1);
    assert_int_equal(moves[0].weight, 2);
    book_close(book);
    free(entries);
}

static void test_filters(void **state) {
    (void)state;
    size_t count;
    BookBuilder *builder = book_builder_create((BookOptions){20, 3, 50});
    add_game(builder, "e4", RESULT_WHITE_WINS, 2); // too rare
    add_game(builder, "d4", RESULT_DRAW, 3);       // just good enough
    add_game(builder, "c4", RESULT_DRAW, 3);
    add_game(builder, "c4", RESULT_BLACK_WINS, 1); // scored less
    PolyglotEntry *entries = finish(builder, &count);
    assert_int_equal(count, 1);
    assert_int_equal(entries[0].move, start_code("d2d4"));
    assert_int_equal(entries[0].weight, 3);
    free(entries);
}

static void test_scaling(void **state) {
    (void)state;
    size_t count;
    BookBuilder *builder = book_builder_create((BookOptions){1, 1, 0});
    add_game(builder, "e4", RESULT_WHITE_WINS, 65535);
    add_game(builder, "d4", RESULT_WHITE_WINS, 13107);
    add_game(builder, "a3", RESULT_DRAW, 1);
    PolyglotEntry *entries = finish(builder, &count);
    assert_int_equal(count, 3);
    assert_int_equal(entries[0].weight, 65535);
    assert_int_equal(entries[1].weight, 13107);
    assert_int_equal(entries[2].weight, 1);
    free(entries);
}

// A game from a set-up position starts as late as its move number says.
static void test_set_up_games(void **state) {
    (void)state;
    BookBuilder *builder = book_builder_create((BookOptions){20, 1, 0});
    PgnGame game = {0};
    Position pos;
    pgn_game_reset(&game);
    assert_int_equal(fen_parse("4k3/8/8/8/8/8/4P3/4K3 w - - 0 10", &pos), OK);
    pgn_set_start(&game, &pos);
    for (unsigned i = 0; i < 4; i++) {
        Move moves[MOVES_MAX];
        assert_true(movegen(&game.final, MOVES_ALL, moves) > 0);
        assert_true(pgn_add_move(&game, moves[0]));
    }
    assert_int_equal(book_builder_add(builder, &game), OK);
    assert_int_equal(book_builder_size(builder), 2);
    pgn_game_free(&game);
    book_builder_destroy(builder);
}

// The table grows many times over; what comes out is sorted and complete.
static void test_many_moves(void **state) {
    (void)state;
    enum { GAMES = 1500, PLIES = 60 };
    BookBuilder *builder = book_builder_create((BookOptions){PLIES, 1, 0});
    PgnGame game = {0};
    size_t count;
    for (uint32_t i = 0; i < GAMES; i++) {
        Rng rng = rng_at(3, i, 0, 0);
        Move moves[MOVES_MAX];
        size_t legal;
        pgn_game_reset(&game);
        while (game.move_count < PLIES && (legal = movegen(&game.final, MOVES_ALL, moves)) > 0)
            assert_true(pgn_add_move(&game, moves[rng_below(&rng, (uint32_t)legal)]));
        assert_int_equal(book_builder_add(builder, &game), OK);
    }
    size_t counted = book_builder_size(builder);
    PolyglotEntry *entries = finish(builder, &count);
    assert_int_equal(count, counted);
    assert_true(count > 50000);
    for (size_t i = 1; i < count; i++)
        assert_true(polyglot_entry_compare(&entries[i - 1], &entries[i]) < 0);
    free(entries);
    pgn_game_free(&game);
}

static int setup(void **state) {
    (void)state;
    chess_init();
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_damaged_books), cmocka_unit_test(test_unreadable_books),
        cmocka_unit_test(test_moves),         cmocka_unit_test(test_picking),
        cmocka_unit_test(test_writing),       cmocka_unit_test(test_weights),
        cmocka_unit_test(test_filters),       cmocka_unit_test(test_scaling),
        cmocka_unit_test(test_set_up_games),  cmocka_unit_test(test_many_moves),
    };
    return cmocka_run_group_tests(tests, setup, NULL);
}
