// SPDX-License-Identifier: GPL-3.0-or-later
#include "match/play/game.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/suspend.h"
#include "chess/draw.h"
#include "match/play/live_games.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MATE_CP = 100000, LATE_GRACE_MS = 50, PLIES_MAX = 20000 };

typedef struct Game {
    const GameConfig *config;
    const Player *players[COLOR_NB];
    ChessClock clocks[COLOR_NB]; // as they stand
    Position pos;
    uint64_t *keys; // owned; of all positions so far
    size_t key_count, key_capacity;
    Adjudicator judge;
    uint64_t suspends;     // of this program when the game began
    bool offers[COLOR_NB]; // who offered a draw with its last move
    GameRecord *record;
} Game;

static void add_key(Game *game) {
    MEM_ADD(game->keys, game->key_count, game->key_capacity) = game->pos.key;
}

static void end_game(GameRecord *record, Ending ending, GameResult result) {
    record->ending = ending;
    record->result = result;
    record->loser = result == RESULT_WHITE_WINS ? BLACK : WHITE;
}

static void end_lost(GameRecord *record, Ending ending, Color loser) {
    end_game(record, ending, loser == WHITE ? RESULT_BLACK_WINS : RESULT_WHITE_WINS);
}

static void end_faulty(GameRecord *record, Fault fault, Color loser) {
    snprintf(record->detail, sizeof record->detail, "%s", error_message());
    record->fault = fault;
    if (fault == FAULT_CANCELLED)
        end_game(record, ENDING_FAULT, RESULT_UNKNOWN);
    else
        end_lost(record, ENDING_FAULT, loser);
}

// Whether its clocks ran on while this program stood still.
static bool is_void(const Game *game) {
    const GameSide *sides = game->config->sides;
    return (limits_have_clock(&sides[WHITE].limits) || limits_have_clock(&sides[BLACK].limits)) &&
           game->record->fault != FAULT_CANCELLED && suspend_count() != game->suspends;
}

// No player is told that it has no time at all: that would mean that it has no clock.
static ChessClock shown_clock(const ChessClock *clock) {
    return (ChessClock){clock->time_ms < 1 ? 1 : clock->time_ms, clock->inc_ms, clock->moves};
}

// What the mover is told, and how long we wait for it.
static Limits limits_for(const Game *game, Color mover) {
    const GameSide *side = &game->config->sides[mover];
    Limits limits = side->limits;
    limits.cap_ms = game->config->cap_ms;
    if (side->limits.clock.time_ms > 0) {
        // An opponent without a clock is told of as if it had ours.
        Color other = color_other(mover);
        other = game->config->sides[other].limits.clock.time_ms > 0 ? other : mover;
        limits.clock = shown_clock(&game->clocks[mover]);
        limits.other = shown_clock(&game->clocks[other]);
        limits.cap_ms = limits.clock.time_ms + side->margin_ms + LATE_GRACE_MS;
    } else if (side->limits.move_ms > 0) {
        limits.cap_ms = side->limits.move_ms + side->margin_ms + LATE_GRACE_MS;
    }
    return limits;
}

// Takes the time off the clock; false when it has run out. Thousandths are rounded in the mover's
// favour.
static bool charge_clock(ChessClock *clock, const GameSide *side, int64_t elapsed_ns) {
    const ChessClock *start = &side->limits.clock;
    int64_t spent_ms = elapsed_ns / 1000000;
    if (side->limits.move_ms > 0)
        return spent_ms <= side->limits.move_ms + side->margin_ms;
    if (start->time_ms == 0)
        return true;
    clock->time_ms -= spent_ms;
    if (clock->time_ms + side->margin_ms < 0)
        return false;
    if (clock->time_ms < 0)
        clock->time_ms = 0;
    clock->time_ms += start->inc_ms;
    if (start->moves > 0 && --clock->moves == 0) {
        clock->moves = start->moves;
        clock->time_ms += start->time_ms;
    }
    return true;
}

static void add_move(Game *game, const PlayerAnswer *answer) {
    GameRecord *record = game->record;
    if (record->count == record->capacity) {
        size_t thoughts = record->capacity;
        record->moves =
            mem_grow(record->moves, &record->capacity, record->count + 1, sizeof *record->moves);
        record->thoughts =
            mem_grow(record->thoughts, &thoughts, record->capacity, sizeof *record->thoughts);
    }
    record->moves[record->count] = answer->move;
    record->thoughts[record->count++] = (GameThought){
        answer->score, answer->depth, answer->has_score, answer->is_mate, answer->elapsed_ns};
    for (int c = 0; c < COLOR_NB; c++)
        game->players[c]->ops->push_move(game->players[c]->self, answer->move);
    Undo undo;
    position_make(&game->pos, answer->move, &undo);
    add_key(game);
}

