// SPDX-License-Identifier: GPL-3.0-or-later
// falconer reproduce: runs the experiments of a paper and writes a page with its figures beside
// ours.
#include "base/clock.h"
#include "base/file.h"
#include "base/folder.h"
#include "base/mem.h"
#include "base/shell.h"
#include "base/temporary.h"
#include "dist/pool.h"
#include "engines/spec.h"
#include "match/play/runner.h"
#include "papers/paper.h"
#include "papers/record_step.h"
#include "report/number.h"
#include "tools/args.h"
#include "tools/commands.h"
#include "tools/commit.h"
#include "tools/print.h"
#include "tools/steps.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PAPERS_MAX = 16 };

typedef struct ReproduceArgs {
    const char *output, *scale, *records;
    uint64_t seed;
    int games, timed_games, concurrency, minutes;
    ArgStrings engines, only;
    bool dry, fresh;
    int64_t start_ns;
} ReproduceArgs;

#define ARGS ReproduceArgs
static const ArgOption options[] = {
    ARG("scale", 's', "SCALE", STRING, scale,
        "quick: minutes, with fewer games and runs; papers: all of the papers' (default: quick)"),
    ARG("output", 'o', "DIR", FOLDER, output,
        "where pages and all that they rest on go (default: results)"),
    ARG_RANGE("seed", 0, "N", U64, seed, 0, 1e15, "of all runs and matches (default: 1)"),
    ARG_RANGE("games", 'g', "N", INT, games, 2, 1e6,
              "so many games at most of any two players; more can be asked for later, and only "
              "those that are missing are played (default: as many as the scale has)"),
    ARG_RANGE("timed-games", 0, "N", INT, timed_games, 2, 1e6,
              "the same of games against the clock, which take longest (default: as --games)"),
    ARG_RANGE("concurrency", 'j', "N", INT, concurrency, 1, MATCH_CONCURRENCY_MAX,
              "so many games or positions at a time; games against the clock want a core each "
              "(default: as many as there are cores)"),
    ARG("engine", 'e', "WORDS", ENGINES, engines,
        "another opponent, where a paper has some: \"cmd=FILE option.NAME=VALUE ...\""),
    ARG_RANGE("for", 0, "MINUTES", INT, minutes, 1, 1e6,
              "start no step that would not finish in time; repeat the command to continue "
              "(default: no limit)"),
    ARG("only", 0, "PATTERN", STRINGS, only,
        "run only the steps whose names match it, such as \"clock-*\", and what these need that "
        "is recorded or takes less than a minute; may be repeated (default: all)"),
    ARG("records", 0, "DIR", FOLDER, records,
        "keep a record of each finished step there, and read them there (default: read those that "
        "come with falconer)"),
    ARG_SWITCH("fresh", 0, fresh, "read no records: run everything"),
    ARG_DRY_RUN("dry-run", 'n', dry,
                "show which steps are done, recorded or left, with their commands, and run none"),
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
        "given again. Engines that are not installed are left out, and the page says so.\n"
        "Experiments of our own: methods (docs/coevolve.md), search (docs/search-evolution.md).",
    .example = "falconer reproduce gecco2008 --dry-run",
    ARG_TABLE(options),
    .takes_names = true,
};

static int fail(void) {
    print_failure("falconer reproduce");
    return EXIT_FAILED;
}

// --- pages ---

static Status write_text(const char *folder, const char *name, const char *ending,
                         const Str *text) {
    CLEANUP(str_free) Str path = {0};
    str_addf(&path, "%s/%s.%s", folder, name, ending);
    return file_write(str_text(&path), str_text(text), text->length);
}

