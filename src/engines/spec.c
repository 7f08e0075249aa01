// SPDX-License-Identifier: GPL-3.0-or-later
#include "engines/spec.h"

#include "base/mem.h"
#include "base/shell.h"
#include "base/text.h"

#include <assert.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { MARGIN_MAX_MS = 3600000, DEPTH_MAX = 1000, MEMORY_MAX_MB = 1 << 30, CPU_MAX_S = 1 << 30 };

EngineSpec engine_spec_init(void) {
    return (EngineSpec){.margin_ms = -1};
}

void engine_spec_deinit(EngineSpec *spec) {
    free(spec->name);
    free(spec->command);
    free(spec->dir);
    free(spec->weights);
    free(spec->stderr_path);
    for (size_t i = 0; i < spec->arg_count; i++)
        free(spec->args[i]);
    free(spec->args);
    for (size_t i = 0; i < spec->option_count; i++) {
        free(spec->options[i].name);
        free(spec->options[i].value);
    }
    free(spec->options);
    *spec = engine_spec_init();
}

static void replace(char **field, const char *value) {
    free(*field);
    *field = mem_copy_string(value);
}

static void add_argument(EngineSpec *spec, const char *value) {
    MEM_ADD(spec->args, spec->arg_count, spec->arg_capacity) = mem_copy_string(value);
}

static Status set_protocol(EngineSpec *spec, const char *value) {
    const bool is_xboard = strcmp(value, "xboard") == 0;
    if (!is_xboard && strcmp(value, "uci") != 0)
        return error_set(ERR_ARG, "proto=%s: expected uci or xboard", value);
    spec->protocol = is_xboard ? PROTOCOL_XBOARD : PROTOCOL_UCI;
    return OK;
}

static void add_arguments(EngineSpec *spec, const char *text) {
    CLEANUP(str_free) Str word = {0};
    while (shell_next_word(&text, &word))
        add_argument(spec, str_text(&word));
}

// An XBoard engine that wants it is restarted whatever is said here: auto and off are one.
static Status set_restart(EngineSpec *spec, const char *value) {
    spec->restarts = strcmp(value, "on") == 0;
    if (spec->restarts || strcmp(value, "off") == 0 || strcmp(value, "auto") == 0)
        return OK;
    return error_set(ERR_ARG, "restart=%s: expected on, off or auto", value);
}

typedef enum KeyType {
    TEXT,
    INT,
    INT64,
    ARGUMENT,
    ARGUMENTS,
    CLOCK,
    MOVE_TIME,
    PROTOCOL,
    RESTART,
} KeyType;

#define FIELD(name) offsetof(EngineSpec, name)
static const struct {
    const char *name;
    KeyType type;
    size_t field;
    int64_t low, high; // of numbers
} keys[] = {
    {"cmd", TEXT, FIELD(command), 0, 0},
    {"name", TEXT, FIELD(name), 0, 0},
    {"dir", TEXT, FIELD(dir), 0, 0},
    {"arg", ARGUMENT, 0, 0, 0},
    {"args", ARGUMENTS, 0, 0, 0},
    {"tc", CLOCK, 0, 0, 0},
    {"st", MOVE_TIME, 0, 0, 0},
    {"nodes", INT64, FIELD(limits.nodes), 1, INT64_MAX},
    {"depth", INT, FIELD(limits.depth), 1, DEPTH_MAX},
    {"plies", INT, FIELD(limits.depth), 1, DEPTH_MAX},
    {"proto", PROTOCOL, 0, 0, 0},
    {"restart", RESTART, 0, 0, 0},
    {"timemargin", INT, FIELD(margin_ms), 0, MARGIN_MAX_MS},
    {"stderr", TEXT, FIELD(stderr_path), 0, 0},
    {"memory", INT64, FIELD(memory_mb), 1, MEMORY_MAX_MB},
    {"cpu", INT64, FIELD(cpu_s), 1, CPU_MAX_S},
    {"weights", TEXT, FIELD(weights), 0, 0},
};
enum { KEY_COUNT = sizeof keys / sizeof keys[0] };

