// SPDX-License-Identifier: GPL-3.0-or-later
// What bench/match measures with. CPU times are a program's own, without those of its children.
//   match_measure watch COMMAND...     runs a match; its CPU time, and its memory after game 100
//                                      and after the last: "USER_S SYSTEM_S FIRST_KB LAST_KB"
//   match_measure echo PLIES           two threads, each with two children that send back what
//                                      they get, asked in turn: "USER_S SYSTEM_S"
//   match_measure inside GAMES NODES   an organism against itself: "CPU_S SEARCH_CPU_S PLIES"
#include "chess/position.h"
#include "eval/weights.h"
#include "match/play/game.h"
#include "match/play/player_organism.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MESSAGE_SIZE = 64, FIRST_GAME = 100, LINE_SIZE = 4096 };

static long resident_kb(pid_t pid) {
    char path[64];
    long pages, resident = 0;
    snprintf(path, sizeof path, "/proc/%d/statm", (int)pid);
    FILE *file = fopen(path, "r");
    if (file != NULL && fscanf(file, "%ld %ld", &pages, &resident) != 2)
        resident = 0;
    if (file != NULL)
        fclose(file);
    return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

// The CPU time of a process that has ended and was not yet waited for.
static bool own_seconds(pid_t pid, double *user, double *system) {
    char path[64], line[LINE_SIZE];
    unsigned long user_ticks, system_ticks;
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *file = fopen(path, "r");
    bool is_read = file != NULL && fgets(line, sizeof line, file) != NULL;
    if (file != NULL)
        fclose(file);
    const char *after = is_read ? strrchr(line, ')') : NULL;
    if (after == NULL || sscanf(after + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu",
                                &user_ticks, &system_ticks) != 2)
        return false;
    *user = (double)user_ticks / (double)sysconf(_SC_CLK_TCK);
    *system = (double)system_ticks / (double)sysconf(_SC_CLK_TCK);
    return true;
}

static int watch(char **command) {
    int pipe_fds[2];
    char line[LINE_SIZE];
    long first_kb = 0, last_kb = 0;
    unsigned games = 0;
    if (pipe(pipe_fds) != 0)
        return 1;
    pid_t pid = fork();
    if (pid == 0) {
        dup2(pipe_fds[1], STDOUT_FILENO);
        close(pipe_fds[0]), close(pipe_fds[1]);
        execvp(command[0], command);
        _exit(127);
    }
    close(pipe_fds[1]);
    FILE *said = fdopen(pipe_fds[0], "r");
    while (said != NULL && fgets(line, sizeof line, said) != NULL) {
        if (strncmp(line, "Finished game ", 14) != 0)
            continue;
        if (++games == FIRST_GAME)
            first_kb = resident_kb(pid);
        if (games % FIRST_GAME == 0)
            last_kb = resident_kb(pid);
    }
    siginfo_t info;
    double user, system;
    if (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT) != 0 || info.si_status != 0 ||
        !own_seconds(pid, &user, &system))
        return 1;
    printf("%.2f %.2f %ld %ld\n", user, system, first_kb, last_kb);
    return 0;
}

typedef struct Child {
    int in, out;
} Child;

static bool start_child(Child *child) {
    int to[2], from[2];
    if (pipe(to) != 0 || pipe(from) != 0)
        return false;
    pid_t pid = fork();
    if (pid == 0) {
        char bytes[MESSAGE_SIZE];
        close(to[1]), close(from[0]);
        for (ssize_t got; (got = read(to[0], bytes, sizeof bytes)) > 0;)
            if (write(from[1], bytes, (size_t)got) != got)
                break;
        _exit(0);
    }
    close(to[0]), close(from[1]);
    *child = (Child){to[1], from[0]};
    return pid > 0;
}

typedef struct Echo {
    Child children[2];
    long plies;
    bool is_ok;
} Echo;

