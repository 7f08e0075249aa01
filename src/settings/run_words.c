// SPDX-License-Identifier: GPL-3.0-or-later
// Settings as a command line or a page gives them: names and values, in any order.
#include "settings/run_config.h"

#include <string.h>

static bool is_list(const char *name) {
    static const char *const lists[] = {"freeze", "only", "bounds", "start-from", "data", "test"};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (strcmp(name, lists[i]) == 0)
            return true;
    return false;
}

// Applies setting number `index`, with what was said of it before.
static Status set_one(RunConfig *config, const char *const *words, size_t index) {
    const char *name = words[index];
    CLEANUP(str_free) Str value = {0};
    for (size_t i = 0; i <= index; i += 2) {
        const char *text = words[i + 1];
        if (strcmp(words[i], name) != 0)
            continue;
        const bool is_more = is_list(name) && text[0] != '\0' && value.length > 0;
        if (!is_more)
            str_clear(&value);
        str_addf(&value, is_more ? ",%s" : "%s", text);
    }
    return run_config_set(config, name, str_text(&value));
}

Status run_config_set_all(RunConfig *config, const char *const *words, size_t count) {
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < count; i += 2) {
            const bool is_algorithm = strcmp(words[i], "algorithm") == 0;
            if (is_algorithm == (pass == 0))
                TRY(set_one(config, words, i));
        }
    return OK;
}

Status run_config_check_all(const RunConfig *config, const char *const *words, size_t count) {
    for (size_t i = 0; i < count; i += 2)
        TRY(run_config_check_use(config, words[i]));
    return OK;
}
