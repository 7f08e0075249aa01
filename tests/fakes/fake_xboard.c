// SPDX-License-Identifier: GPL-3.0-or-later
// An XBoard engine that misbehaves on request, to test those who talk to such engines.
//   fake_xboard [MODE [N]]
// Without a mode it plays well-behaved, arbitrary, legal moves that depend on the position alone.
// These strike at the N-th move (default: the first) and behave well otherwise: crash exit hang
// illegal no-move flood endless-flood garbage long-line close-output hostile (its move and name are
// commands to a terminal) orphan-crash refuse (it says that our move is illegal) resign lose (it
// claims its own loss) claim (a draw, before its move). These take N milliseconds: late slow-start
// (it asks for that time). These change what it is: old (no features, moves as "1. ... e5") bare
// (features, but neither ping nor setboard) boast (bare, and claims to have won after every move)
// once (reuse=0) san (moves in algebraic notation) no-sd (it does not know that command, and says
// so at once, or at the N-th move) offers (a draw with every move) mates (scores are mates)
// variants (it knows Chess960). And: silent crash-at-start. FAKE_ENGINE_PIDS and FAKE_ENGINE_LOG
// work as for fake_engine.
#include "chess/fen.h"
#include "chess/san.h"
#include "tests/fakes/faking.h"

typedef struct Fake {
    const char *mode;
    long number, moves; // moves: how many it was to make
    bool is_forced;
    Position pos;
} Fake;

static const char no_sd[] = "Error (unknown command): sd";

static bool is_mode(const Fake *fake, const char *mode) {
    return strcmp(fake->mode, mode) == 0;
}

static bool is_bare(const Fake *fake) {
    return is_mode(fake, "bare") || is_mode(fake, "boast");
}

static void answer(Fake *fake) {
    Move moves[MOVES_MAX];
    char text[SAN_SIZE];
    size_t count = movegen(&fake->pos, MOVES_ALL, moves);
    uint64_t hash = hash_of_position(&fake->pos);
    if (count == 0)
        return;
    Move move = moves[(hash >> 32) % count];
    if (is_mode(fake, "san"))
        san_write(&fake->pos, move, text);
    else
        move_to_uci(&fake->pos, move, text);
    int score = (int)(hash >> 56) - 128;
    printf("  %d %d 1 %zu %s\n", 1 + (int)(hash >> 48) % 9,
           is_mode(fake, "mates") ? (score < 0 ? -100003 : 100003) : score, count, text);
    if (is_mode(fake, "offers"))
        puts("offer draw");
    if (is_mode(fake, "old"))
        printf("%d. ... %s\n", fake->pos.fullmove, text);
    else
        printf("move %s\n", text);
    if (is_mode(fake, "boast"))
        puts(position_turn(&fake->pos) == WHITE ? "1-0 {White mates}" : "0-1 {Black mates}");
    fflush(stdout);
    Undo undo;
    position_make(&fake->pos, move, &undo);
}

// What a mode does at its move, instead of it (false) or before it (true).
static bool misbehave(const Fake *fake, const char *last) {
    bool is_white = position_turn(&fake->pos) == WHITE;
    end_badly(fake->mode);
    if (is_mode(fake, "endless-flood"))
        flood("# ", 0);
    if (is_mode(fake, "flood"))
        flood("# ", FAKING_FLOOD);
    else if (is_mode(fake, "garbage"))
        print_noise();
    else if (is_mode(fake, "long-line"))
        print_long_line("# ");
    else if (is_mode(fake, "no-sd") && fake->number > 0)
        say(no_sd);
    else if (is_mode(fake, "claim"))
        say("1/2-1/2 {repetition}");
    else if (is_mode(fake, "illegal"))
        return say("move e1e5"), false;
    else if (is_mode(fake, "hostile"))
        return say("# " FAKING_HOSTILE "\nmove " FAKING_HOSTILE), false;
    else if (is_mode(fake, "no-move"))
        return say("move"), false;
    else if (is_mode(fake, "resign"))
        return say("resign"), false;
    else if (is_mode(fake, "lose"))
        return say(is_white ? "0-1 {White resigns}" : "1-0 {Black resigns}"), false;
    else if (is_mode(fake, "refuse")) {
        printf("Illegal move: %s\n", last);
        fflush(stdout);
        return false;
    }
    return true;
}

