// SPDX-License-Identifier: GPL-3.0-or-later
#include "papers/record_step.h"

#include "base/file.h"
#include "base/folder.h"
#include "base/locate.h"
#include "papers/record_parts.h"

#include <string.h>
#include <unistd.h>

static const char ending[] = ".record.zst";

// --- where they lie ---

// The last part of the plan's folder: PAPER-SCALE.
static const char *name_of(const Plan *plan) {
    const char *const slash = strrchr(plan->folder, '/');
    return slash == NULL ? plan->folder : slash + 1;
}

static void path_to_write(const Plan *plan, const char *step, Str *out) {
    str_addf(out, "%s/%s/%s%s", plan->records, name_of(plan), step, ending);
}

// Where a step's record is read; false where there is none.
static bool find_record(const Plan *plan, const char *step, Str *out) {
    CLEANUP(str_free) Str folder = {0};
    CLEANUP(str_free) Str file = {0};
    if (plan->records != NULL) {
        path_to_write(plan, step, out);
        return access(str_text(out), F_OK) == 0;
    }
    str_addf(&folder, "experiments/records/%s", name_of(plan));
    str_addf(&file, "%s%s", step, ending);
    return locate_shipped(str_text(&folder), str_text(&file), out) == OK;
}

// --- does it stand for the step ---

// A match of more rounds will do.
static bool is_same_command(const Step *step, const Record *record) {
    const char *const recorded = str_text(&record->command);
    if (step->rounds == 0 || record->rounds < step->rounds)
        return strcmp(recorded, plan_origin(step)) == 0;
    CLEANUP(str_free) Str command = {0};
    str_append(&command, step->command, step->settled);
    str_addf(&command, "%d", (int)record->rounds);
    return strcmp(recorded, str_text(&command)) == 0;
}

// Whether all that was read is as it was; what is not there yet may be, where that is allowed.
static bool has_same_inputs(const Plan *plan, const Record *record, bool may_miss, Str *reason) {
    for (size_t i = 0; i < record->input_count; i++) {
        const RecordInput *input = &record->inputs[i];
        uint64_t digest;
        const bool is_there = record_input_digest(plan, input->name, &digest);
        if (is_there ? digest == input->digest : may_miss)
            continue;
        str_addf(reason, "it was made with another %s", input->name);
        return false;
    }
    return true;
}

// Reads the record of a step where there is one that can stand for it.
static Status read_fitting(const Plan *plan, const Step *step, bool may_miss, Record *out,
                           bool *fits, Str *reason) {
    CLEANUP(str_free) Str path = {0};
    *fits = false;
    if (plan->is_fresh || !find_record(plan, step->name, &path))
        return OK;
    TRY(record_read(out, str_text(&path)));
    if (out->seed != plan->seed || strcmp(str_text(&out->scale), scale_name(plan->scale)) != 0 ||
        strcmp(str_text(&out->step), step->name) != 0)
        str_add(reason, "it is of another seed, scale or step");
    else if (!is_same_command(step, out))
        str_add(reason, "it was made by another command");
    else
        *fits = has_same_inputs(plan, out, may_miss, reason);
    return OK;
}

// --- reading ---

Status record_look(Plan *plan) {
    for (size_t i = 0; i < plan->count; i++) {
        CLEANUP(record_free) Record record = {0};
        CLEANUP(str_free) Str reason = {0};
        bool fits;
        if (plan->steps[i].seconds >= 0)
            continue;
        TRY(read_fitting(plan, &plan->steps[i], true, &record, &fits, &reason));
        for (size_t j = 0; fits && j <= i; j++)
            if (j == i ||
                (plan->steps[j].seconds < 0 && plan_is_same_run(&plan->steps[j], &plan->steps[i])))
                str_setf(&plan->steps[j].recorded, "%s", str_text(&record.commit));
    }
    return OK;
}

static Status write_files(const Plan *plan, const Record *record) {
    for (size_t i = 0; i < record->file_count; i++) {
        const RecordFile *file = &record->files[i];
        CLEANUP(str_free) Str path = {0};
        CLEANUP(str_free) Str folder = {0};
        str_addf(&path, "%s/%s", plan->folder, file->name);
        str_append(&folder, path.text, (size_t)(strrchr(path.text, '/') - path.text));
        TRY(folder_create(str_text(&folder)));
        TRY(file_write(str_text(&path), str_text(&file->content), file->content.length));
    }
    return OK;
}

// Stands for the steps of the same run up to this one, too; they took their time before it.
static Status take(Plan *plan, Step *last, const Record *record) {
    TRY(write_files(plan, record));
    for (Step *step = plan->steps; step <= last; step++)
        if (step->seconds < 0 && (step == last || plan_is_same_run(step, last))) {
            step->seconds = step == last ? record->seconds : 0;
            str_setf(&step->recorded, "%s", str_text(&record->commit));
            str_setf(&step->engines, "%s", str_text(&record->engines));
        }
    plan_set_rounds(last, (int)record->rounds);
    return plan_save(plan);
}

