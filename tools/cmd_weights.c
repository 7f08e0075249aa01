// SPDX-License-Identifier: GPL-3.0-or-later
// falconer weights: shows, compares, generates, averages and converts weights files, and makes
// pages of them.
#include "eval/chromosome.h"
#include "eval/value.h"
#include "eval/weights.h"
#include "tools/args.h"
#include "tools/commands.h"
#include "tools/print.h"
#include "tools/weights_actions.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

// --- show ---

static const ArgSpec show_spec = {
    .program = "falconer weights show",
    .positional = "[FILE]",
    .most = 1,
    .summary =
        "Shows a weights file: where it comes from, then each term with its value, its bounds\n"
        "and its meaning. Without a file: the weights built in.",
    .example = "falconer weights show",
};

static void print_weights(const Weights *weights) {
    const Family *family = weights->family;
    print_text(stdout, str_text(&weights->lineage));
    if (weights->lineage.length > 0)
        print_out("\n");
    print_out("family %s %u, %zu terms, digest %016" PRIx64 "\n\n", family->name, family->version,
              family->term_count, weights_digest(weights));
    print_out("%-32s %6s %6s %6s  %s\n", "term", "value", "low", "high", "what it counts");
    for (size_t i = 0; i < family->term_count; i++) {
        const Term *term = &family->terms[i];
        print_out(
            "%-32s %6s %6s %6s  %s\n", term->name, value_text(family, weights->parameters[i]).text,
            value_text(family, term->low).text, value_text(family, term->high).text, term->meaning);
    }
}

static int run_show(int argc, char **argv) {
    CLEANUP(arg_strings_free) ArgStrings files = {0};
    CLEANUP(weights_free) Weights weights = {0};
    TRY_ARGS(args_parse(&show_spec, argc, argv, NULL, &files));
    if (weights_load_or_default(&weights, files.count == 0 ? NULL : files.items[0]) != OK)
        return args_fail(&show_spec);
    print_weights(&weights);
    return EXIT_DONE;
}

// --- diff ---

static const ArgSpec diff_spec = {
    .program = "falconer weights diff",
    .positional = "A B",
    .least = 2,
    .most = 2,
    .summary = "Shows the terms on which two weights files of one family differ.",
    .example = "falconer weights diff maestro-hand.weights "
               "maestro-gecco2008.weights",
};

static Status print_difference(const Weights *a, const Weights *b) {
    const Family *family = a->family;
    size_t different = 0;
    if (b->family != family)
        return error_set(ERR_ARG, "the files are of different families: %s and %s", family->name,
                         b->family->name);
    for (size_t i = 0; i < family->term_count; i++) {
        int from = a->parameters[i], to = b->parameters[i];
        if (from == to)
            continue;
        if (different++ == 0)
            print_out("%-32s %6s %6s %7s\n", "term", "A", "B", "B - A");
        print_out("%-32s %6s %6s %7s\n", family->terms[i].name, value_text(family, from).text,
                  value_text(family, to).text, value_text_signed(family, to - from).text);
    }
    print_out("%zu of %zu terms differ\n", different, family->term_count);
    return OK;
}

static Status compare_files(const char *path_a, const char *path_b) {
    CLEANUP(weights_free) Weights a = {0};
    CLEANUP(weights_free) Weights b = {0};
    TRY(weights_load(&a, path_a));
    TRY(weights_load(&b, path_b));
    return print_difference(&a, &b);
}

static int run_diff(int argc, char **argv) {
    CLEANUP(arg_strings_free) ArgStrings files = {0};
    TRY_ARGS(args_parse(&diff_spec, argc, argv, NULL, &files));
    return args_exit(&diff_spec, compare_files(files.items[0], files.items[1]));
}

// --- random ---

typedef struct RandomArgs {
    const char *family, *chromosome, *variant, *output;
    uint64_t seed;
} RandomArgs;

#define ARGS RandomArgs
static const ArgOption random_options[] = {
    ARG("family", 0, "NAME", STRING, family, "the family (default: maestro)"),
    ARG("chromosome", 0, "NAME", STRING, chromosome,
        "chromosome to draw: maestro-230, maestro-224; real: every value between its bounds "
        "(default: the family's first, or real)"),
    ARG("variant", 0, "NAME", STRING, variant,
        "draw only the terms of a smaller variant, and set the others to 0: vazquez-24"),
    ARG("seed", 0, "N", U64, seed, "the same seed gives the same weights (default: 0)"),
    ARG("output", 'o', "FILE", OUTPUT, output, "the file to write (default: standard output)"),
};

