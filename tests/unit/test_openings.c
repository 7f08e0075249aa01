// SPDX-License-Identifier: GPL-3.0-or-later
// Openings from EPD, PGN and Polyglot books: what is read is what is played, in every order.
#include "match/play/openings.h"

#include "chess/book.h"
#include "chess/chess960.h"
#include "chess/fen.h"
#include "tests/unit/testing.h"

enum { OPENINGS = 50 };

static void write_text(const char *name, const char *text, char path[TESTING_PATH]) {
    testing_path(path, name);
    assert_int_equal(file_write(path, text, strlen(text)), OK);
}

// An EPD file whose n-th position has n + 1 as its number of the move.
static void write_epd(char path[TESTING_PATH]) {
    Str text = {0};
    for (int i = 0; i < OPENINGS; i++)
        str_addf(&text, "%srnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - fmvn %d;\n",
                 i % 10 == 0 ? "# a remark\n\n" : "", i + 1);
    write_text("o.epd", str_text(&text), path);
    str_free(&text);
}

static Openings *load(const OpeningsConfig *config) {
    Openings *openings;
    assert_int_equal(openings_load(&openings, config), OK);
    return openings;
}

static void test_epd_in_every_order(void **state) {
    (void)state;
    char path[TESTING_PATH];
    write_epd(path);
    Opening got, again;
    for (uint64_t first = 0; first < 120; first += 40)
        for (int is_random = 0; is_random < 2; is_random++) {
            OpeningsConfig config = {
                .path = path, .is_random = is_random, .seed = 9, .first = first, .plies = 8};
            Openings *openings = load(&config), *same = load(&config);
            bool is_seen[OPENINGS + 1] = {0};
            bool in_order = true;
            assert_int_equal(openings_count(openings), OPENINGS);
            for (uint64_t i = 0; i < OPENINGS; i++) {
                openings_at(openings, i, &got);
                openings_at(same, i + OPENINGS, &again); // round and round
                assert_memory_equal(&got.start, &again.start, sizeof got.start);
                assert_int_equal(got.count, 0);
                assert_false(is_seen[got.start.fullmove]);
                is_seen[got.start.fullmove] = true;
                in_order = in_order && got.start.fullmove == (i + first) % OPENINGS + 1;
            }
            assert_int_equal(in_order, !is_random);
            openings_free(openings);
            openings_free(same);
        }
}

static void expect_start(const Openings *openings, uint64_t index, unsigned white, unsigned black) {
    Opening got;
    Position wanted;
    openings_at(openings, index, &got);
    chess960_set_start(&wanted, white, black);
    assert_memory_equal(&got.start, &wanted, sizeof wanted);
    assert_int_equal(got.count, 0);
}

static void test_arrays(void **state) {
    (void)state;
    OpeningsConfig config = {.format = OPENINGS_960, .first = 518, .seed = 3};
    Openings *openings = load(&config);
    assert_int_equal(openings_count(openings), 960);
    expect_start(openings, 0, 518, 518);
    expect_start(openings, 442, 0, 0);
    openings_free(openings);
    config = (OpeningsConfig){.format = OPENINGS_DFRC};
    openings = load(&config);
    assert_int_equal(openings_count(openings), 960 * 960);
    expect_start(openings, 518 * 960 + 7, 518, 7);
    openings_free(openings);
    // In a random order each comes once, and the order depends on the seed.
    config = (OpeningsConfig){.format = OPENINGS_960, .is_random = true, .seed = 3};
    openings = load(&config);
    uint64_t sum = 0, all = 0, in_order = 0;
    for (unsigned i = 0; i < 960; i++) {
        Opening got;
        Position plain;
        openings_at(openings, i, &got);
        chess960_set_start(&plain, i, i);
        sum += got.start.key;
        all += plain.key;
        in_order += got.start.key == plain.key;
    }
    assert_true(sum == all && in_order < 20);
    openings_free(openings);
}

static void test_shipped_openings(void **state) {
    (void)state;
    OpeningsConfig config = {.path = "tests/data/openings.epd", .is_random = true};
    Openings *openings = load(&config), *other;
    assert_true(openings_count(openings) >= 60);
    config.seed = 1;
    other = load(&config);
    size_t moved = 0;
    for (size_t i = 0; i < openings_count(openings); i++) {
        Opening one, two;
        openings_at(openings, i, &one);
        openings_at(other, i, &two);
        assert_true(position_is_ok(&one.start));
        moved += one.start.key != two.start.key;
    }
    assert_true(moved > openings_count(openings) / 2);
    openings_free(openings);
    openings_free(other);
}

