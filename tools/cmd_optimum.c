// SPDX-License-Identifier: GPL-3.0-or-later
// falconer optimum: the least error that any weights of a family can reach, and its proof.
#include "base/file.h"
#include "base/json.h"
#include "base/locate.h"
#include "base/mem.h"
#include "eval/chromosome.h"
#include "eval/weights.h"
#include "optimum/certified.h"
#include "settings/space.h"
#include "tools/args.h"
#include "tools/commands.h"
#include "tools/mentor_args.h"
#include "tools/print_table.h"

#include <inttypes.h>
#include <math.h>

typedef struct OptimumArgs {
    const char *family, *chromosome, *data, *output, *jsonl, *freeze, *only, *bounds;
    MentorArgs mentor;
    bool tempo;
    int threads;
} OptimumArgs;

#define ARGS OptimumArgs
static const ArgOption options[] = {
    ARG("family", 'f', "NAME", STRING, family, "evaluation family (default: maestro)"),
    ARG("chromosome", 0, "NAME", STRING, chromosome,
        "chromosome whose bounds apply (default: the family's first); real: the family's own "
        "bounds"),
    ARG("data", 'd', "FILE", INPUT, data, "labelled positions"),
    ARG("output", 'o', "FILE", OUTPUT, output, "write the best whole-number weights found"),
    ARG("jsonl", 0, "FILE", OUTPUT, jsonl, "also write the errors, as a JSON object"),
    ARG_SWITCH("tempo", 0, tempo, "include a bonus for the side to move"),
    ARG("freeze", 0, "LIST", STRING, freeze,
        "terms to fix: NAME or NAME=VALUE, separated by commas"),
    ARG("only", 0, "LIST", STRING, only, "terms to fit, separated by commas; all others are fixed"),
    ARG("bounds", 0, "LIST", STRING, bounds, "NAME:LOW:HIGH, separated by commas"),
    MENTOR_OPTIONS(mentor),
    ARG_RANGE("threads", 't', "N", INT, threads, 1, 1024,
              "threads to read with (default: one for each core)"),
};
static const ArgSpec spec = {
    .program = "falconer optimum",
    .summary = "Solves for the weights of least mean absolute error on a labelled set, as a linear "
               "program,\n"
               "and proves that no weights within the bounds can do better. See docs/optimum.md.",
    .example = "falconer optimum --data mentor-train.toga2.epd.zst",
    ARG_TABLE(options),
    .finds_files = true,
};

static void print_weights(const CertifiedOptimum *optimum, const EvolveSpace *space) {
    CLEANUP(table_destroy_at) Table *table = table_create("Weights");
    table_add_columns(table, "parameter|optimum:2|whole:0|standard error:2|positions:0|variance "
                             "inflation:1|most like|correlation:2|remarks");
    for (size_t i = 0; i < space->count; i++) {
        const WeightEvidence *evidence = &optimum->evidence[i];
        char remarks[160];
        identify_flags_text(evidence->flags, remarks, sizeof remarks);
        table_add_text(table, space->parameters[i].name);
        TABLE_ADD_NUMBERS(table, optimum->result.weights[i], optimum->result.whole_weights[i],
                          evidence->standard_error, (double)evidence->positions,
                          evidence->inflation);
        table_add_text(table,
                       evidence->partner == i ? "" : space->parameters[evidence->partner].name);
        table_add_number(table, evidence->partner == i ? (double)NAN : evidence->correlation);
        table_add_text(table, remarks);
    }
    print_table(table);
}

static void print_optimum(const CertifiedOptimum *optimum, const MentorSet *set, const char *data) {
    CLEANUP(str_free) Str text = {0};
    mentor_set_describe(set, &text);
    print_out("%s: %s\n", data, str_text(&text));
    print_out("error of the best real weights: %.6f centipawns\n", certified_error(optimum));
    print_out("proven bound: %.6f centipawns; no weights within the bounds have less\n",
              certified_bound(optimum));
    print_out("best whole weights found: %.6f centipawns, %.4f%% above the bound\n\n",
              certified_whole_error(optimum),
              certified_distance(optimum, certified_whole_error(optimum)));
}

