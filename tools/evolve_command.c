// SPDX-License-Identifier: GPL-3.0-or-later
// What falconer evolve and coevolve do: settings of a preset, a run in its directory, a report.
#include "tools/evolve_command.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/shell.h"
#include "evolve_report/evolve_report.h"
#include "tools/commands.h"
#include "tools/print.h"
#include "tools/signals.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static atomic_bool stop;

static void on_signal(int number) {
    (void)number;
    atomic_store(&stop, true);
}

// The generation at hand is finished, then everything is saved; a second signal ends at once.
static void catch_signals(void) {
    signals_catch(on_signal, (int)SA_RESETHAND, falconer_ranks() != NULL);
}

// --- what the user asked for ---

// A file that exists is found again from any directory; others come with the program.
static Status resolve_path(RunConfig *config, const char *name, const Str *value) {
    CLEANUP(mem_free_at) char *path = value->length > 0 ? realpath(str_text(value), NULL) : NULL;
    return path == NULL ? OK : run_config_set(config, name, path);
}

// Cuts the next item off a list with commas; false at its end.
static bool next_item(const char **list, Str *item) {
    const size_t length = strcspn(*list, ",");
    if (**list == '\0')
        return false;
    str_clear(item);
    str_append(item, *list, length);
    *list += length + ((*list)[length] == ',');
    return true;
}

// The same for each of a list.
static Status resolve_list(RunConfig *config, const char *name, const Str *value) {
    CLEANUP(str_free) Str list = {0};
    CLEANUP(str_free) Str item = {0};
    for (const char *rest = str_text(value); next_item(&rest, &item);) {
        CLEANUP(mem_free_at) char *path = realpath(str_text(&item), NULL);
        // A comma in the path itself would part it.
        const bool is_found = path != NULL && strchr(path, ',') == NULL;
        str_addf(&list, "%s%s", is_found ? path : str_text(&item), rest[-1] == ',' ? "," : "");
    }
    return run_config_set(config, name, str_text(&list));
}

static void add_inputs(Outputs *paths, const char *list) {
    CLEANUP(str_free) Str item = {0};
    outputs_add_input(paths, list);
    while (next_item(&list, &item))
        outputs_add_input(paths, str_text(&item));
}

void evolve_add_paths(const void *values, Outputs *paths) {
    static const char *const files[] = {
        "data", "test", "start", "openings", "verdict-openings", "start-from", "weights"};
    const ArgStrings *settings = &((const EvolveArgs *)values)->settings;
    for (size_t i = 0; i < settings->count; i += 2) {
        const char *name = settings->items[i], *value = settings->items[i + 1];
        for (size_t f = 0; f < sizeof files / sizeof *files; f++)
            if (strcmp(name, files[f]) == 0)
                add_inputs(paths, value);
    }
}

// A set is one file, commas in its name or not, or a list.
static Status resolve_set(RunConfig *config, const char *name, const Str *value) {
    return access(str_text(value), F_OK) == 0 ? resolve_path(config, name, value)
                                              : resolve_list(config, name, value);
}

static Status resolve_paths(RunConfig *config) {
    TRY(resolve_path(config, "forest-cache", &config->forest_cache));
    TRY(resolve_set(config, "data", &config->data));
    TRY(resolve_set(config, "test", &config->test));
    TRY(resolve_path(config, "start", &config->start));
    TRY(resolve_path(config, "weights", &config->weights));
    TRY(resolve_path(config, "openings", &config->openings));
    TRY(resolve_path(config, "verdict-openings", &config->verdict_openings));
    return resolve_list(config, "start-from", &config->start_from);
}

static Status apply_settings(const EvolveArgs *args, RunConfig *config) {
    const struct {
        const char *name;
        bool is_given;
    } switches[] = {
        {"tempo", args->tempo}, {"quiet-only", args->quiet_only}, {"resolve", args->resolve}};
    TRY(run_config_set_all(config, args->settings.items, args->settings.count));
    for (size_t i = 0; i < 3; i++)
        if (switches[i].is_given)
            TRY(run_config_set(config, switches[i].name, "yes"));
    TRY(run_config_check_all(config, args->settings.items, args->settings.count));
    for (size_t i = 0; i < 3; i++)
        if (switches[i].is_given)
            TRY(run_config_check_use(config, switches[i].name));
    return resolve_paths(config);
}

