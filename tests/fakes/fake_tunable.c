// SPDX-License-Identifier: GPL-3.0-or-later
// A UCI engine with number options that make it strong or weak, to test those who tune engines.
//   fake_tunable [MODE]
// It plays arbitrary legal moves that depend on the position and its options, and is strongest with
// A = 70 and B = 30: the farther its options are from that, the oftener it thinks that it has lost,
// so that with adjudication it loses. Modes: deaf (options change nothing), crash (when A is above
// 90), slow (1 ms a move). Where FAKE_ENGINE_PIDS is set, its process id is appended to that file.
#include "chess/fen.h"
#include "chess/movegen.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BEST_A = 70, BEST_B = 30, LOST_CP = -2000, SLOW_US = 1000 };

typedef struct Tunable {
    const char *mode;
    long a, b;
    Position pos;
} Tunable;

static void set_position(Tunable *tunable, StrView rest) {
    StrView word = view_next_word(&rest);
    if (view_equals(word, "startpos"))
        position_set_start(&tunable->pos);
    else if (fen_read(&rest, &tunable->pos) != OK)
        exit(4);
    while ((word = view_next_word(&rest)).length > 0) {
        if (view_equals(word, "moves"))
            continue;
        Move move = move_from_uci(&tunable->pos, word.text, word.length);
        Undo undo;
        if (move == MOVE_NONE)
            exit(5);
        position_make(&tunable->pos, move, &undo);
    }
}

static uint64_t mix(uint64_t value) {
    value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9u;
    value = (value ^ value >> 27) * 0x94D049BB133111EBu;
    return value ^ value >> 31;
}

// Squares of the distances along both options, in thousandths of a lost game.
static long distance(const Tunable *tunable) {
    long a = tunable->a - BEST_A, b = tunable->b - BEST_B;
    return strcmp(tunable->mode, "deaf") == 0 ? 100 : 20 + (a * a + b * b) / 40;
}

static void answer(const Tunable *tunable) {
    Move moves[MOVES_MAX];
    char best[UCI_MOVE_SIZE];
    bool is_deaf = strcmp(tunable->mode, "deaf") == 0;
    uint64_t options = is_deaf ? 0 : (uint64_t)(tunable->a * 1000 + tunable->b);
    uint64_t hash = mix(tunable->pos.key ^ mix(options));
    size_t count = movegen(&tunable->pos, MOVES_ALL, moves);
    if (strcmp(tunable->mode, "crash") == 0 && tunable->a > 90) {
        // A sanitizer would catch it and exit politely.
        signal(SIGSEGV, SIG_DFL);
        raise(SIGSEGV);
    }
    if (strcmp(tunable->mode, "slow") == 0)
        usleep(SLOW_US);
    move_to_uci(&tunable->pos, count == 0 ? MOVE_NONE : moves[(hash >> 32) % count], best);
    bool is_lost = (long)(hash % 1000) < distance(tunable);
    printf("info depth 1 score cp %d nodes %zu pv %s\nbestmove %s\n",
           is_lost ? LOST_CP : (int)(hash % 100), count, best, best);
}

static void set_option(Tunable *tunable, const char *line) {
    long value;
    if (sscanf(line, "setoption name A value %ld", &value) == 1)
        tunable->a = value;
    else if (sscanf(line, "setoption name B value %ld", &value) == 1)
        tunable->b = value;
}

static void note_pid(void) {
    const char *path = getenv("FAKE_ENGINE_PIDS");
    FILE *file = path == NULL ? NULL : fopen(path, "a");
    if (file == NULL)
        return;
    fprintf(file, "%d\n", (int)getpid());
    fclose(file);
}

int main(int argc, char **argv) {
    Tunable tunable = {.mode = argc > 1 ? argv[1] : "", .a = 20, .b = 80};
    static char line[1 << 16];
    chess_init();
    note_pid();
    position_set_start(&tunable.pos);
    while (fgets(line, sizeof line, stdin) != NULL) {
        StrView rest = view_trim(view_from_string(line)), word = view_next_word(&rest);
        if (view_equals(word, "uci"))
            printf("id name tunable\n"
                   "option name A type spin default 20 min 0 max 100\n"
                   "option name B type spin default 80 min 0 max 100\n"
                   "option name Idle type spin default 5 min 0 max 9\n"
                   "option name Style type combo default Calm var Calm var Wild\nuciok\n");
        else if (view_equals(word, "isready"))
            printf("readyok\n");
        else if (view_equals(word, "setoption"))
            set_option(&tunable, line);
        else if (view_equals(word, "position"))
            set_position(&tunable, rest);
        else if (view_equals(word, "go"))
            answer(&tunable);
        else if (view_equals(word, "quit"))
            break;
        fflush(stdout);
    }
    return 0;
}
