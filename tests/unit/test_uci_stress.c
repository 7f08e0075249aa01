// SPDX-License-Identifier: GPL-3.0-or-later
// Searches with several threads, started and stopped at random moments: every one gives one legal
// move after a score, and nothing hangs. Meant for ThreadSanitizer. STRESS_SECONDS (3) is how long.
#include "uci/uci.h"

#include "base/clock.h"
#include "search/search.h"
#include "tests/unit/testing.h"

#include <errno.h>
#include <pthread.h>
#include <time.h>

enum { THREADS = 4, ROUNDS_MAX = 20, PLIES_MAX = 60, PATIENCE_S = 600, TEXT = 128 };

// An engine on a thread of its own, at the end of two pipes, and a thread that reads its answers.
typedef struct Session {
    Weights weights;
    FILE *engine_in, *engine_out, *to, *from;
    pthread_t engine, reader;
    pthread_mutex_t lock;
    pthread_cond_t heard;
    unsigned best_moves, readies, unscored;
    bool is_scored;
    char best[8];
    // Of the test itself.
    Rng rng;
    Position pos;
    unsigned searches, questions;
} Session;

static double stress_seconds(void) {
    const char *text = getenv("STRESS_SECONDS");
    return text == NULL ? 3 : atof(text);
}

static void nap(Rng *rng, uint32_t most_us) {
    struct timespec time = {0, rng_below(rng, most_us + 1) * 1000L};
    nanosleep(&time, NULL);
}

static void *run_engine(void *context) {
    Session *session = context;
    const UciStart start = {.weights = &session->weights};
    Status status = uci_run(&start, session->engine_in, session->engine_out);
    fclose(session->engine_in);
    fclose(session->engine_out);
    return status == OK ? session : NULL;
}

static void hear_line(Session *session, const char *line) {
    if (strncmp(line, "info depth", 10) == 0)
        session->is_scored = strstr(line, " score ") != NULL;
    if (strcmp(line, "readyok\n") == 0)
        session->readies++;
    if (sscanf(line, "bestmove %7s", session->best) == 1) {
        session->best_moves++;
        session->unscored += !session->is_scored;
        session->is_scored = false;
    }
}

static void *run_reader(void *context) {
    Session *session = context;
    char *line = NULL;
    size_t size = 0;
    while (getline(&line, &size, session->from) > 0) {
        pthread_mutex_lock(&session->lock);
        hear_line(session, line);
        pthread_cond_signal(&session->heard);
        pthread_mutex_unlock(&session->lock);
    }
    free(line);
    return NULL;
}

// Waits until the engine has said as many of these as were asked for.
static void await(Session *session, const unsigned *heard, unsigned wanted) {
    struct timespec deadline;
    clock_gettime(CLOCK_REALTIME, &deadline);
    deadline.tv_sec += PATIENCE_S;
    int late = 0;
    pthread_mutex_lock(&session->lock);
    while (*heard < wanted && late != ETIMEDOUT)
        late = pthread_cond_timedwait(&session->heard, &session->lock, &deadline);
    unsigned count = *heard;
    pthread_mutex_unlock(&session->lock);
    assert_int_equal(count, wanted);
}

static void session_open(Session *session, uint32_t number) {
    int in[2], out[2];
    *session = (Session){.lock = PTHREAD_MUTEX_INITIALIZER, .heard = PTHREAD_COND_INITIALIZER};
    session->rng = rng_at(1, number, 0, 0);
    position_set_start(&session->pos);
    assert_int_equal(weights_load_default(&session->weights), OK);
    assert_int_equal(pipe(in) | pipe(out), 0);
    session->engine_in = fdopen(in[0], "r");
    session->to = fdopen(in[1], "w");
    session->from = fdopen(out[0], "r");
    session->engine_out = fdopen(out[1], "w");
    setvbuf(session->to, NULL, _IOLBF, BUFSIZ);
    assert_int_equal(pthread_create(&session->engine, NULL, run_engine, session), 0);
    assert_int_equal(pthread_create(&session->reader, NULL, run_reader, session), 0);
}

// By "quit", or by the end of the input: whatever it is doing.
static void session_close(Session *session) {
    void *ended = NULL;
    if (rng_below(&session->rng, 2) == 0)
        fputs("quit\n", session->to);
    fclose(session->to);
    pthread_join(session->engine, &ended);
    pthread_join(session->reader, NULL);
    fclose(session->from);
    assert_ptr_equal(ended, session);
    assert_int_equal(session->best_moves, session->searches);
    assert_int_equal(session->readies, session->questions);
    assert_int_equal(session->unscored, 0);
    weights_free(&session->weights);
}

static void ask_ready(Session *session) {
    fputs("isready\n", session->to);
    await(session, &session->readies, ++session->questions);
}

static void send_position(Session *session) {
    Move moves[MOVES_MAX];
    size_t count;
    position_set_start(&session->pos);
    fputs("position startpos moves", session->to);
    for (uint32_t left = rng_below(&session->rng, PLIES_MAX); left > 0; left--) {
        if ((count = movegen(&session->pos, MOVES_ALL, moves)) == 0)
            break;
        Undo undo;
        char text[UCI_MOVE_SIZE];
        Move move = moves[rng_below(&session->rng, (uint32_t)count)];
        move_to_uci(&session->pos, move, text);
        position_make(&session->pos, move, &undo);
        fprintf(session->to, " %s", text);
    }
    fputs("\n", session->to);
}

