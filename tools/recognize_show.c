// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/recognize_show.h"

#include "base/json.h"
#include "base/wilson.h"
#include "tools/print_table.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

// --- one verdict ---

// Players by probability, the likeliest first.
static void rank(const double *posterior, size_t count, size_t *order) {
    for (size_t i = 0; i < count; i++) {
        size_t place = i;
        for (; place > 0 && posterior[order[place - 1]] < posterior[i]; place--)
            order[place] = order[place - 1];
        order[place] = i;
    }
}

static bool is_told(const Verdict *verdict, const double *posterior, const size_t *order) {
    const bool differs = posterior[order[0]] - posterior[order[1]] > 1e-9;
    return verdict->evidence->moves > 0 && differs && posterior[order[0]] >= verdict->threshold;
}

static void print_ranking(const Verdict *verdict, const double *posterior, const size_t *order) {
    const Evidence *evidence = verdict->evidence;
    const double moves = evidence->moves > 0 ? evidence->moves : 1;
    CLEANUP(table_destroy_at) Table *table = table_create("");
    table_add_columns(table,
                      "player|agrees with:0|percent:2|log likelihood a move:4|probability:4");
    for (size_t i = 0; i < verdict->models->count; i++) {
        const size_t player = order[i];
        table_add_text(table, verdict->models->names[player]);
        TABLE_ADD_NUMBERS(table, evidence->hits[player], 100 * evidence->hits[player] / moves);
        table_add_number(table,
                         evidence->log_likelihood[verdict->recognition->step][player] / moves);
        table_add_number(table, posterior[player]);
    }
    print_table(table);
}

// Names of those that agree with the most moves.
static void add_most_agreeing(const Verdict *verdict, Str *out) {
    const PlayerModels *models = verdict->models;
    unsigned most = 0;
    for (size_t i = 0; i < models->count; i++)
        most = verdict->evidence->hits[i] > most ? verdict->evidence->hits[i] : most;
    for (size_t i = 0; i < models->count; i++)
        if (verdict->evidence->hits[i] == most)
            str_addf(out, "%s%s", out->length > 0 ? ", " : "", models->names[i]);
}

static void print_json(const Verdict *verdict, const double *posterior, const size_t *order,
                       const char *agreeing) {
    const Evidence *evidence = verdict->evidence;
    CLEANUP(str_free) Str line = {0};
    str_addf(&line, "{\"games\":%zu,\"moves\":%u,\"rule\":", verdict->games, evidence->moves);
    json_add_string(&line, recognition_rule_names[verdict->rule]);
    str_add(&line, ",\"answer\":");
    if (is_told(verdict, posterior, order))
        json_add_string(&line, verdict->models->names[order[0]]);
    else
        str_add(&line, "null");
    str_add(&line, ",\"agrees_most\":");
    json_add_string(&line, agreeing);
    str_add(&line, ",\"players\":[");
    for (size_t i = 0; i < verdict->models->count; i++) {
        const size_t player = order[i];
        str_add(&line, i == 0 ? "{\"name\":" : ",{\"name\":");
        json_add_string(&line, verdict->models->names[player]);
        str_addf(&line, ",\"agrees\":%u,\"log_likelihood\":%.6f,\"probability\":%.6f}",
                 evidence->hits[player],
                 evidence->log_likelihood[verdict->recognition->step][player], posterior[player]);
    }
    str_add(&line, "]}\n");
    print_text(stdout, str_text(&line));
}

void recognize_show_verdict(const Verdict *verdict, bool is_json) {
    double posterior[MOVE_SCORES_LANES];
    size_t order[MOVE_SCORES_LANES];
    CLEANUP(str_free) Str agreeing = {0};
    recognition_posterior(verdict->recognition, verdict->rule, verdict->evidence, verdict->prior,
                          posterior);
    rank(posterior, verdict->models->count, order);
    add_most_agreeing(verdict, &agreeing);
    if (is_json) {
        print_json(verdict, posterior, order, str_text(&agreeing));
    } else {
        print_out("%zu game%s, %u move%s\n\n", verdict->games, str_plural(verdict->games),
                  verdict->evidence->moves, str_plural(verdict->evidence->moves));
        print_ranking(verdict, posterior, order);
        print_out("\nagrees with most moves: %s\n", str_text(&agreeing));
        if (is_told(verdict, posterior, order))
            print_out("answer (%s): %s, probability %.2f\n", recognition_rule_names[verdict->rule],
                      verdict->models->names[order[0]], posterior[order[0]]);
        else
            print_out("answer (%s): cannot tell; the likeliest is %s, probability %.2f\n",
                      recognition_rule_names[verdict->rule], verdict->models->names[order[0]],
                      posterior[order[0]]);
    }
}

