// SPDX-License-Identifier: GPL-3.0-or-later
#include "papers/evidence.h"

#include "base/file.h"
#include "base/json.h"
#include "base/lines.h"
#include "base/moments.h"
#include "match/play/game_json.h"
#include "run/files/run_log.h"
#include "run/files/verdict_file.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EVIDENCE_LINE_MAX = 1 << 20 };

void evidence_path(const Plan *plan, Str *out, const char *format, ...) {
    va_list args;
    char *name;
    va_start(args, format);
    if (vasprintf(&name, format, args) >= 0) {
        str_addf(out, "%s/%s", plan->folder, name);
        free(name);
    }
    va_end(args);
}

// --- games ---

// Whose games are counted: those of two players, or all of one.
typedef struct Sides {
    Str a, b; // names as JSON has them; `b` empty: anybody
} Sides;

static void name_side(Str *out, const char *name) {
    Str quoted = {0};
    json_add_string(&quoted, name);
    str_append(out, quoted.text + 1, quoted.length - 2);
    str_free(&quoted);
}

static bool is_side(const Str *wanted, StrView name) {
    return wanted->length == 0 || view_equals(name, str_text(wanted));
}

// Games come in the order of the schedule, in which the two of a pair follow each other.
static Status count_line(const Sides *sides, StrView line, uint64_t *counted, MeetingScore *out) {
    GameLine game;
    Status status = game_parse_json(line, &game);
    if (status != OK)
        return status;
    const bool is_white = is_side(&sides->a, game.white) && is_side(&sides->b, game.black);
    const bool is_black = is_side(&sides->a, game.black) && is_side(&sides->b, game.white);
    if (!is_white && !is_black)
        return OK;
    const int points = match_white_points(game.result);
    meeting_add(out, is_white ? points : 2 - points, *counted % 2 == 1);
    ++*counted;
    return OK;
}

static Status count_games(const Plan *plan, const char *step, const Sides *sides,
                          MeetingScore *out) {
    *out = (MeetingScore){0};
    if (!plan_has(plan, step))
        return OK;
    Str path = {0};
    evidence_path(plan, &path, "%s/games.jsonl", step);
    LineReader *lines;
    StrView line;
    uint64_t counted = 0;
    Status status = lines_open(&lines, str_text(&path), EVIDENCE_LINE_MAX);
    if (status == OK) {
        while ((status = lines_next(lines, &line)) == OK && line.text != NULL)
            if ((status = count_line(sides, line, &counted, out)) != OK) {
                error_prefix("%s:%lu", str_text(&path), (unsigned long)lines_number(lines));
                break;
            }
        lines_close(lines);
    }
    str_free(&path);
    return status;
}

Status evidence_meeting(const Plan *plan, const char *step, const char *a, const char *b,
                        MeetingScore *out) {
    Sides sides = {0};
    name_side(&sides.a, a);
    if (b != NULL)
        name_side(&sides.b, b);
    Status status = count_games(plan, step, &sides, out);
    str_free(&sides.a);
    str_free(&sides.b);
    return status;
}

Status evidence_player(const Plan *plan, const char *step, const char *player, MeetingScore *out) {
    return evidence_meeting(plan, step, player, NULL, out);
}

// --- verdicts ---

static Status add_verdict(const char *path, MeetingScore *out) {
    VerdictCounts score;
    const Status status = verdict_file_read(path, &score);
    if (status != OK)
        return status;
    out->games.wins += score.games.wins;
    out->games.draws += score.games.draws;
    out->games.losses += score.games.losses;
    for (int i = 0; i < PAIR_RESULTS; i++)
        out->pairs.results[i] += score.pairs.results[i];
    return OK;
}

Status evidence_verdict(const Plan *plan, const char *step, int runs, MeetingScore *out) {
    *out = (MeetingScore){0};
    if (!plan_has(plan, step))
        return OK;
    Status status = OK;
    for (int run = 1; status == OK && run <= runs; run++) {
        Str path = {0};
        if (runs == 1)
            evidence_path(plan, &path, "%s/verdict.csv", step);
        else
            evidence_path(plan, &path, "%s/run-%02d/verdict.csv", step, run);
        status = add_verdict(str_text(&path), out);
        str_free(&path);
    }
    return status;
}

