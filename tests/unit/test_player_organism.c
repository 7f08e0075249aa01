// SPDX-License-Identifier: GPL-3.0-or-later
// Organisms inside the process: games that depend on nothing but themselves, limits, descriptions.
#include "match/play/player_organism.h"

#include "base/error.h"
#include "chess/fen.h"
#include "match/play/game.h"
#include "match/play/player_create.h"

#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { GAMES = 6, PLIES = 40 };

static const char *const openings[] = {
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
    "8/5pk1/6p1/8/3R4/6P1/r4PK1/8 b - - 0 40",
};

static Weights paper, hand, vazquez;

static Player organism_of(const Weights *weights, int cancel_fd) {
    OrganismConfig config = {weights, features_of(PROFILE_MODERN), 0, cancel_fd};
    return player_organism_create(&config, "organism");
}

static void close_player(const Player *player) {
    player->ops->close(player->self);
}

static uint64_t hash_of(const GameRecord *record) {
    uint64_t hash = record->ending;
    for (size_t i = 0; i < record->count; i++) {
        hash = (hash ^ record->moves[i]) * 0x100000001B3u;
        hash = (hash ^ (uint64_t)record->thoughts[i].score) * 0x100000001B3u;
    }
    return hash;
}

static GameConfig config_of(int game, Limits limits) {
    GameConfig config = {
        .sides = {{limits, 10}, {limits, 10}}, .rules = {.max_moves = PLIES / 2}, .cap_ms = 60000};
    assert_int_equal(fen_parse(openings[game / 2], &config.start), OK);
    return config;
}

static const Limits by_nodes = {.nodes = 400};

static uint64_t play(int game, const Player *first, const Player *second) {
    GameConfig config = config_of(game, by_nodes);
    GameRecord record;
    game_play(&config, game % 2 == 0 ? first : second, game % 2 == 0 ? second : first, &record);
    assert_int_equal(record.detail[0], '\0');
    uint64_t hash = hash_of(&record);
    game_record_deinit(&record);
    return hash;
}

// What each game is, played by two players that never played before.
static void play_fresh(uint64_t out[GAMES]) {
    for (int i = 0; i < GAMES; i++) {
        Player first = organism_of(&paper, -1), second = organism_of(&hand, -1);
        out[i] = play(i, &first, &second);
        close_player(&first);
        close_player(&second);
    }
}

static void test_earlier_games_do_not_matter(void **state) {
    (void)state;
    uint64_t fresh[GAMES];
    play_fresh(fresh);
    Player first = organism_of(&paper, -1), second = organism_of(&hand, -1);
    for (int i = 0; i < GAMES; i++)
        assert_int_equal(play(i, &first, &second), fresh[i]);
    for (int i = GAMES - 1; i >= 0; i--)
        assert_int_equal(play(i, &first, &second), fresh[i]);
    close_player(&first);
    close_player(&second);
}

typedef struct Share {
    int from;
    uint64_t *out;
} Share;

static void *play_share(void *context) {
    Share *share = context;
    Player first = organism_of(&paper, -1), second = organism_of(&hand, -1);
    for (int i = share->from; i < GAMES; i += 2)
        share->out[i] = play(i, &first, &second);
    close_player(&first);
    close_player(&second);
    return NULL;
}

static void test_threads_do_not_matter(void **state) {
    (void)state;
    uint64_t fresh[GAMES], shared[GAMES];
    Share shares[] = {{0, shared}, {1, shared}};
    pthread_t threads[2];
    play_fresh(fresh);
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, play_share, &shares[i]), 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert_memory_equal(fresh, shared, sizeof fresh);
}

static void test_new_weights_are_a_new_player(void **state) {
    (void)state;
    static const Weights *const all[] = {&paper, &vazquez, &hand};
    Player reused = organism_of(&paper, -1), other = organism_of(&paper, -1);
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        Player fresh = organism_of(all[i], -1);
        player_organism_set_weights(&reused, all[i]);
        assert_int_equal(play(2, &reused, &other), play(2, &fresh, &other));
        close_player(&fresh);
    }
    close_player(&reused);
    close_player(&other);
}

static void test_every_limit_ends_a_search(void **state) {
    (void)state;
    static const Limits limits[] = {
        {.depth = 3}, {.move_ms = 5}, {.clock = {200, 2, 0}}, {.clock = {100, 0, 5}}};
    Player player = organism_of(&paper, -1), other = organism_of(&hand, -1);
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        GameConfig config = config_of(0, limits[i]);
        config.sides[WHITE].margin_ms = config.sides[BLACK].margin_ms = 600000;
        GameRecord record;
        game_play(&config, &player, &other, &record);
        assert_true(record.count > 5);
        assert_true(record.ending < ENDING_FAULT);
        game_record_deinit(&record);
    }
    close_player(&player);
    close_player(&other);
}

