// SPDX-License-Identifier: GPL-3.0-or-later
// Trees, before anybody runs them: the interpreter follows sizes and row numbers without
// a look, so they must all lead to where it may read, and to an end.
#include "fitness/moves/forest_internal.h"

static bool tree_is_sound(const Forest *forest, const uint16_t *node, size_t room, unsigned level) {
    const size_t header = forest_header(forest);
    if (level == FOREST_LEVELS || room < header)
        return false;
    const size_t size = forest_tree_size(node), own = header + node[3] + node[4];
    if (size > room || own > size)
        return false;
    for (size_t i = header; i < own; i++)
        if (node[i] >= forest->counts * FOREST_POWERS)
            return false;
    // Without a choice there would be no leaf to take the score from.
    const bool must_move = (node[2] & FLAG_NO_STAND) != 0 && (node[2] & FLAG_MATE) == 0;
    if (must_move && own == size)
        return false;
    for (size_t at = own; at < size; at += forest_tree_size(node + at))
        if (!tree_is_sound(forest, node + at, size - at, level + 1))
            return false;
    return true;
}

static bool place_is_sound(const Forest *forest, const ForestChunk *chunk,
                           const ForestPlace *place) {
    const size_t most = forest->kind == FOREST_VALUES ? 1 : MOVES_MAX;
    size_t trees = 0;
    if (place->end > chunk->count || place->start >= place->end)
        return false;
    for (size_t at = place->start; at < place->end; at += forest_tree_size(chunk->words + at))
        if (++trees > most || !tree_is_sound(forest, chunk->words + at, place->end - at, 0))
            return false;
    return true;
}

bool forest_is_valid(const Forest *forest) {
    for (size_t i = 0; i < forest->chunk_count; i++)
        if (!forest_chunk_is_sound(forest, &forest->chunks[i]))
            return false;
    return true;
}

bool forest_chunk_is_sound(const Forest *forest, const ForestChunk *chunk) {
    for (size_t i = 0; i < chunk->positions; i++)
        if (!place_is_sound(forest, chunk, &chunk->places[i]))
            return false;
    return true;
}
