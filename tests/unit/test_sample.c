// SPDX-License-Identifier: GPL-3.0-or-later
// Sampling, checked against the games themselves.
#include "data/game_traits.h"
#include "data/player_moves/player_moves.h"
#include "sampling.h"
#include "sized.h"

// --- what each line must be ---

static void check_line(const Line *line, void *context) {
    const SampleOptions *options = context;
    const TestGame *test = &games[line->game];
    const Position *pos = &line->epd.pos;
    Position played, before;
    StrView text;
    assert_true(line->game < GAMES && line->ply < test->game.move_count);
    position_after(&test->game, line->ply, &played);
    if (!options->assume_white) {
        assert_int_equal(pos->key, played.key);
        assert_int_equal(pos->fullmove, played.fullmove);
        assert_int_equal(line->move, test->game.moves[line->ply]);
    } else {
        assert_int_equal(position_turn(pos), WHITE);
        assert_int_equal(pos->ep, SQUARE_NONE);
        assert_memory_equal(pos->board, played.board, sizeof played.board);
        if (played.turn == BLACK)
            assert_int_equal(line->move, MOVE_NONE);
    }
    if (test->result != RESULT_UNKNOWN) {
        assert_true(epd_get_string(&line->epd, "c9", &text));
        assert_true(view_equals(text, pgn_result_text(test->result)));
    }
    assert_true(line->ply >= options->ply_low && line->ply <= options->ply_high);
    assert_true(!options->quiet || position_is_quiet(pos));
    assert_true(options->phases == 0 ||
                (options->phases >> phase_of_material(phase_material(pos)) & 1));
    assert_true(options->results == 0 || (options->results >> test->result & 1));
    assert_true(options->year_high == 0 ||
                (test->year >= options->year_low && test->year <= options->year_high));
    if (options->winner_to_move)
        assert_int_equal(test->result,
                         played.turn == WHITE ? RESULT_WHITE_WINS : RESULT_BLACK_WINS);
    bool white = test->elo[WHITE] >= options->min_elo, black = test->elo[BLACK] >= options->min_elo;
    bool by_who[] = {white && black, white || black, played.turn == WHITE ? white : black};
    assert_true(by_who[options->elo_of]);
    if (options->after_quiet) {
        assert_true(line->ply > 0);
        position_after(&test->game, line->ply - 1, &before);
        assert_true(move_is_quiet(&before, test->game.moves[line->ply - 1]));
    }
}

// Sets of filters, for everything that must hold whatever is asked for.
static size_t filter_sets(SampleOptions out[16]) {
    size_t n = 0;
    for (size_t i = 0; i < 16; i++)
        out[i] = plain_options();
    out[n].per_game = 0; // far more positions than are kept
    out[n++].set_sizes[0] = 100;
    out[n++].per_game = 0;
    out[n++].quiet = true;
    out[n].set_sizes[0] = 50;
    out[n++].seed = 3;
    out[n++].after_quiet = true;
    out[n++].assume_white = true;
    out[n].winner_to_move = true;
    out[n].elo_of = ELO_OF_MOVER;
    out[n++].min_elo = 2600;
    out[n++].winner_to_move = true;
    out[n++].min_elo = 2600;
    out[n++].per_game = 3;
    out[n].elo_of = ELO_OF_EITHER;
    out[n++].min_elo = 2600;
    out[n].ply_low = 10;
    out[n++].ply_high = 20;
    out[n].per_game = 0;
    out[n].quiet = out[n].after_quiet = out[n].assume_white = true;
    out[n++].set_sizes[0] = 100;
    out[n++].phases = 1 << PHASE_ENDGAME | 1 << PHASE_MIDDLEGAME;
    out[n].year_low = 1985;
    out[n].year_high = 1989;
    out[n++].results = 1 << RESULT_DRAW | 1 << RESULT_UNKNOWN;
    return n;
}

static void test_each_line_is_of_its_game_and_passes_the_filters(void **state) {
    (void)state;
    SampleOptions sets[16];
    size_t count = filter_sets(sets);
    for (size_t i = 0; i < count; i++) {
        Str text = sample_whole(&sets[i]);
        size_t lines = each_line(&text, check_line, &sets[i]);
        assert_true(lines > 20);
        if (sets[i].set_sizes[0] != 0)
            assert_int_equal(lines, sets[i].set_sizes[0]);
        str_free(&text);
    }
}

