// SPDX-License-Identifier: GPL-3.0-or-later
// falconer reproduce: runs the experiments of a paper and writes a page with its figures beside
// ours.
#include "base/file.h"
#include "base/folder.h"
#include "base/temporary.h"
#include "dist/pool.h"
#include "engines/spec.h"
#include "match/play/runner.h"
#include "papers/paper.h"
#include "report/number.h"
#include "tools/args.h"
#include "tools/commands.h"
#include "tools/print.h"
#include "tools/steps.h"

#include <ctype.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PAPERS_MAX = 16 };

typedef struct Values {
    const char *output, *scale;
    uint64_t seed;
    int games, timed_games, concurrency;
    ArgStrings engines;
    bool dry;
} Values;

static const ArgOption options[] = {
    {"scale", 's', "SCALE", ARG_STRING, offsetof(Values, scale), 0, 0,
     "quick: minutes, with fewer games and runs; papers: all of the papers' (default: quick)"},
    {"output", 'o', "DIR", ARG_FOLDER, offsetof(Values, output), 0, 0,
     "where pages and all that they rest on go (default: results)"},
    {"seed", 0, "N", ARG_U64, offsetof(Values, seed), 0, 1e15,
     "of all runs and matches (default: 1)"},
    {"games", 'g', "N", ARG_INT, offsetof(Values, games), 2, 1e6,
     "so many games at most of any two players; more can be asked for later, and only those that "
     "are missing are played (default: as many as the scale has)"},
    {"timed-games", 0, "N", ARG_INT, offsetof(Values, timed_games), 2, 1e6,
     "the same of games against the clock, which take longest (default: as --games)"},
    {"concurrency", 'j', "N", ARG_INT, offsetof(Values, concurrency), 1, MATCH_CONCURRENCY_MAX,
     "so many games or positions at a time; games against the clock want a core each (default: as "
     "many as there are cores)"},
    {"engine", 'e', "WORDS", ARG_ENGINES, offsetof(Values, engines), 0, 0,
     "another opponent, where a paper has some: \"cmd=FILE option.NAME=VALUE ...\""},
    {"dry-run", 'n', NULL, ARG_DRY, offsetof(Values, dry), 0, 0,
     "show the commands and how long they will take, and run none"},
};

static const ArgSpec spec = {
    .program = "falconer reproduce",
    .positional = "PAPER...",
    .summary =
        "Runs the experiments of papers (gecco2008, gpem2010, gecco2009, asoc2013, cec2001, or\n"
        "all) on the bundled data, and writes DIR/PAPER.md and DIR/PAPER.html: every table and\n"
        "figure that can be had, the paper's figures beside ours, and its time beside ours. The\n"
        "tables are DIR/PAPER-SCALE/tables/*.csv too. What was stopped goes on when the command "
        "is\n"
        "given again. Engines that are not installed are left out, and the page says so.",
    .example = "falconer reproduce gecco2008 --dry-run",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .takes_names = true,
};

static int fail(void) {
    print_failure("falconer reproduce");
    return EXIT_FAILED;
}

// --- pages ---

static Status write_text(const char *folder, const char *name, const char *ending,
                         const Str *text) {
    Str path = {0};
    str_addf(&path, "%s/%s.%s", folder, name, ending);
    Status status = file_write(str_text(&path), str_text(text), text->length);
    str_free(&path);
    return status;
}

static Status write_pages(const Report *report, const char *folder, const char *name) {
    Str text = {0};
    report_write_markdown(report, &text);
    Status status = write_text(folder, name, "md", &text);
    str_clear(&text);
    report_write_html(report, &text);
    if (status == OK)
        status = write_text(folder, name, "html", &text);
    str_free(&text);
    return status;
}

// "Table 2: EVOL* and others" becomes "table-2-evol-and-others".
static void add_slug(Str *out, const char *caption) {
    bool is_gap = false;
    for (; *caption != '\0'; caption++) {
        const bool is_kept = isalnum((unsigned char)*caption) != 0;
        if (is_kept)
            str_addf(out, "%s%c", is_gap ? "-" : "", tolower((unsigned char)*caption));
        is_gap = !is_kept;
    }
}

static Status write_tables(const Report *report, const char *folder) {
    Str tables = {0};
    str_addf(&tables, "%s/tables", folder);
    Status status = folder_create(str_text(&tables));
    for (size_t i = 0; status == OK && report_table_at(report, i) != NULL; i++) {
        Str name = {0}, text = {0};
        str_addf(&name, "%02zu-", i + 1);
        add_slug(&name, table_caption(report_table_at(report, i)));
        table_write_csv(report_table_at(report, i), &text);
        status = write_text(str_text(&tables), str_text(&name), "csv", &text);
        str_free(&name);
        str_free(&text);
    }
    str_free(&tables);
    return status;
}

