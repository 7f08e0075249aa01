// SPDX-License-Identifier: GPL-3.0-or-later
// XBoard engines: the client alone, and as a player of whole games.
#include "engines/client.h"

#include "base/file.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "match/play/game.h"
#include "match/play/player_create.h"
#include "tests/unit/fakes.h"

#include <fcntl.h>
#include <stdlib.h>

enum { LOG_MAX = 1 << 20 };

static char log_path[] = "/tmp/falconer-xboard-XXXXXX";

static EngineSpec xboard_spec(const char *mode, const char *words) {
    EngineSpec spec = fake_spec_of("fake_xboard", mode, words);
    spec.protocol = PROTOCOL_XBOARD;
    return spec;
}

// What the engine was told since the last call.
static void take_log(Str *out) {
    str_clear(out);
    assert_int_equal(file_read(log_path, LOG_MAX, out), OK);
    assert_int_equal(truncate(log_path, 0), 0);
}

static Status open_within(EngineClient **out, const EngineSpec *spec, int feature_ms) {
    const ClientConfig config = {
        .spec = spec, .cancel_fd = -1, .start_ms = PATIENT_MS, .feature_ms = feature_ms};
    return client_open(out, &config);
}

// For engines that tell of their features; others are waited for in vain.
static Status open_client(EngineClient **out, const EngineSpec *spec) {
    return open_within(out, spec, PATIENT_MS);
}

static const Limits by_depth = {.depth = 1, .cap_ms = PATIENT_MS};

// Plays both sides of a game with one engine that is told every other move.
static void play_alone(EngineClient *client, int moves) {
    Position pos;
    position_set_start(&pos);
    assert_int_equal(client_new_game(client, &pos), OK);
    for (int i = 0; i < moves; i++) {
        EngineAnswer answer;
        Move list[MOVES_MAX];
        Undo undo;
        assert_int_equal(client_go(client, &by_depth, NULL, &answer), OK);
        assert_true(move_is_legal(&pos, answer.move));
        assert_true((answer.info.has & UCI_INFO_SCORE) != 0);
        client_push_move(client, answer.move);
        position_make(&pos, answer.move, &undo);
        if (movegen(&pos, MOVES_ALL, list) == 0)
            break;
        client_push_move(client, list[0]);
        position_make(&pos, list[0], &undo);
        if (!movegen_has_any(&pos))
            break;
    }
    client_end_game(client, RESULT_DRAW);
}

static void test_kinds_of_engines(void **state) {
    (void)state;
    static const char *const modes[] = {"", "old", "bare", "san", "offers", "claim 3", "garbage 2"};
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        EngineSpec spec = xboard_spec(modes[i], "");
        EngineClient *client;
        const int feature_ms = strcmp(modes[i], "old") == 0 ? 150 : PATIENT_MS;
        assert_int_equal(open_within(&client, &spec, feature_ms), OK);
        play_alone(client, 10);
        play_alone(client, 3);
        client_close(client);
        engine_spec_deinit(&spec);
        assert_no_process();
    }
}

static void test_what_it_is_told(void **state) {
    (void)state;
    Str log = {0};
    EngineSpec spec = xboard_spec("", "option.Style=calm option.book=false option.Noise=3 "
                                      "option.memory=64 'option.Reset it='");
    EngineClient *client;
    Position pos;
    EngineAnswer answer;
    take_log(&log);
    assert_int_equal(open_client(&client, &spec), OK);
    assert_string_equal(client_id(client), "Fake 1.0");
    take_log(&log);
    assert_non_null(strstr(log.text, "rejected unheard\n"));
    assert_non_null(strstr(log.text, "option Style=calm\noption Book=0\noption Noise=3\n"
                                     "memory 64\noption Reset it\nping 1\n"));
    assert_int_equal(fen_parse("4k3/8/8/8/8/8/4P3/4K3 b - - 0 1", &pos), OK);
    assert_int_equal(client_new_game(client, &pos), OK);
    Limits go = {.clock = {61500, 500, 40}, .other = {.time_ms = 30000}, .cap_ms = PATIENT_MS};
    assert_int_equal(client_go(client, &go, NULL, &answer), OK);
    take_log(&log);
    assert_string_equal(log.text,
                        "new\nforce\npost\neasy\nsetboard 4k3/8/8/8/8/8/4P3/4K3 b - - 0 1\n"
                        "ping 2\nlevel 40 1:01 0.500\ntime 6150\notim 3000\ngo\n");
    client_push_move(client, answer.move);
    Undo undo;
    position_make(&pos, answer.move, &undo);
    Move reply = move_from_uci(&pos, "e2e4", 4);
    assert_int_not_equal(reply, MOVE_NONE);
    client_push_move(client, reply);
    go.clock.time_ms = 60000;
    assert_int_equal(client_go(client, &go, NULL, &answer), OK);
    take_log(&log);
    assert_string_equal(log.text, "time 6000\notim 3000\nusermove e2e4\n");
    client_close(client);
    engine_spec_deinit(&spec);
    str_free(&log);
}

