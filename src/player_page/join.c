// SPDX-License-Identifier: GPL-3.0-or-later
#include "player_page/join.h"

#include "serve/web_files.h"

#include <string.h>

enum { MODULES_MAX = 32 };

// Modules by number, each once.
typedef struct Join {
    const char *addresses[MODULES_MAX];
    bool is_written[MODULES_MAX];
    size_t count;
    Str *out;
} Join;

// One module on its way into the script.
typedef struct Module {
    const char *address;
    Str body, names; // names: what it exports, as the list in `return { ... }`
} Module;

static void module_free(Module *module) {
    str_free(&module->body);
    str_free(&module->names);
}

static Status write_module(Join *join, const char *address, size_t *number);

static Status refuse(const Module *module, StrView line) {
    return error_set(ERR_ARG, "%s cannot be joined: '%s'", module->address, view_shown(line).text);
}

static bool starts_with(StrView text, const char *start) {
    const size_t length = strlen(start);
    return text.length >= length && memcmp(text.text, start, length) == 0;
}

static StrView after(StrView text, size_t length) {
    return view_of(text.text + length, text.length - length);
}

// import { a, b } from "/web/x.js";
static Status take_import(Join *join, Module *module, StrView line) {
    static const char before[] = "} from \"";
    CLEANUP(str_free) Str address = {0};
    size_t number;
    const char *end = memmem(line.text, line.length, before, sizeof before - 1);
    if (!starts_with(line, "import { ") || end == NULL ||
        memmem(line.text, line.length, " as ", 4) != NULL)
        return refuse(module, line);
    const size_t names = sizeof "import " - 1;
    const StrView from = after(line, (size_t)(end - line.text) + sizeof before - 1);
    const char *quote = memchr(from.text, '"', from.length);
    if (quote == NULL)
        return refuse(module, line);
    str_append(&address, from.text, (size_t)(quote - from.text));
    TRY(write_module(join, str_text(&address), &number));
    str_addf(&module->body, "const %.*s = module_%zu;\n", (int)(end + 1 - line.text - (long)names),
             line.text + names, number);
    return OK;
}

// export function f(...) {, export const x = ...
static Status take_export(Module *module, StrView line) {
    static const char *const kinds[] = {"function ", "async function ", "const "};
    const StrView rest = after(line, sizeof "export " - 1);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (!starts_with(rest, kinds[i]))
            continue;
        const StrView name = after(rest, strlen(kinds[i]));
        size_t length = 0;
        while (length < name.length && strchr(" (=;", name.text[length]) == NULL)
            length++;
        str_addf(&module->names, "%.*s, ", (int)length, name.text);
        str_addf(&module->body, "%.*s\n", (int)rest.length, rest.text);
        return OK;
    }
    return refuse(module, line);
}

// What a script that was made small ends with: export{a as Name,b as other};
static Status take_list(Module *module, StrView line, const char *list) {
    const StrView all = after(line, (size_t)(list - line.text));
    const char *end = memchr(all.text, '}', all.length);
    if (end == NULL || all.text + all.length - end > 2)
        return refuse(module, all);
    str_append(&module->body, line.text, (size_t)(list - line.text));
    str_add(&module->body, "\n");
    StrView rest =
        view_of(list + sizeof "export{" - 1, (size_t)(end - list) - sizeof "export{" + 1);
    while (rest.length > 0) {
        const char *comma = memchr(rest.text, ',', rest.length);
        const size_t length = comma == NULL ? rest.length : (size_t)(comma - rest.text);
        StrView words = view_of(rest.text, length);
        const StrView inner = view_next_word(&words), as = view_next_word(&words),
                      outer = view_next_word(&words);
        if (!view_equals(as, "as"))
            return refuse(module, all);
        str_addf(&module->names, "%.*s: %.*s, ", (int)outer.length, outer.text, (int)inner.length,
                 inner.text);
        rest = after(rest, comma == NULL ? length : length + 1);
    }
    return OK;
}

static Status take_line(Join *join, Module *module, StrView line) {
    const char *list = memmem(line.text, line.length, "export{", sizeof "export{" - 1);
    if (starts_with(line, "import"))
        return take_import(join, module, line);
    if (starts_with(line, "export "))
        return take_export(module, line);
    if (list != NULL)
        return take_list(module, line, list);
    str_addf(&module->body, "%.*s\n", (int)line.length, line.text);
    return OK;
}

static Status find_number(Join *join, const char *address, size_t *number, bool *is_new) {
    for (size_t i = 0; i < join->count; i++)
        if (strcmp(join->addresses[i], address) == 0) {
            *number = i;
            *is_new = false;
            return join->is_written[i]
                       ? OK
                       : error_set(ERR_ARG, "%s imports itself, in a circle", address);
        }
    if (join->count == MODULES_MAX)
        return error_set(ERR_LIMIT, "more than %d modules", MODULES_MAX);
    *number = join->count++;
    *is_new = true;
    return OK;
}

static Status write_module(Join *join, const char *address, size_t *number) {
    CLEANUP(module_free) Module module = {0};
    const WebFile file = web_file_find(address);
    bool is_new;
    if (file.contents.text == NULL)
        return error_set(ERR_ARG, "there is no module %s", address);
    TRY(find_number(join, address, number, &is_new));
    if (!is_new)
        return OK;
    module.address = join->addresses[*number] = file.address;
    for (StrView rest = file.contents; rest.length > 0;) {
        const char *end = memchr(rest.text, '\n', rest.length);
        const size_t length = end == NULL ? rest.length : (size_t)(end - rest.text);
        TRY(take_line(join, &module, view_of(rest.text, length)));
        rest = after(rest, end == NULL ? length : length + 1);
    }
    str_addf(join->out, "const module_%zu = (() => { // %s\n", *number, address);
    str_append(join->out, str_text(&module.body), module.body.length);
    str_addf(join->out, "return { %s};\n})();\n", str_text(&module.names));
    join->is_written[*number] = true;
    return OK;
}

Status join_modules(const char *address, Str *out) {
    Join join = {.out = out};
    size_t number;
    const size_t start = out->length;
    TRY(write_module(&join, address, &number));
    // It goes into an element of HTML, which this would end.
    if (strcasestr(str_text(out) + start, "</script") != NULL)
        return error_set(ERR_ARG, "%s cannot be joined: it contains '</script'", address);
    return OK;
}
