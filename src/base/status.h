// SPDX-License-Identifier: GPL-3.0-or-later
// What a fallible function returns, and the message that says what went wrong where.
#pragma once

typedef enum Status {
    OK = 0,
    ERR_IO,     // a file, pipe or disk failed
    ERR_PARSE,  // input is malformed
    ERR_ARG,    // the caller or user asked for something impossible
    ERR_ENGINE, // another program misbehaved
    ERR_LIMIT,  // a size or memory limit was met
} Status;

#define MUST_CHECK [[gnu::warn_unused_result]]

// Sets this thread's message and returns `status`, so that a failure is one `return` statement.
// The message is one line, clean (base/text.h) whatever the arguments hold.
[[gnu::format(printf, 2, 3)]] Status error_set(Status status, const char *format, ...);

// Puts "CONTEXT: " before this thread's message; used on the way up (a file name, a line number).
[[gnu::format(printf, 1, 2)]] void error_prefix(const char *format, ...);

// The message of this thread's last failure; valid until the next one.
const char *error_message(void);
