// SPDX-License-Identifier: GPL-3.0-or-later
#include "player_page/player_page.h"

#include "base/file.h"
#include "base/hash.h"
#include "base/locate.h"
#include "chess/book.h"
#include "eval/weights.h"
#include "player_page/join.h"
#include "report/escape.h"
#include "serve/web_files.h"
#include "uci/identity.h"

#include <inttypes.h>
#include <string.h>

// What the page is made of.
typedef struct Player {
    Weights weights;
    const char *file_name;
    const char *commit;
    Str name, text, book, engine;
    char nonce[20];
} Player;

static void player_free(Player *player) {
    weights_free(&player->weights);
    str_free(&player->name);
    str_free(&player->text);
    str_free(&player->book);
    str_free(&player->engine);
}

// --- what goes in ---

static Status check_engine(const Str *engine, const char *path) {
    static const char said[] = "id name Eyas " FALCONER_VERSION "%";
    if (engine->length < 4 || memcmp(engine->text, "\0asm", 4) != 0)
        return error_set(ERR_PARSE, "%s is no WebAssembly: make wasm builds it", path);
    if (memmem(engine->text, engine->length, said, sizeof said - 1) == NULL)
        return error_set(ERR_PARSE,
                         "%s is not of version " FALCONER_VERSION
                         ": make wasm builds the one that belongs to this program",
                         path);
    return OK;
}

static Status load_engine(Str *out) {
    CLEANUP(str_free) Str path = {0};
    if (locate_shipped("wasm", "eyas.wasm", &path) != OK)
        return error_set(ERR_IO, "the engine for a browser, eyas.wasm, is not here: make wasm "
                                 "builds it, in the folder of Falconer's sources");
    TRY(file_read_raw(str_text(&path), out));
    return check_engine(out, str_text(&path));
}

static Status load_book(const char *weights_path, Str *out) {
    CLEANUP(str_free) Str path = {0};
    CLEANUP(book_close_at) Book *book = NULL;
    if (!identity_find_book(weights_path, &path))
        return OK;
    TRY(file_read_raw(str_text(&path), out));
    TRY_PREFIX(book_from_bytes(&book, (const uint8_t *)out->text, out->length), "%s",
               str_text(&path));
    return OK;
}

// "Tal"; of the built-in weights the name of their file.
static void name_player(Player *player) {
    identity_of_weights(&player->weights, player->file_name, &player->name);
    if (player->name.length > 0)
        return;
    const char *dot = strrchr(player->file_name, '.');
    str_append(&player->name, player->file_name,
               dot == NULL ? strlen(player->file_name) : (size_t)(dot - player->file_name));
}

static Status load(Player *player, const char *path) {
    const char *slash = strrchr(path, '/');
    TRY(weights_load(&player->weights, path));
    player->file_name = slash == NULL ? path : slash + 1;
    weights_write(&player->weights, &player->text);
    name_player(player);
    TRY(load_book(path, &player->book));
    TRY(load_engine(&player->engine));
    const uint64_t digest =
        hash_bytes(hash_bytes(HASH_START, player->text.text, player->text.length),
                   player->engine.text, player->engine.length);
    snprintf(player->nonce, sizeof player->nonce, "%016" PRIx64, digest);
    return OK;
}

// --- the page ---

static void add_base64(Str *out, StrView bytes) {
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *byte = (const unsigned char *)bytes.text;
    str_reserve(out, bytes.length / 3 * 4 + 4);
    for (size_t i = 0; i < bytes.length; i += 3) {
        const size_t left = bytes.length - i;
        const uint32_t word = (uint32_t)byte[i] << 16 |
                              (left > 1 ? (uint32_t)byte[i + 1] << 8 : 0) |
                              (left > 2 ? byte[i + 2] : 0);
        const char four[] = {letters[word >> 18], letters[word >> 12 & 63],
                             left > 1 ? letters[word >> 6 & 63] : '=',
                             left > 2 ? letters[word & 63] : '='};
        str_append(out, four, sizeof four);
    }
}

static void add_base64_of(Str *out, const Str *bytes) {
    add_base64(out, view_of(str_text(bytes), bytes->length));
}

static void add_escaped(Str *out, const char *text) {
    escape_lines(out, text, "", escape_html);
}

// Files of the page: {{style /web/x.css}}.
static Status add_file(Str *out, StrView kind, const char *address) {
    const WebFile file = web_file_find(address);
    if (file.contents.text == NULL)
        return error_set(ERR_ARG, "there is no file %s", address);
    if (view_equals(kind, "script"))
        return join_modules(address, out);
    if (view_equals(kind, "base64"))
        add_base64(out, file.contents);
    else if (view_equals(kind, "text"))
        add_escaped(out, file.contents.text);
    else
        str_append(out, file.contents.text, file.contents.length);
    return OK;
}

static Status add_part(Str *out, const Player *player, StrView what) {
    CLEANUP(str_free) Str address = {0};
    StrView rest = what;
    const StrView word = view_next_word(&rest), file = view_next_word(&rest);
    str_append(&address, file.text, file.length);
    if (view_equals(word, "name"))
        escape_html(out, str_text(&player->name));
    else if (view_equals(word, "file-name"))
        escape_html(out, player->file_name);
    else if (view_equals(word, "lineage"))
        add_escaped(out, str_text(&player->weights.lineage));
    else if (view_equals(word, "version"))
        str_add(out, FALCONER_VERSION);
    else if (view_equals(word, "commit"))
        escape_html(out, player->commit);
    else if (view_equals(word, "nonce"))
        str_add(out, player->nonce);
    else if (view_equals(word, "weights"))
        add_base64_of(out, &player->text);
    else if (view_equals(word, "book"))
        add_base64_of(out, &player->book);
    else if (view_equals(word, "engine"))
        add_base64_of(out, &player->engine);
    else
        return add_file(out, word, str_text(&address));
    return OK;
}

// The page has {{words}} where parts of it go; what goes in is not looked at again.
static Status make_page(const Player *player, Str *out) {
    StrView rest = web_file_find("player.html").contents;
    for (;;) {
        const char *open = memmem(rest.text, rest.length, "{{", 2);
        const size_t before = open == NULL ? rest.length : (size_t)(open - rest.text);
        str_append(out, rest.text, before);
        if (open == NULL)
            return OK;
        rest = view_of(open + 2, rest.length - before - 2);
        const char *close = memmem(rest.text, rest.length, "}}", 2);
        const size_t length = close == NULL ? rest.length : (size_t)(close - rest.text);
        TRY(add_part(out, player, view_of(rest.text, length)));
        rest = view_of(rest.text + length + 2, rest.length - length - 2);
    }
}

Status player_page_check(void) {
    CLEANUP(str_free) Str engine = {0};
    return load_engine(&engine);
}

Status player_page_write(const char *weights_path, const char *commit, const char *output) {
    CLEANUP(player_free) Player player = {.commit = commit};
    CLEANUP(str_free) Str page = {0};
    TRY(load(&player, weights_path));
    TRY(make_page(&player, &page));
    return file_write(output, page.text, page.length);
}
