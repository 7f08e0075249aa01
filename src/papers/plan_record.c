// SPDX-License-Identifier: GPL-3.0-or-later
// Which steps are done, and how far others are: FOLDER/steps.jsonl, a line for each.
#include "base/file.h"
#include "base/folder.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/temporary.h"
#include "papers/plan.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { RECORD_MAX = 1 << 20 };

static void record_path(const Plan *plan, Str *out) {
    str_addf(out, "%s/steps.jsonl", plan->folder);
}

// Whether a match was done by a command that differs in nothing but the number of rounds, which is
// its end; that number. Nothing may follow it: the command may be run again.
static bool is_match_of(const Step *step, const char *done, int *rounds) {
    int64_t number;
    if (step->command[step->settled] == '\0' || strncmp(done, step->command, step->settled) != 0 ||
        !view_to_int(view_from_string(done + step->settled), &number) || number < 1 ||
        number > INT_MAX)
        return false;
    *rounds = (int)number;
    return true;
}

static Status recall_step(Step *step, const char *done, double seconds) {
    int rounds;
    if (strcmp(done, step->command) == 0) {
        step->seconds = seconds;
    } else if (!is_match_of(step, done, &rounds)) {
        return error_set(ERR_ARG,
                         "step %s was done by another command or version; give another folder, or "
                         "remove this one",
                         step->name);
    } else if (rounds < atoi(step->command + step->settled)) {
        step->before = seconds;
        step->estimate *= 1 - (double)rounds / atoi(step->command + step->settled);
    } else {
        free(step->command);
        step->command = mem_copy_string(done);
        step->seconds = seconds;
    }
    return OK;
}

// What was begun by the same command goes on, and its time with it.
static void recall_begun(Step *step, const char *begun, double seconds) {
    int rounds;
    if (strcmp(begun, step->command) == 0 || is_match_of(step, begun, &rounds))
        step->before = seconds;
}

static bool read_seconds(StrView line, const char *key, double *out) {
    StrView text;
    if (!json_find(line, key, &text))
        return false;
    char *end;
    *out = strtod(text.text, &end);
    return end == text.text + text.length && isfinite(*out) && *out >= 0;
}

static Status recall_line(Plan *plan, StrView line) {
    StrView name, command, version;
    double seconds;
    const bool is_done = read_seconds(line, "seconds", &seconds);
    if (!json_find(line, "step", &name) || !json_find(line, "command", &command) ||
        !json_find(line, "version", &version) ||
        (!is_done && !read_seconds(line, "so_far", &seconds)))
        return error_set(ERR_PARSE, "no line of a step: %s", view_shown(line).text);
    Status status = json_check(line);
    for (size_t i = 0; i < plan->count && status == OK; i++)
        if (view_equals(name, plan->steps[i].name)) {
            Str done = {0};
            if (view_equals(version, FALCONER_VERSION))
                json_add_unescaped(&done, command);
            if (is_done)
                status = recall_step(&plan->steps[i], str_text(&done), seconds);
            else
                recall_begun(&plan->steps[i], str_text(&done), seconds);
            str_free(&done);
        }
    return status; // a step that the plan no longer has does no harm
}

// What was made of something that will change must be made again: of a match, as ratings are.
static void forget_what_rests_on_others(Plan *plan) {
    for (size_t i = 0; i < plan->count; i++) {
        Str written = {0};
        str_addf(&written, "%s/%s/", plan->folder_word, plan->steps[i].name);
        for (size_t j = i + 1; plan->steps[i].seconds < 0 && j < plan->count; j++)
            if (strstr(plan->steps[j].command, str_text(&written)) != NULL)
                plan->steps[j].seconds = -1;
        str_free(&written);
    }
}

static bool is_begun(const Plan *plan) {
    Str path = {0};
    record_path(plan, &path);
    const bool is_there = access(str_text(&path), F_OK) == 0;
    str_free(&path);
    return is_there;
}

// An empty record says that the folder is ours, before the first step writes there.
Status plan_begin(const Plan *plan) {
    static const char *const anything[] = {"*", NULL};
    Str path = {0};
    record_path(plan, &path);
    Status status = OK;
    temporary_sweep_folder(plan->folder);
    if (!is_begun(plan)) {
        status = folder_check_unused(plan->folder, anything,
                                     "a new reproduction (there is no steps.jsonl)");
        if (status == OK)
            status = folder_create(plan->folder);
        if (status == OK)
            status = file_write(str_text(&path), "", 0);
    }
    str_free(&path);
    return status;
}

Status plan_recall(Plan *plan) {
    Str path = {0}, text = {0};
    struct stat info;
    record_path(plan, &path);
    Status status = OK;
    if (stat(str_text(&path), &info) == 0 && info.st_size > 0)
        status = file_read(str_text(&path), RECORD_MAX, &text);
    StrView rest = view_of(str_text(&text), text.length);
    for (int number = 1; status == OK && rest.length > 0; number++) {
        const char *end = memchr(rest.text, '\n', rest.length);
        const size_t length = end == NULL ? rest.length : (size_t)(end - rest.text);
        status = recall_line(plan, view_of(rest.text, length));
        if (status == ERR_PARSE)
            error_prefix("steps.jsonl:%d", number);
        const size_t taken = end == NULL ? length : length + 1;
        rest = view_of(rest.text + taken, rest.length - taken);
    }
    if (status != OK)
        error_prefix("%s", plan->folder);
    forget_what_rests_on_others(plan);
    str_free(&path);
    str_free(&text);
    return status;
}

static void add_line(const Step *step, const char *key, double seconds, Str *out) {
    const size_t start = out->length;
    str_add(out, "{\"step\":");
    json_add_string(out, step->name);
    str_add(out, ",\"command\":");
    json_add_string(out, step->command);
    str_add(out, ",\"version\":");
    json_add_string(out, FALCONER_VERSION);
    str_addf(out, ",\"%s\":%.2f", key, seconds);
    json_end_checked(out, start);
}

// The whole file is written anew: it is short, and appears whole or not at all.
static Status write_record(const Plan *plan, const Step *begun, double seconds) {
    Str path = {0}, text = {0};
    record_path(plan, &path);
    for (size_t i = 0; i < plan->count; i++) {
        const Step *step = &plan->steps[i];
        const double so_far = step->before + (step == begun ? seconds : 0);
        if (step->seconds >= 0)
            add_line(step, "seconds", step->seconds, &text);
        else if (step == begun || so_far > 0)
            add_line(step, "so_far", so_far, &text);
    }
    Status status = folder_create(plan->folder);
    if (status == OK)
        status = file_write(str_text(&path), str_text(&text), text.length);
    str_free(&path);
    str_free(&text);
    return status;
}

Status plan_note(const Plan *plan, const Step *step, double seconds) {
    return write_record(plan, step, seconds);
}

Status plan_done(Plan *plan, Step *step, double seconds) {
    step->seconds = step->before + seconds;
    return write_record(plan, NULL, 0);
}