static const ArgSpec random_spec = {
    .program = "falconer weights random",
    .summary =
        "Generates random weights: every bit of a chromosome by a fair coin, or every value\n"
        "evenly between its bounds.",
    .example = "falconer weights random --family maestro --seed 1",
    ARG_TABLE(random_options),
};

// What to draw.
typedef struct Drawing {
    const Family *family;
    const Chromosome *chromosome; // NULL: values between their bounds
    const Variant *variant;       // NULL: all terms
    uint64_t seed;
} Drawing;

static Status choose_drawing(const RandomArgs *args, Drawing *out) {
    const Family *family = family_find(args->family);
    const char *name = args->chromosome;
    if (family == NULL)
        return error_set(ERR_ARG, "--family: there is no family '%s'", args->family);
    const bool is_real = name != NULL && strcmp(name, "real") == 0;
    const Chromosome *chromosome = is_real        ? NULL
                                   : name == NULL ? chromosome_of_family(family)
                                                  : chromosome_find(name);
    if (name != NULL && !is_real && (chromosome == NULL || chromosome->family != family))
        return error_set(ERR_ARG, "--chromosome: family %s has no chromosome '%s'", family->name,
                         name);
    const Variant *variant =
        args->variant == NULL ? NULL : family_find_variant(family, args->variant);
    if (args->variant != NULL && variant == NULL)
        return error_set(ERR_ARG, "--variant: family %s has no variant '%s'", family->name,
                         args->variant);
    *out = (Drawing){family, chromosome, variant, args->seed};
    return OK;
}

static void draw_parameters(const Drawing *drawing, int *parameters) {
    uint64_t bits[CHROMOSOME_WORDS_MAX];
    const Family *family = drawing->family;
    Rng rng = rng_at(drawing->seed, 0, 0, 0);
    if (drawing->chromosome != NULL) {
        chromosome_randomize(drawing->chromosome, &rng, bits);
        chromosome_decode(drawing->chromosome, bits, parameters);
    } else {
        family_randomize(family, &rng, parameters);
    }
    if (drawing->variant != NULL)
        family_apply_variant(family, drawing->variant, parameters);
}

static void generate(const Drawing *drawing, Weights *out) {
    const Chromosome *chromosome = drawing->chromosome;
    const Variant *variant = drawing->variant;
    weights_init(out, drawing->family);
    draw_parameters(drawing, out->parameters);
    if (chromosome != NULL)
        str_addf(&out->lineage, "method: random, every bit of chromosome %s by a fair coin",
                 chromosome->name);
    else
        str_add(&out->lineage, "method: random, every value between its bounds");
    if (variant != NULL)
        str_addf(&out->lineage, "; only the first %zu terms, the others 0", variant->term_count);
    str_addf(
        &out->lineage,
        "\nseed: %" PRIu64 "\n"
        "command: falconer weights random --family %s --chromosome %s%s%s --seed %" PRIu64 "\n",
        drawing->seed, drawing->family->name, chromosome == NULL ? "real" : chromosome->name,
        variant == NULL ? "" : " --variant ", variant == NULL ? "" : variant->name, drawing->seed);
}

Status weights_print_or_save(const Weights *weights, const char *path) {
    if (path != NULL)
        return weights_save(weights, path);
    CLEANUP(str_free) Str text = {0};
    weights_write(weights, &text);
    print_text(stdout, text.text);
    return OK;
}

static int run_random(int argc, char **argv) {
    RandomArgs args = {.family = "maestro"};
    Drawing drawing = {0};
    CLEANUP(weights_free) Weights weights = {0};
    TRY_ARGS(args_parse(&random_spec, argc, argv, &args, NULL));
    if (choose_drawing(&args, &drawing) != OK)
        return args_fail_usage(&random_spec);
    generate(&drawing, &weights);
    return args_exit(&random_spec, weights_print_or_save(&weights, args.output));
}

// --- mean ---

typedef struct MeanArgs {
    const char *output;
} MeanArgs;

#undef ARGS
#define ARGS MeanArgs
static const ArgOption mean_options[] = {
    ARG("output", 'o', "FILE", OUTPUT, output, "the file to write (default: standard output)"),
};

static const ArgSpec mean_spec = {
    .program = "falconer weights mean",
    .positional = "FILE FILE...",
    .least = 2,
    .summary = "Averages weights files of one family, term by term. The mean of weights that were\n"
               "learned from different data, from the same start, often plays better than each.",
    .example = "falconer weights mean maestro-hand.weights "
               "maestro-gecco2008.weights",
    ARG_TABLE(mean_options),
};

