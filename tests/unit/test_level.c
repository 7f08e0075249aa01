// SPDX-License-Identifier: GPL-3.0-or-later
// Playing below strength: the scale, and the noise in the search.
#include "uci/level.h"

#include "searching.h"

static void stronger_is_never_less_work(void **state) {
    (void)state;
    Level last = level_of_elo(LEVEL_ELO_LEAST);
    for (int elo = LEVEL_ELO_LEAST + 1; elo <= LEVEL_ELO_MOST; elo++) {
        const Level level = level_of_elo(elo);
        assert_true(level.nodes >= last.nodes && level.noise_cp <= last.noise_cp);
        last = level;
    }
    assert_true(last.nodes > level_of_elo(LEVEL_ELO_LEAST).nodes);
}

static void what_is_out_of_reach_is_the_nearest(void **state) {
    (void)state;
    assert_int_equal(level_of_elo(-1).nodes, level_of_elo(LEVEL_ELO_LEAST).nodes);
    assert_int_equal(level_of_elo(9999).nodes, level_of_elo(LEVEL_ELO_MOST).nodes);
    assert_int_equal(level_of_skill(0).nodes, level_of_elo(LEVEL_ELO_LEAST).nodes);
    assert_int_equal(level_of_skill(LEVEL_SKILL_MAX - 1).nodes, level_of_elo(LEVEL_ELO_MOST).nodes);
}

static SearchResult search_with_noise(Engine *engine, const char *fen, int noise_cp) {
    Game game;
    const Limits limits = {.depth = 6};
    game_start(&game, fen);
    engine_forget(engine);
    search_set_noise(engine->search, noise_cp);
    search_prepare(engine->search, false);
    return search_run(engine->search, &game.pos, game.keys, game.key_count, &limits, NULL);
}

static const char middle[] = "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NB1N2/PP3PPP/R1BQ1RK1 w - - 0 10";

static void noise_is_the_same_every_time(void **state) {
    (void)state;
    Engine engine = engine_open();
    const SearchResult plain = search_with_noise(&engine, middle, 0);
    const SearchResult first = search_with_noise(&engine, middle, 300);
    const SearchResult again = search_with_noise(&engine, middle, 300);
    assert_int_equal(first.best, again.best);
    assert_int_equal(first.score, again.score);
    assert_int_equal(first.nodes, again.nodes);
    assert_int_not_equal(first.score, plain.score);
    const SearchResult back = search_with_noise(&engine, middle, 0);
    assert_int_equal(back.score, plain.score);
    assert_int_equal(back.nodes, plain.nodes);
    engine_close(&engine);
}

static void noise_leaves_mates_alone(void **state) {
    (void)state;
    Engine engine = engine_open();
    const SearchResult mate =
        search_with_noise(&engine, "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", 300);
    assert_int_equal(mate.score, SCORE_MATE - 1);
    const SearchResult mated = search_with_noise(&engine, "k7/8/1K6/8/8/8/8/7R b - - 0 1", 300);
    assert_int_equal(mated.score, -SCORE_MATE + 2);
    engine_close(&engine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stronger_is_never_less_work),
        cmocka_unit_test(what_is_out_of_reach_is_the_nearest),
        cmocka_unit_test(noise_is_the_same_every_time),
        cmocka_unit_test(noise_leaves_mates_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