static void think(Fake *fake, const char *last) {
    fake->moves++;
    if (is_mode(fake, "late"))
        sleep_ms(fake->number);
    bool is_timed = is_mode(fake, "late") || is_mode(fake, "slow-start");
    if (is_timed || fake->moves != (fake->number == 0 ? 1 : fake->number) || misbehave(fake, last))
        answer(fake);
}

static void greet(const Fake *fake) {
    if (is_mode(fake, "silent"))
        live_forever();
    if (is_mode(fake, "crash-at-start"))
        exit(7);
    if (is_mode(fake, "old"))
        return;
    if (is_mode(fake, "slow-start")) {
        say("feature done=0");
        sleep_ms(fake->number);
    }
    if (is_bare(fake)) {
        say("feature done=1");
        return;
    }
    if (is_mode(fake, "hostile"))
        say("feature myname=\"Fake " FAKING_HOSTILE "\"\ntellusererror " FAKING_HOSTILE);
    printf("feature myname=\"Fake 1.0\" colors=0 sigint=0 unheard=\"of this\"\n"
           "feature ping=1 setboard=1 usermove=1 san=%d reuse=%d memory=1\n",
           is_mode(fake, "san"), !is_mode(fake, "once"));
    if (is_mode(fake, "variants"))
        say("feature variants=\"normal,nocastle,fischerandom\"");
    say("feature option=\"Style -combo calm /// *wild\" option=\"Noise -spin 5 0 10\"\n"
        "feature option=\"Book -check 1\" option=\"Reset it -button\" option=\"Broken\"\n"
        "feature done=1");
}

static void take_move(Fake *fake, StrView text) {
    Move move;
    Undo undo;
    char last[SAN_SIZE];
    if (san_parse(&fake->pos, text, &move) != SAN_OK) {
        printf("Error (unknown command): %.*s\n", (int)text.length, text.text);
        fflush(stdout);
        return;
    }
    snprintf(last, sizeof last, "%.*s", (int)text.length, text.text);
    position_make(&fake->pos, move, &undo);
    if (!fake->is_forced)
        think(fake, last);
}

// True for commands that need no answer.
static bool is_setting(StrView word) {
    static const char *const words[] = {"level",  "st",     "time",   "otim",     "post",
                                        "easy",   "hard",   "result", "accepted", "rejected",
                                        "option", "memory", "cores",  "protover", "?"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (view_equals(word, words[i]))
            return true;
    return false;
}

static void obey(Fake *fake, StrView line) {
    StrView rest = line, word = view_next_word(&rest);
    char told[256];
    snprintf(told, sizeof told, "%.*s", (int)line.length, line.text);
    note("FAKE_ENGINE_LOG", told);
    if (view_equals(word, "xboard")) {
        greet(fake);
    } else if (view_equals(word, "ping") && !is_bare(fake) && !is_mode(fake, "old")) {
        printf("pong %.*s\n", (int)rest.length - 1, rest.text + 1);
        fflush(stdout);
    } else if (view_equals(word, "new")) {
        position_set_start(&fake->pos);
        fake->is_forced = false;
    } else if (view_equals(word, "force")) {
        fake->is_forced = true;
    } else if (view_equals(word, "setboard")) {
        rest = view_trim(rest);
        if (fen_read(&rest, &fake->pos) != OK)
            exit(4);
    } else if (view_equals(word, "go")) {
        fake->is_forced = false;
        think(fake, "");
    } else if (view_equals(word, "usermove")) {
        take_move(fake, view_trim(rest));
    } else if (view_equals(word, "quit")) {
        exit(0);
    } else if (view_equals(word, "sd") && is_mode(fake, "no-sd") && fake->number == 0) {
        say(no_sd);
    } else if (!is_setting(word) && !view_equals(word, "sd")) {
        take_move(fake, word);
    }
}

int main(int argc, char **argv) {
    Fake fake = {.mode = argc > 1 ? argv[1] : "",
                 .number = argc > 2 ? strtol(argv[2], NULL, 10) : 0};
    chess_init();
    position_set_start(&fake.pos);
    note_pid();
    char *text = NULL;
    size_t capacity = 0;
    ssize_t length;
    while ((length = getline(&text, &capacity, stdin)) >= 0)
        obey(&fake, view_trim(view_of(text, (size_t)length)));
    free(text);
    return 0;
}
