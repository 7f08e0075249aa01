// SPDX-License-Identifier: GPL-3.0-or-later
// The text stays in memory as it is. Reading it notes only where players and names begin; given
// names and ratings are parsed when that surname is looked up.
#include "data/rating_list.h"

#include "base/file.h"
#include "base/mem.h"
#include "data/names.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { LIST_MAX = 1 << 30, HEADS = 1 << 18, YEAR_FIRST = 1850, YEAR_END = 2150 };
static const char player_section[] = "@PLAYER";
static const char rating_line[] = "%Elo";

// A name or other spelling. Names whose surnames have the same hash are on one chain.
typedef struct ListedName {
    uint32_t at, player;
    uint32_t next; // index + 1, 0 at the end
} ListedName;

struct RatingList {
    Str text;
    uint32_t *players; // where each begins, and where the last ends
    size_t player_count, player_capacity;
    ListedName *names;
    size_t name_count, name_capacity;
    uint32_t heads[HEADS]; // index + 1 into `names`
};

// --- reading ---

static size_t line_length(const RatingList *ratings, size_t at) {
    const char *from = ratings->text.text + at;
    const char *end = memchr(from, '\n', ratings->text.length - at);
    return end == NULL ? ratings->text.length - at : (size_t)(end - from);
}

// The name that begins at `at`: up to a remark or the end of the line.
static StrView name_at(const RatingList *ratings, size_t at) {
    StrView line = view_of(ratings->text.text + at, line_length(ratings, at));
    const char *remark = memchr(line.text, '#', line.length);
    if (remark != NULL)
        line.length = (size_t)(remark - line.text);
    return view_trim(line);
}

static NameReading read_listed(StrView text, Name *name) {
    NameReading readings[NAME_READINGS_MAX];
    unsigned reversed;
    name_parse(text, name);
    return name_readings(name, readings, &reversed) > 0 ? readings[0] : (NameReading){.name = name};
}

// The hash of a name's surname, without reading the rest where a comma ends it.
static uint32_t surname_hash(StrView text) {
    char plain[NAME_SIZE];
    size_t length = 0;
    for (size_t i = 0; i < text.length && length < sizeof plain; i++) {
        char c = text.text[i], lower = (char)(c | 0x20);
        if (lower >= 'a' && lower <= 'z')
            plain[length++] = lower;
        else if (c == ',' && length > 0)
            return name_hash(view_of(plain, length));
        else if (c != ' ' && c != '-')
            break;
    }
    Name name;
    return name_hash(read_listed(text, &name).surname);
}

static void add_name(RatingList *ratings, size_t at) {
    uint32_t *head = &ratings->heads[surname_hash(name_at(ratings, at)) % HEADS];
    MEM_ADD(ratings->names, ratings->name_count, ratings->name_capacity) =
        (ListedName){(uint32_t)at, (uint32_t)ratings->player_count - 1, *head};
    *head = (uint32_t)ratings->name_count;
}

static void add_player(RatingList *ratings, size_t at) {
    ratings->players = mem_grow(ratings->players, &ratings->player_capacity,
                                ratings->player_count + 2, sizeof *ratings->players);
    ratings->players[ratings->player_count++] = (uint32_t)at;
}

static bool begins_section(StrView line) {
    size_t length = strlen(player_section);
    return line.length >= length && memcmp(line.text, player_section, length) == 0;
}

// Passes over the lines, noting those that begin a player or name a spelling of one, up to the end
// of the section of players.
static void index_lines(RatingList *ratings) {
    const char *text = ratings->text.text;
    bool in_players = false;
    size_t at = 0;
    for (size_t length; at < ratings->text.length; at += length + 1) {
        length = line_length(ratings, at);
        size_t skip = 0;
        while (skip < length && (unsigned char)text[at + skip] <= ' ')
            skip++;
        if (skip == length || text[at + skip] == '#' || text[at + skip] == '%')
            continue;
        if (text[at] == '@') {
            if (in_players)
                break;
            in_players = begins_section(view_of(text + at, length));
        } else if (in_players && skip == 0) {
            add_player(ratings, at);
            add_name(ratings, at);
        } else if (in_players && text[at + skip] == '=' && ratings->player_count > 0) {
            add_name(ratings, at + skip + 1);
        }
    }
    if (ratings->player_count > 0)
        ratings->players[ratings->player_count] = (uint32_t)at;
}

bool rating_list_is_valid(const RatingList *ratings) {
    bool is_valid = true;
    for (size_t i = 0; i < ratings->player_count && is_valid; i++)
        is_valid = ratings->players[i] < ratings->players[i + 1];
    for (size_t i = 0; i < ratings->name_count && is_valid; i++) {
        const ListedName *name = &ratings->names[i];
        is_valid = name->player < ratings->player_count && name->at <= ratings->text.length &&
                   name->next <= i; // chains lead backwards, so that they end
    }
    return is_valid;
}

Status rating_list_open(RatingList **out, const char *path) {
    CLEANUP(rating_list_close_at) RatingList *ratings = mem_alloc_zero(1, sizeof *ratings);
    *out = NULL;
    TRY(file_read(path, LIST_MAX, &ratings->text));
    index_lines(ratings);
    if (ratings->player_count == 0)
        return error_set(ERR_PARSE, "%s: no players after a line \"%s\": not a rating list", path,
                         player_section);
    assert(rating_list_is_valid(ratings));
    *out = TAKE(ratings);
    return OK;
}

