// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers as bytes, the same on every machine (little-endian), and back with every bound checked.
#pragma once

#include "base/str.h"

void bytes_add_u8(Str *out, uint8_t value);
void bytes_add_u16(Str *out, uint16_t value);
void bytes_add_u32(Str *out, uint32_t value);
void bytes_add_u64(Str *out, uint64_t value);
void bytes_add_i64(Str *out, int64_t value);
void bytes_add_double(Str *out, double value);
void bytes_add_words(Str *out, const uint64_t *values, size_t count);
void bytes_add_doubles(Str *out, const double *values, size_t count);
void bytes_add_i32s(Str *out, const int32_t *values, size_t count);
void bytes_add_i64s(Str *out, const int64_t *values, size_t count);
// Any bytes, with their length before them.
void bytes_add_text(Str *out, StrView text);
// One byte for numbers near 0, up to ten for the largest.
void bytes_add_short(Str *out, int64_t value);
// A string, or NULL.
void bytes_add_string(Str *out, const char *text);

// What is left to read. Reading beyond the end gives zeros and sets `failed`, which stays set:
// check it once at the end of a record, and before any number read is used as a size.
typedef struct ByteReader {
    StrView rest;
    bool failed;
} ByteReader;

uint8_t bytes_u8(ByteReader *in);
uint16_t bytes_u16(ByteReader *in);
uint32_t bytes_u32(ByteReader *in);
uint64_t bytes_u64(ByteReader *in);
int64_t bytes_i64(ByteReader *in);
// A number that is not finite fails.
double bytes_double(ByteReader *in);
void bytes_words(ByteReader *in, uint64_t *values, size_t count);
void bytes_doubles(ByteReader *in, double *values, size_t count);
void bytes_i32s(ByteReader *in, int32_t *values, size_t count);
void bytes_i64s(ByteReader *in, int64_t *values, size_t count);
// Borrowed from what is read; empty beyond the end.
StrView bytes_text(ByteReader *in);
int64_t bytes_short(ByteReader *in);
// The same within bounds; beyond them it fails and gives `low`.
int bytes_short_in(ByteReader *in, int low, int high);
// A string of the caller's, or NULL; a NUL within it fails.
char *bytes_string(ByteReader *in);
// How many records of at least `size` bytes follow, as bytes_add_short wrote it; more than can be
// there fail and give 0.
size_t bytes_count(ByteReader *in, size_t size);
// Whether everything was there and nothing is left.
bool bytes_are_done(const ByteReader *in);
