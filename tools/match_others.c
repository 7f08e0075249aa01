// SPDX-License-Identifier: GPL-3.0-or-later
// Flags that users of cutechess and fastchess type, and that have nothing to do here: they are
// accepted, and a line tells what is done instead.
#include "tools/match_flags.h"
#include "tools/print.h"

#include <string.h>

static const char no_tablebases[] =
    "games are not ended by tablebases; -draw and -resign end them early, and option.SyzygyPath= "
    "gives an engine its own";
static const char no_log[] =
    "no log is written; --jsonl FILE has what came of each game, stderr=FILE an engine's messages";

const OtherFlag match_other_flags[MATCH_OTHERS_MAX] = {
    {"-autosaveinterval", "with --resume FOLDER every game is saved as it ends"},
    {"-bookmode", "openings are always kept in memory"},
    {"-config",
     "files of fastchess are not read; --resume FOLDER keeps a match, and falconer match "
     "--resume FOLDER goes on with it"},
    {"-crc32", "no checksum is written; games are synced to disk every two seconds"},
    {"-debug", no_log},
    {"-force-concurrency", "-concurrency is never lowered, so there is nothing to force"},
    {"-log", no_log},
    {"-outcomeinterval", "how often each outcome came is not shown; --jsonl FILE has all of them"},
    {"-resultformat", "there are two formats of results: -output format=cutechess or fastchess"},
    {"-show-latency", "it is always shown, at the end of matches against a clock"},
    {"-tb", no_tablebases},
    {"-tbadjudicate", no_tablebases},
    {"-tbignore50", no_tablebases},
    {"-tbpieces", no_tablebases},
    {"-testEnv", "games are played and shown as always"},
    {"-use-affinity",
     "engines are not pinned one by one; taskset -c CPUS falconer match ... keeps all "
     "of them on these CPUs"},
    {NULL, NULL},
};

const OtherFlag *match_find_other(const char *name) {
    for (const OtherFlag *flag = match_other_flags; flag->name != NULL; flag++)
        if (strcmp(flag->name, name) == 0)
            return flag;
    return NULL;
}

void match_add_note(MatchArgs *args, const char *flag, const char *text) {
    for (size_t i = 0; i < args->note_count; i++)
        if (strcmp(args->notes[i].text, text) == 0)
            return;
    if (args->note_count < MATCH_NOTES_MAX)
        args->notes[args->note_count++] = (MatchNote){flag, text};
}

void match_print_notes(const MatchArgs *args) {
    for (size_t i = 0; i < args->note_count; i++)
        print_err("falconer match: %s: %s\n", args->notes[i].flag, args->notes[i].text);
}