static void add_limit(int most, const char *what, const char *option, Report *report) {
    if (most > 0)
        report_add_paragraph(report,
                             "Of any two players %s %s at most were asked for (%s): the scale has "
                             "more for some, and a larger number goes on from here.",
                             number_of(most).text, what, option);
}

// How it was made: at the end of every page.
static void add_commands(const Plan *plan, Report *report) {
    Str text = {0}, time = {0};
    page_say_time(&time, plan_spent(plan));
    report_add_heading(report, "How this was made");
    report_add_paragraph(report,
                         "By falconer %s with seed %" PRIu64
                         " at scale %s, in %s. Fixed nodes and plies give the same "
                         "tables again, whatever the machine; games against the clock do not.",
                         FALCONER_VERSION, plan->seed, scale_name(plan->scale), str_text(&time));
    add_limit(plan->games_max, "games", "--games", report);
    add_limit(plan->timed_games_max, "games against the clock", "--timed-games", report);
    if (plan->missing.length > 0)
        report_add_paragraph(report, "Not installed, and so left out: %s.",
                             str_text(&plan->missing));
    for (size_t i = 0; i < plan->count; i++)
        str_addf(&text, "%sfalconer %s", i == 0 ? "" : "\n", plan->steps[i].command);
    report_add_code(report, str_text(&text));
    Table *table = report_add_table(report, "Time of each step");
    table_add_text_column(table, "step");
    table_add_number_column(table, "seconds", 1);
    for (size_t i = 0; i < plan->count; i++) {
        table_add_text(table, plan->steps[i].name);
        table_add_number(table, plan->steps[i].seconds);
    }
    str_free(&text);
    str_free(&time);
}

static Status tell(const Paper *paper, const Plan *plan, const char *output, Table *also) {
    Report *report = report_create(paper->title);
    report_add_paragraph(report, "%s", paper->citation);
    Page page = {report, page_add_claims(report, "What the paper claims, and what was found here"),
                 also};
    Status status = paper->tell(plan, &page);
    add_commands(plan, report);
    if (status == OK)
        status = write_pages(report, output, paper->name);
    if (status == OK)
        status = write_tables(report, plan->folder);
    report_destroy(report);
    return status;
}

// --- one paper after the other ---

static void make_plan(Plan *plan, const Paper *paper, const Values *values) {
    Str folder = {0};
    str_addf(&folder, "%s/%s-%s", values->output, paper->name, values->scale);
    const bool is_quick = strcmp(values->scale, scale_name(SCALE_QUICK)) == 0;
    plan_init(plan, is_quick ? SCALE_QUICK : SCALE_PAPERS, values->seed, str_text(&folder));
    plan->games_max = values->games;
    plan->timed_games_max = values->timed_games;
    plan->concurrency = values->concurrency;
    plan->named = (const char *const *)values->engines.items;
    plan->named_count = values->engines.count;
    paper->plan(plan);
    str_free(&folder);
}

static void announce(const Paper *paper, const Plan *plan) {
    Str time = {0};
    page_say_time(&time, plan_remaining(plan));
    print_out("%s: %zu steps, about %s on two cores\n", paper->name, plan->count, str_text(&time));
    if (plan->missing.length > 0)
        print_out("%s: not installed, and so left out: %s\n", paper->name,
                  str_text(&plan->missing));
    str_free(&time);
}

static void show_commands(const Plan *plan) {
    for (size_t i = 0; i < plan->count; i++) {
        Str command = {0};
        plan_add_command(plan, &plan->steps[i], &command);
        print_out("  falconer %s\n", str_text(&command));
        str_free(&command);
    }
}

// Whether a reproduction at any scale has written pages there.
static bool has_reproduced(const Paper *paper, const Values *values) {
    bool has = false;
    for (int scale = SCALE_QUICK; scale <= SCALE_PAPERS && !has; scale++) {
        Str path = {0};
        str_addf(&path, "%s/%s-%s/steps.jsonl", values->output, paper->name,
                 scale_name((Scale)scale));
        has = access(str_text(&path), F_OK) == 0;
        str_free(&path);
    }
    return has;
}

// Pages of that name that no reproduction has written are somebody else's.
static Status check_pages(const char *name, const Values *values) {
    Str markdown = {0}, html = {0};
    str_addf(&markdown, "%s.md", name);
    str_addf(&html, "%s.html", name);
    const char *const written[] = {str_text(&markdown), str_text(&html), NULL};
    const Status status = folder_check_unused(values->output, written, "a new reproduction");
    str_free(&markdown);
    str_free(&html);
    return status;
}

