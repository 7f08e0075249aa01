// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/names.h"
#include "data/rated_names.h"
#include "testing.h"

static const char list[] = "# a comment\n"
                           "Nobody, Before The Section #GM\n"
                           "@PLAYER \"., -_*\"\n"
                           "Kasparov, Garry #GM RUS [2812] 1963.04.13 i\n"
                           "   %Bio Title GM:1980 IM:1979\n"
                           "   = Kasparov, Gary\n"
                           "   = Kasparov, Garry K\n"
                           "   %Elo 1979:2545 1980:2595\n"
                           "   %Elo 1999:2812,2851 2000:?,2849\n"
                           "Kasparov, Sergey #GM BLR [2471] 1968\n"
                           "   %Elo 1999:2427,2425 2000:?,?\n"
                           "Polgar, Judit #GM HUN\n"
                           "   %Elo 1990:2550\n"
                           "Polgar, Susan #GM HUN\n"
                           "   = Polgar, Zsuzsa\n"
                           "   %Elo 1990:2500\n"
                           "Polgar, Sofia #IM HUN\n"
                           "   %Elo 1990:2400 1991:2410\n"
                           "Van der Wiel, John T.H. #GM NED\n"
                           "   %Elo 1990:2560\n"
                           "Smith, John1 #- ENG\n"
                           "   %Elo 1990:2300\n"
                           "Smith, John2 #- USA\n"
                           "   %Elo 1990:2200 1992:2210\n"
                           "Huebner, Robert #GM GER\n"
                           "   %Elo 1990:2600\n"
                           "Abakarov, D #-\n"
                           "   %Elo 1990:2402\n"
                           "Mononym #-\n"
                           "   %Elo 1990:2000\n"
                           "@SITE \"., -_()\"\n"
                           "London, John #not a player\n"
                           "   %Elo 1990:2900\n";

static RatingList *open_list(void) {
    char path[TESTING_PATH];
    RatingList *ratings;
    testing_write(path, "list.ssp", list, sizeof list - 1);
    assert_int_equal(rating_list_open(&ratings, path), OK);
    return ratings;
}

// The rating of a name in a year, RATING_SEVERAL, 0 for none that year, or -2 for no such name.
static int rating_of(const RatingList *ratings, const char *name, int year) {
    RatedYears years = {0};
    rating_list_find(ratings, view_from_string(name), &years);
    int rating = years.is_listed ? 0 : -2;
    for (size_t i = 0; i < years.count; i++)
        if (years.items[i].year == year)
            rating = years.items[i].rating;
    free(years.items);
    return rating;
}

static void test_names_find_ratings(void **state) {
    (void)state;
    static const struct {
        const char *name;
        int year, rating;
    } cases[] = {
        {"Kasparov, Garry", 1999, 2851}, // the highest of the year
        {"Kasparov, Garry", 2000, 2849},
        {"Kasparov, Garry", 1981, 0},
        {"Kasparov Garry", 1980, 2595},
        {"KASPAROV, GARRY", 1980, 2595},
        {"Garry Kasparov", 1980, 2595},
        {"G. Kasparov", 1980, 2595},
        {"Kasparov,G", 1980, 2595},
        {"Kasparov G (RUS)", 1980, 2595},
        {"Kasparov, Gary (GM)", 1980, 2595}, // another spelling
        {"Kasparov, Garry Kimovich", 1980, 2595},
        {"Kasparov, Gregory", 1980, -2},
        {"Kasparov", 1980, -2}, // a surname alone names nobody
        {"Kasparov, S", 1999, 2427},
        {"Kasparov, S", 1980, 0},
        {"Polgar J", 1990, 2550},
        {"Polgar S", 1990, RATING_SEVERAL},
        {"Polgar S", 1991, 2410}, // the only one rated then
        {"Polgar Zsuzsa (GM) (HUN)", 1990, 2500},
        {"Polgar Susan GM", 1990, 2500},
        {"Van der Wiel, J", 1990, 2560},
        {"van der Wiel JTH", 1990, 2560},
        {"Van der Wiel J. T. H.", 1990, 2560},
        {"Van der Wiel, J P", 1990, -2}, // contradicts
        {"Smith, John", 1990, RATING_SEVERAL},
        {"Smith, John", 1992, 2210},
        {"Huebner, R", 1990, 2600},
        {"H\xC3\xBC"
         "bner, Robert",
         1990, 2600},
        {"Abakarov, D", 1990, 2402},
        {"Abakarov, Dmitri", 1990, -2}, // the list does not know his first name
        {"Mononym", 1990, 2000},
        {"London, John", 1990, -2},
        {"Nobody, Before", 1990, -2},
        {"", 1990, -2},
        {"?", 1990, -2},
        {"(((", 1990, -2},
        {", ,.", 1990, -2},
    };
    RatingList *ratings = open_list();
    assert_int_equal(rating_list_player_count(ratings), 11);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        if (rating_of(ratings, cases[i].name, cases[i].year) != cases[i].rating)
            fail_msg("%s in %d: %d, expected %d", cases[i].name, cases[i].year,
                     rating_of(ratings, cases[i].name, cases[i].year), cases[i].rating);
    rating_list_close(ratings);
}

