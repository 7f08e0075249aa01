// SPDX-License-Identifier: GPL-3.0-or-later
// The games of some people: found under all their names, once each, split by event.
#include "data/player_moves/player_moves.h"

#include "base/file.h"
#include "testing.h"

enum {
    GAMES = 300,
    COPIES = 60,
    EVENTS = 25,
    PEOPLE = 3,
    SKIP = 6,
    FILLER = 3000,
    FIRST_YEAR = 1950
};

// How each person is asked for, and how the files write the name.
static const char *const people[PEOPLE] = {"Korchnoi, Viktor;Kortchnoi, Viktor", "Tal, Mikhail N",
                                           "Keres, Paul"};
static const char *const spellings[PEOPLE][4] = {
    {"Korchnoi Viktor (SUI)", "Kortchnoi, V", "Viktor Kortchnoi", "Korchnoi V."},
    {"Tal M", "Tal, Mikhail", "Tal M N", "Mikhail Tal"},
    {"Keres Paul GM (EST)", "Keres P", "Keres, Paul", "Paul Keres"},
};
static const char *const strangers[] = {"Tal, Hein", "Keres", "Polgar Judit", "Kortschnoi"};

typedef struct Told {
    PgnGame game;
    int white, black; // of people, -1 for a stranger
    unsigned event;
} Told;

static Told told[GAMES];
static char front_path[TESTING_PATH], back_path[TESTING_PATH];

static void set_tag(PgnGame *game, const char *name, const char *value) {
    assert_int_equal(pgn_set_tag(game, name, view_from_string(value)), OK);
}

static const char *spell(Rng *rng, int person) {
    return person < 0 ? strangers[rng_below(rng, 4)] : spellings[person][rng_below(rng, 4)];
}

static void write_game(Str *out, Told *game, Rng *rng) {
    char event[32];
    set_tag(&game->game, "White", spell(rng, game->white));
    set_tag(&game->game, "Black", spell(rng, game->black));
    snprintf(event, sizeof event, rng_below(rng, 2) ? "URS-ch (%u)" : "urs ch %u", game->event);
    set_tag(&game->game, "Event", event);
    char date[32];
    snprintf(date, sizeof date, "%u.??.??", FIRST_YEAR + game->event / 2);
    set_tag(&game->game, "Date", date);
    StrView comments[40] = {0};
    static char filler[FILLER]; // makes the file large enough for several chunks
    memset(filler, '.', sizeof filler);
    comments[0] = view_of(filler, sizeof filler);
    pgn_write(&game->game, comments, out);
}

static int make_files(void **state) {
    if (testing_set_up(state) != 0)
        return 1;
    Rng rng = rng_at(11, 0, 0, 0);
    Str front = {0}, back = {0};
    for (size_t i = 0; i < GAMES; i++) {
        testing_random_game(&told[i].game, &rng, 20 + rng_below(&rng, 20));
        told[i].white = (int)rng_below(&rng, PEOPLE + 1) - 1;
        told[i].black = (told[i].white + 1 + (int)rng_below(&rng, PEOPLE)) % (PEOPLE + 1) - 1;
        if (told[i].black == told[i].white)
            told[i].black = -1;
        told[i].event = rng_below(&rng, EVENTS);
        for (size_t copy = 0; copy < (i < COPIES ? 2 : 1); copy++)
            write_game(rng_below(&rng, 2) ? &front : &back, &told[i], &rng);
    }
    testing_write(front_path, "front.pgn", front.text, front.length);
    testing_write(back_path, "back.pgn", back.text, back.length);
    str_free(&front);
    str_free(&back);
    return 0;
}

static int remove_files(void **state) {
    for (size_t i = 0; i < GAMES; i++)
        pgn_game_free(&told[i].game);
    return testing_tear_down(state);
}

