// SPDX-License-Identifier: GPL-3.0-or-later
// falconer compare: runs of evolution beside each other, with a test of what they ended with.
#include "base/file.h"
#include "chess/position.h"
#include "compare/compare.h"
#include "tools/args.h"
#include "tools/commands.h"
#include "tools/print_table.h"

typedef struct CompareArgs {
    const char *output;
    int on;
    bool csv;
} CompareArgs;

#define ARGS CompareArgs
static const ArgOption options[] = {
    ARG_ONE_OF("on", 0, "SET", on, compare_on_names,
               "test or training: the set that figures at the end are of (default: test where all "
               "runs have the same)"),
    ARG("output", 'o', "FILE", OUTPUT, output, "write a page (HTML) with the curves"),
    ARG_SWITCH("csv", 0, csv, "print comma-separated values: a row for each pair"),
};

static const ArgSpec spec = {
    .program = "falconer compare",
    .positional = "FOLDER...",
    .least = 2,
    .summary = "Compares runs of evolution, or folders of runs: medians and quartiles, a rank-sum "
               "test with effect size\nfor each pair, at the end, at equal evaluations and at "
               "equal time. See docs/compare.md.",
    .example = "falconer evolve gecco2008 --runs 5 -o ga\n"
               "  falconer evolve gecco2008 --algorithm de --runs 5 -o de\n"
               "  falconer compare ga de -o compare.html",
    ARG_TABLE(options),
};

static Status write_page(const Comparison *comparison, const char *path) {
    CLEANUP(report_destroy_at) Report *report = compare_report(comparison, true);
    CLEANUP(str_free) Str page = {0};
    report_write_html(report, &page);
    return file_write(path, str_text(&page), page.length);
}

static void print_report(const Comparison *comparison) {
    CLEANUP(report_destroy_at) Report *report = compare_report(comparison, false);
    CLEANUP(str_free) Str text = {0};
    report_write_text(report, &text);
    print_text(stdout, str_text(&text));
}

static Status compare(const CompareArgs *args, const ArgStrings *folders) {
    CLEANUP(compare_free) Comparison comparison = {0};
    TRY(compare_create(&comparison, folders->items, folders->count, (CompareOn)args->on));
    if (args->output != NULL)
        TRY(write_page(&comparison, args->output));
    if (args->csv) {
        CLEANUP(table_destroy_at) Table *table = compare_table(&comparison);
        print_table_as(table, TABLE_CSV);
        return OK;
    }
    print_report(&comparison);
    if (args->output != NULL)
        print_out("\nWritten to %s: the same with curves\n", args->output);
    return OK;
}

int cmd_compare(int argc, char **argv) {
    CompareArgs args = {.on = COMPARE_ON_NB};
    CLEANUP(arg_strings_free) ArgStrings folders = {0};
    TRY_ARGS(args_parse(&spec, argc, argv, &args, &folders));
    chess_init();
    return args_exit(&spec, compare(&args, &folders));
}
