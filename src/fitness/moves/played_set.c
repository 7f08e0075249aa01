// SPDX-License-Identifier: GPL-3.0-or-later
#include "fitness/moves/played_set.h"

#include "base/hash.h"
#include "base/mem.h"
#include "chess/epd.h"
#include "chess/movegen.h"
#include "data/names.h"
#include "data/seen.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct Loading {
    PlayedSet *set;
    const char *player; // NULL: everybody
} Loading;

// Who moved: the part of "White - Black, 1994, ply 54" that names the side to move.
static StrView mover(const Epd *epd) {
    StrView id;
    if (!epd_get_string(epd, "id", &id))
        return view_of("", 0);
    const char *dash = memmem(id.text, id.length, " - ", 3);
    if (dash == NULL)
        return view_of("", 0);
    if (position_turn(&epd->pos) == WHITE)
        return view_of(id.text, (size_t)(dash - id.text));
    StrView black = view_of(dash + 3, id.length - (size_t)(dash + 3 - id.text));
    for (int i = 0; i < 2; i++) { // names have commas too
        const char *comma = memrchr(black.text, ',', black.length);
        if (comma != NULL)
            black.length = (size_t)(comma - black.text);
    }
    return black;
}

static Status take_record(void *context, const Epd *epd, StrView line, uint64_t number) {
    (void)number;
    const Loading *loading = context;
    PlayedSet *set = loading->set;
    MoveList played = {0}, predicted = {0};
    TRY(epd_get_moves(epd, "sm", &played));
    TRY(epd_get_moves(epd, "pm", &predicted));
    if (played.count == 0)
        return error_set(ERR_PARSE, "there is no `sm`, the move that was played");
    if (played.count > 1)
        return error_set(ERR_PARSE, "`sm` names %zu moves", played.count);
    set->totals.lines++;
    if (loading->player != NULL && !name_fits_any(mover(epd), loading->player)) {
        set->totals.others++;
        return OK;
    }
    set->hash = hash_bytes(hash_bytes(set->hash, line.text, line.length), "\n", 1);
    if (movegen_count(&epd->pos) == 1) {
        set->totals.forced++;
        return OK;
    }
    set->items = mem_grow(set->items, &set->capacity, set->count + 1, sizeof *set->items);
    const Move guess = predicted.count > 0 ? predicted.moves[0] : MOVE_NONE;
    set->items[set->count++] = (PlayedItem){epd->pos, played.moves[0], guess, false};
    set->totals.used++;
    set->totals.predicted += guess != MOVE_NONE;
    return OK;
}

static Status load(PlayedSet *out, const char *path, const char *player) {
    CLEANUP(played_set_free) PlayedSet set = {.hash = HASH_START};
    Loading loading = {&set, player};
    TRY(epd_read_file(path, take_record, &loading));
    if (player != NULL && set.totals.others == set.totals.lines)
        return error_set(ERR_ARG, "%s: no move of %s is in it, by the `id` of its lines", path,
                         player);
    if (set.count == 0)
        return error_set(ERR_ARG,
                         "%s: no position is left of %" PRIu64 " (%" PRIu64 " with one legal move)",
                         path, set.totals.lines, set.totals.forced);
    *out = TAKE(set);
    return OK;
}

Status played_set_load(PlayedSet *out, const char *path) {
    return load(out, path, NULL);
}

Status played_set_load_player(PlayedSet *out, const char *path, const char *player) {
    return load(out, path, player);
}

// Whose position was seen first.
enum { PLACE_OTHER = 1, PLACE_SET };

Status played_set_compare(PlayedSet *set, const PlayedSet *other, size_t *shared) {
    CLEANUP(seen_destroy_at) SeenTable *seen = seen_create();
    SeenAnswer answer;
    uint32_t first;
    *shared = 0;
    for (size_t i = 0; i < other->count; i++)
        TRY(seen_add(seen, other->items[i].pos.key, 0, PLACE_OTHER, &answer, &first));
    for (size_t i = 0; i < set->count; i++) {
        TRY(seen_add(seen, set->items[i].pos.key, 0, PLACE_SET, &answer, &first));
        set->items[i].is_in_other = answer != SEEN_NEVER && first == PLACE_OTHER;
        *shared += set->items[i].is_in_other;
    }
    return OK;
}

Status played_set_leave_out(PlayedSet *set, const PlayedSet *other) {
    size_t shared, kept = 0;
    TRY(played_set_compare(set, other, &shared));
    if (shared == set->count)
        return error_set(ERR_ARG, "no position is left: all %zu are in the other set too", shared);
    for (size_t i = 0; i < set->count; i++)
        if (!set->items[i].is_in_other)
            set->items[kept++] = set->items[i];
    set->count = kept;
    set->totals.used -= shared;
    set->totals.shared += shared;
    return OK;
}

void played_set_free(PlayedSet *set) {
    free(set->items);
    *set = (PlayedSet){0};
}
