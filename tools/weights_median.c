// SPDX-License-Identifier: GPL-3.0-or-later
// falconer weights median: the best organism of the median run of a folder of runs.
#include "tools/weights_median.h"

#include "eval/weights.h"
#include "run/files/run_rank.h"
#include "tools/commands.h"
#include "tools/print.h"

#include <stdio.h>
#include <unistd.h>

typedef struct Values {
    const char *output;
} Values;

static const ArgOption options[] = {
    {"output", 'o', "FILE", ARG_OUTPUT, offsetof(Values, output), 0, 0,
     "the file to write (default: standard output)"},
};

const ArgSpec weights_median_spec = {
    .program = "falconer weights median",
    .positional = "DIR",
    .summary =
        "Takes the best organism of the median run, by the ranks in runs.csv, of a folder of "
        "several runs, such as falconer evolve gecco2008 --runs 3 -o build/three makes.",
    .example = "falconer weights median build/three -o build/median.weights",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
};

static void weights_path(const char *folder, size_t run, Str *out) {
    str_clear(out);
    run_path(folder, true, run, out);
    str_add(out, "/best.weights");
}

// What the folder's runs consist of is no place to write to.
static int check_output(const char *folder, const char *output) {
    Outputs paths = {0};
    Str path = {0};
    str_addf(&path, "%s/runs.csv", folder);
    outputs_add_input(&paths, str_text(&path));
    weights_path(folder, 0, &path);
    for (size_t run = 1; access(str_text(&path), F_OK) == 0; run++) {
        outputs_add_input(&paths, str_text(&path));
        weights_path(folder, run, &path);
    }
    outputs_add(&paths, OUTPUT_FILE, "--output", output);
    const int exit_code = args_check_outputs(weights_median_spec.program, &paths);
    str_free(&path);
    outputs_free(&paths);
    return exit_code;
}

static Status load_median(const char *folder, Weights *out) {
    size_t run;
    Status status = run_rank_read_median(folder, &run);
    if (status != OK)
        return status;
    Str path = {0};
    weights_path(folder, run, &path);
    status = weights_load(out, str_text(&path));
    str_free(&path);
    return status;
}

static Status take_median(const char *folder, const char *output) {
    Weights weights;
    Status status = load_median(folder, &weights);
    if (status != OK)
        return status;
    if (output != NULL) {
        status = weights_save(&weights, output);
    } else {
        Str text = {0};
        weights_write(&weights, &text);
        print_text(stdout, text.text);
        str_free(&text);
    }
    weights_free(&weights);
    return status;
}

int weights_median(int argc, char **argv) {
    Values values = {0};
    ArgStrings folders = {0};
    int exit_code = args_parse(&weights_median_spec, argc, argv, &values, &folders);
    if (exit_code == ARGS_GO_ON && folders.count != 1)
        exit_code =
            args_complain(&weights_median_spec, "one folder is needed, not %zu", folders.count);
    if (exit_code == ARGS_GO_ON)
        exit_code = check_output(folders.items[0], values.output);
    if (exit_code == ARGS_GO_ON) {
        exit_code = EXIT_DONE;
        if (take_median(folders.items[0], values.output) != OK) {
            print_failure(weights_median_spec.program);
            exit_code = EXIT_FAILED;
        }
    }
    arg_strings_free(&folders);
    return exit_code;
}