static Status set_number(EngineSpec *spec, size_t key, const char *value) {
    // The other name of depth= is not one of messages.
    const char *name = keys[key].field == FIELD(limits.depth) ? "depth" : keys[key].name;
    void *field = (char *)spec + keys[key].field;
    int64_t number;
    if (!view_to_int(view_from_string(value), &number) || number < keys[key].low ||
        number > keys[key].high)
        return error_set(ERR_ARG, "%s=%s: expected a whole number from %lld to %lld", name, value,
                         (long long)keys[key].low, (long long)keys[key].high);
    if (keys[key].type == INT)
        *(int *)field = (int)number;
    else
        *(int64_t *)field = number;
    return OK;
}

static Status set_key(EngineSpec *spec, size_t key, const char *value) {
    switch (keys[key].type) {
    case INT:
    case INT64:
        return set_number(spec, key, value);
    case CLOCK:
        return limits_parse_clock(value, &spec->limits);
    case MOVE_TIME:
        return limits_parse_move_time(value, &spec->limits);
    case PROTOCOL:
        return set_protocol(spec, value);
    case RESTART:
        return set_restart(spec, value);
    case ARGUMENTS:
        add_arguments(spec, value);
        break;
    case ARGUMENT:
        add_argument(spec, value);
        break;
    case TEXT:
        replace((char **)(void *)((char *)spec + keys[key].field), value);
        break;
    }
    return OK;
}

static Status set_option(EngineSpec *spec, StrView name, const char *value) {
    if (name.length == 0)
        return error_set(ERR_ARG, "option.=%s: the option has no name", value);
    for (size_t i = 0; i < spec->option_count; i++) {
        if (!view_equals_ignoring_case(name, spec->options[i].name))
            continue;
        replace(&spec->options[i].value, value);
        return OK;
    }
    EngineOption *option = &MEM_ADD(spec->options, spec->option_count, spec->option_capacity);
    option->name = strndup(name.text, name.length);
    option->value = mem_copy_string(value);
    return OK;
}

Status engine_spec_set(EngineSpec *spec, const char *word) {
    const char *equals = strchr(word, '=');
    if (equals == NULL)
        return error_set(ERR_ARG, "'%s': an engine is described by key=value words", word);
    StrView key = view_of(word, (size_t)(equals - word));
    const char *value = equals + 1;
    if (key.length >= 7 && memcmp(key.text, "option.", 7) == 0)
        return set_option(spec, view_of(key.text + 7, key.length - 7), value);
    for (size_t i = 0; i < KEY_COUNT; i++) {
        if (!view_equals(key, keys[i].name))
            continue;
        if (view_trim(view_from_string(value)).length == 0)
            return error_set(ERR_ARG, "%s= has no value", keys[i].name);
        return set_key(spec, i, value);
    }
    return error_set(
        ERR_ARG,
        "'%s': unknown key; known are cmd= name= dir= arg= args= option.NAME= tc= st= nodes= "
        "depth= proto= restart= timemargin= stderr= memory= cpu= weights=",
        word);
}

Status engine_spec_parse(EngineSpec *spec, const char *text) {
    CLEANUP(str_free) Str word = {0};
    while (shell_next_word(&text, &word))
        TRY(engine_spec_set(spec, str_text(&word)));
    return OK;
}

// Names end up in tables, files of games and on terminals.
static void clean_name(EngineSpec *spec, StrView name) {
    CLEANUP(str_free) Str utf8 = {0};
    CLEANUP(str_free) Str clean = {0};
    str_add_utf8(&utf8, name);
    text_clean_line(&clean, view_of(str_text(&utf8), utf8.length));
    replace(&spec->name, str_text(&clean));
}

