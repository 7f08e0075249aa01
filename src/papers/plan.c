// SPDX-License-Identifier: GPL-3.0-or-later
#include "papers/plan.h"

#include "base/mem.h"

#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *scale_name(Scale scale) {
    return scale == SCALE_QUICK ? "quick" : "papers";
}

void plan_init(Plan *plan, Scale scale, uint64_t seed, const char *folder) {
    *plan = (Plan){.scale = scale, .seed = seed, .folder = mem_copy_string(folder)};
}

void plan_deinit(Plan *plan) {
    for (size_t i = 0; i < plan->count; i++) {
        free(plan->steps[i].name);
        free(plan->steps[i].command);
        free(plan->steps[i].resume);
    }
    free(plan->steps);
    free(plan->folder);
    str_free(&plan->engine);
    str_free(&plan->missing);
    *plan = (Plan){0};
}

int plan_count(const Plan *plan, int quick, int papers) {
    return plan->scale == SCALE_QUICK ? quick : papers;
}

// --- steps ---

static Step *add_step(Plan *plan, const char *name, double estimate) {
    plan->steps = vec_grow(plan->steps, &plan->capacity, plan->count + 1, sizeof *plan->steps);
    Step *step = &plan->steps[plan->count++];
    *step = (Step){.name = mem_copy_string(name), .estimate = estimate, .seconds = -1};
    return step;
}

[[gnu::format(printf, 1, 0)]] static char *print_words(const char *format, va_list args) {
    char *text;
    return vasprintf(&text, format, args) < 0 ? mem_copy_string(format) : text;
}

static void plan_add(Plan *plan, const char *name, double estimate, Str *command, char *words) {
    str_add(command, words);
    free(words);
    add_step(plan, name, estimate)->command = mem_copy_string(str_text(command));
    str_free(command);
}

void plan_step(Plan *plan, const char *name, double estimate, const char *format, ...) {
    va_list args;
    va_start(args, format);
    Str command = {0};
    plan_add(plan, name, estimate, &command, print_words(format, args));
    va_end(args);
}

void plan_run(Plan *plan, const char *name, double estimate, const char *format, ...) {
    va_list args;
    va_start(args, format);
    Str command = {0}, resume = {0};
    plan_add(plan, name, estimate, &command, print_words(format, args));
    va_end(args);
    Step *step = &plan->steps[plan->count - 1];
    str_addf(&command, "%s --seed %" PRIu64 " -o %s/%s", step->command, plan->seed, plan->folder,
             name);
    str_addf(&resume, "%.*s --resume %s/%s", (int)strcspn(step->command, " "), step->command,
             plan->folder, name);
    free(step->command);
    step->command = mem_copy_string(str_text(&command));
    step->resume = mem_copy_string(str_text(&resume));
    str_free(&command);
    str_free(&resume);
}

void plan_match(Plan *plan, const char *name, double estimate, const char *format, ...) {
    va_list args;
    va_start(args, format);
    Str command = {0};
    str_addf(&command,
             "match -resume %s/%s -srand %" PRIu64
             " -openings file=openings.epd order=random -games "
             "2 -repeat -maxmoves 300 -resign movecount=4 score=900 -draw movenumber=60 "
             "movecount=10 score=5 ",
             plan->folder, name, plan->seed);
    plan_add(plan, name, estimate, &command, print_words(format, args));
    va_end(args);
}

// --- questions ---

// Whether the path that stands in plan->engine is a program's.
static bool is_engine(Plan *plan, const char *folder, const char *name) {
    str_clear(&plan->engine);
    str_addf(&plan->engine, "%s/%s", folder, name);
    return folder[0] != '\0' && access(str_text(&plan->engine), X_OK) == 0;
}

// Notes an engine as missing, once.
static void note_missing(Plan *plan, const char *name) {
    const size_t length = strlen(name);
    for (const char *at = str_text(&plan->missing); (at = strstr(at, name)) != NULL; at += length)
        if (at[length] == ',' || at[length] == '\0')
            return;
    str_addf(&plan->missing, "%s%s", plan->missing.length == 0 ? "" : ", ", name);
}

const char *plan_engine(Plan *plan, const char *name) {
    const char *path = getenv("PATH");
    Str folders = {0};
    str_addf(&folders, "%s:/usr/games", path == NULL ? "" : path);
    bool is_found = false;
    char *rest = folders.text;
    for (char *folder; !is_found && (folder = strsep(&rest, ":")) != NULL;)
        is_found = is_engine(plan, folder, name);
    str_free(&folders);
    if (!is_found)
        note_missing(plan, name);
    return is_found ? str_text(&plan->engine) : NULL;
}

const char *plan_eyas(Plan *plan) {
    char self[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    char *slash = length > 0 ? memrchr(self, '/', (size_t)length) : NULL;
    if (slash != NULL) {
        *slash = '\0';
        if (is_engine(plan, self, "eyas"))
            return str_text(&plan->engine);
    }
    return plan_engine(plan, "eyas");
}

static size_t find_index(const Plan *plan, const char *name) {
    size_t i = 0;
    while (i < plan->count && strcmp(plan->steps[i].name, name) != 0)
        i++;
    return i;
}

const Step *plan_find(const Plan *plan, const char *name) {
    const size_t i = find_index(plan, name);
    return i < plan->count ? &plan->steps[i] : NULL;
}

bool plan_has(const Plan *plan, const char *name) {
    return find_index(plan, name) < plan->count;
}

double plan_remaining(const Plan *plan) {
    double sum = 0;
    for (size_t i = 0; i < plan->count; i++)
        sum += plan->steps[i].seconds < 0 ? plan->steps[i].estimate : 0;
    return sum;
}

double plan_spent(const Plan *plan) {
    double sum = 0;
    for (size_t i = 0; i < plan->count; i++)
        sum += plan->steps[i].seconds < 0 ? 0 : plan->steps[i].seconds;
    return sum;
}
