// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/search.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/rng.h"
#include "chess/movegen.h"
#include "search/kpk.h"
#include "search/worker.h"

#include <assert.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

static Worker *worker_create(Search *search, unsigned index) {
    Worker *worker = mem_alloc_pages(sizeof *worker);
    if (worker == NULL)
        worker = mem_alloc_zero(1, sizeof *worker);
    worker->search = search;
    worker->index = index;
    worker->evaluator = evaluator_create(&search->weights, search->caching);
    worker->roots = mem_alloc_zero(MOVES_MAX, sizeof worker->roots[0]);
    return worker;
}

static void worker_destroy(Worker *worker) {
    evaluator_destroy(worker->evaluator);
    free(worker->roots);
    free(worker);
}

static void destroy_workers(Search *search) {
    for (unsigned i = 0; i < search->worker_count; i++)
        worker_destroy(search->workers[i]);
    free(search->workers);
}

static void create_workers(Search *search, unsigned count) {
    search->workers = mem_alloc(count * sizeof search->workers[0]);
    search->worker_count = count;
    for (unsigned i = 0; i < count; i++)
        search->workers[i] = worker_create(search, i);
}

Search *search_create(const Weights *weights, TT *tt) {
    chess_init();
    kpk_init();
    worker_reductions_init();
    Search *search = mem_alloc_zero(1, sizeof *search);
    search->features = features_of(PROFILE_MODERN);
    search->tt = tt;
    search->caching = true;
    weights_copy(&search->weights, weights);
    create_workers(search, 1);
    return search;
}

void search_destroy(Search *search) {
    if (search == NULL)
        return;
    destroy_workers(search);
    weights_free(&search->weights);
    free(search);
}

void search_set_features(Search *search, Features features) {
    search->features = features;
}

void search_set_table(Search *search, TT *tt) {
    search->tt = tt;
}

static void replace_workers(Search *search, unsigned count) {
    destroy_workers(search);
    create_workers(search, count);
}

void search_set_threads(Search *search, unsigned threads) {
    if (threads != search->worker_count)
        replace_workers(search, threads);
}

void search_set_noise(Search *search, int noise_cp) {
    search->noise_cp = noise_cp;
}

void search_set_caching(Search *search, bool caching) {
    search->caching = caching;
    replace_workers(search, search->worker_count);
}

void search_set_cancel(Search *search, bool (*is_cancelled)(void *context), void *context) {
    search->is_cancelled = is_cancelled;
    search->cancel_context = context;
}

void search_set_weights(Search *search, const Weights *weights) {
    weights_free(&search->weights);
    weights_copy(&search->weights, weights);
    for (unsigned i = 0; i < search->worker_count; i++)
        evaluator_set_weights(search->workers[i]->evaluator, weights);
    search_new_game(search);
}

void search_new_game(Search *search) {
    for (unsigned i = 0; i < search->worker_count; i++)
        history_clear(&search->workers[i]->history);
}

void search_prepare(Search *search, bool ponder) {
    search->start_ns = clock_now_ns();
    atomic_store(&search->pondering, ponder);
    atomic_store(&search->stop, false);
}

void search_stop(Search *search) {
    atomic_store(&search->stop, true);
}

void search_ponderhit(Search *search) {
    atomic_store(&search->pondering, false);
}

static bool is_wanted(const Limits *limits, Move move) {
    for (size_t i = 0; i < limits->move_count; i++)
        if (limits->moves[i] == move)
            return true;
    return limits->move_count == 0;
}

// Nearly normal, never more than 3.5 deviations. By the position and not by a clock, so that games
// at fixed nodes can be repeated.
static int draw_noise(const Worker *worker, Move move) {
    enum { DRAWS = 4 };
    Rng rng = rng_at(worker->pos.key, (uint32_t)move, 0, 0);
    double sum = -DRAWS / 2.0;
    for (int i = 0; i < DRAWS; i++)
        sum += rng_real(&rng);
    return (int)lround(sum / sqrt(DRAWS / 12.0) * worker->search->noise_cp);
}

static void set_noise(Worker *worker) {
    for (size_t i = 0; i < worker->root_count; i++)
        worker->roots[i].noise = draw_noise(worker, worker->roots[i].move);
}

static void set_roots(Worker *worker) {
    const Limits *limits = &worker->search->limits;
    Move moves[MOVES_MAX];
    size_t count = movegen(&worker->pos, MOVES_ALL, moves);
    worker->root_count = 0;
    for (size_t i = 0; i < count; i++)
        if (is_wanted(limits, moves[i]))
            worker->roots[worker->root_count++] =
                (RootMove){.move = moves[i], .score = -SCORE_INFINITE, .previous = -SCORE_INFINITE};
    if (worker->search->noise_cp > 0)
        set_noise(worker);
}