static bool judge_position(Game *game) {
    static const Ending endings[] = {
        [GAME_STALEMATE] = ENDING_STALEMATE,
        [GAME_MATERIAL] = ENDING_MATERIAL,
        [GAME_FIFTY_MOVES] = ENDING_FIFTY_MOVES,
        [GAME_REPETITION] = ENDING_REPETITION,
    };
    GameEnd end = game_end(&game->pos, game->keys, game->key_count);
    if (end == GAME_CHECKMATE)
        end_lost(game->record, ENDING_MATE, position_turn(&game->pos));
    else if (end != GAME_GOES_ON)
        end_game(game->record, endings[end], RESULT_DRAW);
    else if (game->record->count >= PLIES_MAX)
        end_game(game->record, ENDING_TOO_LONG, RESULT_DRAW);
    return game->record->ending != ENDING_NONE;
}

static void judge_move(Game *game, const PlayerAnswer *answer, Color mover, unsigned number) {
    int mate_cp = answer->score > 0 ? MATE_CP : -MATE_CP;
    MoveOpinion opinion = {mover, number, answer->has_score,
                           answer->is_mate ? mate_cp : answer->score};
    switch (adjudicate(&game->judge, &opinion)) {
    case ADJUDICATED_LOST:
        end_lost(game->record, ENDING_RESIGNED, mover);
        break;
    case ADJUDICATED_DRAW:
        end_game(game->record, ENDING_AGREED, RESULT_DRAW);
        break;
    case ADJUDICATED_TOO_LONG:
        end_game(game->record, ENDING_TOO_LONG, RESULT_DRAW);
        break;
    case ADJUDICATED_NONE:
        break;
    }
}

// Only a clock makes it matter how long an answer lay there.
static void note_latency(GameRecord *record, const GameSide *side, const PlayerAnswer *answer) {
    GameLatency *latency = &record->latency;
    if (!limits_have_clock(&side->limits))
        return;
    latency->count++;
    latency->sum_ns += answer->latency_ns;
    if (answer->latency_ns > latency->max_ns)
        latency->max_ns = answer->latency_ns;
}

static void judge_offers(Game *game, const PlayerAnswer *answer, Color mover) {
    game->offers[mover] = answer->offers_draw;
    if (game->offers[WHITE] && game->offers[BLACK])
        end_game(game->record, ENDING_OFFERED, RESULT_DRAW);
}

static void tell_watchers(const Game *game) {
    int64_t left_ms[COLOR_NB];
    for (int c = 0; c < COLOR_NB; c++)
        left_ms[c] = game->config->sides[c].limits.clock.time_ms > 0 ? game->clocks[c].time_ms : -1;
    live_game_tell(game->config->live, game->record, left_ms);
}

static void play_move(Game *game) {
    Color mover = position_turn(&game->pos);
    const Player *player = game->players[mover];
    const GameSide *side = &game->config->sides[mover];
    // From the game's own start: what was played before a position came to be is no part of it.
    unsigned number = (unsigned)(game->pos.fullmove - game->config->start.fullmove) + 1;
    const Limits limits = limits_for(game, mover);
    PlayerAnswer answer;
    tell_watchers(game);
    Fault fault = player->ops->think(player->self, &game->pos, &limits, NULL, &answer);
    if (answer.has_resigned) {
        end_lost(game->record, ENDING_GAVE_UP, mover);
        return;
    }
    if (fault == FAULT_NONE || fault == FAULT_LATE)
        note_latency(game->record, side, &answer);
    // Without a clock, being late is not answering.
    if (fault == FAULT_LATE && !limits_have_clock(&side->limits)) {
        error_set(ERR_ENGINE, "%s: no move within %lld s; does it know this kind of limit?",
                  player->name, (long long)(limits.cap_ms / 1000));
        fault = FAULT_STALLED;
    }
    if (fault == FAULT_NONE && !charge_clock(&game->clocks[mover], side, answer.elapsed_ns))
        fault = FAULT_LATE;
    if (fault == FAULT_LATE)
        error_set(ERR_ENGINE, "%s: took %lld ms and had %lld", player->name,
                  (long long)(answer.elapsed_ns / 1000000),
                  (long long)(limits.move_ms > 0 ? limits.move_ms : limits.clock.time_ms));
    if (fault != FAULT_NONE) {
        end_faulty(game->record, fault, mover);
        return;
    }
    add_move(game, &answer);
    if (!judge_position(game))
        judge_move(game, &answer, mover, number);
    if (game->record->ending == ENDING_NONE)
        judge_offers(game, &answer, mover);
}

