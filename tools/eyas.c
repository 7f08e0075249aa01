// SPDX-License-Identifier: GPL-3.0-or-later
// eyas: the UCI engine. Without arguments it talks UCI.
#include "base/str.h"
#include "eval/weights.h"
#include "tools/args.h"
#include "tools/program.h"
#include "uci/uci.h"

#include <stdio.h>
#include <string.h>

enum { BENCH_MAX = 64, WORDS_MAX = 2 };

static int complain(void) {
    fprintf(stderr, "eyas: %s\n", error_message());
    return EXIT_FAILED;
}

static int run_bench(const Weights *weights, const char *depth_text) {
    BenchResult result;
    int64_t depth = 0;
    if (depth_text != NULL &&
        (!view_to_int(view_from_string(depth_text), &depth) || depth < 1 || depth > BENCH_MAX)) {
        fprintf(stderr, "eyas: bench takes a depth from 1 to %d, not '%s'\n", BENCH_MAX,
                depth_text);
        return EXIT_USAGE;
    }
    if (uci_bench(weights, (int)depth, &result) != OK)
        return complain();
    double nps = (double)result.nodes / (result.seconds > 0 ? result.seconds : 1e-9);
    printf("%llu nodes %.0f nps\n", (unsigned long long)result.nodes, nps);
    return EXIT_DONE;
}

static int print_help(FILE *out, int code) {
    fprintf(out,
            "Usage: eyas [--weights FILE] [bench [DEPTH] | --help | --version]\n\n"
            "A chess engine that speaks UCI; any UCI program can drive it.\n\n"
            "  --weights FILE  evaluate with these weights (their family becomes the engine's)\n"
            "  bench           search a fixed set of positions; the node count never varies\n"
            "  --version       print the version\n\n"
            "Example: eyas bench\n");
    return code;
}

static int run(const Weights *weights, const char *command, const char *argument) {
    if (command == NULL)
        return uci_run(weights, stdin, stdout) == OK ? EXIT_DONE : complain();
    if (strcmp(command, "bench") == 0)
        return run_bench(weights, argument);
    fprintf(stderr, "eyas: unknown argument '%s' (see eyas --help)\n", command);
    return EXIT_USAGE;
}

int program_main(int argc, char **argv) {
    const char *file = NULL, *words[WORDS_MAX] = {0};
    size_t count = 0;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            return print_help(stdout, EXIT_DONE);
        if (strcmp(argv[i], "--version") == 0) {
            printf("eyas %s\n", FALCONER_VERSION);
            return EXIT_DONE;
        }
        if (strcmp(argv[i], "--weights") == 0 && i + 1 < argc)
            file = argv[++i];
        else if (strncmp(argv[i], "--weights=", 10) == 0)
            file = argv[i] + 10;
        else if (count < WORDS_MAX && strcmp(argv[i], "--weights") != 0)
            words[count++] = argv[i];
        else
            return print_help(stderr, EXIT_USAGE);
    }
    Weights weights;
    Status status = file == NULL ? weights_load_default(&weights) : weights_load(&weights, file);
    if (status != OK)
        return complain();
    int code = run(&weights, words[0], words[1]);
    weights_free(&weights);
    return code;
}
