// SPDX-License-Identifier: GPL-3.0-or-later
// What one thread of a search works with. Private to src/search.
#pragma once

#include "eval/evaluator.h"
#include "search/history.h"
#include "search/search.h"

#include <stdatomic.h>

enum {
    FRAMES_BEFORE = 4,   // so that a frame can look at those before the root
    GAME_KEYS_MAX = 128, // further back nothing can repeat before the fifty-move rule
    KEYS_MAX = GAME_KEYS_MAX + PLY_MAX + 8,
    FUTILITY_DEPTH_MOST = 10,
    LATE_MOVES_DEPTH_MOST = 15,
};

typedef struct Frame {
    Move move;     // made from this node, MOVE_NONE for a null move
    Move excluded; // left out, to see how good the others are
    Move killers[2];
    Piece piece;                        // that made the move
    bool gives_check;                   // so the next node is in check
    int captured_value;                 // of the piece the move took, 0 for none
    int eval;                           // corrected static score, SCORE_NONE in check
    int extensions;                     // plies given to this line so far
    int cuts;                           // at nodes of this ply, since the node two plies before
    int quarters;                       // of a ply, given and not yet a whole one
    const PieceToHistory *continuation; // what followed this node's move before
    size_t pv_length;
    Move pv[PLY_MAX + 1];
} Frame;

typedef struct RootMove {
    Move move;
    int score, previous;
    int noise; // that is added to its score, but for mates
    int selective_depth;
    uint64_t nodes;
    size_t pv_length;
    Move pv[PLY_MAX + 1];
} RootMove;

typedef struct Worker {
    Search *search;
    unsigned index;
    Position pos;
    uint64_t keys[KEYS_MAX];
    size_t key_count, root_key_count;
    bool game_repeats; // a position of the game stood on the board twice, and may do so again
    Evaluator *evaluator;
    History history;
    Frame frames[FRAMES_BEFORE + PLY_MAX + 8];
    RootMove *roots;
    size_t root_count;
    size_t line; // of MultiPV, the one that is searched
    _Atomic uint64_t nodes;
    int root_depth, selective_depth, completed_depth;
    int null_from_ply; // no null move before this ply, while one is verified
    unsigned until_check;
    bool stopped;
    Features features; // the search's, close at hand
    bool needs_eval;   // one of them asks for the static score of inner nodes
    // What follows from their numbers, by depth.
    int futility_depth, futility_margins[FUTILITY_DEPTH_MOST + 1];
    int late_moves[2][LATE_MOVES_DEPTH_MOST + 1]; // tried at least; of nodes that improve, last
} Worker;

struct Search {
    Features features;
    TT *tt;
    bool caching;
    int noise_cp;
    Weights weights;
    Worker **workers;
    unsigned worker_count;
    Limits limits;
    SearchListener listener;
    TimePlan plan;
    int64_t start_ns;
    bool (*is_cancelled)(void *context);
    void *cancel_context;
    _Atomic bool stop, pondering;
    _Atomic bool depth_reached; // by any thread, which is enough
};

static inline bool has(const Worker *worker, Feature feature) {
    return worker->features.on[feature];
}
static inline const SearchNumbers *numbers_of(const Worker *worker) {
    return &worker->features.numbers;
}
static inline Frame *frame_at(Worker *worker, int ply) {
    return &worker->frames[FRAMES_BEFORE + ply];
}
static inline const Frame *frame_seen(const Worker *worker, int ply) {
    return &worker->frames[FRAMES_BEFORE + ply];
}
static inline uint64_t worker_nodes(const Worker *worker) {
    return atomic_load_explicit(&worker->nodes, memory_order_relaxed);
}

// The static score, improved by what the table says of the true one.
static inline int refined_eval(const TTData *hash, int eval) {
    bool raises = hash->score > eval && hash->bound & BOUND_LOWER;
    bool lowers = hash->score < eval && hash->bound & BOUND_UPPER;
    return raises || lowers ? hash->score : eval;
}
// True when the table's score settles a null window that ends at `beta`.
static inline bool bound_settles(const TTData *hash, int beta) {
    return hash->bound & (hash->score >= beta ? BOUND_LOWER : BOUND_UPPER);
}

