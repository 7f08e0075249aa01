// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/compare.h"

#include "base/mem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const compare_on_names[] = {"test", "training", NULL};

// --- whether they can be compared ---

static const char *way_of(RunFitness fitness) {
    static const char *const ways[] = {
#define FITNESS(id, name, kind, way) [FITNESS_##id] = way,
#include "settings/fitness.def"
#undef FITNESS
    };
    return ways[fitness];
}

static Status check_alike(const CompareGroup *first, const CompareGroup *other) {
    if (first->fitness != other->fitness)
        return error_set(ERR_ARG, "%s learned %s and %s %s: their figures cannot be compared",
                         first->name, way_of(first->fitness), other->name, way_of(other->fitness));
    if (strcmp(str_text(&first->data), str_text(&other->data)) == 0)
        return OK;
    return error_set(ERR_ARG,
                     "%s and %s have different data (%s and %s): their figures cannot be compared",
                     first->name, other->name, str_text(&first->data), str_text(&other->data));
}

static bool has_test(const Comparison *comparison) {
    bool has = true;
    for (size_t i = 0; i < comparison->count; i++) {
        const CompareGroup *group = &comparison->groups[i];
        has = has && strcmp(str_text(&group->test), str_text(&comparison->groups[0].test)) == 0;
        for (size_t k = 0; k < group->count; k++)
            has = has && !isnan(group->runs[k].figures[COMPARE_TEST]);
    }
    return has;
}

static Status choose_set(Comparison *comparison, CompareOn on) {
    const bool has = has_test(comparison);
    if (on == COMPARE_TEST && !has)
        return error_set(ERR_ARG,
                         "the runs have no test set, or not the same: --on training compares them "
                         "on what they learned from");
    comparison->on = on != COMPARE_ON_NB ? on : has ? COMPARE_TEST : COMPARE_TRAINING;
    return OK;
}

// --- what they had ---

static double sign_of(const Comparison *comparison) {
    return comparison->goal->per_position < 0 ? -1 : 1;
}

double compare_value_at(const Comparison *comparison, const CompareGroup *group,
                        const CompareRun *run, CompareWhen when, double at) {
    const double sign = sign_of(comparison);
    const ComparePoint *found = NULL;
    for (size_t i = 0; i < run->count && run->points[i].reached[when] <= at; i++)
        if (found == NULL || group->draws_afresh || sign * run->points[i].best > sign * found->best)
            found = &run->points[i];
    return found == NULL ? (double)NAN : comparison->by_held_out ? found->held_out : found->best;
}

// Whether curves can be read off the set that is looked at while runs go on.
static bool all_held_out(const Comparison *comparison) {
    bool all = comparison->on == COMPARE_TEST;
    for (size_t i = 0; i < comparison->count; i++)
        for (size_t k = 0; k < comparison->groups[i].count; k++) {
            const CompareRun *run = &comparison->groups[i].runs[k];
            for (size_t j = 0; j < run->count; j++)
                all = all && !isnan(run->points[j].held_out);
        }
    return all;
}

// The most that all runs reached; NaN where one does not tell.
static double reached_by_all(const Comparison *comparison, CompareWhen when) {
    double least = INFINITY;
    for (size_t i = 0; i < comparison->count; i++)
        for (size_t k = 0; k < comparison->groups[i].count; k++) {
            const CompareRun *run = &comparison->groups[i].runs[k];
            const double last =
                run->count == 0 ? (double)NAN : run->points[run->count - 1].reached[when];
            least = isnan(last) || isnan(least) ? (double)NAN : fmin(least, last);
        }
    return least;
}

// --- one moment ---

static void say_why_not(CompareMoment *moment, const char *why) {
    snprintf(moment->why, sizeof moment->why, "%s", why);
}