// Before any work: of all papers together too.
static Status check_folder(const Paper *const *chosen, const Values *values) {
    Status status = OK;
    bool has_any = false;
    size_t count = 0;
    for (; chosen[count] != NULL && status == OK; count++) {
        const bool has = has_reproduced(chosen[count], values);
        has_any = has_any || has;
        if (!has)
            status = check_pages(chosen[count]->name, values);
    }
    if (status == OK && count > 1 && !has_any)
        status = check_pages("papers", values);
    if (status == OK)
        temporary_sweep_folder(values->output);
    return status;
}

static int reproduce(const Paper *paper, Plan *plan, const Values *values, Table *also) {
    announce(paper, plan);
    if (values->dry) {
        show_commands(plan);
        return EXIT_DONE;
    }
    if (!steps_run(plan))
        return EXIT_FAILED;
    if (tell(paper, plan, values->output, also) != OK)
        return fail();
    print_out("%s: %s/%s.md and .html\n", paper->name, values->output, paper->name);
    return EXIT_DONE;
}

static int reproduce_each(const Paper *const *chosen, const Values *values) {
    Report *all = report_create("The papers, and what was found here");
    int exit_code = values->dry || check_folder(chosen, values) == OK ? EXIT_DONE : fail();
    size_t count = 0;
    for (; exit_code == EXIT_DONE && chosen[count] != NULL; count++) {
        Plan plan;
        make_plan(&plan, chosen[count], values);
        Table *also = page_add_claims(all, chosen[count]->title);
        exit_code =
            plan_recall(&plan) == OK ? reproduce(chosen[count], &plan, values, also) : fail();
        plan_deinit(&plan);
    }
    if (exit_code == EXIT_DONE && count > 1 && !values->dry) {
        if (write_pages(all, values->output, "papers") != OK)
            exit_code = fail();
        else
            print_out("all: %s/papers.md and .html\n", values->output);
    }
    report_destroy(all);
    return exit_code;
}

// --- the command line ---

static int choose(const ArgStrings *names, const Paper **chosen) {
    size_t count = 0;
    for (size_t i = 0; i < names->count; i++) {
        const bool is_all = strcmp(names->items[i], "all") == 0;
        const Paper *paper = paper_find(names->items[i]);
        if (!is_all && paper == NULL)
            return args_complain(&spec, "no such paper: '%s'", names->items[i]);
        for (size_t j = 0; papers_all[j] != NULL && count + 1 < PAPERS_MAX; j++)
            if (is_all || papers_all[j] == paper)
                chosen[count++] = papers_all[j];
    }
    chosen[count] = NULL;
    return count == 0 ? args_complain(&spec, "which paper?") : ARGS_GO_ON;
}

// Engines that cannot be understood end the command before any work is done.
static int check_engines(const ArgStrings *engines) {
    int exit_code = ARGS_GO_ON;
    for (size_t i = 0; exit_code == ARGS_GO_ON && i < engines->count; i++) {
        EngineSpec engine = engine_spec_init();
        if (engine_spec_parse(&engine, engines->items[i]) != OK ||
            engine_spec_finish(&engine) != OK)
            exit_code = args_complain(&spec, "--engine: %s", error_message());
        engine_spec_deinit(&engine);
    }
    return exit_code;
}

int cmd_reproduce(int argc, char **argv) {
    Values values = {.output = "results", .scale = "quick", .seed = 1};
    const int cores = dist_cores();
    values.concurrency = cores < MATCH_CONCURRENCY_MAX ? cores : MATCH_CONCURRENCY_MAX;
    ArgStrings names = {0};
    const Paper *chosen[PAPERS_MAX];
    int exit_code = args_parse(&spec, argc, argv, &values, &names);
    if (exit_code == ARGS_GO_ON)
        exit_code = choose(&names, chosen);
    if (exit_code == ARGS_GO_ON && strcmp(values.scale, scale_name(SCALE_QUICK)) != 0 &&
        strcmp(values.scale, scale_name(SCALE_PAPERS)) != 0)
        exit_code = args_complain(&spec, "--scale is quick or papers, not '%s'", values.scale);
    if (exit_code == ARGS_GO_ON)
        exit_code = check_engines(&values.engines);
    if (exit_code == ARGS_GO_ON)
        exit_code = reproduce_each(chosen, &values);
    arg_strings_free(&values.engines);
    arg_strings_free(&names);
    return exit_code;
}
