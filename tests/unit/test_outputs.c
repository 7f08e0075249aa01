// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/outputs.h"

#include "base/str.h"
#include "testing.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

// The path of a name in the test's folder; good until four more are asked for.
static const char *at(const char *name) {
    static char paths[4][TESTING_PATH + 64];
    static int next;
    next = (next + 1) % 4;
    snprintf(paths[next], sizeof paths[next], "%s/%s", testing_directory, name);
    return paths[next];
}

static size_t count_files(void) {
    DIR *directory = opendir(testing_directory);
    size_t count = 0;
    while (readdir(directory) != NULL)
        count++;
    closedir(directory);
    return count;
}

// Checks the list, empties it, and makes sure that nothing stays behind.
static void expect(Outputs *outputs, Status status, const char *part) {
    const size_t files = count_files();
    assert_int_equal(outputs_check(outputs), status);
    if (status != OK)
        assert_non_null(strstr(error_message(), part));
    assert_int_equal(count_files(), files);
    outputs_free(outputs);
}

static void expect_pair(OutputKind first, const char *one, OutputKind second, const char *two,
                        Status status, const char *part) {
    Outputs outputs = {0};
    outputs_add(&outputs, first, "--one", one);
    outputs_add(&outputs, second, "--two", two);
    expect(&outputs, status, part);
}

static void expect_single(OutputKind kind, const char *path, Status status, const char *part) {
    Outputs outputs = {0};
    outputs_add(&outputs, kind, "--one", path);
    expect(&outputs, status, part);
}

static int set_up(void **state) {
    char path[TESTING_PATH];
    if (testing_set_up(state) != 0)
        return -1;
    testing_write(path, "file", "text", 4);
    return mkdir(at("folder"), 0777) | mkdir(at("other"), 0777) | link(path, at("hard")) |
           symlink("file", at("soft")) | symlink("../new", at("folder/dangling")) |
           symlink("round", at("round")) | symlink("folder", at("to-folder"));
}

static void test_nothing_to_check(void **state) {
    (void)state;
    Outputs outputs = {0};
    outputs_add_input(&outputs, NULL);
    outputs_add(&outputs, OUTPUT_FILE, "--one", NULL);
    outputs_add_members(&outputs, "--one", NULL, NULL);
    assert_int_equal(outputs.count, 0);
    outputs_add_input(&outputs, at("no/such/file"));
    outputs_add_input(&outputs, at("folder"));
    assert_int_equal(outputs.count, 0);
    expect(&outputs, OK, NULL);
}