static Status write_pages(const Report *report, const char *folder, const char *name) {
    CLEANUP(str_free) Str text = {0};
    report_write_markdown(report, &text);
    TRY(write_text(folder, name, "md", &text));
    str_clear(&text);
    report_write_html(report, &text);
    return write_text(folder, name, "html", &text);
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
    CLEANUP(str_free) Str tables = {0};
    str_addf(&tables, "%s/tables", folder);
    TRY(folder_create(str_text(&tables)));
    for (size_t i = 0; report_table_at(report, i) != NULL; i++) {
        CLEANUP(str_free) Str name = {0};
        CLEANUP(str_free) Str text = {0};
        str_addf(&name, "%02zu-", i + 1);
        add_slug(&name, table_caption(report_table_at(report, i)));
        table_write_csv(report_table_at(report, i), &text);
        TRY(write_text(str_text(&tables), str_text(&name), "csv", &text));
    }
    return OK;
}

static void add_limit(int most, const char *what, const char *option, Report *report) {
    if (most > 0)
        report_add_paragraph(report,
                             "Of any two players %s %s at most were asked for (%s): the scale has "
                             "more for some, and a larger number goes on from here.",
                             number_of(most).text, what, option);
}

// How the search and the end of games were set: in words, because tables rest on it.
static void add_rules(const Plan *plan, Report *report) {
    CLEANUP(str_free) Str engines = {0};
    bool has_match = false;
    for (size_t i = 0; i < plan->count; i++) {
        has_match = has_match || plan->steps[i].rounds > 0;
        plan_add_versions(&plan->steps[i], &engines);
    }
    if (has_match)
        report_add_paragraph(report, "%s", plan_adjudication);
    if (engines.length > 0)
        report_add_paragraph(report, "Other engines call themselves: %s.", str_text(&engines));
}

// Which steps were not run here.
static void add_recorded(const Plan *plan, Report *report) {
    size_t count = 0;
    for (size_t i = 0; i < plan->count; i++)
        count += plan->steps[i].recorded.length > 0;
    if (count > 0)
        report_add_paragraph(report,
                             "%zu of %zu steps were not run here but come from records, which "
                             "were made by the commits that the table names.",
                             count, plan->count);
}

// How it was made: at the end of every page.
static void add_commands(const Plan *plan, Report *report) {
    CLEANUP(str_free) Str text = {0};
    CLEANUP(str_free) Str time = {0};
    page_say_time(&time, plan_spent(plan));
    report_add_heading(report, "How this was made");
    report_add_paragraph(report,
                         "By falconer %s (commit %s) with seed %" PRIu64
                         " at scale %s, in %s. Fixed nodes and plies give the same "
                         "tables again, whatever the machine; games against the clock do not.",
                         FALCONER_VERSION, commit_of_build, plan->seed, scale_name(plan->scale),
                         str_text(&time));
    add_recorded(plan, report);
    add_rules(plan, report);
    add_limit(plan->games_max, "games", "--games", report);
    add_limit(plan->timed_games_max, "games against the clock", "--timed-games", report);
    if (plan->missing.length > 0)
        report_add_paragraph(report, "Not installed, and so left out: %s.",
                             str_text(&plan->missing));
    for (size_t i = 0; i < plan->count; i++)
        str_addf(&text, "%sfalconer %s", i == 0 ? "" : "\n", plan->steps[i].command);
    report_add_code(report, str_text(&text));
    Table *table = report_add_table(report, "The steps");
    table_add_columns(table, "step|seconds:1|profile and hash of the search|commit of the record");
    for (size_t i = 0; i < plan->count; i++) {
        CLEANUP(str_free) Str search = {0};
        plan_say_search(&plan->steps[i], &search);
        table_add_text(table, plan->steps[i].name);
        table_add_number(table, plan->steps[i].seconds);
        table_add_text(table, str_text(&search));
        table_add_text(table, str_text(&plan->steps[i].recorded));
    }
}

