// SPDX-License-Identifier: GPL-3.0-or-later
// A UCI engine that misbehaves on request, to test those who talk to engines.
//   fake_engine [MODE [N]]
// Without a mode it plays well-behaved, arbitrary, legal moves that depend on the position alone.
// These strike at the N-th go (default: the first) and behave well otherwise: crash exit hang
// illegal no-move flood endless-flood garbage long-line close-output tireless (knows no limit of
// nodes) hostile (its move and name are commands to a terminal) orphan-crash (crashes while a
// child holds its pipes open). illegal-always does so at every go; poison exits at some positions,
// always the same. These take N milliseconds: late slow-start. These change what it tells: bounds
// (a bound after the exact score) history (scores depend on how many searches there were since
// ucinewgame) mates (scores are mates) twice (every answer) wavers (of six depths, another move is
// best at the second and third). And: silent crash-at-start
// many-options ignore-quit ignore-term child daemon (has one that left the group) daemon-crash (and
// crashes at the first go) wrapped (the engine is the child of another program) continue (at the
// N-th go sends SIGCONT to the process of FAKE_ENGINE_TESTER, as if that had been stopped). Where
// FAKE_ENGINE_PIDS is set, the id of each of its processes is appended to that file, and where
// FAKE_ENGINE_LOG is, every line it is told. While the file that FAKE_ENGINE_HOLD names exists, it
// answers three times and no more.
#include "chess/fen.h"
#include "tests/fakes/faking.h"

enum { ANSWERS_HELD = 3 }; // before it is held

typedef struct Fake {
    const char *mode;
    long number;
    long gos, gos_in_game;
    long lines; // as MultiPV was set
    Position pos;
    Str told; // the arguments of the last "position"
} Fake;

static bool is_mode(const Fake *fake, const char *mode) {
    return strcmp(fake->mode, mode) == 0;
}

// A game that goes on is not played through again, so that benchmarks measure others than us.
static void set_position(Fake *fake, StrView rest) {
    StrView word, all = rest;
    size_t known = fake->told.length;
    if (known > 0 && rest.length > known && memcmp(rest.text, fake->told.text, known) == 0 &&
        rest.text[known] == ' ') {
        rest = view_of(rest.text + known, rest.length - known);
    } else {
        if (view_equals(view_next_word(&rest), "startpos"))
            position_set_start(&fake->pos);
        else if (fen_read(&rest, &fake->pos) != OK)
            exit(4);
    }
    while ((word = view_next_word(&rest)).length > 0) {
        if (view_equals(word, "moves"))
            continue;
        Move move = move_from_uci(&fake->pos, word.text, word.length);
        Undo undo;
        if (move == MOVE_NONE)
            exit(5); // we were told an illegal move
        position_make(&fake->pos, move, &undo);
    }
    str_clear(&fake->told);
    str_append(&fake->told, all.text, all.length);
}

static void waver(const char *best, const char *other) {
    for (int depth = 1; depth <= 6; depth++)
        printf("info depth %d score cp 10 nodes %d pv %s\n", depth, depth * 100,
               depth == 2 || depth == 3 ? other : best);
}

static void answer(const Fake *fake) {
    Move moves[MOVES_MAX];
    char best[UCI_MOVE_SIZE], text[UCI_MOVE_SIZE];
    size_t count = movegen(&fake->pos, MOVES_ALL, moves);
    uint64_t hash = hash_of_position(&fake->pos);
    if (is_mode(fake, "history"))
        hash += (uint64_t)fake->gos_in_game << 56;
    size_t first = count == 0 ? 0 : (hash >> 32) % count;
    int score = (int)(hash >> 56) - 128;
    move_to_uci(&fake->pos, count == 0 ? MOVE_NONE : moves[first], best);
    move_to_uci(&fake->pos, count == 0 ? MOVE_NONE : moves[(first + 1) % count], text);
    if (is_mode(fake, "wavers"))
        waver(best, text);
    else if (is_mode(fake, "mates"))
        printf("info depth 1 score mate %d pv %s\n", score / 10 == 0 ? 1 : score / 10, best);
    else
        printf("info depth 1 score cp %d nodes %zu nps 1000 time 1 pv %s\n", score, count, best);
    if (is_mode(fake, "bounds"))
        printf("info depth 2 score cp 9999 lowerbound pv %s\n", best);
    for (size_t i = 1; i < count && (long)i < fake->lines; i++) {
        move_to_uci(&fake->pos, moves[(first + i) % count], text);
        printf("info depth 1 multipv %zu score cp %d pv %s\n", i + 1, score - 10 * (int)i, text);
    }
    printf("bestmove %s\n", best);
    if (is_mode(fake, "twice"))
        printf("bestmove %s\n", best);
    fflush(stdout);
}

static void print_garbage(void) {
    print_noise();
    fputs("info depth x score cp\ninfo score\ninfo\ninfo depth 99999999999999999999 score cp 1e9 "
          "pv\nbestmov e2e4\n\r\n\n",
          stdout);
}

