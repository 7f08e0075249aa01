// SPDX-License-Identifier: GPL-3.0-or-later
#include "serve/tuning_view.h"

#include "base/ini.h"
#include "base/json.h"
#include "base/mem.h"
#include "serve/columns.h"
#include "serve/plain_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TUNING_TEXT_MAX = 1 << 20, TEST_POINTS_MAX = 200 };

void tuning_view_free(TuningView *tuning) {
    str_free(&tuning->engine);
    str_free(&tuning->option_names);
    str_free(&tuning->verdict);
    tune_options_free(&tuning->options);
    tuning_fit_free(&tuning->fit);
    tuning_trials_free(&tuning->trials);
    for (int i = 0; i < TUNING_STAGE_NB; i++)
        free(tuning->pairs[i].points);
    free(tuning->values);
}

// --- settings ---

static Status take_option(TuningView *tuning, const char *key, const char *value) {
    CLEANUP(str_free) Str text = {0};
    str_addf(&tuning->option_names, "%s%s", tuning->option_names.length == 0 ? "" : ", ", key);
    str_addf(&text, "%s:%s", key, value);
    TRY(tune_options_add(&tuning->options, str_text(&text)));
    return tuning->options.items[tuning->options.count - 1].has_start
               ? OK
               : error_set(ERR_PARSE, "the option %s does not say where it starts", key);
}

static Status take_setting(void *context, const char *section, const char *key, const char *value) {
    TuningView *tuning = context;
    const struct {
        const char *key;
        double *number;
    } numbers[] = {{"games", &tuning->games_wanted}, {"verdict-games", &tuning->verdict_wanted},
                   {"elo0", &tuning->sprt.elo0},     {"elo1", &tuning->sprt.elo1},
                   {"alpha", &tuning->sprt.alpha},   {"beta", &tuning->sprt.beta}};
    if (strcmp(section, "engine") == 0 && strcmp(key, "words") == 0)
        str_setf(&tuning->engine, "%s", value);
    else if (strcmp(section, "tune") == 0)
        return take_option(tuning, key, value);
    for (size_t i = 0; strcmp(section, "run") == 0 && i < sizeof numbers / sizeof *numbers; i++)
        if (strcmp(key, numbers[i].key) == 0)
            *numbers[i].number = strtod(value, NULL);
    return OK;
}

static void read_settings(TuningView *tuning, const char *folder) {
    CLEANUP(str_free) Str path = {0};
    CLEANUP(str_free) Str text = {0};
    str_addf(&path, "%s/config.ini", folder);
    tuning->has_settings = true;
    tuning->sprt = (SprtConfig){0, 5, 0.05, 0.05, SPRT_LOGISTIC};
    if (plain_read(str_text(&path), TUNING_TEXT_MAX, &text) == OK &&
        ini_read_text(view_of(str_text(&text), text.length), "config.ini", take_setting, tuning) ==
            OK)
        return;
    str_setf(&tuning->engine, "%s", error_message());
    tune_options_free(&tuning->options);
    tuning->options = (TuneOptions){0};
}

static bool sprt_is_sound(const SprtConfig *sprt) {
    return sprt->elo0 < sprt->elo1 && fabs(sprt->elo0) < 10000 && fabs(sprt->elo1) < 10000 &&
           sprt->alpha > 0 && sprt->alpha < 0.5 && sprt->beta > 0 && sprt->beta < 0.5;
}

// --- games ---

static void restart(void *context) {
    TuningView *tuning = context;
    tuning->games = tuning->white_wins = tuning->draws = tuning->black_wins = 0;
    for (int i = 0; i < TUNING_STAGE_NB; i++)
        tuning->pairs[i].count = tuning->pairs[i].games = 0;
    tuning->value_count = 0;
    tuning->half.is_there = tuning->is_cut = false;
    tuning->restarts++;
}

// Appends the values of a candidate, "20 80"; false where they are not as many as the options.
static bool add_values(TuningView *tuning, StrView text) {
    const size_t before = tuning->value_count;
    for (size_t i = 0; i < tuning->options.count; i++) {
        const TuneOption *option = &tuning->options.items[i];
        int64_t value;
        if (!view_to_int(view_next_word(&text), &value) || value < option->low ||
            value > option->high) {
            tuning->value_count = before;
            return false;
        }
        MEM_ADD(tuning->values, tuning->value_count, tuning->value_capacity) = (double)value;
    }
    return true;
}