static Status save_errors(const OptimumArgs *args, const CertifiedOptimum *optimum) {
    CLEANUP(str_free) Str line = {0};
    if (args->jsonl == NULL)
        return OK;
    str_add(&line, "{\"data\":");
    json_add_string(&line, args->data);
    str_addf(&line, ",\"error\":%.6f,\"bound\":%.6f,\"whole_error\":%.6f}\n",
             certified_error(optimum), certified_bound(optimum), certified_whole_error(optimum));
    return file_write(args->jsonl, str_text(&line), line.length);
}

static Status save_weights(const OptimumArgs *args, const CertifiedOptimum *optimum,
                           const Family *family, const MentorSet *set) {
    CLEANUP(weights_free) Weights weights = {0};
    if (args->output == NULL)
        return OK;
    weights_init(&weights, family);
    for (size_t i = 0; i < family->term_count; i++)
        weights.parameters[i] = optimum->result.whole_weights[i];
    str_addf(&weights.lineage,
             "method: linear program, rounded by search\ndata: %s (%016" PRIx64 ")\n"
             "error: %.4f centipawns, at least %.4f for any weights\n",
             args->data, set->hash, certified_whole_error(optimum), certified_bound(optimum));
    if (args->tempo)
        str_addf(&weights.lineage, "tempo: %d, for the side to move, not part of the family\n",
                 optimum->result.whole_weights[family->term_count]);
    return weights_save(&weights, args->output);
}

static Status solve(const OptimumArgs *args, const FamilySpace *space, const Family *family) {
    CLEANUP(dist_pool_free_at)
    DistPool *pool = dist_pool_new(args->threads > 0 ? args->threads : dist_cores());
    CLEANUP(str_free) Str path = {0};
    CLEANUP(mentor_set_free) MentorSet set = {0};
    CLEANUP(certified_free) CertifiedOptimum optimum = {0};
    const MentorSetOptions set_options = mentor_args_options(&args->mentor, family, args->tempo);
    TRY(locate("data", args->data, &path));
    TRY(mentor_set_load(&set, str_text(&path), &set_options, pool));
    TRY(certified_solve(&set.matrix, &space->space, family->scale, &optimum));
    print_optimum(&optimum, &set, args->data);
    print_weights(&optimum, &space->space);
    TRY(save_errors(args, &optimum));
    return save_weights(args, &optimum, family, &set);
}

// The bounds of a family's first chromosome, where it has one.
static const char *default_chromosome(const char *name) {
    const Family *family = family_find(name == NULL ? "maestro" : name);
    const Chromosome *chromosome = family == NULL ? NULL : chromosome_of_family(family);
    return chromosome == NULL ? "real" : chromosome->name;
}

static Status configure(const OptimumArgs *args, RunConfig *config) {
    const char *chromosome =
        args->chromosome == NULL ? default_chromosome(args->family) : args->chromosome;
    const char *const settings[][2] = {
        {"algorithm", "cmaes"},     {"family", args->family},
        {"chromosome", chromosome}, {"tempo", args->tempo ? "yes" : "no"},
        {"freeze", args->freeze},   {"only", args->only},
        {"bounds", args->bounds},
    };
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        if (settings[i][1] != NULL)
            TRY(run_config_set(config, settings[i][0], settings[i][1]));
    return OK;
}

static Status find_optimum(const OptimumArgs *args) {
    CLEANUP(run_config_free) RunConfig config = {0};
    CLEANUP(mem_free_at) FamilySpace *space = mem_alloc(sizeof *space);
    const Family *family;
    run_config_init(&config);
    TRY(configure(args, &config));
    TRY(family_space_init(space, &config, &family));
    return solve(args, space, family);
}

int cmd_optimum(int argc, char **argv) {
    OptimumArgs args = {0};
    TRY_ARGS(args_parse(&spec, argc, argv, &args, NULL));
    if (args.data == NULL)
        return args_complain(&spec, "--data is needed");
    TRY_ARGS(mentor_args_check(&args.mentor, &spec));
    chess_init();
    return args_exit(&spec, find_optimum(&args));
}
