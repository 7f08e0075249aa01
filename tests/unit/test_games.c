// SPDX-License-Identifier: GPL-3.0-or-later
// Evolution by games: what is played depends on nothing but seed and settings, points add up, and
// organisms of earlier runs are found.
#include "base/bytes.h"
#include "running.h"

#include "evolve/algorithm.h"
#include "fitness/games/games.h"
#include "run/files/population_file.h"
#include "run/verdict.h"
#include "settings/start.h"

#include <math.h>
#include <sys/stat.h>

enum { ORGANISMS = 4, GAMES = SIZED(12, 5) };

#define SHORT                                                                                      \
    " play-nodes " SIZED("30", "20") " max-moves " SIZED("12", "6") " verdict-games 6 seed 3"
static const char *const ways[] = {
    "fitness games chromosome maestro-224 algorithm ga population 4 generations 3 selection rank "
    "survival elitism match-games 2" SHORT,
    "fitness games family vazquez chromosome real algorithm halves population 4 generations 3 "
    "archive 0 schedule random match-games 3" SHORT,
    "fitness games family shannon chromosome real algorithm cec2001 population 6 generations 3 "
    "start-step 1000 initial-position yes "
    "bounds KNIGHT_VALUE:0:1200,BISHOP_VALUE:0:1200,LEGAL_MOVE:0:1200" SHORT,
    "fitness games family maestro chromosome real algorithm spsa population 6 generations 3" SHORT,
    "fitness games chromosome maestro-224 algorithm ga population 4 generations 3 selection rank "
    "survival elitism match-games 4 schedule race playoff-games 12" SHORT,
    // Searches with one evaluation.
    "fitness games family search weights weights/shannon-1950.weights chromosome real algorithm "
    "spsa "
    "population 6 generations 3 only NullMoveReduction,FutilityMargin1,CheckExtension" SHORT,
};
enum { WAYS = sizeof ways / sizeof *ways };

// --- games ---

static void draw_organisms(Weights *organisms) {
    for (uint32_t i = 0; i < ORGANISMS; i++) {
        Rng rng = rng_at(5, i, 0, 0);
        weights_init(&organisms[i], families[i % 3]);
        family_randomize(organisms[i].family, &rng, organisms[i].parameters);
    }
}

static void play_by(const GamesConfig *config, int threads, const Weights *organisms,
                    const GameTask *tasks, GameScore *scores) {
    DistPool *pool = dist_pool_new(threads);
    Games *games = games_create(config, pool);
    assert_int_equal(games_play(games, organisms, tasks, GAMES, scores, NULL), OK);
    games_destroy(games);
    dist_pool_free(pool);
}

static void play_with(int threads, const Weights *organisms, const GameTask *tasks,
                      GameScore *scores) {
    const GamesConfig config = {.profile = PROFILE_PAPERS, .nodes = 100, .max_moves = 60};
    play_by(&config, threads, organisms, tasks, scores);
}

// Some game is another; where the profile has checks, all are the same.
static void test_checks_in_quiescence(void **state) {
    (void)state;
    Weights organisms[ORGANISMS];
    GameTask tasks[GAMES];
    GameScore without[GAMES], with[GAMES];
    draw_organisms(organisms);
    for (size_t i = 0; i < GAMES; i++) {
        tasks[i] = (GameTask){.white = i % ORGANISMS, .black = (i + 1) % ORGANISMS};
        position_set_start(&tasks[i].start);
    }
    GamesConfig config = {.profile = PROFILE_PLAIN, .depth = 1, .max_moves = 30};
    play_by(&config, 1, organisms, tasks, without);
    config.checks = true;
    play_by(&config, 1, organisms, tasks, with);
    assert_memory_not_equal(with, without, sizeof with);
    config.profile = PROFILE_PAPERS;
    play_by(&config, 1, organisms, tasks, with);
    config.checks = false;
    play_by(&config, 1, organisms, tasks, without);
    assert_memory_equal(with, without, sizeof with);
    for (size_t i = 0; i < ORGANISMS; i++)
        weights_free(&organisms[i]);
}

// A game is the same whatever was played before it, beside it, or by how many threads.
static void test_games_depend_on_their_players_alone(void **state) {
    (void)state;
    Weights organisms[ORGANISMS];
    GameTask tasks[GAMES], backwards[GAMES];
    GameScore once[GAMES], again[GAMES];
    draw_organisms(organisms);
    for (size_t i = 0; i < GAMES; i++) {
        tasks[i].white = i % ORGANISMS;
        tasks[i].black = (i + 1 + i / ORGANISMS) % ORGANISMS;
        position_set_start(&tasks[i].start);
        backwards[GAMES - 1 - i] = tasks[i];
    }
    play_with(1, organisms, tasks, once);
    for (size_t i = 0; i < GAMES; i++)
        assert_true(once[i].plies > 0 && once[i].plies <= 2 * 60);
    for (int threads = 1; threads <= 3; threads += SIZED(1, 2)) {
        play_with(threads, organisms, backwards, again);
        for (size_t i = 0; i < GAMES; i++)
            assert_memory_equal(&again[GAMES - 1 - i], &once[i], sizeof *once);
    }
}

