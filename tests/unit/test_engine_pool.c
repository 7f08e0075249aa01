// SPDX-License-Identifier: GPL-3.0-or-later
// Engines for pages: more pages than there may be engines, engines that fail, and pages that go,
// all at once. Every answer is a legal move, or says what went wrong.
#include "serve/engine_pool.h"

#include "fakes.h"
#include "testing.h"

#include <stdatomic.h>

enum { PAGES = 7, ASKED = 4 };

typedef struct Table {
    EnginePool pool;
    EngineSpec good, bad;
    PlayGame game;
    atomic_int moves, failures;
} Table;

typedef struct Page {
    pthread_t thread;
    Table *table;
    char name[ENGINE_PAGE_SIZE];
} Page;

static void set_up(Table *table) {
    const StrView body = view_from_string("{\"moves\":\"e2e4\"}");
    *table = (Table){.good = fake_spec("", ""), .bad = fake_spec("crash 2", "")};
    engine_pool_open(&table->pool, -1);
    assert_int_equal(play_game_read(&table->game, body), OK);
}

static void tear_down(Table *table) {
    engine_pool_close(&table->pool);
    play_game_free(&table->game);
    engine_spec_deinit(&table->good);
    engine_spec_deinit(&table->bad);
}

static void *ask(void *context) {
    const Page *page = context;
    Table *table = page->table;
    const Limits limits = {.nodes = 10, .cap_ms = PATIENT_MS};
    for (int i = 0; i < ASKED; i++) {
        Thought thought = {0};
        const EngineSpec *engine = i % 2 == 0 ? &table->good : &table->bad;
        // Where all are busy, one asks again.
        Status status;
        do
            status = engine_pool_think(&table->pool, engine, page->name, &table->game, &limits,
                                       &thought);
        while (status == ERR_LIMIT);
        atomic_fetch_add(status == OK ? &table->moves : &table->failures, 1);
        if (status == OK && thought.move == MOVE_NONE)
            fail();
        if (i == 2)
            engine_pool_leave(&table->pool, page->name);
        engine_pool_end_idle(&table->pool);
    }
    return NULL;
}

static void test_many_pages(void **state) {
    (void)state;
    Table table;
    Page pages[PAGES];
    set_up(&table);
    for (int i = 0; i < PAGES; i++) {
        pages[i].table = &table;
        snprintf(pages[i].name, sizeof pages[i].name, "%d", i);
        assert_int_equal(pthread_create(&pages[i].thread, NULL, ask, &pages[i]), 0);
    }
    for (int i = 0; i < PAGES; i++)
        pthread_join(pages[i].thread, NULL);
    assert_int_equal(table.moves + table.failures, PAGES * ASKED);
    assert_true(table.moves >= PAGES * ASKED / 2);
    tear_down(&table);
}

// The engine's own answer and one move more: the same game goes on. Anything else is another.
static void test_a_game_goes_on(void **state) {
    (void)state;
    Table table;
    Thought thought = {0};
    const Limits limits = {.nodes = 10, .cap_ms = PATIENT_MS};
    char uci[UCI_MOVE_SIZE];
    Str body = {0};
    set_up(&table);
    assert_int_equal(
        engine_pool_think(&table.pool, &table.good, "a", &table.game, &limits, &thought), OK);
    const EngineClient *client = table.pool.seats[0].client;
    move_to_uci(&table.game.pgn.final, thought.move, uci);
    str_addf(&body, "{\"moves\":\"e2e4 %s a2a3\"}", uci);
    PlayGame more = {0};
    assert_int_equal(play_game_read(&more, view_of(body.text, body.length)), OK);
    assert_int_equal(engine_pool_think(&table.pool, &table.good, "a", &more, &limits, &thought),
                     OK);
    assert_ptr_equal(table.pool.seats[0].client, client);
    assert_int_equal(table.pool.seats[0].move_count, 4);
    // Back to the first position: the engine is told so, and answers as it did.
    assert_int_equal(
        engine_pool_think(&table.pool, &table.good, "a", &table.game, &limits, &thought), OK);
    char again[UCI_MOVE_SIZE];
    move_to_uci(&table.game.pgn.final, thought.move, again);
    assert_string_equal(again, uci);
    play_game_free(&more);
    str_free(&body);
    tear_down(&table);
}

int main(void) {
    chess_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_many_pages),
        cmocka_unit_test(test_a_game_goes_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