static Status write_paper(Paper *paper, const char *name, const Plan *plan, const char *output,
                          Table *also) {
    CLEANUP(report_destroy_at) Report *report = report_create(paper_title(paper));
    report_add_paragraph(report, "%s", paper_citation(paper));
    Page page = {report, page_add_claims(report, "What the paper claims, and what was found here"),
                 also};
    report_add_paragraph(
        report,
        "Verdicts are worked out from the figures found here and their intervals: a claim holds "
        "where they show it, does not where they show the opposite, and else cannot be told. Fewer "
        "than %d games tell nothing. In tables of matches the verdict is on the paper's score: it "
        "holds inside an interval of at most %d Elo, and does not outside.",
        PAGE_GAMES_LEAST, PAGE_ELO_WIDE);
    TRY(paper_fill(paper, &page));
    add_commands(plan, report);
    TRY(write_pages(report, output, name));
    return write_tables(report, plan->folder);
}

// --- one paper after the other ---

static void init_plan(Plan *plan, const char *name, const ReproduceArgs *args) {
    CLEANUP(str_free) Str folder = {0};
    str_addf(&folder, "%s/%s-%s", args->output, name, args->scale);
    const bool is_quick = strcmp(args->scale, scale_name(SCALE_QUICK)) == 0;
    plan_init(plan, is_quick ? SCALE_QUICK : SCALE_PAPERS, args->seed, str_text(&folder));
    plan->games_max = args->games;
    plan->timed_games_max = args->timed_games;
    plan->concurrency = args->concurrency;
    plan->records = args->records;
    plan->is_fresh = args->fresh;
    plan->only = (const char *const *)args->only.items;
    plan->only_count = args->only.count;
    plan->commit = commit_of_build;
    plan->named = (const char *const *)args->engines.items;
    plan->named_count = args->engines.count;
}

static void announce(const char *name, const Plan *plan) {
    CLEANUP(str_free) Str time = {0};
    page_say_time(&time, plan_remaining(plan));
    print_out("%s: %zu steps, about %s on two cores\n", name, plan->count, str_text(&time));
    if (plan->missing.length > 0)
        print_out("%s: not installed, and so left out: %s\n", name, str_text(&plan->missing));
}

static void show_commands(const Plan *plan) {
    for (size_t i = 0; i < plan->count; i++) {
        CLEANUP(str_free) Str command = {0};
        CLEANUP(str_free) Str time = {0};
        const Step *step = &plan->steps[i];
        plan_add_command(plan, step, &command);
        page_say_time(&time, step->estimate);
        print_out("  %-10s %-20s falconer %s\n",
                  step->seconds >= 0               ? "done"
                  : step->recorded.length > 0      ? "recorded"
                  : !plan_is_asked_for(plan, step) ? "left out"
                                                   : str_text(&time),
                  step->name, str_text(&command));
    }
}

// Whether a reproduction at any scale has written pages there.
static bool has_reproduced(const char *name, const ReproduceArgs *args) {
    for (int scale = SCALE_QUICK; scale <= SCALE_PAPERS; scale++) {
        CLEANUP(str_free) Str path = {0};
        str_addf(&path, "%s/%s-%s/steps.jsonl", args->output, name, scale_name((Scale)scale));
        if (access(str_text(&path), F_OK) == 0)
            return true;
    }
    return false;
}

// Pages of that name that no reproduction has written are somebody else's.
static Status check_pages(const char *name, const ReproduceArgs *args) {
    CLEANUP(str_free) Str markdown = {0};
    CLEANUP(str_free) Str html = {0};
    str_addf(&markdown, "%s.md", name);
    str_addf(&html, "%s.html", name);
    const char *const written[] = {str_text(&markdown), str_text(&html), NULL};
    return folder_check_unused(args->output, written, "a new reproduction");
}

// Before any work: of all papers together too.
static Status check_folder(const char *const *chosen, const ReproduceArgs *args) {
    bool has_any = false;
    size_t count = 0;
    for (; chosen[count] != NULL; count++) {
        const bool has = has_reproduced(chosen[count], args);
        has_any = has_any || has;
        if (!has)
            TRY(check_pages(chosen[count], args));
    }
    if (count > 1 && !has_any)
        TRY(check_pages("papers", args));
    temporary_sweep_folder(args->output);
    return OK;
}

// 0: as many as it takes.
static double seconds_left(const ReproduceArgs *args) {
    const double rest = 60.0 * args->minutes - clock_seconds_since(args->start_ns);
    return args->minutes == 0 ? 0 : rest < 1 ? 1 : rest;
}

