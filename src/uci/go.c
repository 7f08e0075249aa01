// SPDX-License-Identifier: GPL-3.0-or-later
#include "uci/engine.h"

#include "base/mem.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/perft.h"

enum { WORD_SHOWN = 40, MOVES_TO_GO_MAX = 1000, PERFT_MAX = 12 };

// Thirty years; more than that would overflow somewhere.
static const int64_t TIME_MAX_MS = 1000000000000;

static void push_key(Engine *engine, uint64_t key) {
    engine->keys = mem_grow(engine->keys, &engine->key_capacity, engine->key_count + 1, sizeof key);
    engine->keys[engine->key_count++] = key;
}

static int shown(StrView word) {
    return (int)(word.length < WORD_SHOWN ? word.length : WORD_SHOWN);
}

static void play_moves(Engine *engine, StrView rest) {
    for (StrView word; (word = view_next_word(&rest)).length > 0;) {
        Move move = move_from_uci(&engine->pos, word.text, word.length);
        if (move == MOVE_NONE) {
            char fen[FEN_SIZE];
            fen_write(&engine->pos, fen);
            engine_say(engine, "info string illegal move '%.*s' in %s: the rest is ignored",
                       shown(word), word.text, fen);
            return;
        }
        Undo undo;
        position_make(&engine->pos, move, &undo);
        push_key(engine, engine->pos.key);
    }
}

void uci_position(Engine *engine, StrView rest) {
    Position pos;
    StrView after = rest, word = view_next_word(&after);
    if (view_equals(word, "startpos")) {
        position_set_start(&pos);
    } else {
        if (!view_equals(word, "fen"))
            after = rest; // some senders leave the word out
        if (fen_read(&after, &pos) != OK) {
            engine_say(engine, "info string %s: the position is unchanged", error_message());
            return;
        }
    }
    engine->pos = pos;
    engine->key_count = 0;
    push_key(engine, pos.key);
    word = view_next_word(&after);
    if (view_equals(word, "moves"))
        play_moves(engine, after);
    else if (word.length > 0)
        engine_say(engine, "info string '%.*s' after the position is ignored", shown(word),
                   word.text);
}

// Words of "go" that are followed by a number.
typedef struct GoNumber {
    const char *word;
    int64_t value;
    bool given;
} GoNumber;

enum { WTIME, BTIME, WINC, BINC, MOVESTOGO, DEPTH, NODES, MATE, MOVETIME, PERFT, GO_NUMBERS };

static void read_number(Engine *engine, GoNumber *number, StrView *rest) {
    StrView before = *rest, word = view_next_word(rest);
    if (view_to_int(word, &number->value)) {
        number->given = true;
        return;
    }
    engine_say(engine, "info string go %s needs a number, not '%.*s'", number->word, shown(word),
               word.text);
    *rest = before;
}

static bool read_any_number(Engine *engine, GoNumber numbers[GO_NUMBERS], StrView word,
                            StrView *rest) {
    for (size_t i = 0; i < GO_NUMBERS; i++)
        if (view_equals(word, numbers[i].word)) {
            read_number(engine, &numbers[i], rest);
            return true;
        }
    return false;
}

static void read_search_moves(const Engine *engine, Limits *limits, StrView *rest) {
    for (;;) {
        StrView before = *rest, word = view_next_word(rest);
        Move move = move_from_uci(&engine->pos, word.text, word.length);
        if (move == MOVE_NONE || limits->move_count == MOVES_MAX) {
            *rest = before;
            return;
        }
        limits->moves[limits->move_count++] = move;
    }
}

static int64_t clamp(int64_t value, int64_t low, int64_t high) {
    return value < low ? low : value > high ? high : value;
}

static int64_t without_overhead(const Engine *engine, const GoNumber *time) {
    return clamp(clamp(time->value, 0, TIME_MAX_MS) - engine->overhead_ms, 1, TIME_MAX_MS);
}

// A limit of 0 would mean none, so what asks for nothing gets the least there is. Whoever tells
// only the other side's time has a clock too, and gets a move at once.
static void set_limits(const Engine *engine, Limits *limits, const GoNumber n[GO_NUMBERS]) {
    bool white = engine->pos.turn == WHITE;
    const GoNumber *time = &n[white ? WTIME : BTIME], *increment = &n[white ? WINC : BINC];
    if (n[DEPTH].given)
        limits->depth = (int)clamp(n[DEPTH].value, 1, PLY_MAX);
    if (n[NODES].given)
        limits->nodes = (uint64_t)clamp(n[NODES].value, 1, INT64_MAX);
    if (n[MOVETIME].given)
        limits->move_ms = without_overhead(engine, &n[MOVETIME]);
    if (n[MATE].given)
        limits->mate = (int)clamp(n[MATE].value, 1, PLY_MAX);
    if (n[WTIME].given || n[BTIME].given || increment->given)
        limits->clock =
            (ChessClock){without_overhead(engine, time), clamp(increment->value, 0, TIME_MAX_MS),
                         (int)clamp(n[MOVESTOGO].value, 0, MOVES_TO_GO_MAX)};
    limits->lines = (int)engine->multi_pv;
}

static void say_perft(Engine *engine, int64_t depth) {
    Position pos = engine->pos;
    Move moves[MOVES_MAX];
    size_t count = depth > 0 ? movegen(&pos, MOVES_ALL, moves) : 0;
    uint64_t total = depth > 0 ? 0 : 1;
    for (size_t i = 0; i < count; i++) {
        Undo undo;
        char text[UCI_MOVE_SIZE];
        position_make(&pos, moves[i], &undo);
        uint64_t nodes = perft(&pos, (unsigned)(depth - 1));
        position_unmake(&pos, moves[i], &undo);
        engine_write_move(engine, &pos, moves[i], text);
        engine_say(engine, "%s: %llu", text, (unsigned long long)nodes);
        total += nodes;
    }
    engine_say(engine, "\nNodes searched: %llu\n", (unsigned long long)total);
}

void uci_perft(Engine *engine, StrView rest) {
    GoNumber number = {.word = "perft"};
    read_number(engine, &number, &rest);
    if (number.given)
        say_perft(engine, number.value > PERFT_MAX ? PERFT_MAX : number.value);
}

void uci_go(Engine *engine, StrView rest) {
    GoNumber numbers[GO_NUMBERS] = {
        [WTIME] = {.word = "wtime"},       [BTIME] = {.word = "btime"},
        [WINC] = {.word = "winc"},         [BINC] = {.word = "binc"},
        [DEPTH] = {.word = "depth"},       [NODES] = {.word = "nodes"},
        [MATE] = {.word = "mate"},         [PERFT] = {.word = "perft"},
        [MOVETIME] = {.word = "movetime"}, [MOVESTOGO] = {.word = "movestogo"},
    };
    Limits limits = {0};
    for (StrView word; (word = view_next_word(&rest)).length > 0;) {
        if (view_equals(word, "infinite"))
            limits.infinite = true;
        else if (view_equals(word, "ponder"))
            limits.ponder = true;
        else if (view_equals(word, "searchmoves"))
            read_search_moves(engine, &limits, &rest);
        else if (!read_any_number(engine, numbers, word, &rest))
            engine_say(engine, "info string '%.*s' after go is ignored", shown(word), word.text);
    }
    if (numbers[PERFT].given) {
        say_perft(engine, numbers[PERFT].value > PERFT_MAX ? PERFT_MAX : numbers[PERFT].value);
        return;
    }
    set_limits(engine, &limits, numbers);
    engine_go(engine, &limits);
}
