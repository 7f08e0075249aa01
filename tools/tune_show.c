// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/tune_show.h"

#include "eval/value.h"
#include "tools/print.h"

#include <math.h>

enum { MOVED_SHOWN = 10 };

static const double far_units = 50;    // and more than half of what it was
static const double vague_units = 100; // a standard error

static void print_losses(const char *name, size_t positions, const double losses[3]) {
    print_out("%s, %zu position%s: loss %.6g, then %.6g, and %.6g with whole numbers\n", name,
              positions, str_plural(positions), losses[0], losses[1], losses[2]);
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

// Weights that a reader should look at, by their names; `is_meant` says which.
static void print_names(const TuneEnd *end, const char *what,
                        bool (*is_meant)(const TuneEnd *end, size_t term)) {
    size_t count = 0;
    for (size_t i = 0; i < end->family->term_count; i++)
        count += is_meant(end, i);
    if (count == 0)
        return;
    print_out("%s (%zu):", what, count);
    for (size_t i = 0, shown = 0; i < end->family->term_count && shown < MOVED_SHOWN; i++)
        if (is_meant(end, i))
            print_out("%s %s", shown++ == 0 ? "" : ",", end->family->terms[i].name);
    print_out("%s\n", count > MOVED_SHOWN ? ", ..." : "");
}

static bool is_free(const TuneEnd *end, size_t term) {
    return end->low[term] < end->high[term];
}

static bool is_at_bound(const TuneEnd *end, size_t term) {
    const double value = end->values[term];
    return is_free(end, term) && value != end->start[term] &&
           (value <= end->low[term] || value >= end->high[term]);
}

static bool is_far_out(const TuneEnd *end, size_t term) {
    const double moved = fabs(end->values[term] - end->start[term]);
    return moved > fmax(far_units, fabs(end->start[term]) / 2);
}

// What it is comes from the pull, or from luck, rather than from the data.
static bool is_undetermined(const TuneEnd *end, size_t term) {
    const FitCertainty *certainty = &end->outcome->certainty[term];
    return is_free(end, term) && (certainty->share < 0.5 || certainty->deviation > vague_units);
}

static void print_warnings(const TuneEnd *end) {
    print_names(end, "warning: at a bound", is_at_bound);
    print_names(end, "warning: far from the start", is_far_out);
    if (end->outcome->certainty != NULL)
        print_names(end, "the data say little about", is_undetermined);
}

static void print_pull(const FitOutcome *outcome) {
    const FitPull *pull = &outcome->pull;
    if (pull->count == 0)
        return;
    const FitTrial *chosen = &pull->trials[pull->chosen];
    if (isinf(chosen->pull))
        print_out("pull: no fit is better on the held-out games than the start by more than one "
                  "standard error\n");
    else
        print_out("pull towards the start: %.2g, the strongest of %zu within one standard error "
                  "of the best on held-out games\n",
                  chosen->pull, pull->count);
}

void tune_show(const TuneEnd *end) {
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
    if (outcome->training_games > 0 && outcome->training_games < outcome->training_count)
        print_out("games: %zu to learn from, %zu held out\n", outcome->training_games,
                  outcome->held_out_games);
    print_errors("training", outcome->training);
    if (outcome->held_out_count > 0)
        print_errors("held out", outcome->held_out);
    print_pull(outcome);
    print_moved(end);
    print_warnings(end);
    print_out("round %u of %u taken%s, %.1f seconds\n", result->best.number, result->rounds,
              result->is_early ? "; ended early, as none of the later ones was better" : "",
              end->seconds);
}
