// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"

#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MESSAGE_MAX = 1024 };

static _Thread_local char message[MESSAGE_MAX];

// Replaces the message and returns its length. Much of what messages tell came from outside.
[[gnu::format(printf, 1, 0)]] static size_t write_clean(const char *format, va_list args) {
    char raw[MESSAGE_MAX] = "";
    vsnprintf(raw, sizeof raw, format, args);
    return text_clean_fit(message, sizeof message, view_from_string(raw));
}

Status error_set(Status status, const char *format, ...) {
    va_list args;
    va_start(args, format);
    write_clean(format, args);
    va_end(args);
    return status;
}

void error_prefix(const char *format, ...) {
    char old[MESSAGE_MAX];
    memcpy(old, message, sizeof old);
    va_list args;
    va_start(args, format);
    const size_t length = write_clean(format, args);
    va_end(args);
    // Truncation is fine: what is lost is the tail of an over-long message.
    const size_t behind = length + 2 < sizeof message ? length + 2 : length;
    if (behind > length)
        memcpy(message + length, ": ", 2);
    text_clean_fit(message + behind, sizeof message - behind, view_from_string(old));
}

const char *error_message(void) {
    return message;
}
