// SPDX-License-Identifier: GPL-3.0-or-later
#include "match/openings.h"

#include "base/mem.h"
#include "base/rng.h"
#include "chess/draw.h"
#include "chess/epd_file.h"

#include <stdlib.h>

enum { RNG_USE_SHUFFLE = 0x6f70656e }; // keeps this stream of numbers apart from all others

struct Openings {
    Position *items;
    size_t count, capacity;
};

static Status take_record(void *context, const Epd *epd, StrView line, uint64_t number) {
    (void)line;
    (void)number;
    Openings *openings = context;
    if (game_end(&epd->pos, &epd->pos.key, 1) != GAME_GOES_ON)
        return error_set(ERR_PARSE, "the game is over in this position");
    openings->items = vec_grow(openings->items, &openings->capacity, openings->count + 1,
                               sizeof *openings->items);
    openings->items[openings->count++] = epd->pos;
    return OK;
}

Status openings_load(Openings **out, const char *path) {
    Openings *openings = mem_alloc_zero(1, sizeof *openings);
    Status status = epd_read_file(path, take_record, openings);
    if (status == OK && openings->count == 0)
        status = error_set(ERR_PARSE, "%s: no positions in this file", path);
    if (status != OK)
        openings_free(openings);
    else
        *out = openings;
    return status;
}

void openings_free(Openings *openings) {
    if (openings == NULL)
        return;
    free(openings->items);
    free(openings);
}

void openings_shuffle(Openings *openings, uint64_t seed) {
    Rng rng = rng_at(seed, 0, 0, RNG_USE_SHUFFLE);
    for (size_t i = openings->count; i > 1; i--) {
        size_t j = rng_below(&rng, (uint32_t)i);
        Position held = openings->items[i - 1];
        openings->items[i - 1] = openings->items[j];
        openings->items[j] = held;
    }
}

size_t openings_count(const Openings *openings) {
    return openings->count;
}

const Position *openings_at(const Openings *openings, uint64_t index) {
    return &openings->items[index % openings->count];
}
