// SPDX-License-Identifier: GPL-3.0-or-later
// The manual page of a table of options. A program with several forms has one page for all of them.
#include "tools/args.h"
#include "tools/man.h"

// Writes what is to be said of one form of a program.
typedef void FormWriter(const ArgSpec *spec, Str *page);

// Where there are several forms, each has its heading.
static void write_forms(const ArgSpec *spec, FormWriter *write, Str *page) {
    const bool are_several = spec->next_form != NULL;
    for (; spec != NULL; spec = spec->next_form) {
        if (are_several)
            man_subsection(page, spec->program);
        write(spec, page);
    }
}

static void write_summary(const ArgSpec *spec, Str *page) {
    man_text(page, spec->summary);
}

static void write_option(const ArgOption *option, Str *page) {
    CLEANUP(str_free) Str term = {0};
    if (option->letter != 0)
        str_addf(&term, "-%c, ", option->letter);
    str_addf(&term, "--%s%s%s", option->name, option->metavar == NULL ? "" : " ",
             option->metavar == NULL ? "" : option->metavar);
    man_item(page, str_text(&term), option->help);
}

static void write_options(const ArgSpec *spec, Str *page) {
    for (size_t i = 0; i < spec->option_count; i++)
        write_option(&spec->options[i], page);
    if (spec->takes_others)
        write_option(&args_other_option, page);
    write_option(&args_help_option, page);
}

static void write_example(const ArgSpec *spec, Str *page) {
    man_verbatim(page, spec->example);
}

void args_write_man(const ArgSpec *spec, const char *program, const char *purpose, Str *page) {
    CLEANUP(str_free) Str rest = {0};
    man_begin(page, program, purpose);
    man_section(page, "SYNOPSIS");
    for (const ArgSpec *form = spec; form != NULL; form = form->next_form) {
        str_setf(&rest, "[OPTIONS]%s%s", form->positional == NULL ? "" : " ",
                 form->positional == NULL ? "" : form->positional);
        man_usage(page, form->program, str_text(&rest));
    }
    man_section(page, "DESCRIPTION");
    write_forms(spec, write_summary, page);
    man_section(page, "OPTIONS");
    write_forms(spec, write_options, page);
    man_section(page, spec->next_form == NULL ? "EXAMPLE" : "EXAMPLES");
    for (const ArgSpec *form = spec; form != NULL; form = form->next_form)
        write_example(form, page);
}

int args_print_man(const ArgSpec *spec, const char *program, const char *purpose) {
    static const char *const others[] = {"falconer", "eyas"};
    Str page = {0};
    bool finds_files = false;
    args_write_man(spec, program, purpose, &page);
    for (const ArgSpec *form = spec; form != NULL; form = form->next_form)
        finds_files |= form->finds_files;
    man_exit_status(&page, NULL, NULL);
    if (finds_files)
        man_environment(&page);
    man_see_also(&page, others, 2);
    man_print(&page);
    return EXIT_DONE;
}
