// SPDX-License-Identifier: GPL-3.0-or-later
// A clone: an organism learned from one person's moves, beside a generic one learned in the same
// way from as many moves of others, and what tells the two apart.
#pragma once

#include "chess/phase.h"
#include "chess/polyglot.h"
#include "data/player_moves/player_moves.h"
#include "data/rating_list.h"
#include "dist/pool.h"
#include "eval/weights.h"
#include "fitness/moves/forest_rules.h"
#include "fitness/moves/leaves.h"
#include "fitness/moves/played_set.h"
#include "players/chance.h"
#include "players/move_traits.h"
#include "report/report.h"

// --- the data (clone_data.c) ---

// Positions of one person, and as many of others, each with the move that was played: what a clone
// is learned from and judged on, whole events or years apart.
typedef enum CloneWho { WHO_PERSON, WHO_OTHERS, WHO_NB } CloneWho;
typedef enum ClonePart { PART_TRAINING, PART_HELD_OUT, PART_NB } ClonePart;

typedef struct CloneSource {
    const char *player; // spellings with ';' between, as player_games_read takes them
    const char *const *paths;
    size_t path_count;
    PlayerSplit split;
    double hold_out; // the share of events or years
    uint64_t seed;
    unsigned skip_plies;
    size_t min_games;          // of the person, to learn from
    size_t positions;          // at most so many to learn from, chosen at random; 0: all
    size_t judged;             // and so many to be judged by; 0: all that are held out
    const RatingList *ratings; // of others; NULL: those of the tags alone
    int min_elo;               // of others; 0: any
    int threads;
} CloneSource;

// One of the games, for who shows its positions.
typedef struct CloneGame {
    char *opponent; // owned
    Color side;
    int year; // 0 where it is unknown
} CloneGame;

// Positions in the order of games. A group is what is held out together.
typedef struct CloneSet {
    PlayedSet played;
    CloneGame *from;          // game_count of them
    uint32_t *games, *groups; // of each position, counted from 0
    uint16_t *plies;
    size_t game_count, group_count;
    size_t all_positions; // that the games have, of which `played` holds some
} CloneSet;

typedef struct CloneData {
    CloneSet sets[WHO_NB][PART_NB];
    int first_year, last_year; // of the person's games; 0 where unknown
    PlayerGamesTotals totals;  // of the pass that looked for the person
    PolyglotEntry *book;       // the person's opening moves, of all games
    size_t book_count;
} CloneData;

// Reads the games. ERR_ARG, with the count and names that are like the one asked for, where the
// person has too few; also where nothing is held out, or there are no games of others to compare
// with.
MUST_CHECK Status clone_data_load(CloneData *out, const CloneSource *source);
void clone_data_free(CloneData *data);

// The set as EPD: `sm` the move, `id` the game and the ply.
void clone_set_write(const CloneSet *set, Str *out);

// --- the fit (clone_fit.c) ---

// Weights that make the moves of a set likely, without going further from where they start than the
// moves ask for; and how much they vary from one draw of the games to the next.
typedef struct CloneFitConfig {
    const Weights *start;
    ForestRules rules;
    double temperature_cp; // of the softmax
    unsigned rounds;       // leaves are found anew in each
    unsigned steps;        // of each descent
    unsigned runs;         // draws of the games, for the spread
    uint64_t seed;
} CloneFitConfig;

// How far weights are expected to leave the start, in centipawns: what validation chooses from.
enum { CLONE_LEASHES = 5 };
extern const double clone_leashes_cp[CLONE_LEASHES];

typedef struct CloneFit {
    double *values;     // one per weight, before rounding
    double *deviations; // over the draws
    double *reach; // by how much moves change what each weight is multiplied with, where they do
    uint64_t hits; // of the moves learned from, by the rounded weights
} CloneFit;

// Fits both sets in the same way. Leash and losses: `losses` becomes the mean surprise of both on
// games held back from the descent, `*leash` the index of the least. ERR_ARG for a family that is
// not linear in its weights. Same for any number of threads. `out` is to be freed also on failure.
MUST_CHECK Status clone_fit(const CloneFitConfig *config, const CloneSet *const sets[WHO_NB],
                            DistPool *pool, CloneFit out[WHO_NB], double losses[CLONE_LEASHES],
                            unsigned *leash);
