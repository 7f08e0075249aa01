// SPDX-License-Identifier: GPL-3.0-or-later
// A tournament's folder, which survives the process: `config` says what it is played with,
// `games.jsonl` has a line per game and alone says which games were played, `games.pgn` has the
// games themselves. Both grow in the order of the schedule and are synced every two seconds. A
// process killed at any moment leaves at most the end of one of them half written, and a power cut
// no more than some seconds unwritten: that is cut off at the next start, and nothing else is.
#pragma once

#include "match/play/game_text.h"
#include "match/play/runner.h"

typedef struct Tournament Tournament;

// The names of the files in its folder, `config` first; NULL at the end.
extern const char *const tournament_files[];

// True when the folder holds a tournament.
bool tournament_exists(const char *directory);
// Appends the text of its `config`.
MUST_CHECK Status tournament_read_config(const char *directory, Str *out);

// Opens the folder, or begins it with `config`, and holds it for this process. Of a folder that was
// begun before, all lines of `config` must be as they are now, but for those after the line
// `free_from`, which are written down anew; ERR_ARG names the first that is not.
MUST_CHECK Status tournament_open(Tournament **out, const char *directory, const char *config,
                                  const char *free_from);
// Takes the games that were played into a match that has none yet. `names` are its engines', `lost`
// is how many games a power cut has taken from games.pgn, which are to be played again. ERR_PARSE
// where files do not belong together; both then stay as they are.
MUST_CHECK Status tournament_recall(Tournament *tournament, Match *match, const char *const *names,
                                    uint64_t *lost);
// Writes a game down: it is out of our hands when this returns.
MUST_CHECK Status tournament_add(Tournament *tournament, const GameRecord *record,
                                 const MatchGame *game, const GameNames *names);
// Brings everything to the disk itself. NULL is fine.
MUST_CHECK Status tournament_close(Tournament *tournament);
