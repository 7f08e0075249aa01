// SPDX-License-Identifier: GPL-3.0-or-later
// The cache of labels: what was committed is there, whoever asks; what is no cache is refused.
#include "data/label_cache.h"

#include "testing.h"

#include <signal.h>
#include <sys/wait.h>

enum { LABELS = 300 };

static LabelCache *open_cache(const char *path, const char *mentor) {
    LabelCache *cache;
    if (label_cache_open(&cache, path, mentor) != OK)
        fail_msg("%s", error_message());
    return cache;
}

static void put_one(LabelCache *cache, const char *position, const char *answer) {
    assert_int_equal(label_cache_begin(cache), OK);
    assert_int_equal(label_cache_put(cache, position, answer), OK);
    assert_int_equal(label_cache_commit(cache), OK);
}

static void expect(LabelCache *cache, const char *position, const char *answer) {
    Str got = {0};
    bool found;
    assert_int_equal(label_cache_get(cache, position, &got, &found), OK);
    assert_int_equal(found, answer != NULL);
    if (answer != NULL)
        assert_string_equal(str_text(&got), answer);
    str_free(&got);
}

static void test_keeps(void **state) {
    (void)state;
    char path[TESTING_PATH];
    testing_path(path, "kept.sqlite");
    LabelCache *cache = open_cache(path, "one");
    expect(cache, "a", NULL);
    put_one(cache, "a", "first");
    put_one(cache, "a", "second"); // the first stands
    expect(cache, "a", "first");
    assert_int_equal(label_cache_begin(cache), OK);
    assert_int_equal(label_cache_put(cache, "b", "lost"), OK);
    label_cache_close(cache);
    cache = open_cache(path, "one");
    expect(cache, "a", "first");
    expect(cache, "b", NULL);
    // Each mentor has its own.
    LabelCache *other = open_cache(path, "two");
    expect(other, "a", NULL);
    put_one(other, "a", "of two");
    expect(other, "a", "of two");
    expect(cache, "a", "first");
    label_cache_close(other);
    label_cache_close(cache);
    label_cache_close(NULL);
}

static void write_all(const char *path, int from) {
    LabelCache *cache = open_cache(path, "shared");
    for (int i = from; i < LABELS; i += 2) {
        char text[32];
        snprintf(text, sizeof text, "%d", i);
        put_one(cache, text, text);
    }
    label_cache_close(cache);
}

// Two processes make and fill one file.
static void test_two_processes(void **state) {
    (void)state;
    char path[TESTING_PATH];
    testing_path(path, "two.sqlite");
    pid_t pid = fork();
    if (pid == 0) {
        write_all(path, 0);
        _exit(0);
    }
    write_all(path, 1);
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
    LabelCache *cache = open_cache(path, "shared");
    for (int i = 0; i < LABELS; i++) {
        char text[32];
        snprintf(text, sizeof text, "%d", i);
        expect(cache, text, text);
    }
    label_cache_close(cache);
}

// A process killed between two commits leaves what it had committed.
static void test_survives_a_kill(void **state) {
    (void)state;
    char path[TESTING_PATH];
    testing_path(path, "killed.sqlite");
    pid_t pid = fork();
    if (pid == 0) {
        LabelCache *cache = open_cache(path, "one");
        put_one(cache, "a", "kept");
        if (label_cache_begin(cache) == OK && label_cache_put(cache, "b", "lost") == OK)
            raise(SIGKILL);
        _exit(1);
    }
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFSIGNALED(status));
    LabelCache *cache = open_cache(path, "one");
    expect(cache, "a", "kept");
    expect(cache, "b", NULL);
    put_one(cache, "b", "now");
    label_cache_close(cache);
}

static void expect_refused(const char *path, const char *message) {
    LabelCache *cache;
    assert_int_equal(label_cache_open(&cache, path, "one"), ERR_IO);
    assert_null(cache);
    if (strstr(error_message(), message) == NULL)
        fail_msg("'%s' is not in '%s'", message, error_message());
}

static void test_refuses(void **state) {
    (void)state;
    char path[TESTING_PATH], command[2 * TESTING_PATH];
    Str junk = {0};
    for (int i = 0; i < 1000; i++)
        str_addf(&junk, "no database %d\n", i);
    testing_write(path, "junk.sqlite", junk.text, junk.length);
    str_free(&junk);
    expect_refused(path, "damaged, or no cache of labels: give another file with --cache");
    testing_path(path, "no-such-folder/x.sqlite");
    expect_refused(path, "unable to open");
    expect_refused(testing_directory, "unable to open");
    // The first page of the tables is overwritten.
    testing_path(path, "broken.sqlite");
    LabelCache *cache = open_cache(path, "one");
    put_one(cache, "a", "x");
    label_cache_close(cache);
    snprintf(command, sizeof command,
             "dd if=/dev/zero of='%s' bs=1000 seek=1 count=12 conv=notrunc 2>/dev/null", path);
    assert_int_equal(system(command), 0);
    expect_refused(path, "damaged");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_keeps),
        cmocka_unit_test(test_two_processes),
        cmocka_unit_test(test_survives_a_kill),
        cmocka_unit_test(test_refuses),
    };
    return cmocka_run_group_tests(tests, testing_set_up, testing_tear_down);
}
