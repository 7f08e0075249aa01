// SPDX-License-Identifier: GPL-3.0-or-later
// The table of options for programs, such as scripts/build-completions: a line for each, its fields
// parted by tabs.
#include "tools/args.h"
#include "tools/print.h"

#include <string.h>

// What a shell can offer for the value.
static const char *kind_of(const ArgOption *option) {
    switch (option->type) {
    case ARG_FLAG:
    case ARG_DRY:
        return "flag";
    case ARG_CHOICE:
        return "choice";
    case ARG_FOLDER:
        return "folder";
    case ARG_INPUT:
    case ARG_INPUTS:
    case ARG_OUTPUT:
    case ARG_APPENDED:
    case ARG_STEM:
        return "file";
    default:
        return "value";
    }
}

static void add_choices(const ArgOption *option, Str *out) {
    for (size_t i = 0; option->choices != NULL && option->choices[i] != NULL; i++)
        str_addf(out, "%s%s", i == 0 ? "" : " ", option->choices[i]);
}

static void add_option(const ArgOption *option, const char *kind, Str *out) {
    const char letter[] = {option->letter, '\0'};
    str_addf(out, "--%s\t%s%s\t%s\t", option->name, letter[0] == '\0' ? "" : "-", letter, kind);
    add_choices(option, out);
    str_addf(out, "\t%s\n", option->help);
}

static bool is_listed(const ArgSpec *first, const ArgSpec *form, const char *name) {
    for (; first != form; first = first->next_form)
        for (size_t i = 0; i < first->option_count; i++)
            if (strcmp(first->options[i].name, name) == 0)
                return true;
    return false;
}

int args_print_list(const ArgSpec *spec) {
    CLEANUP(str_free) Str text = {0};
    for (const ArgSpec *form = spec; form != NULL; form = form->next_form)
        for (size_t i = 0; i < form->option_count; i++)
            if (!is_listed(spec, form, form->options[i].name))
                add_option(&form->options[i], kind_of(&form->options[i]), &text);
    add_option(&args_help_option, "flag", &text);
    // text_clean keeps line feeds and tabs.
    print_text(stdout, str_text(&text));
    return EXIT_DONE;
}