Status evidence_suite(const Plan *plan, const char *step, SuiteScores *out) {
    *out = (SuiteScores){0};
    if (!plan_has(plan, step))
        return OK;
    Str path = {0};
    evidence_path(plan, &path, "%s.jsonl", step);
    const Status status = suite_scores_read(out, str_text(&path));
    str_free(&path);
    return status;
}

// --- what was printed ---

static Status find_line(LineReader *lines, const char *start, Str *out) {
    const size_t length = strlen(start);
    StrView line;
    Status status;
    while ((status = lines_next(lines, &line)) == OK && line.text != NULL)
        if (line.length >= length && memcmp(line.text, start, length) == 0) {
            const StrView rest = view_trim(view_of(line.text + length, line.length - length));
            str_append(out, rest.text, rest.length);
            return OK;
        }
    return status;
}

Status evidence_line(const Plan *plan, const char *step, const char *start, Str *out) {
    if (!plan_has(plan, step))
        return OK;
    Str path = {0};
    evidence_path(plan, &path, "log/%s.txt", step);
    LineReader *lines;
    Status status = lines_open(&lines, str_text(&path), EVIDENCE_LINE_MAX);
    if (status == OK) {
        status = find_line(lines, start, out);
        lines_close(lines);
    }
    str_free(&path);
    return status;
}

Status evidence_number(const Plan *plan, const char *step, const char *start, double *out) {
    Str text = {0};
    Status status = evidence_line(plan, step, start, &text);
    char *end = text.text;
    *out = text.length == 0 ? (double)NAN : strtod(text.text, &end);
    if (end == text.text || !isfinite(*out))
        *out = (double)NAN;
    str_free(&text);
    return status;
}

// --- ratings ---

static double number_at(StrView line, const char *key) {
    StrView value;
    double number;
    return json_find(line, key, &value) && view_to_number(value, &number) ? number : (double)NAN;
}

static Status find_rating(LineReader *lines, const char *name, EvidenceRating *out) {
    StrView line, value;
    Status status;
    while ((status = lines_next(lines, &line)) == OK && line.text != NULL)
        if (json_find(line, "name", &value) && view_equals(value, name)) {
            *out = (EvidenceRating){
                .elo = number_at(line, "elo"),
                .plus = number_at(line, "plus"),
                .minus = number_at(line, "minus"),
                .games = number_at(line, "games"),
                .score = number_at(line, "score"),
                .draws = number_at(line, "draws"),
            };
            return OK;
        }
    return status;
}

Status evidence_rating(const Plan *plan, const char *step, const char *player,
                       EvidenceRating *out) {
    const double none = (double)NAN;
    *out = (EvidenceRating){none, none, none, none, none, none};
    if (!plan_has(plan, step))
        return OK;
    Str path = {0}, name = {0};
    evidence_path(plan, &path, "log/%s.txt", step);
    name_side(&name, player);
    LineReader *lines;
    Status status = lines_open(&lines, str_text(&path), EVIDENCE_LINE_MAX);
    if (status == OK) {
        status = find_rating(lines, str_text(&name), out);
        lines_close(lines);
    }
    str_free(&path);
    str_free(&name);
    return status;
}

double evidence_seconds(const Plan *plan, const char *step) {
    const Step *found = plan_find(plan, step);
    return found == NULL || found->seconds < 0 ? (double)NAN : found->seconds;
}

Status evidence_run_seconds(const Plan *plan, const char *step, int runs, double *out) {
    Moments times = {0};
    Status status = OK;
    for (int run = 1; status == OK && run <= runs; run++) {
        Str path = {0};
        double seconds;
        evidence_path(plan, &path, "%s/run-%02d", step, run);
        status = run_log_seconds(str_text(&path), &seconds);
        if (status == OK)
            moments_add(&times, seconds);
        str_free(&path);
    }
    *out = times.mean;
    return status;
}