static void default_directory(const char *preset, const RunConfig *config, Str *out) {
    const char *slash = strrchr(preset, '/'), *name = slash == NULL ? preset : slash + 1;
    const char *dot = strstr(name, ".ini");
    const int length = dot == NULL ? (int)strlen(name) : (int)(dot - name);
    str_addf(out, "%.*s-%lld", length, name, (long long)config->seed);
}

// What makes the run what it is: neither its directory nor the threads.
static Status set_command(const EvolveArgs *args, const char *preset, RunConfig *config) {
    CLEANUP(str_free) Str text = {0};
    str_add(&text, args->spec->program);
    args_add_word(&text, preset);
    for (size_t i = 0; i < args->settings.count; i += 2) {
        str_addf(&text, " --%s", args->settings.items[i]);
        args_add_word(&text, args->settings.items[i + 1]);
    }
    str_addf(&text, "%s%s%s", args->tempo ? " --tempo" : "",
             args->quiet_only ? " --quiet-only" : "", args->resolve ? " --resolve" : "");
    return run_config_set(config, "command", str_text(&text));
}

static int threads_of(const EvolveArgs *args) {
    return args->threads > 0 ? args->threads : dist_cores();
}

// --- the run ---

static Status report_stop(const char *program, const char *directory) {
    CLEANUP(str_free) Str word = {0};
    shell_quote(&word, directory);
    return error_set(ERR_ARG, "stopped; %s --resume %s goes on", program, str_text(&word));
}

static void report_stage(const char *program, const RunFiles *files) {
    CLEANUP(str_free) Str word = {0};
    shell_quote(&word, files->directory);
    print_out("Stage %u of %u is done; continue with %s --resume %s\n", files->stage.number,
              files->stage.count, program, str_text(&word));
}

// Writes the reports, and shows the summary.
static Status show_results(EvolveFindings *findings, bool no_optimum) {
    CLEANUP(report_destroy_at) Report *summary = NULL;
    CLEANUP(str_free) Str text = {0};
    TRY(evolve_findings_write(findings, no_optimum, &summary));
    report_write_text(summary, &text);
    print_text(stdout, str_text(&text));
    print_out(
        "\nWritten to %s: report.html and report.txt with more, %s\n", findings->files->directory,
        findings->config->runs > 1
            ? "runs.csv; log.jsonl, genes.csv, population.csv and best.weights of each run in "
              "run-01 and so on, best.weights of the best of them"
        : family_is_foreign(problem_family(findings->problem))
            ? "log.jsonl, genes.csv, population.csv, best.weights, values.txt"
            : "log.jsonl, genes.csv, population.csv, best.weights");
    return OK;
}

static Status run_and_report(const EvolveArgs *args, Problem *problem, const RunConfig *config,
                             const RunFiles *files) {
    RunOutcome *outcomes = mem_alloc_zero((size_t)config->runs, sizeof *outcomes);
    EvolveFindings findings = {
        .problem = problem, .config = config, .files = files, .outcomes = outcomes};
    const int64_t started_ns = clock_now_ns();
    Status status = run_all(problem, config, files, outcomes);
    const double seconds = clock_seconds_since(started_ns);
    bool is_finished = status == OK;
    for (int64_t i = 0; i < config->runs; i++)
        is_finished = is_finished && outcomes[i].is_finished;
    if (is_finished)
        status = show_results(&findings, args->no_optimum);
    else if (status == OK && files->stage.count > 0 && !atomic_load(&stop))
        report_stage(args->spec->program, files);
    else if (status == OK)
        status = report_stop(args->spec->program, files->directory);
    if (status == OK && args->by_games)
        print_out("This took %.1f s on %d thread%s%s.\n", seconds, threads_of(args),
                  threads_of(args) == 1 ? "" : "s",
                  args->resume == NULL ? "" : ", since it went on");
    for (int64_t i = 0; i < config->runs; i++)
        run_outcome_free(&outcomes[i]);
    free(outcomes);
    return status;
}

// Positions and games are learned from by commands of their own, that say what they need.
static Status check_command(const EvolveArgs *args, const RunConfig *config) {
    const bool is_games = run_config_plays_games(config);
    if (is_games == args->by_games)
        return OK;
    return error_set(ERR_ARG, "these settings learn %s: falconer %s takes them",
                     is_games ? "by games" : "from positions", is_games ? "coevolve" : "evolve");
}

