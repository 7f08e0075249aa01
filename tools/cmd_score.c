// SPDX-License-Identifier: GPL-3.0-or-later
// falconer score: how far weights are from a mentor's scores, or how often they choose the move
// that was played.
#include "base/locate.h"
#include "base/mem.h"
#include "base/moments.h"
#include "eval/weights.h"
#include "fitness/linear/mentor.h"
#include "fitness/linear/mentor_set.h"
#include "fitness/moves/move_match.h"
#include "tools/args.h"
#include "tools/commands.h"
#include "tools/mentor_args.h"
#include "tools/print.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct ScoreArgs {
    ArgStrings weights, data;
    MentorArgs mentor;
    int tempo, threads;
    int depth; // -1: not said
    bool moves;
    const char *quiescence, *train;
    ForestRules rules; // of depth and quiescence
} ScoreArgs;

#define FIELD(name) offsetof(ScoreArgs, name)
static const ArgOption options[] = {
    {"weights", 'w', "FILE", ARG_INPUTS, FIELD(weights), 0, 0,
     "weights to judge; may be repeated (default: Eyas's own)"},
    {"data", 'd', "FILE", ARG_INPUTS, FIELD(data), 0, 0, "labelled set; may be repeated"},
    {"tempo", 0, "CP", ARG_INT, FIELD(tempo), -1000, 1000,
     "added to each score for the side to move"},
    MENTOR_OPTIONS(ScoreArgs, mentor),
    {"moves", 'm', NULL, ARG_FLAG, FIELD(moves), 0, 0,
     "how often the move that was played (sm) is chosen at one ply, by the weights and, where "
     "the set has them, by an engine's predictions (pm)"},
    {"quiescence", 0, "WHAT", ARG_STRING, FIELD(quiescence), 0, 0,
     "with --moves: none, captures or checks (default: captures)"},
    {"depth", 0, "N", ARG_INT, FIELD(depth), 0, 30,
     "with --moves: plies of quiescence at most (default: 6)"},
    {"train", 0, "FILE", ARG_INPUT, FIELD(train), 0, 0,
     "with --moves: the set the weights were trained on; positions that occur in it are told "
     "apart"},
    {"threads", 't', "N", ARG_INT, FIELD(threads), 1, 1024,
     "threads to use (default: one for each core)"},
};
static const ArgSpec spec = {
    .program = "falconer score",
    .summary =
        "The mean absolute error of weights on labelled positions, in centipawns, with a 95%\n"
        "confidence interval; or, with --moves, how often they choose the move that was "
        "played.",
    .example = "falconer score --weights maestro-hand.weights --data mentor-test.toga2.epd.zst",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .finds_files = true,
};

static int complain(void) {
    print_failure("falconer score");
    return EXIT_FAILED;
}

static void print_score(const MentorSet *set, const Weights *weights, const ScoreArgs *args,
                        const char *data, const char *name) {
    int coefficients[COEFFICIENTS_MAX + 1];
    const size_t count = set->matrix.count;
    int32_t *residuals = mem_alloc((count + 1) * sizeof *residuals);
    const int scale = weights->family->scale;
    weights->family->expand(weights->parameters, coefficients);
    coefficients[weights->family->coefficient_count] = args->tempo * weights->family->unit;
    mentor_residuals(&set->matrix, coefficients, residuals);
    Moments errors = {0}, bias = {0};
    for (size_t i = 0; i < count; i++) {
        const int32_t label = set->matrix.labels[i];
        const int score = family_limited(weights->family, label - residuals[i]);
        const double residual = (double)(label - score) / scale;
        moments_add(&errors, fabs(residual));
        moments_add(&bias, residual);
    }
    print_out("%s on %s: error %.2f +- %.2f centipawns over %zu positions (bias %+.2f)\n", name,
              data, errors.mean, moments_half_width(&errors), count, bias.mean);
    free(residuals);
}

static void print_totals(const MentorSet *set, const char *data) {
    Str text = {0};
    mentor_set_describe(set, &text);
    print_out("%s: %s\n", data, str_text(&text));
    str_free(&text);
}

// One set, read once for each family among the weights.
static Status score_set(const ScoreArgs *args, const char *data, const Weights *weights,
                        DistPool *pool) {
    const Family *loaded = NULL;
    MentorSet set;
    Status status = OK;
    Str path = {0};
    const size_t count = args->weights.count > 0 ? args->weights.count : 1;
    status = locate("data", data, &path);
    for (size_t i = 0; i < count && status == OK; i++) {
        if (loaded != weights[i].family) {
            if (loaded != NULL)
                mentor_set_free(&set);
            loaded = NULL;
            const MentorSetOptions set_options =
                mentor_args_options(&args->mentor, weights[i].family, true);
            status = mentor_set_load(&set, str_text(&path), &set_options, pool);
            if (status != OK)
                break;
            loaded = weights[i].family;
            print_totals(&set, data);
        }
        print_score(&set, &weights[i], args, data,
                    args->weights.count > 0 ? args->weights.items[i] : "Fig. 3");
    }
    if (loaded != NULL)
        mentor_set_free(&set);
    str_free(&path);
    return status;
}

// --- moves ---

static void print_part(const char *name, const MatchCount *count) {
    if (count->positions > 0)
        print_out("  %-12s %6.2f +- %.2f%% of %" PRIu64 "\n", name, move_match_rate(count),
                  move_match_half_width(count), count->positions);
}

