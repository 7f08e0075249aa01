// SPDX-License-Identifier: GPL-3.0-or-later
// How the genes of the population went: a map of each over the generations.
#include "base/mem.h"
#include "evolve_report/evolve_report_internal.h"
#include "run/files/genes_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// The means of all generations: a row of `width` for each.
typedef struct Means {
    size_t width;
    double *generations, *values; // owned
    size_t count, capacity, value_capacity;
} Means;

static void means_free(Means *means) {
    free(means->generations);
    free(means->values);
}

static void take_row(void *context, uint32_t generation, GenesOf of, const double *values) {
    Means *means = context;
    const size_t used = means->count * means->width;
    if (of != GENES_MEAN)
        return;
    MEM_ADD(means->generations, means->count, means->capacity) = generation;
    means->values =
        mem_grow(means->values, &means->value_capacity, used + means->width, sizeof *means->values);
    memcpy(means->values + used, values, means->width * sizeof *values);
}

// How far a gene was from where it ended, at the most.
static double reach_of(const Means *means, size_t gene) {
    const double end = means->values[(means->count - 1) * means->width + gene];
    double reach = 0;
    for (size_t i = 0; i < means->count; i++)
        reach = fmax(reach, fabs(means->values[i * means->width + gene] - end));
    return reach;
}

static void add_gene(const EvolveFindings *findings, const Means *means, size_t gene,
                     size_t parameter, Heat *heat) {
    CLEANUP(mem_free_at) double *values = mem_alloc(means->count * sizeof *values);
    for (size_t i = 0; i < means->count; i++)
        values[i] = evolve_findings_shown_value(findings, parameter,
                                                means->values[i * means->width + gene]);
    heat_add_row(heat, problem_space(findings->problem)->parameters[parameter].name, values,
                 values[means->count - 1],
                 evolve_findings_shown_value(findings, parameter, reach_of(means, gene)));
}

static void draw(const EvolveFindings *findings, const Means *means, Report *report) {
    const EvolveShown shown = evolve_findings_shown(findings);
    const EvolveSpace *space = problem_space(findings->problem);
    report_add_heading(report, "How the genes went");
    report_add_paragraph(
        report,
        "The mean of each gene over the population%s, from the first generation to "
        "the last, coloured by how far it was from where it ended; to the right "
        "where that is, and the greatest distance there was, which has the full "
        "colour. %sgenes.csv has all of them, with each generation's best and the "
        "deviations.",
        findings->config->runs > 1 ? " of the median run" : "", shown.note);
    Heat *heat = report_add_heat(report, &(HeatSpec){.title = "Genes by generation",
                                                     .x_label = "generation",
                                                     .below = "below its last value",
                                                     .middle = "as at the end",
                                                     .above = "above",
                                                     .decimals = 1});
    heat_set_columns(heat, means->generations, means->count);
    for (size_t j = 0, gene = 0; j < space->count; j++) {
        if (!evolve_findings_is_free(findings, j))
            continue;
        if (shown.has[j])
            add_gene(findings, means, gene, j, heat);
        gene++;
    }
}

Status evolve_findings_add_genes(const EvolveFindings *findings, Report *report) {
    const EvolveSpace *space = problem_space(findings->problem);
    CLEANUP(means_free) Means means = {0};
    CLEANUP(str_free) Str directory = {0};
    for (size_t j = 0; j < space->count; j++)
        means.width += evolve_findings_is_free(findings, j);
    run_directory(findings->files->directory, findings->config,
                  (uint32_t)evolve_findings_median_run(findings), &directory);
    TRY(genes_each(str_text(&directory), space, take_row, &means));
    // A run of one generation has not gone anywhere.
    if (means.count > 1 && means.width > 0)
        draw(findings, &means, report);
    return OK;
}
