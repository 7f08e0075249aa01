// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine_tuning/tune_log.h"

#include "base/file.h"
#include "base/json.h"
#include "chess/pgn.h"

#include <stdio.h>
#include <string.h>

enum { LOG_MAX = 1 << 30 };

static const char *const stage_names[TUNE_STAGE_NB] = {
    [TUNE_RACE] = "race", [TUNE_VERDICT] = "verdict", [TUNE_CONFIRMATION] = "confirmation"};

static Status read_games(TuneLog *log) {
    if (log->games.length == 0)
        return OK;
    TRY(file_read(log->games.path, LOG_MAX, &log->text));
    size_t whole = log->text.length;
    while (whole > 0 && log->text.text[whole - 1] != '\n')
        whole--;
    str_append(&log->rest, log->text.text + whole, log->text.length - whole);
    str_cut(&log->text, whole);
    return OK;
}

static Status open_timings(TuneLog *log, const char *directory, double *race_s, double *verdict_s) {
    CLEANUP(str_free) Str text = {0};
    *race_s = *verdict_s = 0;
    TRY(journal_open(&log->timings, directory, "timings.csv"));
    if (log->timings.length == 0) {
        str_add(&text, "race_seconds,verdict_seconds\n");
        return journal_append(&log->timings, &text);
    }
    TRY(file_read(log->timings.path, LOG_MAX, &text));
    double race, verdict;
    const char *line = str_text(&text), *end;
    // A last line that a killed process left half written is none.
    for (; (end = strchr(line, '\n')) != NULL; line = end + 1)
        if (sscanf(line, "%lf,%lf", &race, &verdict) == 2) {
            *race_s = race;
            *verdict_s = verdict;
        }
    return OK;
}

Status tune_log_open(TuneLog *log, const char *directory, double *race_s, double *verdict_s) {
    TRY(journal_open(&log->games, directory, "games.jsonl"));
    TRY(read_games(log));
    return open_timings(log, directory, race_s, verdict_s);
}

void tune_log_close(TuneLog *log) {
    // Everything has been synced, or its failure told.
    (void)!journal_close(&log->games);
    (void)!journal_close(&log->timings);
    str_free(&log->text);
    str_free(&log->rest);
}

static StrView next_line(const TuneLog *log) {
    const char *start = log->text.text + log->read;
    const char *end = memchr(start, '\n', log->text.length - log->read);
    return view_of(start, (size_t)(end - start));
}

bool tune_log_has_next(const TuneLog *log, TuneStage *stage) {
    StrView value;
    if (log->read >= log->text.length)
        return false;
    *stage = TUNE_RACE;
    for (TuneStage i = TUNE_VERDICT; i < TUNE_STAGE_NB; i++)
        if (json_find(next_line(log), "stage", &value) && view_equals(value, stage_names[i]))
            *stage = i;
    return true;
}

// What a line begins with: everything that is known before the game.
static void write_head(const TuneGame *game, Str *out) {
    str_addf(out, "{\"stage\":\"%s\",\"batch\":%llu,\"game\":%llu,\"opening\":%llu,",
             stage_names[game->stage], (unsigned long long)game->batch,
             (unsigned long long)game->index, (unsigned long long)game->opening);
    str_addf(out, "\"white\":\"%s\",\"black\":\"%s\",", game->white, game->black);
}

// Each fault has a number of its own, behind those of other endings.
static int ending_number(const GameRecord *record) {
    const Fault fault = record->fault == FAULT_REFUSED ? FAULT_CRASHED : record->fault;
    return fault == FAULT_NONE ? (int)record->ending : (int)ENDING_FAULT + (int)fault - 1;
}

static bool take_points(StrView line, int *out) {
    StrView result;
    if (!json_find(line, "result", &result))
        return false;
    for (int points = 0; points <= 2; points++) {
        static const GameResult results[] = {RESULT_BLACK_WINS, RESULT_DRAW, RESULT_WHITE_WINS};
        *out = points;
        if (view_equals(result, pgn_result_text(results[points])))
            return true;
    }
    return false;
}

Status tune_log_take(TuneLog *log, const TuneGame *game, int *points, Fault *fault) {
    CLEANUP(str_free) Str head = {0};
    StrView line = next_line(log);
    int64_t number = ENDING_NONE;
    write_head(game, &head);
    const bool is_same =
        line.length >= head.length && memcmp(line.text, head.text, head.length) == 0;
    log->line++;
    if (!is_same || !take_points(line, points) || !json_find_int(line, "ending", &number) ||
        number <= ENDING_NONE || number > ENDING_FAULT + FAULT_CANCELLED - 1)
        return error_set(ERR_PARSE,
                         "%s:%llu: this is not the game that the run's settings lead to: was "
                         "config.ini, or this file, changed?",
                         log->games.path, (unsigned long long)log->line);
    *fault = number < ENDING_FAULT ? FAULT_NONE : (Fault)(number - ENDING_FAULT + 1);
    log->read += line.length + 1;
    return OK;
}

// Cuts off what a killed process wrote of this game; anything else is not ours to cut.
static Status cut_rest(TuneLog *log, const Str *head) {
    const size_t length = log->rest.length < head->length ? log->rest.length : head->length;
    if (log->rest.length == 0)
        return OK;
    if (memcmp(log->rest.text, head->text, length) != 0)
        return error_set(ERR_PARSE,
                         "%s: ends with '%s', which is not the beginning of the next game's line: "
                         "was it put there by something else? Move it away to go on",
                         log->games.path,
                         view_shown(view_of(log->rest.text, log->rest.length)).text);
    str_clear(&log->rest);
    return journal_cut(&log->games, log->text.length);
}

Status tune_log_add(TuneLog *log, const TuneGame *game, const GameRecord *record) {
    CLEANUP(str_free) Str text = {0};
    CLEANUP(str_free) Str words = {0};
    write_head(game, &text);
    TRY(cut_rest(log, &text));
    game_describe_ending(record, &words);
    str_addf(&text, "\"result\":\"%s\",\"ending\":%d,\"words\":", pgn_result_text(record->result),
             ending_number(record));
    json_add_string(&text, str_text(&words));
    str_addf(&text, ",\"plies\":%zu", record->count);
    if (record->detail[0] != '\0') {
        str_add(&text, ",\"detail\":");
        json_add_string(&text, record->detail);
    }
    str_add(&text, "}\n");
    return journal_append(&log->games, &text);
}

Status tune_log_sync(TuneLog *log) {
    return journal_sync(&log->games);
}

Status tune_log_add_times(TuneLog *log, double race_s, double verdict_s) {
    CLEANUP(str_free) Str line = {0};
    str_addf(&line, "%.3f,%.3f\n", race_s, verdict_s);
    return journal_append(&log->timings, &line);
}
