// SPDX-License-Identifier: GPL-3.0-or-later
// Games as bytes that travel between processes: where one starts, how it may end, and one that was
// played. Reading checks everything: where the bytes are something else, in->failed is set.
#pragma once

#include "base/bytes.h"
#include "match/play/game.h"
#include "match/play/openings.h"

void opening_pack(const Opening *opening, Str *out);
void opening_unpack(ByteReader *in, Opening *out);

void adjudication_pack(const AdjudicationRules *rules, Str *out);
AdjudicationRules adjudication_unpack(ByteReader *in);

void game_record_pack(const GameRecord *record, Str *out);
// Free it with game_record_deinit, whatever came of it.
void game_record_unpack(ByteReader *in, GameRecord *out);