static void test_chess960(void **state) {
    (void)state;
    EngineSpec spec = xboard_spec("variants", ""), other = xboard_spec("", "");
    Str log = {0};
    EngineClient *client;
    Position pos;
    EngineAnswer answer;
    const Limits go = {.depth = 1, .cap_ms = PATIENT_MS};
    assert_int_equal(fen_parse("1k3r2/8/8/8/8/8/5PPP/1K3R2 w F - 0 1", &pos), OK);
    assert_int_equal(open_client(&client, &spec), OK);
    take_log(&log);
    assert_int_equal(client_new_game(client, &pos), OK);
    client_push_move(client, move_from_uci(&pos, "b1f1", 4));
    assert_int_equal(client_go(client, &go, NULL, &answer), OK);
    take_log(&log);
    assert_non_null(strstr(log.text, "new\nvariant fischerandom\nforce\npost\neasy\nsetboard "
                                     "1k3r2/8/8/8/8/8/5PPP/1K3R2 w K - 0 1\n"));
    assert_non_null(strstr(log.text, "usermove O-O\n"));
    assert_int_not_equal(answer.move, MOVE_NONE);
    client_close(client);
    assert_int_equal(open_client(&client, &other), OK);
    assert_int_equal(client_new_game(client, &pos), ERR_ARG);
    assert_non_null(strstr(error_message(), "does not know Chess960"));
    client_close(client);
    engine_spec_deinit(&spec);
    engine_spec_deinit(&other);
    str_free(&log);
}

static void check_refused(const char *mode, const char *words, const char *why) {
    EngineSpec spec = xboard_spec(mode, words);
    EngineClient *client;
    assert_int_not_equal(open_client(&client, &spec), OK);
    assert_non_null(strstr(error_message(), why));
    engine_spec_deinit(&spec);
    assert_no_process();
}

static void test_refused(void **state) {
    (void)state;
    check_refused("", "option.Nope=1", "fake: it has no option 'Nope'");
    check_refused("", "option.Noise=11", "from 0 to 10");
    check_refused("", "option.cores=2", "no option 'cores'");
    check_refused("", "option.memory=all", "takes a whole number");
    check_refused("crash-at-start", "", "exited with code 7 during the handshake");
    EngineSpec spec = xboard_spec("bare", "");
    EngineClient *client;
    Position pos;
    assert_int_equal(fen_parse("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", &pos), OK);
    assert_int_equal(open_client(&client, &spec), OK);
    assert_int_equal(client_new_game(client, &pos), ERR_ARG);
    assert_non_null(strstr(error_message(), "no setboard"));
    assert_int_equal(client_fault(client), FAULT_NONE);
    client_close(client);
    engine_spec_deinit(&spec);
}

// A game of a fake against an organism, from the start position.
static void play_game(const char *mode, const char *words, int64_t cap_ms, GameRecord *out) {
    EngineSpec specs[] = {xboard_spec(mode, words), engine_spec_init()};
    assert_int_equal(engine_spec_parse(&specs[1], "weights=weights/maestro-hand.weights name=o"),
                     OK);
    Player players[2];
    for (int i = 0; i < 2; i++)
        assert_int_equal(player_create(&players[i], &specs[i], -1), OK);
    GameConfig config = {.sides = {{specs[0].limits, 10}, {.limits = {.depth = 1}}},
                         .rules = {.max_moves = 15},
                         .cap_ms = cap_ms};
    position_set_start(&config.start);
    game_play(&config, &players[0], &players[1], out);
    for (int i = 0; i < 2; i++) {
        players[i].ops->close(players[i].self);
        engine_spec_deinit(&specs[i]);
    }
    assert_no_process();
}

