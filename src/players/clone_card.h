// SPDX-License-Identifier: GPL-3.0-or-later
// Sections of the style card.
#pragma once

#include "players/clone.h"

// "= 0.0123", or "< 0.0001".
typedef struct ChanceText {
    char text[16];
} ChanceText;
ChanceText clone_card_chance(double chance);
// For tables: "0.0123".
ChanceText clone_card_bare_chance(double chance);

// How often moves of each kind are made, and which kinds the clone finds better
// (clone_card_kinds.c).
void clone_card_add_kinds(const Clone *clone, const CloneConfig *config, Report *report);
// Positions with the move played in them, where anything stands.
void clone_card_add_examples(const Clone *clone, const CloneConfig *config, Report *report);
// The weights that stand (clone_card_weights.c).
void clone_card_add_weights(const Clone *clone, const CloneConfig *config, Report *report);
