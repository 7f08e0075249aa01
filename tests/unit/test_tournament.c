// SPDX-License-Identifier: GPL-3.0-or-later
// A tournament's folder: cut at any byte of its files, it goes on as if it had never been cut.
#include "match/tournament.h"

#include "base/json.h"
#include "tests/unit/testing.h"

enum { GAMES = 12 };

static const char *const names[] = {"A \"x\"", "B \\", "C"};
static const char config_text[] = "same\n# free\nother\n";
static const char free_line[] = "# free";

// A game that depends on its number alone.
static GameRecord make_record(const MatchGame *game) {
    static Move moves[2];
    static GameThought thoughts[2];
    Position pos;
    Undo undo;
    position_set_start(&pos);
    moves[0] = move_from_uci(&pos, game->index % 2 == 0 ? "e2e4" : "d2d4", 4);
    position_make(&pos, moves[0], &undo);
    moves[1] = move_from_uci(&pos, "g8f6", 4);
    GameRecord record = {.moves = moves, .thoughts = thoughts, .count = 2};
    position_set_start(&record.start);
    bool is_fault = game->index % 3 == 0;
    record.ending = is_fault ? ENDING_TIME : ENDING_AGREED;
    record.result = is_fault ? RESULT_BLACK_WINS : RESULT_DRAW;
    record.loser = WHITE;
    if (is_fault)
        snprintf(record.detail, sizeof record.detail, "said \"game\":99");
    return record;
}

static const MatchConfig match_config = {.schedule = {SCHEDULE_ROUND_ROBIN, 3, 2, 2}};

// Opens the folder, takes in what is there and adds up to `games` games in all.
static Status go_on(const char *folder, uint64_t games, uint64_t *recalled, MatchFaults *faults) {
    Tournament *tournament;
    Status status = tournament_open(&tournament, folder, config_text, free_line);
    if (status != OK)
        return status;
    Match *match = match_new(&match_config);
    status = tournament_recall(tournament, match, names);
    *recalled = match_tally(match)->played;
    MatchGame game;
    while (status == OK && match_tally(match)->played < games && match_recall(match, &game)) {
        GameRecord record = make_record(&game);
        GameSide sides[COLOR_NB] = {{.limits = {.depth = 1}}, {.limits = {.depth = 1}}};
        GameNames labels = {"t", names[game.white], names[game.black], game.round + 1, sides};
        status = tournament_add(tournament, &record, &game, &labels);
        match_recall_result(match, &game, record.result, record.ending);
    }
    *faults = match_tally(match)->faults[0];
    match_free(match);
    Str message = {0};
    str_add(&message, error_message());
    assert_int_equal(tournament_close(tournament), OK);
    error_set(status, "%s", str_text(&message));
    str_free(&message);
    return status;
}

static void read_part(const char *folder, const char *name, Str *out) {
    char path[TESTING_PATH + 32];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    str_clear(out);
    assert_int_equal(file_read(path, 1 << 20, out), OK);
}

static void cut_part(const char *folder, const char *name, size_t length) {
    char path[TESTING_PATH + 32];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_int_equal(truncate(path, (off_t)length), 0);
}

static void test_cut_anywhere(void **state) {
    (void)state;
    char folder[TESTING_PATH];
    testing_path(folder, "deep/er");
    uint64_t recalled;
    MatchFaults faults, again;
    Str pgn = {0}, jsonl = {0}, got = {0};
    assert_int_equal(go_on(folder, GAMES, &recalled, &faults), OK);
    assert_int_equal(recalled, 0);
    read_part(folder, "games.pgn", &pgn);
    read_part(folder, "games.jsonl", &jsonl);
    // A kill leaves the PGN as long as, or longer than, what the lines tell of.
    for (size_t length = 0; length <= jsonl.length; length += 151) {
        cut_part(folder, "games.jsonl", length);
        uint64_t whole = 0;
        for (size_t i = 0; i < length; i++)
            whole += jsonl.text[i] == '\n';
        assert_int_equal(go_on(folder, GAMES, &recalled, &again), OK);
        assert_int_equal(recalled, whole);
        assert_memory_equal(&faults, &again, sizeof faults);
        read_part(folder, "games.pgn", &got);
        assert_string_equal(str_text(&got), str_text(&pgn));
        read_part(folder, "games.jsonl", &got);
        assert_string_equal(str_text(&got), str_text(&jsonl));
    }
    cut_part(folder, "games.pgn", pgn.length - 1);
    assert_int_equal(go_on(folder, GAMES, &recalled, &again), ERR_PARSE);
    assert_non_null(strstr(error_message(), "games.pgn is shorter"));
    str_free(&pgn);
    str_free(&jsonl);
    str_free(&got);
}