// No page is written before all steps are done.
static int say_rest(const char *name, const Plan *plan) {
    CLEANUP(str_free) Str time = {0};
    size_t left = 0;
    for (size_t i = 0; i < plan->count; i++)
        left += plan->steps[i].seconds < 0;
    page_say_time(&time, plan_remaining(plan));
    print_out("%s: %zu of %zu steps are left, about %s on two cores; the same command%s goes on\n",
              name, left, plan->count, str_text(&time),
              plan->only_count > 0 ? " without --only" : "");
    return EXIT_DONE;
}

static Status check_only(const char *name, const Plan *plan) {
    for (size_t i = 0; i < plan->only_count; i++)
        if (!plan_matches(plan, plan->only[i]))
            return error_set(ERR_ARG, "no step of %s matches '%s': --dry-run lists them", name,
                             plan->only[i]);
    return OK;
}

static int reproduce(const char *name, const ReproduceArgs *args, Report *all, StepsEnd *end) {
    CLEANUP(plan_deinit) Plan plan = {0};
    CLEANUP(paper_close_at) Paper *paper = NULL;
    init_plan(&plan, name, args);
    if (paper_open(&paper, name, &plan) != OK || plan_recall(&plan) != OK ||
        record_look(&plan) != OK || check_only(name, &plan) != OK)
        return fail();
    announce(name, &plan);
    if (args->dry) {
        show_commands(&plan);
        return EXIT_DONE;
    }
    *end = steps_run(&plan, seconds_left(args));
    if (*end != STEPS_DONE)
        return *end == STEPS_FAILED ? EXIT_FAILED : say_rest(name, &plan);
    if (write_paper(paper, name, &plan, args->output, page_add_claims(all, paper_title(paper))) !=
        OK)
        return fail();
    print_out("%s: %s/%s.md and .html\n", name, args->output, name);
    return EXIT_DONE;
}

static int reproduce_each(const char *const *chosen, const ReproduceArgs *args) {
    CLEANUP(report_destroy_at)
    Report *all = report_create("The papers, and what was found here");
    if (!args->dry && check_folder(chosen, args) != OK)
        return fail();
    size_t count = 0;
    bool is_whole = true;
    for (; chosen[count] != NULL; count++) {
        StepsEnd end = STEPS_DONE;
        const int exit_code = reproduce(chosen[count], args, all, &end);
        if (exit_code != EXIT_DONE || end == STEPS_LEFT)
            return exit_code;
        is_whole = is_whole && end == STEPS_DONE;
    }
    if (count == 1 || args->dry || !is_whole)
        return EXIT_DONE;
    if (write_pages(all, args->output, "papers") != OK)
        return fail();
    print_out("all: %s/papers.md and .html\n", args->output);
    return EXIT_DONE;
}

// --- the command line ---

static int choose(const ArgStrings *names, const char **chosen) {
    size_t count = 0;
    for (size_t i = 0; i < names->count; i++) {
        const bool is_all = strcmp(names->items[i], "all") == 0;
        bool is_known = is_all;
        for (size_t j = 0; paper_names[j].name != NULL && count + 1 < PAPERS_MAX; j++)
            if (is_all ? paper_names[j].is_published
                       : strcmp(paper_names[j].name, names->items[i]) == 0) {
                chosen[count++] = paper_names[j].name;
                is_known = true;
            }
        if (!is_known)
            return args_complain(&spec, "no such paper: '%s'", names->items[i]);
    }
    chosen[count] = NULL;
    return count == 0 ? args_complain(&spec, "which paper?") : ARGS_GO_ON;
}

// A program without a folder is looked up.
static bool may_be_path(const char *word, const char *equals) {
    static const char *const keys[] = {"dir=", "arg=", "weights=", "option.", "stderr="};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strncmp(word, keys[i], strlen(keys[i])) == 0)
            return true;
    return strncmp(word, "cmd=", 4) == 0 && strchr(equals, '/') != NULL;
}

