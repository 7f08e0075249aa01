// SPDX-License-Identifier: GPL-3.0-or-later
#include "serve/player_view.h"

#include "base/clock.h"
#include "base/json.h"
#include "base/locate.h"
#include "base/mem.h"
#include "players/verdict.h"

#include <stdlib.h>
#include <string.h>

enum { DIFFERENCES_TOLD = 8, SKIP_PLIES = 20 };

static const char folder[] = "weights/players", suffix[] = ".weights";
static const double answer_threshold = 0.5; // as `falconer recognize` has it

// --- the files ---

// Up to as many as can be told apart, in the order of their names, which is the calibration's.
typedef struct ModelPaths {
    Str names;
    char *paths[MOVE_SCORES_LANES]; // owned
    size_t count;
} ModelPaths;

static void free_paths(ModelPaths *models) {
    for (size_t i = 0; i < models->count; i++)
        free(models->paths[i]);
    str_free(&models->names);
}

static void find_paths(ModelPaths *out) {
    locate_list(folder, suffix, &out->names);
    for (const char *name = str_text(&out->names); *name != '\0' && out->count < MOVE_SCORES_LANES;
         name += strcspn(name, "\n") + 1) {
        CLEANUP(str_free) Str file = {0};
        Str path = {0};
        str_append(&file, name, strcspn(name, "\n"));
        str_add(&file, suffix);
        if (locate_shipped(folder, str_text(&file), &path) == OK)
            out->paths[out->count++] = path.text;
        else
            str_free(&path);
    }
}

// --- what is told of them ---

// The terms that differ most, the largest first.
static size_t rank_terms(const Weights *weights, const Weights *everybody,
                         size_t out[DIFFERENCES_TOLD]) {
    size_t count = 0;
    for (size_t i = 0; i < weights->family->term_count; i++) {
        const int size = abs(weights->parameters[i] - everybody->parameters[i]);
        size_t at = count;
        while (at > 0 &&
               abs(weights->parameters[out[at - 1]] - everybody->parameters[out[at - 1]]) < size)
            at--;
        if (size == 0 || at >= DIFFERENCES_TOLD)
            continue;
        count += count < DIFFERENCES_TOLD;
        memmove(out + at + 1, out + at, (count - at - 1) * sizeof *out);
        out[at] = i;
    }
    return count;
}

static void write_differences(const Weights *weights, const Weights *everybody, Str *out) {
    size_t terms[DIFFERENCES_TOLD];
    const size_t count =
        weights->family == everybody->family ? rank_terms(weights, everybody, terms) : 0;
    str_add(out, ",\"differences\":[");
    for (size_t i = 0; i < count; i++) {
        str_add(out, i == 0 ? "{\"name\":" : ",{\"name\":");
        json_add_string(out, weights->family->terms[terms[i]].name);
        str_addf(out, ",\"value\":%d,\"usual\":%d}", weights->parameters[terms[i]],
                 everybody->parameters[terms[i]]);
    }
    str_add(out, "]");
}

void player_view_write_models(Str *out) {
    CLEANUP(free_paths) ModelPaths models = {0};
    CLEANUP(weights_free) Weights everybody = {0};
    CLEANUP(str_free) Str usual = {0};
    find_paths(&models);
    const bool can_compare = locate_shipped("weights", "falcon-moves.weights", &usual) == OK &&
                             weights_load(&everybody, str_text(&usual)) == OK;
    str_add(out, "[");
    for (size_t i = 0; i < models.count; i++) {
        CLEANUP(weights_free) Weights weights = {0};
        CLEANUP(mem_free_at) char *name = NULL;
        if (weights_load(&weights, models.paths[i]) != OK)
            continue;
        const char *base = strrchr(models.paths[i], '/') + 1;
        name = view_copy(view_of(base, strlen(base) - strlen(suffix)));
        str_add(out, out->text[out->length - 1] == '[' ? "{\"name\":" : ",{\"name\":");
        json_add_string(out, name);
        str_add(out, ",\"lineage\":");
        json_add_string(out, str_text(&weights.lineage));
        if (can_compare)
            write_differences(&weights, &everybody, out);
        str_add(out, "}");
    }
    str_add(out, "]");
}

// --- who played ---

// Everything that judging takes.
typedef struct Judge {
    PlayerModels models;
    Recognition recognition;
    RecognitionRule rule;
    DistPool *pool;
    int64_t until_ns;
} Judge;

static void close_judge(Judge *judge) {
    player_models_free(&judge->models);
    dist_pool_free(judge->pool);
}