// Adds the file's values and its lineage; the first file decides the family.
static Status add_file(const char *path, Weights *mean, int64_t *sums) {
    CLEANUP(weights_free) Weights weights = {0};
    TRY(weights_load(&weights, path));
    if (mean->family == NULL)
        weights_init(mean, weights.family);
    if (mean->family != weights.family)
        return error_set(ERR_ARG, "%s is of the family %s, but those before it of %s", path,
                         weights.family->name, mean->family->name);
    for (size_t i = 0; i < weights.family->term_count; i++)
        sums[i] += weights.parameters[i];
    for (const char *line = str_text(&weights.lineage); *line != '\0';) {
        const size_t length = strcspn(line, "\n");
        str_addf(&mean->lineage, "%s: %.*s\n", path, (int)length, line);
        line += length + (line[length] == '\n');
    }
    return OK;
}

static Status make_mean(const ArgStrings *files, const char *output) {
    CLEANUP(weights_free) Weights mean = {0};
    int64_t sums[TERMS_MAX] = {0}, count = (int64_t)files->count;
    for (size_t i = 0; i < files->count; i++)
        TRY(add_file(files->items[i], &mean, sums));
    for (size_t i = 0; i < mean.family->term_count; i++)
        mean.parameters[i] = (int)((sums[i] + (sums[i] < 0 ? -count : count) / 2) / count);
    str_addf(&mean.lineage,
             "method: the mean of these %zu weights files\ncommand: falconer weights mean",
             files->count);
    args_add_positional(&mean.lineage, files);
    str_add(&mean.lineage, "\n");
    return weights_print_or_save(&mean, output);
}

static int run_mean(int argc, char **argv) {
    MeanArgs args = {0};
    CLEANUP(arg_strings_free) ArgStrings files = {0};
    TRY_ARGS(args_parse(&mean_spec, argc, argv, &args, &files));
    return args_exit(&mean_spec, make_mean(&files, args.output));
}

// --- which of them ---

typedef struct Action {
    const char *name;
    int (*run)(int argc, char **argv);
    const ArgSpec *spec;
    const char *help;
} Action;

static const Action actions[] = {
    {"show", run_show, &show_spec, "show a weights file: lineage, values, meanings"},
    {"diff", run_diff, &diff_spec, "show the terms on which two weights files differ"},
    {"random", run_random, &random_spec, "generate random weights"},
    {"vary", weights_vary, &weights_vary_spec, "vary a weights file at random"},
    {"mean", run_mean, &mean_spec, "average several weights files"},
    {"median", weights_median, &weights_median_spec,
     "take the best weights of the median run of several"},
    {"migrate", weights_migrate_file, &weights_migrate_spec,
     "convert a weights file of another version of its family"},
    {"page", weights_page, &weights_page_spec, "make one HTML file of a player, for a browser"},
};
enum { ACTION_COUNT = sizeof actions / sizeof actions[0] };

static void print_overview(FILE *out) {
    print_to(out, "Usage: falconer weights ACTION [OPTIONS] [ARGUMENTS]\n\nActions:\n");
    for (size_t i = 0; i < ACTION_COUNT; i++)
        print_to(out, "  %-8s %s\n", actions[i].name, actions[i].help);
    print_to(out, "\nfalconer weights ACTION --help shows its options.\n\n"
                  "Example:\n  falconer weights show\n");
}

// One page for all actions.
static int print_man(const char *purpose) {
    ArgSpec forms[ACTION_COUNT];
    for (size_t i = 0; i < ACTION_COUNT; i++) {
        forms[i] = *actions[i].spec;
        forms[i].next_form = i + 1 < ACTION_COUNT ? &forms[i + 1] : NULL;
    }
    return args_print_man(forms, "falconer weights", purpose);
}

int cmd_weights(int argc, char **argv) {
    if (argc < 2) {
        print_overview(stderr);
        return EXIT_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        print_overview(stdout);
        return EXIT_DONE;
    }
    if (args_man_purpose(argv[1]) != NULL)
        return print_man(args_man_purpose(argv[1]));
    for (size_t i = 0; i < ACTION_COUNT; i++)
        if (strcmp(argv[1], actions[i].name) == 0)
            return actions[i].run(argc - 1, argv + 1);
    print_err("falconer weights: unknown action '%s' (see falconer weights --help)\n", argv[1]);
    return EXIT_USAGE;
}