// However many moves the opening's position says were played before.
static void test_moves_count_from_the_opening(void **state) {
    (void)state;
    static const char *const late[] = {
        "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 60",
        "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3"};
    Player player = organism_of(&paper, -1), other = organism_of(&hand, -1);
    for (int i = 0; i < 2; i++) {
        GameConfig config = config_of(0, (Limits){.depth = 1});
        config.rules = (AdjudicationRules){.max_moves = 4};
        assert_int_equal(fen_parse(late[i], &config.start), OK);
        GameRecord record;
        game_play(&config, &player, &other, &record);
        assert_int_equal(record.ending, ENDING_TOO_LONG);
        assert_int_equal(record.count, 8);
        game_record_deinit(&record);
        config.rules = (AdjudicationRules){.draw_from = 3, .draw_moves = 1, .draw_cp = 30000};
        game_play(&config, &player, &other, &record);
        assert_int_equal(record.ending, ENDING_AGREED);
        assert_int_equal(record.count, 5);
        game_record_deinit(&record);
    }
    close_player(&player);
    close_player(&other);
}

// A search that only the cap ends is a stall, as with an engine in another process.
static void test_cap(void **state) {
    (void)state;
    Player player = organism_of(&paper, -1), other = organism_of(&hand, -1);
    GameConfig config = config_of(0, (Limits){.depth = 100});
    config.cap_ms = 50;
    GameRecord record;
    game_play(&config, &player, &other, &record);
    assert_int_equal(record.fault, FAULT_STALLED);
    assert_int_equal(record.loser, WHITE);
    game_record_deinit(&record);
    close_player(&player);
    close_player(&other);
}

// Searches of one ply are over before they look, so a new game must.
static void test_cancelled(void **state) {
    (void)state;
    int fds[2];
    assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
    Player player = organism_of(&paper, fds[0]), other = organism_of(&hand, fds[0]);
    GameConfig config = config_of(0, (Limits){.depth = 1});
    Limits deep = {.depth = 100, .cap_ms = 60000};
    PlayerAnswer answer;
    GameRecord record;
    assert_int_equal(player.ops->new_game(player.self, &config.start), FAULT_NONE);
    assert_int_equal(write(fds[1], "x", 1), 1);
    assert_int_equal(player.ops->think(player.self, &config.start, &deep, NULL, &answer),
                     FAULT_CANCELLED);
    game_play(&config, &other, &other, &record);
    assert_int_equal(record.fault, FAULT_CANCELLED);
    game_record_deinit(&record);
    close_player(&player);
    close_player(&other);
    close(fds[0]);
    close(fds[1]);
}

static Status create(const char *words, Player *out, EngineSpec *spec) {
    *spec = engine_spec_init();
    assert_int_equal(engine_spec_parse(spec, words), OK);
    assert_int_equal(engine_spec_finish(spec), OK);
    return player_create(out, spec, -1);
}

static uint64_t play_described(const char *words) {
    EngineSpec spec;
    Player player;
    assert_int_equal(create(words, &player, &spec), OK);
    Player other = organism_of(&hand, -1);
    uint64_t hash = play(2, &player, &other);
    close_player(&player);
    close_player(&other);
    engine_spec_deinit(&spec);
    return hash;
}

#define PAPER "weights=weights/maestro-gecco2008.weights "

static void test_descriptions(void **state) {
    (void)state;
    Player plain = organism_of(&paper, -1), other = organism_of(&hand, -1);
    uint64_t modern = play(2, &plain, &other);
    assert_int_equal(play_described(PAPER), modern);
    assert_int_equal(play_described(PAPER "option.Hash=1 option.profile=Modern"), modern);
    uint64_t without =
        play_described(PAPER "option.NullMove=false option.LateMoveReductions=false");
    assert_int_not_equal(without, modern);
    // The profile comes first wherever it stands.
    assert_int_equal(play_described(PAPER "option.Profile=plain option.PVS=true"),
                     play_described(PAPER "option.PVS=true option.Profile=plain"));
    close_player(&plain);
    close_player(&other);
}

static void test_refused(void **state) {
    (void)state;
    static const struct {
        const char *words, *why;
    } bad[] = {
        {"weights=no/such.file", "no/such.file"},
        {"weights=README.md", "README.md"},
        {PAPER "option.Hash=0", "1 to"},
        {PAPER "option.Hash=lots", "1 to"},
        {PAPER "option.Hash=2000000", "1 to"},
        {PAPER "option.Profile=fast", "papers, plain or modern"},
        {PAPER "option.PVS=maybe", "true or false"},
        {PAPER "option.NulMove=true", "did you mean 'NullMove'"},
        {PAPER "option.Threads=2", "no option 'Threads'"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        EngineSpec spec;
        Player player;
        assert_int_not_equal(create(bad[i].words, &player, &spec), OK);
        assert_non_null(strstr(error_message(), bad[i].why));
        engine_spec_deinit(&spec);
    }
}

static int set_up(void **state) {
    (void)state;
    chess_init();
    return weights_load(&paper, "weights/maestro-gecco2008.weights") != OK ||
           weights_load(&hand, "weights/maestro-hand.weights") != OK ||
           weights_load(&vazquez, "weights/vazquez-asoc2013.weights") != OK;
}

static int tear_down(void **state) {
    (void)state;
    weights_free(&paper);
    weights_free(&hand);
    weights_free(&vazquez);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_earlier_games_do_not_matter),
        cmocka_unit_test(test_threads_do_not_matter),
        cmocka_unit_test(test_new_weights_are_a_new_player),
        cmocka_unit_test(test_every_limit_ends_a_search),
        cmocka_unit_test(test_moves_count_from_the_opening),
        cmocka_unit_test(test_cap),
        cmocka_unit_test(test_cancelled),
        cmocka_unit_test(test_descriptions),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
