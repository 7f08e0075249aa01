// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine_tuning/engine_tune.h"

#include "base/byline.h"
#include "base/file.h"
#include "base/json.h"
#include "base/shell.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Appends the values as words of an engine's description, for a shell: option.Hash=16
// 'option.King Safety=90'.
static void add_option_line(const TuneConfig *config, const double *values, Str *out) {
    for (size_t i = 0; i < config->options.count; i++) {
        CLEANUP(str_free) Str word = {0};
        str_addf(&word, "option.%s=%.0f", config->options.items[i].name, values[i]);
        str_add(out, i == 0 ? "" : " ");
        shell_quote(out, str_text(&word));
    }
}

static bool is_start(const TuneConfig *config, const double *values) {
    for (size_t i = 0; i < config->options.count; i++)
        if (values[i] != (double)config->options.items[i].start)
            return false;
    return true;
}

static void add_elo(double elo, double margin, Str *out) {
    str_addf(out, "%+.1f +/- %.1f Elo", elo, margin);
}

// What a test says: its SPRT, or where the games ran out before that could decide, the interval of
// all of them. (The SPRT of 0 against 5 Elo takes 414 games, should all of them be won.)
static SprtVerdict verdict_of(const TuneTest *test) {
    enum { GAMES_LEAST = 100 };
    const EloEstimate elo = elo_from_pairs(&test->pairs);
    if (test->sprt.verdict != SPRT_GOES_ON || test->games < GAMES_LEAST)
        return test->sprt.verdict;
    return elo.low > 0 ? SPRT_H1 : elo.high < 0 ? SPRT_H0 : SPRT_GOES_ON;
}

// "better", "not shown to be better" ...: for people and for tuned.json.
const char *tune_outcome_conclusion(const TuneConfig *config, const TuneOutcome *outcome) {
    if (is_start(config, outcome->best))
        return "the start values";
    const bool is_refuted =
        outcome->confirmation.games > 0 && verdict_of(&outcome->confirmation) == SPRT_H0;
    switch (verdict_of(&outcome->verdict)) {
    case SPRT_H1:
        return is_refuted ? "better with the limits of the run, not better with the longer ones,"
                          : "better";
    case SPRT_H0:
        return "not better";
    case SPRT_GOES_ON:
        break;
    }
    return "not shown to be better";
}

// How a test went, after "Verdict: better than the start values: ".
static void describe_games(const SprtConfig *sprt, const TuneTest *test, Str *out) {
    const EloEstimate elo = elo_from_pairs(&test->pairs);
    add_elo(elo.elo, elo.margin, out);
    str_addf(out, " (95%%) in %llu games from openings that had not been seen before. ",
             (unsigned long long)test->games);
    str_addf(out, "The SPRT of %+g against %+g Elo ", sprt->elo0, sprt->elo1);
    if (test->sprt.verdict == SPRT_GOES_ON)
        str_addf(out, "has not decided (LLR %.2f within %.2f to %.2f)%s.\n", test->sprt.llr,
                 test->sprt.lower, test->sprt.upper,
                 verdict_of(test) == SPRT_H1   ? "; the interval of all games is above 0"
                 : verdict_of(test) == SPRT_H0 ? "; the interval of all games is below 0"
                                               : "");
    else
        str_addf(out,
                 "accepted %+g (LLR %.2f), which goes wrong in no more than %g%% of all tests.\n",
                 test->sprt.verdict == SPRT_H1 ? sprt->elo1 : sprt->elo0, test->sprt.llr,
                 100 * (test->sprt.verdict == SPRT_H1 ? sprt->alpha : sprt->beta));
}

static void describe_test(const TuneConfig *config, const TuneOutcome *outcome, Str *out) {
    if (is_start(config, outcome->best)) {
        str_add(out, "Verdict: nothing better than the start values was found.\n");
        return;
    }
    str_addf(out, "Verdict: %s than the start values: ", tune_outcome_conclusion(config, outcome));
    if (outcome->verdict.games == 0) {
        str_add(out, "they have not met in a test.\n");
        return;
    }
    describe_games(&config->sprt, &outcome->verdict, out);
}

// What was found with one limit need not hold with another.
static void describe_confirmation(const TuneConfig *config, const TuneOutcome *outcome, Str *out) {
    const TuneTest *test = &outcome->confirmation;
    if (is_start(config, outcome->best))
        return;
    if (config->confirm.length == 0) {
        str_add(out, "Warning: values tuned with these limits may lose with longer ones; --confirm "
                     "tc=10+0.1 would test them there, too.\n");
        return;
    }
    str_addf(out, "With %s: ", str_text(&config->confirm));
    if (test->games == 0)
        str_add(out, "not tested.\n");
    else
        describe_games(&config->sprt, test, out);
}

void tune_outcome_judge(const TuneConfig *config, const TuneOutcome *outcome, Str *out) {
    describe_test(config, outcome, out);
    describe_confirmation(config, outcome, out);
}

