// SPDX-License-Identifier: GPL-3.0-or-later
// The cache of labels: what was committed is there, whoever asks; what is no cache is refused.
#include "data/label/label_cache.h"

#include "sized.h"
#include "testing.h"

#include <signal.h>
#include <sqlite3.h>
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

// --- files that somebody made to do harm ---

#define TABLE_MENTOR "CREATE TABLE mentor (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE);"
#define TABLE_LABEL                                                                                \
    "CREATE TABLE label (mentor INTEGER NOT NULL, position TEXT NOT NULL,"                         \
    "  answer TEXT NOT NULL, PRIMARY KEY (mentor, position)) WITHOUT ROWID;"
#define MARKS "PRAGMA application_id = 1178684483; PRAGMA user_version = 1;"

static void run_sql(sqlite3 *db, const char *sql) {
    char *message = NULL;
    if (sqlite3_exec(db, sql, NULL, NULL, &message) != SQLITE_OK)
        fail_msg("%s: %s", sql, message);
}

static sqlite3 *craft(char path[TESTING_PATH], const char *name, const char *sql) {
    sqlite3 *db;
    testing_path(path, name);
    unlink(path);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    run_sql(db, MARKS);
    run_sql(db, sql);
    return db;
}

static void test_other_tables_are_refused(void **state) {
    (void)state;
    static const char *const schemas[] = {
        // What computes instead of being read, for ever.
        TABLE_MENTOR "CREATE VIEW label (mentor, position, answer) AS WITH RECURSIVE n(i) AS "
                     "(VALUES(1) UNION ALL SELECT i + 1 FROM n) SELECT i, i, i FROM n;",
        TABLE_MENTOR "CREATE VIEW label (mentor, position, answer) AS SELECT 1, 'a', 'x';"
                     "CREATE TRIGGER t INSTEAD OF INSERT ON label BEGIN SELECT 1; END;",
        TABLE_MENTOR TABLE_LABEL "CREATE TRIGGER t AFTER INSERT ON label BEGIN "
                                 "DELETE FROM mentor; END;",
        TABLE_MENTOR TABLE_LABEL "CREATE INDEX i ON label (abs(answer));",
        TABLE_MENTOR TABLE_LABEL "CREATE TABLE other (a);",
        TABLE_MENTOR "CREATE TABLE label (mentor, position, answer);",
        TABLE_MENTOR "CREATE TABLE label (mentor INTEGER, position TEXT, answer TEXT "
                     "AS (hex(zeroblob(1000))));",
        TABLE_LABEL "CREATE TABLE mentor (id INTEGER PRIMARY KEY, key TEXT CHECK(length(key)));",
        TABLE_LABEL,
        TABLE_MENTOR,
    };
    for (size_t i = 0; i < sizeof schemas / sizeof *schemas; i++) {
        char path[TESTING_PATH];
        sqlite3_close(craft(path, "schema.sqlite", schemas[i]));
        expect_refused(path, "its tables are not those of a cache: give another file");
    }
    char path[TESTING_PATH];
    sqlite3_close(craft(path, "schema.sqlite", TABLE_MENTOR TABLE_LABEL));
    label_cache_close(open_cache(path, "one"));
}

static void test_values_that_are_no_answers(void **state) {
    (void)state;
    static const char *const values[] = {"x'6162'", "zeroblob(3000000)",
                                         "CAST(x'61006200' AS TEXT)", "printf('%*c', 5000, 'x')",
                                         "printf('%*c', 3000000, 'x')"};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        char path[TESTING_PATH], sql[256];
        sqlite3 *db = craft(path, "value.sqlite", TABLE_MENTOR TABLE_LABEL);
        snprintf(sql, sizeof sql,
                 "INSERT INTO mentor VALUES (7, 'one'); INSERT INTO label VALUES (7, 'a', %s);"
                 "INSERT INTO label VALUES (7, 'b', 'fine');",
                 values[i]);
        run_sql(db, sql);
        sqlite3_close(db);
        LabelCache *cache = open_cache(path, "one");
        Str got = {0};
        bool found;
        assert_int_equal(label_cache_get(cache, "a", &got, &found), ERR_IO);
        assert_non_null(strstr(error_message(), "give another file with --cache"));
        assert_int_equal(got.length, 0);
        expect(cache, "b", "fine");
        label_cache_close(cache);
        str_free(&got);
    }
}

