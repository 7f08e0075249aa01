// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/picker.h"

#include "chess/movegen.h"
#include "chess/see.h"

#include <assert.h>

enum {
    EVASION_NOISY_FIRST = 1 << 20,
    VICTIM_WEIGHT = 16,
    RANK_BITS = 8,
    RANK_SCALE = 1 << RANK_BITS
};
_Static_assert((int)RANK_SCALE >= (int)MOVES_MAX, "a rank holds any move's number");

static const Position *board(const Picker *picker) {
    return &picker->worker->pos;
}

static void set_specials(Picker *picker) {
    const Worker *worker = picker->worker;
    const Frame *frame = frame_seen(worker, picker->ply);
    if (has(worker, FEATURE_KILLERS)) {
        picker->special[0] = frame->killers[0];
        picker->special[1] = frame->killers[1];
    }
    const Frame *before = frame - 1;
    if (has(worker, FEATURE_COUNTER_MOVES) && before->move != MOVE_NONE)
        picker->special[2] = worker->history.counter[before->piece][move_to(before->move)];
}

static PickerStage first_stage(const Picker *picker) {
    return picker->all_at_once ? STAGE_EVASION_INIT : STAGE_NOISY_INIT;
}

static void init(Picker *picker, const Worker *worker, int ply, Move hash, bool all_at_once) {
    picker->worker = worker;
    picker->ply = ply;
    picker->special[0] = picker->special[1] = picker->special[2] = MOVE_NONE;
    picker->noisy_only = picker->skip_quiets = false;
    picker->only_checks = picker->late_checks = NULL;
    picker->see_threshold = 0;
    picker->next = picker->left = picker->count = picker->bad = 0;
    picker->hash = hash != MOVE_NONE && move_is_legal(&worker->pos, hash) ? hash : MOVE_NONE;
    picker->all_at_once = all_at_once;
    picker->stage = picker->hash != MOVE_NONE ? STAGE_HASH : first_stage(picker);
}

void picker_init(Picker *picker, const Worker *worker, int ply, Move hash, bool in_check) {
    init(picker, worker, ply, hash, in_check || !has(worker, FEATURE_ORDER));
    if (!in_check)
        set_specials(picker);
}

void picker_init_noisy(Picker *picker, const Worker *worker, int ply, Move hash, bool in_check,
                       int see_threshold) {
    const Position *pos = &worker->pos;
    bool usable = hash != MOVE_NONE && (in_check || !move_is_quiet(pos, hash));
    init(picker, worker, ply, usable ? hash : MOVE_NONE, in_check);
    picker->noisy_only = !in_check;
    picker->see_threshold = see_threshold;
}

static int score_noisy(const Picker *picker, Move move) {
    const Position *pos = board(picker);
    if (!has(picker->worker, FEATURE_ORDER))
        return 0;
    int gain = see_values[move_victim(pos, move)];
    if (move_kind(move) == MOVE_PROMOTION)
        gain += see_values[move_promotion(move)] - see_values[PAWN];
    return gain * VICTIM_WEIGHT - see_values[piece_type(pos->board[move_from(move)])] / 4 +
           worker_noisy_history(picker->worker, move);
}

// The rank of the i-th move generated.
static int32_t rank_of(int score, size_t i) {
    return score * RANK_SCALE + (RANK_SCALE - 1 - (int)i);
}

// Squares where a piece may be taken by a lesser one, by type; none for pawns and kings.
static void find_threats(const Position *pos, Bitboard threats[PIECE_TYPE_NB]) {
    Color them = color_other(position_turn(pos));
    Bitboard occupied = position_occupied(pos);
    Bitboard squares = bb_pawn_attacks(position_pieces(pos, them, PAWN), them);
    threats[PAWN] = threats[KING] = 0;
    threats[KNIGHT] = threats[BISHOP] = squares;
    for (Bitboard left = position_pieces(pos, them, KNIGHT); left != 0; left &= left - 1)
        squares |= attacks_knight(bb_first(left));
    for (Bitboard left = position_pieces(pos, them, BISHOP); left != 0; left &= left - 1)
        squares |= attacks_bishop(bb_first(left), occupied);
    threats[ROOK] = squares;
    for (Bitboard left = position_pieces(pos, them, ROOK); left != 0; left &= left - 1)
        squares |= attacks_rook(bb_first(left), occupied);
    threats[QUEEN] = squares;
}

