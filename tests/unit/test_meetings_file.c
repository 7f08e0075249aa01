// SPDX-License-Identifier: GPL-3.0-or-later
// meetings.csv of a run by games: who met whom, and that what a kill leaves of it, anywhere, goes
// on to the same bytes.
#include "run/files/meetings_file.h"

#include "base/rng.h"
#include "testing.h"

enum { PLAYERS = 5, GAMES = 40, GENERATIONS = 6, BYTES_MOST = 1 << 20 };

static const PopulationsConfig config = {.every = 2, .organisms = 3};

// Games of a generation, and what a plain count says of each two.
static void play(uint32_t generation, Encounters *met, unsigned counts[PLAYERS][PLAYERS][3]) {
    Rng rng = rng_at(3, generation, 0, 0);
    encounters_clear(met);
    for (int i = 0; i < GAMES; i++) {
        const size_t white = rng_below(&rng, PLAYERS);
        const size_t black = (white + 1 + rng_below(&rng, PLAYERS - 1)) % PLAYERS;
        const unsigned half_points = rng_below(&rng, 3);
        encounters_add(met, white, black, half_points);
        if (counts != NULL) {
            counts[white][black][half_points]++;
            counts[black][white][2 - half_points]++;
        }
    }
}

static void test_sums_are_those_of_the_games(void **state) {
    (void)state;
    unsigned counts[PLAYERS][PLAYERS][3] = {0};
    Encounters met = {0};
    size_t count, again, games = 0;
    play(1, &met, counts);
    const Encounter *rows = encounters_sum(&met, &count);
    assert_true(count > 0 && count <= PLAYERS * (PLAYERS - 1) / 2);
    for (size_t i = 0; i < count; i++) {
        const Encounter *row = &rows[i];
        const unsigned *of = counts[row->first][row->second];
        assert_true(row->first < row->second);
        assert_true(i == 0 || rows[i - 1].first < row->first ||
                    (rows[i - 1].first == row->first && rows[i - 1].second < row->second));
        assert_true(row->result.wins == of[2] && row->result.draws == of[1] &&
                    row->result.losses == of[0]);
        games += of[0] + of[1] + of[2];
    }
    assert_int_equal(games, GAMES);
    // Summed up again, and with one game more.
    encounters_sum(&met, &again);
    assert_int_equal(again, count);
    encounters_add(&met, rows[0].second, rows[0].first, 2);
    const unsigned losses = rows[0].result.losses;
    assert_int_equal(encounters_sum(&met, &again)[0].result.losses, losses + 1);
    assert_int_equal(again, count);
    encounters_free(&met);
    encounters_sum(&met, &count);
    assert_int_equal(count, 0);
    encounters_free(&met);
}

static Status go_on(uint32_t from, uint32_t until) {
    MeetingsFile file;
    Encounters met = {0};
    Status status = meetings_open(&file, testing_directory, &config, from);
    for (uint32_t i = from; i < until && status == OK; i++) {
        size_t count;
        play(i, &met, NULL);
        const Encounter *rows = encounters_sum(&met, &count);
        status = meetings_add(&file, i, rows, count);
    }
    encounters_free(&met);
    if (status == OK)
        status = meetings_sync(&file);
    const Status closed = meetings_close(&file);
    return status != OK ? status : closed;
}

static Str read_file(void) {
    char path[TESTING_PATH];
    Str text = {0};
    testing_path(path, "meetings.csv");
    assert_int_equal(file_read(path, BYTES_MOST, &text), OK);
    return text;
}

static Str write_all(uint32_t until) {
    char path[TESTING_PATH];
    testing_path(path, "meetings.csv");
    unlink(path);
    assert_int_equal(go_on(0, until), OK);
    return read_file();
}

static void test_it_goes_on_from_any_cut(void **state) {
    (void)state;
    for (uint32_t checkpoint = 0; checkpoint < GENERATIONS; checkpoint++) {
        Str until = write_all(checkpoint), whole = write_all(GENERATIONS);
        char path[TESTING_PATH];
        for (size_t cut = checkpoint == 0 ? 0 : until.length; cut <= whole.length; cut++) {
            testing_write(path, "meetings.csv", whole.text, cut);
            assert_int_equal(go_on(checkpoint, GENERATIONS), OK);
            Str again = read_file();
            assert_string_equal(again.text, whole.text);
            str_free(&again);
        }
        str_free(&until);
        str_free(&whole);
    }
}

typedef struct Read {
    size_t rows, games;
    uint32_t last;
} Read;

static void take(void *context, uint32_t generation, const Encounter *row) {
    Read *read = context;
    assert_true(generation >= read->last && generation % config.every == 0);
    read->last = generation;
    read->rows++;
    read->games += row->result.wins + row->result.draws + row->result.losses;
}

static void test_what_was_kept_is_read(void **state) {
    (void)state;
    static const char damaged[] = "generation,first,second,wins,draws,losses\n0,1,2,3,4\n";
    char path[TESTING_PATH];
    Read read = {0};
    Str text = write_all(GENERATIONS);
    str_free(&text);
    assert_int_equal(meetings_each(testing_directory, take, &read), OK);
    assert_int_equal(read.games, GAMES * ((GENERATIONS + 1) / 2));
    testing_write(path, "meetings.csv", damaged, sizeof damaged - 1);
    assert_int_equal(meetings_each(testing_directory, take, &read), ERR_PARSE);
    assert_non_null(strstr(error_message(), "meetings.csv:2: not a row of meetings"));
    unlink(path);
    read = (Read){0};
    assert_int_equal(meetings_each(testing_directory, take, &read), OK);
    assert_int_equal(read.rows, 0);
}

static void test_not_ours(void **state) {
    (void)state;
    static const char text[] = "notes\n";
    char path[TESTING_PATH];
    testing_write(path, "meetings.csv", text, sizeof text - 1);
    assert_int_equal(go_on(2, 3), ERR_PARSE);
    assert_non_null(strstr(error_message(), "not the meetings of this run: move it away"));
    unlink(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sums_are_those_of_the_games),
        cmocka_unit_test(test_it_goes_on_from_any_cut),
        cmocka_unit_test(test_what_was_kept_is_read),
        cmocka_unit_test(test_not_ours),
    };
    return cmocka_run_group_tests(tests, testing_set_up, testing_tear_down);
}
