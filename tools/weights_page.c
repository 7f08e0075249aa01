// SPDX-License-Identifier: GPL-3.0-or-later
// falconer weights page: a player as one file, for a browser.
#include "player_page/player_page.h"
#include "tools/commit.h"
#include "tools/print.h"
#include "tools/weights_actions.h"

typedef struct Values {
    const char *output;
} Values;

#define ARGS Values
static const ArgOption options[] = {
    ARG("output", 'o', "FILE", OUTPUT, output, "the page to write (needed)"),
};

const ArgSpec weights_page_spec = {
    .program = "falconer weights page",
    .positional = "FILE",
    .least = 1,
    .most = 1,
    .summary =
        "Writes one HTML file with a board, the engine, these weights, and the opening book that\n"
        "lies beside them: whoever opens it in a browser plays against them, without a network.\n"
        "The engine for a browser is made by make wasm.",
    .example = "falconer weights page tal.weights -o tal.html",
    ARG_TABLE(options),
};

int weights_page(int argc, char **argv) {
    Values values = {0};
    CLEANUP(arg_strings_free) ArgStrings files = {0};
    TRY_ARGS(args_parse(&weights_page_spec, argc, argv, &values, &files));
    if (values.output == NULL)
        return args_complain(&weights_page_spec, "--output is needed");
    return args_exit(&weights_page_spec,
                     player_page_write(files.items[0], commit_of_build, values.output));
}
