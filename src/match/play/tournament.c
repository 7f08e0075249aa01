// SPDX-License-Identifier: GPL-3.0-or-later
#include "match/play/tournament.h"

#include "base/file.h"
#include "base/folder.h"
#include "base/mem.h"
#include "base/shell.h"
#include "base/temporary.h"
#include "match/play/tournament_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CONFIG_MAX = 1 << 24 };

const char *const tournament_files[] = {"config", "games.pgn", "games.jsonl", NULL};

Status tournament_fail(const Tournament *tournament, const char *name) {
    return error_set(ERR_IO, "%s/%s: %s", tournament->directory, name, strerror(errno));
}

static char *path_of(const char *directory, const char *name) {
    Str path = {0};
    str_addf(&path, "%s/%s", directory, name);
    return path.text;
}

bool tournament_exists(const char *directory) {
    CLEANUP(mem_free_at) char *path = path_of(directory, "config");
    return access(path, F_OK) == 0;
}

Status tournament_read_config(const char *directory, Str *out) {
    if (!tournament_exists(directory))
        return error_set(ERR_IO, "%s holds no tournament: there is no file 'config'", directory);
    CLEANUP(mem_free_at) char *path = path_of(directory, "config");
    return file_read(path, CONFIG_MAX, out);
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

static Status refuse_config(const char *directory, StrView was, StrView now) {
    CLEANUP(str_free) Str word = {0};
    shell_quote(&word, directory);
    return error_set(ERR_ARG,
                     "%s was begun with '%.*s', not '%.*s': go on with what it was begun "
                     "with (--resume %s alone does), or name another folder",
                     directory, (int)was.length, was.text, (int)now.length, now.text, word.text);
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
            return refuse_config(directory, old_line, new_line);
        if (view_equals(new_line, free_from))
            break;
    }
    return OK;
}

static Status write_config(const char *directory, const char *config, const char *free_from) {
    CLEANUP(str_free) Str was = {0};
    if (tournament_exists(directory))
        TRY(tournament_read_config(directory, &was));
    else
        TRY(folder_check_unused(directory, tournament_files + 1,
                                "a new tournament (there is no 'config')"));
    if (was.length > 0)
        TRY(compare_config(directory, &was, config, free_from));
    if (strcmp(str_text(&was), config) == 0)
        return OK;
    CLEANUP(mem_free_at) char *path = path_of(directory, "config");
    return file_write(path, config, strlen(config));
}

static Status open_file(const Tournament *tournament, const char *name, int *fd) {
    CLEANUP(mem_free_at) char *path = path_of(tournament->directory, name);
    *fd = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    return *fd >= 0 ? OK : tournament_fail(tournament, name);
}

static bool has_bytes(const Tournament *tournament, const char *name, bool *is_there) {
    CLEANUP(mem_free_at) char *path = path_of(tournament->directory, name);
    struct stat info;
    *is_there = stat(path, &info) == 0;
    return *is_there && info.st_size > 0;
}

static Status open_games(Tournament *tournament) {
    bool is_pgn_there, is_jsonl_there;
    (void)has_bytes(tournament, "games.jsonl", &is_jsonl_there);
    if (has_bytes(tournament, "games.pgn", &is_pgn_there) && !is_jsonl_there)
        return error_set(ERR_PARSE,
                         "%s/games.jsonl is missing, which says what the games in games.pgn are: "
                         "put it back, or name another folder",
                         tournament->directory);
    TRY(open_file(tournament, "games.pgn", &tournament->pgn));
    TRY(open_file(tournament, "games.jsonl", &tournament->jsonl));
    // Their names are on the disk before their games are.
    (void)fsync(tournament->lock);
    return OK;
}

static Status open_folder(Tournament *tournament, const char *config, const char *free_from) {
    const char *directory = tournament->directory;
    TRY(folder_create(directory));
    TRY(folder_lock(directory, "tournament", &tournament->lock));
    temporary_sweep_folder(directory);
    TRY(write_config(directory, config, free_from));
    return open_games(tournament);
}

Status tournament_open(Tournament **out, const char *directory, const char *config,
                       const char *free_from) {
    Tournament *tournament = mem_alloc_zero(1, sizeof *tournament);
    *tournament =
        (Tournament){.directory = mem_copy_string(directory), .lock = -1, .pgn = -1, .jsonl = -1};
    const Status status = open_folder(tournament, config, free_from);
    if (status == OK) {
        *out = tournament;
        return OK;
    }
    // Nothing was written: closing has nothing to tell, and its reason would hide ours.
    CLEANUP(str_free) Str reason = {0};
    str_add(&reason, error_message());
    (void)!tournament_close(tournament);
    return error_set(status, "%s", str_text(&reason));
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

static Status tell_syncer(Tournament *tournament) {
    const int files[] = {tournament->pgn, tournament->jsonl};
    if (tournament->syncer == NULL)
        tournament->syncer = syncer_start(files, 2);
    return syncer_tell(tournament->syncer);
}

Status tournament_add(Tournament *tournament, const GameRecord *record, const MatchGame *game,
                      const GameNames *names) {
    CLEANUP(str_free) Str text = {0};
    TRY_PREFIX(game_write_pgn(record, names, &text), "%s/games.pgn", tournament->directory);
    TRY_PREFIX(tournament_append(tournament->pgn, &text), "%s/games.pgn", tournament->directory);
    // The game counts from here on, and it is in the PGN already.
    tournament->pgn_bytes += text.length;
    str_clear(&text);
    game_write_json(record, game, names, tournament->pgn_bytes, &text);
    TRY_PREFIX(tournament_append(tournament->jsonl, &text), "%s/games.jsonl",
               tournament->directory);
    TRY_PREFIX(tell_syncer(tournament), "%s/games.jsonl", tournament->directory);
    return OK;
}

Status tournament_close(Tournament *tournament) {
    if (tournament == NULL)
        return OK;
    Status status = syncer_stop(tournament->syncer);
    const int files[] = {tournament->pgn, tournament->jsonl};
    const char *const names[] = {"games.pgn", "games.jsonl"};
    if (status != OK)
        error_prefix("%s", tournament->directory);
    for (int i = 0; i < 2; i++)
        if (files[i] >= 0 && close(files[i]) != 0)
            status = tournament_fail(tournament, names[i]);
    folder_unlock(tournament->lock);
    free(tournament->directory);
    free(tournament);
    return status;
}
