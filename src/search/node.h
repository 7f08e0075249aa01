// SPDX-License-Identifier: GPL-3.0-or-later
// One node of the tree while it is searched. Private to src/search.
#pragma once

#include "search/picker.h"

typedef struct Node {
    int alpha, beta, depth, ply;
    bool pv, cut; // exact score wanted; expected to fail high
    bool in_check, improving, mate_threat, single_reply;
    bool proves_mate;   // no static score lies beyond its window
    bool hash_is_noisy; // the move that the table has is a capture or a promotion
    bool path_is_free;  // see worker_path_is_free
    TTData hash;
    int eval, raw_eval; // corrected and refined; as the evaluation gave it
    int best;
    Move best_move;
    unsigned tried_count;
    CheckInfo checks;
} Node;

// A move that is about to be searched, with what several decisions need to know of it.
typedef struct Candidate {
    Move move;
    bool quiet, gives_check;
    int history; // order value of a quiet move
} Candidate;

// prune.c: true, with the score, when the node needs no search of its moves.
bool node_prune(Worker *worker, Node *node, int *score);
// True when no quiet move but a check can matter, so that the others need not even be generated.
bool node_quiets_are_futile(const Worker *worker, const Node *node);
// True when a move need not be searched; may tell the picker to skip the quiet ones that follow.
bool node_prune_move(Worker *worker, const Node *node, Picker *picker, const Candidate *candidate);

// extend.c: plies to add for a move (singular moves may also give a score that ends the node).
int node_extension(Worker *worker, Node *node, const Candidate *candidate, bool *ends_node,
                   int *score);
