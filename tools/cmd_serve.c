// SPDX-License-Identifier: GPL-3.0-or-later
// falconer serve: a page for the browser on what lies in folders of this machine.
#include "serve/browser.h"
#include "serve/serve.h"
#include "tools/args.h"
#include "tools/commands.h"
#include "tools/print.h"
#include "tools/signals.h"

#include <stdio.h>

typedef struct ServeArgs {
    int port;
    const char *engines;
    bool open, read_only;
} ServeArgs;

#define ARGS ServeArgs
static const ArgOption options[] = {
    ARG_RANGE("port", 'p', "N", INT, port, 0, 65535,
              "the port to listen to (default: 0, any that is free)"),
    ARG_SWITCH("open", 0, open, "open the address in a browser: $BROWSER, or xdg-open"),
    ARG("engines", 0, "FILE", INPUT, engines,
        "engines to play against, one a line in the words of match -engine (default: "
        "falconer/engines in $XDG_CONFIG_HOME, or in ~/.config)"),
    ARG_SWITCH("read-only", 0, read_only, "start and stop no runs for a page"),
};

static const ArgSpec spec = {
    .program = "falconer serve",
    .positional = "[FOLDER...]",
    .takes_names = true,
    .summary =
        "Shows runs of evolution, matches, tunings and more below the folders (default: the "
        "current "
        "one) in a\nbrowser, while they go on and afterwards; plays against any weights and the "
        "engines of a list; starts runs.\nPrints the address to open, which holds a secret; "
        "answers this machine alone, until it is interrupted\n(Ctrl-C). See docs/serve.md.",
    .example = "timeout --preserve-status -s INT 2 falconer serve",
    ARG_TABLE(options),
};

// What opens the address, where it is to be opened.
typedef struct Opener {
    bool is_wanted;
    Browser browser;
} Opener;

static void tell(void *context, const char *address) {
    Opener *opener = context;
    print_out("Open %s\n", address);
    fflush(stdout);
    if (opener->is_wanted && browser_open(&opener->browser, address) != OK)
        print_err("falconer serve: %s\n", error_message());
}

static Status serve(const ServeArgs *args, const ArgStrings *folders) {
    static const char *const here[] = {"."};
    Opener opener = {.is_wanted = args->open};
    ServeConfig config = {.folders = here,
                          .folder_count = 1,
                          .engines = args->engines,
                          .is_read_only = args->read_only,
                          .context = &opener,
                          .tell = tell};
    if (folders->count > 0) {
        config.folders = folders->items;
        config.folder_count = folders->count;
    }
    config.port = (unsigned)args->port;
    TRY(signals_open(&config.cancel_fd));
    const Status status = serve_run(&config);
    browser_close(&opener.browser);
    return status;
}

int cmd_serve(int argc, char **argv) {
    ServeArgs args = {0};
    ArgStrings folders = {0};
    TRY_ARGS(args_parse(&spec, argc, argv, &args, &folders));
    const Status status = serve(&args, &folders);
    arg_strings_free(&folders);
    return args_exit(&spec, status);
}
