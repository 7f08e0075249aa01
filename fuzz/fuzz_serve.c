// SPDX-License-Identifier: GPL-3.0-or-later
// Input: what falconer serve is told by pages and by files. The body of a request, a game's text,
// the files of a run, of a match and of a tuning, answers to a suite, and the record of a run that
// a page started. Whatever comes of it is well-formed JSON.
#include "board/play_game.h"
#include "chess/position.h"
#include "fuzz/scratch.h"
#include "serve/answer.h"
#include "serve/genes_view.h"
#include "serve/live_view.h"
#include "serve/match_game.h"
#include "serve/match_view.h"
#include "serve/population_view.h"
#include "serve/reference.h"
#include "serve/suite_view.h"
#include "serve/tuning_view.h"

#include <cjson/cJSON.h>
#include <string.h>

enum { FILES = 14, FITTED_MAX = 20 };

static const char *const files[FILES] = {"body",
                                         "pgn",
                                         "config.ini",
                                         "log.jsonl",
                                         "genes.csv",
                                         "games.jsonl",
                                         "config",
                                         "verdict.txt",
                                         "answers.jsonl",
                                         "populations.csv",
                                         "live.jsonl",
                                         "optimum.csv",
                                         "runs/one/started.json",
                                         "suite.jsonl"};

static void check_json(const Str *text) {
    cJSON *json = cJSON_ParseWithLength(str_text(text), text->length);
    MUST_HOLD(json != NULL);
    cJSON_Delete(json);
}

static void check_body(StrView body) {
    CLEANUP(play_game_free) PlayGame game = {0};
    CLEANUP(str_free) Str out = {0};
    if (play_game_read(&game, body) != OK)
        return;
    MUST_HOLD(pgn_game_is_valid(&game.pgn));
    play_game_write(&game, &out);
    check_json(&out);
}

// The form of what is to be started, and what was started.
static void check_new(StrView body) {
    Server server = {0};
    CLEANUP(http_reply_free) HttpReply form = {0};
    CLEANUP(http_reply_free) HttpReply started = {0};
    const HttpRequest request = {.method = HTTP_POST, .body = body};
    const char *folder = scratch_folder();
    MUST_HOLD(catalog_open(&server.catalog, &folder, 1) == OK);
    starter_open(&server.starter, server.catalog.folders[0]);
    answer_form(&server, &request, &form);
    check_json(&form.body);
    answer_started(&server, &request, &started);
    check_json(&started.body);
    starter_close(&server.starter);
    catalog_close(&server.catalog);
}

static void check_game(StrView pgn) {
    CLEANUP(str_free) Str out = {0};
    if (match_game_write(pgn, &out) == OK)
        check_json(&out);
}

// Populations, lineage, and what organisms are put beside.
static void check_population(const RunView *run) {
    for (int i = 0; i < 3; i++) {
        CLEANUP(str_free) Str out = {0};
        CLEANUP(str_free) Str path = {0};
        Status status = OK;
        str_add(&out, "{\"x\":0");
        str_addf(&path, "%s/optimum.csv", scratch_folder());
        if (i == 0)
            status = population_view_write(scratch_folder(), 1, &out);
        else if (i == 1)
            status = population_view_lineage(scratch_folder(), run, &out);
        else
            reference_write("maestro", str_text(&path), &out);
        str_add(&out, "}");
        if (status == OK)
            check_json(&out);
    }
}

static void check_run(void) {
    CLEANUP(run_view_free) RunView run = {0};
    CLEANUP(str_free) Str out = {0};
    CLEANUP(str_free) Str genes = {0};
    run_view_update(&run, scratch_folder());
    str_add(&out, "{\"x\":0");
    run_view_write(&run, 1, &out);
    str_add(&out, "}");
    check_json(&out);
    str_add(&genes, "{\"x\":0");
    if (genes_write(scratch_folder(), 2, "mean", &genes) == OK) {
        str_add(&genes, "}");
        check_json(&genes);
    }
    Weights weights;
    const uint32_t places[] = {GENES_BEST_PLACE, 1};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (genes_organism(scratch_folder(), &run, 1, places[i], &weights) == OK) {
            MUST_HOLD(weights_are_valid(&weights));
            weights_free(&weights);
        }
    check_population(&run);
}

static void check_match(void) {
    CLEANUP(match_view_free) MatchView match = {0};
    CLEANUP(str_free) Str out = {0};
    match_view_update(&match, scratch_folder());
    str_add(&out, "{\"x\":0");
    match_view_write(&match, &out);
    str_add(&out, ",\"list\":");
    match_view_write_games(&match, 0, 10, &out);
    str_add(&out, ",\"live\":");
    live_view_write(scratch_folder(), &out);
    str_add(&out, "}");
    check_json(&out);
}

static void check_tuning(void) {
    CLEANUP(tuning_view_free) TuningView tuning = {0};
    CLEANUP(str_free) Str out = {0};
    tuning_view_update(&tuning, scratch_folder());
    str_add(&out, "{\"x\":0");
    tuning_view_write(&tuning, &out);
    const TuningPairs *pairs = &tuning.pairs[TUNING_RACE];
    if (pairs->count > 0) {
        TuningFit *fit = &tuning.fit;
        tuning_fit_begin(fit, &tuning.options, 0);
        for (size_t i = 0; i < pairs->count && i < FITTED_MAX; i++)
            tuning_fit_add(fit, &tuning.options, tuning.values + 2 * fit->size * i,
                           pairs->points[i]);
        tuning_fit_run(fit, &tuning.options);
        tuning_fit_write(fit, &tuning.options, &out);
    }
    str_add(&out, "}");
    check_json(&out);
}

static void check_suite(void) {
    CLEANUP(suite_view_free) SuiteView suite = {0};
    CLEANUP(str_free) Str path = {0};
    CLEANUP(str_free) Str out = {0};
    str_addf(&path, "%s/answers.jsonl", scratch_folder());
    if (!suite_view_is_suite(str_text(&path)))
        return;
    suite_view_update(&suite, str_text(&path));
    str_add(&out, "{\"x\":0");
    suite_view_write_summary(&suite, &out);
    str_add(&out, ",\"list\":");
    suite_view_write_positions(&suite, 0, 10, &out);
    str_add(&out, "}");
    check_json(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    chess_init();
    const StrView input = view_of((const char *)data, size);
    StrView rest = input, part, body = {0};
    if (scratch_next_part(&rest, &body))
        check_body(body);
    if (scratch_next_part(&rest, &part))
        check_game(part);
    scratch_write_parts(input, files, FILES);
    check_run();
    check_match();
    check_tuning();
    check_suite();
    check_new(body);
    return 0;
}