static void *ask_in_turn(void *context) {
    Echo *echo = context;
    char bytes[MESSAGE_SIZE];
    memset(bytes, 'x', sizeof bytes);
    echo->is_ok = true;
    for (long i = 0; i < echo->plies && echo->is_ok; i++) {
        const Child *child = &echo->children[i % 2];
        echo->is_ok = write(child->in, bytes, sizeof bytes) == sizeof bytes &&
                      read(child->out, bytes, sizeof bytes) == sizeof bytes;
    }
    return NULL;
}

static double seconds_of(struct timeval time) {
    return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

static int echo(long plies) {
    Echo echoes[2] = {{.plies = plies / 2}, {.plies = plies / 2}};
    pthread_t threads[2];
    // Each child holds open the pipes of those before it: at our end the last one ends first.
    for (int i = 0; i < 4; i++)
        if (!start_child(&echoes[i / 2].children[i % 2]))
            return 1;
    for (int i = 0; i < 2; i++)
        if (pthread_create(&threads[i], NULL, ask_in_turn, &echoes[i]) != 0)
            return 1;
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("%.2f %.2f\n", seconds_of(usage.ru_utime), seconds_of(usage.ru_stime));
    return echoes[0].is_ok && echoes[1].is_ok ? 0 : 1;
}

// A player that knows how much CPU time its thinking took, which is all search.
typedef struct Timed {
    Player inner;
    int64_t think_ns;
} Timed;

static int64_t cpu_now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static Fault timed_new_game(void *self, const Position *start) {
    const Player *inner = &((Timed *)self)->inner;
    return inner->ops->new_game(inner->self, start);
}

static void timed_push_move(void *self, Move move) {
    const Player *inner = &((Timed *)self)->inner;
    inner->ops->push_move(inner->self, move);
}

static Fault timed_think(void *self, const Position *pos, const Limits *limits,
                         const PlayerListener *listener, PlayerAnswer *out) {
    Timed *timed = self;
    int64_t start = cpu_now_ns();
    Fault fault = timed->inner.ops->think(timed->inner.self, pos, limits, listener, out);
    timed->think_ns += cpu_now_ns() - start;
    return fault;
}

static int inside(long games, unsigned long nodes) {
    static const PlayerOps ops = {timed_new_game, timed_push_move, timed_think, NULL, NULL};
    Weights weights;
    chess_init();
    if (weights_load_default(&weights) != OK)
        return 1;
    OrganismConfig organism = {&weights, features_of(PROFILE_MODERN), 0, -1};
    Timed timed[2] = {{player_organism_create(&organism, "white"), 0},
                      {player_organism_create(&organism, "black"), 0}};
    Player players[2] = {{&ops, &timed[0], "white"}, {&ops, &timed[1], "black"}};
    GameSide side = {.limits = {.nodes = nodes}};
    GameConfig config = {.sides = {side, side}, .cap_ms = 60000};
    position_set_start(&config.start);
    int64_t start = cpu_now_ns();
    size_t plies = 0;
    for (long i = 0; i < games; i++) {
        GameRecord record;
        game_play(&config, &players[0], &players[1], &record);
        plies += record.count;
        game_record_deinit(&record);
    }
    printf("%.3f %.3f %zu\n", (double)(cpu_now_ns() - start) / 1e9,
           (double)(timed[0].think_ns + timed[1].think_ns) / 1e9, plies);
    for (int i = 0; i < 2; i++)
        timed[i].inner.ops->close(timed[i].inner.self);
    weights_free(&weights);
    return 0;
}

int main(int argc, char **argv) {
    if (argc >= 3 && strcmp(argv[1], "watch") == 0)
        return watch(argv + 2);
    if (argc == 3 && strcmp(argv[1], "echo") == 0)
        return echo(strtol(argv[2], NULL, 10));
    if (argc == 4 && strcmp(argv[1], "inside") == 0)
        return inside(strtol(argv[2], NULL, 10), strtoul(argv[3], NULL, 10));
    fputs("usage: match_measure watch COMMAND... | echo PLIES | inside GAMES NODES\n", stderr);
    return 2;
}
