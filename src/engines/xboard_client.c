// SPDX-License-Identifier: GPL-3.0-or-later
#include "engines/xboard_client.h"

#include "base/clock.h"
#include "base/mem.h"
#include "chess/fen.h"
#include "chess/pgn.h"
#include "chess/san.h"
#include "engines/xboard_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PING_MS = 60000,
    STOP_MS = 2000,            // to answer after "?"
    NO_CLOCK_S = 24 * 60 * 60, // for a move that only its depth ends
};

void xboard_keep_message(XboardClient *client, StrView text) {
    size_t length = text.length < XBOARD_MESSAGE_SIZE - 1 ? text.length : XBOARD_MESSAGE_SIZE - 1;
    memcpy(client->message, text.text, length);
    client->message[length] = '\0';
}

Status xboard_fail_read(XboardClient *client, ProcessRead kind, const char *when) {
    char told[XBOARD_MESSAGE_SIZE * 2];
    snprintf(told, sizeof told, "%s (it said: %s)", when, client->message);
    return engine_link_fail_read(&client->link, kind, client->message[0] == '\0' ? when : told);
}

Status xboard_send_out(XboardClient *client, const char *when) {
    if (client->out.length == 0)
        return OK;
    return engine_link_send(&client->link, view_of(client->out.text, client->out.length), when);
}

Status xboard_sync(XboardClient *client, const char *when) {
    if (!client->has_ping)
        return OK;
    char ping[32];
    snprintf(ping, sizeof ping, "ping %u\n", ++client->pings);
    Status status = engine_link_send(&client->link, view_from_string(ping), "at ping");
    Deadline deadline = deadline_in_ms(PING_MS);
    while (status == OK) {
        StrView line, text;
        ProcessRead kind = process_read(client->link.process, &deadline, &line);
        if (kind == PROCESS_LONG_LINE)
            continue;
        if (kind != PROCESS_LINE)
            return xboard_fail_read(client, kind, when);
        XboardSaid said = xboard_parse_line(line, &text);
        int64_t number;
        if (said == XBOARD_PONG && view_to_int(view_trim(text), &number) &&
            number == (int64_t)client->pings)
            break;
        if (said == XBOARD_MESSAGE)
            xboard_keep_message(client, text);
    }
    return status;
}

Status xboard_client_open(XboardClient **out, const XboardConfig *config) {
    XboardClient *client = mem_alloc_zero(1, sizeof *client);
    Status status = engine_link_open(&client->link, config->spec, config->cancel_fd);
    if (status == OK)
        status = xboard_set_up(client, config);
    if (status != OK) {
        xboard_client_close(client);
        return status;
    }
    *out = client;
    return OK;
}

void xboard_client_close(XboardClient *client) {
    if (client == NULL)
        return;
    engine_link_close(&client->link, "quit\n");
    uci_options_free(client->options, client->option_count);
    str_free(&client->pending);
    str_free(&client->out);
    free(client);
}

// Only a ping tells that all it said of an earlier game was read: without one, what has come so far
// is. A boast of that game would be a resignation in this one, where it has the other colour.
static void forget_earlier_lines(XboardClient *client) {
    Deadline now = deadline_in_ms(0);
    StrView line;
    ProcessRead kind = PROCESS_LINE;
    while (!client->has_ping && (kind == PROCESS_LINE || kind == PROCESS_LONG_LINE))
        kind = process_read(client->link.process, &now, &line);
}

Status xboard_client_new_game(XboardClient *client, const Position *start) {
    char fen[FEN_SIZE];
    fen_write(start, fen);
    bool is_start = strcmp(fen, fen_start) == 0;
    Status status = engine_link_check(&client->link);
    if (status != OK)
        return status;
    if (!is_start && !client->has_setboard)
        return error_set(ERR_ARG,
                         "%s: has no setboard and can only play from the start position, not %s",
                         client->link.spec->name, fen);
    forget_earlier_lines(client);
    client->pos = *start;
    client->is_forced = true;
    client->knows_limits = client->made_last_move = false;
    client->message[0] = client->last_move[0] = '\0';
    str_clear(&client->pending);
    str_clear(&client->out);
    str_add(&client->out, "new\nforce\npost\neasy\n");
    if (!is_start)
        str_addf(&client->out, "setboard %s\n", fen);
    status = xboard_send_out(client, "at new");
    return status == OK ? xboard_sync(client, "to ping after new") : status;
}

