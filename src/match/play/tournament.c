// SPDX-License-Identifier: GPL-3.0-or-later
#include "match/play/tournament.h"

#include "base/file.h"
#include "base/folder.h"
#include "base/mem.h"
#include "base/shell.h"
#include "base/temporary.h"
#include "match/play/live_games.h"
#include "match/play/tournament_internal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CONFIG_MAX = 1 << 24 };

const char *const tournament_files[] = {"config", "games.pgn", "games.jsonl", live_games_file,
                                        NULL};

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

// Of a hash only the value counts: version 0.2 wrote the path of the file behind it, not its name.
static StrView what_counts(StrView line) {
    static const char words[] = " is the hash of ";
    const char *const at = memmem(line.text, line.length, words, sizeof words - 1);
    return line.length > 0 && line.text[0] == '#' && at != NULL
               ? view_of(line.text, (size_t)(at - line.text))
               : line;
}

static bool is_same_line(StrView was, StrView now) {
    const StrView before = what_counts(was), after = what_counts(now);
    return before.length == after.length && memcmp(before.text, after.text, after.length) == 0;
}

// Fails at the first line that differs.
static Status compare_config(const char *directory, const Str *was, const char *now,
                             const char *free_from) {
    StrView old_rest = view_of(str_text(was), was->length), new_rest = view_from_string(now);
    while (old_rest.length > 0 || new_rest.length > 0) {
        StrView old_line = cut_line(&old_rest), new_line = cut_line(&new_rest);
        if (!is_same_line(old_line, new_line))
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
    TRY(journal_open(&tournament->pgn, tournament->directory, "games.pgn"));
    TRY(journal_open(&tournament->jsonl, tournament->directory, "games.jsonl"));
    // Their names are on the disk before their games are.
    (void)fsync(tournament->lock);
    return OK;
}

// What a killed process told of games that nobody plays any more. The folder is a tournament's.
static void forget_live_games(const char *directory) {
    CLEANUP(mem_free_at) char *path = path_of(directory, live_games_file);
    (void)unlink(path);
}

static Status open_folder(Tournament *tournament, const char *config, const char *free_from) {
    const char *directory = tournament->directory;
    TRY(folder_create(directory));
    TRY(folder_lock(directory, "tournament", &tournament->lock));
    temporary_sweep_folder(directory);
    TRY(write_config(directory, config, free_from));
    forget_live_games(directory);
    return open_games(tournament);
}

Status tournament_open(Tournament **out, const char *directory, const char *config,
                       const char *free_from) {
    Tournament *tournament = mem_alloc_zero(1, sizeof *tournament);
    *tournament = (Tournament){.directory = mem_copy_string(directory),
                               .lock = -1,
                               .pgn = JOURNAL_NONE,
                               .jsonl = JOURNAL_NONE};
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

static Status tell_syncer(Tournament *tournament) {
    const int files[] = {tournament->pgn.fd, tournament->jsonl.fd};
    if (tournament->syncer == NULL)
        tournament->syncer = syncer_start(files, 2);
    return syncer_mark_dirty(tournament->syncer);
}

Status tournament_add(Tournament *tournament, const GameRecord *record, const MatchGame *game,
                      const GameNames *names) {
    CLEANUP(str_free) Str text = {0};
    TRY_PREFIX(game_write_pgn(record, names, &text), "%s", tournament->pgn.path);
    TRY(journal_append(&tournament->pgn, &text));
    // The game counts from here on, and it is in the PGN already.
    str_clear(&text);
    game_write_json(record, game, names, tournament->pgn.length, &text);
    TRY(journal_append(&tournament->jsonl, &text));
    TRY_PREFIX(tell_syncer(tournament), "%s", tournament->jsonl.path);
    return OK;
}

Status tournament_close(Tournament *tournament) {
    if (tournament == NULL)
        return OK;
    Status status = syncer_stop(tournament->syncer);
    if (status != OK)
        error_prefix("%s", tournament->directory);
    Journal *journals[] = {&tournament->pgn, &tournament->jsonl};
    for (int i = 0; i < 2; i++) {
        const Status closed = journal_close(journals[i]);
        status = closed == OK ? status : closed;
    }
    folder_unlock(tournament->lock);
    free(tournament->directory);
    free(tournament);
    return status;
}
