// SPDX-License-Identifier: GPL-3.0-or-later
// Iterative deepening with aspiration windows, and when to stop it.
#include "search/worker.h"

enum {
    DEPTH_MAX = PLY_MAX - 40,
    REPORT_BOUNDS_AFTER_MS = 3000,
};

typedef struct Progress {
    Move last_best;
    int stable;  // iterations that ended with the same best move
    int average; // of the scores so far
} Progress;

// Insertion sort: stable, and the list is nearly sorted.
static void sort_roots(Worker *worker, size_t from) {
    RootMove *roots = worker->roots;
    for (size_t i = from + 1; i < worker->root_count; i++)
        for (size_t j = i; j > from && roots[j].score > roots[j - 1].score; j--) {
            RootMove swap = roots[j];
            roots[j] = roots[j - 1];
            roots[j - 1] = swap;
        }
}

static void report(const Worker *worker, size_t line, Bound bound) {
    const bool searched = worker->roots[line].score != -SCORE_INFINITE;
    if (worker->index == 0)
        worker_report(worker, line, worker->root_depth - (searched ? 0 : 1), bound);
}

void worker_report(const Worker *worker, size_t line, int depth, Bound bound) {
    const Search *search = worker->search;
    const RootMove *root = &worker->roots[line];
    if (search->listener.on_line == NULL)
        return;
    const SearchLine out = {.depth = depth,
                            .selective_depth = root->selective_depth,
                            .rank = (int)line + 1,
                            .score = root->score != -SCORE_INFINITE ? root->score : root->previous,
                            .bound = bound,
                            .nodes = search_nodes(search),
                            .time_ms = search_elapsed_ms(search),
                            .hash_permille = tt_full_permille(search->tt),
                            .moves = root->pv,
                            .move_count = root->pv_length};
    search->listener.on_line(search->listener.context, &out);
}

// One line at one depth, in a window that grows until the score is inside.
static void search_line(Worker *worker, int depth) {
    const SearchNumbers *numbers = numbers_of(worker);
    int alpha = -SCORE_INFINITE, beta = SCORE_INFINITE, delta = numbers->aspiration_width;
    int previous = worker->roots[worker->line].previous;
    if (has(worker, FEATURE_ASPIRATION) && depth >= numbers->aspiration_depth &&
        !score_is_mate(previous)) {
        alpha = previous - delta;
        beta = previous + delta;
    }
    for (;;) {
        int score = search_root(worker, alpha, beta, depth);
        sort_roots(worker, worker->line);
        if (worker->stopped || (score > alpha && score < beta))
            return;
        if (search_elapsed_ms(worker->search) > REPORT_BOUNDS_AFTER_MS)
            report(worker, worker->line, score <= alpha ? BOUND_UPPER : BOUND_LOWER);
        // A window that keeps failing is opened to that side.
        bool open = delta > numbers->aspiration_most || score_is_mate(score);
        if (score <= alpha) {
            beta = (alpha + beta) / 2;
            alpha = open ? -SCORE_INFINITE : score - delta;
        } else {
            beta = open ? SCORE_INFINITE : score + delta;
        }
        delta += delta / 2 + 5;
    }
}

static size_t line_count(const Worker *worker) {
    int wanted = worker->search->limits.lines;
    size_t lines = wanted > 1 && worker->index == 0 ? (size_t)wanted : 1;
    return lines < worker->root_count ? lines : worker->root_count;
}

// Not one move was searched to its end: any move, and the static score.
static void guess_line(Worker *worker) {
    RootMove *root = &worker->roots[0];
    root->score = worker_evaluate(worker);
    root->pv[0] = root->move;
    root->pv_length = 1;
    report(worker, 0, BOUND_EXACT);
}

static void search_depth(Worker *worker, int depth) {
    worker->root_depth = depth;
    for (size_t i = 0; i < worker->root_count; i++) {
        worker->roots[i].previous = worker->roots[i].score;
        worker->roots[i].score = -SCORE_INFINITE;
    }
    size_t lines = line_count(worker);
    for (worker->line = 0; worker->line < lines && !worker->stopped; worker->line++) {
        worker->selective_depth = 0;
        search_line(worker, depth);
    }
    sort_roots(worker, 0);
    // Nothing of this depth was finished: the last one stands, if there is one.
    if (worker->stopped && worker->roots[0].score == -SCORE_INFINITE) {
        for (size_t i = 0; i < worker->root_count; i++)
            worker->roots[i].score = worker->roots[i].previous;
        sort_roots(worker, 0);
        worker->root_depth--;
        if (worker->root_depth == 0)
            guess_line(worker);
        return;
    }
    for (size_t line = 0; line < lines; line++) {
        const RootMove *root = &worker->roots[line];
        if (root->score != -SCORE_INFINITE || root->previous != -SCORE_INFINITE)
            report(worker, line, BOUND_EXACT);
    }
}

static bool mate_found(const Worker *worker) {
    int mate = worker->search->limits.mate, score = worker->roots[0].score;
    return mate > 0 && score >= SCORE_MATE_LEAST && SCORE_MATE - score <= 2 * mate - 1;
}

// Whether the clock says that another iteration is not worth starting.
static bool time_is_up(const Worker *worker, Progress *progress) {
    const Search *search = worker->search;
    const RootMove *best = &worker->roots[0];
    progress->stable = best->move == progress->last_best ? progress->stable + 1 : 0;
    progress->last_best = best->move;
    int drop = progress->average - best->score;
    progress->average =
        worker->root_depth <= 2 ? best->score : (progress->average * 2 + best->score) / 3;
    if (search->limits.clock.time_ms == 0 ||
        atomic_load_explicit(&search->pondering, memory_order_relaxed))
        return false;
    if (worker->root_count == 1 && search->limits.lines <= 1)
        return true;
    double share = (double)best->nodes / (double)(worker_nodes(worker) + 1);
    if (worker->root_depth < 6)
        share = 0.7;
    return search_elapsed_ms(search) >=
           time_plan_optimum(&search->plan, numbers_of(worker), progress->stable, drop, share);
}

// Helpers skip every other depth, so that threads work on different ones; with a depth to reach,
// every second helper has it on its way.
static bool helper_skips(const Worker *worker, int depth) {
    int target = worker->search->limits.depth;
    return worker->index > 0 && (target + depth + (int)worker->index) % 2 == 0 && depth > 2;
}

void worker_iterate(Worker *worker) {
    const Limits *limits = &worker->search->limits;
    int most = limits->depth > 0 && limits->depth < DEPTH_MAX ? limits->depth : DEPTH_MAX;
    if (worker->index > 0)
        most = DEPTH_MAX;
    Progress progress = {0};
    for (int depth = 1; depth <= most; depth++) {
        if (helper_skips(worker, depth))
            continue;
        search_depth(worker, depth);
        if (worker->stopped)
            return;
        worker->completed_depth = depth;
        if (limits->depth > 0 && depth >= limits->depth)
            atomic_store_explicit(&worker->search->depth_reached, true, memory_order_relaxed);
        if (worker->index == 0 && (mate_found(worker) || time_is_up(worker, &progress)))
            return;
    }
}
