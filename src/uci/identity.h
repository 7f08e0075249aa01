// SPDX-License-Identifier: GPL-3.0-or-later
// Whose weights the engine plays with, for its name, and the book that belongs to them.
#pragma once

#include "eval/weights.h"

// Appends the player's family name where the file says whose moves the weights were learned from,
// else the file's name; nothing for the built-in weights (path ""), wherever they were read.
void identity_of_weights(const Weights *weights, const char *path, Str *out);

// The book beside a weights file: "tal.weights" has "tal.bin". False where there is none.
bool identity_find_book(const char *weights_path, Str *out);
