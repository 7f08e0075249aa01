// SPDX-License-Identifier: GPL-3.0-or-later
// Games that go on, as a file tells them: whoever looks at whatever moment sees whole games as they
// were at some moment, and nothing when all is over.
#include "match/play/live_games.h"

#include "base/json.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "serve/live_view.h"
#include "serve/plain_file.h"
#include "tests/unit/testing.h"

#include <pthread.h>

enum { GAMES = 6, PLIES = 80, TRIES = 600000 };

static void path_of_file(char out[TESTING_PATH]) {
    testing_path(out, live_games_file);
}

static void read_live(Str *out) {
    char path[TESTING_PATH];
    path_of_file(path);
    str_clear(out);
    if (access(path, F_OK) == 0)
        if (plain_read(path, 1 << 20, out) != OK)
            fail_msg("%s", error_message());
}

// Waits until the file has a text.
static void wait_for(const char *wanted) {
    CLEANUP(str_free) Str text = {0};
    for (int i = 0; i < TRIES; i++) {
        read_live(&text);
        if (strstr(str_text(&text), wanted) != NULL)
            return;
        usleep(1000);
    }
    fail_msg("never said %s, but %s", wanted, str_text(&text));
}

// A record of the first so many moves of a game; scores are the numbers of the moves.
typedef struct Played {
    PgnGame pgn;
    GameThought thoughts[PLIES];
    GameRecord record;
} Played;

static void make_game(Played *played, uint32_t seed) {
    Rng rng = rng_at(31, seed, 0, 0);
    *played = (Played){0};
    testing_random_game(&played->pgn, &rng, PLIES);
    for (int i = 0; i < PLIES; i++)
        played->thoughts[i] = (GameThought){.score = i, .has_score = true};
    played->record = (GameRecord){
        .start = played->pgn.start, .moves = played->pgn.moves, .thoughts = played->thoughts};
}

static const int64_t clocks[COLOR_NB] = {1000, -1};

static void test_a_game(void **state) {
    (void)state;
    Position start;
    Move moves[3];
    GameThought thoughts[3] = {
        {0}, {.has_score = true, .score = -31}, {.has_score = true, .score = -3, .is_mate = true}};
    assert_int_equal(fen_parse("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", &start), OK);
    const char *const words[] = {"e2e4", "e8e7", "e4e5"};
    Position pos = start;
    for (int i = 0; i < 3; i++) {
        Undo undo;
        moves[i] = move_from_uci(&pos, words[i], 4);
        position_make(&pos, moves[i], &undo);
    }
    GameRecord record = {.start = start, .moves = moves, .thoughts = thoughts, .opening_count = 1};
    LiveGames *live = live_games_start(testing_directory);
    LiveGame *game = live_game_begin(live, 7, "a \"b\"", "c");
    assert_non_null(game);
    record.count = 1;
    live_game_tell(game, &record, clocks);
    wait_for("{\"board\":0,\"game\":7,\"white\":\"a "
             "\\\"b\\\"\",\"black\":\"c\",\"start\":\"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\","
             "\"opening\":1,\"white_ms\":1000,\"since_ms\":");
    wait_for("\"moves\":\"e2e4\",\"scores\":\"-\"}\n");
    record.count = 3;
    live_game_tell(game, &record, clocks);
    wait_for("\"moves\":\"e2e4 e8e7 e4e5\",\"scores\":\"- -31 M-3\"}\n");
    CLEANUP(str_free) Str shown = {0};
    live_view_write(testing_directory, &shown);
    assert_non_null(
        strstr(shown.text, "\"fen\":\"8/4k3/8/4P3/8/8/8/4K3 b - - 0 2\",\"turn\":\"black\""));
    // From White's view.
    assert_non_null(strstr(
        shown.text,
        "\"white_score\":{\"mate\":-3},\"black_score\":{\"cp\":31},\"curve\":[null,31,-100000]}"));
    // Begun anew, and then over.
    record.count = 1;
    live_game_tell(game, &record, clocks);
    wait_for("\"moves\":\"e2e4\",\"scores\":\"-\"}\n");
    live_game_end(game);
    live_games_stop(live);
    char path[TESTING_PATH];
    path_of_file(path);
    assert_int_not_equal(access(path, F_OK), 0);
    str_clear(&shown);
    live_view_write(testing_directory, &shown);
    assert_string_equal(shown.text, "[]");
}

static void test_no_place(void **state) {
    (void)state;
    LiveGames *live = live_games_start(testing_directory);
    LiveGame *games[LIVE_GAMES_MAX + 1];
    for (int i = 0; i <= LIVE_GAMES_MAX; i++)
        games[i] = live_game_begin(live, 1, "a", "b");
    assert_null(games[LIVE_GAMES_MAX]);
    live_game_end(games[3]);
    assert_ptr_equal(live_game_begin(live, 2, "c", "d"), games[3]);
    live_games_stop(live);
    // Nobody watches.
    assert_null(live_game_begin(NULL, 1, "a", "b"));
    live_game_tell(NULL, &(GameRecord){0}, clocks);
    live_game_end(NULL);
    live_games_stop(NULL);
}

