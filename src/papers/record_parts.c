// SPDX-License-Identifier: GPL-3.0-or-later
#include "papers/record_parts.h"

#include "base/file.h"
#include "base/hash.h"
#include "base/locate.h"
#include "base/shell.h"
#include "papers/evidence.h"
#include "run/files/run_rank.h"

#include <string.h>
#include <sys/stat.h>

enum { SETTINGS_MAX = 1 << 20, RUNS_MOST = 1000 };

// --- words of a command ---

// What follows these is written, not read.
static bool is_before_output(const char *word) {
    static const char *const options[] = {"-o", "--output", "-resume", "--resume"};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (strcmp(word, options[i]) == 0)
            return true;
    return false;
}

// Some commands have --jsonl FILE, others --jsonl alone.
static bool is_result(const char *word) {
    const size_t length = strlen(word);
    return length > 6 && strcmp(word + length - 6, ".jsonl") == 0;
}

typedef struct WordVisit {
    // Gets a word, or the value of "key=value"; `is_output`: it names what is written.
    void (*take)(void *context, const char *word, bool is_output);
    void *context;
} WordVisit;

// Words inside of words too: those of an engine, items of a list.
static void each_word(const char *command, const WordVisit *visit) {
    CLEANUP(str_free) Str word = {0};
    bool is_output = false;
    while (shell_next_word(&command, &word)) {
        const char *const text = str_text(&word), *const equals = strchr(text, '=');
        if (strchr(text, ' ') != NULL)
            each_word(text, visit);
        visit->take(visit->context, equals == NULL ? text : equals + 1,
                    (is_output || is_result(text)) && text[0] == '.');
        is_output = is_before_output(text);
    }
}

// --- inputs ---

static bool is_file(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

static bool find_input(const Plan *plan, const char *name, Str *out) {
    static const char *const folders[] = {"data", "weights", "experiments"};
    str_clear(out);
    if (strncmp(name, "./", 2) == 0) {
        str_addf(out, "%s/%s", plan->folder, name + 2);
        return is_file(str_text(out));
    }
    for (size_t i = 0; i < sizeof folders / sizeof *folders && strchr(name, '/') == NULL; i++) {
        str_clear(out);
        if (name[0] != '\0' && locate_shipped(folders[i], name, out) == OK &&
            is_file(str_text(out)))
            return true;
    }
    return false;
}

// Appends the step whose match a file of games belongs to; false for other files.
static bool find_match(const char *name, const char *file, Str *out) {
    const char *const slash = strrchr(name, '/');
    if (strncmp(name, "./", 2) != 0 || slash < name + 2 ||
        strncmp(slash + 1, file, strlen(file)) != 0)
        return false;
    str_append(out, name + 2, (size_t)(slash - name) - 2);
    return true;
}

bool record_input_digest(const Plan *plan, const char *name, uint64_t *out) {
    CLEANUP(str_free) Str path = {0};
    CLEANUP(str_free) Str step = {0};
    CLEANUP(str_free) Str sums = {0};
    if (!find_match(name, "meetings.jsonl", &step))
        return find_input(plan, name, &path) && record_digest(str_text(&path), out) == OK;
    const Status status = evidence_write_meetings(plan, str_text(&step), &sums);
    *out = hash_bytes(HASH_START, str_text(&sums), sums.length);
    return status == OK;
}

typedef struct Inputs {
    const Plan *plan;
    Record *record;
} Inputs;

static bool add_named_input(const Inputs *inputs, const char *name) {
    uint64_t digest;
    const bool is_there = record_input_digest(inputs->plan, name, &digest);
    if (is_there)
        record_add_input(inputs->record, name, digest);
    return is_there;
}

static void add_input(const Inputs *inputs, const char *name) {
    CLEANUP(str_free) Str step = {0};
    CLEANUP(str_free) Str other = {0};
    if (find_match(name, "games.", &step)) {
        str_addf(&other, "./%s/meetings.jsonl", str_text(&step));
        add_named_input(inputs, str_text(&other));
    } else if (!add_named_input(inputs, name) && strpbrk(name, "./") == NULL) {
        str_addf(&other, "%s.ini", name); // a preset
        add_named_input(inputs, str_text(&other));
    }
}

// A folder of runs: what is read of it are organisms.
static void add_run_folder(const Inputs *inputs, const char *name) {
    static const char *const read[] = {"best.weights", "population.csv"};
    for (size_t run = 0; run <= RUNS_MOST; run++) {
        CLEANUP(str_free) Str folder = {0};
        const size_t before = inputs->record->input_count;
        if (run == 0)
            str_add(&folder, name);
        else
            run_path(name, true, run - 1, &folder);
        for (size_t i = 0; i < sizeof read / sizeof *read; i++) {
            CLEANUP(str_free) Str file = {0};
            str_addf(&file, "%s/%s", str_text(&folder), read[i]);
            add_input(inputs, str_text(&file));
        }
        if (run > 0 && inputs->record->input_count == before)
            return;
    }
}

static void take_input(void *context, const char *word, bool is_output) {
    const Inputs *inputs = context;
    if (is_output)
        return;
    for (const char *at = word; *at != '\0';) {
        CLEANUP(str_free) Str item = {0};
        const size_t length = strcspn(at, ",");
        str_append(&item, at, length);
        add_input(inputs, str_text(&item));
        if (strncmp(str_text(&item), "./", 2) == 0)
            add_run_folder(inputs, str_text(&item));
        at += length + (at[length] == ',');
    }
}

// Settings that a preset has and the command does not.
static void add_settings(const Inputs *inputs, const char *folder) {
    static const char *const keys[] = {
        "data = ", "test = ", "start = ", "openings = ", "verdict-openings = "};
    CLEANUP(str_free) Str path = {0};
    CLEANUP(str_free) Str text = {0};
    evidence_path(inputs->plan, &path, "%s/config.ini", folder);
    if (file_read(str_text(&path), SETTINGS_MAX, &text) != OK)
        return;
    for (const char *at = str_text(&text); *at != '\0';) {
        const size_t length = strcspn(at, "\n");
        for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
            CLEANUP(str_free) Str value = {0};
            const size_t key = strlen(keys[i]);
            if (length <= key || strncmp(at, keys[i], key) != 0)
                continue;
            // "../" is the plan's folder, in which the run's is.
            const bool is_beside = strncmp(at + key, "../", 3) == 0;
            str_append(&value, at + key + is_beside, length - key - is_beside);
            take_input((void *)inputs, str_text(&value), false);
        }
        at += length + (at[length] == '\n');
    }
}