// Opens whatever lies there, and asks; it may fail, with a message that says what to do.
static void ask_all(const char *path) {
    LabelCache *cache;
    Status status = label_cache_open(&cache, path, "one");
    for (int i = 0; i < LABELS && status == OK; i++) {
        char text[32];
        Str got = {0};
        bool found;
        snprintf(text, sizeof text, "%d", i);
        status = label_cache_get(cache, text, &got, &found);
        str_free(&got);
    }
    if (status != OK && strstr(error_message(), "give another file with --cache") == NULL)
        fail_msg("%s", error_message());
    label_cache_close(cache);
}

static void test_damage_does_no_harm(void **state) {
    (void)state;
    char path[TESTING_PATH];
    Str whole = {0}, file = {0};
    testing_path(path, "damage.sqlite");
    LabelCache *cache = open_cache(path, "one");
    assert_int_equal(label_cache_begin(cache), OK);
    for (int i = 0; i < LABELS; i++) {
        char text[32];
        snprintf(text, sizeof text, "%d", i);
        assert_int_equal(label_cache_put(cache, text, "e2e4 cp 20 8"), OK);
    }
    assert_int_equal(label_cache_commit(cache), OK);
    label_cache_close(cache);
    assert_int_equal(file_read(path, 1 << 30, &whole), OK);
    for (size_t i = 0; i < SIZED(400, 100); i++) {
        Rng rng = rng_at(8, (uint32_t)i, 0, 0);
        str_clear(&file);
        str_append(&file, whole.text,
                   i % 4 == 0 ? rng_below(&rng, (uint32_t)whole.length) : whole.length);
        for (size_t j = 0; j < i % 4 * 8; j++) {
            // The first bytes of pages tell how the rest is to be read.
            const uint32_t at = rng_below(&rng, (uint32_t)(file.length / 4096));
            file.text[at * 4096 + rng_below(&rng, j % 2 == 0 ? 120 : 4096)] =
                (char)rng_below(&rng, 256);
        }
        FILE *out = fopen(path, "wb"); // file_write would wait for the disk
        assert_non_null(out);
        assert_int_equal(fwrite(file.text, 1, file.length, out), file.length);
        assert_int_equal(fclose(out), 0);
        ask_all(path);
    }
    str_free(&file);
    str_free(&whole);
}

static void write_number(Str *out, uint32_t number) {
    const char bytes[] = {(char)(number >> 24), (char)(number >> 16), (char)(number >> 8),
                          (char)number};
    str_append(out, bytes, sizeof bytes);
}

// The journal of a transaction that was cut can name a file that SQLite deletes at the end.
static void test_a_journal_deletes_no_file(void **state) {
    (void)state;
    char path[TESTING_PATH], journal[TESTING_PATH], victim[TESTING_PATH];
    Str file = {0}, record = {0};
    sqlite3 *db = craft(path, "trap.sqlite", TABLE_MENTOR TABLE_LABEL);
    run_sql(db, "PRAGMA cache_size = 1; INSERT INTO mentor VALUES (7, 'one'); BEGIN");
    run_sql(db, "WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n LIMIT 3000) "
                "INSERT INTO label SELECT 7, i, printf('%*c', 500, 'x') FROM n");
    testing_path(journal, "trap.sqlite-journal");
    assert_int_equal(file_read(path, 1 << 30, &file), OK);
    assert_int_equal(file_read(journal, 1 << 30, &record), OK);
    sqlite3_close(db);
    testing_write(victim, "victim", "mine", 4);
    uint32_t sum = 0;
    for (const char *c = victim; *c != '\0'; c++)
        sum += (unsigned char)*c;
    write_number(&record, (1 << 30) / 4096 + 1);
    str_add(&record, victim);
    write_number(&record, (uint32_t)strlen(victim));
    write_number(&record, sum);
    str_append(&record, "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7", 8);
    testing_write(path, "trap.sqlite", file.text, file.length);
    testing_write(journal, "trap.sqlite-journal", record.text, record.length);
    expect_refused(path, "damaged, or no cache of labels");
    assert_int_equal(access(victim, F_OK), 0);
    str_free(&file);
    str_free(&record);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_keeps),
        cmocka_unit_test(test_two_processes),
        cmocka_unit_test(test_survives_a_kill),
        cmocka_unit_test(test_refuses),
        cmocka_unit_test(test_other_tables_are_refused),
        cmocka_unit_test(test_values_that_are_no_answers),
        cmocka_unit_test(test_damage_does_no_harm),
        cmocka_unit_test(test_a_journal_deletes_no_file),
    };
    return cmocka_run_group_tests(tests, testing_set_up, testing_tear_down);
}
