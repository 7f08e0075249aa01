// SPDX-License-Identifier: GPL-3.0-or-later
// Who may ask the server: names that lead to it, secrets.
#include "serve/access.h"

#include "testing.h"

static Access made(void) {
    Access access;
    assert_int_equal(access_init(&access), OK);
    access_set_port(&access, 8080);
    return access;
}

static void test_our_names(void **state) {
    (void)state;
    static const char *const others[] = {
        "",
        "127.0.0.1",
        "localhost",
        "127.0.0.1:80",
        "127.0.0.1:80801",
        "127.0.0.1:8080 ",
        " 127.0.0.1:8080",
        "127.0.0.1:8080.evil.example",
        "localhost.evil.example:8080",
        "evil.example:8080",
        "127.0.0.1:8080,evil.example",
        "127.0.0.2:8080",
        "0.0.0.0:8080",
        "[::1]:8080",
        "2130706433:8080",
        "127.1:8080",
        "user@127.0.0.1:8080",
    };
    const Access access = made();
    assert_true(access_host_is_ours(&access, "127.0.0.1:8080"));
    assert_true(access_host_is_ours(&access, "localhost:8080"));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_false(access_host_is_ours(&access, others[i]));
}

static void test_our_origin(void **state) {
    (void)state;
    static const char *const others[] = {"",
                                         "null",
                                         "127.0.0.1:8080",
                                         "https://127.0.0.1:8080",
                                         "http://127.0.0.1",
                                         "http://127.0.0.1:8081",
                                         "http://evil.example",
                                         "http://127.0.0.1:8080/",
                                         "http://127.0.0.1:8080@evil.example"};
    const Access access = made();
    assert_true(access_origin_is_ours(&access, "http://127.0.0.1:8080"));
    assert_true(access_origin_is_ours(&access, "http://localhost:8080"));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_false(access_origin_is_ours(&access, others[i]));
}

static void test_secrets(void **state) {
    (void)state;
    const Access access = made(), other = made();
    char wrong[ACCESS_SECRET_SIZE];
    assert_int_equal(strlen(access.token), ACCESS_SECRET_SIZE - 1);
    assert_true(access_is_secret(access.token, access.token));
    assert_false(access_is_secret(access.token, NULL));
    assert_false(access_is_secret(access.token, ""));
    assert_false(access_is_secret(access.token, access.cookie));
    assert_false(access_is_secret(access.token, other.token));
    for (size_t i = 0; i < ACCESS_SECRET_SIZE - 1; i++) {
        memcpy(wrong, access.token, sizeof wrong);
        wrong[i] ^= 1;
        assert_false(access_is_secret(access.token, wrong));
        wrong[i] = '\0';
        assert_false(access_is_secret(access.token, wrong));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_our_names),
        cmocka_unit_test(test_our_origin),
        cmocka_unit_test(test_secrets),
    };
    return cmocka_run_group_tests(tests, testing_set_up, testing_tear_down);
}