static void check_record(const GameRecord *record, Fault fault, size_t moves, const char *detail) {
    assert_int_equal(record->fault, fault);
    assert_int_equal(record->ending, fault == FAULT_NONE ? ENDING_GAVE_UP : ENDING_FAULT);
    assert_int_equal(record->loser, WHITE);
    assert_int_equal(record->count, moves);
    if (strstr(record->detail, detail) == NULL)
        fail_msg("'%s' is not in '%s'", detail, record->detail);
}

static void check_ending(const char *mode, Fault fault, size_t moves, const char *detail) {
    GameRecord record;
    play_game(mode, "depth=1", PATIENT_MS, &record);
    check_record(&record, fault, moves, detail);
    game_record_deinit(&record);
}

// Where it had no processor for its first move, it is given more time.
static void check_stall(const char *mode) {
    GameRecord record = {0};
    for (int64_t cap_ms = 300; record.count != 2 && cap_ms < PATIENT_MS; cap_ms *= 4) {
        game_record_deinit(&record);
        play_game(mode, "depth=1", cap_ms, &record);
    }
    check_record(&record, FAULT_STALLED, 2, "no answer to go");
    game_record_deinit(&record);
}

// It has time for one move, and a little more.
static void check_lateness(void) {
    GameRecord record = {0};
    for (int late_ms = 150; record.count != 2 && late_ms < PATIENT_MS; late_ms *= 4) {
        char mode[32], words[32];
        snprintf(mode, sizeof mode, "late %d", late_ms);
        snprintf(words, sizeof words, "tc=2/%.2f", late_ms / 600.0);
        game_record_deinit(&record);
        play_game(mode, words, PATIENT_MS, &record);
    }
    check_record(&record, FAULT_LATE, 2, "had ");
    game_record_deinit(&record);
}

static void test_ends_of_games(void **state) {
    (void)state;
    check_ending("crash 2", FAULT_CRASHED, 2, "killed by signal 11");
    check_ending("orphan-crash 2", FAULT_CRASHED, 2, "killed by signal 11");
    check_ending("exit 3", FAULT_CRASHED, 4, "exited with code 3");
    check_ending("close-output", FAULT_CRASHED, 0, "closed its output");
    check_stall("hang 2");
    check_stall("endless-flood 2");
    check_ending("illegal 2", FAULT_ILLEGAL, 2, "illegal move e1e5 in ");
    check_ending("no-move", FAULT_ILLEGAL, 0, "illegal move");
    check_ending("refuse 2", FAULT_ILLEGAL, 2, "refuses the legal move ");
    check_ending("resign 2", FAULT_NONE, 2, "");
    check_ending("lose 2", FAULT_NONE, 2, "");
    check_lateness();
    check_ending("no-sd", FAULT_REFUSED, 0, "does not know depth=");
}

static void test_whole_games(void **state) {
    (void)state;
    static const char *const modes[] = {"",      "san",  "flood 2",       "long-line 2",
                                        "mates", "once", "slow-start 300"};
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        GameRecord record;
        play_game(modes[i], "tc=9999", PATIENT_MS, &record);
        assert_true(record.ending == ENDING_MATE || record.ending == ENDING_TOO_LONG);
        assert_int_equal(record.latency.count, (record.count + 1) / 2);
        assert_true(record.latency.max_ns >= 0 && record.latency.sum_ns >= record.latency.max_ns);
        assert_true(record.thoughts[0].has_score && record.thoughts[0].depth > 0);
        assert_int_equal(record.thoughts[0].is_mate, i == 4);
        game_record_deinit(&record);
    }
}