static void test_pgn(void **state) {
    (void)state;
    char path[TESTING_PATH];
    write_text("o.pgn",
               "[White \"a\"]\n\n1. e4 e5 2. Nf3 Nc6 *\n\n"
               "[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 7\"]\n\n7... Kd7 *\n\n[White \"b\"]\n\n*\n",
               path);
    assert_int_equal(openings_guess_format(path), OPENINGS_PGN);
    OpeningsConfig config = {.path = path, .format = OPENINGS_PGN, .plies = 3};
    Openings *openings = load(&config);
    static const size_t plies[] = {3, 1, 0};
    assert_int_equal(openings_count(openings), 3);
    for (uint64_t i = 0; i < 3; i++) {
        Opening got;
        openings_at(openings, i, &got);
        assert_int_equal(got.count, plies[i]);
        Position pos = got.start;
        for (size_t m = 0; m < got.count; m++) {
            Undo undo;
            assert_true(move_is_legal(&pos, got.moves[m]));
            position_make(&pos, got.moves[m], &undo);
        }
        char fen[FEN_SIZE];
        fen_write(&pos, fen);
        if (i == 0)
            assert_string_equal(fen,
                                "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2");
        if (i == 1)
            assert_string_equal(fen, "8/3k4/8/8/8/8/4P3/4K3 w - - 1 8");
    }
    openings_free(openings);
}

static PolyglotEntry entry(const char *moves, const char *move, uint16_t weight) {
    Position pos;
    Undo undo;
    position_set_start(&pos);
    for (; *moves != '\0'; moves += moves[4] == ' ' ? 5 : 4)
        position_make(&pos, move_from_uci(&pos, moves, 4), &undo);
    return (PolyglotEntry){.key = pos.key,
                           .move = polyglot_move_encode(&pos, move_from_uci(&pos, move, 4)),
                           .weight = weight};
}

static void test_book(void **state) {
    (void)state;
    char path[TESTING_PATH];
    testing_path(path, "o.bin");
    PolyglotEntry entries[] = {entry("", "e2e4", 3), entry("", "d2d4", 1), entry("e2e4", "e7e5", 1),
                               entry("e2e4 e7e5", "g1f3", 1)};
    assert_int_equal(book_write(path, entries, 4), OK);
    assert_int_equal(openings_guess_format(path), OPENINGS_BOOK);
    for (int plies = 1; plies <= 3; plies++) {
        OpeningsConfig config = {.path = path, .format = OPENINGS_BOOK, .plies = plies, .seed = 5};
        Openings *openings = load(&config);
        int with_e4 = 0;
        for (uint64_t i = 0; i < 2000; i++) {
            Opening got, again;
            openings_at(openings, i, &got);
            openings_at(openings, i, &again);
            assert_int_equal(got.count, again.count);
            assert_memory_equal(got.moves, again.moves, got.count * sizeof(Move));
            bool is_e4 = move_to(got.moves[0]) == 28;
            assert_int_equal(got.count, is_e4 ? plies : 1);
            with_e4 += is_e4;
        }
        // Three in four, within five standard deviations.
        assert_true(with_e4 > 1400 && with_e4 < 1600);
        openings_free(openings);
    }
}

static void expect_failure(const char *name, const char *text, OpeningsFormat format, int plies,
                           const char *words) {
    char path[TESTING_PATH];
    write_text(name, text, path);
    OpeningsConfig config = {.path = path, .format = format, .plies = plies};
    Openings *openings;
    assert_int_not_equal(openings_load(&openings, &config), OK);
    if (strstr(error_message(), words) == NULL)
        fail_msg("%s", error_message());
}

static void test_what_is_no_opening(void **state) {
    (void)state;
    static const char mate[] = "1. f3 e5 2. g4 Qh4# 0-1\n";
    expect_failure("a.epd", "k7/8/8/8/8/8/8/7K w - -\n", OPENINGS_EPD, 8,
                   "a.epd:1: the game is over");
    expect_failure("b.epd", "nonsense\n", OPENINGS_EPD, 8, "b.epd:1:");
    expect_failure("c.epd", "# nothing\n", OPENINGS_EPD, 8, "no positions");
    expect_failure("d.pgn", mate, OPENINGS_PGN, 8, "game 1 is over within the opening");
    expect_failure("e.pgn", "1. e4 e4 *\n", OPENINGS_PGN, 8, "illegal move");
    expect_failure("f.bin", "0123456789abcdef", OPENINGS_BOOK, 8,
                   "no moves for the start position");
    // What is wrong behind the plies that are wanted does no harm.
    char path[TESTING_PATH];
    write_text("g.pgn", mate, path);
    openings_free(load(&(OpeningsConfig){.path = path, .format = OPENINGS_PGN, .plies = 3}));
    write_text("h.pgn", "1. e4 e4 *\n", path);
    openings_free(load(&(OpeningsConfig){.path = path, .format = OPENINGS_PGN, .plies = 1}));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_epd_in_every_order),
        cmocka_unit_test(test_arrays),
        cmocka_unit_test(test_shipped_openings),
        cmocka_unit_test(test_pgn),
        cmocka_unit_test(test_book),
        cmocka_unit_test(test_what_is_no_opening),
    };
    return cmocka_run_group_tests(tests, testing_set_up, testing_tear_down);
}
