// SPDX-License-Identifier: GPL-3.0-or-later
// What a run evolves, and what it is judged by: the parameters of a family in their boxes, and a
// fitness on training and held-out data. One kind of fitness is one implementation.
#pragma once

#include "dist/pool.h"
#include "dist/service.h"
#include "eval/weights.h"
#include "evolve/encounters.h"
#include "evolve/evolve.h"
#include "match/rating/elo.h"
#include "settings/run_config.h"

typedef enum ProblemSet {
    SET_TRAINING,
    SET_VALIDATION, // set aside from the training set, to choose by
    SET_TEST,
    SET_NB,
} ProblemSet;

// What a fitness is called, and what is reported of a score.
typedef struct ProblemGoal {
    const char *title, *meaning; // of a report, and of the figures in it
    const char *curve;           // the title of the best by generation
    // What is said below it where the mean of a generation tells nothing; else NULL.
    const char *curve_note;
    const char *name, *unit, *short_unit; // "error", "centipawns", "cp"
    double per_position; // times the score, over the positions, is the figure; < 0: less is better
    bool is_in_units;    // scores are in the family's scale, figures in centipawns
    ProblemSet watched;  // the set that is looked at while a run goes on
} ProblemGoal;

// What came of a match, from the first player's view.
typedef struct DuelScore {
    GameCounts games;
    PairCounts pairs;
} DuelScore;

typedef struct Problem Problem;

// What other ranks do to judge with us, where the pool has other ranks.
extern const DistService problem_service;

// Loads the data, and fails with a clear reason where they, the start weights or the limits do not
// fit the family.
MUST_CHECK Status problem_create(Problem **out, const RunConfig *config, DistPool *pool);
void problem_destroy(Problem *problem);
// ERR_ARG where the test set is the training set itself: its error would be no test.
MUST_CHECK Status problem_check_test(const Problem *problem);
CLEANUP_AT(Problem *, problem_destroy)

// The parameters that evolve, fixed ones included; borrowed.
const EvolveSpace *problem_space(const Problem *problem);
const Family *problem_family(const Problem *problem);
// The organisms to start from: the user's weights, or none.
const double *problem_start(const Problem *problem, size_t *count);
// Of each parameter, what matters as much as one unit of any other; NULL where it is not known.
const double *problem_units(const Problem *problem);
// True when each generation is judged on other positions than the last.
bool problem_draws_afresh(const Problem *problem);

// Scores for evolution, higher is better: on this generation's positions, which depend on the seed,
// the run and the generation alone.
MUST_CHECK Status problem_evaluate(Problem *problem, uint32_t run, const EvolveBatch *batch,
                                   int64_t *scores);
// Bytes of what organisms are judged by that are on disk, for memory has no room for them.
uint64_t problem_stored(const Problem *problem);
// True where organisms are judged by games against each other: then there are no sets, and the
// next three can be called.
bool problem_is_games(const Problem *problem);
// What meetings are for: a play-off has openings of its own.
typedef enum PlayPurpose { PLAY_FOR_EVOLUTION, PLAY_FOR_PLAYOFF } PlayPurpose;
// Results of meetings, for algorithms that ask for them, and of play-offs.
MUST_CHECK Status problem_play(Problem *problem, uint32_t run, PlayPurpose purpose,
                               const EvolveBatch *batch, const EvolveMeeting *meetings,
                               size_t count, EvolveResult *results);
// Who met whom in the generation that was judged or met last: each two once. Borrowed.
const Encounter *problem_met(Problem *problem, size_t *count);
// True where organisms that were judged on positions can play: they are searches.
bool problem_can_play(const Problem *problem);
// The same organisms judged by games, all openings being the verdict's; `problem` must outlive it.
MUST_CHECK Status problem_create_players(Problem **out, const Problem *problem,
                                         const RunConfig *config);
// Those that an organism has where nothing is evolved or frozen: the user's, or those set by hand.
const double *problem_start_values(const Problem *problem);
// How many openings a stage of a play-off has: more games of two organisms would be the same again.
size_t problem_playoff_openings(const Problem *problem);
// Plays so many pairs of games, one opening each with both colours, from pair number `first` on:
// the first of `players` against the others in turn. Adds to the score.
MUST_CHECK Status problem_duel(Problem *problem, const EvolveBatch *players, uint64_t first,
                               size_t pairs, DuelScore *score);
// From how many openings: no more pairs than that are independent of each other.
size_t problem_duel_pairs(const Problem *problem);
// Scores on all of a set.
MUST_CHECK Status problem_judge(Problem *problem, ProblemSet set, const double *parameters,
                                size_t count, int64_t *scores);
// Positions of a set, or of one generation's sample (1 for games); 0 where there is no such set.
size_t problem_size(const Problem *problem, ProblemSet set);
size_t problem_sample_size(const Problem *problem);
const ProblemGoal *problem_goal(const Problem *problem);
// That of a kind of fitness, where there is no problem.
const ProblemGoal *problem_goal_of(RunFitness fitness);
// A score over so many positions as a reader wants it: a mean error, or a share in percent.
double problem_figure(const Problem *problem, double score, size_t positions);

// Appends the name of a mentor: that of its training file, without what all such names end in.
void problem_mentor_name(const Problem *problem, size_t mentor, Str *out);
// Weights of an organism, with what a weights file cannot hold (the tempo) as text in the lineage.
void problem_weights(const Problem *problem, const double *parameters, Weights *out);
// What was read: files, hashes, and how many positions were left out for which reason.
void problem_describe(const Problem *problem, ProblemSet set, Str *out);
// A number that differs where data or settings that matter to the result differ.
uint64_t problem_fingerprint(const Problem *problem);