static void read_games(PlayerGames *out, size_t player_count, bool is_reversed, int threads) {
    const char *paths[] = {is_reversed ? back_path : front_path,
                           is_reversed ? front_path : back_path};
    assert_int_equal(player_games_read(out, people, player_count, paths, 2, threads), OK);
}

static void assert_same_games(const PlayerGames *a, const PlayerGames *b) {
    assert_int_equal(a->count, b->count);
    assert_memory_equal(&a->totals, &b->totals, sizeof a->totals);
    for (size_t i = 0; i < a->count; i++) {
        const PlayerGame *x = &a->items[i], *y = &b->items[i];
        assert_int_equal(x->player, y->player);
        assert_int_equal(x->identity, y->identity);
        assert_int_equal(x->event, y->event);
        assert_int_equal(x->side, y->side);
        assert_string_equal(x->opponent, y->opponent);
        assert_int_equal(x->move_count, y->move_count);
        assert_memory_equal(x->moves, y->moves, x->move_count * sizeof(Move));
    }
}

static void test_threads_and_order_change_nothing(void **state) {
    (void)state;
    PlayerGames one, other;
    read_games(&one, PEOPLE, false, 1);
    for (int threads = 2; threads <= 4; threads++) {
        read_games(&other, PEOPLE, threads % 2 == 0, threads);
        assert_same_games(&one, &other);
        player_games_free(&other);
    }
    player_games_free(&one);
}

static void test_every_game_is_there_once_under_any_name(void **state) {
    (void)state;
    PlayerGames games;
    read_games(&games, PEOPLE, false, 2);
    size_t counts[PEOPLE] = {0};
    for (size_t i = 0; i < GAMES; i++) {
        for (int person = 0; person < PEOPLE; person++)
            counts[person] += (size_t)(told[i].white == person) + (told[i].black == person);
    }
    for (size_t person = 0; person < PEOPLE; person++) {
        assert_int_equal(games.begin[person + 1] - games.begin[person], counts[person]);
        for (size_t i = games.begin[person]; i < games.begin[person + 1]; i++) {
            assert_int_equal(games.items[i].player, person);
            assert_in_range(games.items[i].year, FIRST_YEAR, FIRST_YEAR + EVENTS / 2);
        }
    }
    assert_int_equal(games.totals.games, GAMES + COPIES);
    assert_int_equal(games.totals.contested, 0);
    player_games_free(&games);
}

static uint64_t unit_of(const PlayerGame *game, PlayerSplit by) {
    return by == SPLIT_BY_EVENT ? game->event : (uint64_t)game->year;
}

static void check_split(const PlayerGames *all, const PlayerGames *few, PlayerSplit by) {
    bool in_all[2 * GAMES], in_few[2 * GAMES];
    player_games_split(all, by, 5, 0.4, in_all);
    player_games_split(few, by, 5, 0.4, in_few);
    size_t held_out = 0;
    for (size_t i = 0; i < all->count; i++) {
        held_out += in_all[i];
        for (size_t k = 0; k < i; k++)
            if (unit_of(&all->items[k], by) == unit_of(&all->items[i], by))
                assert_int_equal(in_all[k], in_all[i]);
    }
    for (size_t i = 0; i < all->count && by == SPLIT_BY_YEAR; i++)
        assert_int_equal(player_year_is_held_out(all->items[i].year, 5, 0.4), in_all[i]);
    assert_in_range(held_out, all->count / 8, all->count * 3 / 4);
    for (size_t i = 0; i < few->count; i++)
        assert_int_equal(in_few[i], in_all[i]); // the first player comes first in both
}

static void test_split_shares_no_event_and_knows_no_other_player(void **state) {
    (void)state;
    PlayerGames all, few;
    read_games(&all, PEOPLE, false, 2);
    read_games(&few, 1, false, 1);
    check_split(&all, &few, SPLIT_BY_EVENT);
    check_split(&all, &few, SPLIT_BY_YEAR);
    player_games_free(&all);
    player_games_free(&few);
}

