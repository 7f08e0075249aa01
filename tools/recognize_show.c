// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/recognize_show.h"

#include "base/json.h"
#include "base/wilson.h"
#include "tools/print_table.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

// --- one verdict ---

static void print_ranking(const Verdict *verdict, const VerdictRanking *ranking) {
    const Evidence *evidence = verdict->evidence;
    const double moves = evidence->moves > 0 ? evidence->moves : 1;
    CLEANUP(table_destroy_at) Table *table = table_create("");
    table_add_columns(table,
                      "player|agrees with:0|percent:2|log likelihood a move:4|probability:4");
    for (size_t i = 0; i < verdict->models->count; i++) {
        const size_t player = ranking->order[i];
        table_add_text(table, verdict->models->names[player]);
        TABLE_ADD_NUMBERS(table, evidence->hits[player], 100 * evidence->hits[player] / moves);
        table_add_number(table,
                         evidence->log_likelihood[verdict->recognition->step][player] / moves);
        table_add_number(table, ranking->posterior[player]);
    }
    print_table(table);
}

void recognize_show_verdict(const Verdict *verdict, bool is_json) {
    VerdictRanking ranking;
    CLEANUP(str_free) Str text = {0};
    if (is_json) {
        verdict_write_json(verdict, &text);
        print_out("%s\n", str_text(&text));
    } else {
        verdict_rank(verdict, &ranking);
        verdict_add_agreeing(verdict, &text);
        const size_t first = ranking.order[0];
        print_out("%zu game%s, %u move%s\n\n", verdict->games, str_plural(verdict->games),
                  verdict->evidence->moves, str_plural(verdict->evidence->moves));
        print_ranking(verdict, &ranking);
        print_out("\nagrees with most moves: %s\n", str_text(&text));
        if (ranking.is_told)
            print_out("answer (%s): %s, probability %.2f\n", recognition_rule_names[verdict->rule],
                      verdict->models->names[first], ranking.posterior[first]);
        else
            print_out("answer (%s): cannot tell; the likeliest is %s, probability %.2f\n",
                      recognition_rule_names[verdict->rule], verdict->models->names[first],
                      ranking.posterior[first]);
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
