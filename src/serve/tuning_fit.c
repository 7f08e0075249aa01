// SPDX-License-Identifier: GPL-3.0-or-later
#include "serve/tuning_fit.h"

#include "base/json.h"
#include "base/mem.h"
#include "match/rating/elo.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STRIDE_START = 16 };

void tuning_fit_free(TuningFit *fit) {
    duel_model_free(fit->model);
    free(fit->rows);
    free(fit->tried);
    *fit = (TuningFit){0};
}

static size_t row_width(const TuningFit *fit) {
    return 1 + 3 * fit->size;
}

void tuning_fit_begin(TuningFit *fit, const TuneOptions *options, uint64_t epoch) {
    tuning_fit_free(fit);
    fit->size = options->count;
    fit->epoch = epoch;
    fit->stride = STRIDE_START;
    fit->model = duel_model_new(fit->size);
    fit->rows = mem_alloc_zero((TUNING_PATH_MAX + 1) * row_width(fit), sizeof *fit->rows);
    fit->tried = mem_alloc_zero(fit->size, sizeof *fit->tried);
}

size_t tuning_fit_next(const TuningFit *fit) {
    return (fit->taken / fit->stride + 1) * fit->stride;
}

// --- fitting ---

static double range_of(const TuneOption *option) {
    return (double)(option->high - option->low);
}

// Within -1..1, as the model has it, and back.
static double scaled(const TuneOption *option, double value) {
    return 2 * (value - (double)option->low) / range_of(option) - 1;
}
static double unscaled(const TuneOption *option, double place) {
    return (double)option->low + (place + 1) / 2 * range_of(option);
}

void tuning_fit_add(TuningFit *fit, const TuneOptions *options, const double *values, int points) {
    const size_t n = fit->size;
    CLEANUP(mem_free_at) double *places = mem_alloc(2 * n * sizeof *places);
    for (size_t i = 0; i < 2 * n; i++) {
        places[i] = scaled(&options->items[i % n], values[i]);
        fit->tried[i % n] += values[i];
    }
    duel_model_add(fit->model, places, places + n, points);
    fit->taken++;
    fit->tried_count += 2;
}

// Every other place is given up when there are too many.
static void thin_out(TuningFit *fit) {
    const size_t width = row_width(fit), kept = fit->row_count / 2;
    for (size_t i = 0; i < kept; i++)
        memmove(fit->rows + i * width, fit->rows + (2 * i + 1) * width, width * sizeof *fit->rows);
    fit->row_count = kept;
    fit->stride *= 2;
}

void tuning_fit_run(TuningFit *fit, const TuneOptions *options) {
    const size_t n = fit->size;
    duel_model_fit(fit->model);
    if (fit->is_last_loose)
        fit->row_count--;
    double *row = fit->rows + fit->row_count++ * row_width(fit);
    const double *best = duel_model_best(fit->model), *spread = duel_model_best_spread(fit->model);
    row[0] = (double)fit->taken;
    for (size_t i = 0; i < n; i++) {
        row[1 + i] = unscaled(&options->items[i], best[i]);
        row[1 + n + i] = spread[i] / 2 * range_of(&options->items[i]);
        row[1 + 2 * n + i] = fit->tried_count == 0 ? (double)options->items[i].start
                                                   : fit->tried[i] / (double)fit->tried_count;
    }
    fit->is_last_loose = fit->taken % fit->stride != 0;
    if (fit->is_last_loose)
        return;
    memset(fit->tried, 0, n * sizeof *fit->tried);
    fit->tried_count = 0;
    if (fit->row_count == TUNING_PATH_MAX)
        thin_out(fit);
}

// --- what is told ---

// One number of every row.
static void add_column(const TuningFit *fit, Str *out, const char *key, size_t column,
                       const TuneOption *cut, double deviations) {
    str_addf(out, "\"%s\":[", key);
    for (size_t i = 0; i < fit->row_count; i++) {
        const double *row = fit->rows + i * row_width(fit);
        double value = row[column] + (deviations == 0 ? 0 : deviations * row[column + fit->size]);
        if (cut != NULL)
            value = fmin((double)cut->high, fmax((double)cut->low, value));
        str_add(out, i == 0 ? "" : ",");
        json_add_number(out, value);
    }
    str_add(out, "]");
}

static void write_path(const TuningFit *fit, const TuneOptions *options, Str *out) {
    str_add(out, ",\"path\":{");
    add_column(fit, out, "pairs", 0, NULL, 0);
    str_add(out, ",\"options\":[");
    for (size_t i = 0; i < fit->size; i++) {
        const TuneOption *option = &options->items[i];
        str_add(out, i == 0 ? "{" : ",{");
        add_column(fit, out, "value", 1 + i, option, 0);
        str_add(out, ",");
        add_column(fit, out, "low", 1 + i, option, -ELO_Z_95);
        str_add(out, ",");
        add_column(fit, out, "high", 1 + i, option, ELO_Z_95);
        str_add(out, ",");
        add_column(fit, out, "tried", 1 + 2 * fit->size + i, NULL, 0);
        str_add(out, "}");
    }
    str_add(out, "]}");
}

typedef struct Slice {
    double at[TUNING_SLICE_POINTS], elo[TUNING_SLICE_POINTS], margin[TUNING_SLICE_POINTS];
} Slice;

// Elo over the start values, along one option, with the others at their best.
static void find_slice(const TuningFit *fit, const TuneOptions *options, size_t option,
                       Slice *out) {
    const size_t n = fit->size;
    CLEANUP(mem_free_at) double *start = mem_alloc(2 * n * sizeof *start);
    double *place = start + n;
    for (size_t i = 0; i < n; i++)
        start[i] = scaled(&options->items[i], (double)options->items[i].start);
    memcpy(place, duel_model_best(fit->model), n * sizeof *place);
    for (size_t i = 0; i < TUNING_SLICE_POINTS; i++) {
        place[option] = -1 + 2 * (double)i / (TUNING_SLICE_POINTS - 1);
        out->at[i] = unscaled(&options->items[option], place[option]);
        out->elo[i] = duel_model_value(fit->model, place) - duel_model_value(fit->model, start);
        out->margin[i] = ELO_Z_95 * duel_model_deviation(fit->model, start, place);
    }
}

static void add_numbers(Str *out, const char *key, const double *numbers, const double *more,
                        double sign) {
    str_addf(out, "\"%s\":[", key);
    for (size_t i = 0; i < TUNING_SLICE_POINTS; i++) {
        str_add(out, i == 0 ? "" : ",");
        json_add_number(out, numbers[i] + sign * more[i]);
    }
    str_add(out, "]");
}

static void write_slices(const TuningFit *fit, const TuneOptions *options, Str *out) {
    str_add(out, ",\"slices\":[");
    for (size_t i = 0; i < fit->size; i++) {
        Slice slice;
        find_slice(fit, options, i, &slice);
        str_add(out, i == 0 ? "{" : ",{");
        add_numbers(out, "at", slice.at, slice.at, 0);
        str_add(out, ",");
        add_numbers(out, "elo", slice.elo, slice.elo, 0);
        str_add(out, ",");
        add_numbers(out, "low", slice.elo, slice.margin, -1);
        str_add(out, ",");
        add_numbers(out, "high", slice.elo, slice.margin, 1);
        str_add(out, "}");
    }
    str_add(out, "]");
}

void tuning_fit_write(const TuningFit *fit, const TuneOptions *options, Str *out) {
    write_path(fit, options, out);
    write_slices(fit, options, out);
}
