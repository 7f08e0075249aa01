// SPDX-License-Identifier: GPL-3.0-or-later
// What a fallible function returns, the message that says what went wrong where, and the way out
// of a function that failed.
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

// Returns from the function with the status of a call that failed.
#define TRY(call)                                                                                  \
    do {                                                                                           \
        const Status try_status = (call);                                                          \
        if (try_status != OK)                                                                      \
            return try_status;                                                                     \
    } while (0)
// The same, with "CONTEXT: " put before the message: TRY_PREFIX(call, "%s", path).
#define TRY_PREFIX(call, ...)                                                                      \
    do {                                                                                           \
        const Status try_status = (call);                                                          \
        if (try_status != OK) {                                                                    \
            error_prefix(__VA_ARGS__);                                                             \
            return try_status;                                                                     \
        }                                                                                          \
    } while (0)

// Frees a local however its function is left. `function` takes the address of the variable, which
// must be initialised where it is declared: CLEANUP(str_free) Str path = {0};
#define CLEANUP(function) __attribute__((cleanup(function)))
// Makes `function_at` of a `function` that takes a pointer and ignores NULL, for locals that are
// pointers: CLEANUP_AT(Thing *, thing_close) beside its declaration, then
// CLEANUP(thing_close_at) Thing *thing = NULL;
#define CLEANUP_AT(type, function)                                                                 \
    static inline void function##_at(type *at) {                                                   \
        function(*at);                                                                             \
    }
// Hands over what a CLEANUP local owns: its value, of which {0} is left.
// return outfile_commit(TAKE(file));
#define TAKE(local)                                                                                \
    __extension__({                                                                                \
        __typeof__(local) taken = (local);                                                         \
        (local) = (__typeof__(local)){0};                                                          \
        taken;                                                                                     \
    })
