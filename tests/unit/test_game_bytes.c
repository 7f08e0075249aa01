// SPDX-License-Identifier: GPL-3.0-or-later
// Games, engines and what is to be played, as bytes: what is written comes back, and whatever is
// cut or changed is refused or is something else of the same kind, never a fault.
#include "match/play/game_bytes.h"

#include "base/mem.h"
#include "chess/fen.h"
#include "engines/command.h"
#include "match/play/match_worker.h"
#include "tests/unit/testing.h"

#include <limits.h>

enum { GAMES = 40, CHANGES = 300 };

static ByteReader reader(const Str *bytes) {
    return (ByteReader){.rest = view_of(str_text(bytes), bytes->length)};
}

// A game of random moves and thoughts.
static GameRecord random_record(uint32_t number) {
    PgnGame game = {0};
    Rng rng = rng_at(7, number, 0, 0);
    testing_random_game(&game, &rng, 4 * number);
    GameRecord record = {.start = game.start,
                         .count = game.move_count,
                         .capacity = game.move_count,
                         .opening_count = game.move_count < 5 ? 0 : 4,
                         .result = (GameResult)(number % 4),
                         .ending = (Ending)(number % ENDING_NB),
                         .loser = (Color)(number % 2),
                         .fault = number % ENDING_NB == ENDING_FAULT
                                      ? FAULT_LATE + number / ENDING_NB % 6
                                      : FAULT_NONE,
                         .started_s = 1700000000 + number,
                         .elapsed_ns = (int64_t)rng_u64(&rng) >> number % 60,
                         .latency = {12345, 678, number}};
    record.moves = mem_alloc_zero(game.move_count + 1, sizeof *record.moves);
    record.thoughts = mem_alloc_zero(game.move_count + 1, sizeof *record.thoughts);
    for (size_t i = 0; i < game.move_count; i++)
        record.moves[i] = game.moves[i];
    for (size_t i = record.opening_count; i < game.move_count; i++)
        record.thoughts[i] =
            (GameThought){(int)rng_u32(&rng), (int)rng_below(&rng, 99), rng_below(&rng, 2) == 1,
                          rng_below(&rng, 2) == 1, (int64_t)rng_below(&rng, 1000000000)};
    snprintf(record.detail, sizeof record.detail, number % 2 == 0 ? "" : "fake: exited, code %u",
             number);
    pgn_game_free(&game);
    return record;
}

static void assert_same_record(const GameRecord *a, const GameRecord *b) {
    char fens[2][FEN_SIZE];
    fen_write(&a->start, fens[0]);
    fen_write(&b->start, fens[1]);
    assert_string_equal(fens[0], fens[1]);
    assert_int_equal(a->count, b->count);
    assert_int_equal(a->opening_count, b->opening_count);
    assert_memory_equal(a->moves, b->moves, a->count * sizeof *a->moves);
    for (size_t i = 0; i < a->count; i++) {
        const GameThought *one = &a->thoughts[i], *two = &b->thoughts[i];
        assert_int_equal(one->score, two->score);
        assert_int_equal(one->depth, two->depth);
        assert_int_equal(one->has_score, two->has_score);
        assert_int_equal(one->is_mate, two->is_mate);
        assert_int_equal(one->elapsed_ns, two->elapsed_ns);
    }
    assert_int_equal(a->result, b->result);
    assert_int_equal(a->ending, b->ending);
    assert_int_equal(a->loser, b->loser);
    assert_int_equal(a->fault, b->fault);
    assert_string_equal(a->detail, b->detail);
    assert_int_equal(a->started_s, b->started_s);
    assert_int_equal(a->elapsed_ns, b->elapsed_ns);
    assert_int_equal(a->latency.max_ns, b->latency.max_ns);
    assert_int_equal(a->latency.sum_ns, b->latency.sum_ns);
    assert_int_equal(a->latency.count, b->latency.count);
}

static void test_records_come_back(void **state) {
    (void)state;
    for (uint32_t i = 0; i < GAMES; i++) {
        GameRecord record = random_record(i), again;
        Str bytes = {0};
        game_record_pack(&record, &bytes);
        ByteReader in = reader(&bytes);
        game_record_unpack(&in, &again);
        assert_true(bytes_are_done(&in));
        assert_same_record(&record, &again);
        game_record_deinit(&record);
        game_record_deinit(&again);
        str_free(&bytes);
    }
}

static void test_cut_records_are_refused(void **state) {
    (void)state;
    GameRecord record = random_record(9), again;
    Str bytes = {0};
    game_record_pack(&record, &bytes);
    for (size_t length = 0; length < bytes.length; length++) {
        ByteReader in = {.rest = view_of(bytes.text, length)};
        game_record_unpack(&in, &again);
        assert_false(bytes_are_done(&in));
        game_record_deinit(&again);
    }
    game_record_deinit(&record);
    str_free(&bytes);
}

