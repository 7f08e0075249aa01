// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as the engine's input. Every "go" is answered by one best move after a score, every
// "isready" by one answer. Lines are changed only so that each input takes a moment: searches get a
// limit of nodes, tables and threads stay small, and files are those of no other directory.
#include "base/hash.h"
#include "fuzz/fuzz.h"
#include "uci/engine.h"

#include <string.h>

enum { INPUT_MAX = 2048, GO_MAX = 3, SPIN_MAX = 2, HASH_MB = 1 };

typedef struct Script {
    Str text;
    size_t searches, questions, options, costly; // how many there are
    bool quits, stops, takes_costly;
} Script;

static bool has_word(StrView line, const char *text) {
    for (StrView word; (word = view_next_word(&line)).length > 0;)
        if (view_equals_ignoring_case(word, text))
            return true;
    return false;
}

// A perft has no limit of nodes and a search no end without one, so the limit comes last.
static void add_go(Script *script, StrView line) {
    if (has_word(line, "perft") || script->searches == GO_MAX)
        return;
    str_append(&script->text, line.text, line.length);
    str_add(&script->text, " nodes 20\n");
    script->searches++;
}

static void add_option(Script *script, StrView line) {
    int64_t number = 0;
    bool is_costly = has_word(line, "Hash") || has_word(line, "Threads");
    if (is_costly && (!script->takes_costly || script->costly++ > 0))
        return;
    for (StrView rest = line, word; (word = view_next_word(&rest)).length > 0;)
        if (is_costly && view_to_int(word, &number) && number > SPIN_MAX)
            return;
    for (size_t i = 0; i < line.length; i++) {
        const char c = line.text[i] == '/' ? '_' : line.text[i];
        str_append(&script->text, &c, 1);
    }
    str_add(&script->text, "\n");
    script->options++;
}

static void add_line(Script *script, StrView line) {
    StrView rest = line, word = view_next_word(&rest);
    if (view_equals(word, "go")) {
        add_go(script, line);
    } else if (view_equals(word, "setoption")) {
        add_option(script, line);
    } else if (!view_equals(word, "perft") && !view_equals(word, "bench") &&
               !view_equals(word, "genfens")) {
        script->questions += view_equals(word, "isready");
        script->stops |= view_equals(word, "stop");
        script->quits = view_equals(view_trim(line), "quit");
        str_append(&script->text, line.text, line.length);
        str_add(&script->text, "\n");
    }
}

static void check_best(StrView line, bool is_scored) {
    MUST_HOLD(is_scored);
    StrView word = view_next_word(&line);
    word = view_next_word(&line);
    MUST_HOLD(word.length == 4 || word.length == 5);
    StrView ponder = view_next_word(&line);
    MUST_HOLD(ponder.length == 0 || view_equals(ponder, "ponder"));
}

static void check_output(const Script *script, StrView said) {
    size_t searches = 0, questions = 0;
    bool is_scored = false;
    while (said.length > 0) {
        const char *end = memchr(said.text, '\n', said.length);
        MUST_HOLD(end != NULL);
        StrView line = view_of(said.text, (size_t)(end - said.text)), rest = line;
        StrView word = view_next_word(&rest);
        if (view_equals(word, "info") && has_word(line, "score"))
            is_scored = true;
        questions += view_equals(line, "readyok");
        if (view_equals(word, "bestmove")) {
            check_best(line, is_scored);
            is_scored = false;
            searches++;
        }
        said = view_of(end + 1, said.length - line.length - 1);
    }
    MUST_HOLD(searches == script->searches);
    MUST_HOLD(questions == script->questions);
}

static Engine *create_engine(void) {
    Engine *engine;
    Weights weights;
    MUST_HOLD(weights_load_default(&weights) == OK);
    MUST_HOLD(engine_create(&engine, &(UciStart){.weights = &weights, .tunable = true}, stdout) ==
              OK);
    MUST_HOLD(engine_set_hash(engine, HASH_MB) == OK);
    weights_free(&weights);
    return engine;
}

// Forgets what the script did; what takes long only where the script makes it necessary.
static void forget(Engine *engine, const Script *script) {
    if (engine->hash_mb != HASH_MB)
        MUST_HOLD(engine_set_hash(engine, HASH_MB) == OK);
    if (script->options > 0)
        engine_reset(engine);
    else if (script->searches > 0)
        engine_new_game(engine);
    uci_position(engine, view_from_string("startpos"));
}

static void converse(Engine *engine, const Script *script) {
    char *said = NULL;
    size_t said_size = 0;
    FILE *out = open_memstream(&said, &said_size);
    FILE *in = fmemopen(script->text.text, script->text.length, "r");
    MUST_HOLD(in != NULL && out != NULL);
    engine->out = out;
    engine->thinks_in_line = !script->stops; // threads take longer than such short searches
    uci_converse(engine, in);
    engine_stop(engine);
    fclose(in);
    fclose(out);
    check_output(script, view_of(said, said_size));
    free(said);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size > INPUT_MAX)
        return 0;
    // Tables and threads take longer than all else: one input of sixteen may have others.
    Script script = {.takes_costly = hash_bytes(HASH_START, data, size) % 16 == 0};
    StrView rest = view_of((const char *)data, size);
    while (rest.length > 0 && !script.quits) {
        const char *end = memchr(rest.text, '\n', rest.length);
        size_t length = end == NULL ? rest.length : (size_t)(end - rest.text);
        add_line(&script, view_of(rest.text, length));
        length += end != NULL;
        rest = view_of(rest.text + length, rest.length - length);
    }
    // Making an engine takes much longer than an input, so that one serves all of them.
    static Engine *engine;
    if (engine == NULL)
        engine = create_engine();
    if (script.text.length > 0) {
        converse(engine, &script);
        forget(engine, &script);
    }
    str_free(&script.text);
    return 0;
}
