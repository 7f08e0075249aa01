// SPDX-License-Identifier: GPL-3.0-or-later
#include "fuzz/engine_games.h"

#include "chess/movegen.h"
#include "chess/pgn.h"
#include "fuzz/fake_process.h"
#include "fuzz/fuzz.h"
#include "match/play/game_text.h"
#include "match/play/player_create.h"

#include <string.h>

enum { GAMES = 2, MOVES = 8, CAP_MS = 100000 };

static void check_moves(const GameRecord *record) {
    Position pos = record->start;
    Undo undo;
    for (size_t i = 0; i < record->count; i++) {
        MUST_HOLD(move_is_legal(&pos, record->moves[i]));
        position_make(&pos, record->moves[i], &undo);
    }
    MUST_HOLD(record->ending < ENDING_NB);
    MUST_HOLD((record->result == RESULT_UNKNOWN) == (record->fault == FAULT_CANCELLED));
    MUST_HOLD(memchr(record->detail, '\0', sizeof record->detail) != NULL);
}

// What is written of the game is one line of JSON and a game in PGN, which are read back.
static void check_written(const GameRecord *record, const GameSide sides[COLOR_NB]) {
    const GameNames names = {"fuzz", "engine", "random", 1, sides, NULL, false};
    const MatchGame game = {0};
    GameLine line;
    Str json = {0}, pgn = {0};
    PgnGame read = {0};
    game_write_json(record, &game, &names, 1, &json);
    MUST_HOLD(memchr(json.text, '\n', json.length) == json.text + json.length - 1);
    if (record->result != RESULT_UNKNOWN) {
        MUST_HOLD(game_parse_json(view_of(json.text, json.length - 1), &line) == OK);
        MUST_HOLD(line.result == record->result);
    }
    MUST_HOLD(game_write_pgn(record, &names, &pgn) == OK);
    size_t used;
    MUST_HOLD(pgn_parse(&read, view_of(pgn.text, pgn.length), true, &used) == PGN_STEP_GAME);
    MUST_HOLD(view_trim(view_of(pgn.text + used, pgn.length - used)).length == 0);
    MUST_HOLD(read.problem.kind == PGN_FINE && read.move_count == record->count);
    MUST_HOLD(read.result == record->result);
    pgn_game_free(&read);
    str_free(&json);
    str_free(&pgn);
}

static void play(const Player *white, const Player *black, unsigned number) {
    GameConfig config = {.cap_ms = CAP_MS, .rules = {.max_moves = MOVES}};
    GameRecord record;
    position_set_start(&config.start);
    config.sides[WHITE].limits.depth = config.sides[BLACK].limits.depth = 1;
    if (number % 2 == 1)
        game_play(&config, black, white, &record);
    else
        game_play(&config, white, black, &record);
    check_moves(&record);
    check_written(&record, config.sides);
    game_record_deinit(&record);
}

void engine_games_play(Protocol protocol, const char *options, StrView said) {
    chess_init();
    EngineSpec spec = engine_spec_init();
    Player engine, other = player_random_create(1, -1, "random");
    MUST_HOLD(engine_spec_parse(&spec, options) == OK);
    spec.protocol = protocol;
    MUST_HOLD(engine_spec_finish(&spec) == OK);
    MUST_HOLD(player_create(&engine, &spec, -1) == OK);
    fake_process_say(said);
    for (unsigned i = 0; i < GAMES; i++)
        play(&engine, &other, i);
    MUST_HOLD(fake_process_started() <= GAMES);
    engine.ops->close(engine.self);
    other.ops->close(other.self);
    MUST_HOLD(fake_process_running() == 0);
    engine_spec_deinit(&spec);
}