// What is taken makes sense: it can be written again, and gives itself.
static void test_changed_records_are_sane(void **state) {
    (void)state;
    GameRecord record = random_record(11);
    Str bytes = {0};
    game_record_pack(&record, &bytes);
    for (uint32_t i = 0; i < CHANGES; i++) {
        Rng rng = rng_at(3, i, 0, 0);
        const size_t at = rng_below(&rng, (uint32_t)bytes.length);
        const char was = bytes.text[at];
        bytes.text[at] = (char)rng_u32(&rng);
        GameRecord changed, again;
        ByteReader in = reader(&bytes);
        game_record_unpack(&in, &changed);
        if (bytes_are_done(&in)) {
            Str twice = {0};
            game_record_pack(&changed, &twice);
            in = reader(&twice);
            game_record_unpack(&in, &again);
            assert_true(bytes_are_done(&in));
            assert_same_record(&changed, &again);
            game_record_deinit(&again);
            str_free(&twice);
        }
        game_record_deinit(&changed);
        bytes.text[at] = was;
    }
    game_record_deinit(&record);
    str_free(&bytes);
}

static void test_engines_come_back(void **state) {
    (void)state;
    EngineSpec spec = engine_spec_init(), again;
    assert_int_equal(engine_spec_parse(&spec, "\"cmd=/bin/true now\" name=A dir=/tmp arg=-x arg=y "
                                              "option.Hash=1 \"option.Eval File=a b\" tc=40/1+0.5 "
                                              "nodes=9223372036854775807 depth=3 timemargin=7 "
                                              "stderr=/dev/null proto=xboard memory=3 cpu=4"),
                     OK);
    assert_int_equal(engine_spec_finish(&spec), OK);
    Str bytes = {0}, twice = {0};
    engine_spec_pack(&spec, &bytes);
    ByteReader in = reader(&bytes);
    engine_spec_unpack(&in, &again);
    assert_true(bytes_are_done(&in));
    engine_spec_pack(&again, &twice);
    assert_int_equal(bytes.length, twice.length);
    assert_memory_equal(bytes.text, twice.text, bytes.length);
    assert_string_equal(again.options[1].value, "a b");
    assert_int_equal(again.limits.nodes, INT64_MAX);
    assert_int_equal(again.margin_ms, 7);
    assert_int_equal(again.memory_mb, 3);
    assert_int_equal(again.cpu_s, 4);
    engine_spec_deinit(&again);
    for (size_t length = 0; length < bytes.length; length++) {
        in = (ByteReader){.rest = view_of(bytes.text, length)};
        engine_spec_unpack(&in, &again);
        assert_false(bytes_are_done(&in));
        engine_spec_deinit(&again);
    }
    engine_spec_deinit(&spec);
    str_free(&bytes);
    str_free(&twice);
}

static void test_programs_are_told_apart(void **state) {
    (void)state;
    static const char *const words[] = {"cmd=/bin/true", "cmd=true", "cmd=/bin/false",
                                        "cmd=no-such-program", "weights=random"};
    uint64_t hashes[5];
    for (int i = 0; i < 5; i++) {
        EngineSpec spec = engine_spec_init();
        assert_int_equal(engine_spec_parse(&spec, words[i]), OK);
        assert_int_equal(engine_spec_finish(&spec), OK);
        hashes[i] = command_program_hash(&spec);
        engine_spec_deinit(&spec);
    }
    assert_int_equal(hashes[0], hashes[1]);
    assert_int_not_equal(hashes[0], hashes[2]);
    assert_int_equal(hashes[3], 0);
    assert_int_equal(hashes[4], 0);
}

static EngineSpec spec_of(const char *words) {
    EngineSpec spec = engine_spec_init();
    assert_int_equal(engine_spec_parse(&spec, words), OK);
    assert_int_equal(engine_spec_finish(&spec), OK);
    return spec;
}

// Plays a game of two organisms at a table and leaves its record.
// Through the service, as workers do.
static void play_by(MatchRules *rules, GameRecord *out) {
    Str job = {0}, answer = {0};
    void *worker = match_service.begin(rules, -1);
    MatchJob game = {.white = 1, .black = 0};
    position_set_start(&game.opening.start);
    match_job_pack(&game, &job);
    assert_int_equal(match_service.answer(worker, view_of(job.text, job.length), &answer), OK);
    assert_int_equal(match_answer_unpack(view_of(answer.text, answer.length), out), OK);
    match_service.end(worker);
    str_free(&job);
    str_free(&answer);
}

