// SPDX-License-Identifier: GPL-3.0-or-later
// falconer label: has a mentor engine score the positions of a file.
#include "base/clock.h"
#include "base/progress.h"
#include "chess/position.h"
#include "data/label/label.h"
#include "data/label/label_answer.h"
#include "data/label/label_header.h"
#include "data/label/label_tempo.h"
#include "data/label/static_label.h"
#include "dist/pool.h"
#include "tools/args.h"
#include "tools/commands.h"
#include "tools/print.h"
#include "tools/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DEFAULT_STALL_S = 120 };

typedef struct LabelArgs {
    const char *mentor, *static_weights, *out, *cache;
    int concurrency, lines, stall_s, pairs;
    bool no_cache, verbose, no_progress;
} LabelArgs;

// What a run needs and leaves.
typedef struct Labelling {
    const LabelArgs *args;
    LabelSet set;
    Mentor mentor;
    LabelCache *cache;
    int cancel_fd;
    Progress progress;
    size_t known, missing, shown; // shown: known of the set that is asked just now
    LabelTally tally;
    double seconds;
} Labelling;

#define ARGS LabelArgs
static const ArgOption options[] = {
    ARG("mentor", 'm', "WORDS", ENGINE, mentor,
        "the engine and its limit: \"cmd=FILE depth=N|nodes=N|st=S option.NAME=VALUE\""),
    ARG("static", 0, "WEIGHTS", INPUT, static_weights,
        "instead of a mentor: label with the static evaluation of these weights"),
    ARG("output", 'o', "FILE", OUTPUT, out,
        "the labelled positions (compressed if the name ends in .zst)"),
    ARG_RANGE("concurrency", 'j', "N", INT, concurrency, 1, LABEL_CONCURRENCY_MAX,
              "engines to run at a time, on each rank under mpirun (default: one for each core)"),
    ARG_RANGE("multipv", 'k', "N", INT, lines, 1, LABEL_LINES_MAX,
              "lines to score; those after the best go to c2 ... (default: 1)"),
    ARG_RANGE("stall", 0, "S", INT, stall_s, 1, 1e6,
              "seconds, in addition to st=, after which an engine counts as hung (default: 120)"),
    ARG("cache", 0, "FILE", APPENDED, cache,
        "cache of labels (default: falconer/labels.sqlite in $XDG_CACHE_HOME, or in ~/.cache)"),
    ARG_RANGE(
        "tempo-pairs", 0, "N", INT, pairs, 0, 1e6,
        "quiet positions to score with the other side to move too, to see whether scores "
        "favour the side to move; fewer than 50 tell nothing (default: a tenth of all, at most "
        "400; 0: none)"),
    ARG_SWITCH("no-cache", 0, no_cache, "use no cache"),
    ARG_SWITCH("verbose", 'v', verbose, "print the engine's settings"),
    ARG_NO_PROGRESS,
};

// Where programs keep caches; false where the environment does not tell.
static bool add_cache_home(Str *path) {
    const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (base != NULL && base[0] == '/')
        str_add(path, base);
    else if (home != NULL && home[0] == '/')
        str_addf(path, "%s/.cache", home);
    return path->length > 0;
}

// The cache that is used where none is named.
static void add_paths(const void *values, Outputs *paths) {
    const LabelArgs *args = values;
    CLEANUP(str_free) Str path = {0};
    if (args->mentor != NULL && !args->no_cache && args->cache == NULL && add_cache_home(&path)) {
        str_add(&path, "/falconer/labels.sqlite");
        outputs_add(paths, OUTPUT_MEMBER, "the cache", str_text(&path));
    }
}

static const ArgSpec spec = {
    .program = "falconer label",
    .positional = "FILE.epd",
    .least = 1,
    .most = 1,
    .summary = "Lets a UCI engine score each position: ce (centipawns, for the side to move), acd\n"
               "(depth), pm (its move), dm (moves to mate), c1 (the engine). One thread, the "
               "smallest hash\n"
               "and a new game for each position, so that labels do not depend on their order.",
    .example =
        "falconer label openings.epd --mentor \"cmd=/usr/games/toga2 depth=2\" -o labelled.epd",
    ARG_TABLE(options),
    .add_paths = add_paths,
};

// The default file, in a folder that is made if need be.
static Status find_cache(Str *path) {
    if (!add_cache_home(path))
        return error_set(ERR_ARG, "neither XDG_CACHE_HOME nor HOME is set: give --cache FILE or "
                                  "--no-cache");
    (void)mkdir(path->text, 0700);
    str_add(path, "/falconer");
    if (mkdir(path->text, 0777) != 0 && errno != EEXIST)
        return error_set(ERR_IO, "%s: cannot be made: %s: give --cache FILE or --no-cache",
                         path->text, strerror(errno));
    str_add(path, "/labels.sqlite");
    return OK;
}

// It grows from run to run, in a place that nobody sees.
static void tell_cache(const char *path) {
    struct stat about;
    if (stat(path, &about) == 0)
        print_err("cache: %s (%.1f MB)\n", path, (double)about.st_size / 1e6);
}