// Steps run in another folder: a file that the user named from here is named from everywhere.
static char *name_from_everywhere(const char *words) {
    CLEANUP(str_free) Str word = {0};
    CLEANUP(str_free) Str all = {0};
    bool is_changed = false;
    for (const char *rest = words; shell_next_word(&rest, &word);) {
        const char *const text = str_text(&word), *const equals = strchr(text, '=');
        const bool is_path = equals != NULL && equals[1] != '/' && may_be_path(text, equals);
        CLEANUP(mem_free_at) char *path = is_path ? realpath(equals + 1, NULL) : NULL;
        CLEANUP(str_free) Str named = {0};
        if (path != NULL)
            str_addf(&named, "%.*s%s", (int)(equals + 1 - text), text, path);
        is_changed = is_changed || path != NULL;
        str_add(&all, all.length == 0 ? "" : " ");
        shell_quote(&all, path == NULL ? text : str_text(&named));
    }
    return mem_copy_string(is_changed ? str_text(&all) : words);
}

// What takes the place of the user's words.
typedef struct Settled {
    char *records, **engines; // owned
    size_t engine_count;
} Settled;

static void settled_free(Settled *settled) {
    for (size_t i = 0; i < settled->engine_count; i++)
        free(settled->engines[i]);
    free(settled->engines);
    free(settled->records);
}

static Status settle_paths(ReproduceArgs *args, Settled *settled) {
    settled->engines = mem_alloc_zero(args->engines.count + 1, sizeof *settled->engines);
    settled->engine_count = args->engines.count;
    for (size_t i = 0; i < args->engines.count; i++)
        args->engines.items[i] = settled->engines[i] = name_from_everywhere(args->engines.items[i]);
    if (args->records == NULL || args->dry)
        return OK;
    TRY(folder_create(args->records));
    settled->records = realpath(args->records, NULL);
    if (settled->records == NULL)
        return error_set(ERR_IO, "%s: %s", args->records, strerror(errno));
    args->records = settled->records;
    return OK;
}

// Engines that cannot be understood end the command before any work is done.
static int check_engines(const ArgStrings *engines) {
    for (size_t i = 0; i < engines->count; i++) {
        CLEANUP(engine_spec_deinit) EngineSpec engine = engine_spec_init();
        if (engine_spec_parse(&engine, engines->items[i]) != OK ||
            engine_spec_finish(&engine) != OK)
            return args_complain(&spec, "--engine: %s", error_message());
    }
    return ARGS_GO_ON;
}

static int check_scale(const char *scale) {
    if (strcmp(scale, scale_name(SCALE_QUICK)) == 0 || strcmp(scale, scale_name(SCALE_PAPERS)) == 0)
        return ARGS_GO_ON;
    return args_complain(&spec, "--scale is quick or papers, not '%s'", scale);
}

int cmd_reproduce(int argc, char **argv) {
    ReproduceArgs args = {
        .output = "results", .scale = "quick", .seed = 1, .start_ns = clock_now_ns()};
    const int cores = dist_cores();
    args.concurrency = cores < MATCH_CONCURRENCY_MAX ? cores : MATCH_CONCURRENCY_MAX;
    ArgStrings names = {0};
    const char *chosen[PAPERS_MAX];
    int exit_code = args_parse(&spec, argc, argv, &args, &names);
    if (exit_code == ARGS_GO_ON)
        exit_code = choose(&names, chosen);
    if (exit_code == ARGS_GO_ON)
        exit_code = check_scale(args.scale);
    if (exit_code == ARGS_GO_ON)
        exit_code = check_engines(&args.engines);
    CLEANUP(settled_free) Settled settled = {0};
    if (exit_code == ARGS_GO_ON)
        exit_code = settle_paths(&args, &settled) == OK ? reproduce_each(chosen, &args) : fail();
    arg_strings_free(&args.engines);
    arg_strings_free(&args.only);
    arg_strings_free(&names);
    return exit_code;
}
