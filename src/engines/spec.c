// SPDX-License-Identifier: GPL-3.0-or-later
#include "engines/spec.h"

#include "base/mem.h"
#include "base/shell.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

enum {
    TIME_MAX_S = 1000000,
    MARGIN_MAX_MS = 3600000,
    DEPTH_MAX = 1000,
    MEMORY_MAX_MB = 1 << 30,
    CPU_MAX_S = 1 << 30
};

typedef Status (*Setter)(EngineSpec *spec, const char *value);

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

// Digits with at most one point, in thousandths (what is finer is cut off). Cuts it off the front.
static bool cut_thousandths(StrView *text, int64_t *out) {
    int64_t value = 0;
    int digits = 0, decimals = -1;
    while (text->length > 0) {
        char c = text->text[0];
        if (c == '.' && decimals < 0) {
            decimals = 0;
        } else if (c >= '0' && c <= '9') {
            digits++;
            if (decimals < 3)
                value = value * 10 + (c - '0');
            if (decimals >= 0 && decimals < 3)
                decimals++;
            if (value > (int64_t)TIME_MAX_S * 1000)
                return false;
        } else {
            break;
        }
        *text = view_of(text->text + 1, text->length - 1);
    }
    for (int d = decimals < 0 ? 0 : decimals; d < 3; d++)
        value *= 10;
    *out = value;
    return digits > 0;
}

static bool cut_char(StrView *text, char c) {
    if (text->length == 0 || text->text[0] != c)
        return false;
    *text = view_of(text->text + 1, text->length - 1);
    return true;
}

static bool parse_clock(StrView text, EngineLimits *out) {
    int64_t value, seconds;
    const char *slash = memchr(text.text, '/', text.length);
    out->moves = 0;
    out->inc_ms = 0;
    if (slash != NULL) {
        StrView moves = view_of(text.text, (size_t)(slash - text.text));
        if (!view_to_int(moves, &value) || value < 0 || value > 1000)
            return false;
        out->moves = (int)value;
        text = view_of(slash + 1, text.length - moves.length - 1);
    }
    if (!cut_thousandths(&text, &value))
        return false;
    if (cut_char(&text, ':')) {
        if (!cut_thousandths(&text, &seconds))
            return false;
        value = value * 60 + seconds;
    }
    out->time_ms = value;
    if (cut_char(&text, '+') && !cut_thousandths(&text, &out->inc_ms))
        return false;
    return text.length == 0 && out->time_ms > 0;
}

Status engine_time_control_parse(const char *text, EngineLimits *out) {
    EngineLimits limits = *out;
    limits.move_ms = 0;
    limits.is_infinite = strcmp(text, "inf") == 0 || strcmp(text, "infinite") == 0;
    if (limits.is_infinite)
        limits.moves = 0, limits.time_ms = limits.inc_ms = 0;
    else if (!parse_clock(view_from_string(text), &limits))
        return error_set(ERR_ARG,
                         "tc=%s: expected [moves/][minutes:]seconds[+increment] or inf, as 2+0.02",
                         text);
    *out = limits;
    return OK;
}

static void write_seconds(int64_t ms, Str *out) {
    str_addf(out, "%lld", (long long)(ms / 1000));
    if (ms % 1000 == 0)
        return;
    str_addf(out, ".%03d", (int)(ms % 1000));
    while (out->text[out->length - 1] == '0')
        out->text[--out->length] = '\0';
}

void engine_time_control_write(const EngineLimits *limits, Str *out) {
    if (limits->move_ms > 0) {
        str_add(out, "1/");
        write_seconds(limits->move_ms, out);
    } else if (limits->time_ms == 0) {
        str_add(out, "-");
    } else {
        if (limits->moves > 0)
            str_addf(out, "%d/", limits->moves);
        write_seconds(limits->time_ms, out);
        if (limits->inc_ms > 0) {
            str_add(out, "+");
            write_seconds(limits->inc_ms, out);
        }
    }
}

bool engine_limits_are_empty(const EngineLimits *limits) {
    return limits->time_ms == 0 && limits->move_ms == 0 && limits->nodes == 0 && limits->depth == 0;
}

static Status set_command(EngineSpec *spec, const char *value) {
    replace(&spec->command, value);
    return OK;
}

static Status set_name(EngineSpec *spec, const char *value) {
    replace(&spec->name, value);
    return OK;
}

static Status set_dir(EngineSpec *spec, const char *value) {
    replace(&spec->dir, value);
    return OK;
}

static Status set_weights(EngineSpec *spec, const char *value) {
    replace(&spec->weights, value);
    return OK;
}

static Status set_stderr(EngineSpec *spec, const char *value) {
    replace(&spec->stderr_path, value);
    return OK;
}

