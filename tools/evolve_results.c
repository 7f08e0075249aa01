// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/evolve_results.h"

#include "base/file.h"
#include "base/mem.h"
#include "evolve_report/front_file.h"
#include "run/run_folder.h"
#include "tools/print.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { WEIGHTS_FILE_MAX = 1 << 20 };

// Writes what `text` holds as a file of the directory, and empties it.
static Status write_text(const char *directory, const char *name, Str *text) {
    Str path = {0};
    str_addf(&path, "%s/%s", directory, name);
    const Status status = file_write(str_text(&path), text->text, text->length);
    str_free(&path);
    str_clear(text);
    return status;
}

// Of several runs, the weights of that which learned most stand beside the runs, so that whoever
// goes on with them need not look for it. Runs that were not judged have no best.
static Status write_best(const EvolveFindings *findings) {
    const char *directory = findings->files->directory;
    const size_t best = evolve_findings_best_run(findings);
    if (isnan(findings->outcomes[best].training_error))
        return OK;
    Str path = {0}, text = {0};
    run_directory(directory, findings->config, (uint32_t)best, &path);
    str_add(&path, "/best.weights");
    Status status = file_read(str_text(&path), WEIGHTS_FILE_MAX, &text);
    if (status == OK)
        status = write_text(directory, "best.weights", &text);
    str_free(&path);
    str_free(&text);
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
        Table *runs = evolve_findings_runs(findings);
        str_clear(&text);
        table_write_csv(runs, &text);
        table_destroy(runs);
        status = write_text(directory, "runs.csv", &text);
        if (status == OK)
            status = write_best(findings);
    }
    str_free(&text);
    return status;
}

// Prints the summary and writes the whole report.
static Status show_findings(const EvolveFindings *findings) {
    const char *directory = findings->files->directory;
    Report *summary = NULL, *report = NULL;
    Str text = {0};
    Status status = evolve_findings_summary(findings, &summary);
    if (status == OK)
        status = evolve_findings_report(findings, &report);
    if (status == OK)
        status = write_report(findings, report);
    if (status == OK) {
        report_write_text(summary, &text);
        print_text(stdout, str_text(&text));
        print_out(
            "\nWritten to %s: report.html and report.txt with more, %s\n", directory,
            findings->courses == NULL
                ? (family_is_foreign(problem_family(findings->problem))
                       ? "log.jsonl, population.csv, best.weights, values.txt"
                       : "log.jsonl, population.csv, best.weights")
                : "runs.csv; log.jsonl, population.csv and best.weights of each run in run-01 "
                  "and so on, best.weights of the best of them");
    }
    str_free(&text);
    report_destroy(summary);
    report_destroy(report);
    return status;
}

// Published values stand beside what was evolved, where there are some of the family; their name,
// or NULL.
static const char *load_paper(const Family *family, Weights *paper) {
    if (family == &family_maestro && weights_load(paper, "maestro-gecco2008.weights") == OK)
        return "GECCO 2008";
    if (family == &family_shannon && weights_load(paper, "shannon-developed.weights") == OK)
        return "CEC 2001";
    return NULL;
}

// The front of several mentors, traced and written; nothing where none was asked for.
static Status make_front(EvolveFindings *findings, Front *front) {
    MentorsProblem mentors;
    *front = (Front){0};
    if (!problem_mentors(findings->problem, SET_TRAINING, &mentors) ||
        findings->config->mentors_fitness != PANEL_FRONT)
        return OK;
    Status status = front_trace(&mentors, front);
    if (status == OK)
        status = front_write(front, findings->problem, findings->files->directory);
    findings->front = status == OK ? front : NULL;
    return status;
}

static Status report_runs(EvolveFindings *findings, bool no_optimum) {
    Limit limit;
    Weights paper;
    Front front;
    const char *paper_name = load_paper(problem_family(findings->problem), &paper);
    const bool is_wanted = !no_optimum && problem_has_limit(findings->problem);
    const bool has_limit = is_wanted && problem_limit(findings->problem, &limit) == OK;
    if (is_wanted && !has_limit)
        snprintf(findings->no_limit, sizeof findings->no_limit, "%s", error_message());
    findings->limit = has_limit ? &limit : NULL;
    findings->paper = paper_name != NULL ? &paper : NULL;
    findings->paper_name = paper_name;
    Status status = make_front(findings, &front);
    if (status == OK)
        status = evolve_findings_judge(findings);
    if (status == OK)
        status = show_findings(findings);
    if (has_limit)
        limit_free(&limit);
    if (paper_name != NULL)
        weights_free(&paper);
    front_free(&front);
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

Status evolve_show_results(EvolveFindings *findings, bool no_optimum) {
    const size_t runs = (size_t)findings->config->runs;
    if (runs == 1)
        return report_runs(findings, no_optimum);
    RunCourse *courses = mem_alloc_zero(runs, sizeof *courses);
    findings->courses = courses;
    Status status = read_courses(findings, courses);
    if (status == OK)
        status = report_runs(findings, no_optimum);
    findings->courses = NULL;
    free(courses);
    return status;
}
