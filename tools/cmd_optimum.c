// SPDX-License-Identifier: GPL-3.0-or-later
// falconer optimum: the least error that any weights of a family can reach, and its proof.
#include "base/file.h"
#include "base/locate.h"
#include "base/mem.h"
#include "eval/chromosome.h"
#include "eval/weights.h"
#include "optimum/certified.h"
#include "report/table.h"
#include "settings/space.h"
#include "tools/args.h"
#include "tools/commands.h"
#include "tools/mentor_args.h"
#include "tools/print.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct OptimumArgs {
    const char *family, *chromosome, *data, *output, *freeze, *only, *bounds;
    MentorArgs mentor;
    bool tempo;
    int threads;
} OptimumArgs;

#define FIELD(name) offsetof(OptimumArgs, name)
static const ArgOption options[] = {
    {"family", 'f', "NAME", ARG_STRING, FIELD(family), 0, 0,
     "evaluation family (default: maestro)"},
    {"chromosome", 0, "NAME", ARG_STRING, FIELD(chromosome), 0, 0,
     "whose bounds hold (default: the family's first); real: the family's own bounds"},
    {"data", 'd', "FILE", ARG_INPUT, FIELD(data), 0, 0, "labelled set"},
    {"output", 'o', "FILE", ARG_OUTPUT, FIELD(output), 0, 0, "write the best whole weights found"},
    {"tempo", 0, NULL, ARG_FLAG, FIELD(tempo), 0, 0, "with a constant for the side to move"},
    {"freeze", 0, "LIST", ARG_STRING, FIELD(freeze), 0, 0,
     "NAME or NAME=VALUE, with commas: fixed"},
    {"only", 0, "LIST", ARG_STRING, FIELD(only), 0, 0, "names, with commas: all others are fixed"},
    {"bounds", 0, "LIST", ARG_STRING, FIELD(bounds), 0, 0, "NAME:LOW:HIGH, with commas"},
    MENTOR_OPTIONS(OptimumArgs, mentor),
    {"threads", 't', "N", ARG_INT, FIELD(threads), 1, 1024,
     "threads to read with (default: one for each core)"},
};
static const ArgSpec spec = {
    .program = "falconer optimum",
    .summary = "Solves for the weights of least mean absolute error on a labelled set, as a linear "
               "program,\n"
               "and proves that no weights within the bounds can do better. See docs/optimum.md.",
    .example = "falconer optimum --data mentor-train.toga2.epd.zst",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .finds_files = true,
};

static int complain(void) {
    print_failure("falconer optimum");
    return EXIT_FAILED;
}

static void print_weights(const CertifiedOptimum *optimum, const EvolveSpace *space) {
    Table *table = table_create("Weights");
    Str text = {0};
    table_add_text_column(table, "parameter");
    table_add_number_column(table, "optimum", 2);
    table_add_number_column(table, "whole", 0);
    table_add_number_column(table, "standard error", 2);
    table_add_number_column(table, "positions", 0);
    table_add_number_column(table, "variance inflation", 1);
    table_add_text_column(table, "most like");
    table_add_number_column(table, "correlation", 2);
    table_add_text_column(table, "remarks");
    for (size_t i = 0; i < space->count; i++) {
        const WeightEvidence *evidence = &optimum->evidence[i];
        char remarks[160];
        identify_flags_text(evidence->flags, remarks, sizeof remarks);
        table_add_text(table, space->parameters[i].name);
        table_add_number(table, optimum->result.weights[i]);
        table_add_number(table, optimum->result.whole_weights[i]);
        table_add_number(table, evidence->standard_error);
        table_add_number(table, (double)evidence->positions);
        table_add_number(table, evidence->inflation);
        table_add_text(table,
                       evidence->partner == i ? "" : space->parameters[evidence->partner].name);
        table_add_number(table, evidence->partner == i ? (double)NAN : evidence->correlation);
        table_add_text(table, remarks);
    }
    table_write_text(table, &text);
    print_text(stdout, str_text(&text));
    str_free(&text);
    table_destroy(table);
}

static void print_optimum(const CertifiedOptimum *optimum, const MentorSet *set, const char *data) {
    Str text = {0};
    mentor_set_describe(set, &text);
    print_out("%s: %s\n", data, str_text(&text));
    str_free(&text);
    print_out("error of the best real weights: %.6f centipawns\n", certified_error(optimum));
    print_out("proven bound: %.6f centipawns; no weights within the bounds have less\n",
              certified_bound(optimum));
    print_out("best whole weights found: %.6f centipawns, %.4f%% above the bound\n\n",
              certified_whole_error(optimum),
              certified_distance(optimum, certified_whole_error(optimum)));
}

static Status save_weights(const OptimumArgs *args, const CertifiedOptimum *optimum,
                           const Family *family, const MentorSet *set) {
    Weights weights;
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
    const Status status = weights_save(&weights, args->output);
    weights_free(&weights);
    return status;
}

static Status solve(const OptimumArgs *args, const FamilySpace *space, const Family *family,
                    DistPool *pool) {
    Str path = {0};
    MentorSet set;
    CertifiedOptimum optimum;
    Status status = locate("data", args->data, &path);
    const MentorSetOptions set_options = mentor_args_options(&args->mentor, family, args->tempo);
    if (status == OK)
        status = mentor_set_load(&set, str_text(&path), &set_options, pool);
    str_free(&path);
    if (status != OK)
        return status;
    status = certified_solve(&set.matrix, &space->space, family->scale, &optimum);
    if (status == OK) {
        print_optimum(&optimum, &set, args->data);
        print_weights(&optimum, &space->space);
        status = save_weights(args, &optimum, family, &set);
        certified_free(&optimum);
    }
    mentor_set_free(&set);
    return status;
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
    Status status = OK;
    for (size_t i = 0; i < sizeof settings / sizeof *settings && status == OK; i++)
        if (settings[i][1] != NULL)
            status = run_config_set(config, settings[i][0], settings[i][1]);
    return status;
}

int cmd_optimum(int argc, char **argv) {
    OptimumArgs args = {0};
    int exit_code = args_parse(&spec, argc, argv, &args, NULL);
    if (exit_code == ARGS_GO_ON)
        exit_code = args.data == NULL ? args_complain(&spec, "--data is needed") : ARGS_GO_ON;
    if (exit_code == ARGS_GO_ON)
        exit_code = mentor_args_check(&args.mentor, &spec);
    if (exit_code != ARGS_GO_ON)
        return exit_code;
    chess_init();
    RunConfig config;
    FamilySpace *space = mem_alloc(sizeof *space);
    const Family *family;
    DistPool *pool = dist_pool_new(args.threads > 0 ? args.threads : dist_cores());
    run_config_init(&config);
    Status status = configure(&args, &config);
    if (status == OK)
        status = family_space_init(space, &config, &family);
    if (status == OK)
        status = solve(&args, space, family, pool);
    run_config_free(&config);
    dist_pool_free(pool);
    free(space);
    return status == OK ? EXIT_DONE : complain();
}
