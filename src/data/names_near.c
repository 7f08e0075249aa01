// SPDX-License-Identifier: GPL-3.0-or-later
// Names that are like one: surnames are compared letter by letter.
#include "base/mem.h"
#include "base/nearest.h"
#include "data/game_traits.h"
#include "data/games_pass.h"
#include "data/names.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { FAR = 3 }; // letters of a surname; further away it is another

typedef struct Near {
    char *text; // owned
    unsigned distance;
    uint64_t games;
} Near;

typedef struct Search {
    Name asked;
    Near *items;
    size_t count, capacity;
} Search;

static void search_free(Search *search) {
    for (size_t i = 0; i < search->count; i++)
        free(search->items[i].text);
    free(search->items);
}

static void copy_word(StrView word, char out[NAME_SIZE]) {
    memcpy(out, word.text, word.length);
    out[word.length] = '\0';
}

// Of the likeliest surnames: what stands before a comma, the first word or the last one.
static unsigned distance_of(const Name *asked, const Name *found) {
    NameReading ours[NAME_READINGS_MAX], theirs[NAME_READINGS_MAX];
    unsigned reversed_ours, reversed_theirs, least = FAR;
    const unsigned our_count = name_readings(asked, ours, &reversed_ours);
    const unsigned their_count = name_readings(found, theirs, &reversed_theirs);
    for (unsigned i = 0; i < our_count; i++)
        for (unsigned j = 0; j < their_count; j++) {
            char a[NAME_SIZE], b[NAME_SIZE];
            copy_word(ours[i].surname, a);
            copy_word(theirs[j].surname, b);
            const unsigned distance = nearest_distance(a, b);
            // Short words are near to everything.
            if (distance < least && distance * 3 <= strlen(a))
                least = distance;
        }
    return least;
}

static void add_name(Search *search, StrView text) {
    Name name;
    name_parse(text, &name);
    if (name.count == 0)
        return;
    for (size_t i = 0; i < search->count; i++)
        if (view_equals(text, search->items[i].text)) {
            search->items[i].games++;
            return;
        }
    const unsigned distance = distance_of(&search->asked, &name);
    if (distance >= FAR)
        return;
    MEM_ADD(search->items, search->count, search->capacity) = (Near){view_copy(text), distance, 1};
}

static bool wants_none(void *context, const PgnGame *game) {
    (void)context;
    (void)game;
    return false;
}

static bool take_names(void *context, const PgnGame *game) {
    for (Color side = WHITE; side <= BLACK; side++)
        add_name(context, game_player(game, side));
    return true;
}

static int compare_near(const void *left, const void *right) {
    const Near *a = left, *b = right;
    if (a->distance != b->distance)
        return a->distance < b->distance ? -1 : 1;
    if (a->games != b->games)
        return a->games > b->games ? -1 : 1;
    return strcmp(a->text, b->text);
}

Status names_find_near(const char *asked, const char *const *paths, size_t path_count, size_t most,
                       Str *out) {
    CLEANUP(search_free) Search search = {0};
    // One thread: names are shared, and reading tags alone is fast.
    CLEANUP(dist_pool_free_at) DistPool *pool = dist_pool_new(1);
    const GamesPass pass = {
        .pool = pool, .workers = &search, .wants = wants_none, .take = take_names};
    name_parse(view_of(asked, strcspn(asked, ";")), &search.asked);
    for (size_t i = 0; i < path_count; i++) {
        GamesPassTotals totals;
        TRY(games_pass(&pass, paths[i], &totals));
    }
    MEM_SORT(search.items, search.count, compare_near);
    for (size_t i = 0; i < search.count && i < most; i++)
        str_addf(out, "%s%s (%" PRIu64 " game%s)", i > 0 ? ", " : "", search.items[i].text,
                 search.items[i].games, search.items[i].games == 1 ? "" : "s");
    return OK;
}
