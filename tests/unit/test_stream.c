// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/stream.h"

#include "base/file.h"
#include "base/lines.h"
#include "testing.h"

#include <inttypes.h>
#include <sys/stat.h>

enum { SAMPLE = 300000 };

static void shell(const char *format, const char *a, const char *b) {
    char command[4 * TESTING_PATH];
    snprintf(command, sizeof command, format, a, b);
    assert_int_equal(system(command), 0);
}

static void fill_sample(char *text) {
    Rng rng = rng_at(5, 0, 0, 0);
    for (size_t i = 0; i < SAMPLE; i++)
        text[i] = i % 64 == 63 ? '\n' : (char)('a' + rng_below(&rng, 26));
}

static void expect_failure(const char *path, const char *part) {
    Stream *stream;
    assert_int_not_equal(stream_open(&stream, path), OK);
    assert_null(stream);
    if (strstr(error_message(), path) == NULL || strstr(error_message(), part) == NULL)
        fail_msg("\"%s\" does not name %s and \"%s\"", error_message(), path, part);
}

static void expect_content(const char *path, const char *text, size_t length) {
    Str all = {0};
    assert_int_equal(file_read(path, 10 * SAMPLE, &all), OK);
    assert_true(all.length >= length);
    assert_memory_equal(all.text, text, length);
    // Nothing but the line break that ends an archive's member.
    assert_true(all.length - length <= 1);
    str_free(&all);
}

// Packed files are known by their content: each is given a name that tells nothing.
static void test_packed(void **state) {
    (void)state;
    static const char *const packers[] = {"gzip -c '%s' > '%s'",   "bzip2 -c '%s' > '%s'",
                                          "zstd -qc '%s' > '%s'",  "xz -c '%s' > '%s'",
                                          "zip -qj - '%s' > '%s'", "cat '%s' > '%s'"};
    static const char *const tools[] = {"gzip", "bzip2", "zstd", "xz", "zip", "cat"};
    static char text[SAMPLE];
    char plain[TESTING_PATH], packed[TESTING_PATH], probe[64];
    fill_sample(text);
    testing_write(plain, "plain", text, SAMPLE);
    testing_path(packed, "packed.pgn");
    for (size_t i = 0; i < sizeof tools / sizeof tools[0]; i++) {
        snprintf(probe, sizeof probe, "command -v %s >/dev/null", tools[i]);
        if (system(probe) != 0) {
            print_message("SKIPPED: no %s here\n", tools[i]);
            continue;
        }
        shell(packers[i], plain, packed);
        expect_content(packed, text, SAMPLE);
    }
}

static void test_bytes_are_counted(void **state) {
    (void)state;
    char plain[TESTING_PATH], packed[TESTING_PATH];
    static char text[SAMPLE];
    fill_sample(text);
    testing_write(plain, "plain", text, SAMPLE);
    testing_path(packed, "counted");
    shell("gzip -c '%s' > '%s'", plain, packed);
    struct stat info;
    assert_int_equal(stat(packed, &info), 0);
    Stream *stream;
    size_t got;
    assert_int_equal(stream_open(&stream, packed), OK);
    assert_int_equal(stream_bytes_there(stream), info.st_size);
    assert_int_equal(stream_read(stream, text, 10, &got), OK);
    assert_int_equal(got, 10);
    assert_true(stream_bytes_read(stream) <= (uint64_t)info.st_size);
    do
        assert_int_equal(stream_read(stream, text, SAMPLE, &got), OK);
    while (got == SAMPLE);
    assert_int_equal(stream_bytes_read(stream), info.st_size);
    stream_close(stream);
}

static void test_several_members(void **state) {
    (void)state;
    if (system("command -v zip >/dev/null") != 0)
        skip();
    char a[TESTING_PATH], b[TESTING_PATH], zip[TESTING_PATH];
    testing_write(a, "a.txt", "first", 5);
    testing_write(b, "b.txt", "second\n", 7);
    testing_path(zip, "two.zip");
    shell("cd '%s' && mkdir -p sub && zip -qr '%s' a.txt sub b.txt", testing_directory, zip);
    expect_content(zip, "first\nsecond\n", 13);
}

static void test_damage(void **state) {
    (void)state;
    static char text[SAMPLE];
    char plain[TESTING_PATH], packed[TESTING_PATH], cut[TESTING_PATH];
    fill_sample(text);
    testing_write(plain, "plain", text, SAMPLE);
    testing_path(packed, "whole.gz");
    testing_path(cut, "cut.gz");
    shell("gzip -c '%s' > '%s'", plain, packed);
    shell("head -c 100000 '%s' > '%s'", packed, cut);
    Stream *stream;
    size_t got;
    static char out[SAMPLE];
    assert_int_equal(stream_open(&stream, cut), OK);
    assert_int_equal(stream_read(stream, out, SAMPLE, &got), ERR_IO);
    assert_non_null(strstr(error_message(), cut));
    assert_non_null(strstr(error_message(), "damaged or truncated"));
    // What came before the damage is good.
    assert_true(got > 0 && got < SAMPLE);
    assert_memory_equal(out, text, got);
    stream_close(stream);
}

