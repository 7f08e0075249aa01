// SPDX-License-Identifier: GPL-3.0-or-later
#include "engines/fault.h"

#include <inttypes.h>

const FaultWords fault_words[FAULT_NB] = {
    [FAULT_NONE] = {"", "", "normal", ""},
    [FAULT_LATE] = {"time loss", "time losses", "time forfeit", " loses on time"},
    [FAULT_ILLEGAL] = {"illegal move", "illegal moves", "illegal move", " makes an illegal move"},
    [FAULT_CRASHED] = {"crash", "crashes", "abandoned", " disconnects"},
    [FAULT_STALLED] = {"stall", "stalls", "stalled connection", "'s connection stalls"},
    [FAULT_CANCELLED] = {"cancelled", "cancelled", "unterminated", ""},
    [FAULT_REFUSED] = {"refusal", "refusals", "abandoned", " disconnects"},
};

// Those that lose games that count.
static const Fault counted[] = {FAULT_LATE, FAULT_CRASHED, FAULT_STALLED, FAULT_ILLEGAL};
enum { COUNTED = sizeof counted / sizeof counted[0] };

void fault_count(FaultCounts *counts, Fault fault) {
    counts->of[fault] += fault != FAULT_NONE;
}

uint64_t fault_total(const FaultCounts *counts) {
    uint64_t total = 0;
    for (size_t i = 0; i < COUNTED; i++)
        total += counts->of[counted[i]];
    return total;
}

void fault_counts_write(const FaultCounts *counts, Str *out) {
    for (size_t i = 0; i < COUNTED; i++) {
        const uint64_t count = counts->of[counted[i]];
        const FaultWords *words = &fault_words[counted[i]];
        str_addf(out, "%s%" PRIu64 " %s", i == 0 ? "" : ", ", count,
                 count == 1 ? words->one : words->many);
    }
}
