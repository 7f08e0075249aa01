// SPDX-License-Identifier: GPL-3.0-or-later
#include "serve/engine_list.h"

#include "base/lines.h"
#include "base/mem.h"
#include "base/owner.h"

#include <stdlib.h>
#include <string.h>

enum { LINE_MAX_BYTES = 4096 };

void engine_list_default_path(Str *out) {
    const char *base = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    if (base != NULL && base[0] == '/')
        str_addf(out, "%s/falconer/engines", base);
    else if (home != NULL && home[0] == '/')
        str_addf(out, "%s/.config/falconer/engines", home);
}

const EngineSpec *engine_list_find(const EngineList *list, const char *name) {
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->engines[i].name, name) == 0)
            return &list->engines[i];
    return NULL;
}

static Status check(const EngineList *list, const EngineSpec *engine) {
    if (engine->weights != NULL)
        return error_set(ERR_ARG, "weights=%s: weights are found in the folders that are served",
                         engine->weights);
    if (!limits_are_empty(&engine->limits))
        return error_set(ERR_ARG,
                         "%s: the page chooses time or nodes: leave tc=, st=, nodes= and "
                         "depth= out",
                         engine->name);
    if (engine_list_find(list, engine->name) != NULL)
        return error_set(ERR_ARG,
                         "there is another engine '%s': give this one a name=", engine->name);
    if (list->count == ENGINE_LIST_MAX)
        return error_set(ERR_LIMIT, "more than %d engines", ENGINE_LIST_MAX);
    return OK;
}

static Status add_engine(EngineList *list, const char *text) {
    CLEANUP(engine_spec_deinit) EngineSpec engine = engine_spec_init();
    TRY(engine_spec_parse(&engine, text));
    TRY(engine_spec_finish(&engine));
    TRY(check(list, &engine));
    MEM_ADD(list->engines, list->count, list->capacity) = engine;
    engine = engine_spec_init();
    return OK;
}

static Status read_lines(EngineList *list, LineReader *lines) {
    for (;;) {
        StrView line;
        TRY(lines_next(lines, &line));
        if (line.text == NULL)
            return OK;
        line = view_trim(line);
        if (line.length == 0 || line.text[0] == '#')
            continue;
        CLEANUP(mem_free_at) char *text = view_copy(line);
        TRY_PREFIX(add_engine(list, text), "line %llu", (unsigned long long)lines_number(lines));
    }
}

Status engine_list_read(EngineList *list, const char *path) {
    CLEANUP(lines_close_at) LineReader *lines = NULL;
    TRY(owner_check(path));
    TRY(lines_open(&lines, path, LINE_MAX_BYTES));
    TRY_PREFIX(read_lines(list, lines), "%s", path);
    return OK;
}

void engine_list_free(EngineList *list) {
    for (size_t i = 0; i < list->count; i++)
        engine_spec_deinit(&list->engines[i]);
    free(list->engines);
    *list = (EngineList){0};
}
