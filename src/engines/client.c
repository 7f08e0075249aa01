// SPDX-License-Identifier: GPL-3.0-or-later
#include "engines/client.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/nearest.h"
#include "chess/fen.h"
#include "chess/pgn.h"
#include "engines/client_internal.h"
#include "engines/command.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
    READY_MS = 60000,
    STOP_MS = 2000,  // to answer after it was told to stop
    WRITE_MS = 5000, // an engine that does not read its input for so long hangs
    QUIT_MS = 500,
    QUIT_FAILED_MS = 20,
    STDERR_MAX_BYTES = 64 << 20,
};

// --- failures, which are remembered ---

static Status check(const EngineClient *client) {
    return client->fault == FAULT_NONE ? OK : error_set(ERR_ENGINE, "%s", client->why);
}

Status client_fail(EngineClient *client, Fault fault) {
    error_prefix("%s", client->spec->name);
    client->fault = fault;
    free(client->why);
    client->why = mem_copy_string(error_message());
    return ERR_ENGINE;
}

static Status fail_ended(EngineClient *client, const char *when) {
    char end[PROCESS_EXIT_SIZE];
    process_describe_end(client->process, end);
    error_set(ERR_ENGINE, "%s %s", end, when);
    return client_fail(client, FAULT_CRASHED);
}

Status client_fail_read(EngineClient *client, ProcessRead kind, const char *when) {
    char told[2 * CLIENT_MESSAGE_SIZE];
    snprintf(told, sizeof told, "%s (it said: %s)", when, client->message);
    when = client->message[0] == '\0' ? when : told;
    if (kind == PROCESS_EOF)
        return fail_ended(client, when);
    if (kind == PROCESS_CANCELLED) {
        error_set(ERR_ENGINE, "cancelled");
        return client_fail(client, FAULT_CANCELLED);
    }
    error_set(ERR_ENGINE, "no answer %s", when);
    return client_fail(client, FAULT_STALLED);
}

// --- lines ---

static Status send_view(EngineClient *client, StrView text, const char *when) {
    const Status status = process_write(client->process, text, deadline_in_ms(WRITE_MS));
    if (status == ERR_ENGINE)
        return fail_ended(client, when);
    if (status == OK)
        return OK;
    return client_fail(client, status == ERR_ARG ? FAULT_CANCELLED : FAULT_STALLED);
}

Status client_send(EngineClient *client, const char *text, const char *when) {
    return send_view(client, view_from_string(text), when);
}

Status client_send_out(EngineClient *client, const char *when) {
    const StrView text = view_of(str_text(&client->out), client->out.length);
    return text.length == 0 ? OK : send_view(client, text, when);
}

Status client_read(EngineClient *client, Deadline *deadline, const char *when, StrView *line) {
    for (;;) {
        const ProcessRead kind = process_read(client->process, deadline, line);
        if (kind == PROCESS_LINE)
            return OK;
        if (kind != PROCESS_LONG_LINE)
            return client_fail_read(client, kind, when);
    }
}

StrView client_copy_text(char *out, size_t size, StrView text) {
    const size_t length = text.length < size - 1 ? text.length : size - 1;
    if (length > 0)
        memcpy(out, text.text, length);
    out[length] = '\0';
    return view_of(out, length);
}

// --- options ---

UciOption *client_next_option(EngineClient *client) {
    client->options = mem_grow(client->options, &client->option_capacity, client->option_count + 1,
                               sizeof *client->options);
    return &client->options[client->option_count];
}

static Status refuse_option(const EngineClient *client, const char *name) {
    CLEANUP(mem_free_at)
    const char **names = mem_alloc_zero(client->option_count + 1, sizeof *names);
    for (size_t i = 0; i < client->option_count; i++)
        names[i] = client->options[i].name;
    const char *nearest = nearest_name(name, names, client->option_count);
    if (nearest == NULL)
        return error_set(ERR_ARG, "%s: it has no option '%s'", client->spec->name, name);
    return error_set(ERR_ARG, "%s: it has no option '%s': did you mean '%s'?", client->spec->name,
                     name, nearest);
}

Status client_set_option(EngineClient *client, const char *name, const char *value) {
    TRY(check(client));
    const UciOption *option = client_option(client, name);
    if (option == NULL)
        return refuse_option(client, name);
    TRY_PREFIX(uci_option_check(option, value), "%s", client->spec->name);
    str_clear(&client->out);
    client->protocol->write_option(client, option, value);
    return client_send_out(client, "at setoption");
}

const UciOption *client_option(const EngineClient *client, const char *name) {
    for (size_t i = 0; i < client->option_count; i++)
        if (strcasecmp(client->options[i].name, name) == 0)
            return &client->options[i];
    return NULL;
}

size_t client_option_count(const EngineClient *client) {
    return client->option_count;
}

// --- its life ---

// A name without a folder is looked for here, because exec knows PATH alone.
static void find_program(const EngineSpec *spec, char **words) {
    CLEANUP(str_free) Str path = {0};
    if (words[0] == NULL || strchr(words[0], '/') != NULL || !command_find(spec, words[0], &path) ||
        path.text[0] != '/')
        return;
    free(words[0]);
    words[0] = mem_copy_string(str_text(&path));
}

static Status start(EngineClient *client, int cancel_fd) {
    const EngineSpec *spec = client->spec;
    if (spec->command == NULL)
        return error_set(ERR_ARG, "%s: no cmd= to start", spec->name);
    CLEANUP(command_free_at) char **words = command_words(spec);
    find_program(spec, words);
    const ProcessConfig config = {
        .argv = (const char *const *)words,
        .dir = spec->dir,
        .stderr_path = spec->stderr_path,
        .cancel_fd = cancel_fd,
        .limits = {(uint64_t)spec->memory_mb, (uint64_t)spec->cpu_s, STDERR_MAX_BYTES}};
    TRY_PREFIX(process_start(&client->process, &config), "%s", spec->name);
    return OK;
}

