// SPDX-License-Identifier: GPL-3.0-or-later
// What a client does with an engine that speaks UCI.
#include "chess/movegen.h"
#include "engines/client_internal.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>

enum { START_MS = 20000, OPTIONS_MAX = 4096, OPTIONS_BYTES_MAX = 1 << 20, MOVE_LENGTH_MAX = 7 };
enum { NODES_SLACK = 1000000, NODES_FACTOR = 10 }; // how far one may go beyond a limit

static const char option_960[] = "UCI_Chess960";

// --- the handshake ---

static Status take_option(EngineClient *client, StrView line, size_t *bytes) {
    *bytes += line.length;
    if (client->option_count == OPTIONS_MAX || *bytes > OPTIONS_BYTES_MAX) {
        error_set(ERR_ENGINE, "declares more than %d options or %d bytes of them", OPTIONS_MAX,
                  OPTIONS_BYTES_MAX);
        return client_fail(client, FAULT_ILLEGAL);
    }
    // A line that is no proper option declares none: setting it will be refused by name.
    if (uci_option_parse(line, client_next_option(client)) == OK)
        client->option_count++;
    return OK;
}

static void set_position(EngineClient *client, const char *fen) {
    str_clear(&client->position);
    if (fen == NULL)
        str_add(&client->position, "position startpos");
    else
        str_addf(&client->position, "position fen %s", fen);
    client->has_moves = false;
}

static Status shake_hands(EngineClient *client, const ClientConfig *config) {
    static const char when[] = "during the handshake (uci ... uciok)";
    Deadline deadline = deadline_in_ms(config->start_ms == 0 ? START_MS : config->start_ms);
    size_t option_bytes = 0;
    TRY(client_send(client, "uci\n", when));
    for (;;) {
        StrView line, rest, after;
        TRY(client_read(client, &deadline, when, &line));
        if (uci_line_is(line, "uciok", &rest))
            break;
        if (uci_line_is(line, "id", &rest) && uci_line_is(rest, "name", &after))
            client_copy_text(client->id, sizeof client->id, view_trim(after));
        else if (uci_line_is(line, "option", &rest))
            TRY(take_option(client, line, &option_bytes));
    }
    set_position(client, NULL);
    return OK;
}

static void write_option(EngineClient *client, const UciOption *option, const char *value) {
    if (strcasecmp(option->name, option_960) == 0)
        client->plays_960 = strcmp(value, "true") == 0;
    str_addf(&client->out, "setoption name %s", option->name);
    if (option->type != UCI_BUTTON)
        str_addf(&client->out, " value %s", value);
    str_add(&client->out, "\n");
}

static Status wait_ready(EngineClient *client, const char *when) {
    Deadline deadline = deadline_in_ms(client->ready_ms);
    StrView line, rest;
    do
        TRY(client_read(client, &deadline, when, &line));
    while (!uci_line_is(line, "readyok", &rest));
    return OK;
}

static Status sync(EngineClient *client) {
    TRY(client_send(client, "isready\n", "at isready"));
    return wait_ready(client, "to isready");
}

// --- games ---

// Positions of Chess960 need an engine that knows it, which then is told once.
static Status begin_960(EngineClient *client) {
    if (client->plays_960 || !position_is_chess960(&client->pos))
        return OK;
    const UciOption *option = client_option(client, option_960);
    if (option == NULL)
        return error_set(ERR_ARG, "%s: does not know Chess960: it has no option %s",
                         client->spec->name, option_960);
    write_option(client, option, "true");
    return client_send_out(client, "at setoption");
}

static Status new_game(EngineClient *client, const char *fen, bool is_start) {
    TRY(begin_960(client));
    TRY(client_send(client, "ucinewgame\nisready\n", "at ucinewgame"));
    TRY(wait_ready(client, "to isready after ucinewgame"));
    set_position(client, is_start ? NULL : fen);
    return OK;
}

static void push_move(EngineClient *client, Move move) {
    char text[UCI_MOVE_SIZE];
    if (client->plays_960)
        move_to_uci_960(&client->pos, move, text);
    else
        move_to_uci(&client->pos, move, text);
    str_add(&client->position, client->has_moves ? " " : " moves ");
    str_add(&client->position, text);
    client->has_moves = true;
}

