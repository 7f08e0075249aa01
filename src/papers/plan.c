// SPDX-License-Identifier: GPL-3.0-or-later
#include "papers/plan.h"

#include "base/mem.h"
#include "run/run.h"

#include <ctype.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// Seconds. What is shorter is run where a step that is asked for reads what it writes.
enum { ASKED_FOR_LEAST = 60 };

const char *scale_name(Scale scale) {
    return scale == SCALE_QUICK ? "quick" : "papers";
}

void plan_init(Plan *plan, Scale scale, uint64_t seed, const char *folder) {
    *plan = (Plan){.scale = scale,
                   .seed = seed,
                   .concurrency = 1,
                   .commit = "unknown",
                   .folder = mem_copy_string(folder)};
}

void plan_deinit(Plan *plan) {
    for (size_t i = 0; i < plan->count; i++) {
        free(plan->steps[i].name);
        free(plan->steps[i].command);
        free(plan->steps[i].resume);
        free(plan->steps[i].output);
        free(plan->steps[i].origin);
        str_free(&plan->steps[i].recorded);
        str_free(&plan->steps[i].engines);
    }
    free(plan->steps);
    free(plan->folder);
    str_free(&plan->missing);
    *plan = (Plan){0};
}

// --- steps ---

// Takes the command over.
static Step *add_step(Plan *plan, const char *name, double estimate, Str *command) {
    Step *step = &MEM_ADD(plan->steps, plan->count, plan->capacity);
    *step = (Step){.name = mem_copy_string(name),
                   .command = command->text,
                   .estimate = estimate,
                   .seconds = -1};
    return step;
}

void plan_step(Plan *plan, const char *name, double estimate, const char *text) {
    Str command = {.text = mem_copy_string(text)};
    add_step(plan, name, estimate, &command);
}

void plan_suite(Plan *plan, const char *name, double estimate, const char *words) {
    Str command = {0};
    str_addf(&command, "suite %s", words);
    add_step(plan, name, estimate, &command)->is_spread = true;
}

// A stage that is not the first goes on with what the one before it left.
static void add_stage(Plan *plan, const char *name, double estimate, RunStage stage,
                      const char *text) {
    Str command = {0}, resume = {0}, origin = {0};
    CLEANUP(str_free) Str step_name = {0};
    CLEANUP(str_free) Str share = {0};
    const int subcommand = (int)strcspn(text, " ");
    str_add(&step_name, name);
    if (stage.number < stage.count) {
        str_addf(&step_name, "-%u", stage.number);
        str_addf(&share, " --stage %u/%u", stage.number, stage.count);
    }
    str_addf(&resume, "%.*s --resume ./%s%s", subcommand, text, name, str_text(&share));
    str_addf(&origin, "%s --seed %" PRIu64 " -o ./%s", text, plan->seed, name);
    if (stage.number == 1)
        str_addf(&command, "%s%s", origin.text, str_text(&share));
    else
        str_add(&command, resume.text);
    Step *step = add_step(plan, str_text(&step_name), estimate, &command);
    step->resume = resume.text;
    step->origin = origin.text;
    step->output = mem_copy_string(name);
}

void plan_run(Plan *plan, const char *name, double estimate, int stages, const char *text) {
    for (int i = 1; i <= stages; i++)
        add_stage(plan, name, estimate / stages, (RunStage){(uint32_t)i, (uint32_t)stages}, text);
}

// As many rounds as are asked for, but not more games than a limit; 0: no limit.
static int limited(int rounds, int games_max) {
    const int most = (games_max + 1) / 2;
    return games_max == 0 || rounds < most ? rounds : most;
}

const char plan_adjudication[] =
    "Games of matches are adjudicated by both sides only: lost after four moves of each in a row "
    "at "
    "which both see the same side 9 pawns or more ahead; drawn from move 60 on after ten moves of "
    "each within 0.05 pawns; drawn after 300 moves. The tables tell the share.";

