// SPDX-License-Identifier: GPL-3.0-or-later
// A tournament's folder: cut at any byte where a kill or a power cut may cut it, it goes on as if
// it had never been cut; everything else is refused, and no byte of it is lost.
#include "match/play/tournament.h"

#include "base/json.h"
#include "tests/unit/testing.h"

enum { GAMES = 12 };

static const char *const names[] = {"A \"x\"", "B \\", "C"};
static const char config_text[] = "same\n# free\nother\n";
static const char free_line[] = "# free";
static int seconds_apart; // the games

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
    GameRecord record = {.moves = moves,
                         .thoughts = thoughts,
                         .count = 2,
                         .started_s = (int64_t)game->index * seconds_apart};
    position_set_start(&record.start);
    bool is_fault = game->index % 3 == 0;
    record.ending = is_fault ? ENDING_FAULT : ENDING_AGREED;
    record.fault = is_fault ? FAULT_LATE : FAULT_NONE;
    record.result = is_fault ? RESULT_BLACK_WINS : RESULT_DRAW;
    record.loser = WHITE;
    if (is_fault)
        snprintf(record.detail, sizeof record.detail, "said \"game\":99");
    return record;
}

static const MatchConfig match_config = {.schedule = {SCHEDULE_ROUND_ROBIN, 3, 2, 2}};