static Status open_cache(Labelling *work) {
    CLEANUP(str_free) Str path = {0};
    if (work->args->no_cache)
        return OK;
    if (work->args->cache != NULL)
        str_add(&path, work->args->cache);
    else
        TRY(find_cache(&path));
    TRY(label_cache_open(&work->cache, path.text, str_text(&work->mentor.key)));
    tell_cache(path.text);
    return OK;
}

static void on_progress(void *context, size_t asked) {
    Labelling *work = context;
    progress_show(&work->progress, work->shown + asked, NULL);
}

static void on_unsaved(void *context, const char *reason) {
    Labelling *work = context;
    progress_end(&work->progress);
    print_err("falconer label: warning: %s; labelling goes on, and what the cache does not take "
              "will be in %s alone\n",
              reason, work->args->out);
}

static Status ask(Labelling *work, LabelSet *set, const char *what, size_t known, size_t missing,
                  LabelTally *tally) {
    const int concurrency = work->args->concurrency;
    LabelConfig config = {.mentor = &work->mentor,
                          .cache = work->cache,
                          .ranks = falconer_ranks(),
                          .concurrency = concurrency > 0 ? concurrency : dist_cores(),
                          .rank_concurrency = concurrency,
                          .cap_ms = (int64_t)work->args->stall_s * 1000,
                          .cancel_fd = work->cancel_fd,
                          .on_progress = on_progress,
                          .on_unsaved = on_unsaved,
                          .context = work};
    work->shown = known;
    progress_start(&work->progress, work->args->no_progress ? NULL : stderr, what, known + missing,
                   known);
    Status status = label_run(set, &config, tally);
    progress_end(&work->progress);
    return status;
}

static Status ask_missing(Labelling *work) {
    int64_t start = clock_now_ns();
    Status status = ask(work, &work->set, "positions", work->known, work->missing, &work->tally);
    work->seconds = clock_seconds_since(start);
    return status;
}

// --- whether scores favour the side to move ---

static size_t pairs_wanted(const Labelling *work) {
    const size_t share = work->set.position_count / LABEL_PAIRS_SHARE;
    if (work->args->pairs >= 0)
        return (size_t)work->args->pairs;
    return share < LABEL_PAIRS_MOST ? share : LABEL_PAIRS_MOST;
}

static Status ask_turned(Labelling *work, LabelPairs *pairs) {
    size_t known, missing;
    LabelTally tally = {0};
    TRY(label_look_up(&pairs->turned, work->cache, &known, &missing));
    TRY(ask(work, &pairs->turned, "positions with the other side to move", known, missing, &tally));
    return tally.is_cancelled ? error_set(ERR_ENGINE, "stopped") : OK;
}

static void tell_tempo(Labelling *work, const LabelTempo *tempo) {
    CLEANUP(str_free) Str text = {0};
    label_tempo_describe(tempo, &text);
    label_header_add(&work->mentor.header, "%s", str_text(&text));
    if (work->args->verbose)
        print_err("%s\n", str_text(&text));
    if (label_tempo_is_biased(tempo))
        print_err(
            "falconer label: warning: these scores favour the side to move by an amount that "
            "varies by %.1f centipawns (%.1f to %.1f) from one quiet position to the next: no "
            "static evaluation can come closer to them than that (see docs/mentors.md)\n",
            tempo->spread.value, tempo->spread.low, tempo->spread.high);
}

// Labels are whole without it: where it fails, that is told and no more.
static void measure_tempo(Labelling *work) {
    const size_t wanted = pairs_wanted(work);
    if (wanted < LABEL_PAIRS_LEAST) {
        if (work->args->pairs > 0)
            print_err("falconer label: %zu pairs are too few to tell whether scores favour the "
                      "side to move; %d are needed\n",
                      wanted, LABEL_PAIRS_LEAST);
        return;
    }
    CLEANUP(label_pairs_free) LabelPairs pairs = {0};
    label_pairs_pick(&pairs, &work->set, wanted);
    if (ask_turned(work, &pairs) != OK) {
        print_err("falconer label: could not measure whether scores favour the side to move: %s\n",
                  error_message());
        return;
    }
    const LabelTempo tempo = label_tempo_measure(&work->set, &pairs);
    if (tempo.pairs > 0)
        tell_tempo(work, &tempo);
}

// --- writing ---

static Status write_labels(const Labelling *work, LabelCounts *counts) {
    const LabelSource source = {str_text(&work->mentor.label), str_text(&work->mentor.header),
                                work->args->lines};
    return label_set_write(&work->set, work->args->out, &source, counts);
}

// How a run that was broken off goes on. What the cache did not take must not be lost.
static int report_unfinished(const Labelling *work, Status status) {
    const bool is_lost = work->tally.unsaved > 0;
    LabelCounts counts;
    if (status != OK)
        args_fail(&spec);
    print_err("falconer label: stopped with %zu of %zu positions labelled%s\n",
              work->known + work->tally.asked, work->known + work->missing,
              is_lost ? "" : "; nothing written");
    if (is_lost && write_labels(work, &counts) != OK)
        args_fail(&spec);
    else if (is_lost)
        print_err("%zu of them are not in the cache: wrote %s with all of them, and %" PRIu64
                  " lines without a label\n",
                  work->tally.unsaved, work->args->out, counts.failed);
    else if (work->cache != NULL)
        print_err("They are in the cache: the same command again asks only for the rest\n");
    return EXIT_FAILED;
}

