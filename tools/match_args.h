// SPDX-License-Identifier: GPL-3.0-or-later
// The command line of falconer match, in cutechess's grammar: flags with one dash, each followed by
// words.
#pragma once

#include "match/play/game_text.h"
#include "match/play/runner.h"

typedef struct EngineWords {
    char **words; // borrowed from argv
    int count;
} EngineWords;

// A file that games are written to.
typedef struct MatchFile {
    const char *path; // borrowed; NULL: none
    bool is_replaced; // what is there goes
} MatchFile;

// A line for the user: what a flag does not do here.
typedef struct MatchNote {
    const char *flag, *text;
} MatchNote;
enum { MATCH_NOTES_MAX = 32 };

typedef struct MatchArgs {
    EngineWords *described; // owned; what followed each -engine
    size_t engine_count, engine_capacity;
    EngineWords each;
    EngineSpec *engines; // owned; made of the words by match_args_finish
    const char **names;  // owned; of the engines, all different
    ScheduleKind kind;
    int64_t rounds, games, concurrency, interval, score_interval, cap_s, wait_ms;
    uint64_t seed;
    bool has_openings, has_sprt, trusts_folder;
    bool keeps_colors, reverses_colors;
    bool is_chess960;              // -variant fischerandom
    bool is_quiet;                 // nothing is said of games, only of their result
    bool is_quick;                 // engines have a clock, unless more is said
    bool shows_block, hides_pairs; // fastchess's block of results; no pairs of games in either
    OpeningsConfig openings;
    OpeningPolicy policy;
    SprtConfig sprt;
    AdjudicationRules rules;
    MatchFile pgn, epd;
    GameStyle style; // of the games in `pgn`
    const char *jsonl, *folder, *event, *site;
    MatchNote notes[MATCH_NOTES_MAX];
    size_t note_count;
} MatchArgs;

// What holds where the command line says nothing.
MatchArgs match_args_init(void);
void match_args_deinit(MatchArgs *args);

// Reads flags. Returns ARGS_GO_ON, or the exit code to return at once: help was printed, or the
// usage was wrong and that was said.
int match_args_parse(MatchArgs *args, int count, char **words);
// Makes engines of the words, and checks what belongs together.
MUST_CHECK Status match_args_finish(MatchArgs *args);
// Says what is wrong with a flag ("": with the whole) and where help is; returns EXIT_USAGE.
int match_args_complain(const char *flag, const char *message);

// Appends everything that decides which games are played, one word a line, so that reading the
// words gives the same arguments; below the line `match_args_free_from` what may change from call
// to call. Programs and files are named by a hash of their contents too.
MUST_CHECK Status match_args_write(const MatchArgs *args, Str *out);
extern const char match_args_free_from[];
// Cuts such a text into its words, in place. The list is the caller's to free.
char **match_args_words(char *text, int *count);
