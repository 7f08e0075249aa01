// SPDX-License-Identifier: GPL-3.0-or-later
// Hands out the moves of a node one by one, the likely best first, generating only as it must.
#pragma once

#include "search/worker.h"

typedef enum PickerStage {
    STAGE_HASH,
    STAGE_NOISY_INIT,
    STAGE_NOISY,
    STAGE_KILLER_1,
    STAGE_KILLER_2,
    STAGE_COUNTER,
    STAGE_QUIET_INIT,
    STAGE_QUIET,
    STAGE_BAD_NOISY,
    STAGE_EVASION_INIT,
    STAGE_EVASION,
    STAGE_DONE,
} PickerStage;

typedef struct Picker {
    const Worker *worker;
    int ply;
    PickerStage stage;
    Move hash, special[3]; // killers and the counter-move
    bool noisy_only, skip_quiets;
    bool all_at_once;             // as evasions are, and moves that nothing puts in order
    const CheckInfo *late_checks; // if set, quiet moves that give check are not skipped
    const CheckInfo *only_checks; // if set, the only quiet moves are those that give check
    int see_threshold;            // noisy moves below it come last, or never when noisy_only
    Bitboard attacked;            // by the enemy, where STAGE_QUIET found it; else all squares
    int32_t ahead;                // rank of the quiet move that comes next
    int score;                    // of the quiet move handed out last, where STAGE_QUIET did
    size_t count, left;           // moves generated in this stage, and not yet taken
    size_t bad, next;             // noisy moves put off, and which comes next
    Move bad_moves[MOVES_MAX / 2];
    Move moves[MOVES_MAX];
    // A score and, in the lowest bits, which move it is: earlier moves win ties. One array, so that
    // the best is found by vector instructions.
    int32_t ranks[MOVES_MAX];
} Picker;

void picker_init(Picker *picker, const Worker *worker, int ply, Move hash, bool in_check);
// Captures and promotions that gain at least `see_threshold`; all evasions when in check.
void picker_init_noisy(Picker *picker, const Worker *worker, int ply, Move hash, bool in_check,
                       int see_threshold);
// Whether its counts fit its stage.
bool picker_is_valid(const Picker *picker);
// The next move, MOVE_NONE after the last.
Move picker_next(Picker *picker);
// True when a quiet move surely loses nothing: the enemy bears neither on where it goes nor,
// through where it came from, on what it uncovers.
static inline bool picker_move_is_safe(const Picker *picker, Move move) {
    Bitboard touched = bb_square(move_from(move)) | bb_square(move_to(move));
    return (picker->attacked & touched) == 0;
}
