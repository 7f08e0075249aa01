// SPDX-License-Identifier: GPL-3.0-or-later
// falconer weights: shows, compares, makes up, averages and takes weights files.
#include "eval/chromosome.h"
#include "eval/value.h"
#include "eval/weights.h"
#include "tools/args.h"
#include "tools/commands.h"
#include "tools/print.h"
#include "tools/weights_median.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static int complain(const char *program) {
    print_failure(program);
    return EXIT_FAILED;
}

// --- show ---

static const ArgSpec show_spec = {
    .program = "falconer weights show",
    .positional = "[FILE]",
    .summary =
        "Shows a weights file: where it comes from, then each term with its value, its bounds\n"
        "and its meaning. Without a file: the weights built in.",
    .example = "falconer weights show",
};

static void print_weights(const Weights *weights) {
    const Family *family = weights->family;
    print_text(stdout, str_text(&weights->lineage));
    print_out(weights->lineage.length == 0 ? "family %s %u, %zu terms\n\n"
                                           : "\nfamily %s %u, %zu terms\n\n",
              family->name, family->version, family->term_count);
    print_out("%-32s %6s %6s %6s  %s\n", "term", "value", "low", "high", "what it counts");
    for (size_t i = 0; i < family->term_count; i++) {
        const Term *term = &family->terms[i];
        print_out(
            "%-32s %6s %6s %6s  %s\n", term->name, value_text(family, weights->parameters[i]).text,
            value_text(family, term->low).text, value_text(family, term->high).text, term->meaning);
    }
}

static int show_files(const ArgStrings *files) {
    Weights weights;
    if (files->count > 1)
        return args_complain(&show_spec, "one file at a time, not %zu", files->count);
    Status status = files->count == 0 ? weights_load_default(&weights)
                                      : weights_load(&weights, files->items[0]);
    if (status != OK)
        return complain(show_spec.program);
    print_weights(&weights);
    weights_free(&weights);
    return EXIT_DONE;
}

static int run_show(int argc, char **argv) {
    ArgStrings files = {0};
    int exit_code = args_parse(&show_spec, argc, argv, NULL, &files);
    if (exit_code == ARGS_GO_ON)
        exit_code = show_files(&files);
    arg_strings_free(&files);
    return exit_code;
}

// --- diff ---

static const ArgSpec diff_spec = {
    .program = "falconer weights diff",
    .positional = "A B",
    .summary = "Shows the terms on which two weights files of one family differ.",
    .example = "falconer weights diff weights/maestro-hand.weights "
               "weights/maestro-gecco2008.weights",
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
    Weights a, b;
    Status status = weights_load(&a, path_a);
    if (status != OK)
        return status;
    status = weights_load(&b, path_b);
    if (status == OK) {
        status = print_difference(&a, &b);
        weights_free(&b);
    }
    weights_free(&a);
    return status;
}

static int run_diff(int argc, char **argv) {
    ArgStrings files = {0};
    int exit_code = args_parse(&diff_spec, argc, argv, NULL, &files);
    if (exit_code == ARGS_GO_ON && files.count != 2)
        exit_code = args_complain(&diff_spec, "two files are needed, not %zu", files.count);
    if (exit_code == ARGS_GO_ON)
        exit_code = compare_files(files.items[0], files.items[1]) == OK
                        ? EXIT_DONE
                        : complain(diff_spec.program);
    arg_strings_free(&files);
    return exit_code;
}

// --- random ---

typedef struct RandomArgs {
    const char *family, *chromosome, *variant, *output;
    uint64_t seed;
} RandomArgs;

static const ArgOption random_options[] = {
    {"family", 0, "NAME", ARG_STRING, offsetof(RandomArgs, family), 0, 0,
     "the family (default: maestro)"},
    {"chromosome", 0, "NAME", ARG_STRING, offsetof(RandomArgs, chromosome), 0, 0,
     "the bits to draw: maestro-230, maestro-224; or real: every value between its bounds "
     "(default: the family's first, real where it has none)"},
    {"variant", 0, "NAME", ARG_STRING, offsetof(RandomArgs, variant), 0, 0,
     "draw the terms of a smaller variant, and make the others 0: vazquez-24"},
    {"seed", 0, "N", ARG_U64, offsetof(RandomArgs, seed), 0, 0,
     "the same seed, the same weights (default: 0)"},
    {"output", 'o', "FILE", ARG_OUTPUT, offsetof(RandomArgs, output), 0, 0,
     "the file to write (default: standard output)"},
};

