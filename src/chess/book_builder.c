// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/book_builder.h"

#include "base/mem.h"

#include <stdlib.h>

enum {
    SLOTS_FIRST = 1 << 14,
    SLOTS_MAX = 1 << 26, // 1.5 GiB
    WEIGHT_MAX = UINT16_MAX,
};

// One move in one position; a free slot has no games.
typedef struct Slot {
    uint64_t key;
    uint32_t games, points;
    uint16_t move; // as Polyglot codes it
} Slot;

struct BookBuilder {
    BookOptions options;
    Slot *slots;
    size_t slot_count, used;
};

// The slot of a move, or the free one where it belongs.
static Slot *find_slot(Slot *slots, size_t slot_count, uint64_t key, uint16_t move) {
    uint64_t hash = (key ^ move) * 0x9E3779B97F4A7C15ULL;
    size_t i = (hash >> 32) & (slot_count - 1);
    while (slots[i].games != 0 && (slots[i].key != key || slots[i].move != move))
        i = (i + 1) & (slot_count - 1);
    return &slots[i];
}

static Status grow(BookBuilder *builder) {
    size_t bigger = builder->slot_count * 2;
    Slot *slots = bigger > SLOTS_MAX ? NULL : mem_alloc_pages(bigger * sizeof *slots);
    if (slots == NULL)
        return error_set(ERR_LIMIT,
                         "more than %zu moves do not fit in memory: count fewer of each game "
                         "(--max-ply, now %u)",
                         builder->used, builder->options.max_ply);
    for (size_t i = 0; i < builder->slot_count; i++) {
        const Slot *old = &builder->slots[i];
        if (old->games != 0)
            *find_slot(slots, bigger, old->key, old->move) = *old;
    }
    free(builder->slots);
    builder->slots = slots;
    builder->slot_count = bigger;
    return OK;
}

// What a result is worth to `color`: 2 for a win, 1 for a draw.
static uint32_t points_of(GameResult result, Color color) {
    if (result == RESULT_WHITE_WINS)
        return color == WHITE ? 2 : 0;
    if (result == RESULT_BLACK_WINS)
        return color == BLACK ? 2 : 0;
    return 1;
}

static Status count_move(BookBuilder *builder, const Position *pos, Move move, GameResult result) {
    if (builder->used * 4 >= builder->slot_count * 3)
        TRY(grow(builder));
    uint64_t key = polyglot_key(pos);
    uint16_t code = polyglot_move_encode(pos, move);
    Slot *slot = find_slot(builder->slots, builder->slot_count, key, code);
    if (slot->games == 0) {
        slot->key = key;
        slot->move = code;
        builder->used++;
    }
    slot->games++;
    slot->points += points_of(result, position_turn(pos));
    return OK;
}

// By key, the most points first, then by code.
static int slot_compare(const void *a, const void *b) {
    const Slot *first = a, *second = b;
    if (first->key != second->key)
        return MEM_ORDER(first->key, second->key);
    if (first->points != second->points)
        return MEM_ORDER(second->points, first->points);
    return MEM_ORDER(first->move, second->move);
}

static bool is_kept(const BookOptions *options, const Slot *slot) {
    uint64_t score = 100 * (uint64_t)slot->points, bar = 2 * (uint64_t)options->min_score;
    return slot->games >= options->min_games && slot->points > 0 && score >= bar * slot->games;
}

// The weight of a move where the heaviest of its position has `most` points.
static uint16_t weight_of(uint32_t points, uint32_t most) {
    if (most <= WEIGHT_MAX)
        return (uint16_t)points;
    uint64_t scaled = (uint64_t)points * WEIGHT_MAX / most;
    return scaled == 0 ? 1 : (uint16_t)scaled;
}

BookBuilder *book_builder_create(BookOptions options) {
    BookBuilder *builder = mem_alloc_zero(1, sizeof *builder);
    builder->options = options;
    builder->slot_count = SLOTS_FIRST;
    builder->slots = mem_alloc_zero(SLOTS_FIRST, sizeof *builder->slots);
    return builder;
}

void book_builder_destroy(BookBuilder *builder) {
    if (builder == NULL)
        return;
    free(builder->slots);
    free(builder);
}

// `sides`: whose moves count.
static Status count_moves(BookBuilder *builder, const Position *start, const Move *moves,
                          size_t count, GameResult result, unsigned sides) {
    Position pos = *start;
    // A game from a set-up position starts as late as its counters say.
    size_t ply = 2 * ((size_t)pos.fullmove - 1) + (position_turn(&pos) == BLACK);
    for (size_t i = 0; i < count && ply + i < builder->options.max_ply; i++) {
        Undo undo;
        if (sides & 1U << position_turn(&pos))
            TRY(count_move(builder, &pos, moves[i], result));
        position_make(&pos, moves[i], &undo);
    }
    return OK;
}

Status book_builder_add(BookBuilder *builder, const PgnGame *game) {
    return count_moves(builder, &game->start, game->moves, game->move_count, pgn_result(game),
                       1U << WHITE | 1U << BLACK);
}

Status book_builder_add_side(BookBuilder *builder, const Position *start, const Move *moves,
                             size_t count, GameResult result, Color side) {
    return count_moves(builder, start, moves, count, result, 1U << side);
}

size_t book_builder_size(const BookBuilder *builder) {
    return builder->used;
}

PolyglotEntry *book_builder_finish(const BookBuilder *builder, size_t *count) {
    CLEANUP(mem_free_at) Slot *kept = mem_alloc(builder->used * sizeof *kept + 1);
    size_t n = 0;
    for (size_t i = 0; i < builder->slot_count; i++)
        if (is_kept(&builder->options, &builder->slots[i]))
            kept[n++] = builder->slots[i];
    qsort(kept, n, sizeof *kept, slot_compare);
    PolyglotEntry *entries = mem_alloc(n * sizeof *entries + 1);
    uint32_t most = 0;
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || kept[i].key != kept[i - 1].key)
            most = kept[i].points;
        uint16_t weight = weight_of(kept[i].points, most);
        entries[i] = (PolyglotEntry){.key = kept[i].key, .move = kept[i].move, .weight = weight};
    }
    // Scaling may have made weights equal that were not.
    qsort(entries, n, sizeof *entries, polyglot_entry_compare);
    *count = n;
    return entries;
}
