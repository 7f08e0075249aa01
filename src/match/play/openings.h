// SPDX-License-Identifier: GPL-3.0-or-later
// What games start from: positions of an EPD file, the first moves of games in PGN, moves drawn
// from a Polyglot book, or the start positions of Chess960.
#pragma once

#include "base/error.h"
#include "chess/position.h"

typedef struct Openings Openings;

typedef enum OpeningsFormat {
    OPENINGS_EPD,
    OPENINGS_PGN,
    OPENINGS_BOOK, // Polyglot's .bin
    OPENINGS_960,  // no file: all 960 start positions, by their numbers
    OPENINGS_DFRC, // no file: a number for each side, those of Black change fastest
    OPENINGS_FORMAT_NB,
} OpeningsFormat;

// As the command line spells them.
extern const char *const openings_format_names[OPENINGS_FORMAT_NB];

enum { OPENING_PLIES_MAX = 1024 };

// Whether a format needs no file.
static inline bool openings_are_arrays(OpeningsFormat format) {
    return format == OPENINGS_960 || format == OPENINGS_DFRC;
}

typedef struct OpeningsConfig {
    const char *path; // borrowed; NULL where the format needs none
    OpeningsFormat format;
    int plies;      // of a game or book, at the most
    bool is_random; // in an order that depends on the seed alone; a book's moves are always drawn
    uint64_t seed, first; // begins with the opening of that number, from 0
} OpeningsConfig;

// A start position and the moves already made from it.
typedef struct Opening {
    Position start;
    Move moves[OPENING_PLIES_MAX];
    size_t count;
} Opening;

// The format that a file's name tells: .pgn, .bin, also packed (.pgn.zst); else EPD.
OpeningsFormat openings_guess_format(const char *path);

// Lists start positions, or reads an EPD (or FEN) file, where blank lines and lines that begin with
// # are passed over; a PGN file; or a book. A bad line or game, or a position in which the game is
// over, is an error that names file and line or game.
MUST_CHECK Status openings_load(Openings **out, const OpeningsConfig *config);
// NULL is fine.
void openings_free(Openings *openings);
CLEANUP_AT(Openings *, openings_free)
// Whether there is a book, or a list of at least one.
bool openings_are_valid(const Openings *openings);
// How many there are; 0 for a book, which always has one more.
size_t openings_count(const Openings *openings);
// The opening of that number; after the last comes the first again. A pure function, for any
// thread.
void openings_at(const Openings *openings, uint64_t index, Opening *out);
// The position that it leads to.
Position openings_position(const Openings *openings, uint64_t index);