static const ArgSpec random_spec = {
    .program = "falconer weights random",
    .summary =
        "Makes up weights: every bit of a chromosome by a fair coin, or every value between\n"
        "its bounds.",
    .example = "falconer weights random --family maestro --seed 1",
    .options = random_options,
    .option_count = sizeof random_options / sizeof random_options[0],
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

static void make_up(const Drawing *drawing, Weights *out) {
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

// To standard output where no path is given.
static Status write_weights(const Weights *weights, const char *path) {
    if (path != NULL)
        return weights_save(weights, path);
    Str text = {0};
    weights_write(weights, &text);
    print_text(stdout, text.text);
    str_free(&text);
    return OK;
}

static int run_random(int argc, char **argv) {
    RandomArgs args = {.family = "maestro"};
    Drawing drawing = {0};
    Weights weights;
    int exit_code = args_parse(&random_spec, argc, argv, &args, NULL);
    if (exit_code != ARGS_GO_ON)
        return exit_code;
    if (choose_drawing(&args, &drawing) != OK)
        return args_complain(&random_spec, "%s", error_message());
    make_up(&drawing, &weights);
    Status status = write_weights(&weights, args.output);
    weights_free(&weights);
    return status == OK ? EXIT_DONE : complain(random_spec.program);
}

// --- mean ---

typedef struct MeanArgs {
    const char *output;
} MeanArgs;

static const ArgOption mean_options[] = {
    {"output", 'o', "FILE", ARG_OUTPUT, offsetof(MeanArgs, output), 0, 0,
     "the file to write (default: standard output)"},
};

static const ArgSpec mean_spec = {
    .program = "falconer weights mean",
    .positional = "FILE FILE...",
    .summary = "Makes the mean of weights files of one family, term by term. Weights that were\n"
               "learned from different things, and start alike, often play better so.",
    .example = "falconer weights mean weights/maestro-hand.weights "
               "weights/maestro-gecco2008.weights",
    .options = mean_options,
    .option_count = sizeof mean_options / sizeof mean_options[0],
};

// Adds the file's values and its lineage; the first file decides the family.
static Status add_file(const char *path, Weights *mean, int64_t *sums) {
    Weights weights;
    Status status = weights_load(&weights, path);
    if (status != OK)
        return status;
    if (mean->family == NULL)
        weights_init(mean, weights.family);
    if (mean->family != weights.family)
        status = error_set(ERR_ARG, "%s is of the family %s, but those before it of %s", path,
                           weights.family->name, mean->family->name);
    for (size_t i = 0; i < weights.family->term_count && status == OK; i++)
        sums[i] += weights.parameters[i];
    for (const char *line = str_text(&weights.lineage); *line != '\0';) {
        const size_t length = strcspn(line, "\n");
        str_addf(&mean->lineage, "%s: %.*s\n", path, (int)length, line);
        line += length + (line[length] == '\n');
    }
    weights_free(&weights);
    return status;
}

static Status make_mean(const ArgStrings *files, Weights *mean) {
    int64_t sums[TERMS_MAX] = {0}, count = (int64_t)files->count;
    Status status = OK;
    *mean = (Weights){0};
    for (size_t i = 0; i < files->count && status == OK; i++)
        status = add_file(files->items[i], mean, sums);
    if (status != OK)
        return status;
    for (size_t i = 0; i < mean->family->term_count; i++)
        mean->parameters[i] = (int)((sums[i] + (sums[i] < 0 ? -count : count) / 2) / count);
    str_addf(&mean->lineage,
             "method: the mean of these %zu weights files\ncommand: falconer weights mean",
             files->count);
    args_add_positional(&mean->lineage, files);
    str_add(&mean->lineage, "\n");
    return OK;
}

static int run_mean(int argc, char **argv) {
    MeanArgs args = {0};
    ArgStrings files = {0};
    Weights mean = {0};
    int exit_code = args_parse(&mean_spec, argc, argv, &args, &files);
    if (exit_code == ARGS_GO_ON && files.count < 2)
        exit_code = args_complain(&mean_spec, "two files or more are needed, not %zu", files.count);
    if (exit_code == ARGS_GO_ON) {
        Status status = make_mean(&files, &mean);
        if (status == OK)
            status = write_weights(&mean, args.output);
        exit_code = status == OK ? EXIT_DONE : complain(mean_spec.program);
    }
    weights_free(&mean);
    arg_strings_free(&files);
    return exit_code;
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
    {"diff", run_diff, &diff_spec, "show on which terms two weights files differ"},
    {"random", run_random, &random_spec, "make up weights by chance"},
    {"mean", run_mean, &mean_spec, "make the mean of several weights files"},
    {"median", weights_median, &weights_median_spec, "take the best of the median run of several"},
};
enum { ACTION_COUNT = sizeof actions / sizeof actions[0] };

static void print_overview(FILE *out) {
    print_to(out, "Usage: falconer weights show|diff|random|mean|median [OPTIONS] [ARGUMENTS]\n\n");
    for (size_t i = 0; i < ACTION_COUNT; i++)
        print_to(out, "  %-8s %s\n", actions[i].name, actions[i].help);
    print_to(out, "\nfalconer weights show --help tells more, and so on.\n\n"
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
    print_err("falconer weights: '%s' is none of show, diff, random, mean, median "
              "(see falconer weights --help)\n",
              argv[1]);
    return EXIT_USAGE;
}
