// SPDX-License-Identifier: GPL-3.0-or-later
// Positions with a mentor's scores (EPD with `ce`), as one family counts them.
#pragma once

#include "base/str.h"
#include "chess/position_pack.h"
#include "dist/pool.h"
#include "eval/family.h"
#include "fitness/linear/coefficient_header.h"
#include "fitness/linear/counts.h"
#include "fitness/linear/mentor_label.h"
#include "fitness/moves/played_set.h"

typedef struct MentorSetOptions {
    const Family *family;
    // Of a foreign family, whose files are coefficients labelled with centipawns: of what follows
    // the limits count alone, there are no positions that the others could look at. Else NULL.
    const CoefficientHeader *header;
    bool tempo;      // one more term, after the family's: a constant for the side to move, in units
    bool quiet_only; // leaves out positions where a capture wins material, for either side
    bool keep_positions; // for who looks further than their counts
    bool keep_keys;      // of the positions, to compare sets by
    bool keep_boards;    // packed positions, to show some of them
    MentorLimits limits;
} MentorSetOptions;

// Where several mentors labelled the same positions, whatever makes one of them leave a position
// out leaves it out for all, and it is counted once; labels of the matrix are the first mentor's.
typedef struct MentorSet {
    PlayedSet positions; // of the matrix's rows, without a move played; empty where not kept
    CountMatrix matrix;  // as the side to move sees them; labels in the family's scale
    MentorTotals totals;
    uint64_t hash; // of the lines that are not empty, whatever the file was packed with
    size_t mentors;
    int32_t *scores; // owned: in centipawns, of each row one for each mentor; NULL for a single one
    size_t score_capacity;
    uint64_t *keys; // owned: of the rows' positions; NULL where not kept
    size_t key_capacity;
    PackedPosition *boards; // owned: the rows' positions; NULL where not kept
    size_t board_capacity;
    MentorLimits limits; // as told
} MentorSet;

// Reads a set. Bad lines are errors that name file and line; so is a set in which no position is
// left, and the message says where they went.
MUST_CHECK Status mentor_set_load(MentorSet *out, const char *path, const MentorSetOptions *options,
                                  DistPool *pool);
// The same from the files of several mentors. ERR_ARG, with the first difference, where these are
// not the same positions in the same order.
MUST_CHECK Status mentor_set_load_all(MentorSet *out, const char *const *paths, size_t mentors,
                                      const MentorSetOptions *options, DistPool *pool);
void mentor_set_free(MentorSet *set);
// How many positions of a set occur in the other too; both must have kept their keys, or the answer
// is 0.
MUST_CHECK Status mentor_set_count_shared(const MentorSet *set, const MentorSet *other,
                                          size_t *shared);
// Appends how many positions are used, and what became of the others: "90 of 100 positions used, 10
// mates dropped".
void mentor_set_describe(const MentorSet *set, Str *out);

// The counts of one position, as the side to move sees them; in a tapered family two for each
// count, times its shares. Times coefficients they are a score in the family's scale. False where
// one of them needs more than 16 bits.
bool mentor_row(const MentorSetOptions *options, const Position *pos, int16_t *row);
// How many terms a row has: the family's coefficients, and tempo.
size_t mentor_row_terms(const MentorSetOptions *options);