static void describe_cost(const TuneConfig *config, const TuneOutcome *outcome, Str *out) {
    const RaceCounts *race = &outcome->race;
    const double equal = 2 * (double)race->equal_meetings, games = (double)outcome->race_games;
    if (tune_config_has_suite(config))
        str_addf(out, "Cost: the suite in %.1f minutes", outcome->race_s / 60);
    else
        str_addf(out, "Cost: %llu games of %s in %.1f minutes",
                 (unsigned long long)outcome->race_games,
                 config->method == TUNE_BY_SPSA ? "SPSA" : "the race", outcome->race_s / 60);
    str_addf(out, ", %llu games of tests in %.1f.\n",
             (unsigned long long)(outcome->verdict.games + outcome->confirmation.games),
             outcome->tests_s / 60);
    if (config->method == TUNE_BY_RACE && !tune_config_has_suite(config))
        str_addf(out,
                 "Racing: of %llu candidates %llu were stopped while they played, and %llu before "
                 "their first game; equal shares would have taken %.0f games (saved: %.0f%%).\n",
                 (unsigned long long)race->candidates, (unsigned long long)race->stopped,
                 (unsigned long long)race->refused, equal,
                 equal > games ? 100 * (1 - games / equal) : 0);
    if (fault_total(&outcome->faults) == 0)
        return;
    str_add(out, "Faults: ");
    fault_counts_write(&outcome->faults, out);
    str_add(out, "; each lost its game.\n");
}

// An interval is halved by four times the games.
static void describe_more(const TuneOutcome *outcome, Str *out) {
    const EloEstimate elo = elo_from_pairs(&outcome->verdict.pairs);
    const double games = (double)outcome->verdict.games;
    if (games == 0 || outcome->confirmation.games > 0 || !isfinite(elo.margin))
        return;
    str_addf(out,
             "More: to halve the interval of +/- %.1f Elo takes %.0f more games, about %.1f "
             "minutes on this machine.\n",
             elo.margin, 3 * games, 3 * outcome->tests_s / 60);
}

void tune_outcome_describe(const TuneConfig *config, const TuneOutcome *outcome, Str *out) {
    str_addf(out, "Tuned %s:", config->spec.name);
    for (size_t i = 0; i < config->options.count; i++) {
        const TuneOption *option = &config->options.items[i];
        str_addf(out, "%s %s %.0f (from %lld)", i == 0 ? "" : ",", option->name, outcome->best[i],
                 (long long)option->start);
    }
    str_add(out, "\n");
    if (tune_config_has_suite(config)) {
        tune_suite_describe(&outcome->suite, out);
    } else if (config->method == TUNE_BY_RACE) {
        str_add(out, "By all games of the race: ");
        add_elo(outcome->gain, ELO_Z_95 * outcome->deviation, out);
        str_add(out, " over the start values, as the model has it.\n");
    }
    tune_outcome_judge(config, outcome, out);
    describe_cost(config, outcome, out);
    describe_more(outcome, out);
    str_add(out, "Options: ");
    add_option_line(config, outcome->best, out);
    str_add(out, "\n");
}

static Status write_file(const char *directory, const char *name, const Str *text) {
    CLEANUP(str_free) Str path = {0};
    str_addf(&path, "%s/%s", directory, name);
    return file_write(str_text(&path), text->text, text->length);
}

static Status write_ini(const TuneConfig *config, const TuneOutcome *outcome,
                        const char *directory) {
    CLEANUP(str_free) Str text = {0};
    const EloEstimate elo = elo_from_pairs(&outcome->verdict.pairs);
    str_addf(&text, "; %s: tuned by falconer %s, seed %lld, %llu games; %s than its start (",
             config->spec.name, FALCONER_VERSION, (long long)config->seed,
             (unsigned long long)outcome->race_games, tune_outcome_conclusion(config, outcome));
    add_elo(elo.elo, elo.margin, &text);
    str_addf(&text, ", %llu games)\n; engine: %s\n", (unsigned long long)outcome->verdict.games,
             config->engine);
    if (config->command.length > 0)
        str_addf(&text, "; command: %s\n", str_text(&config->command));
    str_add(&text, "; options: ");
    add_option_line(config, outcome->best, &text);
    str_add(&text, "\n[tune]\n");
    for (size_t i = 0; i < config->options.count; i++) {
        const TuneOption *option = &config->options.items[i];
        str_addf(&text, "%s = %lld:%lld:%lld:%.0f\n", option->name, (long long)option->low,
                 (long long)option->high, (long long)option->step, outcome->best[i]);
    }
    return write_file(directory, "tuned.ini", &text);
}

static void add_key(Str *out, const char *key, const char *value) {
    str_addf(out, "  \"%s\": ", key);
    json_add_string(out, value);
    str_add(out, ",\n");
}

static void add_values(const TuneConfig *config, const double *values, Str *out) {
    str_add(out, "{");
    for (size_t i = 0; i < config->options.count; i++) {
        str_add(out, i == 0 ? "" : ", ");
        json_add_string(out, config->options.items[i].name);
        str_addf(out, ": %.0f",
                 values == NULL ? (double)config->options.items[i].start : values[i]);
    }
    str_add(out, "}");
}