// Both must offer; an engine that must be started anew for every game is.
static void test_two_engines(void **state) {
    (void)state;
    EngineSpec specs[] = {xboard_spec("offers", "depth=1"), xboard_spec("once", "depth=1")};
    Player players[2];
    for (int i = 0; i < 2; i++)
        assert_int_equal(player_create(&players[i], &specs[i], -1), OK);
    GameConfig config = {.rules = {.max_moves = 6}, .cap_ms = PATIENT_MS};
    position_set_start(&config.start);
    for (int game = 0; game < 4; game++) {
        GameRecord record;
        const Player *black = game < 2 ? &players[1] : &players[0];
        Player twin;
        assert_int_equal(player_create(&twin, &specs[0], -1), OK);
        game_play(&config, game < 2 ? &players[0] : &twin, black, &record);
        assert_int_equal(record.ending, game < 2 ? ENDING_TOO_LONG : ENDING_OFFERED);
        assert_int_equal(record.count, game < 2 ? 12 : 2);
        game_record_deinit(&record);
        twin.ops->close(twin.self);
    }
    for (int i = 0; i < 2; i++) {
        players[i].ops->close(players[i].self);
        engine_spec_deinit(&specs[i]);
    }
    assert_no_process();
}

// What an engine without ping says after its last move belongs to that game.
static void test_boast_of_an_earlier_game(void **state) {
    (void)state;
    EngineSpec spec = xboard_spec("boast", "depth=1");
    EngineClient *client;
    EngineAnswer answer;
    Position start;
    position_set_start(&start);
    Move first[MOVES_MAX];
    movegen(&start, MOVES_ALL, first);
    assert_int_equal(open_client(&client, &spec), OK);
    for (int game = 0; game < 4; game++) {
        assert_int_equal(client_new_game(client, &start), OK);
        if (game % 2 == 1)
            client_push_move(client, first[0]);
        assert_int_equal(client_go(client, &by_depth, NULL, &answer), OK);
        assert_false(answer.has_resigned);
        assert_int_not_equal(answer.move, MOVE_NONE);
        client_end_game(client, RESULT_DRAW);
    }
    client_close(client);
    engine_spec_deinit(&spec);
    assert_no_process();
}

static void test_cancelled(void **state) {
    (void)state;
    int fds[2];
    assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
    EngineSpec spec = xboard_spec("hang", "depth=1");
    const ClientConfig config = {
        .spec = &spec, .cancel_fd = fds[0], .start_ms = PATIENT_MS, .feature_ms = PATIENT_MS};
    EngineClient *client;
    EngineAnswer answer;
    Position pos;
    position_set_start(&pos);
    assert_int_equal(client_open(&client, &config), OK);
    assert_int_equal(client_new_game(client, &pos), OK);
    assert_int_equal(write(fds[1], "x", 1), 1);
    assert_int_equal(client_go(client, &by_depth, NULL, &answer), ERR_ENGINE);
    assert_int_equal(client_fault(client), FAULT_CANCELLED);
    assert_int_equal(client_new_game(client, &pos), ERR_ENGINE);
    client_close(client);
    engine_spec_deinit(&spec);
    close(fds[0]);
    close(fds[1]);
    assert_no_process();
}

static void test_limits_it_cannot_have(void **state) {
    (void)state;
    static const char *const words[] = {"nodes=1000", "st=0.5"};
    static const char *const why[] = {"no limit by nodes", "whole seconds"};
    for (int i = 0; i < 2; i++) {
        EngineSpec spec = xboard_spec("", words[i]);
        Player player;
        assert_int_equal(player_create(&player, &spec, -1), ERR_ARG);
        assert_non_null(strstr(error_message(), why[i]));
        engine_spec_deinit(&spec);
    }
}

static int set_up(void **state) {
    chess_init();
    int fd = mkstemp(log_path);
    if (fd < 0 || setenv("FAKE_ENGINE_LOG", log_path, 1) != 0)
        return 1;
    close(fd);
    return adopt_orphans(state);
}

static int tear_down(void **state) {
    (void)state;
    return unlink(log_path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kinds_of_engines),
        cmocka_unit_test(test_what_it_is_told),
        cmocka_unit_test(test_chess960),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_ends_of_games),
        cmocka_unit_test(test_whole_games),
        cmocka_unit_test(test_two_engines),
        cmocka_unit_test(test_cancelled),
        cmocka_unit_test(test_limits_it_cannot_have),
        cmocka_unit_test(test_boast_of_an_earlier_game),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
