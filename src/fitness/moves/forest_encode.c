// SPDX-License-Identifier: GPL-3.0-or-later
#include "fitness/moves/forest_encode.h"

typedef struct Rows {
    uint8_t bytes[2 * COEFFICIENTS_MAX * FOREST_DIGITS_MOST];
    size_t length;
} Rows;

static void add_row(Rows *rows, size_t number) {
    if (number < FOREST_SHORT) {
        rows->bytes[rows->length++] = (uint8_t)number;
        return;
    }
    number -= FOREST_SHORT;
    rows->bytes[rows->length++] = (uint8_t)(FOREST_SHORT + (number >> 8));
    rows->bytes[rows->length++] = (uint8_t)number;
}
static_assert((2 * COEFFICIENTS_MAX * FOREST_POWERS - FOREST_SHORT - 1) >> 8 <= 255 - FOREST_SHORT,
              "two bytes for every row");

// The digits of a difference as sums and differences of powers of two, as few as can be: 7 is 8
// - 1. Returns how many there are.
static unsigned split(Rows *added, Rows *subtracted, size_t count, size_t counts, int difference) {
    const bool is_negative = difference < 0;
    Rows *plus = is_negative ? subtracted : added, *minus = is_negative ? added : subtracted;
    unsigned left = (unsigned)(difference < 0 ? -difference : difference), power = 0, digits = 0;
    const unsigned top = FOREST_POWERS - 1;
    for (; left >= 1u << FOREST_POWERS; left -= 1u << top, digits++)
        add_row(plus, (2 * top + is_negative) * counts + count);
    for (; left != 0; left >>= 1, power++) {
        if ((left & 1) == 0)
            continue;
        // Two ones in a row: one less here, one more above.
        const bool is_minus = (left & 3) == 3 && power < top;
        add_row(is_minus ? minus : plus, (2 * power + (is_minus != is_negative)) * counts + count);
        digits++;
        left += is_minus ? 1 : 0;
        left -= is_minus ? 0 : 1;
    }
    return digits;
}

static uint8_t *put_bytes(uint8_t *out, const void *bytes, size_t length) {
    memcpy(out, bytes, length);
    return out + length;
}

uint8_t *forest_encode(const Forest *forest, const ForestSketch *sketch, uint8_t *out,
                       uint64_t *differences) {
    Rows added, subtracted; // too large to be cleared each time
    added.length = subtracted.length = 0;
    for (size_t i = 0; i < forest->counts; i++)
        if (sketch->row[i] != sketch->above[i])
            *differences +=
                split(&added, &subtracted, i, forest->counts, sketch->row[i] - sketch->above[i]);
    const size_t length = added.length + subtracted.length;
    const bool is_long = length > UINT8_MAX;
    const uint32_t unknown = FOREST_UNKNOWN;
    *out++ = (uint8_t)(sketch->flags | (is_long ? FLAG_LONG : 0));
    *out++ = (uint8_t)length;
    if (is_long)
        *out++ = (uint8_t)(length >> 8);
    if ((sketch->flags & FLAG_LEAF) == 0) {
        out = put_bytes(out, &sketch->move, sizeof sketch->move);
        out = put_bytes(out, &unknown, sizeof unknown);
    }
    if (forest->is_tapered) {
        *out++ = (uint8_t)sketch->taper.middlegame;
        *out++ = (uint8_t)sketch->taper.endgame;
    }
    out = put_bytes(out, added.bytes, added.length);
    return put_bytes(out, subtracted.bytes, subtracted.length);
}

void forest_decode(const Forest *forest, const ForestNode *node, int16_t *row) {
    for (const uint8_t *at = node->rows; at < node->end;) {
        const size_t number = forest_next_row(&at);
        int16_t *count = &row[number % forest->counts];
        *count = (int16_t)(*count + forest_row_factor(forest, number));
    }
}