Status record_restore(Plan *plan, Step *step, bool *is_restored, Str *reason) {
    *is_restored = false;
    for (Step *last = plan->steps + plan->count - 1; last >= step && !*is_restored; last--) {
        CLEANUP(record_free) Record record = {0};
        CLEANUP(str_free) Str why_not = {0};
        bool fits;
        if (last != step && !plan_is_same_run(step, last))
            continue;
        TRY(read_fitting(plan, last, false, &record, &fits, &why_not));
        if (reason->length == 0)
            str_add(reason, str_text(&why_not));
        if (fits)
            TRY(take(plan, last, &record));
        *is_restored = fits;
    }
    return OK;
}

// --- writing ---

enum { WORTH_SECONDS = 60, LARGEST_BYTES = 4 << 20 };

// Of stages, all that a step stands for.
static double seconds_of(const Plan *plan, const Step *step) {
    double seconds = 0;
    for (const Step *at = plan->steps; at <= step; at++)
        seconds += at == step || plan_is_same_run(at, step) ? at->seconds : 0;
    return seconds;
}

// The rest is done again sooner than it is kept: its results are the same bytes.
static bool is_worth_it(const Plan *plan, const Step *step) {
    return step->is_spread || strstr(step->command, "/games.") != NULL ||
           seconds_of(plan, step) >= WORTH_SECONDS;
}

static size_t length_of(const Record *record) {
    size_t length = 0;
    for (size_t i = 0; i < record->file_count; i++)
        length += record->files[i].content.length;
    return length;
}

// `name` begins with a slash: a file of a run.
static bool leave_out(Record *record, const char *name) {
    const size_t before = record->file_count;
    for (size_t i = record->file_count; i-- > 0;)
        if (str_ends_with(record->files[i].name, name))
            record_remove_file(record, i);
    return record->file_count < before;
}

// Version control keeps what it is given for ever: of what is larger than this, files are left out
// that others can do without. A stage goes on from its log, and its genes begin anew.
static bool make_small(const Step *step, Record *record, Str *note) {
    const size_t length = length_of(record);
    const bool is_stage = step->output != NULL && strcmp(step->name, step->output) != 0;
    const char *const without = is_stage ? "/genes.csv" : "/log.jsonl";
    if (length <= LARGEST_BYTES)
        return true;
    const bool is_less = leave_out(record, without);
    if (is_less && length_of(record) <= LARGEST_BYTES) {
        str_addf(note, "recorded without %s, which is too large", without + 1);
        return true;
    }
    str_addf(note, "not recorded: %.1f MB are too many", (double)length / (1 << 20));
    return false;
}

static void remove_earlier_stages(const Plan *plan, const Step *last) {
    for (const Step *step = plan->steps; step < last; step++)
        if (plan_is_same_run(step, last)) {
            CLEANUP(str_free) Str path = {0};
            path_to_write(plan, step->name, &path);
            unlink(str_text(&path));
        }
}

Status record_keep(const Plan *plan, const Step *step, Str *note) {
    CLEANUP(record_free)
    Record record = {.seed = plan->seed, .rounds = step->rounds, .seconds = seconds_of(plan, step)};
    CLEANUP(str_free) Str path = {0};
    CLEANUP(str_free) Str folder = {0};
    if (plan->records == NULL || !is_worth_it(plan, step))
        return OK;
    str_add(&record.step, step->name);
    str_add(&record.command, plan_origin(step));
    str_add(&record.scale, scale_name(plan->scale));
    str_add(&record.version, FALCONER_VERSION);
    str_add(&record.commit, plan->commit);
    str_add(&record.engines, str_text(&step->engines));
    record_add_inputs(plan, step, &record);
    TRY(record_add_files(plan, step, &record));
    if (!make_small(step, &record, note))
        return OK;
    str_addf(&folder, "%s/%s", plan->records, name_of(plan));
    TRY(folder_create(str_text(&folder)));
    path_to_write(plan, step->name, &path);
    TRY(record_write(&record, str_text(&path)));
    remove_earlier_stages(plan, step);
    return OK;
}

// Whether a later stage is done, whose record stands for this one too.
static bool is_superseded(const Plan *plan, const Step *step) {
    for (const Step *later = step + 1; later < plan->steps + plan->count; later++)
        if (later->seconds >= 0 && plan_is_same_run(step, later))
            return true;
    return false;
}

Status record_keep_missing(const Plan *plan, const Step *step, Str *note) {
    CLEANUP(str_free) Str path = {0};
    if (plan->records == NULL || step->recorded.length > 0 || is_superseded(plan, step))
        return OK;
    path_to_write(plan, step->name, &path);
    return access(str_text(&path), F_OK) == 0 ? OK : record_keep(plan, step, note);
}

Step *record_find_unplayed(Plan *plan, const Step *step) {
    for (Step *match = plan->steps; match < step; match++) {
        CLEANUP(str_free) Str games = {0};
        str_addf(&games, "./%s/games.", match->name);
        if (match->rounds > 0 && match->recorded.length > 0 &&
            strstr(step->command, str_text(&games)) != NULL)
            return match;
    }
    return NULL;
}

void record_drop_restored(const Plan *plan, const Step *step) {
    CLEANUP(str_free) Str path = {0};
    str_addf(&path, "%s/%s/meetings.jsonl", plan->folder, step->name);
    unlink(str_text(&path));
    str_setf(&path, "%s/%s.solved.jsonl", plan->folder, step->name);
    unlink(str_text(&path));
}