void record_add_inputs(const Plan *plan, const Step *step, Record *out) {
    const Inputs inputs = {plan, out};
    each_word(plan_origin(step), &(WordVisit){take_input, (void *)&inputs});
    if (step->output != NULL)
        add_settings(&inputs, step->output);
}

// --- files ---

static Status add_file(const Plan *plan, const char *name, Record *out) {
    CLEANUP(str_free) Str path = {0};
    CLEANUP(str_free) Str content = {0};
    for (size_t i = 0; i < out->file_count; i++)
        if (strcmp(out->files[i].name, name) == 0)
            return OK;
    evidence_path(plan, &path, "%s", name);
    if (!is_file(str_text(&path)))
        return OK;
    TRY(file_read_raw(str_text(&path), &content));
    record_add_file(out, name, &content);
    return OK;
}

static Status add_meetings(const Plan *plan, const Step *step, Record *out) {
    CLEANUP(str_free) Str text = {0};
    CLEANUP(str_free) Str name = {0};
    TRY(evidence_write_meetings(plan, step->name, &text));
    str_addf(&name, "%s/meetings.jsonl", step->name);
    record_add_file(out, str_text(&name), &text);
    return OK;
}

static Status add_solved(const Plan *plan, const Step *step, Record *out) {
    CLEANUP(str_free) Str text = {0};
    CLEANUP(str_free) Str name = {0};
    TRY(evidence_write_solved(plan, step->name, &text));
    str_addf(&name, "%s.solved.jsonl", step->name);
    record_add_file(out, str_text(&name), &text);
    return OK;
}

// Whether others name a folder of runs itself, not only files in it.
typedef struct Search {
    const char *folder;
    size_t length;
    bool is_found;
} Search;

static void look_for_folder(void *context, const char *word, bool is_output) {
    Search *search = context;
    for (const char *at = word; (at = strstr(at, search->folder)) != NULL; at += search->length) {
        const char *const end = at + search->length;
        const bool is_run = strncmp(end, "/run-", 5) == 0 && strchr(end + 5, '/') == NULL;
        search->is_found =
            search->is_found || (!is_output && (*end == '\0' || *end == ',' || is_run));
    }
}

static bool is_folder_read(const Plan *plan, const Step *step) {
    CLEANUP(str_free) Str folder = {0};
    str_addf(&folder, "./%s", step->output);
    Search search = {str_text(&folder), folder.length, false};
    for (size_t i = 0; i < plan->count; i++)
        if (!plan_is_same_run(&plan->steps[i], step))
            each_word(plan->steps[i].command, &(WordVisit){look_for_folder, &search});
    return search.is_found;
}

// Files of one folder of runs; how many there were.
static Status add_names(const Plan *plan, const char *folder, const char *const *names,
                        size_t count, Record *out) {
    for (size_t i = 0; i < count; i++) {
        CLEANUP(str_free) Str name = {0};
        str_addf(&name, "%s/%s", folder, names[i]);
        TRY(add_file(plan, str_text(&name), out));
    }
    return OK;
}

// The first names are what pages read, then what a start from there reads, then what goes on.
static Status add_runs(const Plan *plan, const Step *step, Record *out) {
    static const char *const names[] = {
        "runs.csv",    "results.jsonl", "verdict.csv",  "best.weights", "undeveloped.weights",
        "timings.csv", "playoff.csv",   "strength.csv", "log.jsonl",    "population.csv",
        "config.ini",  "checkpoint",    "values.txt",   "genes.csv"};
    const bool is_stage = strcmp(step->name, step->output) != 0;
    const size_t count = is_stage                     ? sizeof names / sizeof *names
                         : is_folder_read(plan, step) ? 11
                                                      : 9;
    TRY(add_names(plan, step->output, names, count, out));
    for (size_t run = 0; run < RUNS_MOST; run++) {
        CLEANUP(str_free) Str folder = {0};
        const size_t before = out->file_count;
        run_path(step->output, true, run, &folder);
        TRY(add_names(plan, str_text(&folder), names, count, out));
        if (out->file_count == before)
            break;
    }
    return OK;
}

typedef struct OutputFiles {
    const Plan *plan;
    Record *record;
    Status status;
} OutputFiles;

static void take_output(void *context, const char *word, bool is_output) {
    OutputFiles *files = context;
    if (is_output && files->status == OK && strncmp(word, "./", 2) == 0)
        files->status = add_file(files->plan, word + 2, files->record);
}

Status record_add_files(const Plan *plan, const Step *step, Record *out) {
    OutputFiles files = {plan, out, OK};
    if (step->rounds > 0)
        return add_meetings(plan, step, out);
    if (step->is_spread)
        return add_solved(plan, step, out);
    if (step->output != NULL)
        return add_runs(plan, step, out);
    each_word(step->command, &(WordVisit){take_output, &files});
    return files.status;
}
