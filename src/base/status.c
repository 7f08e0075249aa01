// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MESSAGE_MAX = 1024 };

static _Thread_local char message[MESSAGE_MAX];

Status error_set(Status status, const char *format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    return status;
}

void error_prefix(const char *format, ...) {
    char old[MESSAGE_MAX], context[MESSAGE_MAX];
    memcpy(old, message, sizeof old);
    va_list args;
    va_start(args, format);
    vsnprintf(context, sizeof context, format, args);
    va_end(args);
    // Truncation is fine: what is lost is the tail of an over-long message.
    if (snprintf(message, sizeof message, "%s: %s", context, old) < 0)
        message[0] = '\0';
}

const char *error_message(void) {
    return message;
}
