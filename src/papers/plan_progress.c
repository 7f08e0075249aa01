// SPDX-License-Identifier: GPL-3.0-or-later
// Which steps are done, and how far others are: FOLDER/steps.jsonl, a line for each.
#include "base/file.h"
#include "base/folder.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/temporary.h"
#include "papers/plan.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { RECORD_MAX = 1 << 20 };

static void record_path(const Plan *plan, Str *out) {
    str_addf(out, "%s/steps.jsonl", plan->folder);
}

// A line of the record.
typedef struct RecordedStep {
    StrView name, version;
    Str command, engines, recorded;
    int64_t rounds; // of a match; 0 where none are told
    bool is_done;
    double seconds;
} RecordedStep;

static void recorded_free(RecordedStep *recorded) {
    str_free(&recorded->command);
    str_free(&recorded->engines);
    str_free(&recorded->recorded);
}

// Whether a match was begun or done by a command that differs in nothing but the number of rounds,
// which is its end. Nothing may follow it: the command may be run again.
static bool is_same_match(const Step *step, const RecordedStep *recorded) {
    if (step->rounds == 0 || recorded->rounds < 1 || recorded->rounds > INT_MAX)
        return false;
    CLEANUP(str_free) Str command = {0};
    str_append(&command, step->command, step->settled);
    str_addf(&command, "%d", (int)recorded->rounds);
    return strcmp(str_text(&command), str_text(&recorded->command)) == 0;
}

static Status recall_step(Step *step, const RecordedStep *recorded) {
    const bool is_same = strcmp(str_text(&recorded->command), step->command) == 0;
    if (!view_equals(recorded->version, FALCONER_VERSION))
        return error_set(ERR_ARG,
                         "step %s was done by falconer %s, and this is %s; give another folder, or "
                         "remove this one",
                         step->name, view_shown(recorded->version).text, FALCONER_VERSION);
    if (!is_same && !is_same_match(step, recorded))
        return error_set(
            ERR_ARG, "step %s was done by another command; give another folder, or remove this one",
            step->name);
    if (!is_same && recorded->rounds < step->rounds) {
        step->before = recorded->seconds;
        step->estimate *= 1 - (double)recorded->rounds / step->rounds;
        return OK;
    }
    if (!is_same)
        plan_set_rounds(step, (int)recorded->rounds);
    step->seconds = recorded->seconds;
    str_setf(&step->engines, "%s", str_text(&recorded->engines));
    str_setf(&step->recorded, "%s", str_text(&recorded->recorded));
    return OK;
}

// What was begun by the same command goes on, and its time with it.
static void recall_begun(Step *step, const RecordedStep *recorded) {
    if (view_equals(recorded->version, FALCONER_VERSION) &&
        (strcmp(str_text(&recorded->command), step->command) == 0 || is_same_match(step, recorded)))
        step->before = recorded->seconds;
}

static bool read_seconds(StrView line, const char *key, double *out) {
    StrView text;
    return json_find(line, key, &text) && view_to_number(text, out) && *out >= 0;
}

static Status parse_line(StrView line, RecordedStep *out) {
    StrView command, engines, recorded;
    out->is_done = read_seconds(line, "seconds", &out->seconds);
    if (!json_find(line, "step", &out->name) || !json_find(line, "command", &command) ||
        !json_find(line, "version", &out->version) ||
        (!out->is_done && !read_seconds(line, "so_far", &out->seconds)))
        return error_set(ERR_PARSE, "no line of a step: %s", view_shown(line).text);
    json_add_unescaped(&out->command, command);
    if (json_find(line, "engines", &engines))
        json_add_unescaped(&out->engines, engines);
    if (json_find(line, "recorded", &recorded))
        json_add_unescaped(&out->recorded, recorded);
    if (!json_find_int(line, "rounds", &out->rounds))
        out->rounds = 0;
    return json_check(line);
}

// A step that the plan no longer has does no harm.
static Status recall_line(Plan *plan, StrView line) {
    CLEANUP(recorded_free) RecordedStep recorded = {0};
    TRY(parse_line(line, &recorded));
    for (size_t i = 0; i < plan->count; i++)
        if (view_equals(recorded.name, plan->steps[i].name)) {
            if (recorded.is_done)
                TRY(recall_step(&plan->steps[i], &recorded));
            else
                recall_begun(&plan->steps[i], &recorded);
        }
    return OK;
}