static void test_moves_are_those_the_person_chose(void **state) {
    (void)state;
    PlayerGames games;
    read_games(&games, PEOPLE, false, 1);
    PlayerMove moves[64];
    size_t total = 0;
    for (size_t i = 0; i < games.count; i++) {
        const PlayerGame *game = &games.items[i];
        size_t count = player_game_moves(game, SKIP, moves), expected = 0, at = 0;
        Position pos = game->start;
        for (size_t ply = 0; ply < game->move_count; ply++) {
            Undo undo;
            if (ply >= SKIP && position_turn(&pos) == game->side && movegen_count(&pos) > 1) {
                expected++;
                assert_int_equal(moves[at].ply, ply);
                assert_memory_equal(&moves[at].pos, &pos, sizeof pos);
                assert_int_equal(moves[at++].played, game->moves[ply]);
            }
            position_make(&pos, game->moves[ply], &undo);
        }
        assert_int_equal(count, expected);
        total += count;
    }
    assert_true(total > 1000);
    player_games_free(&games);
}

static void test_copies_that_name_others_are_left_out(void **state) {
    (void)state;
    Str text = {0};
    char path[TESTING_PATH];
    PgnGame game = {0};
    Rng rng = rng_at(12, 0, 0, 0);
    testing_random_game(&game, &rng, 30);
    for (int i = 0; i < 2; i++) {
        set_tag(&game, "White", i == 0 ? "Tal M" : "Keres P");
        set_tag(&game, "Black", "Smyslov V");
        pgn_write(&game, NULL, &text);
    }
    testing_write(path, "contested.pgn", text.text, text.length);
    PlayerGames games;
    assert_int_equal(player_games_read(&games, people, PEOPLE, (const char *const[]){path}, 1, 1),
                     OK);
    assert_int_equal(games.count, 0);
    assert_int_equal(games.totals.contested, 1);
    player_games_free(&games);
    pgn_game_free(&game);
    str_free(&text);
}

static void test_a_text_is_as_a_file(void **state) {
    (void)state;
    CLEANUP(str_free) Str text = {0};
    const char *const path = front_path;
    PlayerGames read, parsed;
    assert_int_equal(file_read(front_path, 1 << 24, &text), OK);
    const StrView pgn = view_of(text.text, text.length);
    for (size_t person = 0; person < PEOPLE; person++) {
        assert_int_equal(player_games_read(&read, &people[person], 1, &path, 1, 1), OK);
        assert_int_equal(player_games_from_text(&parsed, people[person], WHITE, pgn), OK);
        assert_same_games(&read, &parsed);
        player_games_free(&read);
        player_games_free(&parsed);
    }
    for (Color side = WHITE; side <= BLACK; side++) {
        assert_int_equal(player_games_read_side(&read, side, &path, 1, 1), OK);
        assert_int_equal(player_games_from_text(&parsed, NULL, side, pgn), OK);
        assert_same_games(&read, &parsed);
        player_games_free(&read);
        player_games_free(&parsed);
    }
}

static void test_refuses_empty_names_and_missing_files(void **state) {
    (void)state;
    PlayerGames games;
    const char *const empty[] = {" ; "}, *const missing[] = {"there/is/no.pgn"};
    assert_int_equal(player_games_read(&games, empty, 1, missing, 1, 1), ERR_ARG);
    assert_int_equal(player_games_read(&games, people, 1, missing, 1, 1), ERR_IO);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_threads_and_order_change_nothing),
        cmocka_unit_test(test_every_game_is_there_once_under_any_name),
        cmocka_unit_test(test_split_shares_no_event_and_knows_no_other_player),
        cmocka_unit_test(test_moves_are_those_the_person_chose),
        cmocka_unit_test(test_copies_that_name_others_are_left_out),
        cmocka_unit_test(test_a_text_is_as_a_file),
        cmocka_unit_test(test_refuses_empty_names_and_missing_files),
    };
    return cmocka_run_group_tests(tests, make_files, remove_files);
}
