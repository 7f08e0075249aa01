// SPDX-License-Identifier: GPL-3.0-or-later
// Input: the files of a tournament's folder. What is refused is refused with the folder's name and
// loses no byte. What is taken up again keeps the games that games.jsonl tells of, whole, and both
// files lose at the most their ends; taken up once more it is the same.
#include "fuzz/scratch.h"
#include "match/play/tournament.h"

#include <string.h>

enum { FILES = 3, PLAYERS = 2, ROUNDS = 8, GAMES = 2 };

static const char *const files[FILES] = {"config", "games.jsonl", "games.pgn"};
static const char *const players[PLAYERS] = {"Tal", "Petrosian"};
static const char config_text[] = "-engine weights=a name=Tal\n-engine weights=b name=Petrosian\n"
                                  "-rounds\n8\n";
static const char free_from[] = "-rounds";

typedef struct Folder {
    Str files[FILES];
} Folder;

static void folder_read(Folder *folder) {
    *folder = (Folder){0};
    for (int i = 0; i < FILES; i++)
        (void)!scratch_read(files[i], &folder->files[i]);
}

static void folder_free(Folder *folder) {
    for (int i = 0; i < FILES; i++)
        str_free(&folder->files[i]);
}

static bool begins_with(const Str *text, const Str *start) {
    return start->length <= text->length &&
           memcmp(str_text(text), str_text(start), start->length) == 0;
}

static bool is_same(const Str *a, const Str *b) {
    return a->length == b->length && begins_with(a, b);
}

static Match *new_match(MatchConfig *config, EngineSpec engines[PLAYERS]) {
    *config = (MatchConfig){.engines = engines,
                            .schedule = {SCHEDULE_ROUND_ROBIN, PLAYERS, ROUNDS, GAMES}};
    return match_new(config);
}

// Opens the folder and takes its games; true, with how many there are, where it is accepted.
static bool recall(uint64_t *games) {
    static EngineSpec engines[PLAYERS] = {{.name = "Tal"}, {.name = "Petrosian"}};
    MatchConfig config;
    Tournament *tournament;
    if (tournament_open(&tournament, scratch_folder(), config_text, free_from) != OK)
        return false;
    Match *match = new_match(&config, engines);
    uint64_t lost;
    const Status status = tournament_recall(tournament, match, players, &lost);
    Str why = {0};
    str_add(&why, error_message());
    *games = match_tally(match)->played;
    MUST_HOLD(tournament_close(tournament) == OK);
    match_free(match);
    if (status != OK)
        error_set(status, "%s", str_text(&why));
    str_free(&why);
    return status == OK;
}

static size_t count_lines(const Str *text) {
    size_t count = 0;
    for (size_t i = 0; i < text->length; i++)
        count += text->text[i] == '\n';
    return count;
}

static void check_taken(const Folder *before, uint64_t games) {
    Folder after, again;
    uint64_t games_again;
    folder_read(&after);
    MUST_HOLD(games <= (uint64_t)ROUNDS * GAMES);
    MUST_HOLD(count_lines(&after.files[1]) == games);
    MUST_HOLD(begins_with(&before->files[1], &after.files[1]));
    MUST_HOLD(begins_with(&before->files[2], &after.files[2]));
    MUST_HOLD(recall(&games_again) && games_again == games);
    folder_read(&again);
    for (int i = 0; i < FILES; i++)
        MUST_HOLD(is_same(&after.files[i], &again.files[i]));
    folder_free(&after);
    folder_free(&again);
}

static void check_refused(const Folder *before) {
    Folder after;
    MUST_HOLD(strstr(error_message(), scratch_folder()) != NULL);
    folder_read(&after);
    for (int i = 1; i < FILES; i++) // the end of config may be written anew
        MUST_HOLD(is_same(&after.files[i], &before->files[i]));
    folder_free(&after);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Folder before;
    uint64_t games;
    chess_init();
    scratch_write_parts(view_of((const char *)data, size), files, FILES);
    folder_read(&before);
    if (recall(&games))
        check_taken(&before, games);
    else
        check_refused(&before);
    folder_free(&before);
    return 0;
}
