// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine_tuning/tune_log.h"

#include "base/file.h"
#include "base/json.h"
#include "chess/pgn.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LOG_MAX = 1 << 30 };

static const char *const stage_names[] = {[TUNE_RACE] = "race", [TUNE_VERDICT] = "verdict"};

static Status fail(const TuneLog *log) {
    return error_set(ERR_IO, "%s: %s", log->path, strerror(errno));
}

static Status read_all(TuneLog *log) {
    struct stat is;
    if (fstat(log->fd, &is) != 0)
        return fail(log);
    if (is.st_size == 0)
        return OK;
    Status status = file_read(log->path, LOG_MAX, &log->text);
    if (status != OK)
        return status;
    size_t whole = log->text.length;
    while (whole > 0 && log->text.text[whole - 1] != '\n')
        whole--;
    str_append(&log->rest, log->text.text + whole, log->text.length - whole);
    log->text.length = whole;
    return OK;
}

Status tune_log_open(TuneLog *log, const char *directory) {
    Str path = {0};
    str_addf(&path, "%s/games.jsonl", directory);
    *log = (TuneLog){.path = path.text};
    log->fd = open(log->path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    Status status = log->fd >= 0 ? read_all(log) : fail(log);
    if (status != OK)
        tune_log_close(log);
    return status;
}

void tune_log_close(TuneLog *log) {
    if (log->fd >= 0)
        close(log->fd);
    free(log->path);
    str_free(&log->text);
    str_free(&log->rest);
    *log = (TuneLog){.fd = -1};
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
    *stage =
        json_find(next_line(log), "stage", &value) && view_equals(value, stage_names[TUNE_VERDICT])
            ? TUNE_VERDICT
            : TUNE_RACE;
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
    Str head = {0};
    StrView line = next_line(log);
    int64_t number = ENDING_NONE;
    write_head(game, &head);
    const bool is_same =
        line.length >= head.length && memcmp(line.text, head.text, head.length) == 0;
    str_free(&head);
    log->line++;
    if (!is_same || !take_points(line, points) || !json_find_int(line, "ending", &number) ||
        number <= ENDING_NONE || number > ENDING_FAULT + FAULT_CANCELLED - 1)
        return error_set(ERR_PARSE,
                         "%s:%llu: this is not the game that the run's settings lead to: was "
                         "config.ini, or this file, changed?",
                         log->path, (unsigned long long)log->line);
    *fault = number < ENDING_FAULT ? FAULT_NONE : (Fault)(number - ENDING_FAULT + 1);
    log->read += line.length + 1;
    return OK;
}

static Status append(const TuneLog *log, const Str *text) {
    for (size_t done = 0; done < text->length;) {
        const ssize_t wrote = write(log->fd, text->text + done, text->length - done);
        if (wrote < 0 && errno != EINTR)
            return fail(log);
        done += wrote < 0 ? 0 : (size_t)wrote;
    }
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
                         log->path, view_shown(view_of(log->rest.text, log->rest.length)).text);
    str_clear(&log->rest);
    return ftruncate(log->fd, (off_t)log->text.length) == 0 ? OK : fail(log);
}

Status tune_log_add(TuneLog *log, const TuneGame *game, const GameRecord *record) {
    Str text = {0}, words = {0};
    write_head(game, &text);
    const Status cut = cut_rest(log, &text);
    if (cut != OK) {
        str_free(&text);
        return cut;
    }
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
    const Status status = append(log, &text);
    str_free(&text);
    str_free(&words);
    return status;
}

Status tune_log_sync(TuneLog *log) {
    return fdatasync(log->fd) == 0 ? OK : fail(log);
}