// Opens the folder, takes in what is there and adds up to `games` games in all.
static Status go_on(const char *folder, uint64_t games, uint64_t *recalled, FaultCounts *faults) {
    Tournament *tournament;
    Status status = tournament_open(&tournament, folder, config_text, free_line);
    if (status != OK)
        return status;
    Match *match = match_new(&match_config);
    uint64_t lost;
    status = tournament_recall(tournament, match, names, &lost);
    *recalled = match_tally(match)->played;
    MatchGame game;
    while (status == OK && match_tally(match)->played < games && match_recall(match, &game)) {
        GameRecord record = make_record(&game);
        GameSide sides[COLOR_NB] = {{.limits = {.depth = 1}}, {.limits = {.depth = 1}}};
        GameNames labels = {"t",  names[game.white], names[game.black], game.round + 1, sides, NULL,
                            false};
        status = tournament_add(tournament, &record, &game, &labels);
        match_recall_result(match, &game, record.result, record.fault);
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
    assert_int_equal(file_read_raw(path, out), OK);
}

// A whole tournament, and how it looks.
typedef struct Whole {
    char folder[TESTING_PATH];
    Str pgn, jsonl;
    FaultCounts faults;
    size_t pgn_ends[GAMES + 1], jsonl_ends[GAMES + 1]; // of so many games
} Whole;

static void make_whole(Whole *whole, const char *name) {
    uint64_t recalled;
    *whole = (Whole){0};
    testing_path(whole->folder, name);
    assert_int_equal(go_on(whole->folder, GAMES, &recalled, &whole->faults), OK);
    assert_int_equal(recalled, 0);
    read_part(whole->folder, "games.pgn", &whole->pgn);
    read_part(whole->folder, "games.jsonl", &whole->jsonl);
    const char *line = whole->jsonl.text;
    for (int i = 1; i <= GAMES; i++) {
        whole->pgn_ends[i] = strtoul(strstr(line, "\"pgn_bytes\":") + 12, NULL, 10);
        line = strchr(line, '\n') + 1;
        whole->jsonl_ends[i] = (size_t)(line - whole->jsonl.text);
    }
    assert_int_equal(whole->pgn_ends[GAMES], whole->pgn.length);
}

static void free_whole(Whole *whole) {
    str_free(&whole->pgn);
    str_free(&whole->jsonl);
}

static void put_part(const Whole *whole, const char *name, const char *text, size_t length) {
    char path[TESTING_PATH + 32];
    snprintf(path, sizeof path, "%s/%s", whole->folder, name);
    assert_int_equal(file_write(path, text, length), OK);
}

static void expect_parts(const Whole *whole, StrView pgn, StrView jsonl) {
    Str got = {0};
    read_part(whole->folder, "games.pgn", &got);
    assert_int_equal(got.length, pgn.length);
    assert_memory_equal(str_text(&got), pgn.text, pgn.length);
    read_part(whole->folder, "games.jsonl", &got);
    assert_int_equal(got.length, jsonl.length);
    assert_memory_equal(str_text(&got), jsonl.text, jsonl.length);
    str_free(&got);
}

// With these bytes it goes on after so many games, and is whole again.
static void expect_mended(const Whole *whole, StrView pgn, StrView jsonl, uint64_t games) {
    uint64_t recalled;
    FaultCounts faults;
    put_part(whole, "games.pgn", pgn.text, pgn.length);
    put_part(whole, "games.jsonl", jsonl.text, jsonl.length);
    if (go_on(whole->folder, GAMES, &recalled, &faults) != OK)
        fail_msg("%zu of %zu bytes: %s", pgn.length, jsonl.length, error_message());
    assert_int_equal(recalled, games);
    assert_memory_equal(&faults, &whole->faults, sizeof faults);
    expect_parts(whole, view_of(whole->pgn.text, whole->pgn.length),
                 view_of(whole->jsonl.text, whole->jsonl.length));
}

// With these bytes it is refused, and they stay.
static void expect_refused(const Whole *whole, StrView pgn, StrView jsonl, const char *words) {
    uint64_t recalled;
    FaultCounts faults;
    put_part(whole, "games.pgn", pgn.text, pgn.length);
    put_part(whole, "games.jsonl", jsonl.text, jsonl.length);
    assert_int_equal(go_on(whole->folder, GAMES, &recalled, &faults), ERR_PARSE);
    if (strstr(error_message(), words) == NULL)
        fail_msg("%s", error_message());
    expect_parts(whole, pgn, jsonl);
}

// A kill leaves all games but the last as they are, and of that one any part: in the PGN first.
static void test_killed_anywhere(void **state) {
    (void)state;
    Whole whole;
    make_whole(&whole, "deep/er");
    for (int games = 0; games < GAMES; games++) {
        const StrView lines = view_of(whole.jsonl.text, whole.jsonl_ends[games]);
        for (size_t end = whole.pgn_ends[games]; end <= whole.pgn_ends[games + 1]; end += 11)
            expect_mended(&whole, view_of(whole.pgn.text, end), lines, (uint64_t)games);
        const StrView pgn = view_of(whole.pgn.text, whole.pgn_ends[games + 1]);
        for (size_t end = whole.jsonl_ends[games]; end + 1 < whole.jsonl_ends[games + 1]; end += 17)
            expect_mended(&whole, pgn, view_of(whole.jsonl.text, end), (uint64_t)games);
        // A line that lacks nothing but its end is one.
        expect_mended(&whole, pgn, view_of(whole.jsonl.text, whole.jsonl_ends[games + 1] - 1),
                      (uint64_t)games + 1);
    }
    free_whole(&whole);
}

static void test_power_cuts(void **state) {
    (void)state;
    Whole whole;
    seconds_apart = 1;
    make_whole(&whole, "power");
    const StrView lines = view_of(whole.jsonl.text, whole.jsonl.length);
    for (int games = GAMES - 8; games < GAMES; games++)
        for (size_t end = whole.pgn_ends[games]; end < whole.pgn_ends[games + 1]; end += 7)
            expect_mended(&whole, view_of(whole.pgn.text, end), lines, (uint64_t)games);
    // Zeros in place of what was not written.
    Str pgn = {0}, jsonl = {0};
    str_append(&pgn, whole.pgn.text, whole.pgn_ends[5] + 30);
    str_append(&jsonl, whole.jsonl.text, whole.jsonl_ends[5] + 30);
    static const char zeros[100];
    str_append(&pgn, zeros, sizeof zeros);
    str_append(&jsonl, zeros, sizeof zeros);
    expect_mended(&whole, view_of(pgn.text, pgn.length), view_of(jsonl.text, jsonl.length), 5);
    str_free(&pgn);
    str_free(&jsonl);
    free_whole(&whole);
    // What was written down long ago was not lost so.
    seconds_apart = 60;
    make_whole(&whole, "shorter");
    expect_refused(&whole, view_of(whole.pgn.text, whole.pgn_ends[GAMES - 2]),
                   view_of(whole.jsonl.text, whole.jsonl.length),
                   "games.pgn is shorter than games.jsonl says: it has 10 of 12 games");
    expect_refused(&whole, view_of("", 0), view_of(whole.jsonl.text, whole.jsonl.length),
                   "it has 0 of 12 games");
    seconds_apart = 0;
    free_whole(&whole);
}

static void test_files_of_others_stay(void **state) {
    (void)state;
    static const char note[] = "my notes, without an end",
                      other[] = "[Event \"mine\"]\n\n1. e4 *\n\n";
    Whole whole;
    Str text = {0};
    char path[TESTING_PATH + 32];
    make_whole(&whole, "foreign");
    const StrView pgn = view_of(whole.pgn.text, whole.pgn.length),
                  jsonl = view_of(whole.jsonl.text, whole.jsonl.length), empty = view_of("", 0);
    expect_refused(&whole, pgn, empty, "(12 games) behind the 0 games");
    expect_refused(&whole, pgn, view_of(jsonl.text, whole.jsonl_ends[3]),
                   "(9 games) behind the 3 games");
    expect_refused(&whole, pgn, view_from_string(note), "games.jsonl:1: 'my notes");
    expect_refused(&whole, view_from_string(other), empty, "(1 games) behind the 0 games");
    expect_refused(&whole, view_from_string(note), empty, "(0 games) behind the 0 games");
    // Behind the last game, or behind the next one.
    str_append(&text, pgn.text, pgn.length);
    str_add(&text, other);
    expect_refused(&whole, view_of(text.text, text.length), jsonl, "(1 games) behind the 12");
    str_clear(&text);
    str_append(&text, pgn.text, whole.pgn_ends[6]);
    str_add(&text, note);
    expect_refused(&whole, view_of(text.text, text.length),
                   view_of(jsonl.text, whole.jsonl_ends[5]), "(1 games) behind the 5");
    str_clear(&text);
    str_append(&text, jsonl.text, whole.jsonl_ends[5]);
    str_add(&text, note);
    expect_refused(&whole, view_of(pgn.text, whole.pgn_ends[5]), view_of(text.text, text.length),
                   "games.jsonl:6: 'my notes");
    // Another PGN of the same length.
    str_clear(&text);
    for (size_t i = 0; i < pgn.length; i++)
        str_add(&text, "x");
    expect_refused(&whole, view_of(text.text, text.length), jsonl, "game 12 is not at byte");
    put_part(&whole, "games.pgn", pgn.text, pgn.length);
    snprintf(path, sizeof path, "%s/games.jsonl", whole.folder);
    assert_int_equal(unlink(path), 0);
    uint64_t recalled;
    FaultCounts faults;
    assert_int_equal(go_on(whole.folder, GAMES, &recalled, &faults), ERR_PARSE);
    assert_non_null(strstr(error_message(), "foreign/games.jsonl is missing"));
    assert_int_not_equal(access(path, F_OK), 0);
    put_part(&whole, "games.jsonl", jsonl.text, jsonl.length);
    expect_mended(&whole, pgn, jsonl, GAMES);
    str_free(&text);
    free_whole(&whole);
}

static void expect_refusal(const char *folder, const char *line, const char *words) {
    char path[TESTING_PATH + 32];
    uint64_t recalled;
    FaultCounts faults;
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
    FaultCounts faults;
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
        cmocka_unit_test(test_killed_anywhere),      cmocka_unit_test(test_power_cuts),
        cmocka_unit_test(test_files_of_others_stay), cmocka_unit_test(test_lines_of_something_else),
        cmocka_unit_test(test_other_settings),       cmocka_unit_test(test_json),
    };
    return cmocka_run_group_tests(tests, testing_set_up, testing_tear_down);
}