// Only runs on positions have something to report.
static void tell(const char *text) {
    print_err("falconer evolve: %s\n", text);
}

static Status read_stage(const char *text, RunStage *out) {
    char end;
    if (text == NULL)
        return OK;
    if (text[strspn(text, "0123456789/")] == '\0' &&
        sscanf(text, "%3u/%3u%c", &out->number, &out->count, &end) == 2 && out->number > 0 &&
        out->number <= out->count)
        return OK;
    return error_set(ERR_ARG, "--stage is I/N, as in 2/5, not '%s'", text);
}

static Status run_evolution(const EvolveArgs *args, RunConfig *config, const char *directory) {
    RunFiles files = {.directory = directory,
                      .progress = args->no_progress ? NULL : stderr,
                      .stop = &stop,
                      .from_previous = args->previous};
    const bool is_new = args->resume == NULL;
    CLEANUP(dist_pool_free_at) DistPool *pool = dist_pool_new(threads_of(args));
    CLEANUP(problem_destroy_at) Problem *problem = NULL;
    dist_pool_set_ranks(pool, falconer_ranks(), args->threads);
    config->tell = tell;
    TRY(check_command(args, config));
    TRY(read_stage(args->stage, &files.stage));
    if (is_new)
        TRY(run_check_directory(directory, config));
    TRY(problem_create(&problem, config, pool));
    if (is_new)
        TRY(run_check(problem, config));
    // From here on there is a directory, from which a stopped run can continue.
    catch_signals();
    if (is_new)
        TRY(run_begin(directory, config));
    return run_and_report(args, problem, config, &files);
}

static int list_settings(const RunConfig *config) {
    CLEANUP(str_free) Str text = {0};
    run_config_describe(config, &text);
    print_text(stdout, str_text(&text));
    return EXIT_DONE;
}

// Also where the command line does not name it.
static int check_directory(const EvolveArgs *args, const char *directory) {
    CLEANUP(outputs_free) Outputs paths = {0};
    outputs_add(&paths, OUTPUT_FOLDER, "--output", directory);
    return args_check_outputs(args->spec->program, &paths);
}

static int evolve_preset(const EvolveArgs *args, const char *preset) {
    CLEANUP(run_config_free) RunConfig config = {0};
    CLEANUP(str_free) Str directory = {0};
    run_config_init(&config);
    if (run_config_load(&config, preset) != OK)
        return args_fail(args->spec);
    if (apply_settings(args, &config) != OK || set_command(args, preset, &config) != OK)
        return args_fail_usage(args->spec);
    if (args->list_settings)
        return list_settings(&config);
    if (args->output == NULL)
        default_directory(preset, &config, &directory);
    else
        str_add(&directory, args->output);
    TRY_ARGS(check_directory(args, str_text(&directory)));
    return args_exit(args->spec, run_evolution(args, &config, str_text(&directory)));
}

static Status evolve_resume(const EvolveArgs *args) {
    CLEANUP(run_config_free) RunConfig config = {0};
    run_config_init(&config);
    TRY(run_open(args->resume, &config));
    return run_evolution(args, &config, args->resume);
}

static bool has_settings(const EvolveArgs *args, const ArgStrings *presets) {
    return presets->count > 0 || args->settings.count > 0 || args->output != NULL || args->tempo ||
           args->quiet_only || args->resolve || args->list_settings;
}

static int evolve(const EvolveArgs *args, const ArgStrings *presets) {
    if (args->resume != NULL && has_settings(args, presets))
        return args_complain(args->spec,
                             "--resume takes its settings from the run: name no others");
    if (args->resume != NULL)
        return args_exit(args->spec, evolve_resume(args));
    if (presets->count != 1)
        return args_complain(args->spec, "expected PRESET");
    if (args->previous)
        return args_complain(args->spec, "--previous goes with --resume");
    return evolve_preset(args, presets->items[0]);
}

int evolve_command(const ArgSpec *spec, bool by_games, int argc, char **argv) {
    EvolveArgs args = {.spec = spec, .by_games = by_games};
    CLEANUP(arg_strings_free) ArgStrings presets = {0};
    int exit_code = args_parse(spec, argc, argv, &args, &presets);
    chess_init();
    if (exit_code == ARGS_GO_ON)
        exit_code = evolve(&args, &presets);
    arg_strings_free(&args.settings);
    return exit_code;
}
