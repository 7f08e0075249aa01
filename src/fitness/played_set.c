// SPDX-License-Identifier: GPL-3.0-or-later
#include "fitness/played_set.h"

#include "base/hash.h"
#include "base/lines.h"
#include "base/mem.h"
#include "chess/epd.h"
#include "chess/movegen.h"

#include <inttypes.h>
#include <stdlib.h>

static Status take_line(PlayedSet *set, Epd *epd, StrView line) {
    MoveList played = {0}, predicted = {0};
    Status status = epd_parse(epd, line);
    if (status == OK)
        status = epd_get_moves(epd, "sm", &played);
    if (status == OK)
        status = epd_get_moves(epd, "pm", &predicted);
    if (status == OK && played.count == 0)
        status = error_set(ERR_PARSE, "there is no `sm`, the move that was played");
    if (status == OK && played.count > 1)
        status = error_set(ERR_PARSE, "`sm` names %zu moves", played.count);
    if (status != OK)
        return status;
    set->totals.lines++;
    if (movegen_count(&epd->pos) == 1) {
        set->totals.forced++;
        return OK;
    }
    set->items = vec_grow(set->items, &set->capacity, set->count + 1, sizeof *set->items);
    const Move guess = predicted.count > 0 ? predicted.moves[0] : MOVE_NONE;
    set->items[set->count++] = (PlayedItem){epd->pos, played.moves[0], guess};
    set->totals.used++;
    set->totals.predicted += guess != MOVE_NONE;
    return OK;
}

static Status read_lines(PlayedSet *set, LineReader *lines, Epd *epd) {
    for (;;) {
        StrView line;
        Status status = lines_next(lines, &line);
        if (status != OK || line.text == NULL)
            return status;
        line = view_trim(line);
        if (line.length == 0)
            continue; // unpacking may add one
        set->hash = hash_bytes(set->hash, line.text, line.length);
        set->hash = hash_bytes(set->hash, "\n", 1);
        if (line.text[0] == '#')
            continue;
        status = take_line(set, epd, line);
        if (status != OK) {
            error_prefix("%s:%" PRIu64, stream_name(lines_stream(lines)), lines_number(lines));
            return status;
        }
    }
}

Status played_set_load(PlayedSet *out, const char *path) {
    LineReader *lines;
    Epd epd = {0};
    *out = (PlayedSet){.hash = HASH_START};
    Status status = lines_open(&lines, path, EPD_LINE_MAX);
    if (status != OK)
        return status;
    status = read_lines(out, lines, &epd);
    if (status == OK && out->count == 0)
        status = error_set(
            ERR_ARG, "%s: no position is left of %" PRIu64 " (%" PRIu64 " with one legal move)",
            path, out->totals.lines, out->totals.forced);
    epd_free(&epd);
    lines_close(lines);
    if (status != OK)
        played_set_free(out);
    return status;
}

void played_set_free(PlayedSet *set) {
    free(set->items);
    *set = (PlayedSet){0};
}
