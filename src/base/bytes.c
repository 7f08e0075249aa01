// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/bytes.h"

#include "base/mem.h"

#include <math.h>
#include <string.h>

static void add_little_endian(Str *out, uint64_t value, size_t size) {
    char bytes[8];
    for (size_t i = 0; i < size; i++)
        bytes[i] = (char)(value >> 8 * i);
    str_append(out, bytes, size);
}

void bytes_add_u8(Str *out, uint8_t value) {
    add_little_endian(out, value, 1);
}

void bytes_add_u16(Str *out, uint16_t value) {
    add_little_endian(out, value, 2);
}

void bytes_add_u32(Str *out, uint32_t value) {
    add_little_endian(out, value, 4);
}

void bytes_add_u64(Str *out, uint64_t value) {
    add_little_endian(out, value, 8);
}

void bytes_add_i64(Str *out, int64_t value) {
    add_little_endian(out, (uint64_t)value, 8);
}

void bytes_add_double(Str *out, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    bytes_add_u64(out, bits);
}

void bytes_add_words(Str *out, const uint64_t *values, size_t count) {
    for (size_t i = 0; i < count; i++)
        bytes_add_u64(out, values[i]);
}

void bytes_add_doubles(Str *out, const double *values, size_t count) {
    for (size_t i = 0; i < count; i++)
        bytes_add_double(out, values[i]);
}

// Most machines have numbers in this order already.
static const bool is_same_here = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;

void bytes_add_i32s(Str *out, const int32_t *values, size_t count) {
    if (is_same_here)
        str_append(out, (const char *)values, count * sizeof *values);
    for (size_t i = 0; i < count && !is_same_here; i++)
        bytes_add_u32(out, (uint32_t)values[i]);
}

void bytes_add_i64s(Str *out, const int64_t *values, size_t count) {
    if (is_same_here)
        str_append(out, (const char *)values, count * sizeof *values);
    for (size_t i = 0; i < count && !is_same_here; i++)
        bytes_add_i64(out, values[i]);
}

void bytes_add_text(Str *out, StrView text) {
    bytes_add_u64(out, text.length);
    str_append(out, text.text, text.length);
}

// Seven bits a byte, the lowest first; the sign is the lowest of all.
void bytes_add_short(Str *out, int64_t value) {
    uint64_t rest = (uint64_t)value << 1 ^ (value < 0 ? UINT64_MAX : 0);
    for (; rest > 0x7F; rest >>= 7)
        bytes_add_u8(out, (uint8_t)(rest | 0x80));
    bytes_add_u8(out, (uint8_t)rest);
}

void bytes_add_string(Str *out, const char *text) {
    size_t length = text == NULL ? 0 : strlen(text);
    bytes_add_short(out, text == NULL ? -1 : (int64_t)length);
    str_append(out, text == NULL ? "" : text, length);
}

static uint64_t read_little_endian(ByteReader *in, size_t size) {
    if (in->rest.length < size) {
        in->failed = true;
        in->rest.length = 0;
        return 0;
    }
    uint64_t value = 0;
    for (size_t i = 0; i < size; i++)
        value |= (uint64_t)(unsigned char)in->rest.text[i] << 8 * i;
    in->rest.text += size;
    in->rest.length -= size;
    return value;
}

uint8_t bytes_u8(ByteReader *in) {
    return (uint8_t)read_little_endian(in, 1);
}

uint16_t bytes_u16(ByteReader *in) {
    return (uint16_t)read_little_endian(in, 2);
}

uint32_t bytes_u32(ByteReader *in) {
    return (uint32_t)read_little_endian(in, 4);
}

uint64_t bytes_u64(ByteReader *in) {
    return read_little_endian(in, 8);
}

int64_t bytes_i64(ByteReader *in) {
    return (int64_t)read_little_endian(in, 8);
}

double bytes_double(ByteReader *in) {
    uint64_t bits = bytes_u64(in);
    double value;
    memcpy(&value, &bits, sizeof value);
    if (isfinite(value))
        return value;
    in->failed = true;
    return 0;
}

void bytes_words(ByteReader *in, uint64_t *values, size_t count) {
    for (size_t i = 0; i < count; i++)
        values[i] = bytes_u64(in);
}

void bytes_doubles(ByteReader *in, double *values, size_t count) {
    for (size_t i = 0; i < count; i++)
        values[i] = bytes_double(in);
}

// Takes them as they are; false, with zeros, where there are not so many.
static bool take_all(ByteReader *in, void *values, size_t size) {
    const bool fits = size <= in->rest.length;
    if (fits && size > 0)
        memcpy(values, in->rest.text, size);
    if (!fits)
        memset(values, 0, size);
    in->failed = in->failed || !fits;
    in->rest.text += fits ? size : 0;
    in->rest.length = fits ? in->rest.length - size : 0;
    return fits;
}

void bytes_i32s(ByteReader *in, int32_t *values, size_t count) {
    const StrView from = in->rest;
    if (!take_all(in, values, count * sizeof *values) || is_same_here)
        return;
    ByteReader again = {from, false};
    for (size_t i = 0; i < count; i++)
        values[i] = (int32_t)bytes_u32(&again);
}

void bytes_i64s(ByteReader *in, int64_t *values, size_t count) {
    const StrView from = in->rest;
    if (!take_all(in, values, count * sizeof *values) || is_same_here)
        return;
    ByteReader again = {from, false};
    for (size_t i = 0; i < count; i++)
        values[i] = bytes_i64(&again);
}

StrView bytes_text(ByteReader *in) {
    const uint64_t length = bytes_u64(in);
    if (length > in->rest.length) {
        in->failed = true;
        in->rest.length = 0;
        return (StrView){"", 0};
    }
    const StrView text = view_of(in->rest.text, (size_t)length);
    in->rest.text += length;
    in->rest.length -= (size_t)length;
    return text;
}

int64_t bytes_short(ByteReader *in) {
    uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
        uint64_t byte = bytes_u8(in), bits = byte & 0x7F;
        // Of the tenth byte one bit fits.
        if (shift == 63 && bits > 1)
            break;
        value |= bits << shift;
        if ((byte & 0x80) == 0)
            return (int64_t)(value >> 1 ^ (0 - (value & 1)));
    }
    in->failed = true;
    return 0;
}

int bytes_short_in(ByteReader *in, int low, int high) {
    int64_t value = bytes_short(in);
    if (value >= low && value <= high && !in->failed)
        return (int)value;
    in->failed = true;
    return low;
}

char *bytes_string(ByteReader *in) {
    int64_t length = bytes_short(in);
    if (length < 0)
        return NULL;
    if ((uint64_t)length > in->rest.length || memchr(in->rest.text, 0, (size_t)length) != NULL) {
        in->failed = true;
        return NULL;
    }
    char *text = mem_alloc((size_t)length + 1);
    memcpy(text, in->rest.text, (size_t)length);
    text[length] = '\0';
    in->rest = view_of(in->rest.text + length, in->rest.length - (size_t)length);
    return text;
}

size_t bytes_count(ByteReader *in, size_t size) {
    int64_t count = bytes_short(in);
    if (count >= 0 && !in->failed && (uint64_t)count <= in->rest.length / size)
        return (size_t)count;
    in->failed = true;
    return 0;
}

bool bytes_are_done(const ByteReader *in) {
    return !in->failed && in->rest.length == 0;
}