// Games as they are played again from their moves: legal, as long as was said, ended where they
// end.
static void test_moves_are_those_of_the_game(void **state) {
    (void)state;
    Weights organisms[ORGANISMS];
    GameTask tasks[GAMES];
    GameScore scores[GAMES];
    GameMoves moves[GAMES] = {0};
    const GamesConfig config = {.profile = PROFILE_PAPERS, .nodes = 100, .max_moves = 60};
    DistPool *pool = dist_pool_new(2);
    Games *games = games_create(&config, pool);
    draw_organisms(organisms);
    for (size_t i = 0; i < GAMES; i++) {
        tasks[i] = (GameTask){.white = i % ORGANISMS, .black = (i + 1) % ORGANISMS};
        position_set_start(&tasks[i].start);
    }
    assert_int_equal(games_play(games, organisms, tasks, GAMES, scores, moves), OK);
    for (size_t i = 0; i < GAMES; i++) {
        Position pos = tasks[i].start;
        assert_int_equal(moves[i].count, scores[i].plies);
        for (size_t ply = 0; ply < moves[i].count; ply++) {
            Undo undo;
            assert_true(move_is_legal(&pos, moves[i].moves[ply]));
            position_make(&pos, moves[i].moves[ply], &undo);
        }
    }
    game_moves_free(moves, GAMES);
    games_destroy(games);
    dist_pool_free(pool);
}

// --- points ---

static void test_points_add_up(void **state) {
    (void)state;
    DistPool *pool = dist_pool_new(2);
    for (size_t way = 0; way < 2; way++) {
        RunConfig config;
        Problem *problem = create_problem(ways[way], &config, pool);
        const EvolveSetup setup = {.space = *problem_space(problem),
                                   .config = config.algorithm,
                                   .fresh_scores = problem_draws_afresh(problem)};
        Evolver *evolver;
        int64_t scores[4], again[4], sum = 0;
        const int64_t all = llround(100 / problem_figure(problem, 1, 1)); // a score of all points
        assert_true(setup.fresh_scores && problem_is_games(problem));
        assert_int_equal(evolver_create(&evolver, &setup), OK);
        const EvolveBatch batch = evolver_ask(evolver);
        assert_int_equal(batch.count, 4);
        assert_int_equal(problem_evaluate(problem, 0, &batch, scores), OK);
        assert_int_equal(problem_evaluate(problem, 0, &batch, again), OK);
        assert_memory_equal(scores, again, sizeof scores);
        for (size_t i = 0; i < 4; i++) {
            sum += scores[i];
            assert_in_range(problem_figure(problem, (double)scores[i], 1), 0, 100);
        }
        if (way == 0) // in the mean half of the points, but for rounding
            assert_in_range(sum + 4 - 4 * all / 2, 0, 8);
        evolver_destroy(evolver);
        problem_destroy(problem);
        run_config_free(&config);
    }
    dist_pool_free(pool);
}

// Equal players are equal: each opening is played with both colours.
static void test_a_duel_with_oneself_is_level(void **state) {
    (void)state;
    DistPool *pool = dist_pool_new(2);
    RunConfig config;
    Problem *problem = create_problem(ways[0], &config, pool);
    double rows[2 * TERMS_MAX];
    const size_t width = problem_space(problem)->count;
    for (size_t i = 0; i < 2 * width; i++)
        rows[i] = family_maestro.terms[i % width].start;
    const EvolveBatch players = {rows, 2, width, 0};
    DuelScore score = {0};
    assert_int_equal(problem_duel(problem, &players, 0, 5, &score), OK);
    assert_int_equal(score.games.wins, score.games.losses);
    assert_int_equal(score.pairs.results[2], 5);
    problem_destroy(problem);
    run_config_free(&config);
    dist_pool_free(pool);
}

