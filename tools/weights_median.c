// SPDX-License-Identifier: GPL-3.0-or-later
// falconer weights median: the best organism of the median run of a folder of runs.
#include "run/files/run_rank.h"
#include "tools/weights_actions.h"

#include <unistd.h>

typedef struct Values {
    const char *output;
} Values;

#define ARGS Values
static const ArgOption options[] = {
    ARG("output", 'o', "FILE", OUTPUT, output, "the file to write (default: standard output)"),
};

const ArgSpec weights_median_spec = {
    .program = "falconer weights median",
    .positional = "DIR",
    .least = 1,
    .most = 1,
    .summary =
        "Takes the best organism of the median run, by the ranks in runs.csv, of a folder of "
        "several runs, such as falconer evolve gecco2008 --runs 3 -o build/three makes.",
    .example = "falconer evolve gecco2008 --runs 3 --generations 20 --no-optimum -o three && \\\n"
               "      falconer weights median three -o median.weights",
    ARG_TABLE(options),
};

static void weights_path(const char *folder, size_t run, Str *out) {
    str_clear(out);
    run_path(folder, true, run, out);
    str_add(out, "/best.weights");
}

// What the folder's runs consist of is no place to write to.
static int check_output(const char *folder, const char *output) {
    CLEANUP(outputs_free) Outputs paths = {0};
    CLEANUP(str_free) Str path = {0};
    str_addf(&path, "%s/runs.csv", folder);
    outputs_add_input(&paths, str_text(&path));
    weights_path(folder, 0, &path);
    for (size_t run = 1; access(str_text(&path), F_OK) == 0; run++) {
        outputs_add_input(&paths, str_text(&path));
        weights_path(folder, run, &path);
    }
    outputs_add(&paths, OUTPUT_FILE, "--output", output);
    return args_check_outputs(weights_median_spec.program, &paths);
}

static Status take_median(const char *folder, const char *output) {
    CLEANUP(weights_free) Weights weights = {0};
    CLEANUP(str_free) Str path = {0};
    size_t run;
    TRY(run_rank_read_median(folder, &run));
    weights_path(folder, run, &path);
    TRY(weights_load(&weights, str_text(&path)));
    return weights_print_or_save(&weights, output);
}

int weights_median(int argc, char **argv) {
    Values values = {0};
    CLEANUP(arg_strings_free) ArgStrings folders = {0};
    TRY_ARGS(args_parse(&weights_median_spec, argc, argv, &values, &folders));
    TRY_ARGS(check_output(folders.items[0], values.output));
    return args_exit(&weights_median_spec, take_median(folders.items[0], values.output));
}