void rating_list_close(RatingList *ratings) {
    if (ratings == NULL)
        return;
    str_free(&ratings->text);
    free(ratings->players);
    free(ratings->names);
    free(ratings);
}

size_t rating_list_player_count(const RatingList *ratings) {
    return ratings->player_count;
}

// --- finding ---

// Players that a name can mean.
typedef struct Found {
    struct FoundPlayer {
        uint32_t player;
        NameMatch match; // the best of the player's spellings
    } * items;
    size_t count, capacity;
} Found;

static void found_add(Found *found, uint32_t player, NameMatch match) {
    for (size_t i = 0; i < found->count; i++)
        if (found->items[i].player == player) {
            if (match > found->items[i].match)
                found->items[i].match = match;
            return;
        }
    MEM_ADD(found->items, found->count, found->capacity) = (struct FoundPlayer){player, match};
}

static void find_reading(const RatingList *ratings, const NameReading *reading, Found *found) {
    uint32_t next = ratings->heads[name_hash(reading->surname) % HEADS];
    while (next != 0) {
        const ListedName *listed = &ratings->names[next - 1];
        Name name;
        NameReading theirs = read_listed(name_at(ratings, listed->at), &name);
        NameMatch match = name_compare(reading, &theirs);
        if (match != NAME_OTHER)
            found_add(found, listed->player, match);
        next = listed->next;
    }
}

// Surname first; the other way round only when that finds no player.
static Found find_players(const RatingList *ratings, StrView text) {
    Found found = {0};
    Name name;
    NameReading readings[NAME_READINGS_MAX];
    unsigned reversed;
    name_parse(text, &name);
    unsigned count = name_readings(&name, readings, &reversed);
    for (unsigned i = 0; i < count && (i < reversed || found.count == 0); i++)
        find_reading(ratings, &readings[i], &found);
    return found;
}

// The highest number of a comma-separated list; 0 when there is none ("?,?").
static int highest(StrView values) {
    int best = 0, number = 0;
    for (size_t i = 0; i < values.length; i++) {
        char c = values.text[i];
        number = c >= '0' && c <= '9' && number < 10000 ? number * 10 + (c - '0') : 0;
        best = number > best ? number : best;
    }
    return best;
}

// What the players of one kind of match are rated in each year.
typedef int16_t YearTable[YEAR_END - YEAR_FIRST];

static void add_rating_line(StrView line, YearTable own) {
    StrView word;
    while ((word = view_next_word(&line)).length > 0) {
        const char *colon = memchr(word.text, ':', word.length);
        int64_t year;
        if (colon == NULL || !view_to_int(view_of(word.text, (size_t)(colon - word.text)), &year) ||
            year < YEAR_FIRST || year >= YEAR_END)
            continue;
        int rating = highest(view_of(colon + 1, word.length - (size_t)(colon + 1 - word.text)));
        if (rating > 0 && rating <= INT16_MAX)
            own[year - YEAR_FIRST] = (int16_t)rating;
    }
}

static void add_player_ratings(const RatingList *ratings, uint32_t player, YearTable table) {
    YearTable own = {0};
    size_t length;
    for (size_t at = ratings->players[player]; at < ratings->players[player + 1];
         at += length + 1) {
        length = line_length(ratings, at);
        StrView line = view_trim(view_of(ratings->text.text + at, length));
        if (line.length > strlen(rating_line) &&
            memcmp(line.text, rating_line, strlen(rating_line)) == 0)
            add_rating_line(
                view_of(line.text + strlen(rating_line), line.length - strlen(rating_line)), own);
    }
    for (int i = 0; i < YEAR_END - YEAR_FIRST; i++)
        if (own[i] != 0)
            table[i] = table[i] == 0 ? own[i] : RATING_SEVERAL;
}

void rating_list_find(const RatingList *ratings, StrView name, RatedYears *out) {
    Found found = find_players(ratings, name);
    YearTable same = {0}, like = {0};
    for (size_t i = 0; i < found.count; i++)
        add_player_ratings(ratings, found.items[i].player,
                           found.items[i].match == NAME_SAME ? same : like);
    out->count = 0;
    out->is_listed = found.count > 0;
    for (int i = 0; i < YEAR_END - YEAR_FIRST; i++) {
        int16_t rating = same[i] != 0 ? same[i] : like[i];
        if (rating == 0)
            continue;
        MEM_ADD(out->items, out->count, out->capacity) =
            (YearRating){(uint16_t)(YEAR_FIRST + i), rating};
    }
    free(found.items);
}

void rating_list_spellings(const RatingList *ratings, StrView name, Str *out) {
    Found found = find_players(ratings, name);
    NameMatch best = NAME_LIKE;
    for (size_t i = 0; i < found.count; i++)
        best = found.items[i].match > best ? found.items[i].match : best;
    for (size_t i = 0; i < ratings->name_count; i++)
        for (size_t k = 0; k < found.count; k++)
            if (found.items[k].player == ratings->names[i].player && found.items[k].match == best) {
                StrView text = name_at(ratings, ratings->names[i].at);
                str_append(out, text.text, text.length);
                str_add(out, "\n");
            }
    free(found.items);
}