static void list_failures(const LabelSet *set) {
    for (size_t i = 0; i < set->record_count; i++) {
        const LabelRecord *record = &set->records[i];
        const char *failure =
            record->position == LABEL_NO_POSITION ? NULL : set->positions[record->position].failure;
        if (failure != NULL)
            print_err("%s:%" PRIu64 ": not labelled: asked twice: %s\n", set->path, record->line,
                      failure);
    }
}

static int report(const Labelling *work, const LabelCounts *counts) {
    const LabelTally *tally = &work->tally;
    list_failures(&work->set);
    print_err("%zu position%s asked in %.1f s", tally->asked + tally->failed,
              str_plural(tally->asked + tally->failed), work->seconds);
    if (tally->asked > 0 && work->seconds > 0)
        print_err(" (%.0f a second)", (double)tally->asked / work->seconds);
    print_err(", %zu known from the cache\n", work->known);
    if (tally->restarts > 0)
        print_err("the engine failed and was started again %zu time%s\n", tally->restarts,
                  str_plural(tally->restarts));
    if (counts->over > 0)
        print_err("%" PRIu64 " line%s without a legal move: not labelled\n", counts->over,
                  str_plural(counts->over));
    print_err("wrote %s: %" PRIu64 " line%s labelled, %" PRIu64 " of them mates\n", work->args->out,
              counts->labelled, str_plural(counts->labelled), counts->mates);
    if (tally->unsaved > 0)
        print_err("falconer label: %zu labels could not be written to the cache: they are in %s "
                  "alone\n",
                  tally->unsaved, work->args->out);
    if (counts->failed == 0)
        return EXIT_DONE;
    print_err("falconer label: %" PRIu64
              " lines were written without a label (see above); the same "
              "command again asks for them once more\n",
              counts->failed);
    return EXIT_FAILED;
}

static int label_loaded(Labelling *work) {
    if (open_cache(work) != OK ||
        label_look_up(&work->set, work->cache, &work->known, &work->missing) != OK)
        return args_fail(&spec);
    const Status status = ask_missing(work);
    if (status != OK || work->tally.is_cancelled)
        return report_unfinished(work, status);
    measure_tempo(work);
    LabelCounts counts;
    return write_labels(work, &counts) == OK ? report(work, &counts) : args_fail(&spec);
}

static Status load(Labelling *work, EngineSpec *engine, const char *path) {
    TRY(signals_open(&work->cancel_fd));
    TRY(label_set_load(&work->set, path));
    TRY(mentor_prepare(&work->mentor, engine, work->args->lines, work->cancel_fd));
    if (work->args->verbose)
        print_err("mentor: %s\nset: %s\n", str_text(&work->mentor.label),
                  str_text(&work->mentor.settings));
    return OK;
}

static int label_file(const LabelArgs *args, EngineSpec *engine, const char *path) {
    Labelling work = {.args = args};
    int exit_code = load(&work, engine, path) == OK ? label_loaded(&work) : args_fail(&spec);
    label_cache_close(work.cache);
    mentor_free(&work.mentor);
    label_set_free(&work.set);
    return exit_code;
}

static Status label_static(const LabelArgs *args, const char *path) {
    CLEANUP(weights_free) Weights weights = {0};
    uint64_t labelled = 0;
    const char *slash = strrchr(args->static_weights, '/');
    const char *name = slash == NULL ? args->static_weights : slash + 1;
    TRY(weights_load(&weights, args->static_weights));
    TRY(static_label_file(path, &weights, name, args->out, &labelled));
    print_err("wrote %s: %" PRIu64 " line%s labelled\n", args->out, labelled, str_plural(labelled));
    return OK;
}

int cmd_label(int argc, char **argv) {
    LabelArgs args = {.lines = 1, .stall_s = DEFAULT_STALL_S, .pairs = -1};
    CLEANUP(arg_strings_free) ArgStrings files = {0};
    TRY_ARGS(args_parse(&spec, argc, argv, &args, &files));
    chess_init();
    if ((args.mentor == NULL) == (args.static_weights == NULL))
        return args_complain(&spec, "either --mentor or --static is needed");
    if (args.out == NULL || args.out[0] == '\0')
        return args_complain(&spec, "--output is needed");
    if (args.no_cache && args.cache != NULL)
        return args_complain(&spec, "--cache and --no-cache exclude each other");
    if (args.static_weights != NULL)
        return args_exit(&spec, label_static(&args, files.items[0]));
    CLEANUP(engine_spec_deinit) EngineSpec engine = engine_spec_init();
    if (engine_spec_parse(&engine, args.mentor) != OK || engine_spec_finish(&engine) != OK)
        return args_complain(&spec, "--mentor: %s", error_message());
    return label_file(&args, &engine, files.items[0]);
}