static bool add_candidates(TuningView *tuning, StrView line) {
    const size_t before = tuning->value_count;
    StrView white, black;
    // In the second game of a pair its first candidate has Black.
    const bool is_good = json_find(line, "white", &white) && json_find(line, "black", &black) &&
                         add_values(tuning, black) && add_values(tuning, white);
    if (!is_good)
        tuning->value_count = before;
    return is_good;
}

static void end_pair(TuningView *tuning, StrView line, TuningStage stage, int points) {
    TuningPairs *pairs = &tuning->pairs[stage];
    if (stage == TUNING_RACE) {
        const size_t width = 2 * tuning->options.count;
        tuning->is_cut = tuning->is_cut || tuning->value_count + width > TUNING_VALUES_MAX;
        if (width == 0 || tuning->is_cut || !add_candidates(tuning, line))
            return;
    }
    MEM_ADD(pairs->points, pairs->count, pairs->capacity) = (uint8_t)points;
}

static TuningStage stage_of(StrView line) {
    StrView stage;
    if (!json_find(line, "stage", &stage))
        return TUNING_RACE;
    return view_equals(stage, "verdict")        ? TUNING_VERDICT
           : view_equals(stage, "confirmation") ? TUNING_CONFIRMATION
                                                : TUNING_RACE;
}

static void take_line(void *context, StrView line, uint64_t at) {
    (void)at;
    TuningView *tuning = context;
    StrView result;
    int64_t batch = 0, game = 0;
    if (!json_find(line, "result", &result))
        return;
    const int points = view_equals(result, "1-0") ? 2 : view_equals(result, "1/2-1/2");
    const TuningStage stage = stage_of(line);
    tuning->games++;
    tuning->pairs[stage].games++;
    tuning->white_wins += points == 2;
    tuning->black_wins += points == 0;
    tuning->draws += points == 1;
    json_find_int(line, "batch", &batch);
    json_find_int(line, "game", &game);
    const TuningHalf half = tuning->half;
    tuning->half = (TuningHalf){game % 2 == 0, stage, batch, game, points};
    if (game % 2 == 1 && half.is_there && half.stage == stage && half.batch == batch &&
        half.game == game - 1)
        end_pair(tuning, line, stage, half.points + 2 - points);
}

static bool read_verdict(TuningView *tuning, const char *folder) {
    CLEANUP(str_free) Str path = {0};
    str_addf(&path, "%s/verdict.txt", folder);
    if (tuning->is_finished || !plain_exists(str_text(&path)))
        return false;
    str_clear(&tuning->verdict);
    tuning->is_finished = plain_read(str_text(&path), TUNING_TEXT_MAX, &tuning->verdict) == OK;
    return tuning->is_finished;
}

bool tuning_view_update(TuningView *tuning, const char *folder) {
    CLEANUP(str_free) Str path = {0};
    const TailEvents events = {tuning, restart, take_line};
    if (!tuning->has_settings)
        read_settings(tuning, folder);
    str_addf(&path, "%s/games.jsonl", folder);
    const bool has_news = tail_has_news(&tuning->log, str_text(&path)) &&
                          tail_read(&tuning->log, str_text(&path), &events) == OK;
    const bool has_trials = tuning_trials_update(&tuning->trials, &tuning->options, folder);
    return read_verdict(tuning, folder) || has_news || has_trials;
}

// --- what is told of it ---

void tuning_view_write_summary(const TuningView *tuning, Str *out) {
    const double wanted = tuning->games_wanted + tuning->verdict_wanted;
    str_addf(out, ",\"games\":%llu,\"total\":", (unsigned long long)tuning->games);
    json_add_number(out, wanted > 0 ? wanted : NAN);
    str_add(out, ",\"progress\":");
    json_add_number(out, tuning->is_finished ? 1
                         : wanted > 0        ? fmin(1, (double)tuning->games / wanted)
                                             : NAN);
    str_add(out, ",\"engine\":");
    json_add_string(out, str_text(&tuning->engine));
    str_add(out, ",\"options\":");
    json_add_string(out, str_text(&tuning->option_names));
    str_add(out, ",\"verdict\":");
    json_add_string(out, str_text(&tuning->verdict));
}

static void add_key(Str *out, const char *key, double value) {
    str_addf(out, ",\"%s\":", key);
    json_add_number(out, value);
}