static void test_threads_and_order_of_files_change_nothing(void **state) {
    (void)state;
    SampleOptions sets[16];
    size_t count = filter_sets(sets);
    assert_true(count % 3 == 0); // every third will do, and frequencies
    sets[count] = plain_options();
    sets[count++].by_frequency = true;
    for (size_t i = 0; i < count; i += 3) {
        Str expected = sample_whole(&sets[i]);
        for (int threads = SIZED(2, 7); threads <= 7; threads += 5) {
            sets[i].threads = threads;
            for (int order = 0; order < 3; order++) {
                const char *paths[] = {order == 1 ? back_path : front_path,
                                       order == 1 ? front_path : back_path, whole_path};
                Str texts[SAMPLE_SETS_MAX];
                // The third time with every game once more.
                assert_int_equal(sample_paths(&sets[i], paths, order == 2 ? 3 : 2, texts), OK);
                assert_string_equal(str_text(&texts[0]), str_text(&expected));
                str_free(&texts[0]);
            }
        }
        str_free(&expected);
    }
}

// --- what is taken at all ---

static void test_all_positions_of_all_games_each_once(void **state) {
    (void)state;
    SampleOptions options = plain_options();
    options.per_game = 0;
    Keys there = {0}, taken = {0};
    for (size_t i = 0; i < GAMES; i++)
        for (size_t ply = 0; ply < games[i].game.move_count; ply++) {
            Position pos;
            position_after(&games[i].game, ply, &pos);
            add_key(&there, pos.key);
        }
    Str text = sample_whole(&options);
    each_line(&text, add_line_key, &taken);
    assert_int_equal(taken.count, count_distinct(&there));
    assert_int_equal(taken.count, count_distinct(&taken));
    str_free(&text);
    free(there.items);
    free(taken.items);
}

static void test_sets_have_no_game_and_no_position_in_common(void **state) {
    (void)state;
    for (unsigned per_game = 0; per_game < 4; per_game++) {
        SampleOptions options = plain_options();
        options.per_game = per_game;
        options.set_count = 3;
        options.set_sizes[0] = 101;
        options.set_sizes[1] = 57;
        options.set_sizes[2] = 99;
        Str texts[SAMPLE_SETS_MAX];
        assert_int_equal(sample_paths(&options, (const char *[]){whole_path}, 1, texts), OK);
        Keys positions = {0}, all_games = {0};
        size_t sum = 0;
        for (size_t i = 0; i < options.set_count; i++) {
            Keys own = {0};
            assert_int_equal(each_line(&texts[i], check_line, &options), options.set_sizes[i]);
            each_line(&texts[i], add_line_key, &positions);
            each_line(&texts[i], add_line_game, &own);
            sum += count_distinct(&own);
            for (size_t k = 0; k < own.count; k++)
                add_key(&all_games, own.items[k]);
            free(own.items);
            str_free(&texts[i]);
        }
        assert_int_equal(count_distinct(&positions), 101 + 57 + 99);
        assert_int_equal(count_distinct(&all_games), sum);
        free(positions.items);
        free(all_games.items);
    }
}

static void check_result(const Line *line, void *context) {
    StrView text, *first = context;
    assert_true(epd_get_string(&line->epd, "c9", &text));
    if (first->length == 0)
        *first = view_from_string(text.text[0] == '0' ? "0-1" : "1-0");
    assert_memory_equal(text.text, first->text, first->length);
}

// Copies that tell different results: one of them is taken, the same in any order.
static void test_copies_that_contradict_each_other(void **state) {
    (void)state;
    TestGame test = {.year = YEAR};
    Rng rng = rng_at(5, 0, 0, 0);
    char paths[2][TESTING_PATH];
    testing_random_game(&test.game, &rng, 20);
    for (int i = 0; i < 2; i++) {
        Str text = {0};
        test.result = i == 0 ? RESULT_WHITE_WINS : RESULT_BLACK_WINS;
        add_game(&text, &test, 0, "x");
        testing_write(paths[i], i == 0 ? "won.pgn" : "lost.pgn", text.text, text.length);
        str_free(&text);
    }
    for (int winner = 0; winner < 2; winner++) {
        SampleOptions options = plain_options();
        options.per_game = 0;
        options.winner_to_move = winner;
        Str one[SAMPLE_SETS_MAX], other[SAMPLE_SETS_MAX];
        assert_int_equal(sample_paths(&options, (const char *[]){paths[0], paths[1]}, 2, one), OK);
        assert_int_equal(sample_paths(&options, (const char *[]){paths[1], paths[0]}, 2, other),
                         OK);
        assert_string_equal(str_text(&one[0]), str_text(&other[0]));
        StrView first = {0};
        assert_true(each_line(&one[0], check_result, &first) > 5);
        str_free(&one[0]);
        str_free(&other[0]);
    }
    pgn_game_free(&test.game);
}

