// SPDX-License-Identifier: GPL-3.0-or-later
// A position in 32 bytes, for keeping many.
#pragma once

#include "chess/position.h"

typedef struct PackedPosition {
    uint64_t occupied;
    uint8_t pieces[16]; // four bits for each, in the order of squares
    uint16_t halfmove, fullmove;
    uint16_t castling_files;
    uint8_t turn_and_castling, ep; // turn << 4 | castling
} PackedPosition;

PackedPosition position_pack(const Position *pos);
void position_unpack(const PackedPosition *packed, Position *out);
