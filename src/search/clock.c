// SPDX-License-Identifier: GPL-3.0-or-later
// Limits: nodes, time, and being told to stop.
#include "base/clock.h"

#include "search/worker.h"

enum { NODES_PER_CHECK = 512, FIRST_NODES = 20000 };

uint64_t search_nodes(const Search *search) {
    uint64_t nodes = 0;
    for (unsigned i = 0; i < search->worker_count; i++)
        nodes += worker_nodes(search->workers[i]);
    return nodes;
}

int64_t search_elapsed_ms(const Search *search) {
    return (clock_now_ns() - search->start_ns) / 1000000;
}

// Only the first thread looks at the clock; the others see its flag.
static bool out_of_time(const Search *search) {
    if (atomic_load_explicit(&search->pondering, memory_order_relaxed))
        return false;
    return limits_have_clock(&search->limits) &&
           search_elapsed_ms(search) >= search->plan.maximum_ms;
}

static bool is_cancelled(const Search *search) {
    return search->is_cancelled != NULL && search->is_cancelled(search->cancel_context);
}

bool worker_must_stop(Worker *worker) {
    Search *search = worker->search;
    // The first iteration finishes, so that there is a move and a score, unless captures explode.
    if (worker->stopped || (worker->completed_depth == 0 && worker_nodes(worker) < FIRST_NODES))
        return worker->stopped;
    if (search->limits.nodes != 0 && worker->index == 0) {
        uint64_t nodes = search->worker_count == 1 ? worker_nodes(worker) : search_nodes(search);
        worker->stopped = nodes >= search->limits.nodes;
    }
    if (!worker->stopped && --worker->until_check == 0) {
        worker->until_check = NODES_PER_CHECK;
        worker->stopped = atomic_load_explicit(&search->stop, memory_order_relaxed) ||
                          atomic_load_explicit(&search->depth_reached, memory_order_relaxed) ||
                          (worker->index == 0 && (out_of_time(search) || is_cancelled(search)));
    }
    return worker->stopped;
}
