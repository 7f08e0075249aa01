// SPDX-License-Identifier: GPL-3.0-or-later
#include "match/openings.h"

#include "base/lines.h"
#include "base/mem.h"
#include "base/rng.h"
#include "chess/draw.h"
#include "chess/epd.h"

#include <inttypes.h>
#include <stdlib.h>

enum { RNG_USE_SHUFFLE = 0x6f70656e }; // keeps this stream of numbers apart from all others

struct Openings {
    Position *items;
    size_t count, capacity;
};

static Status add_line(Openings *openings, Epd *epd, StrView line) {
    line = view_trim(line);
    if (line.length == 0 || line.text[0] == '#')
        return OK;
    Status status = epd_parse(epd, line);
    if (status != OK)
        return status;
    if (game_end(&epd->pos, &epd->pos.key, 1) != GAME_GOES_ON)
        return error_set(ERR_PARSE, "the game is over in this position");
    openings->items = vec_grow(openings->items, &openings->capacity, openings->count + 1,
                               sizeof *openings->items);
    openings->items[openings->count++] = epd->pos;
    return OK;
}

static Status read_lines(Openings *openings, LineReader *lines, const char *path) {
    Epd *epd = mem_alloc_zero(1, sizeof *epd);
    StrView line;
    Status status;
    while ((status = lines_next(lines, &line)) == OK && line.text != NULL) {
        status = add_line(openings, epd, line);
        if (status != OK) {
            error_prefix("%s:%" PRIu64, path, lines_number(lines));
            break;
        }
    }
    epd_free(epd);
    free(epd);
    return status;
}

Status openings_load(Openings **out, const char *path) {
    LineReader *lines;
    Status status = lines_open(&lines, path, EPD_LINE_MAX);
    if (status != OK)
        return status;
    Openings *openings = mem_alloc_zero(1, sizeof *openings);
    status = read_lines(openings, lines, path);
    lines_close(lines);
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
