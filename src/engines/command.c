// SPDX-License-Identifier: GPL-3.0-or-later
#include "engines/command.h"

#include "base/mem.h"
#include "base/shell.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char **command_words(const EngineSpec *spec) {
    const char *rest = spec->command;
    char **words = NULL;
    size_t count = 0, capacity = 0;
    Str word = {0};
    if (strchr(rest, ' ') == NULL || access(rest, X_OK) == 0) {
        words = mem_grow(words, &capacity, 1, sizeof *words);
        words[count++] = mem_copy_string(rest);
        rest = "";
    }
    while (shell_next_word(&rest, &word)) {
        words = mem_grow(words, &capacity, count + 1, sizeof *words);
        words[count++] = mem_copy_string(str_text(&word));
    }
    words = mem_grow(words, &capacity, count + spec->arg_count + 1, sizeof *words);
    for (size_t i = 0; i < spec->arg_count; i++)
        words[count++] = mem_copy_string(spec->args[i]);
    words[count] = NULL;
    str_free(&word);
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
    path->length = start;
    path->text[start] = '\0';
    return false;
}

bool command_find(const EngineSpec *spec, const char *word, Str *path) {
    if (strchr(word, '/') != NULL) {
        const char *folder = word[0] == '/' || spec->dir == NULL ? "" : spec->dir;
        return is_program(folder, strlen(folder), word, path);
    }
    const char *rest = getenv("PATH");
    for (rest = rest == NULL ? "" : rest; *rest != '\0'; rest += *rest == ':') {
        size_t length = strcspn(rest, ":");
        if (is_program(rest, length, word, path))
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