// clock.c: whether this thread must return; cheap.
bool worker_must_stop(Worker *worker);
uint64_t search_nodes(const Search *search);
int64_t search_elapsed_ms(const Search *search);

// moves.c: making moves on the worker's board, with all that depends on it.
void worker_make(Worker *worker, int ply, Move move, bool gives_check, Undo *undo);
// Fetches what the table knows of the position after a move, before it is needed.
void worker_prefetch(const Worker *worker, Move move);
void worker_unmake(Worker *worker, int ply, const Undo *undo);
void worker_make_null(Worker *worker, int ply, Undo *undo);
void worker_unmake_null(Worker *worker, const Undo *undo);
// Stores what was found, if the table is in use.
void worker_remember(Worker *worker, int ply, TTData data);
// Whether no line of `depth` plies from here can repeat a position from before this node, and none
// comes near the fifty-move rule: then the score is the same whatever moves led here.
bool worker_path_is_free(const Worker *worker, int depth, int ply);
// The depth under which the table keeps a score. Without LooseTableScores 0 is a move alone, as a
// score holds for its own depth, and only where the path to it cannot matter.
static inline int worker_table_depth(const Worker *worker, int depth, bool path_is_free) {
    return has(worker, FEATURE_LOOSE_HASH) ? depth : path_is_free ? depth + 1 : 0;
}
// True when the position is a draw by repetition, fifty moves or material.
bool worker_is_draw(const Worker *worker, bool in_check);
// Whether its board is sound and stands at the root, as before and after a search.
bool worker_is_at_root(const Worker *worker);
// Sets the board and the frames for a new search.
void worker_set_root(Worker *worker, const Position *root, const uint64_t *keys, size_t key_count);

// static_eval.c: the static score with what the search knows of endgames.
int worker_evaluate(Worker *worker);
// True where the search knows an ending for a draw, whatever the material.
bool worker_is_known_draw(const Worker *worker);

// static_eval.c: the corrected static score of a node not in check; `raw` is what goes to the
// table.
int worker_static_score(Worker *worker, int ply, int stored, int *raw);
// Where its corrections are.
Correction worker_correction(Worker *worker, int ply);

// node.c, quiesce.c: the tree. Scores are from the side to move's view.
int search_node(Worker *worker, int alpha, int beta, int depth, int ply, bool cut_node);
int search_quiesce(Worker *worker, int alpha, int beta, int depth, int ply);
// root.c: the same for the root, over the worker's root moves from the line that is searched on.
int search_root(Worker *worker, int alpha, int beta, int depth);

// reductions.c: plies by which a late move is searched less deep, in 1024ths.
void worker_reductions_init(void);
int worker_reduction(const Worker *worker, int depth, unsigned move_number);

// prune.c: works out what follows from the numbers.
void worker_prepare_pruning(Worker *worker);

// iterate.c: deepens until told to stop.
void worker_iterate(Worker *worker);
// Tells the listener of one line of a worker.
void worker_report(const Worker *worker, size_t line, int depth, Bound bound);

// learn.c: rewards the move that cut, and punishes those tried before it.
typedef struct Tried {
    Move quiets[64], noisy[32];
    size_t quiet_count, noisy_count;
} Tried;
void worker_learn_from_cut(Worker *worker, int ply, int depth, Move best, const Tried *tried);
// The same for the table's move, if it is a quiet one here, where the table cuts.
void worker_learn_from_table(Worker *worker, int ply, int depth, Move move);
// Rewards the move that led here, which no reply refuted.
void worker_learn_from_failure(Worker *worker, int ply, int depth);
// The tables that order the quiet moves of a node, and a move's value in all of them.
typedef struct QuietHistory {
    const int16_t (*butterfly)[SQUARE_NB];
    const PieceToHistory *after[3];
} QuietHistory;
QuietHistory quiet_history(const Worker *worker, int ply);
static inline int quiet_history_score(const QuietHistory *history, const Position *pos, Move move) {
    Square from = move_from(move), to = move_to(move);
    Piece piece = pos->board[from];
    return history->butterfly[from][to] + (*history->after[0])[piece][to] +
           (*history->after[1])[piece][to] + (*history->after[2])[piece][to] / 2;
}
int worker_quiet_history(const Worker *worker, int ply, Move move);
int worker_noisy_history(const Worker *worker, Move move);
