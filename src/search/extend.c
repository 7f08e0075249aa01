// SPDX-License-Identifier: GPL-3.0-or-later
// Which moves deserve to be searched deeper. A line is given no more plies than the root's depth.
#include "search/node.h"

#include "chess/see.h"

enum { QUARTERS = 4 }; // of a ply

static bool may_extend(Worker *worker, int ply) {
    return ply < 2 * worker->root_depth && frame_at(worker, ply)->extensions < worker->root_depth;
}

static bool is_recapture(Worker *worker, const Node *node, Move move) {
    const Frame *before = frame_at(worker, node->ply - 1);
    const Position *pos = &worker->pos;
    if (before->move == MOVE_NONE || before->captured_value == 0)
        return false;
    return move_to(move) == move_to(before->move) && pos->board[move_to(move)] != PIECE_NONE &&
           before->captured_value == see_values[piece_type(pos->board[move_to(move)])];
}

// A passed pawn that reaches its seventh rank.
static bool is_passed_push(const Worker *worker, Move move) {
    const Position *pos = &worker->pos;
    Color us = position_turn(pos);
    Square to = move_to(move);
    if (pos->board[move_from(move)] != piece_make(us, PAWN) || square_relative_rank(to, us) != 6)
        return false;
    unsigned file = square_file(to);
    Bitboard files =
        bb_file(file) | (file > 0 ? bb_file(file - 1) : 0) | (file < 7 ? bb_file(file + 1) : 0);
    Bitboard ahead = us == WHITE ? RANK_8 : RANK_1;
    return (position_pieces(pos, color_other(us), PAWN) & files & ahead) == 0;
}

static bool is_singular_candidate(const Worker *worker, const Node *node, Move move) {
    return has(worker, FEATURE_SINGULAR) && node->depth >= numbers_of(worker)->singular_depth &&
           move == node->hash.move && frame_seen(worker, node->ply)->excluded == MOVE_NONE &&
           node->hash.bound & BOUND_LOWER &&
           node->hash.depth >= node->depth - numbers_of(worker)->singular_hash &&
           !score_is_mate(node->hash.score);
}

// Searches the other moves: if none comes near, this one is extended; if others also cut, the node
// is over.
static int singular_extension(Worker *worker, Node *node, Move move, bool *ends_node, int *score) {
    Frame *frame = frame_at(worker, node->ply);
    const SearchNumbers *numbers = numbers_of(worker);
    int target = node->hash.score - numbers->singular_margin * node->depth;
    frame->excluded = move;
    int value =
        search_node(worker, target - 1, target, (node->depth - 1) / 2, node->ply, node->cut);
    frame->excluded = MOVE_NONE;
    if (worker->stopped)
        return 0;
    if (value < target)
        return !node->pv && value < target - numbers->singular_double ? 2 : 1;
    if (target >= node->beta) {
        *ends_node = true;
        *score = target;
        return 0;
    }
    if (node->hash.score >= node->beta)
        return -numbers->singular_less;
    return node->cut ? -numbers->singular_less_cut : 0;
}

// Quarter plies for a move, a whole one at most.
static int move_quarters(Worker *worker, const Node *node, const Candidate *candidate) {
    const SearchNumbers *numbers = numbers_of(worker);
    Move move = candidate->move;
    int sum = 0;
    if (has(worker, FEATURE_EXTEND_CHECK) && candidate->gives_check &&
        see_at_least(&worker->pos, move, 0))
        sum += numbers->extend_check;
    if (has(worker, FEATURE_EXTEND_THREAT) && node->mate_threat)
        sum += numbers->extend_threat;
    if (has(worker, FEATURE_EXTEND_RECAPTURE) && node->pv && is_recapture(worker, node, move))
        sum += numbers->extend_recapture;
    if (has(worker, FEATURE_EXTEND_PASSED) && is_passed_push(worker, move))
        sum += numbers->extend_passed;
    if (has(worker, FEATURE_EXTEND_REPLY) && node->single_reply)
        sum += numbers->extend_reply;
    return sum < QUARTERS ? sum : QUARTERS;
}

int node_extension(Worker *worker, Node *node, const Candidate *candidate, bool *ends_node,
                   int *score) {
    Frame *frame = frame_at(worker, node->ply);
    int extension = 0, quarters = frame->quarters;
    *ends_node = false;
    if (!may_extend(worker, node->ply)) {
        frame[1].quarters = quarters;
        return 0;
    }
    if (is_singular_candidate(worker, node, candidate->move)) {
        extension = singular_extension(worker, node, candidate->move, ends_node, score);
        if (*ends_node || worker->stopped)
            return extension;
    }
    if (extension == 0) {
        quarters += move_quarters(worker, node, candidate);
        extension = quarters / QUARTERS;
        quarters %= QUARTERS;
    }
    frame[1].quarters = quarters;
    return extension;
}
