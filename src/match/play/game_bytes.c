// SPDX-License-Identifier: GPL-3.0-or-later
#include "match/play/game_bytes.h"

#include "base/mem.h"
#include "chess/fen.h"
#include "chess/movegen.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOVE_BYTES = 2, HAS_SCORE = 1, IS_MATE = 2 };

// --- positions and moves ---

static void pack_position(const Position *pos, Str *out) {
    char fen[FEN_SIZE];
    fen_write(pos, fen);
    bytes_add_string(out, fen);
}

static void unpack_position(ByteReader *in, Position *out) {
    char *fen = bytes_string(in);
    if (fen == NULL || fen_parse(fen, out) != OK) {
        in->failed = true;
        position_set_start(out);
    }
    free(fen);
}

static void pack_moves(const Move *moves, size_t count, Str *out) {
    for (size_t i = 0; i < count; i++)
        bytes_add_u16(out, moves[i]);
}

static void unpack_moves(ByteReader *in, const Position *start, size_t count, Move *out) {
    Position pos = *start;
    for (size_t i = 0; i < count && !in->failed; i++) {
        Undo undo;
        out[i] = bytes_u16(in);
        if (in->failed || !move_is_legal(&pos, out[i]))
            in->failed = true;
        else
            position_make(&pos, out[i], &undo);
    }
}

// --- before a game ---

void opening_pack(const Opening *opening, Str *out) {
    pack_position(&opening->start, out);
    bytes_add_short(out, (int64_t)opening->count);
    pack_moves(opening->moves, opening->count, out);
}

void opening_unpack(ByteReader *in, Opening *out) {
    unpack_position(in, &out->start);
    out->count = bytes_count(in, MOVE_BYTES);
    if (out->count > OPENING_PLIES_MAX) {
        in->failed = true;
        out->count = 0;
    }
    unpack_moves(in, &out->start, out->count, out->moves);
}

void adjudication_pack(const AdjudicationRules *rules, Str *out) {
    const int numbers[] = {rules->resign_moves, rules->resign_cp,  rules->resign_needs_both,
                           rules->draw_from,    rules->draw_moves, rules->draw_cp,
                           rules->max_moves};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        bytes_add_short(out, numbers[i]);
}

AdjudicationRules adjudication_unpack(ByteReader *in) {
    AdjudicationRules rules = {0};
    rules.resign_moves = bytes_short_in(in, INT_MIN, INT_MAX);
    rules.resign_cp = bytes_short_in(in, INT_MIN, INT_MAX);
    rules.resign_needs_both = bytes_short_in(in, 0, 1) == 1;
    rules.draw_from = bytes_short_in(in, INT_MIN, INT_MAX);
    rules.draw_moves = bytes_short_in(in, INT_MIN, INT_MAX);
    rules.draw_cp = bytes_short_in(in, INT_MIN, INT_MAX);
    rules.max_moves = bytes_short_in(in, INT_MIN, INT_MAX);
    return rules;
}

// --- after a game ---

static void pack_thought(const GameThought *thought, Str *out) {
    bytes_add_u8(
        out, (uint8_t)((thought->has_score ? HAS_SCORE : 0) | (thought->is_mate ? IS_MATE : 0)));
    bytes_add_short(out, thought->score);
    bytes_add_short(out, thought->depth);
    bytes_add_short(out, thought->elapsed_ns);
}

static GameThought unpack_thought(ByteReader *in) {
    GameThought thought;
    const unsigned flags = bytes_u8(in);
    thought.has_score = (flags & HAS_SCORE) != 0;
    thought.is_mate = (flags & IS_MATE) != 0;
    thought.score = bytes_short_in(in, INT_MIN, INT_MAX);
    thought.depth = bytes_short_in(in, INT_MIN, INT_MAX);
    thought.elapsed_ns = bytes_short(in);
    return thought;
}

void game_record_pack(const GameRecord *record, Str *out) {
    pack_position(&record->start, out);
    bytes_add_short(out, (int64_t)record->count);
    pack_moves(record->moves, record->count, out);
    // Nobody thought of the opening.
    bytes_add_short(out, (int64_t)record->opening_count);
    for (size_t i = record->opening_count; i < record->count; i++)
        pack_thought(&record->thoughts[i], out);
    bytes_add_u8(out, (uint8_t)record->result);
    bytes_add_u8(out, (uint8_t)record->ending);
    bytes_add_u8(out, (uint8_t)record->loser);
    bytes_add_short(out, record->replays);
    bytes_add_u8(out, (uint8_t)record->fault);
    bytes_add_string(out, record->detail);
    bytes_add_i64(out, record->started_s);
    bytes_add_short(out, record->elapsed_ns);
    bytes_add_short(out, record->latency.max_ns);
    bytes_add_short(out, record->latency.sum_ns);
    bytes_add_short(out, (int64_t)record->latency.count);
}

static void unpack_play(ByteReader *in, GameRecord *out) {
    unpack_position(in, &out->start);
    out->count = bytes_count(in, MOVE_BYTES);
    out->capacity = out->count;
    out->moves = mem_alloc_zero(out->count + 1, sizeof *out->moves);
    out->thoughts = mem_alloc_zero(out->count + 1, sizeof *out->thoughts);
    unpack_moves(in, &out->start, out->count, out->moves);
    const int64_t opening = bytes_short(in);
    in->failed = in->failed || opening < 0 || (uint64_t)opening > out->count;
    out->opening_count = in->failed ? 0 : (size_t)opening;
    for (size_t i = out->opening_count; i < out->count && !in->failed; i++)
        out->thoughts[i] = unpack_thought(in);
}

void game_record_unpack(ByteReader *in, GameRecord *out) {
    *out = (GameRecord){0};
    unpack_play(in, out);
    const unsigned result = bytes_u8(in), ending = bytes_u8(in), loser = bytes_u8(in);
    in->failed = in->failed || result > RESULT_DRAW || ending >= ENDING_NB || loser >= COLOR_NB;
    if (!in->failed) {
        out->result = (GameResult)result;
        out->ending = (Ending)ending;
        out->loser = (Color)loser;
    }
    out->replays = bytes_short_in(in, 0, INT_MAX);
    const unsigned fault = bytes_u8(in);
    out->fault = fault < FAULT_NB ? (Fault)fault : FAULT_NONE;
    in->failed = in->failed || fault >= FAULT_NB || !game_record_is_valid(out);
    char *detail = bytes_string(in);
    snprintf(out->detail, sizeof out->detail, "%s", detail == NULL ? "" : detail);
    free(detail);
    out->started_s = bytes_i64(in);
    out->elapsed_ns = bytes_short(in);
    out->latency.max_ns = bytes_short(in);
    out->latency.sum_ns = bytes_short(in);
    out->latency.count = (size_t)bytes_short_in(in, 0, INT_MAX);
}
