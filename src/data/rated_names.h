// SPDX-License-Identifier: GPL-3.0-or-later
// Names met in games, each looked up in a rating list once, with how often it was rated and how
// often and why it was not. Each thread has its own.
#pragma once

#include "data/rating_list.h"

typedef enum RatingSource {
    RATING_FROM_LIST,
    RATING_FROM_TAG,     // not from the list, but from the tag of the game
    RATING_NO_SUCH_NAME, // not in the list
    RATING_NOT_THAT_YEAR,
    RATING_AMBIGUOUS, // several players of that name were rated that year
    RATING_SOURCE_NB,
} RatingSource;

typedef struct RatedNames RatedNames;

// A name with its counts of games, by RatingSource.
typedef struct RatedName {
    StrView name; // borrowed
    uint64_t games[RATING_SOURCE_NB];
} RatedName;

// `ratings` may be NULL: then there are tags alone.
RatedNames *rated_names_create(const RatingList *ratings);
void rated_names_destroy(RatedNames *names);

// The rating of a player in a year (0: unknown): of the list, else `tag_rating`, else 0.
int rated_names_rating(RatedNames *names, StrView name, int year, int tag_rating);
// Counts a game for the source of that rating.
void rated_names_count(RatedNames *names, StrView name, int year, int tag_rating);

// All names of several tables, each once, the most frequent first; free() the result.
RatedName *rated_names_merge(RatedNames *const *tables, size_t table_count, size_t *count);
