// SPDX-License-Identifier: GPL-3.0-or-later
// Applied Soft Computing 2013: Table 1, the values of the weights.
#include "eval/value.h"
#include "eval/weights.h"
#include "papers/asoc2013_runs.h"

// The least and greatest value of each weight over runs.
typedef struct Spread {
    int low[TERMS_MAX], high[TERMS_MAX];
} Spread;

static Status read_spread(const Plan *plan, size_t runs, Spread *out) {
    Status status = OK;
    for (size_t run = 0; run < runs && status == OK; run++) {
        Weights weights;
        Str path = {0};
        evidence_path(plan, &path, "33-10/run-%02zu/best.weights", run + 1);
        status = weights_load(&weights, str_text(&path));
        str_free(&path);
        if (status != OK)
            break;
        for (size_t i = 0; i < weights.family->term_count; i++) {
            const int value = weights.parameters[i];
            if (run == 0 || value < out->low[i])
                out->low[i] = value;
            if (run == 0 || value > out->high[i])
                out->high[i] = value;
        }
        weights_free(&weights);
    }
    return status;
}

static Table *add_table(Report *report) {
    Table *table = report_add_table(
        report, "Table 1: the weights of the best player of the median run with Pr = 10, in "
                "centipawns; least and most: over the best players of all runs with 33 weights");
    table_add_text_column(table, "weight");
    table_add_number_column(table, "low bound", 0);
    table_add_number_column(table, "high bound", 0);
    table_add_number_column(table, "paper", 1);
    table_add_number_column(table, "here, 33", 1);
    table_add_number_column(table, "least", 1);
    table_add_number_column(table, "most", 1);
    table_add_number_column(table, "here, 24", 1);
    return table;
}

static void fill_table(Table *table, const Weights *theirs, const Weights *ours,
                       const Weights *fewer, const Spread *spread) {
    const Family *family = ours->family;
    const double unit = family->unit;
    for (size_t i = 0; i < family->term_count; i++) {
        table_add_text(table, family->terms[i].name);
        table_add_number(table, family->terms[i].low / unit);
        table_add_number(table, family->terms[i].high / unit);
        table_add_number(table, theirs->parameters[i] / unit);
        table_add_number(table, ours->parameters[i] / unit);
        table_add_number(table, spread->low[i] / unit);
        table_add_number(table, spread->high[i] / unit);
        if (i < 24)
            table_add_number(table, fewer->parameters[i] / unit);
        else
            table_add_text(table, "–");
    }
}

// Knight, bishop, rook and queen.
static void say_material(Str *out, const Weights *weights) {
    const Family *family = weights->family;
    for (size_t i = 1; i <= 4; i++)
        str_addf(out, "%s%s", i == 1 ? "" : ", ", value_text(family, weights->parameters[i]).text);
}

static void claim_material(Page *page, const Weights *theirs, const Weights *ours) {
    Str paper = {0}, here = {0};
    say_material(&paper, theirs);
    say_material(&here, ours);
    page_claim(page, "Knight, bishop, rook and queen come to the values of chess theory",
               str_text(&paper), str_text(&here),
               "The bounds of Table 1 leave little room for others: 200 to 400 for knight and "
               "bishop, 400 to 600 and 800 to 1,000.");
    str_free(&paper);
    str_free(&here);
}

static Status load(const Plan *plan, const char *name, Weights *out) {
    Str path = {0};
    evidence_path(plan, &path, "%s", name);
    Status status = weights_load(out, str_text(&path));
    str_free(&path);
    return status;
}

Status asoc_tell_weights(const Plan *plan, Page *page) {
    Weights theirs = {0}, ours = {0}, fewer = {0};
    Spread spread = {0};
    AsocRuns runs = {0};
    Status status = weights_load(&theirs, "vazquez-asoc2013.weights");
    if (status == OK)
        status = load(plan, "vp33-10.weights", &ours);
    if (status == OK)
        status = load(plan, "vp24-10.weights", &fewer);
    if (status == OK)
        status = asoc_read_runs(plan, "33-10", &runs);
    if (status == OK)
        status = read_spread(plan, runs.grid.rows, &spread);
    if (status == OK) {
        claim_material(page, &theirs, &ours);
        report_add_heading(page->report, "Values");
        fill_table(add_table(page->report), &theirs, &ours, &fewer, &spread);
    }
    asoc_free_runs(&runs);
    weights_free(&theirs);
    weights_free(&ours);
    weights_free(&fewer);
    return status;
}
