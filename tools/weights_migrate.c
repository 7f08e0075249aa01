// SPDX-License-Identifier: GPL-3.0-or-later
// falconer weights migrate: a weights file of another version of its family, made one of this.
#include "tools/print.h"
#include "tools/weights_actions.h"

typedef struct MigrateArgs {
    const char *output;
    int missing;
    ArgStrings set;
} MigrateArgs;

static const char *const missing_names[] = {
    [MISSING_ZERO] = "zero", [MISSING_DEFAULT] = "default", NULL};

#define ARGS MigrateArgs
static const ArgOption options[] = {
    ARG("output", 'o', "FILE", OUTPUT, output, "the file to write (default: standard output)"),
    ARG_ONE_OF("missing", 0, "VALUE", missing, missing_names,
               "of new terms: zero, so that they count for nothing, or default, the family's own "
               "(default: zero; where bounds exclude 0, the family's own)"),
    ARG("set", 0, "NAME=VALUE", STRINGS, set, "the value of a term, new or old; may be repeated"),
};

const ArgSpec weights_migrate_spec = {
    .program = "falconer weights migrate",
    .positional = "OLD",
    .least = 1,
    .most = 1,
    .summary =
        "Converts a weights file of another version of its family: adds the terms that are new,\n"
        "drops those that no longer exist, moves values into their bounds, and says for each what\n"
        "it did.",
    .example = "falconer weights migrate maestro-hand.weights -o migrated.weights",
    ARG_TABLE(options),
};

static Status migrate(const MigrateArgs *args, const char *path) {
    CLEANUP(weights_free) Weights weights = {0};
    CLEANUP(str_free) Str notes = {0};
    const WeightsMigration how = {.missing = (WeightsMissing)args->missing,
                                  .set = args->set.items,
                                  .set_count = args->set.count};
    TRY(weights_migrate(&weights, path, &how, &notes));
    TRY(weights_print_or_save(&weights, args->output));
    print_text(stderr, notes.length > 0 ? str_text(&notes) : "nothing to change\n");
    return OK;
}

int weights_migrate_file(int argc, char **argv) {
    MigrateArgs args = {0};
    CLEANUP(arg_strings_free) ArgStrings files = {0};
    int exit_code = args_parse(&weights_migrate_spec, argc, argv, &args, &files);
    if (exit_code == ARGS_GO_ON)
        exit_code = args_exit(&weights_migrate_spec, migrate(&args, files.items[0]));
    arg_strings_free(&args.set);
    return exit_code;
}