static void fill_values(const Comparison *comparison, CompareWhen when, CompareMoment *moment) {
    moment->values = mem_alloc_zero(comparison->count, sizeof *moment->values);
    for (size_t i = 0; i < comparison->count; i++) {
        const CompareGroup *group = &comparison->groups[i];
        moment->values[i] = mem_alloc_zero(group->count, sizeof **moment->values);
        for (size_t k = 0; k < group->count; k++) {
            const CompareRun *run = &group->runs[k];
            const double value = when == WHEN_ENDED
                                     ? run->figures[comparison->on]
                                     : compare_value_at(comparison, group, run, when, moment->at);
            moment->values[i][k] = value;
            if (isnan(value))
                say_why_not(moment,
                            "a run had finished before another had its first generation judged");
        }
    }
}

static ComparePair pair_of(const Comparison *comparison, const CompareMoment *moment, size_t first,
                           size_t second) {
    const size_t one = comparison->groups[first].count, two = comparison->groups[second].count;
    CLEANUP(mem_free_at) double *worths = mem_alloc((one + two) * sizeof *worths);
    for (size_t i = 0; i < one + two; i++)
        worths[i] = sign_of(comparison) *
                    (i < one ? moment->values[first][i] : moment->values[second][i - one]);
    return (ComparePair){.first = first,
                         .second = second,
                         .test = rank_test(worths, one, worths + one, two),
                         .has_too_few = rank_test_least_p(one, two) > COMPARE_LIMIT};
}

static void test_pairs(const Comparison *comparison, CompareMoment *moment) {
    const size_t count = comparison->count;
    CLEANUP(mem_free_at) double *p = mem_alloc(count * count * sizeof *p);
    moment->pairs = mem_alloc_zero(count * count, sizeof *moment->pairs);
    for (size_t i = 0; i < count; i++)
        for (size_t k = i + 1; k < count; k++) {
            p[moment->pair_count] =
                (moment->pairs[moment->pair_count] = pair_of(comparison, moment, i, k)).test.p;
            moment->pair_count++;
        }
    rank_adjust_holm(p, moment->pair_count);
    for (size_t i = 0; i < moment->pair_count; i++)
        moment->pairs[i].adjusted_p = p[i];
}

// Points of a generation by games are against its own organisms: they tell nothing of other runs.
static void compare_when(Comparison *comparison, CompareWhen when) {
    CompareMoment *moment = &comparison->moments[when];
    moment->at = reached_by_all(comparison, when);
    if (when != WHEN_ENDED && comparison->groups[0].fitness == FITNESS_GAMES)
        say_why_not(moment, "points of a generation are against its own organisms, and cannot be "
                            "compared between runs");
    else if (isnan(moment->at) && when != WHEN_ENDED)
        say_why_not(moment, when == WHEN_SECONDS ? "a run has no timings.csv that tells its times"
                                                 : "a run has no log.jsonl with generations");
    else
        fill_values(comparison, when, moment);
    if (moment->why[0] == '\0')
        test_pairs(comparison, moment);
}

// --- the whole ---

Status compare_create(Comparison *out, const char *const *folders, size_t count, CompareOn on) {
    *out = (Comparison){.groups = mem_alloc_zero(count + 1, sizeof *out->groups)};
    for (size_t i = 0; i < count; i++) {
        out->count++;
        TRY(compare_read_group(&out->groups[i], folders[i]));
        TRY(check_alike(&out->groups[0], &out->groups[i]));
    }
    out->goal = problem_goal_of(out->groups[0].fitness);
    TRY(choose_set(out, on));
    out->by_held_out = all_held_out(out);
    for (int when = 0; when < WHEN_NB; when++)
        compare_when(out, (CompareWhen)when);
    return OK;
}

static void free_moment(CompareMoment *moment, size_t groups) {
    for (size_t i = 0; i < groups && moment->values != NULL; i++)
        free(moment->values[i]);
    free(moment->values);
    free(moment->pairs);
}

void compare_free(Comparison *comparison) {
    for (int when = 0; when < WHEN_NB; when++)
        free_moment(&comparison->moments[when], comparison->count);
    for (size_t i = 0; i < comparison->count; i++)
        compare_free_group(&comparison->groups[i]);
    free(comparison->groups);
}