static void test_engines_play_the_same_elsewhere(void **state) {
    (void)state;
    EngineSpec specs[] = {spec_of("weights=weights/maestro-gecco2008.weights nodes=200"),
                          spec_of("weights=random option.Seed=3 depth=1")};
    MatchRules rules = {.adjudication = {.max_moves = 40, .resign_moves = 2, .resign_cp = 500},
                        .cap_ms = 600000,
                        .workers = 1},
               again;
    GameRecord records[2];
    Str bytes = {0};
    assert_int_equal(engine_set_open(&rules.engines, specs, 2), OK);
    match_rules_pack(&rules, &bytes);
    assert_int_equal(match_rules_unpack(&again, view_of(bytes.text, bytes.length), 1), OK);
    play_by(&rules, &records[0]);
    play_by(&again, &records[1]);
    assert_int_equal(records[0].count, records[1].count);
    assert_memory_equal(records[0].moves, records[1].moves, records[0].count * sizeof(Move));
    assert_int_equal(records[0].ending, records[1].ending);
    match_rules_free(&again);
    assert_int_equal(match_rules_unpack(&again, view_of(bytes.text, bytes.length - 1), 1),
                     ERR_PARSE);
    match_rules_free(&again);
    for (int i = 0; i < 2; i++) {
        game_record_deinit(&records[i]);
        engine_spec_deinit(&specs[i]);
    }
    match_rules_free(&rules);
    str_free(&bytes);
}

static void test_other_programs_are_refused(void **state) {
    (void)state;
    EngineSpec spec = spec_of("cmd=/bin/true name=A depth=1");
    EngineSet engines, again;
    Str bytes = {0};
    assert_int_equal(engine_set_open(&engines, &spec, 1), OK);
    engine_set_pack(&engines, &bytes);
    bytes.text[bytes.length - 1]++; // the hash comes last
    ByteReader in = reader(&bytes);
    assert_int_equal(engine_set_unpack(&in, &again), ERR_ARG);
    assert_non_null(strstr(error_message(), "A: /bin/true is another program"));
    engine_set_close(&again);
    in = (ByteReader){.rest = view_of(bytes.text, bytes.length / 2)};
    assert_int_equal(engine_set_unpack(&in, &again), ERR_PARSE);
    engine_set_close(&again);
    engine_set_close(&engines);
    engine_spec_deinit(&spec);
    str_free(&bytes);
}

static bool unpacks(StrView bytes, const EngineSet *engines) {
    MatchJob *job = mem_alloc_zero(1, sizeof *job);
    ByteReader in = {.rest = bytes};
    match_job_unpack(&in, engines, job);
    match_job_free(job);
    free(job);
    return bytes_are_done(&in);
}

static void test_games_to_play_come_back(void **state) {
    (void)state;
    GameRecord record = random_record(20);
    EngineSpec specs[3] = {0};
    EngineSet engines = {.specs = specs, .count = 3};
    EngineOption white = {"Hash", "4"}, black = {"Hash", "8"};
    MatchJob *job = mem_alloc_zero(1, sizeof *job), *again = mem_alloc_zero(1, sizeof *again);
    *job = (MatchJob){.white = 2,
                      .black = 0,
                      .opening = {.start = record.start},
                      .options = {&white, &black},
                      .option_count = 1};
    job->opening.count = 12;
    memcpy(job->opening.moves, record.moves, 12 * sizeof(Move));
    Str bytes = {0};
    match_job_pack(job, &bytes);
    ByteReader in = reader(&bytes);
    match_job_unpack(&in, &engines, again);
    assert_true(bytes_are_done(&in));
    assert_int_equal(again->white, 2);
    assert_int_equal(again->black, 0);
    assert_int_equal(again->opening.count, 12);
    assert_memory_equal(again->opening.moves, record.moves, 12 * sizeof(Move));
    assert_int_equal(again->option_count, 1);
    assert_string_equal(again->options[WHITE]->name, "Hash");
    assert_string_equal(again->options[BLACK]->value, "8");
    match_job_free(again);
    // There is no such engine; one that has no options; what is cut; and a move that is not legal.
    engines.count = 2;
    assert_false(unpacks(view_of(bytes.text, bytes.length), &engines));
    engines.count = 3;
    specs[2].protocol = PROTOCOL_XBOARD;
    assert_false(unpacks(view_of(bytes.text, bytes.length), &engines));
    specs[2].protocol = PROTOCOL_UCI;
    for (size_t length = 0; length <= bytes.length; length++)
        assert_int_equal(unpacks(view_of(bytes.text, length), &engines), length == bytes.length);
    str_clear(&bytes);
    job->option_count = 0;
    job->opening.moves[11] = 0xFFFF;
    str_clear(&bytes);
    match_job_pack(job, &bytes);
    assert_false(unpacks(view_of(bytes.text, bytes.length), &engines));
    game_record_deinit(&record);
    str_free(&bytes);
    free(job);
    free(again);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_records_come_back),
        cmocka_unit_test(test_cut_records_are_refused),
        cmocka_unit_test(test_changed_records_are_sane),
        cmocka_unit_test(test_engines_come_back),
        cmocka_unit_test(test_programs_are_told_apart),
        cmocka_unit_test(test_engines_play_the_same_elsewhere),
        cmocka_unit_test(test_other_programs_are_refused),
        cmocka_unit_test(test_games_to_play_come_back),
    };
    return cmocka_run_group_tests(tests, testing_set_up, testing_tear_down);
}
