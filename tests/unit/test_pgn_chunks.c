// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/mem.h"
#include "chess/pgn_chunks.h"
#include "data/game_traits.h"
#include "testing.h"

#include <dirent.h>
#include <inttypes.h>

enum { PIECES_MAX = 128, TEXT_SIZE = 5 << 19 };

// What two ways of reading must agree on.
typedef struct Summary {
    uint64_t hash;
    size_t tags, moves;
    PgnProblemKind problem;
    GameResult result, tag_result;
    unsigned notes;
} Summary;

typedef struct Summaries {
    Summary *items;
    size_t count, capacity;
} Summaries;

static void add(Summaries *all, const PgnGame *game) {
    Summary summary;
    memset(&summary, 0, sizeof summary); // compared as bytes
    summary.hash = game_hash(game, SIZE_MAX);
    summary.tags = game->tag_count;
    summary.moves = game->move_count;
    summary.problem = game->problem.kind;
    summary.result = game->result;
    summary.tag_result = game->tag_result;
    summary.notes = game->notes;
    all->items = mem_grow(all->items, &all->capacity, all->count + 1, sizeof *all->items);
    all->items[all->count++] = summary;
}

static Summaries read_whole(const char *path) {
    Summaries all = {0};
    PgnReader *reader;
    const PgnGame *game;
    assert_int_equal(pgn_reader_open(&reader, path), OK);
    while (pgn_reader_next(reader, &game) == OK && game != NULL)
        add(&all, game);
    pgn_reader_close(reader);
    return all;
}

static Summaries read_in_chunks(const char *path, size_t *chunk_count, uint64_t *too_long) {
    Summaries all = {0};
    PgnChunks *chunks;
    PgnChunk chunk = {0};
    PgnGame game = {0};
    *chunk_count = 0;
    assert_int_equal(pgn_chunks_open(&chunks, path), OK);
    for (;; ++*chunk_count) {
        assert_int_equal(pgn_chunks_next(chunks, &chunk), OK);
        if (chunk.length == 0)
            break;
        size_t at = 0, consumed;
        while (pgn_parse(&game, view_of(chunk.text + at, chunk.length - at), true, &consumed) ==
               PGN_STEP_GAME) {
            add(&all, &game);
            at += consumed;
        }
    }
    *too_long = pgn_chunks_too_long(chunks);
    pgn_chunks_close(chunks);
    pgn_chunk_free(&chunk);
    pgn_game_free(&game);
    return all;
}

static size_t check_text(const char *name, const Str *text, uint64_t expected_too_long) {
    char path[TESTING_PATH];
    size_t chunk_count;
    uint64_t too_long;
    testing_write(path, name, text->text, text->length);
    Summaries whole = read_whole(path), parts = read_in_chunks(path, &chunk_count, &too_long);
    assert_int_equal(too_long, expected_too_long);
    assert_int_equal(parts.count + too_long, whole.count);
    if (too_long == 0)
        assert_memory_equal(parts.items, whole.items, whole.count * sizeof *whole.items);
    free(whole.items);
    free(parts.items);
    return chunk_count;
}

static size_t read_corpus(Str pieces[PIECES_MAX]) {
    size_t count = 0;
    DIR *directory = opendir("fuzz/corpus/pgn");
    assert_non_null(directory);
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        char path[TESTING_PATH];
        snprintf(path, sizeof path, "fuzz/corpus/pgn/%s", entry->d_name);
        if (entry->d_name[0] != '.' && strcmp(entry->d_name, "empty") != 0)
            assert_int_equal(file_read(path, 1 << 20, &pieces[count++]), OK);
    }
    closedir(directory);
    return count;
}

// The games of the fuzzers' corpus: everything that is odd, one after the other in random order,
// with comments of any length between, so that cuts fall everywhere.
static void test_chunks_give_the_games_of_the_file(void **state) {
    (void)state;
    static Str pieces[PIECES_MAX];
    size_t piece_count = read_corpus(pieces);
    for (uint64_t seed = 0; seed < 8; seed++) {
        Rng rng = rng_at(seed, 0, 0, 0);
        Str text = {0};
        while (text.length < TEXT_SIZE) {
            const Str *piece = &pieces[rng_below(&rng, (uint32_t)piece_count)];
            str_append(&text, piece->text, piece->length);
            str_addf(&text, "\n\n[Event \"%" PRIu64 "\"]\n\n1. e4 {%*s} e5%s", rng_u64(&rng),
                     (int)rng_below(&rng, 3000), "", rng_below(&rng, 2) ? " 1-0\n\n" : "\n");
        }
        assert_true(check_text("mixed.pgn", &text, 0) >= 4);
        str_free(&text);
    }
    for (size_t i = 0; i < piece_count; i++)
        str_free(&pieces[i]);
}

static bool wants_none(void *context, const PgnGame *game) {
    *(size_t *)context += game->tag_count; // which are complete when it is asked
    return false;
}

static void test_moves_that_are_passed_over_end_where_they_do(void **state) {
    (void)state;
    static Str pieces[PIECES_MAX];
    size_t piece_count = read_corpus(pieces);
    PgnGame read = {0}, passed = {0};
    for (size_t i = 0; i < piece_count; i++) {
        StrView text = view_of(pieces[i].text, pieces[i].length);
        size_t read_bytes, passed_bytes, tags;
        while (pgn_parse(&read, text, true, &read_bytes) == PGN_STEP_GAME) {
            tags = 0;
            assert_int_equal(
                pgn_parse_wanted(&passed, text, true, &passed_bytes, wants_none, &tags),
                PGN_STEP_GAME);
            assert_int_equal(passed_bytes, read_bytes);
            assert_int_equal(passed.tag_count, read.tag_count);
            assert_int_equal(pgn_result(&passed), pgn_result(&read));
            assert_int_equal(passed.move_count, 0);
            assert_true(!passed.is_passed_over || tags == read.tag_count);
            assert_true(passed.is_passed_over || pgn_is_skipped(read.problem.kind) ||
                        read.problem.kind == PGN_OPEN_COMMENT);
            text = view_of(text.text + read_bytes, text.length - read_bytes);
        }
        str_free(&pieces[i]);
        pieces[i] = (Str){0};
    }
    pgn_game_free(&read);
    pgn_game_free(&passed);
}

// No result, so no sure end, anywhere.
static void test_games_without_results(void **state) {
    (void)state;
    Str text = {0};
    for (int i = 0; text.length < PGN_BUFFER_MAX + (1 << 20); i++)
        str_addf(&text, "[Event \"%d\"]\n\n1. e4 {%*s} e5\n\n", i, i % 9973, "");
    assert_true(check_text("without.pgn", &text, 0) >= 2);
    str_free(&text);
}

static void test_a_game_that_is_too_long_is_passed_over(void **state) {
    (void)state;
    static char filler[PGN_BUFFER_MAX + 1];
    memset(filler, 'x', sizeof filler - 1);
    Str text = {0};
    str_addf(&text, "[Event \"a\"]\n\n1. e4 {%s %s} e5 1-0\n\n", filler, filler);
    str_add(&text, "[Event \"b\"]\n\n1. d4 d5 2. c4 1/2-1/2\n");
    check_text("long.pgn", &text, 1);
    str_free(&text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chunks_give_the_games_of_the_file),
        cmocka_unit_test(test_moves_that_are_passed_over_end_where_they_do),
        cmocka_unit_test(test_games_without_results),
        cmocka_unit_test(test_a_game_that_is_too_long_is_passed_over),
    };
    return cmocka_run_group_tests(tests, testing_set_up, testing_tear_down);
}
