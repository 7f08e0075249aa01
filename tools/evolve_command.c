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

static int complain(const EvolveArgs *args) {
    print_failure(args->spec->program);
    return EXIT_FAILED;
}

// --- what the user asked for ---

// A file that is here is found again from any directory; others come with the program.
static Status settle_file(RunConfig *config, const char *name, const Str *value) {
    char *path = value->length > 0 ? realpath(str_text(value), NULL) : NULL;
    const Status status = path == NULL ? OK : run_config_set(config, name, path);
    free(path);
    return status;
}

// The same for each of a list.
static Status settle_list(RunConfig *config, const char *name, const Str *value) {
    Str list = {0}, item = {0};
    for (const char *at = str_text(value); *at != '\0';) {
        const size_t length = strcspn(at, ",");
        str_clear(&item);
        str_append(&item, at, length);
        char *path = realpath(str_text(&item), NULL);
        // A comma in the path itself would part it.
        const bool is_found = path != NULL && strchr(path, ',') == NULL;
        str_add(&list, is_found ? path : str_text(&item));
        str_add(&list, at[length] == ',' ? "," : "");
        free(path);
        at += length + (at[length] == ',');
    }
    const Status status = run_config_set(config, name, str_text(&list));
    str_free(&list);
    str_free(&item);
    return status;
}

static void add_inputs(Outputs *paths, const char *list) {
    Str item = {0};
    outputs_add_input(paths, list);
    for (const char *at = list; *at != '\0';) {
        const size_t length = strcspn(at, ",");
        str_clear(&item);
        str_append(&item, at, length);
        outputs_add_input(paths, str_text(&item));
        at += length + (at[length] == ',');
    }
    str_free(&item);
}

void evolve_add_paths(const void *values, Outputs *paths) {
    static const char *const files[] = {"data", "test", "start", "openings", "start-from"};
    const ArgStrings *settings = &((const EvolveArgs *)values)->settings;
    for (size_t i = 0; i < settings->count; i += 2) {
        const char *name = settings->items[i], *value = settings->items[i + 1];
        if (strcmp(name, "forest-cache") == 0 && value[0] != '\0')
            outputs_add(paths, OUTPUT_FOLDER, "--forest-cache", value);
        for (size_t f = 0; f < sizeof files / sizeof *files; f++)
            if (strcmp(name, files[f]) == 0)
                add_inputs(paths, value);
    }
}

// A set is one file, commas in its name or not, or a list.
static Status settle_set(RunConfig *config, const char *name, const Str *value) {
    return access(str_text(value), F_OK) == 0 ? settle_file(config, name, value)
                                              : settle_list(config, name, value);
}

static Status settle_files(RunConfig *config) {
    const char *cache = str_text(&config->forest_cache);
    if (cache[0] != '\0' && mkdir(cache, 0777) != 0 && errno != EEXIST)
        return error_set(ERR_IO, "forest-cache: %s: %s", cache, strerror(errno));
    Status status = settle_file(config, "forest-cache", &config->forest_cache);
    if (status == OK)
        status = settle_set(config, "data", &config->data);
    if (status == OK)
        status = settle_set(config, "test", &config->test);
    if (status == OK)
        status = settle_file(config, "start", &config->start);
    if (status == OK)
        status = settle_file(config, "openings", &config->openings);
    return status == OK ? settle_list(config, "start-from", &config->start_from) : status;
}

static bool is_list(const char *name) {
    return strcmp(name, "freeze") == 0 || strcmp(name, "only") == 0 ||
           strcmp(name, "bounds") == 0 || strcmp(name, "start-from") == 0 ||
           strcmp(name, "data") == 0 || strcmp(name, "test") == 0;
}

