// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine_tuning/tune_json.h"

#include "base/file.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <string.h>

enum { FILE_MAX = 1 << 20 };

bool tune_json_is(const char *path) {
    const size_t length = strlen(path);
    return length > 5 && strcmp(path + length - 5, ".json") == 0;
}

static Status take_number(const cJSON *object, const char *key, int64_t *out) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    if (!cJSON_IsNumber(item))
        return error_set(ERR_PARSE, "%s: \"%s\" is missing, or no number", object->string, key);
    // SPSA tells fractions; an option of type spin does not have them.
    if (fabs(item->valuedouble) > 1e15 || item->valuedouble != floor(item->valuedouble))
        return error_set(ERR_PARSE, "%s: \"%s\" is no whole number", object->string, key);
    *out = (int64_t)item->valuedouble;
    return OK;
}

static Status take_option(const cJSON *object,
                          Status (*take)(void *context, const TuneJsonOption *option),
                          void *context) {
    TuneJsonOption option = {.name = object->string};
    if (!cJSON_IsObject(object))
        return error_set(ERR_PARSE, "%s: expected {\"value\":, \"min_value\":, \"max_value\":}",
                         object->string);
    Status status = take_number(object, "value", &option.value);
    if (status == OK)
        status = take_number(object, "min_value", &option.low);
    if (status == OK)
        status = take_number(object, "max_value", &option.high);
    return status == OK ? take(context, &option) : status;
}

Status tune_json_read(const char *path, Status (*take)(void *context, const TuneJsonOption *option),
                      void *context) {
    Str text = {0};
    Status status = file_read(path, FILE_MAX, &text);
    if (status != OK) {
        str_free(&text);
        return status;
    }
    cJSON *root = cJSON_ParseWithLength(str_text(&text), text.length);
    if (!cJSON_IsObject(root))
        status = error_set(ERR_PARSE, "no JSON object of options");
    const cJSON *item = status == OK ? root->child : NULL;
    for (; item != NULL && status == OK; item = item->next)
        status = take_option(item, take, context);
    if (status != OK)
        error_prefix("%s", path);
    cJSON_Delete(root);
    str_free(&text);
    return status;
}