// Whatever is left of a packed text comes before the failure: all of it where only the end of the
// archive is missing, and never less of a longer piece.
static void test_a_cut_gzip_gives_what_is_there(void **state) {
    (void)state;
    static char text[SAMPLE], out[SAMPLE + 1];
    char plain[TESTING_PATH], packed[TESTING_PATH], cut[TESTING_PATH];
    fill_sample(text);
    static const size_t lengths[] = {300, 70000, SAMPLE};
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        struct stat info;
        size_t before = 0;
        testing_write(plain, "plain", text, lengths[i]);
        testing_path(packed, "whole.gz");
        shell("gzip -c '%s' > '%s'", plain, packed);
        assert_int_equal(stat(packed, &info), 0);
        testing_path(cut, "cut.gz");
        for (size_t part = 1; part <= 20; part++) {
            const size_t kept = part * ((size_t)info.st_size - 4) / 20; // the last four: a length
            char head[64];
            Stream *stream;
            size_t got, more;
            snprintf(head, sizeof head, "head -c %zu '%%s' > '%%s'", kept);
            shell(head, packed, cut);
            assert_int_equal(stream_open(&stream, cut), OK);
            // In pieces, so that the failure comes in the middle of one.
            Status status = stream_read(stream, out, 1000, &got);
            if (status == OK) {
                status = stream_read(stream, out + got, sizeof out - got, &more);
                got += more;
            }
            if (status != ERR_IO)
                fail_msg("%zu of %zu bytes are taken for whole: %zu", kept, (size_t)info.st_size,
                         got);
            assert_non_null(strstr(error_message(), "cut.gz: damaged or truncated"));
            assert_true(got >= before && got <= lengths[i]);
            assert_memory_equal(out, text, got);
            assert_int_equal(stream_bytes_read(stream), kept);
            before = got;
            stream_close(stream);
        }
        assert_int_equal(before, lengths[i]);
    }
}

static void test_lines_before_a_cut_are_read(void **state) {
    (void)state;
    char plain[TESTING_PATH], packed[TESTING_PATH], cut[TESTING_PATH];
    Str text = {0};
    for (int i = 1; i <= 100; i++)
        str_addf(&text, "line %d\n", i);
    testing_write(plain, "lines", text.text, text.length);
    testing_path(packed, "lines.gz");
    testing_path(cut, "cut-lines.gz");
    shell("gzip -c '%s' > '%s'", plain, packed);
    shell("head -c -10 '%s' > '%s'", packed, cut);
    LineReader *lines;
    StrView line;
    Status status;
    uint64_t count = 0;
    assert_int_equal(lines_open(&lines, cut, 100), OK);
    while ((status = lines_next(lines, &line)) == OK && line.text != NULL) {
        char expected[32];
        snprintf(expected, sizeof expected, "line %" PRIu64, ++count);
        assert_true(view_equals(line, expected));
    }
    assert_int_equal(status, ERR_IO);
    assert_true(count >= 95 && count <= 100);
    lines_close(lines);
    str_free(&text);
}

static void test_refused(void **state) {
    (void)state;
    char path[TESTING_PATH];
    expect_failure(testing_directory, "directory");
    testing_path(path, "absent");
    expect_failure(path, "No such file");
    testing_write(path, "empty", "", 0);
    expect_failure(path, "empty");
    testing_write(path, "secret", "x", 1);
    assert_int_equal(chmod(path, 0), 0);
    if (access(path, R_OK) != 0) // root reads everything
        expect_failure(path, "Permission denied");
}

static void expect_line(LineReader *lines, const char *text, uint64_t number) {
    StrView line;
    assert_int_equal(lines_next(lines, &line), OK);
    assert_non_null(line.text);
    if (!view_equals(line, text))
        fail_msg("line \"%.*s\", not \"%s\"", (int)line.length, line.text, text);
    assert_int_equal(lines_number(lines), number);
}

static void test_lines(void **state) {
    (void)state;
    static const char text[] = "one\r\ntwo\0\n\nfour\0\0five\nlonger than the others\n\0\nlast";
    char path[TESTING_PATH];
    testing_write(path, "lines", text, sizeof text - 1);
    LineReader *lines;
    StrView line;
    assert_int_equal(lines_open(&lines, path, 12), OK);
    expect_line(lines, "one", 1);
    expect_line(lines, "two", 2);
    expect_line(lines, "", 3);
    expect_line(lines, "four", 4);
    expect_line(lines, "five", 4);
    assert_int_equal(lines_offset(lines), 11);
    assert_int_equal(lines_next(lines, &line), ERR_LIMIT);
    assert_non_null(strstr(error_message(), ":5: the line is longer than 12 bytes"));
    expect_line(lines, "", 6);
    expect_line(lines, "last", 7);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(lines_next(lines, &line), OK);
        assert_null(line.text);
    }
    lines_close(lines);
}

static void test_long_lines(void **state) {
    (void)state;
    static char text[SAMPLE];
    char path[TESTING_PATH];
    memset(text, 'x', sizeof text);
    text[200000] = '\n';
    testing_write(path, "long", text, sizeof text);
    LineReader *lines;
    StrView line;
    assert_int_equal(lines_open(&lines, path, 250000), OK);
    assert_int_equal(lines_next(lines, &line), OK);
    assert_int_equal(line.length, 200000);
    assert_int_equal(lines_next(lines, &line), OK);
    assert_int_equal(line.length, SAMPLE - 200001);
    lines_close(lines);
    assert_int_equal(lines_open(&lines, path, 1000), OK);
    assert_int_equal(lines_next(lines, &line), ERR_LIMIT);
    assert_int_equal(lines_next(lines, &line), ERR_LIMIT);
    assert_int_equal(lines_next(lines, &line), OK);
    assert_null(line.text);
    lines_close(lines);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_packed),
        cmocka_unit_test(test_bytes_are_counted),
        cmocka_unit_test(test_several_members),
        cmocka_unit_test(test_damage),
        cmocka_unit_test(test_a_cut_gzip_gives_what_is_there),
        cmocka_unit_test(test_lines_before_a_cut_are_read),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_long_lines),
    };
    return cmocka_run_group_tests(tests, testing_set_up, testing_tear_down);
}
