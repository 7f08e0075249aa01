// SPDX-License-Identifier: GPL-3.0-or-later
#include "engines/uci_client.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/nearest.h"
#include "chess/fen.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
    START_MS = 20000,
    READY_MS = 60000,
    STOP_MS = 2000, // to answer after "stop"
    OPTIONS_MAX = 4096,
    OPTIONS_BYTES_MAX = 1 << 20,
    ID_SIZE = 128,
};

struct UciClient {
    EngineLink link;
    char id[ID_SIZE];
    UciOption *options;
    size_t option_count, option_capacity, option_bytes;
    int start_ms, ready_ms;
    Str position; // the line, without its end
    bool has_moves;
    Color turn; // at the end of it
    Str out;
};

static Status send_line(UciClient *client, const char *line, const char *when) {
    return engine_link_send(&client->link, view_from_string(line), when);
}

static void take_id(UciClient *client, StrView rest) {
    StrView name = view_trim(rest);
    size_t length = name.length < ID_SIZE - 1 ? name.length : ID_SIZE - 1;
    memcpy(client->id, name.text, length);
    client->id[length] = '\0';
}

static Status take_option(UciClient *client, StrView line) {
    client->option_bytes += line.length;
    if (client->option_count == OPTIONS_MAX || client->option_bytes > OPTIONS_BYTES_MAX) {
        error_set(ERR_ENGINE, "declares more than %d options or %d bytes of them", OPTIONS_MAX,
                  OPTIONS_BYTES_MAX);
        return engine_link_fail(&client->link, FAULT_ILLEGAL);
    }
    client->options = mem_grow(client->options, &client->option_capacity, client->option_count + 1,
                               sizeof *client->options);
    // A line that is no proper option declares none: setting it will be refused by name.
    if (uci_option_parse(line, &client->options[client->option_count]) == OK)
        client->option_count++;
    return OK;
}

static Status shake_hands(UciClient *client) {
    static const char when[] = "during the handshake (uci ... uciok)";
    Deadline deadline = deadline_in_ms(client->start_ms);
    Status status = send_line(client, "uci\n", when);
    while (status == OK) {
        StrView line, rest, after;
        ProcessRead kind = process_read(client->link.process, &deadline, &line);
        if (kind == PROCESS_LONG_LINE)
            continue;
        if (kind != PROCESS_LINE)
            return engine_link_fail_read(&client->link, kind, when);
        if (uci_line_is(line, "uciok", &rest))
            break;
        if (uci_line_is(line, "id", &rest) && uci_line_is(rest, "name", &after))
            take_id(client, after);
        else if (uci_line_is(line, "option", &rest))
            status = take_option(client, line);
    }
    return status;
}

static Status wait_ready(UciClient *client, const char *when) {
    Deadline deadline = deadline_in_ms(client->ready_ms);
    for (;;) {
        StrView line, rest;
        ProcessRead kind = process_read(client->link.process, &deadline, &line);
        if (kind == PROCESS_LINE && uci_line_is(line, "readyok", &rest))
            return OK;
        if (kind != PROCESS_LINE && kind != PROCESS_LONG_LINE)
            return engine_link_fail_read(&client->link, kind, when);
    }
}

Status uci_client_sync(UciClient *client) {
    Status status = engine_link_check(&client->link);
    if (status == OK)
        status = send_line(client, "isready\n", "at isready");
    return status == OK ? wait_ready(client, "to isready") : status;
}

static Status refuse_option(const UciClient *client, const char *name) {
    const char **names = mem_alloc_zero(client->option_count + 1, sizeof *names);
    for (size_t i = 0; i < client->option_count; i++)
        names[i] = client->options[i].name;
    const char *nearest = nearest_name(name, names, client->option_count);
    free(names);
    if (nearest == NULL)
        return error_set(ERR_ARG, "%s: it has no option '%s'", client->link.spec->name, name);
    return error_set(ERR_ARG, "%s: it has no option '%s': did you mean '%s'?",
                     client->link.spec->name, name, nearest);
}

Status uci_client_set_option(UciClient *client, const char *name, const char *value) {
    Status status = engine_link_check(&client->link);
    if (status != OK)
        return status;
    const UciOption *option = uci_client_option(client, name);
    if (option == NULL)
        return refuse_option(client, name);
    status = uci_option_check(option, value);
    if (status != OK) {
        error_prefix("%s", client->link.spec->name);
        return status;
    }
    str_clear(&client->out);
    str_addf(&client->out, "setoption name %s", option->name);
    if (option->type != UCI_BUTTON)
        str_addf(&client->out, " value %s", value);
    str_add(&client->out, "\n");
    return engine_link_send(&client->link, view_of(client->out.text, client->out.length),
                            "at setoption");
}

