// SPDX-License-Identifier: GPL-3.0-or-later
#include "match/play/candidate_boards.h"

#include "base/descriptors.h"
#include "base/mem.h"
#include "engines/command.h"
#include "engines/process.h"
#include "match/play/game_bytes.h"
#include "match/play/player_create.h"
#include "match/play/table.h"

#include <stdlib.h>

struct CandidateBoards {
    CandidateRules rules;
    Player (*players)[COLOR_NB]; // of each board
    int count;
};

Status candidate_boards_open(CandidateBoards **out, const CandidateRules *rules, int count) {
    const Status status = descriptors_check(process_descriptors((uint64_t)count, COLOR_NB));
    if (status != OK)
        return status;
    CandidateBoards *boards = *out = mem_alloc_zero(1, sizeof *boards);
    *boards = (CandidateBoards){.rules = *rules, .count = count};
    boards->players = mem_alloc_zero((size_t)count, sizeof *boards->players);
    for (int i = 0; i < count; i++)
        for (int c = 0; c < COLOR_NB; c++)
            boards->players[i][c] = player_engine_create(rules->spec, -1);
    return OK;
}

void candidate_boards_close(CandidateBoards *boards) {
    if (boards == NULL)
        return;
    for (int i = 0; i < boards->count; i++)
        for (int c = 0; c < COLOR_NB; c++)
            boards->players[i][c].ops->close(boards->players[i][c].self);
    free(boards->players);
    free(boards);
}

void candidate_boards_play(CandidateBoards *boards, int board, const Opening *opening,
                           const CandidateSides *sides, GameRecord *out) {
    const EngineSpec *spec = boards->rules.spec;
    const Player *players = boards->players[board];
    GameConfig setup = {.start = opening->start,
                        .opening = opening->moves,
                        .opening_count = opening->count,
                        .rules = boards->rules.adjudication,
                        .cap_ms = boards->rules.cap_ms};
    table_sides(spec, spec, setup.sides);
    for (int c = 0; c < COLOR_NB; c++)
        player_engine_set_options(&players[c], sides->options[c], sides->count);
    game_play(&setup, &players[WHITE], &players[BLACK], out);
}

// --- as bytes ---

void candidate_rules_pack(const CandidateRules *rules, Str *out) {
    engine_spec_pack(rules->spec, out);
    bytes_add_u64(out, command_program_hash(rules->spec));
    adjudication_pack(&rules->adjudication, out);
    bytes_add_short(out, rules->cap_ms);
}

void candidate_game_pack(const Opening *opening, const CandidateSides *sides, Str *out) {
    opening_pack(opening, out);
    bytes_add_short(out, (int64_t)sides->count);
    for (int c = 0; c < COLOR_NB; c++)
        for (size_t i = 0; i < sides->count; i++) {
            bytes_add_string(out, sides->options[c][i].name);
            bytes_add_string(out, sides->options[c][i].value);
        }
}

// --- on other ranks ---

// What a thread has been told last. Engines may ask for their options until they are told others.
typedef struct Told {
    Opening opening;
    EngineOption *options[COLOR_NB]; // owned
    size_t count;
} Told;

typedef struct Hall {
    EngineSpec spec;
    CandidateBoards *boards;
    Told *told; // to each thread
    int threads;
} Hall;

static void told_free(Told *told) {
    for (int c = 0; c < COLOR_NB; c++) {
        for (size_t i = 0; i < told->count; i++) {
            free(told->options[c][i].name);
            free(told->options[c][i].value);
        }
        free(told->options[c]);
        told->options[c] = NULL;
    }
    told->count = 0;
}

static Status open_hall(void **self, StrView context, DistPool *pool, int cancel_fd,
                        uint64_t *fingerprint) {
    (void)cancel_fd;
    Hall *hall = *self = mem_alloc_zero(1, sizeof *hall);
    ByteReader in = {.rest = context};
    (void)fingerprint;
    chess_init();
    hall->threads = dist_pool_threads(pool);
    hall->told = mem_alloc_zero((size_t)hall->threads, sizeof *hall->told);
    engine_spec_unpack(&in, &hall->spec);
    const uint64_t program = bytes_u64(&in);
    CandidateRules rules = {.spec = &hall->spec};
    rules.adjudication = adjudication_unpack(&in);
    rules.cap_ms = bytes_short(&in);
    if (!bytes_are_done(&in))
        return error_set(ERR_PARSE, "these bytes describe no games of candidates");
    const Status status = command_program_check(&hall->spec, program);
    return status == OK ? candidate_boards_open(&hall->boards, &rules, hall->threads) : status;
}

static void told_read(ByteReader *in, Told *out) {
    opening_unpack(in, &out->opening);
    out->count = bytes_count(in, 2);
    for (int c = 0; c < COLOR_NB; c++) {
        out->options[c] = mem_alloc_zero(out->count + 1, sizeof *out->options[c]);
        for (size_t i = 0; i < out->count; i++) {
            EngineOption *option = &out->options[c][i];
            option->name = bytes_string(in);
            option->value = bytes_string(in);
            in->failed = in->failed || option->name == NULL || option->value == NULL;
        }
    }
}

static Status answer_game(void *self, int worker, StrView work, Str *out) {
    Hall *hall = self;
    ByteReader in = {.rest = work};
    Told before = hall->told[worker], *told = &hall->told[worker];
    GameRecord record;
    *told = (Told){0};
    told_read(&in, told);
    if (!bytes_are_done(&in)) {
        told_free(told);
        *told = before;
        return error_set(ERR_PARSE, "these bytes describe no game of candidates");
    }
    const CandidateSides sides = {{told->options[WHITE], told->options[BLACK]}, told->count};
    candidate_boards_play(hall->boards, worker, &told->opening, &sides, &record);
    told_free(&before);
    game_record_pack(&record, out);
    game_record_deinit(&record);
    return OK;
}

static void close_hall(void *self) {
    Hall *hall = self;
    candidate_boards_close(hall->boards);
    for (int i = 0; i < hall->threads; i++)
        told_free(&hall->told[i]);
    free(hall->told);
    engine_spec_deinit(&hall->spec);
    free(hall);
}

const DistService candidate_service = {
    .name = "candidates", .open = open_hall, .answer = answer_game, .close = close_hall};
