// SPDX-License-Identifier: GPL-3.0-or-later
// falconer score: how far weights are from a mentor's scores, or how often they choose the move
// that was played.
#include "base/file.h"
#include "base/json.h"
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
    const char *quiescence, *train, *jsonl;
    ForestRules rules; // of depth and quiescence
} ScoreArgs;

#define ARGS ScoreArgs
static const ArgOption options[] = {
    ARG("weights", 'w', "FILE", INPUTS, weights,
        "weights to judge; may be repeated (default: Eyas's own)"),
    ARG("data", 'd', "FILE", INPUTS, data, "labelled set; may be repeated"),
    ARG_RANGE("tempo", 0, "CP", INT, tempo, -1000, 1000,
              "added to each score for the side to move"),
    MENTOR_OPTIONS(mentor),
    ARG_SWITCH("moves", 'm', moves,
               "how often the move that was played (sm) is chosen at one ply, by the weights and, "
               "where the set has them, by an engine's predictions (pm)"),
    ARG("quiescence", 0, "WHAT", STRING, quiescence,
        "with --moves: none, captures or checks (default: captures)"),
    ARG_RANGE("depth", 0, "N", INT, depth, 0, 30,
              "with --moves: plies of quiescence at most (default: 6)"),
    ARG("train", 0, "FILE", INPUT, train,
        "with --moves: the set the weights were trained on; positions that occur in it are told "
        "apart"),
    ARG("jsonl", 0, "FILE", OUTPUT, jsonl,
        "write the figures there too: a JSON object for each weights file and set"),
    ARG_THREADS,
};
static const ArgSpec spec = {
    .program = "falconer score",
    .summary =
        "The mean absolute error of weights on labelled positions, in centipawns, with a 95%\n"
        "confidence interval; or, with --moves, how often they choose the move that was "
        "played.",
    .example = "falconer score --weights maestro-hand.weights --data mentor-test.toga2.epd.zst",
    ARG_TABLE(options),
    .finds_files = true,
};

static int complain(void) {
    print_failure("falconer score");
    return EXIT_FAILED;
}

// What is being scored, and what goes to the file for machines.
typedef struct Scoring {
    const ScoreArgs *args;
    const char *data; // the set as the user named it
    Weights *weights; // owned
    size_t count;
    DistPool *pool;
    Str lines;
} Scoring;

static const char *name_of(const Scoring *scoring, size_t i) {
    return scoring->args->weights.count > 0 ? scoring->args->weights.items[i]
                                            : "the built-in weights (falcon.weights)";
}

// Begins a line of the file: {"data":"...","kind":"weights","weights":"..."
static void begin_line(Scoring *scoring, const char *kind, const char *weights) {
    str_add(&scoring->lines, "{\"data\":");
    json_add_string(&scoring->lines, scoring->data);
    str_addf(&scoring->lines, ",\"kind\":\"%s\"", kind);
    if (weights != NULL) {
        str_add(&scoring->lines, ",\"weights\":");
        json_add_string(&scoring->lines, weights);
    }
}

static void score_weights(Scoring *scoring, const MentorSet *set, size_t index) {
    const Weights *weights = &scoring->weights[index];
    int coefficients[COEFFICIENTS_MAX + 1];
    const size_t count = set->matrix.count;
    CLEANUP(mem_free_at) int32_t *residuals = mem_alloc((count + 1) * sizeof *residuals);
    const int scale = weights->family->scale;
    family_expand(weights->family, weights->parameters, coefficients);
    coefficients[weights->family->coefficient_count] = scoring->args->tempo * weights->family->unit;
    mentor_residuals(&set->matrix, coefficients, residuals);
    Moments errors = {0}, bias = {0};
    for (size_t i = 0; i < count; i++) {
        const int32_t label = set->matrix.labels[i];
        const int score = family_limited(weights->family, label - residuals[i]);
        const double residual = (double)(label - score) / scale;
        moments_add(&errors, fabs(residual));
        moments_add(&bias, residual);
    }
    print_out("%s on %s: error %.2f +- %.2f centipawns over %zu position%s (bias %+.2f)\n",
              name_of(scoring, index), scoring->data, errors.mean, moments_half_width(&errors),
              count, str_plural(count), bias.mean);
    begin_line(scoring, "weights", name_of(scoring, index));
    str_addf(&scoring->lines, ",\"error\":%.2f,\"margin\":%.2f,\"bias\":%.2f,\"positions\":%zu}\n",
             errors.mean, moments_half_width(&errors), bias.mean, count);
}

static void print_totals(const MentorSet *set, const char *data) {
    CLEANUP(str_free) Str text = {0};
    mentor_set_describe(set, &text);
    print_out("%s: %s\n", data, str_text(&text));
}

// Scores the weights of one family, beginning at `first`, up to the next family.
static Status score_family(Scoring *scoring, const char *path, size_t first, size_t *next) {
    const Family *const family = scoring->weights[first].family;
    const MentorSetOptions set_options = mentor_args_options(&scoring->args->mentor, family, true);
    CLEANUP(mentor_set_free) MentorSet set = {0};
    TRY(mentor_set_load(&set, path, &set_options, scoring->pool));
    print_totals(&set, scoring->data);
    for (*next = first; *next < scoring->count && scoring->weights[*next].family == family; ++*next)
        score_weights(scoring, &set, *next);
    return OK;
}