// Without the calibration that ships, the rule that needs none.
static Status open_judge(Judge *judge) {
    CLEANUP(free_paths) ModelPaths models = {0};
    CLEANUP(str_free) Str path = {0};
    find_paths(&models);
    TRY(player_models_load(&judge->models, (const char *const *)models.paths, models.count));
    recognition_init(&judge->recognition, judge->models.count);
    const bool is_calibrated =
        locate_shipped(folder, "calibration.txt", &path) == OK &&
        recognition_load(&judge->recognition, (const char *const *)judge->models.names,
                         judge->models.count, str_text(&path)) == OK;
    judge->rule = is_calibrated ? RULE_COMBINED : RULE_LIKELIHOOD;
    judge->pool = dist_pool_new(1);
    judge->until_ns = clock_now_ns() + PLAYER_VIEW_SECONDS * INT64_C(1000000000);
    return OK;
}

static Status judge_games(const Judge *judge, const PlayerGames *games, Str *out) {
    const LikelihoodConfig config = {
        .family = judge->models.family,
        .rules = FOREST_RULES_DEFAULT,
        .coefficients = (const int *const *)judge->models.coefficients,
        .organisms = judge->models.count,
        .skip_plies = SKIP_PLIES,
    };
    Evidence sum = {0};
    for (size_t i = 0; i < games->count; i++) {
        const PlayerGame *game = &games->items[i];
        Evidence evidence;
        // One game has an answer, however busy the machine is.
        if (i > 0 && clock_now_ns() > judge->until_ns)
            return error_set(ERR_LIMIT, "so many moves take longer than %d seconds",
                             PLAYER_VIEW_SECONDS);
        TRY(likelihood_of_games(&config, &game, 1, judge->pool, &evidence));
        evidence_add(&sum, &evidence);
    }
    verdict_write_json(&(Verdict){&judge->models, &judge->recognition, &sum, NULL, judge->rule,
                                  answer_threshold, games->count},
                       out);
    return OK;
}

static void add_name(Str *out, const PgnGame *game, const char *tag) {
    CLEANUP(mem_free_at) char *name = view_copy(pgn_tag(game, tag));
    json_add_string(out, name);
}

// How many games there are, and who played the first.
static size_t look_at_text(StrView pgn, Str *white, Str *black) {
    CLEANUP(pgn_game_free) PgnGame game = {0};
    size_t count = 0, consumed;
    while (pgn_parse(&game, pgn, true, &consumed) == PGN_STEP_GAME) {
        if (pgn_is_game(&game) && count++ == 0) {
            add_name(white, &game, "White");
            add_name(black, &game, "Black");
        }
        pgn = view_of(pgn.text + consumed, pgn.length - consumed);
    }
    return count;
}

static Status judge_sides(const Judge *judge, StrView pgn, Str *out) {
    for (Color side = WHITE; side <= BLACK; side++) {
        CLEANUP(player_games_free) PlayerGames games = {0};
        TRY(player_games_from_text(&games, NULL, side, pgn));
        if (games.count == 0)
            return error_set(ERR_PARSE, "the moves of this game cannot be read");
        str_add(out, side == WHITE ? ",\"verdicts\":[" : ",");
        TRY(judge_games(judge, &games, out));
    }
    str_add(out, "]");
    return OK;
}

static Status judge_player(const Judge *judge, StrView pgn, const char *name, Str *out) {
    CLEANUP(player_games_free) PlayerGames games = {0};
    TRY(player_games_from_text(&games, name, WHITE, pgn));
    if (games.count == 0)
        return error_set(ERR_ARG, "no whole game of %s", name);
    str_add(out, ",\"verdicts\":[");
    TRY(judge_games(judge, &games, out));
    str_add(out, "]");
    return OK;
}

static Status recognize(StrView pgn, const char *name, Str *out) {
    CLEANUP(close_judge) Judge judge = {0};
    CLEANUP(str_free) Str white = {0};
    CLEANUP(str_free) Str black = {0};
    const size_t count = look_at_text(pgn, &white, &black);
    if (count == 0)
        return error_set(ERR_PARSE, "there is no game in this text");
    if (count > 1 && name[0] == '\0')
        return error_set(ERR_ARG, "these are %zu games: say whose moves are to be judged", count);
    TRY(open_judge(&judge));
    str_addf(out, "{\"white\":%s,\"black\":%s,\"is_calibrated\":%s", str_text(&white),
             str_text(&black), judge.rule == RULE_COMBINED ? "true" : "false");
    TRY(name[0] == '\0' ? judge_sides(&judge, pgn, out) : judge_player(&judge, pgn, name, out));
    str_add(out, "}");
    return OK;
}

Status player_view_recognize(Thinkers *thinkers, StrView pgn, const char *name, Str *out) {
    TRY(thinkers_enter(thinkers));
    const Status status = recognize(pgn, name, out);
    thinkers_leave(thinkers);
    return status;
}
