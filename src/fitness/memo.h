// SPDX-License-Identifier: GPL-3.0-or-later
// Organisms that were judged and their scores: where every generation is judged on the same
// positions, those that come again, and copies within a batch, need not be judged twice. The
// oldest are forgotten, so that memory stays within some tens of MB.
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef struct Memo Memo;

Memo *memo_create(size_t width);
void memo_destroy(Memo *memo);
// Finds out which of a batch must be judged. Returns how many those are: their rows are in `fresh`,
// in order, and stay the caller's to read until the next call.
size_t memo_sift(Memo *memo, const double *organisms, size_t count, const uint32_t **fresh);
// Takes the scores of those, and fills in everybody's.
void memo_fill(Memo *memo, const int64_t *fresh_scores, int64_t *scores);
// Forgets everybody: instead of memo_fill, where those could not be judged.
void memo_forget(Memo *memo);
