// SPDX-License-Identifier: GPL-3.0-or-later
// What a described engine is started with: its words, and the file behind the first of them.
#pragma once

#include "engines/spec.h"

// The words of cmd= and arg=, ended by NULL. A command with blanks that is no file is split at
// them. Free with command_free.
char **command_words(const EngineSpec *spec);
void command_free(char **words);
CLEANUP_AT(char **, command_free)

// Appends the path of the program that would run: a name without a slash is looked for beside
// this one, in PATH and in /usr/games. False when there is none.
bool command_find(const EngineSpec *spec, const char *word, Str *path);
// Appends the path that an argument or the value of an option has if it names a file (weights, a
// network, a script): from dir=.
void command_file_behind(const EngineSpec *spec, const char *word, Str *path);

// Hashes the program that would be started, which tells another process whether it has the same; 0
// for an organism inside the process, or where there is none: starting it will tell.
uint64_t command_program_hash(const EngineSpec *spec);
// ERR_ARG where the program that would be started here has another hash.
MUST_CHECK Status command_program_check(const EngineSpec *spec, uint64_t hash);