static void send_setting(Session *session) {
    static const char *const values[] = {
        "Hash value 1",          "Hash value 3",           "Threads value 1",
        "Threads value 4",       "Threads value 4",        "Threads value 2",
        "MultiPV value 1",       "MultiPV value 3",        "Profile value papers",
        "Profile value modern",  "Profile value plain",    "NullMove value false",
        "QUEEN_VALUE value 900", "EvalFile value <empty>", "Clear Hash",
    };
    size_t count = sizeof values / sizeof values[0];
    fprintf(session->to, "setoption name %s\n", values[rng_below(&session->rng, (uint32_t)count)]);
}

// True when the search ends by itself.
static bool send_go(Session *session) {
    uint32_t kind = rng_below(&session->rng, 8), number = 1 + rng_below(&session->rng, 6);
    static const char *const kinds[] = {
        "infinite",         "ponder wtime 1000 btime 1000",
        "infinite depth 1", "ponder depth %u",
        "wtime 9 btime 9",  "depth %u",
        "nodes %u00",       "movetime %u",
    };
    char text[TEXT];
    snprintf(text, sizeof text, kinds[kind], number);
    fprintf(session->to, "go %s\n", text);
    session->searches++;
    return kind >= 4;
}

static void disturb(Session *session) {
    for (uint32_t left = rng_below(&session->rng, 3); left > 0; left--) {
        switch (rng_below(&session->rng, 3)) {
        case 0:
            ask_ready(session);
            break;
        case 1:
            fputs("ponderhit\n", session->to);
            break;
        default:
            fputs("uci\n", session->to);
        }
        nap(&session->rng, 1000);
    }
}

static void check_best(Session *session) {
    char best[sizeof session->best];
    await(session, &session->best_moves, session->searches);
    pthread_mutex_lock(&session->lock);
    memcpy(best, session->best, sizeof best);
    pthread_mutex_unlock(&session->lock);
    if (movegen_count(&session->pos) == 0)
        assert_string_equal(best, "0000");
    else
        assert_int_not_equal(move_from_uci(&session->pos, best, strlen(best)), MOVE_NONE);
}

static void play_round(Session *session) {
    if (rng_below(&session->rng, 3) == 0)
        send_setting(session);
    if (rng_below(&session->rng, 5) == 0)
        fputs("ucinewgame\n", session->to);
    send_position(session);
    bool is_finite = send_go(session);
    nap(&session->rng, 3000);
    disturb(session);
    // Some searches are ended by what comes next instead.
    static const char *const ends[] = {"stop\n", "ucinewgame\n", "setoption name Clear Hash\n"};
    if (!is_finite || rng_below(&session->rng, 2) == 0)
        fputs(ends[rng_below(&session->rng, 3)], session->to);
    check_best(session);
}

static void test_uci(void **state) {
    (void)state;
    int64_t start = clock_now_ns();
    double seconds = stress_seconds() * 2 / 3;
    for (uint32_t number = 0; clock_seconds_since(start) < seconds; number++) {
        Session session;
        session_open(&session, number);
        fputs("setoption name Threads value 4\nsetoption name Hash value 1\n", session.to);
        for (uint32_t left = rng_below(&session.rng, ROUNDS_MAX); left > 0; left--)
            if (clock_seconds_since(start) < seconds)
                play_round(&session);
        if (rng_below(&session.rng, 2) == 0)
            send_go(&session);
        nap(&session.rng, 2000);
        session_close(&session);
    }
}

typedef struct Job {
    Search *search;
    const Position *pos;
    Limits limits;
    SearchResult result;
} Job;

static void *run_search(void *context) {
    Job *job = context;
    job->result = search_run(job->search, job->pos, &job->pos->key, 1, &job->limits, NULL);
    return NULL;
}

// A stop that comes before the search has begun is not lost, and one that comes twice is no harm.
static void test_search(void **state) {
    (void)state;
    int64_t start = clock_now_ns();
    Rng rng = rng_at(2, 0, 0, 0);
    Weights weights;
    TT *tt = NULL;
    assert_int_equal(weights_load_default(&weights), OK);
    assert_int_equal(tt_create(&tt, 1), OK);
    Search *search = search_create(&weights, tt);
    search_set_threads(search, THREADS);
    while (clock_seconds_since(start) < stress_seconds() / 3) {
        PgnGame game = {0};
        testing_random_game(&game, &rng, rng_below(&rng, PLIES_MAX));
        bool ponder = rng_below(&rng, 2) == 0;
        Job job = {search, &game.final, {.ponder = ponder, .infinite = !ponder}, {0}};
        pthread_t thread;
        search_prepare(search, ponder);
        if (rng_below(&rng, 4) == 0)
            search_stop(search);
        assert_int_equal(pthread_create(&thread, NULL, run_search, &job), 0);
        nap(&rng, 2000);
        if (rng_below(&rng, 2) == 0)
            search_ponderhit(search);
        nap(&rng, 500);
        search_stop(search);
        pthread_join(thread, NULL);
        assert_true(movegen_count(&game.final) == 0 ? job.result.best == MOVE_NONE
                                                    : move_is_legal(&game.final, job.result.best));
        pgn_game_free(&game);
    }
    search_destroy(search);
    tt_destroy(tt);
    weights_free(&weights);
}

// The bench counts the same nodes twice in one process.
static void test_bench(void **state) {
    (void)state;
    Weights weights;
    BenchResult first, second;
    const Features features = features_of(PROFILE_MODERN);
    assert_int_equal(weights_load_default(&weights), OK);
    assert_int_equal(uci_bench(&weights, &features, 3, &first), OK);
    assert_int_equal(uci_bench(&weights, &features, 3, &second), OK);
    assert_true(first.nodes > 0 && first.nodes == second.nodes);
    weights_free(&weights);
}

int main(void) {
    chess_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_uci),
        cmocka_unit_test(test_search),
        cmocka_unit_test(test_bench),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
