// SPDX-License-Identifier: GPL-3.0-or-later
#include "fitness/moves/forest_encode.h"

typedef struct Rows {
    uint16_t numbers[COEFFICIENTS_MAX * FOREST_DIGITS_MOST + FOREST_GROUP];
    size_t count;
} Rows;

static void add_row(Rows *rows, size_t number) {
    rows->numbers[rows->count++] = (uint16_t)number;
}

// The digits of a difference as sums and differences of powers of two, as few as can be: 7 is 8
// - 1. Returns how many there are.
static unsigned split(Rows *rows, size_t count, size_t counts, int difference) {
    const bool is_negative = difference < 0;
    unsigned left = (unsigned)(difference < 0 ? -difference : difference), power = 0, digits = 0;
    const unsigned top = FOREST_POWERS - 1;
    for (; left >= 1u << FOREST_POWERS; left -= 1u << top, digits++)
        add_row(rows, (2 * top + is_negative) * counts + count);
    for (; left != 0; left >>= 1, power++) {
        if ((left & 1) == 0)
            continue;
        // Two ones in a row: one less here, one more above.
        const bool is_minus = (left & 3) == 3 && power < top;
        add_row(rows, (2 * power + (is_minus != is_negative)) * counts + count);
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
    Rows rows; // too large to be cleared each time
    rows.count = 0;
    for (size_t i = 0; i < forest->counts; i++)
        if (sketch->row[i] != sketch->above[i])
            *differences += split(&rows, i, forest->counts, sketch->row[i] - sketch->above[i]);
    while (rows.count % FOREST_GROUP != 0)
        add_row(&rows, forest_rows(forest) - 1);
    const size_t groups = rows.count / FOREST_GROUP;
    const bool is_long = groups > UINT8_MAX;
    const uint32_t unknown = FOREST_UNKNOWN;
    *out++ = (uint8_t)(sketch->flags | (is_long ? FLAG_LONG : 0));
    *out++ = (uint8_t)groups;
    if (is_long)
        *out++ = (uint8_t)(groups >> 8);
    if ((sketch->flags & FLAG_LEAF) == 0) {
        out = put_bytes(out, &sketch->move, sizeof sketch->move);
        out = put_bytes(out, &unknown, sizeof unknown);
    }
    if (forest->is_tapered) {
        *out++ = (uint8_t)sketch->taper.middlegame;
        *out++ = (uint8_t)sketch->taper.endgame;
    }
    return put_bytes(out, rows.numbers, rows.count * sizeof *rows.numbers);
}

void forest_decode(const Forest *forest, const ForestNode *node, int16_t *row) {
    for (const uint8_t *at = node->rows; at < node->end;) {
        const size_t number = forest_next_row(&at);
        int16_t *count = &row[number % forest->counts];
        *count = (int16_t)(*count + forest_row_factor(forest, number));
    }
}
