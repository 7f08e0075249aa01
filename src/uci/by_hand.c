// SPDX-License-Identifier: GPL-3.0-or-later
// What people and test frameworks ask for: no part of UCI.
#include "uci/engine.h"

#include "chess/fen.h"
#include "eval/evaluator.h"

enum { BENCH_DEPTH_MAX = 64 };

#ifndef FALCONER_VERSION
#define FALCONER_VERSION "unknown"
#endif

void uci_greet(Engine *engine) {
    const bool is_other = engine->whose.length > 0; // than the built-in weights
    engine_say(engine, "Eyas " FALCONER_VERSION "%s%s%s, a chess engine by the Falconer developers",
               is_other ? " (" : "", str_text(&engine->whose), is_other ? ")" : "");
    engine_say(engine, "Chess programs talk to it in UCI. By hand: 'go movetime 1000' thinks, 'd' "
                       "shows the board, 'help' lists more, 'quit' ends.");
}

void uci_help(Engine *engine, StrView rest) {
    static const char *const lines[] = {
        "position startpos moves e2e4 e7e5   sets up the start position and plays moves",
        "position fen FEN                    sets up any position",
        "go movetime 1000 | depth 12 | nodes 100000 | infinite",
        "                                    thinks so long, so deep, or until 'stop'",
        "stop                                says the best move so far",
        "d                                   shows the board",
        "eval                                the static score of the position",
        "perft 5                             counts the positions after so many plies",
        "bench [DEPTH]                       searches a fixed set of positions",
        "uci                                 lists the options",
        "setoption name Hash value 64        sets one of them",
        "ucinewgame                          forgets what was searched",
        "quit                                ends",
    };
    (void)rest;
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        engine_say(engine, "%s", lines[i]);
}

// Rank by rank, from the FEN: digits are empty squares.
static void say_board(Engine *engine, const char *fen) {
    CLEANUP(str_free) Str row = {0};
    unsigned rank = 8;
    for (; rank > 0; fen++) {
        if (*fen == '/' || *fen == ' ') {
            engine_say(engine, "%u %s", rank--, str_text(&row));
            str_clear(&row);
        } else if (*fen >= '1' && *fen <= '8') {
            for (char empty = '0'; empty < *fen; empty++)
                str_add(&row, " .");
        } else {
            str_addf(&row, " %c", *fen);
        }
    }
    engine_say(engine, "   a b c d e f g h   %s to move",
               position_turn(&engine->pos) == WHITE ? "White" : "Black");
}

void uci_show_position(Engine *engine, StrView rest) {
    (void)rest;
    char fen[FEN_SIZE];
    fen_write(&engine->pos, fen);
    if (engine->by_hand)
        say_board(engine, fen);
    engine_say(engine, "info string fen %s", fen);
    engine_say(engine, "info string key %016llx", (unsigned long long)engine->pos.key);
}

void uci_eval(Engine *engine, StrView rest) {
    (void)rest;
    Evaluator *evaluator = evaluator_create(&engine->weights, false);
    const int score = evaluator_score(evaluator, &engine->pos);
    evaluator_destroy(evaluator);
    engine_say(engine, "info string static score %d centipawns for White (%s)",
               position_turn(&engine->pos) == WHITE ? score : -score, engine->weights.family->name);
}

static void say_genfen(void *engine, const char *fen) {
    engine_say(engine, "info string genfens %s", fen);
}

void uci_genfens_here(Engine *engine, StrView rest) {
    if (uci_genfens(&engine->weights, rest, say_genfen, engine) != OK)
        engine_say(engine, "info string %s", error_message());
}

// With the engine's weights, features and numbers.
void uci_bench_here(Engine *engine, StrView rest) {
    const StrView word = view_next_word(&rest);
    int64_t depth = 0;
    BenchResult result;
    if (word.length > 0 && (!view_to_int(word, &depth) || depth < 1 || depth > BENCH_DEPTH_MAX)) {
        engine_say(engine, "info string bench takes a depth from 1 to %d", BENCH_DEPTH_MAX);
        return;
    }
    if (uci_bench(&engine->weights, &engine->features, (int)depth, &result) != OK)
        engine_say(engine, "info string %s", error_message());
    else
        engine_say(engine, "%llu nodes %.0f nps", (unsigned long long)result.nodes,
                   (double)result.nodes / (result.seconds > 0 ? result.seconds : 1e-9));
}
