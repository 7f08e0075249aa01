// SPDX-License-Identifier: GPL-3.0-or-later
// A preset that is read keeps every setting within its range, and written and read again it is the
// same; one that is refused is refused with file and line.
#include "chess/position.h"
#include "fuzz/fuzz.h"
#include "settings/run_config.h"
#include "settings/space.h"

#include <string.h>

static void check_round_trip(const RunConfig *config) {
    RunConfig again;
    Str first = {0}, second = {0};
    run_config_init(&again);
    run_config_write(config, &first);
    MUST_HOLD(run_config_parse(&again, view_of(str_text(&first), first.length), "again") == OK);
    run_config_write(&again, &second);
    MUST_HOLD(first.length == second.length);
    MUST_HOLD(memcmp(first.text, second.text, first.length) == 0);
    run_config_free(&again);
    str_free(&first);
    str_free(&second);
}

static void check_space(RunConfig *config) {
    FamilySpace space;
    const Family *family;
    str_clear(&config->start); // no files
    if (family_space_init(&space, config, &family) != OK) {
        MUST_HOLD(error_message()[0] != '\0');
        return;
    }
    MUST_HOLD(space_check(&space.space) == OK);
    for (size_t i = 0; i < family->term_count; i++)
        MUST_HOLD(space.parameters[i].low >= family->terms[i].low &&
                  space.parameters[i].high <= family->terms[i].high);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    RunConfig config;
    chess_init();
    run_config_init(&config);
    if (run_config_parse(&config, view_of((const char *)data, size), "preset") == OK) {
        MUST_HOLD(config.runs >= 1 && config.sample >= 0 && config.seed >= 0);
        MUST_HOLD(evolve_config_check(&config.algorithm) == OK);
        check_round_trip(&config);
        check_space(&config);
    } else {
        MUST_HOLD(strncmp(error_message(), "preset:", 7) == 0);
    }
    run_config_free(&config);
    return 0;
}