Status engine_spec_finish(EngineSpec *spec) {
    const char *source = spec->command != NULL ? spec->command : spec->weights;
    if (source == NULL)
        return error_set(ERR_ARG, "%s%san engine needs cmd= or weights=",
                         spec->name == NULL ? "" : spec->name, spec->name == NULL ? "" : ": ");
    if (spec->command != NULL && spec->weights != NULL)
        return error_set(ERR_ARG, "cmd=%s weights=%s: an engine is one or the other", spec->command,
                         spec->weights);
    if (spec->name != NULL) {
        clean_name(spec, view_from_string(spec->name));
        return OK;
    }
    size_t length = strcspn(source, " ");
    StrView path = view_of(source, length);
    const char *slash = memrchr(path.text, '/', path.length);
    const char *base = slash == NULL || slash + 1 == source + length ? source : slash + 1;
    clean_name(spec, view_of(base, (size_t)(source + length - base)));
    return OK;
}

bool engine_spec_is_valid(const EngineSpec *spec) {
    return spec->name != NULL && (spec->command == NULL) != (spec->weights == NULL) &&
           spec->protocol <= PROTOCOL_XBOARD && spec->margin_ms >= -1 && spec->memory_mb >= 0 &&
           spec->cpu_s >= 0 && limits_are_valid(&spec->limits);
}

// --- as bytes ---

void engine_spec_pack(const EngineSpec *spec, Str *out) {
    const char *texts[] = {spec->name, spec->command, spec->dir, spec->weights, spec->stderr_path};
    assert(engine_spec_is_valid(spec));
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        bytes_add_string(out, texts[i]);
    bytes_add_short(out, (int64_t)spec->arg_count);
    for (size_t i = 0; i < spec->arg_count; i++)
        bytes_add_string(out, spec->args[i]);
    bytes_add_short(out, (int64_t)spec->option_count);
    for (size_t i = 0; i < spec->option_count; i++) {
        bytes_add_string(out, spec->options[i].name);
        bytes_add_string(out, spec->options[i].value);
    }
    limits_pack(&spec->limits, out);
    bytes_add_u8(out, (uint8_t)spec->protocol);
    bytes_add_u8(out, spec->restarts);
    bytes_add_short(out, spec->margin_ms);
    bytes_add_short(out, spec->memory_mb);
    bytes_add_short(out, spec->cpu_s);
}

// A text that must be there.
static char *unpack_word(ByteReader *in) {
    char *text = bytes_string(in);
    in->failed = in->failed || text == NULL;
    return text == NULL ? mem_copy_string("") : text;
}

static void unpack_lists(ByteReader *in, EngineSpec *out) {
    const size_t args = bytes_count(in, 1);
    out->args = mem_grow(NULL, &out->arg_capacity, args + 1, sizeof *out->args);
    for (; out->arg_count < args; out->arg_count++)
        out->args[out->arg_count] = unpack_word(in);
    const size_t options = bytes_count(in, 2);
    out->options = mem_grow(NULL, &out->option_capacity, options + 1, sizeof *out->options);
    for (; out->option_count < options; out->option_count++) {
        EngineOption *option = &out->options[out->option_count];
        option->name = unpack_word(in);
        option->value = unpack_word(in);
    }
}

void engine_spec_unpack(ByteReader *in, EngineSpec *out) {
    *out = engine_spec_init();
    out->name = unpack_word(in);
    out->command = bytes_string(in);
    out->dir = bytes_string(in);
    out->weights = bytes_string(in);
    out->stderr_path = bytes_string(in);
    unpack_lists(in, out);
    out->limits = limits_unpack(in);
    out->protocol = bytes_u8(in);
    out->restarts = bytes_u8(in) != 0;
    out->margin_ms = bytes_short_in(in, -1, INT_MAX);
    out->memory_mb = bytes_short_in(in, 0, INT_MAX);
    out->cpu_s = bytes_short_in(in, 0, INT_MAX);
    in->failed = in->failed || !engine_spec_is_valid(out);
}
