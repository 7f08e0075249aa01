// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/tune_show.h"

#include "eval/value.h"
#include "tools/print.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

enum { MOVED_SHOWN = 10 };

static void print_losses(const char *name, size_t positions, const double losses[3]) {
    print_out("%s, %zu positions: loss %.6g, then %.6g, and %.6g with whole numbers\n", name,
              positions, losses[0], losses[1], losses[2]);
}

static double percent(size_t part, size_t whole) {
    return 100 * (double)part / (double)whole;
}

static void print_errors(const char *name, const FitErrors errors[2]) {
    if (!isnan(errors[0].absolute))
        print_out("%s: mean absolute error %.3f centipawns, then %.3f\n", name, errors[0].absolute,
                  errors[1].absolute);
    if (errors[0].decided > 0)
        print_out("%s: the winner's side seen in %.2f%% of games won, then %.2f%%\n", name,
                  percent(errors[0].recognized, errors[0].decided),
                  percent(errors[1].recognized, errors[1].decided));
    if (errors[0].moves > 0)
        print_out("%s: %.2f%% of moves found, then %.2f%%\n", name,
                  percent(errors[0].found, errors[0].moves),
                  percent(errors[1].found, errors[1].moves));
}

// The term, not yet shown, that moved most; false when none moved.
static bool find_moved(const TuneEnd *end, const bool *is_shown, size_t *term) {
    double most = 0;
    for (size_t i = 0; i < end->family->term_count; i++) {
        const double distance = fabs(end->values[i] - end->start[i]);
        if (!is_shown[i] && distance > most) {
            most = distance;
            *term = i;
        }
    }
    return most > 0;
}

static void print_moved(const TuneEnd *end) {
    bool is_shown[TERMS_MAX] = {0};
    size_t term = 0;
    int shown = 0;
    for (; shown < MOVED_SHOWN && find_moved(end, is_shown, &term); shown++) {
        is_shown[term] = true;
        print_out("%s %s from %s to %s", shown == 0 ? "moved most:" : ",",
                  end->family->terms[term].name,
                  value_text(end->family, (int64_t)end->start[term]).text,
                  value_text(end->family, (int64_t)end->values[term]).text);
    }
    print_out("%s\n", shown == 0 ? "no weight moved" : "");
}

void tune_print(const TuneEnd *end) {
    const FitOutcome *outcome = end->outcome;
    const FitResult *result = &outcome->result;
    const FitRound *rounds[] = {&result->start, &result->best, &result->whole};
    double training[3], held_out[3];
    for (int i = 0; i < 3; i++) {
        training[i] = rounds[i]->training;
        held_out[i] = rounds[i]->held_out;
    }
    print_out("%s\n", str_text(&outcome->data));
    if (!isnan(outcome->k))
        print_out("K: %.4f\n", outcome->k);
    if (!isnan(outcome->mentor_k) && outcome->mentor_k != outcome->k)
        print_out("K of the mentor's scores: %.4f\n", outcome->mentor_k);
    print_losses("training", outcome->training_count, training);
    if (outcome->held_out_count > 0)
        print_losses("held out", outcome->held_out_count, held_out);
    print_errors("training", outcome->training);
    if (outcome->held_out_count > 0)
        print_errors("held out", outcome->held_out);
    print_moved(end);
    print_out("round %u of %u taken%s, %.1f seconds\n", result->best.number, result->rounds,
              result->is_early ? "; ended early, as none of the later ones was better" : "",
              end->seconds);
}

void tune_weights(const TuneEnd *end, Weights *out) {
    const FitOutcome *outcome = end->outcome;
    const FitResult *result = &outcome->result;
    weights_init(out, end->family);
    for (size_t i = 0; i < end->family->term_count; i++)
        out->parameters[i] = (int)end->values[i];
    Str *lineage = &out->lineage;
    str_addf(lineage, "method: gradient (Adam), loss %s", fit_kind_names[end->kind]);
    if (!isnan(outcome->k))
        str_addf(lineage, ", K %.4f", outcome->k);
    str_addf(lineage, ", round %u\nstart: %s\ndata: %s (%016" PRIx64 ")\n", result->best.number,
             end->start_name == NULL ? "the family's own values" : end->start_name,
             str_text(&outcome->data), outcome->hash);
    str_addf(lineage, "loss: %.6g on %zu positions", result->whole.training,
             outcome->training_count);
    if (outcome->held_out_count > 0)
        str_addf(lineage, ", %.6g on %zu held out", result->whole.held_out,
                 outcome->held_out_count);
    str_addf(lineage, "\ncommand: %s\n", end->command);
}
