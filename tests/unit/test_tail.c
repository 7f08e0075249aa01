// SPDX-License-Identifier: GPL-3.0-or-later
// Lines of a file that somebody else writes: each is told once, when it is whole, however it came
// to be there. And files that are links are not read.
#include "serve/plain_file.h"
#include "serve/tail.h"

#include "testing.h"

#include <fcntl.h>
#include <sys/stat.h>

typedef struct Heard {
    Str lines;
    unsigned restarts;
    uint64_t next; // where the next line must begin
} Heard;

static void restart(void *context) {
    Heard *heard = context;
    heard->restarts++;
    heard->next = 0;
    str_clear(&heard->lines);
}

static void take(void *context, StrView line, uint64_t at) {
    Heard *heard = context;
    assert_int_equal(at, heard->next);
    assert_int_equal(line.text[line.length], '\0');
    heard->next += line.length + 1;
    str_append(&heard->lines, line.text, line.length);
    str_add(&heard->lines, "\n");
}

static void append(const char *path, const char *text, size_t length) {
    const int file = open(path, O_WRONLY | O_CREAT | O_APPEND, 0600);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, length), (ssize_t)length);
    close(file);
}

static void look(Tail *tail, const char *path, Heard *heard) {
    const TailEvents events = {heard, restart, take};
    assert_int_equal(tail_read(tail, path, &events), OK);
}

// A text that grows by random pieces is heard line by line.
static void test_whatever_the_pieces(void **state) {
    (void)state;
    char path[TESTING_PATH];
    testing_path(path, "grows");
    for (uint32_t seed = 0; seed < 20; seed++) {
        Rng rng = rng_at(9, seed, 0, 0);
        Tail tail = {0};
        Heard heard = {0};
        Str all = {0};
        unlink(path);
        look(&tail, path, &heard);
        for (int i = 0; i < 60; i++) {
            char piece[64];
            const size_t length = rng_below(&rng, sizeof piece);
            for (size_t k = 0; k < length; k++)
                piece[k] = rng_below(&rng, 9) == 0 ? '\n' : (char)('a' + rng_below(&rng, 26));
            append(path, piece, length);
            str_append(&all, piece, length);
            look(&tail, path, &heard);
            assert_int_equal(heard.restarts, 1);
            const char *end = memrchr(str_text(&all), '\n', all.length);
            const size_t whole = end == NULL ? 0 : (size_t)(end - all.text) + 1;
            assert_int_equal(heard.lines.length, whole);
            assert_int_equal(memcmp(str_text(&heard.lines), str_text(&all), whole), 0);
            assert_false(tail_has_news(&tail, path));
        }
        str_free(&heard.lines);
        str_free(&all);
    }
}

static void test_a_file_that_was_cut_or_replaced(void **state) {
    (void)state;
    char path[TESTING_PATH], other[TESTING_PATH];
    Tail tail = {0};
    Heard heard = {0};
    testing_write(path, "cut", "one\ntwo\nthree\n", 14);
    look(&tail, path, &heard);
    assert_int_equal(truncate(path, 4), 0);
    assert_true(tail_has_news(&tail, path));
    look(&tail, path, &heard);
    assert_int_equal(heard.restarts, 2);
    assert_string_equal(str_text(&heard.lines), "one\n");
    testing_write(other, "other", "four\nfive\n", 10);
    assert_int_equal(rename(other, path), 0);
    look(&tail, path, &heard);
    assert_string_equal(str_text(&heard.lines), "four\nfive\n");
    str_free(&heard.lines);
}

static void test_a_line_without_end(void **state) {
    (void)state;
    char path[TESTING_PATH];
    Tail tail = {0};
    Heard heard = {0};
    const TailEvents events = {&heard, restart, take};
    testing_write(path, "long", "x", 1);
    assert_int_equal(truncate(path, 2 * TAIL_LINE_MAX), 0);
    assert_int_equal(tail_read(&tail, path, &events), ERR_LIMIT);
    str_free(&heard.lines);
}

static void test_links_and_folders_are_not_read(void **state) {
    (void)state;
    char path[TESTING_PATH], link[TESTING_PATH], folder[TESTING_PATH], pipe[TESTING_PATH];
    char behind[TESTING_PATH + 8];
    Str text = {0};
    testing_write(path, "plain", "text", 4);
    testing_path(link, "link");
    testing_path(folder, "folder-link");
    testing_path(pipe, "pipe");
    assert_int_equal(symlink(path, link), 0);
    assert_int_equal(symlink(testing_directory, folder), 0);
    assert_int_equal(mkfifo(pipe, 0600), 0);
    snprintf(behind, sizeof behind, "%s/plain", folder);
    assert_true(plain_exists(path));
    assert_false(plain_exists(link));
    assert_false(plain_exists(behind));
    assert_false(plain_exists(pipe));
    assert_false(plain_exists(testing_directory));
    assert_false(plain_exists("/dev/null"));
    assert_int_equal(plain_read(path, 3, &text), ERR_LIMIT);
    assert_int_equal(plain_read_part(path, 2, 3, &text), ERR_IO);
    str_clear(&text);
    assert_int_equal(plain_read_part(path, 1, 2, &text), OK);
    assert_string_equal(str_text(&text), "ex");
    str_free(&text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whatever_the_pieces),
        cmocka_unit_test(test_a_file_that_was_cut_or_replaced),
        cmocka_unit_test(test_a_line_without_end),
        cmocka_unit_test(test_links_and_folders_are_not_read),
    };
    return cmocka_run_group_tests(tests, testing_set_up, testing_tear_down);
}