// One set, read once for each family among the weights.
static Status score_set(Scoring *scoring) {
    CLEANUP(str_free) Str path = {0};
    TRY(locate("data", scoring->data, &path));
    for (size_t i = 0; i < scoring->count;)
        TRY(score_family(scoring, str_text(&path), i, &i));
    return OK;
}

// --- moves ---

static void print_part(const char *name, const MatchCount *count) {
    if (count->positions > 0)
        print_out("  %-12s %6.2f +- %.2f%% of %" PRIu64 "\n", name, move_match_rate(count),
                  move_match_half_width(count), count->positions);
}

static void report_match(Scoring *scoring, const MoveMatch *match, const char *kind,
                         const char *name) {
    print_out("%s on %s: %.2f +- %.2f%% of %" PRIu64 " move%s", name, scoring->data,
              move_match_rate(&match->all), move_match_half_width(&match->all),
              match->all.positions, str_plural(match->all.positions));
    if (!isnan(match->mean_rank))
        print_out(", mean rank %.2f, %" PRIu64 " ties for the best", match->mean_rank, match->ties);
    print_out("\n");
    if (match->shared.positions > 0) {
        print_part("in training", &match->shared);
        print_part("not in it", &match->unshared);
    }
    for (int phase = 0; phase < PHASE_NB; phase++)
        print_part(phase_names[phase], &match->phases[phase]);
    for (int class = 0; class < CLASS_NB; class ++)
        print_part(move_class_names[class], &match->classes[class]);
    begin_line(scoring, kind, strcmp(kind, "weights") == 0 ? name : NULL);
    str_addf(&scoring->lines, ",\"match\":%.2f,\"margin\":%.2f,\"moves\":%" PRIu64 "}\n",
             move_match_rate(&match->all), move_match_half_width(&match->all),
             match->all.positions);
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
    CLEANUP(played_set_free) PlayedSet training = {0};
    CLEANUP(str_free) Str path = {0};
    size_t shared;
    TRY(locate("data", train, &path));
    TRY(played_set_load(&training, str_text(&path)));
    TRY(played_set_compare(set, &training, &shared));
    print_out("%zu of them occur in %s too\n", shared, train);
    return OK;
}

static Status score_moves(Scoring *scoring) {
    CLEANUP(played_set_free) PlayedSet set = {0};
    CLEANUP(str_free) Str path = {0};
    MoveMatch match;
    TRY(locate("data", scoring->data, &path));
    TRY(played_set_load(&set, str_text(&path)));
    print_out("%s: %" PRIu64 " position%s, %" PRIu64 " with one legal move left out\n",
              scoring->data, set.totals.lines, str_plural(set.totals.lines), set.totals.forced);
    if (scoring->args->train != NULL)
        TRY(compare_sets(&set, scoring->args->train));
    for (size_t i = 0; i < scoring->count; i++) {
        TRY(move_match_weights(&set, &scoring->weights[i], &scoring->args->rules, scoring->pool,
                               &match));
        report_match(scoring, &match, "weights", name_of(scoring, i));
    }
    if (set.totals.predicted > 0) {
        move_match_predictions(&set, &match);
        report_match(scoring, &match, "predictions", "the predictions");
    }
    return OK;
}

static Status load_weights(Scoring *scoring) {
    const ArgStrings *files = &scoring->args->weights;
    scoring->weights = mem_alloc_zero(files->count + 1, sizeof *scoring->weights);
    if (files->count == 0)
        TRY(weights_load_default(&scoring->weights[scoring->count++]));
    for (; scoring->count < files->count; scoring->count++)
        TRY(weights_load(&scoring->weights[scoring->count], files->items[scoring->count]));
    return OK;
}

static void scoring_free(Scoring *scoring) {
    for (size_t i = 0; i < scoring->count; i++)
        weights_free(&scoring->weights[i]);
    free(scoring->weights);
    dist_pool_free(scoring->pool);
    str_free(&scoring->lines);
}

static Status score_all(const ScoreArgs *args) {
    CLEANUP(scoring_free)
    Scoring scoring = {.args = args,
                       .pool = dist_pool_new(args->threads > 0 ? args->threads : dist_cores())};
    TRY(load_weights(&scoring));
    for (size_t i = 0; i < args->data.count; i++) {
        scoring.data = args->data.items[i];
        TRY(args->moves ? score_moves(&scoring) : score_set(&scoring));
    }
    return args->jsonl == NULL
               ? OK
               : file_write(args->jsonl, str_text(&scoring.lines), scoring.lines.length);
}

// Moves and scores are asked for in different ways: who mixes them would get something else.
static int check_args(const ScoreArgs *args) {
    const MentorArgs *mentor = &args->mentor;
    const bool has_rules = args->quiescence != NULL || args->depth >= 0 || args->train != NULL;
    const bool has_labels = args->tempo != 0 || mentor->quiet_only || mentor->clamp != 0 ||
                            mentor->beyond != MENTOR_DROP || mentor->mates != MENTOR_DROP;
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
        exit_code = score_all(&args) == OK ? EXIT_DONE : complain();
    arg_strings_free(&args.weights);
    arg_strings_free(&args.data);
    return exit_code;
}
