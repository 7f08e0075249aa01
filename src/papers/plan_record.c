// SPDX-License-Identifier: GPL-3.0-or-later
// Which steps are done: FOLDER/steps.jsonl, a line for each.
#include "base/file.h"
#include "base/folder.h"
#include "base/json.h"
#include "papers/plan.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { RECORD_MAX = 1 << 20 };

static void record_path(const Plan *plan, Str *out) {
    str_addf(out, "%s/steps.jsonl", plan->folder);
}

// The line of a step without its time, which is all that must be the same when work goes on.
static void write_key(const Step *step, Str *out) {
    str_add(out, "{\"step\":");
    json_add_string(out, step->name);
    str_add(out, ",\"command\":");
    json_add_string(out, step->command);
    str_add(out, ",\"version\":");
    json_add_string(out, FALCONER_VERSION);
}

static Status recall_line(Plan *plan, StrView line) {
    StrView name, seconds;
    if (!json_find(line, "step", &name) || !json_find(line, "seconds", &seconds))
        return error_set(ERR_PARSE, "no line of a step: %s", view_shown(line).text);
    for (size_t i = 0; i < plan->count; i++) {
        Step *step = &plan->steps[i];
        if (!view_equals(name, step->name))
            continue;
        Str key = {0};
        write_key(step, &key);
        const bool is_same =
            line.length >= key.length && memcmp(line.text, str_text(&key), key.length) == 0;
        str_free(&key);
        if (!is_same)
            return error_set(ERR_ARG,
                             "step %s was done by another command or version; give another "
                             "folder, or remove this one",
                             step->name);
        step->seconds = strtod(seconds.text, NULL);
    }
    return OK; // a step that the plan no longer has does no harm
}

Status plan_recall(Plan *plan) {
    Str path = {0}, text = {0};
    record_path(plan, &path);
    Status status = OK;
    if (access(str_text(&path), F_OK) == 0)
        status = file_read(str_text(&path), RECORD_MAX, &text);
    StrView rest = view_of(str_text(&text), text.length);
    while (status == OK && rest.length > 0) {
        const char *end = memchr(rest.text, '\n', rest.length);
        const size_t length = end == NULL ? rest.length : (size_t)(end - rest.text);
        status = recall_line(plan, view_of(rest.text, length));
        const size_t taken = end == NULL ? length : length + 1;
        rest = view_of(rest.text + taken, rest.length - taken);
    }
    if (status != OK)
        error_prefix("%s", plan->folder);
    str_free(&path);
    str_free(&text);
    return status;
}

// The whole file is written anew: it is short, and appears whole or not at all.
Status plan_done(Plan *plan, Step *step, double seconds) {
    step->seconds = seconds;
    Str path = {0}, text = {0};
    record_path(plan, &path);
    for (size_t i = 0; i < plan->count; i++)
        if (plan->steps[i].seconds >= 0) {
            write_key(&plan->steps[i], &text);
            str_addf(&text, ",\"seconds\":%.2f}\n", plan->steps[i].seconds);
        }
    Status status = folder_create(plan->folder);
    if (status == OK)
        status = file_write(str_text(&path), str_text(&text), text.length);
    str_free(&path);
    str_free(&text);
    return status;
}