void xboard_client_push_move(XboardClient *client, Move move) {
    char text[XBOARD_TEXT_SIZE];
    Undo undo;
    if (client->has_san)
        san_write(&client->pos, move, text);
    else
        move_to_uci(move, text);
    position_make(&client->pos, move, &undo);
    bool is_known = client->made_last_move;
    client->made_last_move = false;
    if (is_known)
        return;
    str_addf(&client->pending, "%s%s\n", client->has_usermove ? "usermove " : "", text);
    snprintf(client->last_move, sizeof client->last_move, "%s", text);
}

static void write_seconds(int64_t ms, Str *out) {
    str_addf(out, "%lld", (long long)(ms / 1000));
    if (ms % 1000 != 0)
        str_addf(out, ".%03d", (int)(ms % 1000));
}

static void write_limits(const Limits *limits, Str *out) {
    if (limits->move_ms > 0) {
        str_add(out, "st ");
        write_seconds(limits->move_ms, out);
        str_add(out, "\n");
    } else if (limits->clock.time_ms > 0) {
        // Whole seconds: what is finer, the command "time" tells.
        int64_t seconds = limits->clock.time_ms < 1000 ? 1 : limits->clock.time_ms / 1000;
        str_addf(out, "level %d %lld:%02d ", limits->clock.moves, (long long)(seconds / 60),
                 (int)(seconds % 60));
        write_seconds(limits->clock.inc_ms, out);
        str_add(out, "\n");
    } else {
        str_addf(out, "st %d\n", NO_CLOCK_S);
    }
    if (limits->depth > 0)
        str_addf(out, "sd %d\n", limits->depth);
}

static void write_clocks(const XboardClient *client, const Limits *limits, Str *out) {
    if (limits->clock.time_ms > 0 && client->has_time)
        str_addf(out, "time %lld\notim %lld\n", (long long)(limits->clock.time_ms / 10),
                 (long long)(limits->other.time_ms / 10));
}

// An engine that plays answers a move at once; one that is forced must be told to go.
static void write_go(XboardClient *client, const Limits *limits) {
    Str *out = &client->out;
    str_clear(out);
    if (!client->knows_limits)
        write_limits(limits, out);
    if (!client->is_forced)
        write_clocks(client, limits, out);
    str_append(out, str_text(&client->pending), client->pending.length);
    if (client->is_forced) {
        write_clocks(client, limits, out);
        str_add(out, "go\n");
    }
    client->knows_limits = true;
    client->is_forced = false;
    str_clear(&client->pending);
}

static bool says(StrView line, const char *word) {
    StrView found;
    while ((found = view_next_word(&line)).length > 0)
        if (view_equals(found, word))
            return true;
    return false;
}

// Engines complain of many things that do not matter; two of them end the game.
static Status take_complaint(XboardClient *client, const Limits *limits, StrView line) {
    int length = (int)(line.length < 120 ? line.length : 120);
    if (limits->depth > 0 && says(line, "sd"))
        return error_set(ERR_ARG, "%s: does not know depth= ('%.*s')", client->link.spec->name,
                         length, line.text);
    if (client->last_move[0] == '\0' || !says(line, client->last_move))
        return OK;
    error_set(ERR_ENGINE, "refuses the legal move %s ('%.*s')", client->last_move, length,
              line.text);
    return engine_link_fail(&client->link, FAULT_ILLEGAL);
}

static void take_move(XboardClient *client, StrView text, XboardAnswer *out) {
    snprintf(out->text, sizeof out->text, "%.*s", (int)(text.length < 15 ? text.length : 15),
             text.text);
    if (san_parse(&client->pos, text, &out->move) != SAN_OK)
        out->move = MOVE_NONE;
    client->made_last_move = true;
}