static Status set_options(UciClient *client) {
    Status status = OK;
    for (size_t i = 0; i < client->link.spec->option_count && status == OK; i++)
        status = uci_client_set_option(client, client->link.spec->options[i].name,
                                       client->link.spec->options[i].value);
    return status;
}

Status uci_client_open(UciClient **out, const UciConfig *config) {
    if (config->spec->protocol != PROTOCOL_UCI)
        return error_set(ERR_ARG, "%s: proto=xboard: only UCI engines can be used here",
                         config->spec->name);
    UciClient *client = mem_alloc_zero(1, sizeof *client);
    client->start_ms = config->start_ms == 0 ? START_MS : config->start_ms;
    client->ready_ms = config->ready_ms == 0 ? READY_MS : config->ready_ms;
    Status status = engine_link_open(&client->link, config->spec, config->cancel_fd);
    if (status == OK)
        status = shake_hands(client);
    if (status == OK)
        status = set_options(client);
    if (status == OK)
        status = uci_client_sync(client);
    if (status != OK) {
        uci_client_close(client);
        return status;
    }
    Position start;
    position_set_start(&start);
    uci_client_set_position(client, &start);
    *out = client;
    return OK;
}

void uci_client_close(UciClient *client) {
    if (client == NULL)
        return;
    engine_link_close(&client->link, "quit\n");
    uci_options_free(client->options, client->option_count);
    str_free(&client->position);
    str_free(&client->out);
    free(client);
}

Status uci_client_new_game(UciClient *client) {
    Status status = engine_link_check(&client->link);
    if (status == OK)
        status = send_line(client, "ucinewgame\nisready\n", "at ucinewgame");
    return status == OK ? wait_ready(client, "to isready after ucinewgame") : status;
}

void uci_client_set_position(UciClient *client, const Position *start) {
    char fen[FEN_SIZE];
    fen_write(start, fen);
    str_clear(&client->position);
    if (strcmp(fen, fen_start) == 0)
        str_add(&client->position, "position startpos");
    else
        str_addf(&client->position, "position fen %s", fen);
    client->has_moves = false;
    client->turn = position_turn(start);
}

void uci_client_push_move(UciClient *client, Move move) {
    char text[UCI_MOVE_SIZE];
    move_to_uci(move, text);
    str_add(&client->position, client->has_moves ? " " : " moves ");
    str_add(&client->position, text);
    client->has_moves = true;
    client->turn = color_other(client->turn);
}

static void write_go(const Limits *limits, Color turn, Str *out) {
    const ChessClock *clock = &limits->clock, *other = &limits->other;
    const ChessClock *white = turn == WHITE ? clock : other, *black = turn == WHITE ? other : clock;
    str_add(out, "go");
    if (clock->time_ms > 0)
        str_addf(out, " wtime %" PRId64 " btime %" PRId64, white->time_ms, black->time_ms);
    if (clock->time_ms > 0 && (clock->inc_ms > 0 || other->inc_ms > 0))
        str_addf(out, " winc %" PRId64 " binc %" PRId64, white->inc_ms, black->inc_ms);
    if (clock->moves > 0)
        str_addf(out, " movestogo %d", clock->moves);
    if (limits->move_ms > 0)
        str_addf(out, " movetime %" PRId64, limits->move_ms);
    if (limits->nodes > 0)
        str_addf(out, " nodes %" PRIu64, limits->nodes);
    if (limits->depth > 0)
        str_addf(out, " depth %d", limits->depth);
    str_add(out, "\n");
}

static void keep_best(const UciInfo *info, UciAnswer *out) {
    out->info = *info;
    size_t length = info->pv.length < UCI_PV_SIZE - 1 ? info->pv.length : UCI_PV_SIZE - 1;
    if (length > 0)
        memcpy(out->line, info->pv.text, length);
    out->line[length] = '\0';
    out->info.pv = view_of(out->line, length);
}

