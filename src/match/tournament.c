// SPDX-License-Identifier: GPL-3.0-or-later
#include "match/tournament.h"

#include "base/file.h"
#include "base/folder.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CONFIG_MAX = 1 << 24 };

struct Tournament {
    char *directory;
    int lock, pgn, jsonl; // descriptors
    uint64_t pgn_bytes;
};

static Status fail(const char *directory, const char *name) {
    return error_set(ERR_IO, "%s/%s: %s", directory, name, strerror(errno));
}

static char *path_of(const char *directory, const char *name) {
    Str path = {0};
    str_addf(&path, "%s/%s", directory, name);
    return path.text;
}

bool tournament_exists(const char *directory) {
    char *path = path_of(directory, "config");
    bool exists = access(path, F_OK) == 0;
    free(path);
    return exists;
}

Status tournament_read_config(const char *directory, Str *out) {
    if (!tournament_exists(directory))
        return error_set(ERR_IO, "%s holds no tournament: there is no file 'config'", directory);
    char *path = path_of(directory, "config");
    Status status = file_read(path, CONFIG_MAX, out);
    free(path);
    return status;
}

// --- opening ---

static StrView cut_line(StrView *rest) {
    const char *end = memchr(rest->text, '\n', rest->length);
    size_t length = end == NULL ? rest->length : (size_t)(end - rest->text);
    StrView line = view_of(rest->text, length);
    size_t used = length + (end != NULL);
    *rest = view_of(rest->text + used, rest->length - used);
    return line;
}

// Fails at the first line that differs.
static Status compare_config(const char *directory, const Str *was, const char *now,
                             const char *free_from) {
    StrView old_rest = view_of(str_text(was), was->length), new_rest = view_from_string(now);
    while (old_rest.length > 0 || new_rest.length > 0) {
        StrView old_line = cut_line(&old_rest), new_line = cut_line(&new_rest);
        bool is_same = old_line.length == new_line.length &&
                       memcmp(old_line.text, new_line.text, old_line.length) == 0;
        if (!is_same)
            return error_set(ERR_ARG,
                             "%s was begun with '%.*s', not '%.*s': go on with what it was begun "
                             "with (--resume %s alone does), or name another folder",
                             directory, (int)old_line.length, old_line.text, (int)new_line.length,
                             new_line.text, directory);
        if (view_equals(new_line, free_from))
            break;
    }
    return OK;
}

static Status settle_config(const char *directory, const char *config, const char *free_from) {
    Str was = {0};
    Status status = OK;
    if (tournament_exists(directory))
        status = tournament_read_config(directory, &was);
    if (status == OK && was.length > 0)
        status = compare_config(directory, &was, config, free_from);
    if (status == OK && strcmp(str_text(&was), config) != 0) {
        char *path = path_of(directory, "config");
        status = file_write(path, config, strlen(config));
        free(path);
    }
    str_free(&was);
    return status;
}

static Status open_file(const Tournament *tournament, const char *name, int *fd) {
    char *path = path_of(tournament->directory, name);
    *fd = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    free(path);
    return *fd >= 0 ? OK : fail(tournament->directory, name);
}

Status tournament_open(Tournament **out, const char *directory, const char *config,
                       const char *free_from) {
    Tournament *tournament = mem_alloc_zero(1, sizeof *tournament);
    *tournament =
        (Tournament){.directory = mem_copy_string(directory), .lock = -1, .pgn = -1, .jsonl = -1};
    Status status = folder_create(directory);
    if (status == OK)
        status = folder_lock(directory, "tournament", &tournament->lock);
    if (status == OK)
        temporary_sweep_folder(directory);
    if (status == OK)
        status = settle_config(directory, config, free_from);
    if (status == OK)
        status = open_file(tournament, "games.pgn", &tournament->pgn);
    if (status == OK)
        status = open_file(tournament, "games.jsonl", &tournament->jsonl);
    if (status == OK) {
        *out = tournament;
        return OK;
    }
    // Nothing was written: closing has nothing to tell, and its reason would hide ours.
    Str reason = {0};
    str_add(&reason, error_message());
    (void)!tournament_close(tournament);
    error_set(status, "%s", str_text(&reason));
    str_free(&reason);
    return status;
}

// --- games played before ---

static bool is_name(StrView written, const char *name) {
    Str json = {0};
    json_add_string(&json, name);
    bool is_same = written.length + 2 == json.length &&
                   memcmp(written.text, json.text + 1, written.length) == 0;
    str_free(&json);
    return is_same;
}