// Sets what was said as number `index`. A list that is there several times is one list, and nothing
// ('') empties it; of other settings the last word counts.
static Status apply_setting(const ArgStrings *settings, size_t index, RunConfig *config) {
    const char *name = settings->items[index];
    Str value = {0};
    for (size_t i = 0; i <= index; i += 2) {
        const char *text = settings->items[i + 1];
        if (strcmp(settings->items[i], name) != 0)
            continue;
        if (!is_list(name) || text[0] == '\0')
            str_clear(&value);
        str_addf(&value, "%s%s", value.length == 0 ? "" : ",", text);
    }
    const Status status = run_config_set(config, name, str_text(&value));
    str_free(&value);
    return status;
}

static Status apply_settings(const EvolveArgs *args, RunConfig *config) {
    Status status = OK;
    // The algorithm first: the other settings may be options of it.
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < args->settings.count && status == OK; i += 2) {
            const bool is_algorithm = strcmp(args->settings.items[i], "algorithm") == 0;
            if (is_algorithm == (pass == 0))
                status = apply_setting(&args->settings, i, config);
        }
    if (status == OK && args->tempo)
        status = run_config_set(config, "tempo", "yes");
    if (status == OK && args->quiet_only)
        status = run_config_set(config, "quiet-only", "yes");
    if (status == OK && args->resolve)
        status = run_config_set(config, "resolve", "yes");
    for (size_t i = 0; i < args->settings.count && status == OK; i += 2)
        status = run_config_check_use(config, args->settings.items[i]);
    if (status == OK && args->quiet_only)
        status = run_config_check_use(config, "quiet-only");
    if (status == OK && args->resolve)
        status = run_config_check_use(config, "resolve");
    return status == OK ? settle_files(config) : status;
}

static void default_directory(const char *preset, const RunConfig *config, Str *out) {
    const char *slash = strrchr(preset, '/'), *name = slash == NULL ? preset : slash + 1;
    const char *dot = strstr(name, ".ini");
    const int length = dot == NULL ? (int)strlen(name) : (int)(dot - name);
    str_addf(out, "%.*s-%lld", length, name, (long long)config->seed);
}

// What makes the run what it is: neither its directory nor the threads.
static Status set_command(const EvolveArgs *args, const char *preset, RunConfig *config) {
    Str text = {0};
    str_add(&text, args->spec->program);
    args_add_word(&text, preset);
    for (size_t i = 0; i < args->settings.count; i += 2) {
        str_addf(&text, " --%s", args->settings.items[i]);
        args_add_word(&text, args->settings.items[i + 1]);
    }
    str_addf(&text, "%s%s%s", args->tempo ? " --tempo" : "",
             args->quiet_only ? " --quiet-only" : "", args->resolve ? " --resolve" : "");
    const Status status = run_config_set(config, "command", str_text(&text));
    str_free(&text);
    return status;
}

static int threads_of(const EvolveArgs *args) {
    return args->threads > 0 ? args->threads : dist_cores();
}

// --- the run ---

static Status report_stop(const char *program, const char *directory) {
    Str word = {0};
    shell_quote(&word, directory);
    const Status status =
        error_set(ERR_ARG, "stopped; %s --resume %s goes on", program, str_text(&word));
    str_free(&word);
    return status;
}

