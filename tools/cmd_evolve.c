// SPDX-License-Identifier: GPL-3.0-or-later
// falconer evolve: weights from random bits, by mimicking a mentor.
#include "base/file.h"
#include "base/mem.h"
#include "study/evolve_report.h"
#include "study/locate.h"
#include "tools/args.h"
#include "tools/commands.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { LIMIT_POSITIONS_MAX = 100000 }; // beyond this the optimum takes minutes: falconer optimum

typedef struct EvolveArgs {
    ArgStrings settings; // name and value in turn
    const char *output, *resume;
    bool previous, tempo, quiet_only, resolve, list_settings, no_optimum;
    int threads;
} EvolveArgs;

#define FIELD(name) offsetof(EvolveArgs, name)
static const ArgOption options[] = {
    {"output", 'o', "DIR", ARG_STRING, FIELD(output), 0, 0,
     "the run's directory (default: PRESET-SEED)"},
    {"resume", 0, "DIR", ARG_STRING, FIELD(resume), 0, 0, "go on with a run that was stopped"},
    {"previous", 0, NULL, ARG_FLAG, FIELD(previous), 0, 0,
     "with --resume: where the last checkpoint is damaged, from the one before it"},
    {"tempo", 0, NULL, ARG_FLAG, FIELD(tempo), 0, 0, "evolve a constant for the side to move too"},
    {"quiet-only", 0, NULL, ARG_FLAG, FIELD(quiet_only), 0, 0,
     "leave out positions where a capture wins material for either side"},
    {"resolve", 0, NULL, ARG_FLAG, FIELD(resolve), 0, 0,
     "compare the mentor's scores with the organism's own values behind captures"},
    {"settings", 0, NULL, ARG_FLAG, FIELD(list_settings), 0, 0,
     "list every setting of the preset with its value, and end"},
    {"no-optimum", 0, NULL, ARG_FLAG, FIELD(no_optimum), 0, 0,
     "do not compute the least error that any weights can reach"},
    {"threads", 't', "N", ARG_INT, FIELD(threads), 1, 1024,
     "threads to use (default: one for each core)"},
};
static const ArgSpec spec = {
    .program = "falconer evolve",
    .positional = "PRESET",
    .summary =
        "Evolves weights as a preset of experiments/ says: from a mentor's scores (gecco2008,\n"
        "gpem2010, memetic, play), from the moves of grandmasters (gecco2009, asoc2013, moves), "
        "or\n"
        "as a file of your own has it. Any setting can be changed: --population 500, --seed 7,\n"
        "--runs 10, --data FILE, --test FILE, --start WEIGHTS, --freeze NAME=VALUE, --only NAMES,\n"
        "--bounds NAME:LOW:HIGH, --clamp CP; --settings lists them. See docs/evolve.md and\n"
        "docs/moves.md.",
    .example = "falconer evolve gecco2008 --generations 100 -o build/first-run",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .takes_others = true,
    .others_offset = FIELD(settings),
};

static atomic_bool stop;

static void on_signal(int number) {
    (void)number;
    atomic_store(&stop, true);
}

// The generation at hand is finished, then everything is saved; a second signal ends at once.
static void catch_signals(void) {
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND};
    struct sigaction before;
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    signal(SIGXFSZ, SIG_IGN); // a limit on sizes is an error like a full disk
    // Under nohup a run outlives its terminal.
    if (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
        sigaction(SIGHUP, &action, NULL);
}

