// SPDX-License-Identifier: GPL-3.0-or-later
// The bare loop that bench/label compares with: writes a position, reads until bestmove, checks
// nothing, keeps nothing.
//   label_bare ENGINE PROCESSES DEPTH FILE [OPTION=VALUE]...
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LINE_SIZE = 4096 };

typedef struct Engine {
    FILE *in, *out;
} Engine;

static bool start(const char *command, Engine *engine) {
    int to[2], from[2];
    if (pipe(to) != 0 || pipe(from) != 0)
        return false;
    pid_t pid = fork();
    if (pid == 0) {
        dup2(to[0], STDIN_FILENO);
        dup2(from[1], STDOUT_FILENO);
        close(to[0]), close(to[1]), close(from[0]), close(from[1]);
        execlp(command, command, (char *)NULL);
        _exit(127);
    }
    close(to[0]), close(from[1]);
    engine->in = fdopen(to[1], "w");
    engine->out = fdopen(from[0], "r");
    return pid > 0 && engine->in != NULL && engine->out != NULL;
}

static bool wait_for(Engine *engine, const char *word) {
    char line[LINE_SIZE];
    fflush(engine->in);
    while (fgets(line, sizeof line, engine->out) != NULL)
        if (strncmp(line, word, strlen(word)) == 0)
            return true;
    return false;
}

static bool set_options(Engine *engine, char **options, int count) {
    fputs("uci\n", engine->in);
    if (!wait_for(engine, "uciok"))
        return false;
    for (int i = 0; i < count; i++) {
        const int length = (int)strcspn(options[i], "=");
        fprintf(engine->in, "setoption name %.*s value %s\n", length, options[i],
                options[i] + length + 1);
    }
    fputs("isready\n", engine->in);
    return wait_for(engine, "readyok");
}

// Every `step`-th position of the file, from the one numbered `first`.
static bool ask_share(Engine *engine, const char *path, const char *depth, int first, int step) {
    char line[LINE_SIZE];
    FILE *file = fopen(path, "r");
    bool is_good = file != NULL;
    for (int i = 0; is_good && fgets(line, sizeof line, file) != NULL; i++) {
        if (i % step != first)
            continue;
        line[strcspn(line, "\n")] = '\0';
        fputs("ucinewgame\nisready\n", engine->in);
        is_good = wait_for(engine, "readyok");
        fprintf(engine->in, "position fen %s 0 1\ngo depth %s\n", line, depth);
        is_good = is_good && wait_for(engine, "bestmove");
    }
    if (file != NULL)
        fclose(file);
    return is_good;
}

int main(int argc, char **argv) {
    if (argc < 5) {
        fprintf(stderr, "usage: label_bare ENGINE PROCESSES DEPTH FILE [OPTION=VALUE]...\n");
        return 2;
    }
    const int processes = atoi(argv[2]);
    bool is_good = true;
    for (int i = 0; i < processes; i++) {
        if (fork() != 0)
            continue;
        Engine engine;
        is_good = start(argv[1], &engine) && set_options(&engine, argv + 5, argc - 5) &&
                  ask_share(&engine, argv[4], argv[3], i, processes);
        if (is_good) {
            fputs("quit\n", engine.in);
            fflush(engine.in);
        }
        return is_good ? 0 : 1;
    }
    int status;
    while (wait(&status) > 0)
        is_good = is_good && status == 0;
    return is_good ? 0 : 1;
}