// --- a trial ---

static void print_accuracy(const Trial *trial) {
    CLEANUP(table_destroy_at) Table *table = table_create("");
    table_add_columns(table, "games:0|bundles:0|rule|right:1|from:1|to:1|stated:1");
    for (size_t i = 0; i < trial->size_count; i++)
        for (int rule = 0; rule < TRIAL_RULES; rule++) {
            const TrialSize *size = &trial->sizes[i];
            const ShareInterval right = wilson_interval(size->right[rule], size->bundles);
            TABLE_ADD_NUMBERS(table, size->games, (double)size->bundles);
            table_add_text(table, trial_rule_names[rule]);
            TABLE_ADD_NUMBERS(table, 100 * right.share, 100 * right.low, 100 * right.high,
                              rule < RULE_NB ? 100 * size->stated[rule] : NAN);
        }
    print_table(table);
}

static void print_confusion(const Trial *trial, const PlayerModels *models, int rule) {
    CLEANUP(table_destroy_at) Table *table = table_create("");
    print_out("\nanswers by %s, a row for each player:\n", trial_rule_names[rule]);
    table_add_text_column(table, "");
    for (size_t i = 0; i < trial->players; i++)
        table_add_number_column(table, models->names[i], 0);
    for (size_t i = 0; i < trial->players; i++) {
        table_add_text(table, models->names[i]);
        for (size_t k = 0; k < trial->players; k++)
            table_add_number(table, (double)trial->confusion[rule][i][k]);
    }
    print_table(table);
}

static void print_trial_json(const Trial *trial, const PlayerModels *models) {
    for (size_t i = 0; i < trial->size_count; i++)
        for (int rule = 0; rule < TRIAL_RULES; rule++) {
            const TrialSize *size = &trial->sizes[i];
            const ShareInterval right = wilson_interval(size->right[rule], size->bundles);
            print_out("{\"games\":%u,\"bundles\":%" PRIu64 ",\"rule\":\"%s\",\"right\":%" PRIu64
                      ",\"share\":%.4f,\"low\":%.4f,\"high\":%.4f}\n",
                      size->games, size->bundles, trial_rule_names[rule], size->right[rule],
                      right.share, right.low, right.high);
        }
    for (int rule = 0; rule < TRIAL_RULES; rule++)
        for (size_t i = 0; i < trial->players; i++) {
            CLEANUP(str_free) Str line = {0};
            str_addf(&line, "{\"rule\":\"%s\",\"player\":", trial_rule_names[rule]);
            json_add_string(&line, models->names[i]);
            str_add(&line, ",\"answers\":[");
            for (size_t k = 0; k < trial->players; k++)
                str_addf(&line, "%s%" PRIu64, k == 0 ? "" : ",", trial->confusion[rule][i][k]);
            print_out("%s\n", str_text(&line));
        }
}

void recognize_show_trial(const Trial *trial, const PlayerModels *models, bool is_json) {
    const TrialSize *last = &trial->sizes[trial->size_count - 1];
    if (is_json) {
        print_trial_json(trial, models);
        return;
    }
    print_out("%zu players; %zu games tested on, %zu moves; %zu games to calibrate with\n",
              trial->players, trial->test_games, trial->test_moves, trial->calibration_games);
    print_out("temperature %.0f centipawns; calibration:\n",
              likelihood_temperature(trial->fit.step));
    for (int rule = 0; rule < RULE_NB; rule++)
        print_out("  %-10s  power %.3f, surprise at who played %d games %.3f (chance: %.3f)\n",
                  recognition_rule_names[rule], trial->fit.power[rule], RECOGNITION_BUNDLE,
                  trial->fit.surprise[rule], log((double)trial->players));
    print_out(
        "\nright answers in percent, with the 95%% interval, and what the rule itself stated:\n");
    print_accuracy(trial);
    print_out("\nalways the player with the most games: %.1f\n",
              100 * (double)trial->commonest_right / (double)last->bundles);
    for (int rule = 0; rule < TRIAL_RULES; rule++) {
        print_confusion(trial, models, rule);
        if (!isnan(trial->chance[rule]))
            print_out("as many right with permuted labels: p = %.4f\n", trial->chance[rule]);
    }
}