// After all pairs of an opening and an opponent they come again, and not before.
static void test_a_duel_plays_all_that_differs(void **state) {
    (void)state;
    static const char openings[] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\n"
                                   "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -\n"
                                   "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq -\n"
                                   "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -\n";
    DistPool *pool = dist_pool_new(2);
    RunConfig config;
    char words[2 * TESTING_PATH], path[TESTING_PATH];
    double rows[3 * TERMS_MAX];
    DuelScore first = {0}, second = {0};
    snprintf(path, sizeof path, "%s/four.epd", testing_directory);
    assert_int_equal(file_write(path, openings, sizeof openings - 1), OK);
    snprintf(words, sizeof words, "%s openings %s", ways[0], path);
    Problem *problem = create_problem(words, &config, pool);
    const size_t width = problem_space(problem)->count;
    for (size_t i = 0; i < 3 * width; i++)
        rows[i] = i < width ? family_maestro.terms[i].start
                            : problem_space(problem)->parameters[i % width].low;
    const EvolveBatch players = {rows, 3, width, 0};
    assert_int_equal(problem_duel_pairs(problem), 2);
    assert_int_equal(problem_duel(problem, &players, 0, 4, &first), OK);
    assert_int_equal(problem_duel(problem, &players, 4, 4, &second), OK);
    assert_memory_equal(&first, &second, sizeof first);
    problem_destroy(problem);
    run_config_free(&config);
    dist_pool_free(pool);
}

// --- runs ---

static void assert_same_games(const char *one, const char *other) {
    assert_same_run(one, other);
    assert_true(is_same_file(one, other, "verdict.csv"));
}

static void test_threads_change_no_byte(void **state) {
    (void)state;
    for (size_t i = 0; i < WAYS; i++) {
        char one[32], other[32];
        snprintf(one, sizeof one, "games-%zu-1", i);
        run_whole(ways[i], one, 1);
        for (int threads = SIZED(2, 3); threads <= 3; threads++) {
            snprintf(other, sizeof other, "games-%zu-%d", i, threads);
            run_whole(ways[i], other, threads);
            assert_same_games(one, other);
        }
    }
}

static void test_stopping_and_going_on_change_no_byte(void **state) {
    (void)state;
    Rng rng = rng_at((uint64_t)getpid(), 0, 0, 0); // other moments each time
    for (size_t i = 0; i < WAYS; i++) {
        char whole[32], pieces[32];
        snprintf(whole, sizeof whole, "games-%zu-1", i);
        snprintf(pieces, sizeof pieces, "games-%zu-pieces", i);
        run_in_pieces(ways[i], pieces, &rng);
        assert_same_games(whole, pieces);
    }
}

// --- organisms to begin with ---

static void start_of(const char *words, StartOrganisms *out, Status expected) {
    RunConfig config;
    FamilySpace space;
    const Family *family;
    configure(&config, words);
    if (family_space_init(&space, &config, &family) != OK)
        fail_msg("%s", error_message());
    if (start_read(&space, &config, out) != expected)
        fail_msg("%s", error_message());
    run_config_free(&config);
}

static void write_run(const char *directory, unsigned number) {
    char path[TESTING_PATH + 32];
    Weights weights;
    FamilySpace space;
    const Family *family;
    RunConfig config;
    double organism[TERMS_MAX];
    configure(&config, "fitness games algorithm de family shannon chromosome real");
    assert_int_equal(family_space_init(&space, &config, &family), OK);
    run_config_free(&config);
    weights_init(&weights, &family_shannon);
    assert_int_equal(weights_set(&weights, "QUEEN_VALUE", 8000 + number), OK);
    for (size_t i = 0; i < space.space.count; i++)
        organism[i] = weights.parameters[i];
    mkdir(directory, 0777);
    snprintf(path, sizeof path, "%s/best.weights", directory);
    assert_int_equal(weights_save(&weights, path), OK);
    // Some populations have figures, others have none.
    const double figure = number;
    assert_int_equal(population_write(directory, &space.space, "match", organism,
                                      number == 3 ? NULL : &figure, 1),
                     OK);
    weights_free(&weights);
}

// Three runs whose last populations hold one organism each; the third is the median.
static void write_runs(void) {
    static const char ranks[] = "run,rank,training\n1,3,1.5\n2,1,9.5\n3,2,3.5\n";
    char directory[TESTING_PATH + 32];
    snprintf(directory, sizeof directory, "%s/earlier", testing_directory);
    mkdir(directory, 0777);
    for (unsigned run = 1; run <= 3; run++) {
        snprintf(directory, sizeof directory, "%s/earlier/run-%02u", testing_directory, run);
        write_run(directory, run);
    }
    snprintf(directory, sizeof directory, "%s/earlier/runs.csv", testing_directory);
    assert_int_equal(file_write(directory, ranks, sizeof ranks - 1), OK);
}

