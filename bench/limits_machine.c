// SPDX-License-Identifier: GPL-3.0-or-later
// What one core can do at best, for bench/limits: `instructions N` a nanosecond, and bytes read a
// nanosecond from the nearest cache, the second one and memory: `first`, `second`, `memory`.
#include "base/clock.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { REPEATS = 7, FIRST = 16 << 10, SECOND = 256 << 10, MEMORY = 256 << 20 };

typedef int32_t Vector __attribute__((vector_size(32)));

// Additions that do not wait for each other, written as such so that none is left out.
static double instruction_rate(void) {
    enum { ROUNDS = 20000000, AT_ONCE = 24 };
    const int64_t start = clock_now_ns();
    uint64_t a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8;
    for (int i = 0; i < ROUNDS; i++)
        for (int j = 0; j < AT_ONCE / 8; j++) {
            a += 1, b += 2, c += 3, d += 4, e += 5, f += 6, g += 7, h += 8;
            __asm__ volatile(""
                             : "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e), "+r"(f), "+r"(g),
                               "+r"(h));
        }
    return (double)ROUNDS * AT_ONCE / (clock_seconds_since(start) * 1e9);
}

static double read_rate(const Vector *from, size_t bytes, Vector *sink) {
    enum { AT_ONCE = 8 };
    const size_t count = bytes / sizeof *from, rounds = ((size_t)1 << 30) / bytes + 1;
    Vector a = {0}, b = a, c = a, d = a, e = a, f = a, g = a, h = a;
    const int64_t start = clock_now_ns();
    for (size_t round = 0; round < rounds; round++) {
        for (const Vector *at = from; at < from + count; at += AT_ONCE) {
            a += at[0], b += at[1], c += at[2], d += at[3];
            e += at[4], f += at[5], g += at[6], h += at[7];
        }
        __asm__ volatile("" : : : "memory"); // read again
    }
    const double seconds = clock_seconds_since(start);
    *sink += a + b + c + d + e + f + g + h;
    return (double)rounds * (double)bytes / (seconds * 1e9);
}

static double larger(double a, double b) {
    return a > b ? a : b;
}

int main(void) {
    Vector *memory = aligned_alloc(sizeof *memory, MEMORY), sink = {0};
    double instructions = 0, first = 0, second = 0, all = 0;
    if (memory == NULL)
        return EXIT_FAILURE;
    for (size_t i = 0; i < MEMORY / sizeof *memory; i++)
        memory[i] = (Vector){(int32_t)i};
    for (int i = 0; i < REPEATS; i++) {
        instructions = larger(instruction_rate(), instructions);
        first = larger(read_rate(memory, FIRST, &sink), first);
        second = larger(read_rate(memory, SECOND, &sink), second);
        all = larger(read_rate(memory, MEMORY, &sink), all);
    }
    printf("instructions %.2f\nfirst %.0f\nsecond %.0f\nmemory %.1f\n", instructions, first, second,
           all);
    free(memory);
    return sink[0] == 1;
}
