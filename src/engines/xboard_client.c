// SPDX-License-Identifier: GPL-3.0-or-later
// What a client does with an engine that speaks the XBoard protocol.
#include "base/mem.h"
#include "chess/castling.h"
#include "chess/san.h"
#include "engines/client_internal.h"
#include "engines/xboard_text.h"

#include <stdio.h>
#include <string.h>

enum {
    FEATURE_MS = 2000,
    START_MS = 20000,
    OPTIONS_MAX = 1024,
    MEMORY_MAX_MB = 1 << 20,
    NO_CLOCK_S = 24 * 60 * 60, // for a move that only its depth ends
};

static const char variant_960[] = "fischerandom";

static void keep_message(EngineClient *client, StrView text) {
    client_copy_text(client->message, sizeof client->message, text);
}

// --- the handshake ---

typedef struct Handshake {
    bool is_done, is_waiting; // done=1, done=0
} Handshake;

static bool *find_switch(EngineClient *client, StrView name) {
    const struct {
        const char *name;
        bool *value;
    } switches[] = {
        {"ping", &client->has_ping},         {"setboard", &client->has_setboard},
        {"usermove", &client->has_usermove}, {"san", &client->has_san},
        {"time", &client->has_time},         {"memory", &client->has_memory},
        {"smp", &client->has_cores},
    };
    for (size_t i = 0; i < sizeof switches / sizeof switches[0]; i++)
        if (view_equals(name, switches[i].name))
            return switches[i].value;
    return NULL;
}