static void keep_further(const UciInfo *info, UciLine *out) {
    StrView rest = (info->has & UCI_INFO_PV) != 0 ? info->pv : view_of("", 0);
    StrView word = view_next_word(&rest);
    size_t length = word.length < UCI_TEXT_SIZE ? word.length : 0;
    out->info = *info;
    out->info.pv = view_of("", 0);
    if (length > 0)
        memcpy(out->first, word.text, length);
    out->first[length] = '\0';
}

static void keep_info(const UciInfo *info, UciAnswer *out) {
    const unsigned bound = UCI_INFO_LOWER | UCI_INFO_UPPER;
    if ((info->has & UCI_INFO_SCORE) == 0 || info->multipv > UCI_LINES_MAX)
        return;
    UciLine *further = info->multipv > 1 ? &out->further[info->multipv - 2] : NULL;
    const unsigned known = further == NULL ? out->info.has : further->info.has;
    if ((info->has & bound) != 0 && (known & UCI_INFO_SCORE) != 0 && (known & bound) == 0)
        return;
    if (further == NULL)
        keep_best(info, out);
    else
        keep_further(info, further);
}

static Status take_best(UciClient *client, StrView rest, UciAnswer *out) {
    StrView word = view_next_word(&rest);
    if (word.length == 0 || word.length >= UCI_TEXT_SIZE) {
        error_set(ERR_ENGINE, "'bestmove' with no move: '%.*s'",
                  (int)(word.length < 40 ? word.length : 40), word.text);
        return engine_link_fail(&client->link, FAULT_ILLEGAL);
    }
    memcpy(out->best, word.text, word.length);
    out->best[word.length] = '\0';
    return OK;
}

// Reads until bestmove; at the cap says stop and gives it a little longer.
static Status wait_for_best(UciClient *client, int64_t cap_ms, const UciListener *listener,
                            int64_t start, UciAnswer *out) {
    Deadline deadline = deadline_in_ms(cap_ms);
    for (;;) {
        StrView line, rest;
        UciInfo info;
        ProcessRead kind = process_read(client->link.process, &deadline, &line);
        if (kind == PROCESS_TIMEOUT && !out->is_late) {
            out->is_late = true;
            deadline = deadline_in_ms(STOP_MS);
            Status status = send_line(client, "stop\n", "while thinking");
            if (status != OK)
                return status;
            continue;
        }
        if (kind == PROCESS_LONG_LINE)
            continue;
        if (kind != PROCESS_LINE)
            return engine_link_fail_read(&client->link, kind,
                                         kind == PROCESS_EOF ? "while thinking" : "to go");
        if (uci_line_is(line, "bestmove", &rest))
            return take_best(client, rest, out);
        if (!uci_parse_info(line, &info))
            continue;
        keep_info(&info, out);
        if (listener != NULL)
            listener->on_info(listener->context, &info,
                              process_read_ns(client->link.process) - start);
    }
}

Status uci_client_go(UciClient *client, const Limits *limits, const UciListener *listener,
                     UciAnswer *out) {
    *out = (UciAnswer){0};
    Status status = engine_link_check(&client->link);
    if (status != OK)
        return status;
    str_clear(&client->out);
    str_append(&client->out, client->position.text, client->position.length);
    str_add(&client->out, "\n");
    write_go(limits, client->turn, &client->out);
    process_measure_latency(client->link.process, limits_have_clock(limits));
    int64_t start = clock_now_ns();
    status =
        engine_link_send(&client->link, view_of(client->out.text, client->out.length), "at go");
    if (status == OK)
        status = wait_for_best(client, limits->cap_ms, listener, start, out);
    out->latency_ns = process_latency_ns(client->link.process);
    int64_t end = status == OK ? process_read_ns(client->link.process) : clock_now_ns();
    // An answer that lay there before we asked earns no time.
    out->elapsed_ns = end > start ? end - start : 0;
    return status;
}

Fault uci_client_fault(const UciClient *client) {
    return client->link.fault;
}

const char *uci_client_id(const UciClient *client) {
    return client->id;
}

const UciOption *uci_client_option(const UciClient *client, const char *name) {
    for (size_t i = 0; i < client->option_count; i++)
        if (strcasecmp(client->options[i].name, name) == 0)
            return &client->options[i];
    return NULL;
}

size_t uci_client_option_count(const UciClient *client) {
    return client->option_count;
}

const UciOption *uci_client_option_at(const UciClient *client, size_t index) {
    return &client->options[index];
}

uint64_t uci_client_bytes(const UciClient *client) {
    return process_bytes_read(client->link.process);
}