// Where nothing can be written, games go on.
static void test_no_folder(void **state) {
    (void)state;
    static Played played;
    char path[TESTING_PATH];
    testing_path(path, "absent");
    make_game(&played, 1);
    LiveGames *live = live_games_start(path);
    LiveGame *game = live_game_begin(live, 1, "a", "b");
    for (played.record.count = 0; played.record.count < played.pgn.move_count;
         played.record.count++)
        live_game_tell(game, &played.record, clocks);
    live_game_end(game);
    live_games_stop(live);
    assert_int_not_equal(access(path, F_OK), 0);
}

// --- several at a time ---

typedef struct Thread {
    pthread_t thread;
    LiveGames *live;
    uint32_t number;
    Played played;
} Thread;

static void *play(void *context) {
    Thread *thread = context;
    GameRecord record = thread->played.record;
    LiveGame *game = live_game_begin(thread->live, thread->number, "a", "b");
    for (; record.count < thread->played.pgn.move_count; record.count++) {
        live_game_tell(game, &record, clocks);
        usleep(5000);
    }
    live_game_end(game);
    return NULL;
}

// Whether a line is what a game was at some moment.
static void check_line(StrView line, const Thread *threads) {
    int64_t number;
    StrView moves;
    assert_true(json_find_int(line, "game", &number) && json_find(line, "moves", &moves));
    assert_in_range(number, 1, GAMES);
    const PgnGame *pgn = &threads[number - 1].played.pgn;
    Position pos = pgn->start;
    for (size_t i = 0; view_trim(moves).length > 0; i++) {
        const StrView word = view_next_word(&moves);
        char uci[UCI_MOVE_SIZE];
        Undo undo;
        assert_true(i < pgn->move_count);
        move_to_uci(&pos, pgn->moves[i], uci);
        assert_true(view_equals(word, uci));
        position_make(&pos, pgn->moves[i], &undo);
    }
}

static void test_several(void **state) {
    (void)state;
    static Thread threads[GAMES];
    LiveGames *live = live_games_start(testing_directory);
    CLEANUP(str_free) Str text = {0};
    size_t lines = 0;
    for (uint32_t i = 0; i < GAMES; i++) {
        threads[i] = (Thread){.live = live, .number = i + 1};
        make_game(&threads[i].played, 100 + i);
        assert_int_equal(pthread_create(&threads[i].thread, NULL, play, &threads[i]), 0);
    }
    for (int look = 0; look < 500; look++, usleep(1000)) {
        read_live(&text);
        for (const char *line = str_text(&text); *line != '\0'; lines++) {
            const char *end = strchr(line, '\n');
            assert_non_null(end); // no line is cut
            check_line(view_of(line, (size_t)(end - line)), threads);
            line = end + 1;
        }
    }
    for (int i = 0; i < GAMES; i++)
        pthread_join(threads[i].thread, NULL);
    live_games_stop(live);
    print_message("%zu lines seen\n", lines);
}

// What cannot be read is left out, and the rest is shown.
static void test_damaged(void **state) {
    (void)state;
    char path[TESTING_PATH];
    static const char text[] =
        "{\"board\":1,\"start\":\"4k3/8/8/8/8/8/4P3/4K3 w - - 0 "
        "1\",\"moves\":\"e2e5\",\"scores\":\"1\"}\n"
        "nonsense\n{\"start\":\"8/8 w\",\"moves\":\"\",\"scores\":\"\"}\n\n"
        "{\"board\":2,\"white\":\"<b>\",\"start\":\"4k3/8/8/8/8/8/4P3/4K3 w - - 0 "
        "1\",\"moves\":\"e2e4\",\"scores\":\"x\"}\n"
        "{\"board\":3,\"start\":\"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\",\"moves\":\"\",\"scores\":\"\"";
    testing_write(path, live_games_file, text, sizeof text - 1);
    CLEANUP(str_free) Str shown = {0};
    live_view_write(testing_directory, &shown);
    assert_memory_equal(shown.text, "[{\"board\":2,\"fen\":\"", 19);
    assert_non_null(strstr(shown.text, "\"white\":\"<b>\",\"black\":\"\",\"game\":null"));
    assert_non_null(
        strstr(shown.text, "\"white_score\":null,\"black_score\":null,\"curve\":[null]}]"));
    assert_null(strstr(shown.text, "\"board\":3"));
    unlink(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_game),    cmocka_unit_test(test_no_place),
        cmocka_unit_test(test_no_folder), cmocka_unit_test(test_several),
        cmocka_unit_test(test_damaged),
    };
    return cmocka_run_group_tests(tests, testing_set_up, testing_tear_down);
}