static int threat_score(const Worker *worker, const Bitboard threats[PIECE_TYPE_NB], Move move) {
    const SearchNumbers *numbers = numbers_of(worker);
    const int bonus[PIECE_TYPE_NB] = {[KNIGHT] = numbers->threat_minor,
                                      [BISHOP] = numbers->threat_minor,
                                      [ROOK] = numbers->threat_rook,
                                      [QUEEN] = numbers->threat_queen};
    PieceType type = piece_type(worker->pos.board[move_from(move)]);
    int saved = (int)(threats[type] >> move_from(move) & 1);
    int lost = (int)(threats[type] >> move_to(move) & 1);
    return (saved - lost) * bonus[type];
}

static void rank_quiets(Picker *picker) {
    const Worker *worker = picker->worker;
    QuietHistory history = quiet_history(worker, picker->ply);
    for (size_t i = 0; i < picker->count; i++)
        picker->ranks[i] =
            rank_of(quiet_history_score(&history, &worker->pos, picker->moves[i]), i);
    if (!has(worker, FEATURE_THREAT_ORDER))
        return;
    Bitboard threats[PIECE_TYPE_NB];
    find_threats(&worker->pos, threats);
    for (size_t i = 0; i < picker->count; i++)
        picker->ranks[i] += threat_score(worker, threats, picker->moves[i]) * RANK_SCALE;
}

static void rank_noisy(Picker *picker) {
    for (size_t i = 0; i < picker->count; i++) {
        // There are few, and most will be made: their memory is under way while they are sorted.
        // (Quiescence, which wants these alone, does without the table.)
        if (!picker->noisy_only)
            worker_prefetch(picker->worker, picker->moves[i]);
        picker->ranks[i] = rank_of(score_noisy(picker, picker->moves[i]), i);
    }
}

static void rank_evasions(Picker *picker) {
    const int noisy_first = has(picker->worker, FEATURE_ORDER) ? EVASION_NOISY_FIRST : 0;
    for (size_t i = 0; i < picker->count; i++) {
        worker_prefetch(picker->worker, picker->moves[i]);
        int score = !move_is_quiet(board(picker), picker->moves[i])
                        ? noisy_first + score_noisy(picker, picker->moves[i])
                        : worker_quiet_history(picker->worker, picker->ply, picker->moves[i]);
        picker->ranks[i] = rank_of(score, i);
    }
}

static void generate_quiets(Picker *picker) {
    const Position *pos = board(picker);
    picker->attacked = ~0ULL;
    picker->count = picker->only_checks != NULL
                        ? movegen_quiet_checks(pos, picker->only_checks, picker->moves)
                        : movegen_quiet(pos, picker->moves, &picker->attacked);
    picker->left = picker->count;
    rank_quiets(picker);
}

static void generate_noisy(Picker *picker) {
    picker->left = picker->count = movegen(board(picker), MOVES_NOISY, picker->moves);
    rank_noisy(picker);
}

static void generate_evasions(Picker *picker) {
    picker->left = picker->count = movegen(board(picker), MOVES_ALL, picker->moves);
    rank_evasions(picker);
}

// The best of what is left; the first of equals, so that the order is the same everywhere.
static int32_t best_rank(const Picker *picker) {
    int32_t best = INT32_MIN;
    for (size_t i = 0; i < picker->count; i++)
        best = picker->ranks[i] > best ? picker->ranks[i] : best;
    return best;
}

static size_t index_of_rank(int32_t rank) {
    return RANK_SCALE - 1 - ((uint32_t)rank & (RANK_SCALE - 1));
}

static Move take(Picker *picker, int32_t rank) {
    size_t index = index_of_rank(rank);
    picker->score = picker->ranks[index] >> RANK_BITS;
    picker->ranks[index] = INT32_MIN;
    picker->left--;
    return picker->moves[index];
}

static Move take_best(Picker *picker) {
    return take(picker, best_rank(picker));
}

// Chooses the quiet move after this one already now: while this one is searched, the memory that
// the next will need arrives.
static void look_ahead(Picker *picker) {
    if (picker->left == 0)
        return;
    picker->ahead = best_rank(picker);
    worker_prefetch(picker->worker, picker->moves[index_of_rank(picker->ahead)]);
}

static bool is_special(const Picker *picker, Move move) {
    return move == picker->special[0] || move == picker->special[1] || move == picker->special[2];
}