static void *run_helper(void *worker) {
    worker_iterate(worker);
    return NULL;
}

// A mate stands at any depth, and the shortest one counts; else a deeper search is worth more.
static bool found_more(const Worker *worker, const Worker *other) {
    int score = worker->roots[0].score, other_score = other->roots[0].score;
    if (score >= SCORE_MATE_LEAST || other_score >= SCORE_MATE_LEAST)
        return score > other_score;
    return worker->completed_depth > other->completed_depth;
}

// The first thread's result, unless another found more.
static const Worker *best_worker(const Search *search) {
    const Worker *best = search->workers[0];
    for (unsigned i = 1; i < search->worker_count; i++)
        if (found_more(search->workers[i], best))
            best = search->workers[i];
    return best;
}

static void wait_for_stop(Search *search) {
    const struct timespec millisecond = {0, 1000000};
    while (!atomic_load(&search->stop) &&
           (search->limits.infinite || atomic_load(&search->pondering)))
        nanosleep(&millisecond, NULL);
}

static void run_workers(Search *search) {
    pthread_t *threads = mem_alloc(search->worker_count * sizeof threads[0]);
    unsigned started = 1;
    for (; started < search->worker_count; started++)
        if (pthread_create(&threads[started], NULL, run_helper, search->workers[started]) != 0)
            break; // fewer threads find the same moves, later
    worker_iterate(search->workers[0]);
    wait_for_stop(search);
    atomic_store(&search->stop, true);
    for (unsigned i = 1; i < started; i++)
        pthread_join(threads[i], NULL);
    free(threads);
}

static void set_time(Search *search) {
    const Limits *limits = &search->limits;
    if (limits->move_ms > 0)
        search->plan = (TimePlan){limits->move_ms, limits->move_ms};
    else if (limits->clock.time_ms > 0)
        search->plan = time_plan(&limits->clock, &search->features.numbers);
}

static Move ponder_move(const Search *search, const Worker *worker) {
    const RootMove *root = &worker->roots[0];
    if (root->pv_length > 1)
        return root->pv[1];
    // A line cut short by the table: the reply may still be there.
    Position pos = worker->pos;
    Undo undo;
    TTData hash;
    position_make(&pos, root->move, &undo);
    bool found = tt_probe(search->tt, pos.key, 1, &hash);
    return found && hash.move != MOVE_NONE && move_is_legal(&pos, hash.move) ? hash.move
                                                                             : MOVE_NONE;
}

static void report_no_move(const Search *search, int score) {
    SearchLine line = {.rank = 1, .score = score, .bound = BOUND_EXACT};
    if (search->listener.on_line != NULL)
        search->listener.on_line(search->listener.context, &line);
}

SearchResult search_run(Search *search, const Position *root, const uint64_t *keys,
                        size_t key_count, const Limits *limits, const SearchListener *listener) {
    search->limits = *limits;
    search->listener = listener == NULL ? (SearchListener){0} : *listener;
    set_time(search);
    atomic_store(&search->depth_reached, false);
    tt_new_search(search->tt);
    for (unsigned i = 0; i < search->worker_count; i++) {
        worker_set_root(search->workers[i], root, keys, key_count);
        set_roots(search->workers[i]);
        assert(worker_is_at_root(search->workers[i]));
    }
    if (search->workers[0]->root_count == 0) {
        int score = position_checkers(root) != 0 ? -SCORE_MATE : SCORE_DRAW;
        report_no_move(search, score);
        wait_for_stop(search);
        return (SearchResult){.score = score};
    }
    run_workers(search);
    for (unsigned i = 0; i < search->worker_count; i++)
        assert(worker_is_at_root(search->workers[i]));
    const Worker *chosen = limits->lines > 1 ? search->workers[0] : best_worker(search);
    // Said once more in case another thread than the first found the move to play.
    if (chosen->index != 0)
        worker_report(chosen, 0, chosen->completed_depth, BOUND_EXACT);
    return (SearchResult){.best = chosen->roots[0].move,
                          .ponder = ponder_move(search, chosen),
                          .score = chosen->roots[0].score,
                          .depth = chosen->completed_depth,
                          .nodes = search_nodes(search),
                          .time_ms = search_elapsed_ms(search)};
}