static void write_options(const TuningView *tuning, Str *out) {
    str_add(out, ",\"ranges\":[");
    for (size_t i = 0; i < tuning->options.count; i++) {
        const TuneOption *option = &tuning->options.items[i];
        str_add(out, i == 0 ? "{\"name\":" : ",{\"name\":");
        json_add_string(out, option->name);
        add_key(out, "low", (double)option->low);
        add_key(out, "high", (double)option->high);
        add_key(out, "step", (double)option->step);
        add_key(out, "start", (double)option->start);
        str_add(out, "}");
    }
    str_add(out, "]");
}

// A test at some of its pairs.
typedef struct TestPoint {
    double games, llr, elo, low, high;
} TestPoint;

static double games_at(const void *rows, size_t i) {
    return ((const TestPoint *)rows)[i].games;
}
static double llr_at(const void *rows, size_t i) {
    return ((const TestPoint *)rows)[i].llr;
}
static double elo_at(const void *rows, size_t i) {
    return ((const TestPoint *)rows)[i].elo;
}
static double low_at(const void *rows, size_t i) {
    return ((const TestPoint *)rows)[i].low;
}
static double high_at(const void *rows, size_t i) {
    return ((const TestPoint *)rows)[i].high;
}

// How a test came about, at no more than some places, the last among them.
static size_t follow_test(const TuningPairs *pairs, const SprtConfig *sprt,
                          TestPoint out[TEST_POINTS_MAX]) {
    const size_t count = pairs->count < TEST_POINTS_MAX ? pairs->count : TEST_POINTS_MAX;
    PairCounts counts = {0};
    size_t seen = 0;
    for (size_t i = 0; i < count; i++) {
        for (const size_t until = (i + 1) * pairs->count / count; seen < until; seen++)
            counts.results[pairs->points[seen]]++;
        const EloEstimate elo = elo_from_pairs(&counts);
        out[i] = (TestPoint){2.0 * (double)seen, sprt_from_pairs(sprt, &counts).llr, elo.elo,
                             elo.low, elo.high};
    }
    return count;
}

static void write_test(const TuningView *tuning, TuningStage stage, Str *out) {
    static const struct {
        const char *key;
        ColumnAt *at;
    } columns[] = {{"games_at", games_at},
                   {"llr_at", llr_at},
                   {"elo_at", elo_at},
                   {"low_at", low_at},
                   {"high_at", high_at}};
    const TuningPairs *pairs = &tuning->pairs[stage];
    TestPoint points[TEST_POINTS_MAX];
    const size_t count = follow_test(pairs, &tuning->sprt, points);
    const SprtState none = sprt_from_pairs(&tuning->sprt, &(PairCounts){0});
    str_addf(out, "{\"name\":\"%s\"", stage == TUNING_VERDICT ? "verdict" : "confirmation");
    add_key(out, "games", (double)pairs->games);
    add_key(out, "elo0", tuning->sprt.elo0);
    add_key(out, "elo1", tuning->sprt.elo1);
    add_key(out, "lower", none.lower);
    add_key(out, "upper", none.upper);
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        str_addf(out, ",\"%s\":", columns[i].key);
        columns_write(points, 0, count, columns[i].at, out);
    }
    str_add(out, "}");
}

void tuning_view_write(const TuningView *tuning, Str *out) {
    bool has_any = false;
    tuning_view_write_summary(tuning, out);
    add_key(out, "white_wins", (double)tuning->white_wins);
    add_key(out, "draws", (double)tuning->draws);
    add_key(out, "black_wins", (double)tuning->black_wins);
    add_key(out, "race_games", (double)tuning->pairs[TUNING_RACE].games);
    str_addf(out, ",\"race_pairs\":%zu", tuning->pairs[TUNING_RACE].count);
    str_addf(out, ",\"is_cut\":%s", tuning->is_cut ? "true" : "false");
    write_options(tuning, out);
    tuning_trials_write(&tuning->trials, out);
    str_add(out, ",\"tests\":[");
    for (TuningStage stage = TUNING_VERDICT; stage < TUNING_STAGE_NB; stage++) {
        if (tuning->pairs[stage].count == 0 || !sprt_is_sound(&tuning->sprt))
            continue;
        str_add(out, has_any ? "," : "");
        write_test(tuning, stage, out);
        has_any = true;
    }
    str_add(out, "]");
}