static Status set_up(EngineClient *client, const ClientConfig *config) {
    TRY(start(client, config->cancel_fd));
    TRY(client->protocol->shake_hands(client, config));
    for (size_t i = 0; i < client->spec->option_count; i++)
        TRY(client_set_option(client, client->spec->options[i].name,
                              client->spec->options[i].value));
    return client->protocol->sync(client);
}

Status client_open(EngineClient **out, const ClientConfig *config) {
    const bool is_uci = config->spec->protocol == PROTOCOL_UCI;
    if (!is_uci && config->is_uci_only)
        return error_set(ERR_ARG, "%s: proto=xboard: only UCI engines can be used here",
                         config->spec->name);
    EngineClient *client = mem_alloc_zero(1, sizeof *client);
    client->spec = config->spec;
    client->protocol = is_uci ? &client_uci : &client_xboard;
    client->ready_ms = config->ready_ms == 0 ? READY_MS : config->ready_ms;
    client->stop_ms = config->stop_ms == 0 ? STOP_MS : config->stop_ms;
    position_set_start(&client->pos);
    const Status status = set_up(client, config);
    if (status == OK)
        *out = client;
    else
        client_close(client);
    return status;
}

// That it no longer listens is no failure, and must not hide the message of one.
static void say_quit(EngineClient *client) {
    CLEANUP(mem_free_at) char *message = mem_copy_string(error_message());
    (void)!process_write(client->process, view_from_string("quit\n"), deadline_in_ms(QUIT_MS));
    (void)error_set(OK, "%s", message);
}

void client_close(EngineClient *client) {
    if (client == NULL)
        return;
    const bool is_fine = client->fault == FAULT_NONE;
    if (client->process != NULL && is_fine)
        say_quit(client);
    process_close(client->process, is_fine ? QUIT_MS : QUIT_FAILED_MS);
    uci_options_free(client->options, client->option_count);
    str_free(&client->position);
    str_free(&client->pending);
    str_free(&client->out);
    free(client->why);
    free(client);
}

Status client_sync(EngineClient *client) {
    TRY(check(client));
    return client->protocol->sync(client);
}

Fault client_fault(const EngineClient *client) {
    return client->fault;
}

bool client_is_reusable(const EngineClient *client) {
    return client->fault == FAULT_NONE && !client->has_no_reuse;
}

const char *client_id(const EngineClient *client) {
    return client->id;
}

// --- games ---

Status client_new_game(EngineClient *client, const Position *start) {
    char fen[FEN_SIZE];
    TRY(check(client));
    assert(position_is_ok(start));
    // Of Chess960 UCI knows Shredder's way alone; XBoard has both.
    fen_write_in(start, client->protocol == &client_uci ? FEN_SHREDDER : FEN_X, fen);
    client->pos = *start;
    str_clear(&client->out);
    return client->protocol->new_game(client, fen, strcmp(fen, fen_start) == 0);
}

void client_push_move(EngineClient *client, Move move) {
    Undo undo;
    client->protocol->push_move(client, move);
    position_make(&client->pos, move, &undo);
}

void client_tell_info(const EngineClient *client, const UciInfo *info) {
    if (client->listener != NULL)
        client->listener->on_info(client->listener->context, info,
                                  process_read_ns(client->process) - client->go_ns);
}

Move client_first_move(const EngineClient *client, StrView pv) {
    return client->protocol->read_first(&client->pos, pv);
}

// Reads until there is a move; at the cap tells it to stop and gives it a little longer.
static Status wait_for_move(EngineClient *client, EngineAnswer *out) {
    Deadline deadline = deadline_in_ms(client->limits->cap_ms);
    bool is_done = false;
    while (!is_done) {
        StrView line;
        const ProcessRead kind = process_read(client->process, &deadline, &line);
        if (kind == PROCESS_TIMEOUT && !out->is_late) {
            out->is_late = true;
            deadline = deadline_in_ms(client->stop_ms);
            TRY(client_send(client, client->protocol->stop, "while thinking"));
        } else if (kind == PROCESS_LINE) {
            TRY(client->protocol->take_line(client, line, out, &is_done));
        } else if (kind != PROCESS_LONG_LINE) {
            return client_fail_read(client, kind, kind == PROCESS_EOF ? "while thinking" : "to go");
        }
    }
    return OK;
}

Status client_go(EngineClient *client, const Limits *limits, const ClientListener *listener,
                 EngineAnswer *out) {
    *out = (EngineAnswer){0};
    TRY(check(client));
    assert(limits_are_valid(limits));
    client->limits = limits;
    client->listener = listener;
    str_clear(&client->out);
    client->protocol->write_go(client, limits);
    process_measure_latency(client->process, limits_have_clock(limits));
    const int64_t start = client->go_ns = clock_now_ns();
    Status status = client_send_out(client, "at go");
    if (status == OK)
        status = wait_for_move(client, out);
    const int64_t end = status == OK ? process_read_ns(client->process) : clock_now_ns();
    // An answer that lay there before we asked earns no time.
    out->elapsed_ns = end > start ? end - start : 0;
    out->latency_ns = process_latency_ns(client->process);
    return status;
}

void client_end_game(EngineClient *client, GameResult result) {
    if (client->fault != FAULT_NONE || client->spec->protocol != PROTOCOL_XBOARD)
        return;
    str_setf(&client->out, "force\nresult %s {}\n", pgn_result_text(result));
    // A failure is remembered, and told at the next game.
    (void)!client_send_out(client, "at result");
}
