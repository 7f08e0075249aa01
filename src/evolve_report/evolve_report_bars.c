// SPDX-License-Identifier: GPL-3.0-or-later
// The values as bars: evolved, optimal and published, with error bars where something is known of
// their spread.
#include "evolve_report/evolve_report_internal.h"

#include "match/rating/elo.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// More bars than these nobody reads.
enum { BARS_MAX = 60 };
// Values below this share of the largest would be too short beside it: they have bars of their own.
static const double small_share = 0.2;

double evolve_findings_shown_value(const EvolveFindings *findings, size_t parameter, double value) {
    const Family *family = problem_family(findings->problem);
    return parameter < family->term_count ? value / family->unit : value;
}

bool evolve_findings_is_free(const EvolveFindings *findings, size_t parameter) {
    const EvolveParameter *it = &problem_space(findings->problem)->parameters[parameter];
    return it->low != it->high;
}

static double size_of(const EvolveFindings *findings, size_t parameter) {
    const double *evolved = findings->outcomes[evolve_findings_median_run(findings)].best;
    return fabs(evolve_findings_shown_value(findings, parameter, evolved[parameter]));
}

EvolveShown evolve_findings_shown(const EvolveFindings *findings) {
    const size_t count = problem_space(findings->problem)->count;
    EvolveShown shown = {.has = {false}};
    size_t free_count = 0;
    for (size_t i = 0; i < count; i++) {
        if (!evolve_findings_is_free(findings, i))
            continue;
        size_t larger = 0;
        free_count++;
        for (size_t k = 0; k < count; k++)
            larger += evolve_findings_is_free(findings, k) &&
                      (size_of(findings, k) > size_of(findings, i) ||
                       (size_of(findings, k) == size_of(findings, i) && k < i));
        shown.has[i] = larger < BARS_MAX;
    }
    if (free_count > BARS_MAX)
        snprintf(shown.note, sizeof shown.note, "The %d largest of %zu values are shown. ",
                 BARS_MAX, free_count);
    return shown;
}

// --- the bars of a parameter ---

enum { EVOLVED, OPTIMUM, PAPER, SERIES_NB };

typedef struct Group {
    double values[SERIES_NB], lows[SERIES_NB], highs[SERIES_NB];
    size_t count; // of series
} Group;

static void add_to(Group *group, double value, double low, double high) {
    group->values[group->count] = value;
    group->lows[group->count] = low;
    group->highs[group->count++] = high;
}

// The run in the middle, from the lowest to the highest of all runs.
static void add_evolved(const EvolveFindings *findings, size_t parameter, Group *group) {
    const double *evolved = findings->outcomes[evolve_findings_median_run(findings)].best;
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < (size_t)findings->config->runs; i++) {
        low = fmin(low, findings->outcomes[i].best[parameter]);
        high = fmax(high, findings->outcomes[i].best[parameter]);
    }
    const bool has_several = findings->config->runs > 1;
    add_to(group, evolve_findings_shown_value(findings, parameter, evolved[parameter]),
           has_several ? evolve_findings_shown_value(findings, parameter, low) : (double)NAN,
           has_several ? evolve_findings_shown_value(findings, parameter, high) : (double)NAN);
}

static Group group_of(const EvolveFindings *findings, size_t parameter) {
    Group group = {0};
    add_evolved(findings, parameter, &group);
    if (findings->optimum != NULL) {
        const double value = findings->optimum->result.weights[parameter];
        const double margin = ELO_Z_95 * findings->optimum->evidence[parameter].standard_error;
        add_to(&group, value, value - margin, value + margin);
    }
    if (findings->paper != NULL) {
        const size_t terms = problem_family(findings->problem)->term_count;
        add_to(&group,
               parameter < terms ? evolve_findings_shown_value(
                                       findings, parameter, findings->paper->parameters[parameter])
                                 : (double)NAN,
               NAN, NAN);
    }
    return group;
}

// --- charts ---

static Bars *start_bars(const EvolveFindings *findings, Report *report, const char *title) {
    Bars *bars = report_add_bars(
        report,
        &(BarsSpec){.title = title,
                    .value_label = problem_can_play(findings->problem) ? "value" : "centipawns",
                    .decimals = 1});
    bars_add_series(bars, findings->config->runs > 1 ? "evolved, median run" : "evolved");
    if (findings->optimum != NULL)
        bars_add_series(bars, "optimum");
    if (findings->paper != NULL)
        bars_add_series(bars, findings->paper_name);
    return bars;
}

static void explain(const EvolveFindings *findings, const EvolveShown *shown, Report *report) {
    CLEANUP(str_free) Str text = {0};
    str_add(&text, shown->note);
    if (findings->config->runs > 1)
        str_add(&text, "Error bars of evolved values reach from the lowest to the highest of all "
                       "runs. ");
    if (findings->optimum != NULL)
        str_add(&text, "Those of the optimum are 95 % intervals: where one is wide, the positions "
                       "hardly tell the value. ");
    if (findings->paper != NULL)
        str_addf(&text, "%s: the values %s. ", findings->paper_name,
                 problem_can_play(findings->problem) ? "without evolution" : "that were published");
    if (text.length > 0)
        report_add_paragraph(report, "%s", str_text(&text));
}

static double largest_of(const Group *group) {
    double largest = 0;
    for (size_t i = 0; i < group->count; i++)
        largest = fmax(largest, isfinite(group->values[i]) ? fabs(group->values[i]) : 0);
    return largest;
}

static size_t add_part(const EvolveFindings *findings, const EvolveShown *shown, double from,
                       double below, Bars *bars) {
    const EvolveSpace *space = problem_space(findings->problem);
    size_t count = 0;
    for (size_t i = 0; i < space->count; i++) {
        const Group group = group_of(findings, i);
        const double size = largest_of(&group);
        if (!shown->has[i] || size < from || size >= below)
            continue;
        count++;
        if (bars != NULL)
            bars_add_ranges(bars, space->parameters[i].name, group.values, group.lows, group.highs);
    }
    return count;
}

void evolve_findings_add_bars(const EvolveFindings *findings, Report *report) {
    const EvolveShown shown = evolve_findings_shown(findings);
    const size_t count = problem_space(findings->problem)->count;
    double largest = 0;
    for (size_t i = 0; i < count; i++) {
        const Group group = group_of(findings, i);
        largest = shown.has[i] ? fmax(largest, largest_of(&group)) : largest;
    }
    const double limit = small_share * largest;
    const size_t large = add_part(findings, &shown, limit, INFINITY, NULL);
    const size_t small = add_part(findings, &shown, 0, limit, NULL);
    if (large + small == 0)
        return;
    report_add_heading(report, "What was evolved");
    explain(findings, &shown, report);
    add_part(findings, &shown, limit, INFINITY,
             start_bars(findings, report, small > 0 ? "Large values" : "Values"));
    if (small > 0)
        add_part(findings, &shown, 0, limit, start_bars(findings, report, "Small values"));
}
