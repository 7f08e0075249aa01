// SPDX-License-Identifier: GPL-3.0-or-later
// A clone: an organism learned from one person's moves, beside a generic one learned in the same
// way from as many moves of others, and what tells the two apart.
#pragma once

#include "players/clone_fit.h"
#include "players/clone_judge.h"
#include "report/report.h"

typedef struct CloneConfig {
    CloneSource source;
    CloneFitConfig fit;
    const char *start_name; // of the start weights, for the reader
    const char *command;    // likewise
    DistPool *pool;
    void (*tell)(const char *text); // what is being done; may be NULL
} CloneConfig;

typedef struct Clone {
    CloneData data;
    CloneFit fits[MODEL_NB];
    Weights weights[MODEL_NB];
    double losses[CLONE_LEASHES]; // mean surprise on games held back, for each leash
    unsigned leash;               // that was taken
    CloneVerdict verdict;         // on the person's held-out games
} Clone;

MUST_CHECK Status clone_make(Clone **out, const CloneConfig *config);
void clone_destroy(Clone *clone);
CLEANUP_AT(Clone *, clone_destroy)

// How far the weight is apart in the two organisms, in standard deviations over the draws, and how
// likely chance makes that.
double clone_weight_deviations(const Clone *clone, size_t term);
double clone_weight_chance(const Clone *clone, const CloneConfig *config, size_t term);

// The style card. The caller destroys it.
Report *clone_card(const Clone *clone, const CloneConfig *config);
// For machines: one JSON object.
void clone_write_json(const Clone *clone, const CloneConfig *config, Str *out);
// The names of the files that are written: card.txt, card.html, results.json, clone.weights,
// generic.weights, training.epd and held-out.epd; NULL at the end.
extern const char *const clone_files[];
// Writes them into a folder, which is made where it is missing.
MUST_CHECK Status clone_write_files(const Clone *clone, const CloneConfig *config,
                                    const char *directory);
// To be asked before the work: ERR_ARG where the folder holds any of those files.
MUST_CHECK Status clone_check_folder(const char *directory);