static void print_match(const MoveMatch *match, const char *name, const char *data) {
    print_out("%s on %s: %.2f +- %.2f%% of %" PRIu64 " moves", name, data,
              move_match_rate(&match->all), move_match_half_width(&match->all),
              match->all.positions);
    if (!isnan(match->mean_rank))
        print_out(", mean rank %.2f, %" PRIu64 " ties for the best", match->mean_rank, match->ties);
    print_out("\n");
    if (match->shared.positions > 0) {
        print_part("in training", &match->shared);
        print_part("not in it", &match->unshared);
    }
    for (int phase = 0; phase < PHASE_NB; phase++)
        print_part(phase_names[phase], &match->phases[phase]);
    for (int kind = 0; kind < CLASS_NB; kind++)
        print_part(move_class_names[kind], &match->classes[kind]);
}

static int parse_rules(ScoreArgs *args) {
    int name = QUIESCENCE_CAPTURES;
    if (args->quiescence != NULL) {
        name = 0;
        while (quiescence_names[name] != NULL &&
               strcmp(args->quiescence, quiescence_names[name]) != 0)
            name++;
        if (quiescence_names[name] == NULL)
            return args_complain(&spec, "--quiescence must be none, captures or checks, not '%s'",
                                 args->quiescence);
    }
    args->rules = FOREST_RULES_DEFAULT;
    args->rules.quiescence = (ForestQuiescence)name;
    if (args->depth >= 0)
        args->rules.depth = (unsigned)args->depth;
    return ARGS_GO_ON;
}

// Says how many positions of the set were learned from, and marks them.
static Status compare_sets(PlayedSet *set, const char *train) {
    PlayedSet training;
    size_t shared;
    Str path = {0};
    Status status = locate("data", train, &path);
    if (status == OK)
        status = played_set_load(&training, str_text(&path));
    str_free(&path);
    if (status != OK)
        return status;
    status = played_set_compare(set, &training, &shared);
    if (status == OK)
        print_out("%zu of them occur in %s too\n", shared, train);
    played_set_free(&training);
    return status;
}

static Status score_moves(const ScoreArgs *args, const char *data, const Weights *weights,
                          DistPool *pool) {
    PlayedSet set;
    MoveMatch match;
    Str path = {0};
    const size_t count = args->weights.count > 0 ? args->weights.count : 1;
    Status status = locate("data", data, &path);
    if (status == OK)
        status = played_set_load(&set, str_text(&path));
    str_free(&path);
    if (status != OK)
        return status;
    print_out("%s: %" PRIu64 " positions, %" PRIu64 " with one legal move left out\n", data,
              set.totals.lines, set.totals.forced);
    if (args->train != NULL)
        status = compare_sets(&set, args->train);
    for (size_t i = 0; i < count && status == OK; i++) {
        status = move_match_weights(&set, &weights[i], &args->rules, pool, &match);
        if (status == OK)
            print_match(&match, args->weights.count > 0 ? args->weights.items[i] : "Fig. 3", data);
    }
    if (status == OK && set.totals.predicted > 0) {
        move_match_predictions(&set, &match);
        print_match(&match, "the predictions", data);
    }
    played_set_free(&set);
    return status;
}

static Status load_weights(const ScoreArgs *args, Weights *weights, size_t *count) {
    *count = 0;
    if (args->weights.count == 0) {
        const Status status = weights_load_default(&weights[0]);
        *count = status == OK;
        return status;
    }
    for (size_t i = 0; i < args->weights.count; i++) {
        const Status status = weights_load(&weights[i], args->weights.items[i]);
        if (status != OK)
            return status;
        *count = i + 1;
    }
    return OK;
}

static int score_all(const ScoreArgs *args) {
    Weights *weights = mem_alloc_zero(args->weights.count + 1, sizeof *weights);
    size_t count;
    DistPool *pool = dist_pool_new(args->threads > 0 ? args->threads : dist_cores());
    Status status = load_weights(args, weights, &count);
    for (size_t i = 0; i < args->data.count && status == OK; i++)
        status = args->moves ? score_moves(args, args->data.items[i], weights, pool)
                             : score_set(args, args->data.items[i], weights, pool);
    for (size_t i = 0; i < count; i++)
        weights_free(&weights[i]);
    free(weights);
    dist_pool_free(pool);
    return status == OK ? EXIT_DONE : complain();
}

// Moves and scores are asked for in different ways: who mixes them would get something else.
static int check_args(const ScoreArgs *args) {
    const MentorArgs *mentor = &args->mentor;
    const bool has_rules = args->quiescence != NULL || args->depth >= 0 || args->train != NULL;
    const bool has_labels = args->tempo != 0 || mentor->quiet_only || mentor->clamp != 0 ||
                            mentor->beyond != NULL || mentor->mates != NULL;
    if (args->data.count == 0)
        return args_complain(&spec, "--data is needed");
    if (has_rules && !args->moves)
        return args_complain(&spec, "--quiescence, --depth and --train go with --moves");
    if (has_labels && args->moves)
        return args_complain(&spec, "--moves looks at no scores: leave out --tempo, --quiet-only, "
                                    "--clamp, --beyond and --mates");
    return mentor_args_check(mentor, &spec);
}

int cmd_score(int argc, char **argv) {
    ScoreArgs args = {.depth = -1};
    int exit_code = args_parse(&spec, argc, argv, &args, NULL);
    chess_init();
    if (exit_code == ARGS_GO_ON)
        exit_code = check_args(&args);
    if (exit_code == ARGS_GO_ON)
        exit_code = parse_rules(&args);
    if (exit_code == ARGS_GO_ON)
        exit_code = score_all(&args);
    arg_strings_free(&args.weights);
    arg_strings_free(&args.data);
    return exit_code;
}
