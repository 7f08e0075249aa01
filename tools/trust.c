// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/trust.h"

#include "base/owner.h"
#include "tools/print.h"

bool trust_is_own(const char *program, const char *folder, const char *name, const Str *engines) {
    CLEANUP(str_free) Str file = {0};
    str_addf(&file, "%s/%s", folder, name);
    Status status = owner_check(folder);
    if (status == OK)
        status = owner_check(str_text(&file));
    if (status != OK) {
        print_err("%s: %s, and %s would run these engines:\n", program, error_message(),
                  str_text(&file));
        print_text(stderr, str_text(engines));
        print_err("If you trust them, add --trust-folder; if not, leave this folder alone.\n");
    }
    return status == OK;
}
