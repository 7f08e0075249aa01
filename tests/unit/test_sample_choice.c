// SPDX-License-Identifier: GPL-3.0-or-later
// What is chosen of all that could be: at random, or by frequency.
#include "data/game_traits.h"
#include "sampling.h"

// --- the choice is uniform ---

static void count_line(const Line *line, void *context) {
    unsigned(*counts)[PLIES] = context;
    counts[line->game][line->ply]++;
}

// Five of twenty games, for many seeds: each game comes up in a quarter of them, each of its plies
// as often as the others. The bounds are five standard deviations.
static void test_the_choice_is_uniform(void **state) {
    (void)state;
    enum { FEW = 20, CHOSEN = 5, SEEDS = 1000 };
    static unsigned counts[GAMES][PLIES];
    static TestGame few[FEW];
    Str text = {0};
    Rng rng = rng_at(11, 0, 0, 0);
    Position start;
    position_set_start(&start);
    size_t n = 0;
    while (n < FEW) { // long games from one start, whose later positions differ
        testing_random_game(&few[n].game, &rng, 30);
        few[n].result = RESULT_DRAW;
        few[n].year = YEAR;
        if (few[n].game.move_count == 30 && few[n].game.start.key == start.key) {
            add_game(&text, &few[n], n, "x");
            n++;
        }
    }
    char path[TESTING_PATH];
    testing_write(path, "few.pgn", text.text, text.length);
    str_free(&text);
    SampleOptions options = plain_options();
    options.ply_low = 20;
    options.set_sizes[0] = CHOSEN;
    for (options.seed = 0; options.seed < SEEDS; options.seed++) {
        Str texts[SAMPLE_SETS_MAX];
        assert_int_equal(sample_paths(&options, (const char *[]){path}, 1, texts), OK);
        each_line(&texts[0], count_line, counts);
        str_free(&texts[0]);
    }
    for (size_t i = 0; i < FEW; i++) {
        unsigned sum = 0;
        for (size_t ply = 20; ply < 30; ply++) {
            assert_in_range(counts[i][ply], 25 - 24, 25 + 24);
            sum += counts[i][ply];
        }
        assert_in_range(sum, 250 - 68, 250 + 68);
        pgn_game_free(&few[i].game);
    }
}

// --- frequencies ---

static void check_frequency(const Line *line, void *context) {
    size_t *last = context;
    size_t passing = 0;
    for (size_t i = 0; i < GAMES; i++) {
        bool is_copy = false, passes = false;
        for (size_t k = 0; k < i; k++)
            is_copy |= game_hash(&games[k].game, GAME_COPY_PLIES) ==
                       game_hash(&games[i].game, GAME_COPY_PLIES);
        for (size_t ply = 0; ply < games[i].game.move_count && ply <= 6 && !passes; ply++) {
            Position pos;
            position_after(&games[i].game, ply, &pos);
            passes = pos.key == line->epd.pos.key;
        }
        passing += passes && !is_copy;
    }
    StrView text;
    size_t said;
    assert_true(epd_get_string(&line->epd, "c0", &text));
    assert_int_equal(sscanf(text.text, "%zu games", &said), 1);
    assert_int_equal(said, passing);
    assert_true(said <= *last);
    *last = said;
}

static void test_frequencies(void **state) {
    (void)state;
    SampleOptions options = plain_options();
    options.by_frequency = true;
    options.ply_high = 6;
    options.set_sizes[0] = 40;
    Str text = sample_whole(&options);
    size_t last = SIZE_MAX;
    assert_int_equal(each_line(&text, check_frequency, &last), 40);
    assert_true(last < 40);
    str_free(&text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_choice_is_uniform),
        cmocka_unit_test(test_frequencies),
    };
    return cmocka_run_group_tests(tests, make_files, remove_files);
}
