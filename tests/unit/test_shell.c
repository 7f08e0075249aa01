// SPDX-License-Identifier: GPL-3.0-or-later
// What shell_quote prints is run by shells, and must come back byte for byte.
#include "base/shell.h"

#include "base/file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { RANDOM_WORDS = 300, LENGTH_MAX = 24, SIZE_MAX_READ = 1 << 20 };

static void read_back(const char *quoted, const char *word) {
    Str got = {0};
    const char *rest = quoted;
    assert_true(shell_next_word(&rest, &got));
    assert_string_equal(str_text(&got), word);
    assert_false(shell_next_word(&rest, &got));
    str_free(&got);
}

// Adds a word to what the shell is to print, and to what it should.
static void add_case(Str *script, Str *expected, const char *word) {
    Str quoted = {0};
    shell_quote(&quoted, word);
    read_back(quoted.text, word);
    for (size_t i = 0; i < quoted.length; i++)
        assert_true((unsigned char)quoted.text[i] >= ' ' && quoted.text[i] != 0x7F);
    str_addf(script, " \\\n %s", quoted.text);
    str_append(expected, word, strlen(word) + 1);
    // Beside other text it is still one word, and within a word it can be quoted again.
    Str nested = {0};
    shell_quote(&nested, quoted.text);
    read_back(nested.text, quoted.text);
    str_addf(script, " \\\n a=%s/b \\\n %s", quoted.text, nested.text);
    str_addf(expected, "a=%s/b", word);
    str_append(expected, "", 1);
    str_append(expected, quoted.text, quoted.length + 1);
    str_free(&nested);
    str_free(&quoted);
}

static const char *const words[] = {
    "",
    " ",
    "a b",
    "O'Kelly.epd.zst",
    "'",
    "''",
    "\"",
    "\\",
    "\\n",
    "a\nb",
    "\n",
    "\t",
    "\r\n",
    "$(touch x)",
    "`touch x`",
    "$HOME",
    "${HOME}",
    "~",
    "~root",
    "*",
    "?",
    "[a]",
    "{a,b}",
    "-",
    "--",
    "-n",
    "-e \\n",
    "!",
    "!!",
    "'!'\n!x",
    "#",
    "a#b",
    ";",
    "&",
    "|",
    "a;touch x",
    "<x",
    ">x",
    "(",
    ")",
    "=ls",
    "a=b",
    "=",
    "M\xC3\xBCller",
    "\xE2\x99\x94",
    "\xE2\x80\xAEx",
    "\xC2\x9B[2J",
    "\x1B[2J",
    "\x7F",
    "\xFF\xFE",
    "\\'",
    "'\n'",
    "$'x'",
    "$",
    "\1777",
    "\n0",
    "\x01"
    "7",
    "cmd='/a b/x' arg=\"y\"",
};

static void add_cases(Str *script, Str *expected) {
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        add_case(script, expected, words[i]);
    for (int byte = 1; byte < 256; byte++) {
        const char alone[] = {(char)byte, '\0'}, digits[] = {(char)byte, '0', '1', 'f', '\0'},
                   within[] = {'a', '\'', (char)byte, ' ', '\0'};
        add_case(script, expected, alone);
        add_case(script, expected, digits);
        add_case(script, expected, within);
    }
    srandom(1);
    for (int i = 0; i < RANDOM_WORDS; i++) {
        char word[LENGTH_MAX + 1] = "";
        const long length = random() % LENGTH_MAX;
        for (long j = 0; j < length; j++)
            word[j] = (char)(random() % 4 == 0 ? 1 + random() % 255 : "'\\\n $\"!`"[random() % 8]);
        add_case(script, expected, word);
    }
}

// Runs the script with a shell; skips one that is not installed.
static void run_with(const char *shell, const char *path, const Str *expected) {
    char command[256];
    Str got = {0};
    snprintf(command, sizeof command, "command -v %s >/dev/null", shell);
    if (system(command) != 0) {
        print_message("%s is not installed: skipped\n", shell);
        return;
    }
    snprintf(command, sizeof command, "%s %s", shell, path);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    char block[4096];
    for (size_t length; (length = fread(block, 1, sizeof block, pipe)) > 0;)
        str_append(&got, block, length);
    assert_int_equal(pclose(pipe), 0);
    assert_int_equal(got.length, expected->length);
    assert_memory_equal(got.text, expected->text, got.length);
    str_free(&got);
}

static void test_shells_read_what_is_quoted(void **state) {
    (void)state;
    static const char *const locales[] = {"C", "C.UTF-8"};
    char path[] = "/tmp/test_shell.XXXXXX";
    Str script = {0}, expected = {0};
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    str_add(&script, "printf '%s\\0'");
    add_cases(&script, &expected);
    str_add(&script, "\n");
    assert_int_equal(file_write(path, script.text, script.length), OK);
    for (size_t i = 0; i < sizeof locales / sizeof *locales; i++) {
        setenv("LC_ALL", locales[i], 1);
        run_with("bash", path, &expected);
        run_with("zsh", path, &expected);
        run_with("ksh", path, &expected);
    }
    unsetenv("LC_ALL");
    unlink(path);
    str_free(&script);
    str_free(&expected);
}

static void assert_quoted(const char *word, const char *expected) {
    Str out = {0};
    shell_quote(&out, word);
    assert_string_equal(str_text(&out), expected);
    str_free(&out);
}

static void test_forms(void **state) {
    (void)state;
    assert_quoted("data/train-2.epd", "data/train-2.epd");
    assert_quoted("", "''");
    assert_quoted("two words", "'two words'");
    assert_quoted("O'Kelly", "'O'\\''Kelly'");
    assert_quoted("M\xC3\xBCller", "'M\xC3\xBCller'");
    assert_quoted("a\nb'\x1B", "$'a\\nb\\047\\033'");
    Str out = {0};
    shell_quote_words(&out, " cmd='/a b/x' \n name=\"it's\"  depth=3");
    assert_string_equal(str_text(&out), "'cmd=/a b/x' 'name=it'\\''s' depth=3");
    str_free(&out);
}

static void assert_words(const char *text, const char *const *expected) {
    Str word = {0};
    for (; *expected != NULL; expected++) {
        assert_true(shell_next_word(&text, &word));
        assert_string_equal(str_text(&word), *expected);
    }
    assert_false(shell_next_word(&text, &word));
    str_free(&word);
}

static void test_words(void **state) {
    (void)state;
    assert_words("  a 'b c'\"d e\" f\\ g \"\" 'open",
                 (const char *const[]){"a", "b cd e", "f g", "", "open", NULL});
    assert_words("$'\\x41\\x4\\e\\a\\q\\\"\\?' x$'\\101b'y $' open\\",
                 (const char *const[]){"A\x04\x1B\a\\q\"?", "xAby", " open", NULL});
    assert_words("a$b $ $\"c\" \\", (const char *const[]){"a$b", "$", "$c", "\\", NULL});
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shells_read_what_is_quoted),
        cmocka_unit_test(test_forms),
        cmocka_unit_test(test_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