static int complain(void) {
    fprintf(stderr, "falconer evolve: %s\n", error_message());
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

static Status settle_files(RunConfig *config) {
    const char *cache = str_text(&config->forest_cache);
    if (cache[0] != '\0' && mkdir(cache, 0777) != 0 && errno != EEXIST)
        return error_set(ERR_IO, "forest-cache: %s: %s", cache, strerror(errno));
    Status status = settle_file(config, "forest-cache", &config->forest_cache);
    if (status == OK)
        status = settle_file(config, "data", &config->data);
    if (status == OK)
        status = settle_file(config, "test", &config->test);
    return status != OK ? status : settle_file(config, "start", &config->start);
}

static bool is_list(const char *name) {
    return strcmp(name, "freeze") == 0 || strcmp(name, "only") == 0 || strcmp(name, "bounds") == 0;
}

// Sets what was said as number `index`. A list that is there several times is one list; of other
// settings the last word counts.
static Status apply_setting(const ArgStrings *settings, size_t index, RunConfig *config) {
    const char *name = settings->items[index];
    Str value = {0};
    for (size_t i = 0; i < index && is_list(name); i += 2)
        if (strcmp(settings->items[i], name) == 0)
            str_addf(&value, "%s,", settings->items[i + 1]);
    str_add(&value, settings->items[index + 1]);
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
    return status == OK ? settle_files(config) : status;
}

static void default_directory(const char *preset, const RunConfig *config, Str *out) {
    const char *slash = strrchr(preset, '/'), *name = slash == NULL ? preset : slash + 1;
    const char *dot = strstr(name, ".ini");
    const int length = dot == NULL ? (int)strlen(name) : (int)(dot - name);
    str_addf(out, "%.*s-%lld", length, name, (long long)config->seed);
}

static void add_word(Str *out, const char *word) {
    const bool is_plain = word[0] != '\0' && strpbrk(word, " '\"\\$&;|<>()*?") == NULL;
    str_addf(out, is_plain ? " %s" : " '%s'", word);
}

// What makes the run what it is: neither its directory nor the threads.
static Status set_command(const EvolveArgs *args, const char *preset, RunConfig *config) {
    Str text = {0};
    str_add(&text, "falconer evolve");
    add_word(&text, preset);
    for (size_t i = 0; i < args->settings.count; i += 2) {
        str_addf(&text, " --%s", args->settings.items[i]);
        add_word(&text, args->settings.items[i + 1]);
    }
    str_addf(&text, "%s%s%s", args->tempo ? " --tempo" : "",
             args->quiet_only ? " --quiet-only" : "", args->resolve ? " --resolve" : "");
    const Status status = run_config_set(config, "command", str_text(&text));
    str_free(&text);
    return status;
}

// --- the end ---

// Writes what `text` holds as a file of the directory, and empties it.
static Status write_text(const char *directory, const char *name, Str *text) {
    Str path = {0};
    str_addf(&path, "%s/%s", directory, name);
    const Status status = file_write(str_text(&path), text->text, text->length);
    str_free(&path);
    str_clear(text);
    return status;
}

static Status write_report(const EvolveFindings *findings, const Report *report) {
    const char *directory = findings->files->directory;
    Str text = {0};
    report_write_html(report, &text);
    Status status = write_text(directory, "report.html", &text);
    report_write_text(report, &text);
    if (status == OK)
        status = write_text(directory, "report.txt", &text);
    if (status == OK && findings->courses != NULL) {
        Table *runs = findings_runs(findings);
        str_clear(&text);
        table_write_csv(runs, &text);
        table_destroy(runs);
        status = write_text(directory, "runs.csv", &text);
    }
    str_free(&text);
    return status;
}

// Prints the summary and writes the whole report.
static Status show_findings(const EvolveFindings *findings) {
    const char *directory = findings->files->directory;
    Report *summary = NULL, *report = NULL;
    Str text = {0};
    Status status = findings_summary(findings, &summary);
    if (status == OK)
        status = findings_report(findings, &report);
    if (status == OK)
        status = write_report(findings, report);
    if (status == OK) {
        report_write_text(summary, &text);
        fputs(str_text(&text), stdout);
        printf("\nWritten to %s: report.html and report.txt with more, %s\n", directory,
               findings->courses == NULL
                   ? "log.jsonl, population.csv, best.weights"
                   : "runs.csv; log.jsonl, population.csv and best.weights of each run in run-01 "
                     "and so on");
    }
    str_free(&text);
    report_destroy(summary);
    report_destroy(report);
    return status;
}

// Fig. 3's values stand beside what was evolved, where the family is the same.
static bool load_paper(const Family *family, Weights *paper) {
    if (weights_load_default(paper) != OK)
        return false;
    if (paper->family == family)
        return true;
    weights_free(paper);
    return false;
}

static Status report_runs(EvolveFindings *findings, bool no_optimum) {
    Limit limit;
    Weights paper;
    const CountMatrix *matrix = problem_matrix(findings->problem, SET_TRAINING);
    const bool has_paper = load_paper(problem_family(findings->problem), &paper);
    const bool is_small = matrix != NULL && matrix->count <= LIMIT_POSITIONS_MAX;
    const bool has_limit = !no_optimum && is_small &&
                           limit_solve(matrix, problem_space(findings->problem), &limit) == OK;
    if (findings->config->fitness == FITNESS_MENTOR && findings->config->resolve && !no_optimum)
        snprintf(findings->no_limit, sizeof findings->no_limit,
                 "values behind captures are not linear in the weights");
    else if (!has_limit && !no_optimum && matrix != NULL)
        snprintf(findings->no_limit, sizeof findings->no_limit, "%s",
                 is_small ? error_message()
                          : "the set is so large that it takes minutes (falconer optimum)");
    findings->limit = has_limit ? &limit : NULL;
    findings->paper = has_paper ? &paper : NULL;
    findings->paper_name = "GECCO 2008";
    const Status status = show_findings(findings);
    if (has_limit)
        limit_free(&limit);
    if (has_paper)
        weights_free(&paper);
    return status;
}

// How each of several runs went.
static Status read_courses(const EvolveFindings *findings, RunCourse *courses) {
    Str directory = {0};
    Status status = OK;
    for (uint32_t i = 0; i < findings->config->runs && status == OK; i++) {
        run_directory(findings->files->directory, findings->config, i, &directory);
        status = run_course_read(&courses[i], str_text(&directory), findings->problem);
    }
    str_free(&directory);
    return status;
}

static Status report_finished(EvolveFindings *findings, bool no_optimum) {
    const size_t runs = (size_t)findings->config->runs;
    if (runs == 1)
        return report_runs(findings, no_optimum);
    RunCourse *courses = mem_alloc_zero(runs, sizeof *courses);
    findings->courses = courses;
    Status status = read_courses(findings, courses);
    if (status == OK)
        status = report_runs(findings, no_optimum);
    free(courses);
    return status;
}

static Status run_and_report(Problem *problem, const RunConfig *config, const RunFiles *files,
                             bool no_optimum) {
    RunOutcome *outcomes = mem_alloc_zero((size_t)config->runs, sizeof *outcomes);
    EvolveFindings findings = {
        .problem = problem, .config = config, .files = files, .outcomes = outcomes};
    Status status = run_all(problem, config, files, outcomes);
    bool is_finished = status == OK;
    for (int64_t i = 0; i < config->runs; i++)
        is_finished = is_finished && outcomes[i].is_finished;
    if (is_finished)
        status = report_finished(&findings, no_optimum);
    else if (status == OK)
        status =
            error_set(ERR_ARG, "stopped; falconer evolve --resume %s goes on", files->directory);
    for (int64_t i = 0; i < config->runs; i++)
        run_outcome_free(&outcomes[i]);
    free(outcomes);
    return status;
}

static void tell(const char *text) {
    fprintf(stderr, "falconer evolve: %s\n", text);
}

static Status run_evolution(const EvolveArgs *args, RunConfig *config, const char *directory) {
    DistPool *pool = dist_pool_new(args->threads > 0 ? args->threads : dist_cores());
    Problem *problem = NULL;
    const RunFiles files = {
        .directory = directory, .progress = stderr, .stop = &stop, .from_previous = args->previous};
    config->tell = tell;
    Status status = problem_create(&problem, config, pool);
    if (status == OK && args->resume == NULL)
        status = run_check(problem, config);
    if (status == OK && args->resume == NULL)
        status = run_begin(directory, config);
    if (status == OK) {
        catch_signals();
        status = run_and_report(problem, config, &files, args->no_optimum);
    }
    problem_destroy(problem);
    dist_pool_free(pool);
    return status;
}

static int list_settings(const RunConfig *config) {
    Str text = {0};
    run_config_describe(config, &text);
    fputs(str_text(&text), stdout);
    str_free(&text);
    return EXIT_DONE;
}

static int evolve_preset(const EvolveArgs *args, const char *preset) {
    RunConfig config;
    Str directory = {0};
    int exit_code;
    run_config_init(&config);
    if (run_config_load(&config, preset) != OK)
        exit_code = complain();
    else if (apply_settings(args, &config) != OK || set_command(args, preset, &config) != OK)
        exit_code = args_complain(&spec, "%s", error_message());
    else if (args->list_settings)
        exit_code = list_settings(&config);
    else {
        if (args->output == NULL)
            default_directory(preset, &config, &directory);
        else
            str_add(&directory, args->output);
        exit_code =
            run_evolution(args, &config, str_text(&directory)) == OK ? EXIT_DONE : complain();
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
    return done ? EXIT_DONE : complain();
}

static bool has_settings(const EvolveArgs *args, const ArgStrings *presets) {
    return presets->count > 0 || args->settings.count > 0 || args->output != NULL || args->tempo ||
           args->quiet_only || args->resolve || args->list_settings;
}

int cmd_evolve(int argc, char **argv) {
    EvolveArgs args = {0};
    ArgStrings presets = {0};
    int exit_code = args_parse(&spec, argc, argv, &args, &presets);
    chess_init();
    if (exit_code != ARGS_GO_ON)
        ;
    else if (args.resume != NULL && has_settings(&args, &presets))
        exit_code =
            args_complain(&spec, "--resume takes its settings from the run: name no others");
    else if (args.resume == NULL && presets.count != 1)
        exit_code = args_complain(&spec, "one preset is needed");
    else if (args.resume == NULL && args.previous)
        exit_code = args_complain(&spec, "--previous goes with --resume");
    else if (args.resume != NULL)
        exit_code = evolve_resume(&args);
    else
        exit_code = evolve_preset(&args, presets.items[0]);
    arg_strings_free(&presets);
    arg_strings_free(&args.settings);
    return exit_code;
}