// Features that change nothing for us but are fine to have.
static bool is_harmless(StrView name) {
    static const char *const names[] = {"playother", "ics",     "sigint", "sigterm",
                                        "colors",    "analyze", "name",   "draw",
                                        "pause",     "debug",   "myname"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (view_equals(name, names[i]))
            return true;
    return false;
}

static bool take_option(EngineClient *client, StrView value) {
    // What cannot be read declares no option: setting it will be refused by name.
    if (client->option_count == OPTIONS_MAX ||
        xboard_option_parse(value, client_next_option(client)) != OK)
        return false;
    client->option_count++;
    return true;
}

// True when the feature is accepted.
static bool take_feature(EngineClient *client, StrView name, StrView value, Handshake *hands) {
    bool *feature = find_switch(client, name);
    if (feature != NULL)
        *feature = !view_equals(value, "0");
    else if (view_equals(name, "variants"))
        client->has_960 = value.length > 0 && memmem(value.text, value.length, variant_960,
                                                     sizeof variant_960 - 1) != NULL;
    else if (view_equals(name, "reuse"))
        client->has_no_reuse = view_equals(value, "0");
    else if (view_equals(name, "option"))
        return take_option(client, value);
    else if (view_equals(name, "done"))
        *(view_equals(value, "0") ? &hands->is_waiting : &hands->is_done) = true;
    else if (!is_harmless(name))
        return false;
    if (view_equals(name, "myname"))
        client_copy_text(client->id, sizeof client->id, value);
    return true;
}

static Status take_features(EngineClient *client, StrView rest, Handshake *hands) {
    StrView name, value;
    str_clear(&client->out);
    while (xboard_next_feature(&rest, &name, &value))
        str_addf(&client->out, "%s %.*s\n",
                 take_feature(client, name, value, hands) ? "accepted" : "rejected",
                 (int)(name.length < 64 ? name.length : 64), name.text);
    return client_send_out(client, "during the handshake");
}

// Features that are commands of the protocol for what other engines have as options.
static void declare_command(EngineClient *client, const char *name) {
    *client_next_option(client) = (UciOption){.name = mem_copy_string(name),
                                              .type = UCI_SPIN,
                                              .has_bounds = true,
                                              .low = 1,
                                              .high = MEMORY_MAX_MB};
    client->option_count++;
}

// An engine that tells of no features in time speaks the first version: that is fine.
static Status shake_hands(EngineClient *client, const ClientConfig *config) {
    static const char when[] = "during the handshake (xboard, protover 2)";
    Handshake hands = {0};
    Deadline quiet = deadline_in_ms(config->feature_ms == 0 ? FEATURE_MS : config->feature_ms);
    Deadline longest = deadline_in_ms(config->start_ms == 0 ? START_MS : config->start_ms);
    client->has_time = true; // unless it says otherwise
    TRY(client_send(client, "xboard\nprotover 2\n", when));
    while (!hands.is_done) {
        StrView line, text;
        const ProcessRead kind =
            process_read(client->process, hands.is_waiting ? &longest : &quiet, &line);
        if (kind == PROCESS_TIMEOUT && !hands.is_waiting)
            break;
        if (kind == PROCESS_LONG_LINE)
            continue;
        if (kind != PROCESS_LINE)
            return client_fail_read(client, kind, when);
        const XboardSaid said = xboard_parse_line(line, &text);
        if (said == XBOARD_FEATURE)
            TRY(take_features(client, text, &hands));
        else if (said == XBOARD_MESSAGE)
            keep_message(client, text);
    }
    if (client->has_memory)
        declare_command(client, "memory");
    if (client->has_cores)
        declare_command(client, "cores");
    return OK;
}

static void write_option(EngineClient *client, const UciOption *option, const char *value) {
    const bool is_command = (client->has_memory && strcmp(option->name, "memory") == 0) ||
                            (client->has_cores && strcmp(option->name, "cores") == 0);
    if (is_command)
        str_addf(&client->out, "%s %s\n", option->name, value);
    else if (option->type == UCI_BUTTON)
        str_addf(&client->out, "option %s\n", option->name);
    else if (option->type == UCI_CHECK)
        str_addf(&client->out, "option %s=%d\n", option->name, strcmp(value, "true") == 0);
    else
        str_addf(&client->out, "option %s=%s\n", option->name, value);
}

// Waits until all that was sent is dealt with, where the engine has ping.
static Status ping(EngineClient *client, const char *when) {
    char text[32];
    if (!client->has_ping)
        return OK;
    snprintf(text, sizeof text, "ping %u\n", ++client->pings);
    TRY(client_send(client, text, "at ping"));
    Deadline deadline = deadline_in_ms(client->ready_ms);
    for (;;) {
        StrView line, rest;
        int64_t number;
        TRY(client_read(client, &deadline, when, &line));
        const XboardSaid said = xboard_parse_line(line, &rest);
        if (said == XBOARD_PONG && view_to_int(view_trim(rest), &number) &&
            number == (int64_t)client->pings)
            return OK;
        if (said == XBOARD_MESSAGE)
            keep_message(client, rest);
    }
}

static Status sync(EngineClient *client) {
    return ping(client, "to ping");
}

// --- games ---

// Only a ping tells that all it said of an earlier game was read: without one, what has come so far
// is. A boast of that game would be a resignation in this one, where it has the other colour.
static void forget_earlier_lines(EngineClient *client) {
    Deadline now = deadline_in_ms(0);
    StrView line;
    ProcessRead kind = PROCESS_LINE;
    while (!client->has_ping && (kind == PROCESS_LINE || kind == PROCESS_LONG_LINE))
        kind = process_read(client->process, &now, &line);
}

static Status new_game(EngineClient *client, const char *fen, bool is_start) {
    if (!is_start && !client->has_setboard)
        return error_set(ERR_ARG,
                         "%s: has no setboard and can only play from the start position, not %s",
                         client->spec->name, fen);
    const bool is_960 = position_is_chess960(&client->pos);
    if (is_960 && !client->has_960)
        return error_set(ERR_ARG, "%s: does not know Chess960: %s is none of its variants",
                         client->spec->name, variant_960);
    forget_earlier_lines(client);
    client->is_forced = true;
    client->knows_limits = client->made_last_move = false;
    client->message[0] = client->last_move[0] = '\0';
    str_clear(&client->pending);
    str_add(&client->out, "new\n");
    if (is_960)
        str_addf(&client->out, "variant %s\n", variant_960);
    str_add(&client->out, "force\npost\neasy\n");
    if (!is_start)
        str_addf(&client->out, "setboard %s\n", fen);
    TRY(client_send_out(client, "at new"));
    return ping(client, "to ping after new");
}

static void push_move(EngineClient *client, Move move) {
    char text[CLIENT_TEXT_SIZE];
    const bool is_known = client->made_last_move;
    client->made_last_move = false;
    if (is_known)
        return;
    if (client->has_san)
        san_write(&client->pos, move, text);
    else if (move_kind(move) == MOVE_CASTLING && position_is_chess960(&client->pos))
        snprintf(text, sizeof text, castling_is_king_side(move) ? "O-O" : "O-O-O");
    else
        move_to_uci(&client->pos, move, text);
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

static void write_clocks(const EngineClient *client, const Limits *limits, Str *out) {
    if (limits->clock.time_ms > 0 && client->has_time)
        str_addf(out, "time %lld\notim %lld\n", (long long)(limits->clock.time_ms / 10),
                 (long long)(limits->other.time_ms / 10));
}

// An engine that plays answers a move at once; one that is forced must be told to go.
static void write_go(EngineClient *client, const Limits *limits) {
    Str *out = &client->out;
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
static Status take_complaint(EngineClient *client, StrView line) {
    int length = (int)(line.length < 120 ? line.length : 120);
    if (client->limits->depth > 0 && says(line, "sd"))
        return error_set(ERR_ARG, "%s: does not know depth= ('%.*s')", client->spec->name, length,
                         line.text);
    if (client->last_move[0] == '\0' || !says(line, client->last_move))
        return OK;
    error_set(ERR_ENGINE, "refuses the legal move %s ('%.*s')", client->last_move, length,
              line.text);
    return client_fail(client, FAULT_ILLEGAL);
}

static void take_move(EngineClient *client, StrView text, EngineAnswer *out) {
    snprintf(out->text, sizeof out->text, "%.*s", (int)(text.length < 15 ? text.length : 15),
             text.text);
    if (san_parse(&client->pos, text, &out->move) != SAN_OK)
        out->move = MOVE_NONE;
    client->made_last_move = true;
}

// Only its own loss can be claimed: other ends of the game we see ourselves, after its move.
static void take_result(EngineClient *client, StrView result, EngineAnswer *out) {
    bool is_white = position_turn(&client->pos) == WHITE;
    out->has_resigned = view_equals(result, is_white ? "0-1" : "1-0");
    char claim[64];
    snprintf(claim, sizeof claim, "a claim of %.*s", (int)result.length, result.text);
    keep_message(client, view_from_string(claim));
}

static void take_info(EngineClient *client, StrView line, EngineAnswer *out) {
    if (!xboard_parse_info(line, &out->info))
        return;
    if (xboard_first_move(out->info.pv).length > 0)
        client_tell_info(client, &out->info);
    out->info.pv = view_of("", 0);
}

static Status take_line(EngineClient *client, StrView line, EngineAnswer *out, bool *is_done) {
    StrView text;
    switch (xboard_parse_line(line, &text)) {
    case XBOARD_MOVE:
        take_move(client, text, out);
        *is_done = true;
        break;
    case XBOARD_RESIGN:
        *is_done = out->has_resigned = true;
        break;
    case XBOARD_RESULT:
        take_result(client, text, out);
        *is_done = out->has_resigned;
        break;
    case XBOARD_OFFER_DRAW:
        out->offers_draw = true;
        break;
    case XBOARD_COMPLAINT:
        return take_complaint(client, text);
    case XBOARD_MESSAGE:
        keep_message(client, text);
        break;
    case XBOARD_OTHER:
        take_info(client, line, out);
        break;
    case XBOARD_PONG:
    case XBOARD_FEATURE:
        break;
    }
    return OK;
}

static Move read_first(const Position *pos, StrView pv) {
    Move move;
    return san_parse(pos, xboard_first_move(pv), &move) == SAN_OK ? move : MOVE_NONE;
}

const ClientProtocol client_xboard = {
    .shake_hands = shake_hands,
    .write_option = write_option,
    .sync = sync,
    .new_game = new_game,
    .push_move = push_move,
    .write_go = write_go,
    .stop = "?\n",
    .take_line = take_line,
    .read_first = read_first,
};