static Status recall_line(Tournament *tournament, Match *match, const char *const *names,
                          StrView line) {
    GameLine told;
    MatchGame game;
    Status status = game_parse_json(line, &told);
    if (status != OK)
        return status;
    if (!match_recall(match, &game))
        return error_set(ERR_PARSE, "the tournament has fewer games now than were played: give it "
                                    "as many -rounds as before, or more");
    if (told.number != game.index + 1 || !is_name(told.white, names[game.white]) ||
        !is_name(told.black, names[game.black]))
        return error_set(ERR_PARSE, "here belongs game %" PRIu64 ", %s vs %s", game.index + 1,
                         names[game.white], names[game.black]);
    if (told.pgn_bytes <= tournament->pgn_bytes)
        return error_set(ERR_PARSE, "pgn_bytes does not grow");
    tournament->pgn_bytes = told.pgn_bytes;
    match_recall_result(match, &game, told.result, told.ending);
    return OK;
}

// Reads all whole lines; `length` is what they take.
static Status recall_lines(Tournament *tournament, Match *match, const char *const *names,
                           FILE *file, off_t *length) {
    char *text = NULL;
    size_t capacity = 0;
    ssize_t got;
    Status status = OK;
    uint64_t number = 0;
    *length = 0;
    while (status == OK && (got = getline(&text, &capacity, file)) > 0 && text[got - 1] == '\n') {
        number++;
        status = recall_line(tournament, match, names, view_of(text, (size_t)got - 1));
        if (status != OK)
            error_prefix("%s/games.jsonl:%" PRIu64, tournament->directory, number);
        *length += got;
    }
    if (status == OK && ferror(file))
        status = fail(tournament->directory, "games.jsonl");
    free(text);
    return status;
}

static Status cut_files(const Tournament *tournament, off_t jsonl_length) {
    struct stat pgn;
    if (fstat(tournament->pgn, &pgn) != 0)
        return fail(tournament->directory, "games.pgn");
    if ((uint64_t)pgn.st_size < tournament->pgn_bytes)
        return error_set(ERR_PARSE, "%s/games.pgn is shorter than games.jsonl says: put it back",
                         tournament->directory);
    if (ftruncate(tournament->pgn, (off_t)tournament->pgn_bytes) != 0)
        return fail(tournament->directory, "games.pgn");
    if (ftruncate(tournament->jsonl, jsonl_length) != 0)
        return fail(tournament->directory, "games.jsonl");
    return OK;
}

Status tournament_recall(Tournament *tournament, Match *match, const char *const *names) {
    int copy = fcntl(tournament->jsonl, F_DUPFD_CLOEXEC, 0);
    FILE *file = copy < 0 ? NULL : fdopen(copy, "r");
    off_t length;
    if (file == NULL)
        return fail(tournament->directory, "games.jsonl");
    Status status = recall_lines(tournament, match, names, file, &length);
    fclose(file);
    return status == OK ? cut_files(tournament, length) : status;
}

// --- games played now ---

Status tournament_append(int fd, const Str *text) {
    for (size_t done = 0; done < text->length;) {
        ssize_t wrote = write(fd, text->text + done, text->length - done);
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote < 0)
            return error_set(ERR_IO, "%s", strerror(errno));
        done += (size_t)wrote;
    }
    return OK;
}

Status tournament_add(Tournament *tournament, const GameRecord *record, const MatchGame *game,
                      const GameNames *names) {
    Str text = {0};
    const char *file = "games.pgn";
    Status status = game_write_pgn(record, names, &text);
    if (status == OK)
        status = tournament_append(tournament->pgn, &text);
    // The game counts from here on, and it is in the PGN already.
    if (status == OK) {
        file = "games.jsonl";
        tournament->pgn_bytes += text.length;
        str_clear(&text);
        game_write_json(record, game, names, tournament->pgn_bytes, &text);
        status = tournament_append(tournament->jsonl, &text);
    }
    if (status != OK)
        error_prefix("%s/%s", tournament->directory, file);
    str_free(&text);
    return status;
}

Status tournament_close(Tournament *tournament) {
    if (tournament == NULL)
        return OK;
    Status status = OK;
    const int files[] = {tournament->pgn, tournament->jsonl};
    const char *const names[] = {"games.pgn", "games.jsonl"};
    for (int i = 0; i < 2; i++)
        if (files[i] >= 0 && (fsync(files[i]) != 0 || close(files[i]) != 0))
            status = fail(tournament->directory, names[i]);
    folder_unlock(tournament->lock);
    free(tournament->directory);
    free(tournament);
    return status;
}