static void write_go(EngineClient *client, const Limits *limits) {
    const bool is_white = position_turn(&client->pos) == WHITE;
    const ChessClock *clock = &limits->clock, *other = &limits->other;
    const ChessClock *white = is_white ? clock : other, *black = is_white ? other : clock;
    Str *out = &client->out;
    str_append(out, client->position.text, client->position.length);
    str_add(out, "\ngo");
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

static void keep_best(const UciInfo *info, EngineAnswer *out) {
    out->info = *info;
    out->info.pv = client_copy_text(out->line, sizeof out->line, info->pv);
}

static void keep_further(const UciInfo *info, ClientLine *out) {
    StrView rest = info->pv;
    const StrView word = view_next_word(&rest);
    out->info = *info;
    out->info.pv = view_of("", 0);
    client_copy_text(out->first, sizeof out->first,
                     word.length > MOVE_LENGTH_MAX ? view_of("", 0) : word);
}

static void keep_info(const UciInfo *info, EngineAnswer *out) {
    const unsigned bound = UCI_INFO_LOWER | UCI_INFO_UPPER;
    if ((info->has & UCI_INFO_SCORE) == 0 || info->multipv > CLIENT_LINES_MAX)
        return;
    ClientLine *further = info->multipv > 1 ? &out->further[info->multipv - 2] : NULL;
    const unsigned known = further == NULL ? out->info.has : further->info.has;
    if ((info->has & bound) != 0 && (known & UCI_INFO_SCORE) != 0 && (known & bound) == 0)
        return;
    if (further == NULL)
        keep_best(info, out);
    else
        keep_further(info, further);
}

static Status take_best(EngineClient *client, StrView rest, EngineAnswer *out) {
    const StrView word = view_next_word(&rest);
    if (word.length == 0 || word.length > MOVE_LENGTH_MAX) {
        error_set(ERR_ENGINE, "'bestmove' with no move: '%.*s'",
                  (int)(word.length < 40 ? word.length : 40), word.text);
        return client_fail(client, FAULT_ILLEGAL);
    }
    client_copy_text(out->text, sizeof out->text, word);
    out->move = move_from_uci(&client->pos, word.text, word.length);
    return OK;
}

// Many count coarsely, or for several threads apart. One that is this far beyond the limit does not
// know it, and would search for ever.
static Status check_nodes(EngineClient *client, const UciInfo *info) {
    const uint64_t limit = client->limits->nodes;
    if (limit == 0 || (info->has & UCI_INFO_NODES) == 0 || info->nodes < NODES_SLACK ||
        info->nodes / NODES_FACTOR < limit)
        return OK;
    error_set(ERR_ENGINE,
              "it does not obey 'go nodes %" PRIu64 "': it has searched %" PRIu64
              " and goes on; limit it by depth or time",
              limit, info->nodes);
    return client_fail(client, FAULT_REFUSED);
}

static Status take_line(EngineClient *client, StrView line, EngineAnswer *out, bool *is_done) {
    StrView rest;
    UciInfo info;
    *is_done = uci_line_is(line, "bestmove", &rest);
    if (*is_done)
        return take_best(client, rest, out);
    if (uci_parse_info(line, &info)) {
        TRY(check_nodes(client, &info));
        keep_info(&info, out);
        // Lines behind the best are nobody's news.
        if ((info.has & UCI_INFO_PV) != 0 && info.multipv <= 1)
            client_tell_info(client, &info);
    }
    return OK;
}

static Move read_first(const Position *pos, StrView pv) {
    const StrView first = view_next_word(&pv);
    return move_from_uci(pos, first.text, first.length);
}

const ClientProtocol client_uci = {
    .shake_hands = shake_hands,
    .write_option = write_option,
    .sync = sync,
    .new_game = new_game,
    .push_move = push_move,
    .write_go = write_go,
    .stop = "stop\n",
    .take_line = take_line,
    .read_first = read_first,
};
