// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/files/verdict_file.h"

#include "base/file.h"

#include <inttypes.h>
#include <string.h>

enum { FILE_BYTES_MAX = 4096, COUNTS = 4 + PAIR_RESULTS, GAMES_MOST = 1 << 30 };

static const char header[] =
    "games,wins,draws,losses,pairs 0,pairs 1/2,pairs 1,pairs 3/2,pairs 2\n";

void verdict_file_add_row(const VerdictCounts *counts, Str *out) {
    str_addf(out, "%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64, counts->played,
             counts->games.wins, counts->games.draws, counts->games.losses);
    for (int i = 0; i < PAIR_RESULTS; i++)
        str_addf(out, ",%" PRIu64, counts->pairs.results[i]);
    str_add(out, "\n");
}

Status verdict_file_write(const char *path, const VerdictCounts *counts) {
    CLEANUP(str_free) Str text = {0};
    str_add(&text, header);
    verdict_file_add_row(counts, &text);
    return file_write(path, text.text, text.length);
}

// The counts behind the header; false where they are none.
static bool read_numbers(StrView line, uint64_t numbers[COUNTS]) {
    for (int i = 0; i < COUNTS; i++) {
        const char end = i < COUNTS - 1 ? ',' : '\n';
        const char *at = line.length == 0 ? NULL : memchr(line.text, end, line.length);
        int64_t number;
        if (at == NULL || !view_to_int(view_of(line.text, (size_t)(at - line.text)), &number) ||
            number < 0 || number > GAMES_MOST)
            return false;
        numbers[i] = (uint64_t)number;
        line = view_of(at + 1, line.length - (size_t)(at - line.text) - 1);
    }
    return line.length == 0;
}

// Whether wins, draws and losses, pairs and points tell of the same games.
static bool is_sound(const VerdictCounts *counts) {
    uint64_t pairs = 0, halves = 0;
    for (int i = 0; i < PAIR_RESULTS; i++) {
        pairs += counts->pairs.results[i];
        halves += (uint64_t)i * counts->pairs.results[i];
    }
    const GameCounts *sums = &counts->games;
    return sums->wins + sums->draws + sums->losses == counts->played &&
           2 * pairs == counts->played && 2 * sums->wins + sums->draws == halves;
}

// As they are, sound or not.
static bool read_counts(StrView line, VerdictCounts *out) {
    uint64_t numbers[COUNTS];
    if (!read_numbers(line, numbers))
        return false;
    *out =
        (VerdictCounts){.played = numbers[0],
                        .games = {.wins = numbers[1], .draws = numbers[2], .losses = numbers[3]}};
    memcpy(out->pairs.results, numbers + 4, sizeof out->pairs.results);
    return true;
}

bool verdict_file_read_row(StrView line, VerdictCounts *out) {
    return read_counts(line, out) && is_sound(out);
}

Status verdict_file_read(const char *path, VerdictCounts *out) {
    CLEANUP(str_free) Str text = {0};
    const size_t start = sizeof header - 1;
    TRY(file_read(path, FILE_BYTES_MAX, &text));
    if (text.length < start || memcmp(text.text, header, start) != 0 ||
        !read_counts(view_of(text.text + start, text.length - start), out))
        return error_set(
            ERR_PARSE,
            "%s: damaged: not the counts of a match; move it away to have the games played again",
            path);
    return is_sound(out)
               ? OK
               : error_set(ERR_PARSE,
                           "%s: damaged: games, wins, draws, losses and pairs contradict each "
                           "other; move it away to have the games played again",
                           path);
}