void clone_fit_free(CloneFit *fit);

// The fitted values, rounded: members of the start's family.
void clone_fit_weights(const CloneFit *fit, const Weights *start, Weights *out);

// --- the judgement (clone_judge.c) ---

// How often two organisms choose the moves of held-out games, how likely they find them, and which
// kinds of moves are made more often than the second one expects.
// The organism that was learned from the person, and the one learned from others.
typedef enum CloneModel { MODEL_CLONE, MODEL_GENERIC, MODEL_NB } CloneModel;

typedef struct CloneJudging {
    const Weights *models[MODEL_NB]; // of one family
    ForestRules rules;
    double temperature_cp;
    bool weights_stand; // at least one differs by more than chance explains
} CloneJudging;

// A figure of both models on the person's moves. An organism may be the better one for everybody's
// moves, by the luck of what it learned from: only what its lead on the person's moves is more than
// that on others' is the person's.
typedef struct CloneFigure {
    uint64_t positions;
    GroupedMean models[MODEL_NB], difference;
    GroupedMean of_others; // the difference on their moves
    double chance;         // that the two differences are the same
    bool stands;
} CloneFigure;

// Moves of one kind.
typedef struct CloneKind {
    CloneFigure match;     // where such a move was played
    GroupedMean made;      // the share of moves that are such
    GroupedMean surplus;   // made, less what the generic organism's softmax expects
    GroupedMean of_others; // the same surplus of others
    double chance;         // that the two are the same
    bool stands;
} CloneKind;

// A position in which the person's organism chooses the move that was played, the others' another.
typedef struct CloneExample {
    size_t position; // of the person's held-out set
    Move usual;      // what the generic organism chooses
    MoveTrait trait; // what the move is an example of; TRAIT_NB: of the weights
} CloneExample;

enum { CLONE_EXAMPLES = 3 };

typedef struct CloneVerdict {
    CloneFigure match;      // shares of moves chosen
    CloneFigure likelihood; // mean logarithms of the probability of the moves played
    CloneFigure phases[PHASE_NB];
    CloneKind kinds[TRAIT_NB];
    CloneExample examples[CLONE_EXAMPLES]; // none where nothing stands
    size_t example_count;
} CloneVerdict;

// A finding stands where chance explains it at most once in twenty cards, all of its table asked at
// once (Holm), and where it is large enough to mean something: a kind of moves made a tenth more or
// less often, a weight that makes moves a tenth more or less likely, a hundredth more moves found.
extern const double clone_level, clone_least_ratio, clone_least_found;

// What share of moves others would make of the kind, in the person's positions.
double clone_kind_usual(const CloneKind *kind);

// The same for any number of threads.
MUST_CHECK Status clone_judge(const CloneJudging *judging, const CloneSet *person,
                              const CloneSet *others, DistPool *pool, CloneVerdict *out);

// --- the clone ---

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
// By how many centipawns the difference changes the score of a move that the weight has to do with.
double clone_weight_effect_cp(const Clone *clone, const CloneConfig *config, size_t term);
// Which differences of weights stand: one for each.
void clone_weights_stand(const Clone *clone, const CloneConfig *config, bool *stands);

// The style card. The caller destroys it.
Report *clone_card(const Clone *clone, const CloneConfig *config);
// For machines: one JSON object.
void clone_write_json(const Clone *clone, const CloneConfig *config, Str *out);
// The names of the files that are written: card.txt, card.html, results.json, clone.weights,
// generic.weights, training.epd, held-out.epd and, where the person played a move of the opening
// twice, clone.bin, a book; and play.html, which is left to the caller. NULL at the end.
extern const char *const clone_files[];
// Writes all but the last into a folder, which is made where it is missing.
MUST_CHECK Status clone_write_files(const Clone *clone, const CloneConfig *config,
                                    const char *directory);
// To be asked before the work: ERR_ARG where the folder holds any of those files.
MUST_CHECK Status clone_check_folder(const char *directory);