// What a mode does at its go, instead of the answer (false) or before it (true).
static bool misbehave(const Fake *fake) {
    end_badly(fake->mode);
    if (is_mode(fake, "endless-flood"))
        flood("info string ", 0);
    if (is_mode(fake, "tireless")) {
        say("info depth 9 nodes 900000\ninfo depth 10 nodes 9000000");
        live_forever();
    }
    if (is_mode(fake, "illegal"))
        say("bestmove e1e5");
    else if (is_mode(fake, "hostile"))
        say("info string " FAKING_HOSTILE "\nbestmove " FAKING_HOSTILE);
    else if (is_mode(fake, "no-move"))
        say("info depth 7 score cp 9 nodes 70 pv e2e4\nbestmove");
    else if (is_mode(fake, "flood"))
        flood("info string ", FAKING_FLOOD);
    else if (is_mode(fake, "garbage"))
        print_garbage();
    else if (is_mode(fake, "continue"))
        kill((pid_t)strtol(getenv("FAKE_ENGINE_TESTER"), NULL, 10), SIGCONT);
    else if (is_mode(fake, "long-line"))
        print_long_line("info string ");
    return !is_mode(fake, "illegal") && !is_mode(fake, "no-move") && !is_mode(fake, "hostile");
}

static void wait_while_held(void) {
    const char *path = getenv("FAKE_ENGINE_HOLD");
    while (path != NULL && access(path, F_OK) == 0)
        sleep_ms(10);
}

static void think(Fake *fake) {
    fake->gos++;
    fake->gos_in_game++;
    if (is_mode(fake, "late"))
        sleep_ms(fake->number);
    if (fake->gos > ANSWERS_HELD)
        wait_while_held();
    if (is_mode(fake, "poison") && fake->pos.key % 8 == 0)
        exit(6);
    if (is_mode(fake, "illegal-always")) {
        say("bestmove e1e5");
        return;
    }
    bool is_timed = is_mode(fake, "late") || is_mode(fake, "slow-start");
    if (is_timed || fake->gos != (fake->number == 0 ? 1 : fake->number) || misbehave(fake))
        answer(fake);
}

static void greet(const Fake *fake) {
    if (is_mode(fake, "silent"))
        live_forever();
    if (is_mode(fake, "slow-start"))
        sleep_ms(fake->number);
    if (is_mode(fake, "crash-at-start"))
        exit(7);
    for (int i = 0; is_mode(fake, "many-options") && i < 5000; i++)
        printf("option name Option %d type spin default 1 min 1 max 2\n", i);
    if (is_mode(fake, "hostile"))
        say("option name " FAKING_HOSTILE " type combo default " FAKING_HOSTILE
            " var " FAKING_HOSTILE);
    say(is_mode(fake, "hostile") ? "id name Fake " FAKING_HOSTILE : "id name Fake");
    say("id author Falconer\n"
        "option name Hash type spin default 16 min 1 max 1024\n"
        "option name Number of Threads type spin default 4 min 1 max 64\n"
        "option name OwnBook type check default true\n"
        "option name Ponder type check default false\n"
        "option name MultiPV type spin default 1 min 1 max 10\n"
        "option name Style type combo default Calm and Quiet var Calm and Quiet var Wild\n"
        "option name Clear Hash type button\n"
        "option name Book File type string default <empty>\n"
        "option name Broken\n"
        "uciok");
}

// Called at quit and at the end of the input.
static void leave(const Fake *fake) {
    if (is_mode(fake, "ignore-quit") || is_mode(fake, "ignore-term"))
        live_forever();
    exit(0);
}

static void set_option(Fake *fake, StrView rest) {
    static const char multipv[] = "name MultiPV value ";
    if (rest.length > sizeof multipv - 1 && memcmp(rest.text, multipv, sizeof multipv - 1) == 0)
        fake->lines = strtol(rest.text + sizeof multipv - 1, NULL, 10);
}

static void obey(Fake *fake, StrView line) {
    StrView rest = line;
    StrView word = view_next_word(&rest);
    char told[256];
    snprintf(told, sizeof told, "%.*s", (int)line.length, line.text);
    note("FAKE_ENGINE_LOG", told);
    if (view_equals(word, "uci"))
        greet(fake);
    else if (view_equals(word, "isready"))
        say("readyok");
    else if (view_equals(word, "ucinewgame"))
        fake->gos_in_game = 0;
    else if (view_equals(word, "setoption"))
        set_option(fake, view_trim(rest));
    else if (view_equals(word, "position"))
        set_position(fake, rest);
    else if (view_equals(word, "go"))
        think(fake);
    else if (view_equals(word, "quit"))
        leave(fake);
}

int main(int argc, char **argv) {
    Fake fake = {.mode = argc > 1 ? argv[1] : "",
                 .number = argc > 2 ? strtol(argv[2], NULL, 10) : 0};
    chess_init();
    position_set_start(&fake.pos);
    if (is_mode(&fake, "ignore-term"))
        signal(SIGTERM, SIG_IGN);
    note_pid();
    if (is_mode(&fake, "child"))
        fork_child();
    if (is_mode(&fake, "wrapped"))
        wrap();
    if (is_mode(&fake, "daemon") || is_mode(&fake, "daemon-crash"))
        fork_daemon();
    char *text = NULL;
    size_t capacity = 0;
    ssize_t length;
    while ((length = getline(&text, &capacity, stdin)) >= 0)
        obey(&fake, view_trim(view_of(text, (size_t)length)));
    free(text);
    str_free(&fake.told);
    leave(&fake);
    return 0;
}
