// SPDX-License-Identifier: GPL-3.0-or-later
#include "engines/command.h"

#include "base/file.h"
#include "base/hash.h"
#include "base/locate.h"
#include "base/mem.h"
#include "base/shell.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BLOCK = 1 << 16 };

char **command_words(const EngineSpec *spec) {
    const char *rest = spec->command;
    char **words = NULL;
    size_t count = 0, capacity = 0;
    CLEANUP(str_free) Str word = {0};
    if (strchr(rest, ' ') == NULL || access(rest, X_OK) == 0) {
        words = mem_grow(words, &capacity, 1, sizeof *words);
        words[count++] = mem_copy_string(rest);
        rest = "";
    }
    while (shell_next_word(&rest, &word)) {
        MEM_ADD(words, count, capacity) = mem_copy_string(str_text(&word));
    }
    words = mem_grow(words, &capacity, count + spec->arg_count + 1, sizeof *words);
    for (size_t i = 0; i < spec->arg_count; i++)
        words[count++] = mem_copy_string(spec->args[i]);
    words[count] = NULL;
    return words;
}

void command_free(char **words) {
    for (size_t i = 0; words != NULL && words[i] != NULL; i++)
        free(words[i]);
    free(words);
}

static bool is_program(const char *folder, size_t length, const char *word, Str *path) {
    const size_t start = path->length;
    str_append(path, folder, length);
    str_addf(path, "%s%s", length == 0 ? "" : "/", word);
    if (access(path->text + start, X_OK) == 0)
        return true;
    str_cut(path, start);
    return false;
}

bool command_find(const EngineSpec *spec, const char *word, Str *path) {
    if (strchr(word, '/') != NULL) {
        const char *folder = word[0] == '/' || spec->dir == NULL ? "" : spec->dir;
        return is_program(folder, strlen(folder), word, path);
    }
    CLEANUP(str_free) Str folders = {0};
    const char *const in_path = getenv("PATH");
    locate_program_folder(&folders);
    str_addf(&folders, ":%s:/usr/games", in_path == NULL ? "" : in_path); // Debian's place for them
    for (const char *rest = str_text(&folders); *rest != '\0'; rest += *rest == ':') {
        const size_t length = strcspn(rest, ":");
        if (length > 0 && is_program(rest, length, word, path))
            return true;
        rest += length;
    }
    return false;
}

void command_file_behind(const EngineSpec *spec, const char *word, Str *path) {
    if (word[0] != '/' && spec->dir != NULL)
        str_addf(path, "%s/", spec->dir);
    str_add(path, word);
}

static uint64_t hash_file(const char *path) {
    CLEANUP(file_close_at) FILE *file = fopen(path, "rbe");
    if (file == NULL)
        return 0;
    CLEANUP(mem_free_at) unsigned char *block = mem_alloc(BLOCK);
    uint64_t hash = HASH_START;
    size_t got;
    while ((got = fread(block, 1, BLOCK, file)) > 0)
        hash = hash_words(hash, block, got);
    return hash;
}

uint64_t command_program_hash(const EngineSpec *spec) {
    if (spec->command == NULL)
        return 0;
    CLEANUP(command_free_at) char **words = command_words(spec);
    CLEANUP(str_free) Str path = {0};
    const bool is_found = words[0] != NULL && command_find(spec, words[0], &path);
    return is_found ? hash_file(str_text(&path)) : 0;
}

Status command_program_check(const EngineSpec *spec, uint64_t hash) {
    const uint64_t here = command_program_hash(spec);
    // Where nobody has it, starting it will tell.
    if (here == hash)
        return OK;
    const char *what = here == 0 ? "not there" : hash == 0 ? "there" : "another program";
    return error_set(ERR_ARG, "%s: %s is %s: all ranks must have the same", spec->name,
                     spec->command, what);
}