static void test_organisms_of_earlier_runs(void **state) {
    (void)state;
    const size_t queen = (size_t)family_find_term(&family_shannon, "QUEEN_VALUE");
    const size_t width = family_shannon.term_count;
    StartOrganisms found = {0};
    char words[2 * TESTING_PATH];
    write_runs();
    snprintf(words, sizeof words,
             "fitness games algorithm de family shannon chromosome real start-from %s/%s",
             testing_directory, "earlier");
    start_of(words, &found, OK);
    assert_int_equal(found.count, 3);
    for (size_t i = 0; i < 3; i++)
        assert_true(found.organisms[i * width + queen] == 8001 + (double)i);
    start_free(&found);
    snprintf(words, sizeof words,
             "fitness games algorithm de family shannon chromosome real start-take population "
             "start-from %s/%s",
             testing_directory, "earlier");
    start_of(words, &found, OK);
    assert_int_equal(found.count, 1);
    assert_true(found.organisms[queen] == 8003);
    start_free(&found);
    snprintf(words, sizeof words,
             "fitness games algorithm de family shannon chromosome real start-take top "
             "start-from %s/%s/run-02",
             testing_directory, "earlier");
    start_of(words, &found, OK);
    assert_int_equal(found.count, 1);
    assert_true(found.organisms[queen] == 8002);
    start_free(&found);
    start_of("fitness games algorithm de family shannon chromosome real start-from "
             "shannon-1950.weights,shannon-developed.weights",
             &found, OK);
    assert_int_equal(found.count, 2);
    start_free(&found);
    start_of("fitness games start-from shannon-1950.weights", &found, ERR_ARG);
    assert_message("weights of family shannon, where maestro is evolved");
    start_free(&found);
    start_of("fitness games algorithm de family shannon chromosome real bounds QUEEN_VALUE:0:100 "
             "start-from "
             "shannon-1950.weights",
             &found, ERR_ARG);
    assert_message("QUEEN_VALUE is 9000, and must be from 0 to 1000");
    start_free(&found);
}

// --- bytes of other ranks ---

static void test_bytes_that_are_no_games_are_refused(void **state) {
    (void)state;
    DistPool *pool = dist_pool_new(1);
    Str context = {0}, work = {0}, answer = {0};
    void *self = NULL;
    bytes_add_text(&context, view_of("", 0)); // no evaluation
    bytes_add_u32(&context, PROFILE_PAPERS);
    bytes_add_u32(&context, 0); // no checks
    bytes_add_u64(&context, 1);
    bytes_add_u64(&context, 10);
    bytes_add_u32(&context, 0);
    bytes_add_u32(&context, 4);
    bytes_add_u32(&context, 0); // not adjudicated
    assert_int_equal(
        games_service.open(&self, view_of(str_text(&context), context.length - 1), pool),
        ERR_PARSE);
    games_service.close(self);
    assert_int_equal(games_service.open(&self, view_of(str_text(&context), context.length), pool),
                     OK);
    void *worker = games_service.begin(self, -1);
    // A family, and nothing of its organisms.
    bytes_add_string(&work, "maestro");
    assert_int_equal(games_service.answer(worker, view_of(str_text(&work), work.length), &answer),
                     ERR_PARSE);
    // Searches, and nothing that they could evaluate with.
    str_clear(&work);
    bytes_add_string(&work, "search");
    assert_int_equal(games_service.answer(worker, view_of(str_text(&work), work.length), &answer),
                     ERR_ARG);
    games_service.end(worker);
    games_service.close(self);
    str_free(&context);
    str_free(&work);
    str_free(&answer);
    dist_pool_free(pool);
}

// --- words ---

static void test_verdicts_in_words(void **state) {
    (void)state;
    const DuelScore none = {0};
    const DuelScore better = {{90, 0, 10}, {{0, 0, 0, 10, 40}}};
    Str text = {0};
    assert_true(isnan(verdict_percent(&none)));
    assert_true(verdict_percent(&better) == 95);
    verdict_describe(&better, "what it came from", &text);
    assert_non_null(strstr(str_text(&text), "better than what it came from, by 90 wins, 10 draws"));
    str_clear(&text);
    verdict_describe(&none, "what it came from", &text);
    assert_non_null(strstr(str_text(&text), "no difference"));
    str_free(&text);
}

static int set_up(void **state) {
    setenv("FALCONER_DATA", ".", 1);
    return running_set_up(state);
}

int main(void) {
    sized_to_threads("*change_no_byte");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_games_depend_on_their_players_alone),
        cmocka_unit_test(test_moves_are_those_of_the_game),
        cmocka_unit_test(test_checks_in_quiescence),
        cmocka_unit_test(test_points_add_up),
        cmocka_unit_test(test_a_duel_with_oneself_is_level),
        cmocka_unit_test(test_a_duel_plays_all_that_differs),
        cmocka_unit_test(test_threads_change_no_byte),
        cmocka_unit_test(test_stopping_and_going_on_change_no_byte),
        cmocka_unit_test(test_organisms_of_earlier_runs),
        cmocka_unit_test(test_bytes_that_are_no_games_are_refused),
        cmocka_unit_test(test_verdicts_in_words),
    };
    return cmocka_run_group_tests(tests, set_up, testing_tear_down);
}
