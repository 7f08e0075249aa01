// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/journal.h"

#include "base/file.h"
#include "tests/unit/testing.h"

#include <stdlib.h>
#include <unistd.h>

static char folder[] = "/tmp/falconer-journal-XXXXXX";

static void check_file(const char *expected) {
    CLEANUP(str_free) Str path = {0};
    CLEANUP(str_free) Str text = {0};
    str_addf(&path, "%s/a.jsonl", folder);
    assert_int_equal(file_read(str_text(&path), 1 << 10, &text), OK);
    assert_string_equal(str_text(&text), expected);
}

static void add(Journal *journal, const char *text) {
    CLEANUP(str_free) Str record = {0};
    str_add(&record, text);
    assert_int_equal(journal_append(journal, &record), OK);
}

static void test_grows_and_is_cut(void **state) {
    (void)state;
    Journal journal = JOURNAL_NONE;
    assert_int_equal(journal_open(&journal, folder, "a.jsonl"), OK);
    assert_int_equal(journal.length, 0);
    add(&journal, "one\n");
    add(&journal, "two\nhalf");
    assert_int_equal(journal_sync(&journal), OK);
    assert_int_equal(journal_close(&journal), OK);
    assert_int_equal(journal_close(&journal), OK); // not open: fine
    check_file("one\ntwo\nhalf");
    assert_int_equal(journal_open(&journal, folder, "a.jsonl"), OK);
    assert_int_equal(journal.length, 12);
    assert_int_equal(journal_cut(&journal, 8), OK);
    assert_int_equal(journal_cut(&journal, 100), OK); // nothing is there to be cut
    assert_int_equal(journal.length, 8);
    add(&journal, "three\n");
    assert_int_equal(journal.length, 14);
    assert_int_equal(journal_close(&journal), OK);
    check_file("one\ntwo\nthree\n");
}

static void test_failures_name_the_file(void **state) {
    (void)state;
    Journal journal = JOURNAL_NONE;
    assert_int_equal(journal_open(&journal, "/no/such/folder", "a.jsonl"), ERR_IO);
    assert_non_null(strstr(error_message(), "/no/such/folder/a.jsonl: No such file"));
    assert_int_equal(journal_close(&journal), OK);
    journal.fd = -1;
    assert_int_equal(journal_open(&journal, "/dev", "full"), OK);
    CLEANUP(str_free) Str record = {0};
    str_add(&record, "x\n");
    assert_int_equal(journal_append(&journal, &record), ERR_IO);
    assert_non_null(strstr(error_message(), "/dev/full: No space left"));
    assert_int_equal(journal_close(&journal), OK);
}

static int set_up(void **state) {
    (void)state;
    return mkdtemp(folder) == NULL;
}

static int tear_down(void **state) {
    (void)state;
    CLEANUP(str_free) Str path = {0};
    str_addf(&path, "%s/a.jsonl", folder);
    unlink(str_text(&path));
    return rmdir(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_grows_and_is_cut),
        cmocka_unit_test(test_failures_name_the_file),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
