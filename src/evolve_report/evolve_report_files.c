// SPDX-License-Identifier: GPL-3.0-or-later
// What evolution leaves in its directory when all runs are over: reports, the front of several
// mentors, the rows of several runs and the best weights of them.
#include "base/byline.h"
#include "base/file.h"
#include "base/mem.h"
#include "evolve_report/evolve_report_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { WEIGHTS_FILE_MAX = 1 << 20 };

// Writes what `text` holds as a file of the directory, and empties it.
static Status write_text(const EvolveFindings *findings, const char *name, Str *text) {
    CLEANUP(str_free) Str path = {0};
    str_addf(&path, "%s/%s", findings->files->directory, name);
    TRY(file_write(str_text(&path), text->text, text->length));
    str_clear(text);
    return OK;
}

// Of several runs, the weights of that which learned most stand beside the runs, so that whoever
// goes on with them need not look for it. Runs that were not judged have no best.
static Status write_best(const EvolveFindings *findings) {
    const size_t best = evolve_findings_best_run(findings);
    CLEANUP(str_free) Str path = {0};
    CLEANUP(str_free) Str text = {0};
    if (isnan(findings->outcomes[best].training_error))
        return OK;
    run_directory(findings->files->directory, findings->config, (uint32_t)best, &path);
    str_add(&path, "/best.weights");
    TRY(file_read(str_text(&path), WEIGHTS_FILE_MAX, &text));
    return write_text(findings, "best.weights", &text);
}

static Status write_runs(const EvolveFindings *findings) {
    CLEANUP(str_free) Str text = {0};
    Table *runs = evolve_findings_runs(findings);
    table_write_csv(runs, &text);
    table_destroy(runs);
    TRY(write_text(findings, "runs.csv", &text));
    return write_best(findings);
}

static void add_figure(Str *out, const char *key, double value) {
    if (isfinite(value))
        str_addf(out, ",\"%s\":%.2f", key, value);
    else
        str_addf(out, ",\"%s\":null", key);
}

// A line of JSON for each run, for machines: what the summary tells of it, null where nothing is
// told.
static Status write_results(const EvolveFindings *findings) {
    CLEANUP(str_free) Str text = {0};
    for (size_t run = 0; run < (size_t)findings->config->runs; run++) {
        str_addf(&text, "{\"run\":%zu", run + 1);
        add_figure(&text, "training", findings->outcomes[run].training_error);
        add_figure(&text, "test", findings->outcomes[run].test_error);
        add_figure(&text, "optimum",
                   findings->optimum == NULL ? (double)NAN : certified_bound(findings->optimum));
        str_addf(&text, ",\"positions\":%zu,\"test_positions\":%zu",
                 problem_size(findings->problem, SET_TRAINING),
                 problem_size(findings->problem, SET_TEST));
        add_figure(&text, "paper",
                   findings->paper == NULL ? (double)NAN : findings->paper_figures[SET_TRAINING]);
        str_add(&text, "}\n");
    }
    return write_text(findings, "results.jsonl", &text);
}

static void add_cell(Str *out, double value) {
    str_add(out, ",");
    if (isfinite(value))
        str_addf(out, "%.6g", value);
}

// The optimum's values, in the units of population.csv.
static Status write_optimum(const EvolveFindings *findings) {
    const EvolveSpace *space = problem_space(findings->problem);
    CLEANUP(str_free) Str text = {0};
    str_add(&text, "parameter,value,standard_error\n");
    for (size_t i = 0; i < space->count; i++) {
        str_add(&text, space->parameters[i].name);
        add_cell(&text, findings->optimum->result.weights[i]);
        add_cell(&text, findings->optimum->evidence[i].standard_error);
        str_add(&text, "\n");
    }
    return write_text(findings, "optimum.csv", &text);
}

static Status write_report(const EvolveFindings *findings) {
    CLEANUP(str_free) Str text = {0};
    CLEANUP(report_destroy_at) Report *report = NULL;
    TRY(evolve_findings_report(findings, &report));
    byline_add(&text);
    report_set_byline(report, str_text(&text));
    str_clear(&text);
    report_write_html(report, &text);
    TRY(write_text(findings, "report.html", &text));
    report_write_text(report, &text);
    TRY(write_text(findings, "report.txt", &text));
    TRY(write_results(findings));
    if (findings->optimum != NULL)
        TRY(write_optimum(findings));
    return findings->summaries == NULL ? OK : write_runs(findings);
}

// --- what is worth knowing beside the runs ---

// Published values stand beside what was evolved, where there are some of the family, or those that
// a search would have without evolution; their name, or NULL.
static const char *load_paper(const Problem *problem, Weights *paper) {
    const Family *family = problem_family(problem);
    if (family == &family_maestro && weights_load(paper, "maestro-gecco2008.weights") == OK)
        return "GECCO 2008";
    if (family == &family_shannon && weights_load(paper, "shannon-developed.weights") == OK)
        return "CEC 2001";
    if (problem_can_play(problem)) {
        problem_weights(problem, problem_start_values(problem), paper);
        return "set by hand";
    }
    return NULL;
}

// The front of several mentors, traced and written; nothing where none was asked for.
static Status make_front(EvolveFindings *findings, Front *front) {
    MentorData mentors;
    if (!mentor_data_of_several(findings->problem, SET_TRAINING, &mentors) ||
        mentors.fitness != PANEL_FRONT)
        return OK;
    TRY(front_trace(&mentors, front));
    findings->front = front;
    return evolve_findings_write_front(findings);
}

static void find_optimum(EvolveFindings *findings, CertifiedOptimum *optimum) {
    MentorData data;
    if (!mentor_data_of(findings->problem, SET_TRAINING, &data))
        return;
    if (mentors_optimum(&data, optimum) == OK)
        findings->optimum = optimum;
    else
        snprintf(findings->why_no_optimum, sizeof findings->why_no_optimum, "%s", error_message());
}

// How each of several runs went.
static Status read_summaries(EvolveFindings *findings, RunSummary *summaries) {
    CLEANUP(str_free) Str directory = {0};
    if (findings->config->runs == 1)
        return OK;
    for (uint32_t i = 0; i < findings->config->runs; i++) {
        run_directory(findings->files->directory, findings->config, i, &directory);
        TRY(run_summary_read(&summaries[i], str_text(&directory), findings->problem));
    }
    findings->summaries = summaries;
    return OK;
}

Status evolve_findings_write(EvolveFindings *findings, bool no_optimum, Report **summary) {
    const size_t runs = (size_t)findings->config->runs;
    CLEANUP(mem_free_at) RunSummary *summaries = mem_alloc_zero(runs, sizeof *summaries);
    CLEANUP(weights_free) Weights paper = {0};
    CLEANUP(certified_free) CertifiedOptimum optimum = {0};
    CLEANUP(front_free) Front front = {0};
    TRY(read_summaries(findings, summaries));
    findings->paper_name = load_paper(findings->problem, &paper);
    findings->paper = findings->paper_name != NULL ? &paper : NULL;
    if (!no_optimum)
        find_optimum(findings, &optimum);
    TRY(make_front(findings, &front));
    TRY(evolve_findings_judge(findings));
    TRY(evolve_findings_summary(findings, summary));
    return write_report(findings);
}