static void start_players(Game *game) {
    for (int c = 0; c < COLOR_NB && game->record->ending == ENDING_NONE; c++) {
        const Player *player = game->players[c];
        const Fault fault = player->ops->new_game(player->self, &game->config->start);
        if (fault != FAULT_NONE)
            end_faulty(game->record, fault, (Color)c);
    }
}

static void end_players(const Game *game) {
    for (int c = 0; c < COLOR_NB; c++)
        if (game->players[c]->ops->end_game != NULL)
            game->players[c]->ops->end_game(game->players[c]->self, game->record->result);
}

static void make_opening(Game *game) {
    for (size_t i = 0; i < game->config->opening_count; i++)
        add_move(game, &(PlayerAnswer){.move = game->config->opening[i]});
    game->record->opening_count = game->config->opening_count;
}

// False when it must be played again.
static bool play_once(const GameConfig *config, const Player *white, const Player *black,
                      GameRecord *out) {
    Game game = {.config = config,
                 .players = {white, black},
                 .pos = config->start,
                 .judge = {.rules = &config->rules},
                 .record = out,
                 .suspends = suspend_count()};
    *out = (GameRecord){.start = config->start, .started_s = (int64_t)time(NULL)};
    int64_t start_ns = clock_now_ns();
    for (int c = 0; c < COLOR_NB; c++)
        game.clocks[c] = config->sides[c].limits.clock;
    add_key(&game);
    start_players(&game);
    if (out->ending == ENDING_NONE) {
        make_opening(&game);
        judge_position(&game);
    }
    while (out->ending == ENDING_NONE && !is_void(&game))
        play_move(&game);
    end_players(&game);
    out->elapsed_ns = clock_now_ns() - start_ns;
    free(game.keys);
    return !is_void(&game);
}

void game_play(const GameConfig *config, const Player *white, const Player *black,
               GameRecord *out) {
    int replays = 0;
    for (; !play_once(config, white, black, out); replays++)
        game_record_deinit(out);
    out->replays = replays;
}

void game_record_deinit(GameRecord *record) {
    free(record->moves);
    free(record->thoughts);
    *record = (GameRecord){0};
}

bool game_record_is_valid(const GameRecord *record) {
    return record->ending < ENDING_NB && record->fault < FAULT_NB &&
           (record->fault != FAULT_NONE) == (record->ending == ENDING_FAULT) &&
           record->opening_count <= record->count &&
           (record->count == 0 || (record->moves != NULL && record->thoughts != NULL));
}

void game_describe_ending(const GameRecord *record, Str *out) {
    static const char *const texts[ENDING_NB] = {
        [ENDING_NONE] = "unterminated",
        [ENDING_MATE] = " mates",
        [ENDING_STALEMATE] = "Draw by stalemate",
        [ENDING_REPETITION] = "Draw by 3-fold repetition",
        [ENDING_FIFTY_MOVES] = "Draw by fifty moves rule",
        [ENDING_MATERIAL] = "Draw by insufficient mating material",
        [ENDING_RESIGNED] = " wins by adjudication",
        [ENDING_AGREED] = "Draw by adjudication",
        [ENDING_TOO_LONG] = "Draw by adjudication: maximum length",
        [ENDING_GAVE_UP] = " resigns",
        [ENDING_OFFERED] = "Draw by agreement",
    };
    const bool is_fault = record->ending == ENDING_FAULT;
    const bool by_winner = record->ending == ENDING_MATE || record->ending == ENDING_RESIGNED;
    const Color named = by_winner ? color_other(record->loser) : record->loser;
    if (record->fault == FAULT_CANCELLED) {
        str_add(out, "cancelled");
        return;
    }
    if (by_winner || is_fault || record->ending == ENDING_GAVE_UP)
        str_add(out, named == WHITE ? "White" : "Black");
    str_add(out, is_fault ? fault_words[record->fault].ending : texts[record->ending]);
}

const char termination_adjudicated[] = "adjudication";

const char *game_termination(const GameRecord *record) {
    switch (record->ending) {
    case ENDING_RESIGNED:
    case ENDING_AGREED:
    case ENDING_TOO_LONG:
        return termination_adjudicated;
    case ENDING_NONE:
        return "unterminated";
    default:
        return fault_words[record->fault].termination;
    }
}