// The killer or counter-move of a stage, if it is a quiet move here that did not come before.
static Move special_move(const Picker *picker, size_t slot) {
    Move move = picker->special[slot];
    bool again = move == picker->hash || (slot > 0 && move == picker->special[0]) ||
                 (slot > 1 && move == picker->special[1]);
    const Position *pos = board(picker);
    return move == MOVE_NONE || again || !move_is_quiet(pos, move) || !move_is_legal(pos, move)
               ? MOVE_NONE
               : move;
}

static bool is_skipped(const Picker *picker, Move move) {
    return picker->skip_quiets &&
           (picker->late_checks == NULL ||
            !check_info_gives_check(picker->late_checks, board(picker), move));
}

static Move next_special(const Picker *picker) {
    Move move = special_move(picker, (size_t)(picker->stage - STAGE_KILLER_1));
    return move == MOVE_NONE || is_skipped(picker, move) ? MOVE_NONE : move;
}

static Move next_noisy(Picker *picker) {
    while (picker->left > 0) {
        Move move = take_best(picker);
        if (move == picker->hash)
            continue;
        bool all_kept = picker->bad < sizeof picker->bad_moves / sizeof picker->bad_moves[0];
        if (!all_kept || see_at_least(board(picker), move, picker->see_threshold))
            return move;
        picker->bad_moves[picker->bad++] = move;
    }
    return MOVE_NONE;
}

static Move next_quiet(Picker *picker) {
    while (picker->left > 0 && (!picker->skip_quiets || picker->late_checks != NULL)) {
        Move move = take(picker, picker->ahead);
        look_ahead(picker);
        if (move != picker->hash && !is_special(picker, move) && !is_skipped(picker, move))
            return move;
    }
    return MOVE_NONE;
}

static Move next_evasion(Picker *picker) {
    while (picker->left > 0) {
        Move move = take_best(picker);
        if (move != picker->hash)
            return move;
    }
    return MOVE_NONE;
}

// Prepares a stage that generates, or hands out a move of the others.
static Move step(Picker *picker) {
    switch (picker->stage) {
    case STAGE_NOISY_INIT:
        generate_noisy(picker);
        return MOVE_NONE;
    case STAGE_NOISY:
        return next_noisy(picker);
    case STAGE_KILLER_1:
    case STAGE_KILLER_2:
    case STAGE_COUNTER:
        return next_special(picker);
    case STAGE_QUIET_INIT:
        if (picker->skip_quiets && picker->only_checks == NULL)
            picker->only_checks = picker->late_checks;
        if (!picker->skip_quiets || picker->late_checks != NULL) {
            generate_quiets(picker);
            look_ahead(picker);
        }
        return MOVE_NONE;
    case STAGE_QUIET:
        return next_quiet(picker);
    case STAGE_EVASION_INIT:
        generate_evasions(picker);
        return MOVE_NONE;
    case STAGE_EVASION:
        return next_evasion(picker);
    default:
        return MOVE_NONE;
    }
}

static void advance(Picker *picker) {
    if (picker->stage == STAGE_NOISY && picker->noisy_only)
        picker->stage = STAGE_DONE;
    else if (picker->stage == STAGE_QUIET) {
        picker->stage = STAGE_BAD_NOISY;
        picker->next = 0;
    } else if (picker->stage == STAGE_EVASION)
        picker->stage = STAGE_DONE;
    else
        picker->stage++;
}

bool picker_is_valid(const Picker *picker) {
    return picker->stage <= STAGE_DONE && picker->count <= MOVES_MAX &&
           picker->left <= picker->count && picker->next <= picker->bad &&
           picker->bad <= sizeof picker->bad_moves / sizeof picker->bad_moves[0];
}

Move picker_next(Picker *picker) {
    assert(picker_is_valid(picker));
    if (picker->stage == STAGE_HASH) {
        picker->stage = first_stage(picker);
        return picker->hash;
    }
    while (picker->stage != STAGE_DONE) {
        if (picker->stage == STAGE_BAD_NOISY) {
            if (picker->next < picker->bad)
                return picker->bad_moves[picker->next++];
            picker->stage = STAGE_DONE;
            break;
        }
        // These stages have one move each; the others are left when they have no more.
        bool single = picker->stage >= STAGE_KILLER_1 && picker->stage <= STAGE_COUNTER;
        Move move = step(picker);
        if (move == MOVE_NONE || single)
            advance(picker);
        if (move != MOVE_NONE)
            return move;
    }
    return MOVE_NONE;
}