static Status add_argument(EngineSpec *spec, const char *value) {
    spec->args = mem_grow(spec->args, &spec->arg_capacity, spec->arg_count + 1, sizeof *spec->args);
    spec->args[spec->arg_count++] = mem_copy_string(value);
    return OK;
}

static Status set_tc(EngineSpec *spec, const char *value) {
    return engine_time_control_parse(value, &spec->limits);
}

static Status set_st(EngineSpec *spec, const char *value) {
    StrView text = view_from_string(value);
    int64_t ms;
    if (!cut_thousandths(&text, &ms) || text.length != 0 || ms == 0)
        return error_set(ERR_ARG, "st=%s: expected seconds per move, such as 0.5", value);
    spec->limits.time_ms = spec->limits.inc_ms = 0;
    spec->limits.moves = 0;
    spec->limits.is_infinite = false;
    spec->limits.move_ms = ms;
    return OK;
}

static Status set_number(const char *key, const char *value, int64_t low, int64_t high,
                         int64_t *out) {
    if (view_to_int(view_from_string(value), out) && *out >= low && *out <= high)
        return OK;
    return error_set(ERR_ARG, "%s=%s: expected a whole number from %lld to %lld", key, value,
                     (long long)low, (long long)high);
}

static Status set_nodes(EngineSpec *spec, const char *value) {
    int64_t number;
    Status status = set_number("nodes", value, 1, INT64_MAX, &number);
    if (status == OK)
        spec->limits.nodes = (uint64_t)number;
    return status;
}

static Status set_depth(EngineSpec *spec, const char *value) {
    int64_t number;
    Status status = set_number("depth", value, 1, DEPTH_MAX, &number);
    if (status == OK)
        spec->limits.depth = (int)number;
    return status;
}

static Status set_margin(EngineSpec *spec, const char *value) {
    int64_t number;
    Status status = set_number("timemargin", value, 0, MARGIN_MAX_MS, &number);
    if (status == OK)
        spec->margin_ms = (int)number;
    return status;
}

static Status set_memory(EngineSpec *spec, const char *value) {
    return set_number("memory", value, 1, MEMORY_MAX_MB, &spec->memory_mb);
}

static Status set_cpu(EngineSpec *spec, const char *value) {
    return set_number("cpu", value, 1, CPU_MAX_S, &spec->cpu_s);
}

static Status set_protocol(EngineSpec *spec, const char *value) {
    if (strcmp(value, "uci") == 0)
        spec->protocol = PROTOCOL_UCI;
    else if (strcmp(value, "xboard") == 0)
        spec->protocol = PROTOCOL_XBOARD;
    else
        return error_set(ERR_ARG, "proto=%s: expected uci or xboard", value);
    return OK;
}

static const struct {
    const char *key;
    Setter set;
} keys[] = {
    {"cmd", set_command},
    {"name", set_name},
    {"dir", set_dir},
    {"arg", add_argument},
    {"tc", set_tc},
    {"st", set_st},
    {"nodes", set_nodes},
    {"depth", set_depth},
    {"plies", set_depth},
    {"proto", set_protocol},
    {"timemargin", set_margin},
    {"stderr", set_stderr},
    {"memory", set_memory},
    {"cpu", set_cpu},
    {"weights", set_weights},
};

static Status set_option(EngineSpec *spec, StrView name, const char *value) {
    if (name.length == 0)
        return error_set(ERR_ARG, "option.=%s: the option has no name", value);
    for (size_t i = 0; i < spec->option_count; i++) {
        if (!view_equals_ignoring_case(name, spec->options[i].name))
            continue;
        replace(&spec->options[i].value, value);
        return OK;
    }
    spec->options = mem_grow(spec->options, &spec->option_capacity, spec->option_count + 1,
                             sizeof *spec->options);
    EngineOption *option = &spec->options[spec->option_count++];
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
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        if (!view_equals(key, keys[i].key))
            continue;
        if (view_trim(view_from_string(value)).length == 0)
            return error_set(ERR_ARG, "%s= has no value", keys[i].key);
        return keys[i].set(spec, value);
    }
    return error_set(
        ERR_ARG,
        "'%s': unknown key; known are cmd= name= dir= arg= option.NAME= tc= st= nodes= "
        "depth= proto= timemargin= stderr= memory= cpu= weights=",
        word);
}

Status engine_spec_parse(EngineSpec *spec, const char *text) {
    Str word = {0};
    Status status = OK;
    while (status == OK && shell_next_word(&text, &word))
        status = engine_spec_set(spec, str_text(&word));
    str_free(&word);
    return status;
}

// Names end up in tables, files of games and on terminals.
static void clean_name(EngineSpec *spec, StrView name) {
    Str utf8 = {0}, clean = {0};
    str_add_utf8(&utf8, name);
    text_clean_line(&clean, view_of(str_text(&utf8), utf8.length));
    replace(&spec->name, str_text(&clean));
    str_free(&utf8);
    str_free(&clean);
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
