// SPDX-License-Identifier: GPL-3.0-or-later
// Sanitizers make a program many times slower and watch what code does, not how often: there, the
// same properties are tried on fewer cases.
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#ifdef __has_feature // clang's way to tell
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__ 1
#endif
#if __has_feature(thread_sanitizer)
#define __SANITIZE_THREAD__ 1
#endif
#endif

// A number, or a text of one: in plain builds, and where a sanitizer watches.
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define SIZED(plain, watched) watched
#else
#define SIZED(plain, watched) plain
#endif

// Under ThreadSanitizer, runs only the tests whose names match the glob: those about threads.
static inline void sized_to_threads(const char *pattern) {
#ifdef __SANITIZE_THREAD__
    cmocka_set_test_filter(pattern);
#else
    (void)pattern;
#endif
}
