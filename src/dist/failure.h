// SPDX-License-Identifier: GPL-3.0-or-later
// Of the failures of many jobs, that of the lowest index, whichever came first: so it is the same
// for any number of threads and ranks. The caller's lock guards it.
#pragma once

#include "base/error.h"
#include "base/str.h"

#include <stddef.h>

typedef struct DistFailure {
    size_t index;
    Status status; // OK: none
    Str message;   // owned
} DistFailure;

// Takes the message that is in error_message().
static inline void dist_failure_note(DistFailure *failure, size_t index, Status status) {
    if (failure->status != OK && index >= failure->index)
        return;
    failure->index = index;
    failure->status = status;
    str_clear(&failure->message);
    str_add(&failure->message, error_message());
}

// Sets the message again, for this thread.
static inline Status dist_failure_status(const DistFailure *failure) {
    return failure->status == OK ? OK
                                 : error_set(failure->status, "%s", str_text(&failure->message));
}
