// SPDX-License-Identifier: GPL-3.0-or-later
#include "uci/identity.h"

#include "eval/bundled.h"

#include <string.h>
#include <unistd.h>

enum { NAME_MAX_BYTES = 40 };

static bool are_built_in(const Weights *weights) {
    CLEANUP(weights_free) Weights built_in = {0};
    return weights_load_default(&built_in) == OK && built_in.family == weights->family &&
           weights_digest(&built_in) == weights_digest(weights);
}

// "player: Tal, Mikhail N;Tal, Mihail" is Tal.
static StrView find_player(const Weights *weights) {
    static const char key[] = "player: ";
    const char *line = str_text(&weights->lineage);
    while (strncmp(line, key, sizeof key - 1) != 0) {
        const char *end = strchr(line, '\n');
        if (end == NULL)
            return view_of("", 0);
        line = end + 1;
    }
    line += sizeof key - 1;
    return view_trim(view_of(line, strcspn(line, ",;\n")));
}

static StrView find_file_name(const char *path) {
    const char *slash = strrchr(path, '/'), *name = slash == NULL ? path : slash + 1;
    const char *dot = strrchr(name, '.');
    return view_of(name, dot == NULL || dot == name ? strlen(name) : (size_t)(dot - name));
}

void identity_of_weights(const Weights *weights, const char *path, Str *out) {
    if (path[0] == '\0' || are_built_in(weights))
        return;
    StrView name = find_player(weights);
    if (name.length == 0)
        name = find_file_name(path);
    str_append(out, name.text, name.length < NAME_MAX_BYTES ? name.length : NAME_MAX_BYTES);
}

bool identity_find_book(const char *weights_path, Str *out) {
    if (bundled_locate(weights_path, out) != OK)
        return false;
    const char *dot = strrchr(str_text(out), '.'), *slash = strrchr(str_text(out), '/');
    if (dot != NULL && (slash == NULL || dot > slash))
        str_cut(out, (size_t)(dot - str_text(out)));
    str_add(out, ".bin");
    return access(str_text(out), R_OK) == 0;
}
