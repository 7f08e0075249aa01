// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/file.h"

#include "testing.h"

#include <dirent.h>
#include <sys/stat.h>

static void expect_text(const char *path, const char *text) {
    Str all = {0};
    assert_int_equal(file_read(path, 1 << 20, &all), OK);
    assert_string_equal(str_text(&all), text);
    str_free(&all);
}

static size_t count_files(void) {
    DIR *directory = opendir(testing_directory);
    size_t count = 0;
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;)
        count += entry->d_name[0] != '.';
    closedir(directory);
    return count;
}

static void test_appears_at_commit(void **state) {
    (void)state;
    char path[TESTING_PATH];
    testing_write(path, "out", "old", 3);
    size_t files = count_files();
    OutFile *file;
    assert_int_equal(outfile_open(&file, path), OK);
    assert_int_equal(outfile_write(file, "new ", 4), OK);
    assert_int_equal(outfile_write(file, "text", 4), OK);
    expect_text(path, "old");
    assert_int_equal(outfile_commit(file), OK);
    expect_text(path, "new text");
    assert_int_equal(count_files(), files);
}

static void test_discard(void **state) {
    (void)state;
    char path[TESTING_PATH];
    testing_write(path, "kept", "old", 3);
    size_t files = count_files();
    OutFile *file;
    assert_int_equal(outfile_open(&file, path), OK);
    assert_int_equal(outfile_write(file, "new", 3), OK);
    outfile_discard(file);
    outfile_discard(NULL);
    expect_text(path, "old");
    assert_int_equal(count_files(), files);
}

// Packed by name: smaller, the same when read, and the same bytes each time.
static void test_packed(void **state) {
    (void)state;
    char one[TESTING_PATH], two[TESTING_PATH], command[3 * TESTING_PATH];
    Str text = {0}, back = {0};
    for (int i = 0; i < 20000; i++)
        str_addf(&text, "line %d of many\n", i * 7919 % 1000);
    testing_write(one, "a.epd.zst", text.text, text.length);
    testing_write(two, "b.epd.zst", text.text, text.length);
    assert_int_equal(file_read(one, 1 << 20, &back), OK);
    // The seam behind a packed member reads as a line break.
    assert_int_equal(back.length, text.length + 1);
    assert_memory_equal(back.text, text.text, text.length);
    snprintf(command, sizeof command, "cmp '%s' '%s'", one, two);
    assert_int_equal(system(command), 0);
    struct stat info;
    assert_int_equal(stat(one, &info), 0);
    assert_true((size_t)info.st_size < text.length / 2);
    str_free(&text);
    str_free(&back);
}

static void test_packed_failures(void **state) {
    (void)state;
    char path[TESTING_PATH];
    testing_write(path, "kept.zst", "old", 3);
    size_t files = count_files();
    OutFile *file;
    assert_int_equal(outfile_open(&file, path), OK);
    assert_int_equal(outfile_write(file, "new", 3), OK);
    outfile_discard(file);
    assert_int_equal(count_files(), files);
    // Everything written here is refused by the disk; the link's name asks for packing.
    testing_path(path, "full.zst");
    assert_int_equal(symlink("/dev/full", path), 0);
    assert_int_equal(file_write(path, "text", 4), ERR_IO);
    assert_non_null(strstr(error_message(), "No space left"));
}

static void test_mode_and_links(void **state) {
    (void)state;
    char path[TESTING_PATH], link[TESTING_PATH];
    testing_write(path, "moded", "old", 3);
    assert_int_equal(chmod(path, 0640), 0);
    testing_path(link, "link");
    assert_int_equal(symlink(path, link), 0);
    assert_int_equal(file_write(link, "new", 3), OK);
    expect_text(path, "new");
    struct stat info;
    assert_int_equal(lstat(link, &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0640);
}

static void test_failures_name_the_path(void **state) {
    (void)state;
    OutFile *file;
    assert_int_equal(outfile_open(&file, testing_directory), ERR_IO);
    assert_non_null(strstr(error_message(), testing_directory));
    assert_int_equal(outfile_open(&file, "/nonexistent/place/file"), ERR_IO);
    assert_non_null(strstr(error_message(), "/nonexistent/place/file"));
}

static void test_full_disk(void **state) {
    (void)state;
    if (access("/dev/full", W_OK) != 0)
        skip();
    assert_int_equal(file_write("/dev/full", "text", 4), ERR_IO);
    assert_non_null(strstr(error_message(), "/dev/full"));
    assert_non_null(strstr(error_message(), "No space left"));
}

static void test_large_writes(void **state) {
    (void)state;
    enum { PIECE = 40000, PIECES = 7 };
    static char piece[PIECE];
    char path[TESTING_PATH];
    testing_path(path, "large");
    OutFile *file;
    assert_int_equal(outfile_open(&file, path), OK);
    for (int i = 0; i < PIECES; i++) {
        memset(piece, 'a' + i, PIECE);
        assert_int_equal(outfile_write(file, piece, PIECE), OK);
    }
    assert_int_equal(outfile_commit(file), OK);
    Str all = {0};
    assert_int_equal(file_read(path, PIECE * PIECES, &all), OK);
    assert_int_equal(all.length, PIECE * PIECES);
    for (size_t i = 0; i < all.length; i++)
        assert_int_equal(all.text[i], 'a' + (int)(i / PIECE));
    str_clear(&all);
    assert_int_equal(file_read(path, PIECE * PIECES - 1, &all), ERR_LIMIT);
    str_free(&all);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_appears_at_commit),
        cmocka_unit_test(test_discard),
        cmocka_unit_test(test_packed),
        cmocka_unit_test(test_packed_failures),
        cmocka_unit_test(test_mode_and_links),
        cmocka_unit_test(test_failures_name_the_path),
        cmocka_unit_test(test_full_disk),
        cmocka_unit_test(test_large_writes),
    };
    return cmocka_run_group_tests(tests, testing_set_up, testing_tear_down);
}