// Writes the reports, and shows the summary.
static Status show_results(EvolveFindings *findings, bool no_optimum) {
    CLEANUP(report_destroy_at) Report *summary = NULL;
    CLEANUP(str_free) Str text = {0};
    TRY(evolve_findings_write(findings, no_optimum, &summary));
    report_write_text(summary, &text);
    print_text(stdout, str_text(&text));
    print_out("\nWritten to %s: report.html and report.txt with more, %s\n",
              findings->files->directory,
              findings->config->runs > 1
                  ? "runs.csv; log.jsonl, population.csv and best.weights of each run in run-01 "
                    "and so on, best.weights of the best of them"
              : family_is_foreign(problem_family(findings->problem))
                  ? "log.jsonl, population.csv, best.weights, values.txt"
                  : "log.jsonl, population.csv, best.weights");
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

// Only where organisms learn from positions is there something to tell.
static void tell(const char *text) {
    print_err("falconer evolve: %s\n", text);
}

static Status run_evolution(const EvolveArgs *args, RunConfig *config, const char *directory) {
    DistPool *pool = dist_pool_new(threads_of(args));
    dist_pool_set_ranks(pool, falconer_ranks(), args->threads);
    Problem *problem = NULL;
    const RunFiles files = {
        .directory = directory, .progress = stderr, .stop = &stop, .from_previous = args->previous};
    config->tell = tell;
    Status status = check_command(args, config);
    if (status == OK && args->resume == NULL)
        status = run_check_directory(directory, config);
    if (status == OK)
        status = problem_create(&problem, config, pool);
    if (status == OK && args->resume == NULL)
        status = run_check(problem, config);
    // From here on there is a directory, and whoever stops us must be able to go on from it.
    if (status == OK)
        catch_signals();
    if (status == OK && args->resume == NULL)
        status = run_begin(directory, config);
    if (status == OK)
        status = run_and_report(args, problem, config, &files);
    problem_destroy(problem);
    dist_pool_free(pool);
    return status;
}

static int list_settings(const RunConfig *config) {
    Str text = {0};
    run_config_describe(config, &text);
    print_text(stdout, str_text(&text));
    str_free(&text);
    return EXIT_DONE;
}

// Also where the command line does not name it.
static int check_directory(const EvolveArgs *args, const char *directory) {
    Outputs paths = {0};
    outputs_add(&paths, OUTPUT_FOLDER, "--output", directory);
    const int exit_code = args_check_outputs(args->spec->program, &paths);
    outputs_free(&paths);
    return exit_code;
}

static int evolve_preset(const EvolveArgs *args, const char *preset) {
    RunConfig config;
    Str directory = {0};
    int exit_code;
    run_config_init(&config);
    if (run_config_load(&config, preset) != OK)
        exit_code = complain(args);
    else if (apply_settings(args, &config) != OK || set_command(args, preset, &config) != OK)
        exit_code = args_complain(args->spec, "%s", error_message());
    else if (args->list_settings)
        exit_code = list_settings(&config);
    else {
        if (args->output == NULL)
            default_directory(preset, &config, &directory);
        else
            str_add(&directory, args->output);
        exit_code = check_directory(args, str_text(&directory));
        if (exit_code == ARGS_GO_ON)
            exit_code = run_evolution(args, &config, str_text(&directory)) == OK ? EXIT_DONE
                                                                                 : complain(args);
    }
    str_free(&directory);
    run_config_free(&config);
    return exit_code;
}

static int evolve_resume(const EvolveArgs *args) {
    RunConfig config;
    run_config_init(&config);
    const bool done =
        run_open(args->resume, &config) == OK && run_evolution(args, &config, args->resume) == OK;
    run_config_free(&config);
    return done ? EXIT_DONE : complain(args);
}

static bool has_settings(const EvolveArgs *args, const ArgStrings *presets) {
    return presets->count > 0 || args->settings.count > 0 || args->output != NULL || args->tempo ||
           args->quiet_only || args->resolve || args->list_settings;
}

int evolve_command(const ArgSpec *spec, bool by_games, int argc, char **argv) {
    EvolveArgs args = {.spec = spec, .by_games = by_games};
    ArgStrings presets = {0};
    int exit_code = args_parse(spec, argc, argv, &args, &presets);
    chess_init();
    if (exit_code != ARGS_GO_ON)
        ;
    else if (args.resume != NULL && has_settings(&args, &presets))
        exit_code = args_complain(spec, "--resume takes its settings from the run: name no others");
    else if (args.resume == NULL && presets.count != 1)
        exit_code = args_complain(spec, "one preset is needed");
    else if (args.resume == NULL && args.previous)
        exit_code = args_complain(spec, "--previous goes with --resume");
    else if (args.resume != NULL)
        exit_code = evolve_resume(&args);
    else
        exit_code = evolve_preset(&args, presets.items[0]);
    arg_strings_free(&presets);
    arg_strings_free(&args.settings);
    return exit_code;
}