void plan_match(Plan *plan, const char *name, double estimate, int rounds, bool is_timed,
                const char *words) {
    int played = limited(rounds, plan->games_max);
    if (is_timed)
        played = limited(played, plan->timed_games_max);
    const bool has_openings = strstr(words, "-openings ") != NULL;
    Str command = {0};
    str_addf(&command,
             "match -resume ./%s -srand %" PRIu64
             "%s -games 2 -repeat -maxmoves 300 -resign movecount=4 score=900 twosided=true -draw "
             "movenumber=60 movecount=10 score=5 %s -rounds ",
             name, plan->seed, has_openings ? "" : " -openings file=openings.epd order=random",
             words);
    const size_t settled = command.length;
    str_addf(&command, "%d", played);
    Step *step = add_step(plan, name, estimate * played / rounds, &command);
    step->rounds = played;
    step->settled = settled;
    step->is_spread = true;
}

void plan_add_command(const Plan *plan, const Step *step, Str *out) {
    str_add(out, step->command);
    if (step->is_spread)
        str_addf(out, " --concurrency %d", plan->concurrency);
}

// --- questions ---

const Step *plan_find(const Plan *plan, const char *name) {
    for (size_t i = 0; i < plan->count; i++)
        if (strcmp(plan->steps[i].name, name) == 0)
            return &plan->steps[i];
    return NULL;
}

bool plan_has(const Plan *plan, const char *name) {
    return plan_find(plan, name) != NULL;
}

const char *plan_origin(const Step *step) {
    return step->origin == NULL ? step->command : step->origin;
}

bool plan_is_same_run(const Step *one, const Step *other) {
    return one->output != NULL && other->output != NULL && strcmp(one->output, other->output) == 0;
}

bool plan_matches(const Plan *plan, const char *pattern) {
    for (size_t i = 0; i < plan->count; i++)
        if (fnmatch(pattern, plan->steps[i].name, 0) == 0)
            return true;
    return false;
}

// Whether a command names the file or folder of that name in the plan's folder, or one that begins
// so: "./NAME", "./NAME/..." or "./NAME.epd".
static bool names_output(const char *command, const char *name) {
    CLEANUP(str_free) Str path = {0};
    str_addf(&path, "./%s", name);
    for (const char *at = command; (at = strstr(at, str_text(&path))) != NULL; at++) {
        const char after = at[path.length];
        if (!isalnum((unsigned char)after) && after != '-' && after != '_')
            return true;
    }
    return false;
}

// Whether a step reads the results of an earlier one.
static bool reads(const Step *step, const Step *earlier) {
    return plan_is_same_run(earlier, step) ||
           names_output(step->command, earlier->output != NULL ? earlier->output : earlier->name);
}

const Step *plan_find_needed(const Plan *plan, const Step *step) {
    for (const Step *earlier = plan->steps; earlier < step; earlier++)
        if (earlier->seconds < 0 && reads(step, earlier))
            return earlier;
    return NULL;
}

static bool is_named(const Plan *plan, const Step *step) {
    for (size_t i = 0; i < plan->only_count; i++)
        if (fnmatch(plan->only[i], step->name, 0) == 0)
            return true;
    return plan->only_count == 0;
}

bool plan_is_asked_for(const Plan *plan, const Step *step) {
    if (is_named(plan, step))
        return true;
    if (step->estimate >= ASKED_FOR_LEAST && step->recorded.length == 0)
        return false;
    for (const Step *later = step + 1; later < plan->steps + plan->count; later++)
        if (later->seconds < 0 && reads(later, step) && plan_is_asked_for(plan, later))
            return true;
    return false;
}

void plan_set_rounds(Step *step, int rounds) {
    Str command = {0};
    if (rounds == 0)
        return;
    str_append(&command, step->command, step->settled);
    str_addf(&command, "%d", rounds);
    free(step->command);
    step->command = command.text;
    step->rounds = rounds;
}

double plan_remaining(const Plan *plan) {
    double sum = 0;
    for (size_t i = 0; i < plan->count; i++)
        sum += plan->steps[i].seconds < 0 && plan->steps[i].recorded.length == 0
                   ? plan->steps[i].estimate
                   : 0;
    return sum;
}

double plan_spent(const Plan *plan) {
    double sum = 0;
    for (size_t i = 0; i < plan->count; i++)
        sum += plan->steps[i].seconds < 0 ? 0 : plan->steps[i].seconds;
    return sum;
}