// Only its own loss can be claimed: other ends of the game we see ourselves, after its move.
static void take_result(XboardClient *client, StrView result, XboardAnswer *out) {
    bool is_white = position_turn(&client->pos) == WHITE;
    out->has_resigned = view_equals(result, is_white ? "0-1" : "1-0");
    char claim[64];
    snprintf(claim, sizeof claim, "a claim of %.*s", (int)result.length, result.text);
    xboard_keep_message(client, view_from_string(claim));
}

static void take_info(XboardClient *client, const XboardListener *listener, StrView line,
                      XboardAnswer *out) {
    if (!xboard_parse_info(line, &out->info))
        return;
    out->has_info = true;
    if (listener != NULL)
        listener->on_info(listener->context, &out->info,
                          process_read_ns(client->link.process) - client->go_ns);
    out->info.pv = view_of("", 0);
}

// True when the line ends the wait.
static bool take_line(XboardClient *client, const Limits *limits, const XboardListener *listener,
                      StrView line, XboardAnswer *out, Status *status) {
    StrView text;
    switch (xboard_parse_line(line, &text)) {
    case XBOARD_MOVE:
        take_move(client, text, out);
        return true;
    case XBOARD_RESIGN:
        out->has_resigned = true;
        return true;
    case XBOARD_RESULT:
        take_result(client, text, out);
        return out->has_resigned;
    case XBOARD_OFFER_DRAW:
        out->offers_draw = true;
        return false;
    case XBOARD_COMPLAINT:
        *status = take_complaint(client, limits, text);
        return *status != OK;
    case XBOARD_MESSAGE:
        xboard_keep_message(client, text);
        return false;
    case XBOARD_PONG:
    case XBOARD_FEATURE:
        return false;
    case XBOARD_OTHER:
        take_info(client, listener, line, out);
        return false;
    }
    return false;
}

// Reads until there is a move; at the cap says "?" and gives it a little longer.
static Status wait_for_move(XboardClient *client, const Limits *limits,
                            const XboardListener *listener, XboardAnswer *out) {
    Deadline deadline = deadline_in_ms(limits->cap_ms);
    Status status = OK;
    for (;;) {
        StrView line;
        ProcessRead kind = process_read(client->link.process, &deadline, &line);
        if (kind == PROCESS_TIMEOUT && !out->is_late) {
            out->is_late = true;
            deadline = deadline_in_ms(STOP_MS);
            status = engine_link_send(&client->link, view_from_string("?\n"), "while thinking");
            if (status != OK)
                return status;
        } else if (kind == PROCESS_LINE) {
            if (take_line(client, limits, listener, line, out, &status))
                return status;
        } else if (kind != PROCESS_LONG_LINE) {
            return xboard_fail_read(client, kind, kind == PROCESS_EOF ? "while thinking" : "to go");
        }
    }
}

Status xboard_client_go(XboardClient *client, const Limits *limits, const XboardListener *listener,
                        XboardAnswer *out) {
    *out = (XboardAnswer){0};
    Status status = engine_link_check(&client->link);
    if (status != OK)
        return status;
    write_go(client, limits);
    process_measure_latency(client->link.process, limits_have_clock(limits));
    int64_t start = client->go_ns = clock_now_ns();
    status = xboard_send_out(client, "at go");
    if (status == OK)
        status = wait_for_move(client, limits, listener, out);
    int64_t end = status == OK ? process_read_ns(client->link.process) : clock_now_ns();
    // An answer that lay there before we asked earns no time.
    out->elapsed_ns = end > start ? end - start : 0;
    out->latency_ns = process_latency_ns(client->link.process);
    return status;
}

void xboard_client_end_game(XboardClient *client, GameResult result) {
    if (client->link.fault != FAULT_NONE)
        return;
    str_clear(&client->out);
    str_addf(&client->out, "force\nresult %s {}\n", pgn_result_text(result));
    // A failure is remembered, and told at the next game.
    Status ignored = xboard_send_out(client, "at result");
    (void)ignored;
}

Fault xboard_client_fault(const XboardClient *client) {
    return client->link.fault;
}

bool xboard_client_is_reusable(const XboardClient *client) {
    return client->has_reuse;
}

const char *xboard_client_id(const XboardClient *client) {
    return client->id;
}