static void add_confirmation(const TuneConfig *config, const TuneTest *test, Str *out) {
    const EloEstimate elo = elo_from_pairs(&test->pairs);
    add_key(out, "confirm", str_text(&config->confirm));
    str_addf(out, "  \"confirm-games\": %llu,\n", (unsigned long long)test->games);
    if (isfinite(elo.elo) && isfinite(elo.margin))
        str_addf(out, "  \"confirm-elo\": %.2f,\n  \"confirm-margin\": %.2f,\n", elo.elo,
                 elo.margin);
}

static void add_suite(const TuneSuiteOutcome *suite, Str *out) {
    str_addf(out, "  \"suite-unit\": \"%s\",\n  \"suite-trials\": %llu,\n",
             suite->in_ms ? "ms" : "nodes", (unsigned long long)suite->trials);
    str_addf(out, "  \"suite-start\": %.2f,\n  \"suite-best\": %.2f,\n", suite->start, suite->best);
    str_addf(out, "  \"suite-test-start\": %.2f,\n  \"suite-test-best\": %.2f,\n",
             suite->test_start, suite->test_best);
}

static Status write_json(const TuneConfig *config, const TuneOutcome *outcome,
                         const char *directory) {
    CLEANUP(str_free) Str text = {0};
    const EloEstimate elo = elo_from_pairs(&outcome->verdict.pairs);
    str_add(&text, "{\n");
    add_key(&text, "engine", config->engine);
    add_key(&text, "made-by", "falconer " FALCONER_VERSION);
    if (config->command.length > 0)
        add_key(&text, "command", str_text(&config->command));
    add_key(&text, "verdict", tune_outcome_conclusion(config, outcome));
    if (tune_config_has_suite(config))
        add_suite(&outcome->suite, &text);
    str_addf(&text, "  \"seed\": %lld,\n  \"race-games\": %llu,\n  \"verdict-games\": %llu,\n",
             (long long)config->seed, (unsigned long long)outcome->race_games,
             (unsigned long long)outcome->verdict.games);
    if (isfinite(elo.elo) && isfinite(elo.margin))
        str_addf(&text, "  \"elo\": %.2f,\n  \"margin\": %.2f,\n", elo.elo, elo.margin);
    if (outcome->confirmation.games > 0)
        add_confirmation(config, &outcome->confirmation, &text);
    str_add(&text, "  \"start\": ");
    add_values(config, NULL, &text);
    str_add(&text, ",\n  \"options\": ");
    add_values(config, outcome->best, &text);
    str_add(&text, "\n}\n");
    return write_file(directory, "tuned.json", &text);
}

// For the next SPSA run, of OpenBench or of ours.
static Status write_openbench(const TuneConfig *config, const TuneOutcome *outcome,
                              const char *directory) {
    CLEANUP(str_free) Str text = {0};
    for (size_t i = 0; i < config->options.count; i++) {
        tune_option_write_openbench(&config->options.items[i], outcome->best[i], &text);
        str_add(&text, "\n");
    }
    return write_file(directory, "tuned.spsa", &text);
}

// A name as an identifier of C: letters, digits and underscores, no digit first.
static void add_identifier(const char *name, Str *out) {
    if (name[0] >= '0' && name[0] <= '9')
        str_add(out, "_");
    for (; *name != '\0'; name++) {
        const bool is_plain = (*name >= 'a' && *name <= 'z') || (*name >= 'A' && *name <= 'Z') ||
                              (*name >= '0' && *name <= '9');
        str_addf(out, "%c", is_plain ? *name : '_');
    }
}

// To be pasted into the engine.
static Status write_constants(const TuneConfig *config, const TuneOutcome *outcome,
                              const char *directory) {
    CLEANUP(str_free) Str text = {0};
    for (size_t i = 0; i < config->options.count; i++) {
        const TuneOption *option = &config->options.items[i];
        str_add(&text, "static const int ");
        add_identifier(option->name, &text);
        str_addf(&text, " = %.0f; // from %lld, %lld to %lld\n", outcome->best[i],
                 (long long)option->start, (long long)option->low, (long long)option->high);
    }
    return write_file(directory, "tuned.h", &text);
}

static Status write_page(const TuneConfig *config, const TuneOutcome *outcome,
                         const char *directory) {
    CLEANUP(str_free) Str text = {0};
    CLEANUP(report_destroy_at) Report *report = tune_outcome_report(config, outcome);
    byline_add(&text);
    report_set_byline(report, str_text(&text));
    str_clear(&text);
    report_write_html(report, &text);
    return write_file(directory, "report.html", &text);
}

Status tune_outcome_write(const TuneConfig *config, const TuneOutcome *outcome,
                          const char *directory) {
    CLEANUP(str_free) Str text = {0};
    tune_outcome_describe(config, outcome, &text);
    TRY(write_file(directory, "verdict.txt", &text));
    TRY(write_page(config, outcome, directory));
    TRY(write_ini(config, outcome, directory));
    TRY(write_openbench(config, outcome, directory));
    TRY(write_constants(config, outcome, directory));
    return write_json(config, outcome, directory);
}
