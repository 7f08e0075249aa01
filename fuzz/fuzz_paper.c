// SPDX-License-Identifier: GPL-3.0-or-later
// Input: a paper's file. Whatever it holds is worked on within limits; what is refused is named
// with file and line, and what is accepted has a plan whose steps have names and commands.
#include "fuzz/scratch.h"
#include "papers/script.h"

#include <stdlib.h>
#include <string.h>

static Status work(Script *script, Plan *plan) {
    TRY(script_open(script, "x", plan));
    TRY(script_check_page(script));
    return script_plan(script);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Plan plan;
    Script script;
    scratch_write("x.paper", view_of((const char *)data, size));
    setenv("FALCONER_DATA", scratch_folder(), 1);
    plan_init(&plan, SCALE_QUICK, 1, "folder");
    if (work(&script, &plan) == OK)
        for (size_t i = 0; i < plan.count; i++) {
            MUST_HOLD(plan.steps[i].name != NULL && plan.steps[i].command != NULL);
            MUST_HOLD(plan.steps[i].estimate >= 0);
        }
    else
        MUST_HOLD(strstr(error_message(), ".paper") != NULL ||
                  strstr(error_message(), "there is no block '") != NULL);
    script_close(&script);
    plan_deinit(&plan);
    return 0;
}
