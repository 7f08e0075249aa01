// SPDX-License-Identifier: GPL-3.0-or-later
// The beginning of an XBoard engine's life: features and options.
#include "engines/xboard_internal.h"

#include "base/mem.h"

#include <string.h>
#include <strings.h>

enum { FEATURE_MS = 2000, START_MS = 20000, OPTIONS_MAX = 1024, MEMORY_MAX_MB = 1 << 20 };

typedef struct Handshake {
    bool is_done, is_waiting; // done=1, done=0
} Handshake;

static bool *find_switch(XboardClient *client, StrView name) {
    const struct {
        const char *name;
        bool *value;
    } switches[] = {
        {"ping", &client->has_ping},         {"setboard", &client->has_setboard},
        {"usermove", &client->has_usermove}, {"san", &client->has_san},
        {"time", &client->has_time},         {"reuse", &client->has_reuse},
        {"memory", &client->has_memory},     {"smp", &client->has_cores},
    };
    for (size_t i = 0; i < sizeof switches / sizeof switches[0]; i++)
        if (view_equals(name, switches[i].name))
            return switches[i].value;
    return NULL;
}

// Features that change nothing for us but are fine to have.
static bool is_harmless(StrView name) {
    static const char *const names[] = {"playother", "ics",     "sigint",   "sigterm",
                                        "colors",    "analyze", "name",     "draw",
                                        "pause",     "debug",   "variants", "myname"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (view_equals(name, names[i]))
            return true;
    return false;
}

static bool take_option(XboardClient *client, StrView value) {
    if (client->option_count == OPTIONS_MAX)
        return false;
    client->options = mem_grow(client->options, &client->option_capacity, client->option_count + 1,
                               sizeof *client->options);
    // What cannot be read declares no option: setting it will be refused by name.
    if (xboard_option_parse(value, &client->options[client->option_count]) != OK)
        return false;
    client->option_count++;
    return true;
}

// True when the feature is accepted.
static bool take_feature(XboardClient *client, StrView name, StrView value, Handshake *hands) {
    bool *feature = find_switch(client, name);
    if (feature != NULL)
        *feature = !view_equals(value, "0");
    else if (view_equals(name, "option"))
        return take_option(client, value);
    else if (view_equals(name, "done"))
        *(view_equals(value, "0") ? &hands->is_waiting : &hands->is_done) = true;
    else if (!is_harmless(name))
        return false;
    if (view_equals(name, "myname")) {
        size_t length = value.length < XBOARD_ID_SIZE - 1 ? value.length : XBOARD_ID_SIZE - 1;
        memcpy(client->id, value.text, length);
        client->id[length] = '\0';
    }
    return true;
}

static Status take_features(XboardClient *client, StrView rest, Handshake *hands) {
    StrView name, value;
    str_clear(&client->out);
    while (xboard_next_feature(&rest, &name, &value))
        str_addf(&client->out, "%s %.*s\n",
                 take_feature(client, name, value, hands) ? "accepted" : "rejected",
                 (int)(name.length < 64 ? name.length : 64), name.text);
    return xboard_send_out(client, "during the handshake");
}

// An engine that tells of no features in time speaks the first version: that is fine.
static Status shake_hands(XboardClient *client, const XboardConfig *config) {
    static const char when[] = "during the handshake (xboard, protover 2)";
    Handshake hands = {0};
    Deadline quiet = deadline_in_ms(config->feature_ms == 0 ? FEATURE_MS : config->feature_ms);
    Deadline longest = deadline_in_ms(config->start_ms == 0 ? START_MS : config->start_ms);
    Status status = engine_link_send(&client->link, view_from_string("xboard\nprotover 2\n"), when);
    while (status == OK && !hands.is_done) {
        StrView line, text;
        ProcessRead kind =
            process_read(client->link.process, hands.is_waiting ? &longest : &quiet, &line);
        if (kind == PROCESS_TIMEOUT && !hands.is_waiting)
            break;
        if (kind == PROCESS_LONG_LINE)
            continue;
        if (kind != PROCESS_LINE)
            return xboard_fail_read(client, kind, when);
        XboardSaid said = xboard_parse_line(line, &text);
        if (said == XBOARD_FEATURE)
            status = take_features(client, text, &hands);
        else if (said == XBOARD_MESSAGE)
            xboard_keep_message(client, text);
    }
    return status;
}

static const UciOption *find_option(const XboardClient *client, const char *name) {
    for (size_t i = 0; i < client->option_count; i++)
        if (strcasecmp(client->options[i].name, name) == 0)
            return &client->options[i];
    return NULL;
}

// The protocol's own commands for what other engines have as options.
static Status set_by_command(XboardClient *client, const EngineOption *option, bool *is_set) {
    const char *name = strcasecmp(option->name, "memory") == 0 && client->has_memory ? "memory"
                       : strcasecmp(option->name, "cores") == 0 && client->has_cores ? "cores"
                                                                                     : NULL;
    int64_t number;
    *is_set = name != NULL;
    if (name == NULL)
        return OK;
    if (!view_to_int(view_from_string(option->value), &number) || number < 1 ||
        number > MEMORY_MAX_MB)
        return error_set(ERR_ARG, "%s: option %s takes a number from 1 to %d, not '%s'",
                         client->link.spec->name, name, MEMORY_MAX_MB, option->value);
    str_addf(&client->out, "%s %lld\n", name, (long long)number);
    return OK;
}

static Status set_option(XboardClient *client, const EngineOption *option) {
    bool is_set;
    Status status = set_by_command(client, option, &is_set);
    if (status != OK || is_set)
        return status;
    const UciOption *declared = find_option(client, option->name);
    if (declared == NULL)
        return error_set(ERR_ARG, "%s: it has no option '%s'", client->link.spec->name,
                         option->name);
    status = uci_option_check(declared, option->value);
    if (status != OK) {
        error_prefix("%s", client->link.spec->name);
        return status;
    }
    bool is_true = strcmp(option->value, "true") == 0;
    str_addf(&client->out, "option %s", declared->name);
    if (declared->type == UCI_CHECK)
        str_addf(&client->out, "=%d", is_true);
    else if (declared->type != UCI_BUTTON)
        str_addf(&client->out, "=%s", option->value);
    str_add(&client->out, "\n");
    return OK;
}

Status xboard_set_up(XboardClient *client, const XboardConfig *config) {
    client->has_time = client->has_reuse = true; // unless it says otherwise
    Status status = shake_hands(client, config);
    str_clear(&client->out);
    for (size_t i = 0; i < config->spec->option_count && status == OK; i++)
        status = set_option(client, &config->spec->options[i]);
    if (status == OK)
        status = xboard_send_out(client, "at setting options");
    return status == OK ? xboard_sync(client, "to ping after its options") : status;
}
