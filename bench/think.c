// SPDX-License-Identifier: GPL-3.0-or-later
// think movetime|depth N FENS REPEATS ENGINE...: lets each engine think about each position, one
// engine after the other so that all meet the same moments of the machine, each position as a new
// game. Prints a line per engine: name, nodes and milliseconds of its last report, milliseconds
// until its move.
#include "chess/fen.h"
#include "engines/client.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ENGINES_MAX = 8, CAP_MS = 600000 };

typedef struct Contender {
    EngineSpec spec;
    EngineClient *client;
    uint64_t nodes;
    int64_t reported_ms, elapsed_ns;
} Contender;

static int fail(void) {
    fprintf(stderr, "think: %s\n", error_message());
    return 1;
}

static Status open_contender(Contender *contender, const char *text) {
    contender->spec = engine_spec_init();
    Status status = engine_spec_parse(&contender->spec, text);
    if (status == OK)
        status = engine_spec_finish(&contender->spec);
    ClientConfig config = {.spec = &contender->spec, .cancel_fd = -1};
    return status == OK ? client_open(&contender->client, &config) : status;
}

static Status think(Contender *contender, const Position *pos, const Limits *go) {
    EngineAnswer answer;
    TRY(client_new_game(contender->client, pos));
    TRY(client_go(contender->client, go, NULL, &answer));
    contender->nodes += answer.info.nodes;
    contender->reported_ms += answer.info.time_ms;
    contender->elapsed_ns += answer.elapsed_ns;
    return OK;
}

static Status think_all(Contender *contenders, size_t count, const char *path, const Limits *go) {
    FILE *file = fopen(path, "r");
    char line[256];
    if (file == NULL)
        return error_set(ERR_IO, "%s cannot be read", path);
    Status status = OK;
    while (status == OK && fgets(line, sizeof line, file) != NULL) {
        Position pos;
        line[strcspn(line, "\n")] = '\0';
        status = fen_parse(line, &pos);
        for (size_t i = 0; i < count && status == OK; i++)
            status = think(&contenders[i], &pos, go);
    }
    fclose(file);
    return status;
}

int main(int argc, char **argv) {
    static Contender contenders[ENGINES_MAX];
    if (argc < 6 || argc > 5 + ENGINES_MAX) {
        fprintf(stderr, "usage: think movetime|depth N FENS REPEATS ENGINE...\n");
        return 2;
    }
    chess_init();
    Limits go = {.cap_ms = CAP_MS};
    if (strcmp(argv[1], "movetime") == 0)
        go.move_ms = atoi(argv[2]);
    else
        go.depth = atoi(argv[2]);
    size_t count = (size_t)argc - 5;
    for (size_t i = 0; i < count; i++)
        if (open_contender(&contenders[i], argv[5 + i]) != OK)
            return fail();
    for (int repeat = atoi(argv[4]); repeat > 0; repeat--)
        if (think_all(contenders, count, argv[3], &go) != OK)
            return fail();
    for (size_t i = 0; i < count; i++) {
        Contender *contender = &contenders[i];
        printf("%s %" PRIu64 " %" PRId64 " %" PRId64 "\n", contender->spec.name, contender->nodes,
               contender->reported_ms, contender->elapsed_ns / 1000000);
        client_close(contender->client);
        engine_spec_deinit(&contender->spec);
    }
    return 0;
}