static void test_spellings(void **state) {
    (void)state;
    RatingList *ratings = open_list();
    Str text = {0};
    rating_list_spellings(ratings, view_from_string("Kasparov, Gary"), &text);
    assert_string_equal(text.text, "Kasparov, Garry\nKasparov, Gary\nKasparov, Garry K\n");
    str_free(&text);
    rating_list_close(ratings);
}

static void test_what_is_no_list_is_refused(void **state) {
    (void)state;
    char path[TESTING_PATH];
    RatingList *ratings;
    testing_write(path, "no-list", "[Event \"x\"]\n1. e4 *\n", 20);
    assert_int_equal(rating_list_open(&ratings, path), ERR_PARSE);
    assert_non_null(strstr(error_message(), "no-list"));
    assert_int_equal(rating_list_open(&ratings, "/nowhere/list.ssp"), ERR_IO);
    assert_null(ratings);
}

// Any bytes are a name without harm, and what it was read as is itself when read again.
static void test_any_bytes_are_a_name(void **state) {
    (void)state;
    static const char alphabet[] = "aB.,-_ ()1\"\xC3\xBC\xC5\xA0\xFF\n";
    Rng rng = rng_at(1, 0, 0, 0);
    for (int i = 0; i < 20000; i++) {
        char text[200];
        size_t length = rng_below(&rng, sizeof text);
        for (size_t k = 0; k < length; k++)
            text[k] = alphabet[rng_below(&rng, sizeof alphabet)];
        Name name, again;
        name_parse(view_of(text, length), &name);
        assert_true(name.count <= NAME_WORDS_MAX && name.before_comma <= name.count);
        NameReading readings[NAME_READINGS_MAX];
        unsigned reversed, count = name_readings(&name, readings, &reversed);
        assert_true(count <= NAME_READINGS_MAX);
        Str words = {0};
        for (unsigned w = 0; w < name.count; w++)
            str_addf(&words, "%.*s ", name.begin[w + 1] - name.begin[w], name.text + name.begin[w]);
        name_parse(view_of(str_text(&words), words.length), &again);
        assert_int_equal(again.count, name.count);
        assert_memory_equal(again.text, name.text, sizeof name.text);
        str_free(&words);
        for (unsigned r = 0; r < count && readings[r].given_end > readings[r].given; r++)
            assert_int_not_equal(name_compare(&readings[r], &readings[r]), NAME_OTHER);
    }
}

static int rate(RatedNames *names, StrView name, int year, int tag_rating) {
    rated_names_count(names, name, year, tag_rating);
    return rated_names_rating(names, name, year, tag_rating);
}

static void test_counts_and_tags(void **state) {
    (void)state;
    RatingList *ratings = open_list();
    RatedNames *tables[2] = {rated_names_create(ratings), rated_names_create(ratings)};
    StrView garry = view_from_string("Kasparov, G"), other = view_from_string("Other, A");
    assert_int_equal(rate(tables[0], garry, 1980, 9), 2595);
    assert_int_equal(rate(tables[1], garry, 1981, 2625), 2625);
    assert_int_equal(rate(tables[1], garry, 1981, 0), 0);
    assert_int_equal(rate(tables[1], other, 1981, 0), 0);
    for (int i = 0; i < 2000; i++) { // the table grows
        char name[32];
        snprintf(name, sizeof name, "Stranger, %c%c%c", 'a' + i % 10, 'a' + i / 10 % 10,
                 'a' + i / 100 % 10);
        assert_int_equal(rate(tables[i % 2], view_from_string(name), 1990, 0), 0);
    }
    size_t count;
    RatedName *names = rated_names_merge(tables, 2, &count);
    assert_int_equal(count, 2 + 1000);
    assert_true(view_equals(names[0].name, "Kasparov, G")); // the most frequent
    assert_int_equal(names[0].games[RATING_FROM_LIST], 1);
    assert_int_equal(names[0].games[RATING_FROM_TAG], 1);
    assert_int_equal(names[0].games[RATING_NOT_THAT_YEAR], 1);
    assert_int_equal(names[1].games[RATING_NO_SUCH_NAME], 2);
    assert_int_equal(names[count - 1].games[RATING_NO_SUCH_NAME], 1);
    free(names);
    rated_names_destroy(tables[0]);
    rated_names_destroy(tables[1]);
    rating_list_close(ratings);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_find_ratings),
        cmocka_unit_test(test_spellings),
        cmocka_unit_test(test_what_is_no_list_is_refused),
        cmocka_unit_test(test_any_bytes_are_a_name),
        cmocka_unit_test(test_counts_and_tags),
    };
    return cmocka_run_group_tests(tests, testing_set_up, testing_tear_down);
}
