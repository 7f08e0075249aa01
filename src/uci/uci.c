// SPDX-License-Identifier: GPL-3.0-or-later
// The loop: one line in, one handler.
#include "uci/uci.h"

#include "uci/engine.h"

#include <stdlib.h>
#include <string.h>

enum { LINE_MAX_BYTES = 1 << 20 };

#ifndef FALCONER_VERSION
#define FALCONER_VERSION "unknown"
#endif

static void say_uci(Engine *engine, StrView rest) {
    (void)rest;
    const bool is_other = engine->whose.length > 0; // than the built-in weights
    engine_say(engine, "id name Eyas " FALCONER_VERSION "%s%s%s", is_other ? " (" : "",
               str_text(&engine->whose), is_other ? ")" : "");
    engine_say(engine, "id author the Falconer developers");
    uci_options_print(engine);
    engine_say(engine, "uciok");
}

// May be asked at any time, also while the engine thinks.
static void say_ready(Engine *engine, StrView rest) {
    (void)rest;
    if (!engine->thinking)
        engine_apply_settings(engine);
    engine_say(engine, "readyok");
}

// The name may be several words; the value is the rest of the line as it stands, for it may be a
// path.
static void set_option(Engine *engine, StrView rest) {
    CLEANUP(str_free) Str name = {0};
    CLEANUP(str_free) Str value = {0};
    StrView word = view_next_word(&rest);
    if (view_equals(word, "name"))
        word = view_next_word(&rest);
    for (; word.length > 0 && !view_equals(word, "value"); word = view_next_word(&rest)) {
        if (name.length > 0)
            str_add(&name, " ");
        str_append(&name, word.text, word.length);
    }
    rest = view_trim(rest);
    str_append(&value, rest.text, rest.length);
    uci_options_set(engine, str_text(&name), str_text(&value));
}

static void new_game(Engine *engine, StrView rest) {
    (void)rest;
    engine_new_game(engine);
}

static void stop(Engine *engine, StrView rest) {
    (void)rest;
    engine_stop(engine);
}

static void ponderhit(Engine *engine, StrView rest) {
    (void)rest;
    search_ponderhit(engine->search);
}

static void ignore(Engine *engine, StrView rest) {
    (void)engine, (void)rest;
}

typedef struct Command {
    const char *word;
    void (*run)(Engine *engine, StrView rest);
    bool while_thinking; // otherwise a search that runs is stopped first
} Command;

static const Command commands[] = {
    {"uci", say_uci, true},
    {"isready", say_ready, true},
    {"setoption", set_option, false},
    {"ucinewgame", new_game, false},
    {"position", uci_position, false},
    {"go", uci_go, false},
    {"stop", stop, true},
    {"ponderhit", ponderhit, true},
    {"d", uci_show_position, true},
    {"eval", uci_eval, false},
    {"perft", uci_perft, false},
    {"bench", uci_bench_here, false},
    {"genfens", uci_genfens_here, false},
    {"help", uci_help, true},
    {"debug", ignore, true},
    {"register", ignore, true},
};

static void run_command(Engine *engine, StrView line) {
    StrView rest = line, word = view_next_word(&rest);
    if (word.length == 0)
        return;
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        if (view_equals(word, commands[i].word)) {
            if (!commands[i].while_thinking)
                engine_stop(engine);
            commands[i].run(engine, rest);
            return;
        }
    engine_say(engine, "info string unknown command '%.*s'%s",
               (int)(word.length < 40 ? word.length : 40), word.text,
               engine->by_hand ? ": 'help' lists them" : "");
}

// Reads a line of bounded length, without its end; false at the end of the input. Of what is too
// long only the beginning is kept.
static bool read_line(FILE *in, Str *line, bool *too_long) {
    str_clear(line);
    *too_long = false;
    int c;
    while ((c = getc(in)) != EOF && c != '\n') {
        const char byte = (char)c;
        if (line->length < LINE_MAX_BYTES)
            str_append(line, &byte, 1);
        else
            *too_long = true;
    }
    return c != EOF || line->length > 0;
}

void uci_converse(Engine *engine, FILE *in) {
    CLEANUP(str_free) Str line = {0};
    bool too_long;
    while (read_line(in, &line, &too_long)) {
        StrView text = {str_text(&line), line.length};
        if (too_long) {
            engine_say(engine, "info string a line of more than %d bytes is ignored",
                       LINE_MAX_BYTES);
            continue;
        }
        if (view_equals(view_trim(text), "quit"))
            break;
        run_command(engine, text);
    }
}

Status uci_run(const UciStart *start, FILE *in, FILE *out) {
    CLEANUP(engine_destroy_at) Engine *engine = NULL;
    TRY(engine_create(&engine, start, out));
    if (start->by_hand)
        uci_greet(engine);
    uci_converse(engine, in);
    return OK;
}