static void test_an_input_by_any_name(void **state) {
    (void)state;
    static const char *const names[] = {"file",           "hard",   "soft",
                                        "folder/../file", "./file", "to-folder/../file"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (OutputKind kind = OUTPUT_FILE; kind <= OUTPUT_MEMBER; kind++) {
            Outputs outputs = {0};
            outputs_add(&outputs, kind, "--one", at(names[i]));
            outputs_add_input(&outputs, at("file"));
            outputs_add_input(&outputs, at("file"));
            expect(&outputs, ERR_ARG, "is the same file as the input");
        }
    Outputs outputs = {0};
    outputs_add_input(&outputs, at("file"));
    outputs_add(&outputs, OUTPUT_FILE, "--one", at("new"));
    expect(&outputs, OK, NULL);
}

static void test_two_that_are_one(void **state) {
    (void)state;
    static const char *const same[] = {"new", "folder/../new", "folder/dangling", ".//./new",
                                       "to-folder/../new"};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        for (size_t j = 0; j < sizeof same / sizeof *same; j++)
            expect_pair(OUTPUT_FILE, at(same[i]), OUTPUT_APPENDED, at(same[j]), ERR_ARG,
                        "is the same file as --one");
    expect_pair(OUTPUT_FILE, at("new"), OUTPUT_FILE, at("folder/new"), OK, NULL);
    expect_pair(OUTPUT_FILE, at("to-folder/new"), OUTPUT_FILE, at("folder/new"), ERR_ARG, "same");
    expect_pair(OUTPUT_FOLDER, at("new"), OUTPUT_FILE, at("new"), ERR_ARG, "same");
    expect_pair(OUTPUT_FOLDER, at("a/b"), OUTPUT_FOLDER, at("a//b/"), ERR_ARG, "same");
    expect_pair(OUTPUT_LOG, at("new"), OUTPUT_LOG, at("new"), OK, NULL);
    expect_pair(OUTPUT_LOG, at("new"), OUTPUT_APPENDED, at("new"), ERR_ARG, "same");
    expect_pair(OUTPUT_FILE, "/dev/null", OUTPUT_FILE, "/dev/null", OK, NULL);
}

static void test_members(void **state) {
    (void)state;
    const char *const names[] = {"a", "file", NULL};
    Outputs outputs = {0};
    outputs_add_members(&outputs, "--one", testing_directory, names);
    outputs_add_input(&outputs, at("file"));
    expect(&outputs, ERR_ARG, "is the same file as the input");
    outputs_add_members(&outputs, "--one", at("new"), names);
    outputs_add(&outputs, OUTPUT_FILE, "--two", at("new/a"));
    expect(&outputs, ERR_ARG, "is the same file as --one");
    outputs_add_members(&outputs, "--one", at("new"), names);
    expect(&outputs, OK, NULL);
}

static void test_what_cannot_be_written(void **state) {
    (void)state;
    for (OutputKind kind = OUTPUT_FILE; kind <= OUTPUT_LOG; kind++) {
        expect_single(kind, at("no/new"), ERR_IO, "make the folder");
        expect_single(kind, at("file/new"), ERR_IO, "cannot be written");
        expect_single(kind, at("folder"), ERR_IO, "it is a folder, not a file");
        expect_single(kind, at("no/"), ERR_IO, "a file needs a name");
        expect_single(kind, at("round"), ERR_IO, "cannot be written");
        expect_single(kind, "", ERR_IO, "a file needs a name");
        expect_single(kind, "/proc/new", ERR_IO, "--one /proc/new cannot be written");
        expect_single(kind, at("new"), OK, NULL);
        expect_single(kind, at("file"), OK, NULL);
        expect_single(kind, at("soft"), OK, NULL);
        expect_single(kind, "/dev/full", OK, NULL);
    }
    expect_single(OUTPUT_FOLDER, at("file"), ERR_IO, "it is a file, not a folder");
    expect_single(OUTPUT_FOLDER, at("file/new/new"), ERR_IO, "file is a file, not a folder");
    expect_single(OUTPUT_FOLDER, "/proc/new/new", ERR_IO, "--one /proc/new/new cannot be written");
    expect_single(OUTPUT_FOLDER, "", ERR_IO, "a folder needs a name");
    expect_single(OUTPUT_FOLDER, at("folder"), OK, NULL);
    expect_single(OUTPUT_FOLDER, at("a/b/c/"), OK, NULL);
}

static void test_a_file_in_a_folder_that_is_made(void **state) {
    (void)state;
    expect_pair(OUTPUT_FOLDER, at("new"), OUTPUT_LOG, at("new/log"), OK, NULL);
    expect_pair(OUTPUT_FOLDER, at("new"), OUTPUT_LOG, at("old/log"), ERR_IO, "make the folder");
}

static void test_what_is_there_stays_as_it_is(void **state) {
    (void)state;
    struct stat before, after;
    assert_int_equal(stat(at("file"), &before), 0);
    for (OutputKind kind = OUTPUT_FILE; kind <= OUTPUT_LOG; kind++)
        expect_single(kind, at("file"), OK, NULL);
    assert_int_equal(stat(at("file"), &after), 0);
    assert_true(before.st_ino == after.st_ino && before.st_size == after.st_size &&
                before.st_mtim.tv_sec == after.st_mtim.tv_sec &&
                before.st_mtim.tv_nsec == after.st_mtim.tv_nsec);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_to_check),
        cmocka_unit_test(test_an_input_by_any_name),
        cmocka_unit_test(test_two_that_are_one),
        cmocka_unit_test(test_members),
        cmocka_unit_test(test_what_cannot_be_written),
        cmocka_unit_test(test_a_file_in_a_folder_that_is_made),
        cmocka_unit_test(test_what_is_there_stays_as_it_is),
    };
    return cmocka_run_group_tests(tests, set_up, testing_tear_down);
}