// What was made of something that will change must be made again: of a match, as ratings are.
static void forget_what_rests_on_others(Plan *plan) {
    for (size_t i = 0; i < plan->count; i++) {
        CLEANUP(str_free) Str written = {0};
        str_addf(&written, "./%s/",
                 plan->steps[i].output == NULL ? plan->steps[i].name : plan->steps[i].output);
        for (size_t j = i + 1; plan->steps[i].seconds < 0 && j < plan->count; j++)
            if (strstr(plan->steps[j].command, str_text(&written)) != NULL ||
                plan_is_same_run(&plan->steps[i], &plan->steps[j])) {
                plan->steps[j].seconds = -1;
                str_clear(&plan->steps[j].recorded);
            }
    }
}

// An empty record says that the folder is ours, before the first step writes there.
Status plan_begin(const Plan *plan) {
    static const char *const anything[] = {"*", NULL};
    CLEANUP(str_free) Str path = {0};
    record_path(plan, &path);
    temporary_sweep_folder(plan->folder);
    if (access(str_text(&path), F_OK) == 0)
        return OK;
    TRY(folder_check_unused(plan->folder, anything,
                            "a new reproduction (there is no steps.jsonl)"));
    TRY(folder_create(plan->folder));
    return file_write(str_text(&path), "", 0);
}

static Status recall_lines(Plan *plan) {
    CLEANUP(str_free) Str path = {0};
    CLEANUP(str_free) Str text = {0};
    struct stat info;
    record_path(plan, &path);
    if (stat(str_text(&path), &info) == 0 && info.st_size > 0)
        TRY(file_read(str_text(&path), RECORD_MAX, &text));
    const char *at = str_text(&text), *const end = at + text.length;
    for (int number = 1; at < end; number++) {
        const char *const newline = memchr(at, '\n', (size_t)(end - at));
        const size_t length = (size_t)((newline == NULL ? end : newline) - at);
        const Status status = recall_line(plan, view_of(at, length));
        if (status == ERR_PARSE)
            error_prefix("steps.jsonl:%d", number);
        TRY(status);
        at += length + (newline != NULL);
    }
    return OK;
}

Status plan_recall(Plan *plan) {
    TRY_PREFIX(recall_lines(plan), "%s", plan->folder);
    forget_what_rests_on_others(plan);
    return OK;
}

static void add_line(const Step *step, const char *key, double seconds, Str *out) {
    const size_t start = out->length;
    str_add(out, "{\"step\":");
    json_add_string(out, step->name);
    str_add(out, ",\"command\":");
    json_add_string(out, step->command);
    if (step->rounds > 0)
        str_addf(out, ",\"rounds\":%d", step->rounds);
    if (step->engines.length > 0) {
        str_add(out, ",\"engines\":");
        json_add_string(out, str_text(&step->engines));
    }
    if (step->seconds >= 0 && step->recorded.length > 0) {
        str_add(out, ",\"recorded\":");
        json_add_string(out, str_text(&step->recorded));
    }
    str_add(out, ",\"version\":");
    json_add_string(out, FALCONER_VERSION);
    str_addf(out, ",\"%s\":%.2f", key, seconds);
    json_end_checked(out, start);
}

// The whole file is written anew: it is short, and appears whole or not at all.
static Status write_record(const Plan *plan, const Step *begun, double seconds) {
    CLEANUP(str_free) Str path = {0};
    CLEANUP(str_free) Str text = {0};
    record_path(plan, &path);
    for (size_t i = 0; i < plan->count; i++) {
        const Step *step = &plan->steps[i];
        const double so_far = step->before + (step == begun ? seconds : 0);
        if (step->seconds >= 0)
            add_line(step, "seconds", step->seconds, &text);
        else if (step == begun || so_far > 0)
            add_line(step, "so_far", so_far, &text);
    }
    TRY(folder_create(plan->folder));
    return file_write(str_text(&path), str_text(&text), text.length);
}

Status plan_save(const Plan *plan) {
    return write_record(plan, NULL, 0);
}

Status plan_note(const Plan *plan, const Step *step, double seconds) {
    return write_record(plan, step, seconds);
}

Status plan_done(Plan *plan, Step *step, double seconds) {
    step->seconds = step->before + seconds;
    str_clear(&step->recorded);
    return plan_save(plan);
}