// A copy whose end was lost is the same game still.
static void test_copies_that_were_cut(void **state) {
    (void)state;
    TestGame test = {.year = YEAR, .result = RESULT_DRAW};
    Rng rng = rng_at(6, 0, 0, 0);
    char paths[2][TESTING_PATH];
    while (test.game.move_count < PLIES)
        testing_random_game(&test.game, &rng, PLIES);
    for (int i = 0; i < 2; i++) {
        Str text = {0};
        test.game.move_count = i == 0 ? PLIES : GAME_COPY_PLIES;
        add_game(&text, &test, 0, "x");
        testing_write(paths[i], i == 0 ? "uncut.pgn" : "cut.pgn", text.text, text.length);
        str_free(&text);
    }
    for (int by_frequency = 0; by_frequency < 2; by_frequency++) {
        SampleOptions options = plain_options();
        options.per_game = 0;
        options.by_frequency = by_frequency;
        options.ply_high = 20;
        Str texts[2][SAMPLE_SETS_MAX];
        for (int i = 0; i < 2; i++)
            assert_int_equal(
                sample_paths(&options, (const char *[]){paths[i], paths[1 - i]}, 2, texts[i]), OK);
        assert_string_equal(str_text(&texts[0][0]), str_text(&texts[1][0]));
        assert_null(strstr(str_text(&texts[0][0]), "2 games"));
        Keys keys = {0};
        assert_in_range(each_line(&texts[0][0], add_line_key, &keys), 10, 21);
        free(keys.items);
        str_free(&texts[0][0]);
        str_free(&texts[1][0]);
    }
    pgn_game_free(&test.game);
}

static void test_totals(void **state) {
    (void)state;
    SampleOptions options = plain_options();
    options.threads = 2;
    Sample *sample = sample_create(&options);
    assert_int_equal(sample_read(sample, whole_path), OK);
    assert_int_equal(sample_finish(sample), OK);
    SampleTotals totals = sample_totals(sample);
    Keys hashes = {0};
    for (size_t i = 0; i < GAMES; i++)
        add_key(&hashes, game_hash(&games[i].game, GAME_COPY_PLIES));
    assert_int_equal(totals.games, GAMES + COPIES);
    assert_int_equal(totals.left[SAMPLE_ELO], GAMES + COPIES);
    assert_int_equal(totals.distinct, count_distinct(&hashes));
    assert_int_equal(totals.offering, totals.distinct);
    sample_destroy(sample);
    free(hashes.items);
}

static void test_more_than_there_is_cannot_be_had(void **state) {
    (void)state;
    SampleOptions options = plain_options();
    options.set_sizes[0] = GAMES + 1;
    Str texts[SAMPLE_SETS_MAX];
    assert_int_equal(sample_paths(&options, (const char *[]){whole_path}, 1, texts), ERR_ARG);
}

static void check_year_is_kept(const Line *line, void *context) {
    (void)context;
    assert_false(player_year_is_held_out(games[line->game].year, 6, 0.5));
}

static void test_years_are_held_out(void **state) {
    (void)state;
    SampleOptions options = plain_options();
    options.seed = 6;
    Str all = sample_whole(&options);
    options.hold_out = 0.5;
    Str some = sample_whole(&options);
    Keys keys = {0};
    const size_t kept = each_line(&some, check_year_is_kept, NULL);
    assert_in_range(kept, 1, each_line(&all, add_line_key, &keys) - 1);
    free(keys.items);
    str_free(&all);
    str_free(&some);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_years_are_held_out),
        cmocka_unit_test(test_each_line_is_of_its_game_and_passes_the_filters),
        cmocka_unit_test(test_threads_and_order_of_files_change_nothing),
        cmocka_unit_test(test_all_positions_of_all_games_each_once),
        cmocka_unit_test(test_sets_have_no_game_and_no_position_in_common),
        cmocka_unit_test(test_copies_that_contradict_each_other),
        cmocka_unit_test(test_copies_that_were_cut),
        cmocka_unit_test(test_totals),
        cmocka_unit_test(test_more_than_there_is_cannot_be_had),
    };
    sized_to_threads("*thread*");
    return cmocka_run_group_tests(tests, make_files, remove_files);
}
