// SPDX-License-Identifier: GPL-3.0-or-later
// A list of players with their other spellings and their ratings by year, as Debian's
// scid-rating-data has it (spelling.ssp), and the search for a name in it.
#pragma once

#include "base/error.h"
#include "base/str.h"

#include <stdint.h>

enum { RATING_SEVERAL = -1 };

// The highest rating of a year, or RATING_SEVERAL when several players could be meant.
typedef struct YearRating {
    uint16_t year;
    int16_t rating;
} YearRating;

// What a name is worth in each year, in order.
typedef struct RatedYears {
    YearRating *items; // owned
    size_t count, capacity;
    bool is_listed; // some player can have this name
} RatedYears;

typedef struct RatingList RatingList;

// Reads a list, plain or compressed. A file without players is ERR_PARSE.
MUST_CHECK Status rating_list_open(RatingList **out, const char *path);
void rating_list_close(RatingList *ratings);
CLEANUP_AT(RatingList *, rating_list_close)
// Whether its index fits its text.
bool rating_list_is_valid(const RatingList *ratings);
size_t rating_list_player_count(const RatingList *ratings);

// Finds the ratings of the players with this name. A year counts when exactly one player of that
// very name was rated in it, or else when exactly one was whose name agrees with it (see
// name_compare). `out` begins as {0} or as it was left by the last call.
void rating_list_find(const RatingList *ratings, StrView name, RatedYears *out);
// Appends every spelling of the players that a name can mean, each ended by a newline: of those
// with this very name if there are any, else of all that agree with it.
void rating_list_spellings(const RatingList *ratings, StrView name, Str *out);