static void expect_refusal(const char *folder, const char *line, const char *words) {
    char path[TESTING_PATH + 32];
    uint64_t recalled;
    MatchFaults faults;
    snprintf(path, sizeof path, "%s/games.jsonl", folder);
    assert_int_equal(file_write(path, line, strlen(line)), OK);
    assert_int_equal(go_on(folder, GAMES, &recalled, &faults), ERR_PARSE);
    if (strstr(error_message(), words) == NULL)
        fail_msg("%s", error_message());
}

static void test_lines_of_something_else(void **state) {
    (void)state;
    char folder[TESTING_PATH];
    testing_path(folder, "other");
    uint64_t recalled;
    MatchFaults faults;
    assert_int_equal(go_on(folder, 1, &recalled, &faults), OK);
    expect_refusal(folder, "hello\n", "games.jsonl:1: this is no line");
    expect_refusal(folder, "\n", "games.jsonl:1: this is no line");
    expect_refusal(folder,
                   "{\"game\":1,\"white\":\"X\",\"black\":\"C\",\"result\":\"1-0\","
                   "\"termination\":\"normal\",\"pgn_bytes\":10}\n",
                   "games.jsonl:1: here belongs game 1, ");
    expect_refusal(folder,
                   "{\"game\":1,\"white\":\"X\",\"black\":\"C\",\"result\":\"*\","
                   "\"termination\":\"normal\",\"pgn_bytes\":10}\n",
                   "this is no line");
}

static void test_other_settings(void **state) {
    (void)state;
    char folder[TESTING_PATH];
    testing_path(folder, "settings");
    Tournament *tournament, *second;
    assert_false(tournament_exists(folder));
    assert_int_equal(tournament_open(&tournament, folder, config_text, free_line), OK);
    assert_true(tournament_exists(folder));
    assert_int_equal(tournament_open(&second, folder, config_text, free_line), ERR_ARG);
    assert_non_null(strstr(error_message(), "another process is working on this tournament"));
    assert_int_equal(tournament_close(tournament), OK);
    // What comes after the line may differ; what comes before may not, nor be longer or shorter.
    assert_int_equal(tournament_open(&tournament, folder, "same\n# free\nx\n", free_line), OK);
    assert_int_equal(tournament_close(tournament), OK);
    static const char *const others[] = {"different\n# free\n", "# free\n", "same\nmore\n# free\n"};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(tournament_open(&second, folder, others[i], free_line), ERR_ARG);
        assert_non_null(strstr(error_message(), "was begun with"));
    }
}

static void test_json(void **state) {
    (void)state;
    Str line = {0};
    str_add(&line, "{\"a\":1,\"b\":");
    json_add_string(&line, "x \"a\":2 \\ \n \xe9");
    str_add(&line, ",\"c\":-7}");
    StrView value, view = view_of(line.text, line.length);
    int64_t number;
    assert_true(json_find_int(view, "a", &number) && number == 1);
    assert_true(json_find_int(view, "c", &number) && number == -7);
    assert_true(json_find(view, "b", &value));
    assert_true(view_equals(value, "x \\\"a\\\":2 \\\\ \\u000a \xc3\xa9"));
    assert_false(json_find(view, "d", &value));
    assert_false(json_find_int(view, "b", &number));
    assert_false(json_find_int(view_of(line.text, 4), "a", &number));
    str_free(&line);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cut_anywhere),
        cmocka_unit_test(test_lines_of_something_else),
        cmocka_unit_test(test_other_settings),
        cmocka_unit_test(test_json),
    };
    return cmocka_run_group_tests(tests, testing_set_up, testing_tear_down);
}
