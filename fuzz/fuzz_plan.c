// SPDX-License-Identifier: GPL-3.0-or-later
// Input: the record of a plan's steps (steps.jsonl), in which @V stands for the version. Where it
// is accepted, times are numbers that can be shown, and what is written of the steps that are done
// is read back as the same; where it is refused, the message names the folder.
#include "fuzz/scratch.h"
#include "papers/plan.h"

#include <math.h>
#include <string.h>

static const double longest = 1e12; // seconds: no experiment takes 30,000 years

static void make_plan(Plan *plan) {
    plan_init(plan, SCALE_QUICK, 1, scratch_folder());
    plan_step(plan, "first", 10, "sample games.pgn -o ./first.epd");
    plan_run(plan, "runs", 100, 1, "evolve data.epd --runs 2");
    plan_match(plan, "match", 100, 20, false, "-engine weights=a -engine weights=b -each nodes=1");
    plan_step(plan, "ratings", 1, "rate --jsonl ./match/games.pgn");
}

static void check_times(const Plan *plan) {
    for (size_t i = 0; i < plan->count; i++) {
        const Step *step = &plan->steps[i];
        MUST_HOLD(step->seconds == -1 || (step->seconds >= 0 && step->seconds <= longest));
        MUST_HOLD(step->before >= 0 && step->before <= longest);
        MUST_HOLD(step->estimate >= 0 && step->estimate <= longest);
    }
    MUST_HOLD(isfinite(plan_spent(plan)) && isfinite(plan_remaining(plan)));
}

// Ends the step that is done, or the first, once more: that writes the record.
static void check_again(Plan *plan) {
    Plan again;
    Step *step = &plan->steps[0];
    MUST_HOLD(plan_done(plan, step, 1) == OK);
    make_plan(&again);
    MUST_HOLD(plan_recall(&again) == OK);
    for (size_t i = 0; i < plan->count; i++) {
        MUST_HOLD((plan->steps[i].seconds < 0) == (again.steps[i].seconds < 0));
        MUST_HOLD(fabs(plan->steps[i].seconds - again.steps[i].seconds) <= 0.01);
        MUST_HOLD(strcmp(plan->steps[i].command, again.steps[i].command) == 0);
    }
    plan_deinit(&again);
}

// Versions go on: inputs have a sign for it.
static void write_record(StrView input) {
    Str text = {0};
    for (size_t i = 0; i < input.length; i++) {
        const char next = i + 1 < input.length ? input.text[i + 1] : '\0';
        const bool is_sign = input.text[i] == '@' && next == 'V';
        if (is_sign)
            str_add(&text, FALCONER_VERSION);
        else
            str_append(&text, input.text + i, 1);
        i += is_sign;
    }
    scratch_write("steps.jsonl", view_of(str_text(&text), text.length));
    str_free(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Plan plan;
    write_record(view_of((const char *)data, size));
    make_plan(&plan);
    if (plan_recall(&plan) == OK) {
        check_times(&plan);
        check_again(&plan);
    } else {
        MUST_HOLD(strncmp(error_message(), plan.folder, strlen(plan.folder)) == 0);
    }
    plan_deinit(&plan);
    return 0;
}
