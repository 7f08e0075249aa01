// SPDX-License-Identifier: GPL-3.0-or-later
// The engine in a browser, for the worker of a page (web/eyas.js): lines of UCI, and what a page
// with a board asks besides. What is passed in is put into eyas_room; what the engine says goes to
// standard output.
#include "board/play_answers.h"
#include "uci/engine.h"

#include <string.h>

#define EXPORT(name) __attribute__((export_name(#name)))

static Str room;   // what was passed in
static Str answer; // to a question, or the reason why there is none
static Engine *engine;

// Where `size` bytes are to be put, for the next call.
EXPORT(eyas_room) char *eyas_room(size_t size) {
    str_clear(&room);
    str_reserve(&room, size + 1);
    room.length = size;
    room.text[size] = '\0';
    return room.text;
}

EXPORT(eyas_answer) const char *eyas_answer(void) {
    return str_text(&answer);
}

EXPORT(eyas_answer_length) size_t eyas_answer_length(void) {
    return answer.length;
}

// Whether it went well; else the answer is the reason.
static bool tell(Status status) {
    if (status != OK)
        str_setf(&answer, "%s", error_message());
    return status == OK;
}

// As with a book that lies beside the weights.
static Status take_book(StrView bytes) {
    if (bytes.length == 0)
        return OK;
    TRY_PREFIX(book_from_bytes(&engine->book, (const uint8_t *)bytes.text, bytes.length), "book");
    engine->own_book = true;
    return OK;
}

static Status start(const char *name, StrView text, StrView book) {
    CLEANUP(weights_free) Weights weights = {0};
    TRY(weights_parse(&weights, text, name));
    TRY(engine_create(&engine, &(UciStart){.weights = &weights, .weights_path = name}, stdout));
    return take_book(book);
}

// Once, before all else. The room holds the name of the weights file with its NUL, the file, and a
// book, which may be empty.
EXPORT(eyas_start) bool eyas_start(size_t name_size, size_t weights_size) {
    const char *weights = room.text + name_size, *book = weights + weights_size;
    return tell(start(room.text, view_of(weights, weights_size),
                      view_of(book, room.length - name_size - weights_size)));
}

// Nothing could stop such a search: messages come in when it has ended.
static bool waits_to_be_stopped(StrView line) {
    StrView word = view_next_word(&line);
    if (!view_equals(word, "go"))
        return false;
    while ((word = view_next_word(&line)).length > 0)
        if (view_equals(word, "infinite") || view_equals(word, "ponder"))
            return true;
    return false;
}

// A line of UCI. Returns when everything was said, the best move of a search too.
EXPORT(eyas_line) void eyas_line(void) {
    if (waits_to_be_stopped(view_of(room.text, room.length))) {
        engine_say(engine,
                   "info string a search cannot be stopped here: give nodes, depth or time");
        return;
    }
    FILE *in = fmemopen(room.text, room.length, "r");
    if (in == NULL)
        return;
    uci_converse(engine, in);
    fclose(in);
}

static Status write_position(StrView body) {
    CLEANUP(play_game_free) PlayGame game = {0};
    TRY(play_game_read(&game, body));
    play_game_write(&game, &answer);
    return OK;
}

static Status write_terms(StrView body) {
    CLEANUP(play_game_free) PlayGame game = {0};
    TRY(play_game_read(&game, body));
    play_terms_write(&engine->weights, &game.pgn.final, str_text(&engine->whose), &answer);
    return OK;
}

static Status write_answer(StrView body) {
    CLEANUP(str_free) Str what = {0};
    play_text(body, "ask", &what);
    if (strcmp(str_text(&what), "position") == 0)
        return write_position(body);
    if (strcmp(str_text(&what), "explain") == 0)
        return write_terms(body);
    if (strcmp(str_text(&what), "pgn") == 0)
        return play_pgn_write(body, "A game in a browser", &answer);
    return error_set(ERR_ARG, "'%s' cannot be asked", str_text(&what));
}

// A question in JSON: `ask` is position, explain or pgn, the rest as falconer serve takes it.
EXPORT(eyas_ask) bool eyas_ask(void) {
    str_clear(&answer);
    return tell(write_answer(view_of(room.text, room.length)));
}
