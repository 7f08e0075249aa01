// SPDX-License-Identifier: GPL-3.0-or-later
// games.jsonl: a line for every game of a run, in order, and the only state that a run has. A run
// that goes on takes its first games from here instead of playing them. How long it has taken is
// apart, in timings.csv: games.jsonl is the same for every run of the same settings.
#pragma once

#include "base/journal.h"
#include "match/play/game.h"

typedef enum TuneStage { TUNE_RACE, TUNE_VERDICT, TUNE_CONFIRMATION, TUNE_STAGE_NB } TuneStage;

// What a game is, before it is played.
typedef struct TuneGame {
    TuneStage stage;
    uint64_t batch, index; // index: within its batch
    uint64_t opening;
    const char *white, *black; // values of the options, separated by blanks
} TuneGame;

typedef struct TuneLog {
    Journal games, timings;
    Str text;    // whole lines that were there at the beginning
    size_t read; // of it
    uint64_t line;
    Str rest; // what was there behind them, until the next game is added
} TuneLog;

#define TUNE_LOG_NONE                                                                              \
    { .games = JOURNAL_NONE, .timings = JOURNAL_NONE }

// Opens DIR/games.jsonl and DIR/timings.csv, whose last line tells how long the run has taken so
// far; 0 without one. Close it whatever came of it.
MUST_CHECK Status tune_log_open(TuneLog *log, const char *directory, double *race_s,
                                double *verdict_s);
void tune_log_close(TuneLog *log);

// True while there are games to be taken, with the stage of the next one.
bool tune_log_has_next(const TuneLog *log, TuneStage *stage);
// Takes the next game, which must be this one: how many half points White made.
MUST_CHECK Status tune_log_take(TuneLog *log, const TuneGame *game, int *points, Fault *fault);
// Appends a game that was played, in place of what a killed process wrote of it; ERR_PARSE where
// something else is at the end of the file.
MUST_CHECK Status tune_log_add(TuneLog *log, const TuneGame *game, const GameRecord *record);
// Brings everything to the disk itself.
MUST_CHECK Status tune_log_sync(TuneLog *log);
MUST_CHECK Status tune_log_add_times(TuneLog *log, double race_s, double verdict_s);
