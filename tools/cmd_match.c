// SPDX-License-Identifier: GPL-3.0-or-later
// falconer match: plays games between engines, with cutechess's flags and result lines.
#include "base/descriptors.h"
#include "base/journal.h"
#include "base/mem.h"
#include "base/syncer.h"
#include "match/play/match_worker.h"
#include "match/play/tournament.h"
#include "tools/args.h"
#include "tools/commands.h"
#include "tools/match_show.h"
#include "tools/print.h"
#include "tools/signals.h"
#include "tools/trust.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

// What a match is played with, and where it goes.
typedef struct Event {
    const MatchArgs *args;
    MatchConfig config;
    Match *match;
    Openings *openings;     // NULL: none
    Tournament *tournament; // NULL: kept in no folder
    int pgn_fd, jsonl_fd;   // -1: not wanted
    Syncer *syncer;         // of both
    MatchShow show;
    bool is_failed; // writing failed: the match was broken off
} Event;

static void complain(void) {
    print_failure("falconer match");
}

// --- while games are played ---

static Status append_pgn(const Event *event, const GameRecord *record, const GameNames *names) {
    CLEANUP(str_free) Str text = {0};
    TRY(game_write_pgn(record, names, &text));
    return journal_write(event->pgn_fd, &text);
}

static Status append_jsonl(const Event *event, const MatchGame *game, const GameRecord *record,
                           const GameNames *names) {
    CLEANUP(str_free) Str text = {0};
    game_write_json(record, game, names, 0, &text);
    return journal_write(event->jsonl_fd, &text);
}

static Status keep_game(const Event *event, const MatchGame *game, const GameRecord *record) {
    GameSide sides[COLOR_NB];
    const EngineSpec *engines = event->config.engines;
    match_worker_sides(&engines[game->white], &engines[game->black], sides);
    const char *const *names = event->args->names;
    GameNames labels = {event->args->event, names[game->white], names[game->black], game->round + 1,
                        sides};
    if (event->tournament != NULL)
        TRY(tournament_add(event->tournament, record, game, &labels));
    if (event->pgn_fd >= 0)
        TRY_PREFIX(append_pgn(event, record, &labels), "%s", event->args->pgn);
    if (event->jsonl_fd >= 0)
        TRY_PREFIX(append_jsonl(event, game, record, &labels), "%s", event->args->jsonl);
    if (event->syncer != NULL)
        TRY_PREFIX(syncer_mark_dirty(event->syncer), "%s",
                   event->pgn_fd >= 0 ? event->args->pgn : event->args->jsonl);
    return OK;
}

static void on_start(void *context, const MatchGame *game, uint64_t total) {
    Event *event = context;
    match_show_game_started(&event->show, game, total);
}

static void on_end(void *context, const MatchGame *game, const GameRecord *record,
                   const Tally *tally) {
    (void)tally;
    Event *event = context;
    if (event->is_failed)
        return;
    event->is_failed = keep_game(event, game, record) != OK;
    if (event->is_failed)
        complain();
    // Nobody may be reading us any more (SIGPIPE is ignored because of the engines).
    if (!match_show_game_ended(&event->show, game, record))
        event->is_failed = true;
    if (event->is_failed)
        signals_send();
}

static void print_way_on(const char *folder) {
    CLEANUP(str_free) Str command = {0};
    str_add(&command, "falconer match --resume");
    args_add_word(&command, folder);
    print_out("Go on with: %s\n", str_text(&command));
}

static int play(Event *event) {
    const MatchEvents events = {event, on_start, on_end};
    match_show_begin(&event->show, event->args, event->match);
    Status status = match_play(event->match, &events);
    match_show_end(&event->show);
    if (status != OK) {
        complain();
    } else if (!match_is_over(event->match)) {
        print_out("Stopped after %" PRIu64 " of %" PRIu64 " games\n",
                  match_tally(event->match)->played, match_total(event->match));
        if (event->tournament != NULL)
            print_way_on(event->args->folder);
    } else if (!event->is_failed) {
        return EXIT_DONE;
    }
    return EXIT_FAILED;
}

// --- before and after ---

static Status open_to_append(const char *path, int *fd) {
    if (path == NULL)
        return OK;
    *fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    return *fd >= 0 ? OK : error_set(ERR_IO, "%s: %s", path, strerror(errno));
}

static Status open_folder(Event *event) {
    CLEANUP(str_free) Str config = {0};
    uint64_t lost = 0;
    TRY(match_args_write(event->args, &config));
    TRY(tournament_open(&event->tournament, event->args->folder, str_text(&config),
                        match_args_free_from));
    TRY(tournament_recall(event->tournament, event->match, event->args->names, &lost));
    if (lost > 0)
        print_err("falconer match: the last %" PRIu64
                  " games were reported but are not all in games.pgn: they are played again\n",
                  lost);
    return OK;
}

static Status begin(Event *event, const MatchArgs *args) {
    *event = (Event){.args = args, .pgn_fd = -1, .jsonl_fd = -1};
    event->config = (MatchConfig){
        .engines = args->engines,
        .schedule = {args->kind, (int)args->engine_count, (uint64_t)args->rounds, (int)args->games},
        .sprt = args->has_sprt ? &args->sprt : NULL,
        .ranks = falconer_ranks(),
        .concurrency = (int)args->concurrency,
        .rules = args->rules,
        .cap_ms = args->cap_s * 1000};
    TRY(signals_open(&event->config.cancel_fd));
    if (args->has_openings)
        TRY(openings_load(&event->openings, &args->openings));
    event->config.openings = event->openings;
    TRY_PREFIX(descriptors_check(match_worker_descriptors((size_t)event->config.schedule.players,
                                                          event->config.concurrency)),
               "-concurrency %d", event->config.concurrency);
    event->match = match_new(&event->config);
    if (args->folder != NULL)
        TRY(open_folder(event));
    TRY(open_to_append(args->pgn, &event->pgn_fd));
    TRY(open_to_append(args->jsonl, &event->jsonl_fd));
    const int files[] = {event->pgn_fd, event->jsonl_fd};
    if (event->pgn_fd >= 0 || event->jsonl_fd >= 0)
        event->syncer = syncer_start(files, 2);
    return OK;
}

static int end(Event *event, int exit_code) {
    const int files[] = {event->pgn_fd, event->jsonl_fd};
    if (syncer_stop(event->syncer) != OK) {
        complain();
        exit_code = EXIT_FAILED;
    }
    for (int i = 0; i < 2; i++)
        if (files[i] >= 0 && close(files[i]) != 0)
            exit_code = EXIT_FAILED;
    if (tournament_close(event->tournament) != OK) {
        complain();
        exit_code = EXIT_FAILED;
    }
    match_free(event->match);
    openings_free(event->openings);
    return exit_code;
}

static int begin_and_play(const MatchArgs *args) {
    Event event;
    if (begin(&event, args) == OK)
        return end(&event, play(&event));
    complain();
    return end(&event, EXIT_FAILED);
}

// What is read must not be written, and what is written must be writable.
static int check_paths(const MatchArgs *args) {
    CLEANUP(outputs_free) Outputs paths = {0};
    outputs_add(&paths, OUTPUT_APPENDED, "-pgnout", args->pgn);
    outputs_add(&paths, OUTPUT_APPENDED, "-jsonl", args->jsonl);
    outputs_add(&paths, OUTPUT_FOLDER, "--resume", args->folder);
    outputs_add_members(&paths, "--resume", args->folder, tournament_files);
    outputs_add_input(&paths, args->openings.path);
    for (size_t i = 0; i < args->engine_count; i++)
        args_add_engine(&paths, &args->engines[i]);
    return args_check_outputs("falconer match", &paths);
}

static int finish_and_play(MatchArgs *args) {
    if (match_args_finish(args) != OK)
        return match_args_complain("", error_message());
    TRY_ARGS(check_paths(args));
    return begin_and_play(args);
}

// What a folder names is run only where the folder is the user's own, or trusted on the command
// line.
static int check_and_play(MatchArgs *args, bool is_trusted) {
    CLEANUP(str_free) Str engines = {0};
    for (size_t i = 0; i < args->engine_count; i++) {
        str_add(&engines, " ");
        for (int j = 0; j < args->described[i].count; j++)
            args_add_word(&engines, args->described[i].words[j]);
        str_add(&engines, "\n");
    }
    const bool may_run =
        is_trusted || trust_is_own("falconer match", args->folder, "config", &engines);
    return may_run ? finish_and_play(args) : EXIT_FAILED;
}

// A folder's own words first, then the command line's.
static int play_folder(MatchArgs *args, int argc, char **argv) {
    const bool is_trusted = args->trusts_folder;
    CLEANUP(str_free) Str text = {0};
    if (tournament_read_config(args->folder, &text) != OK) {
        complain();
        return EXIT_FAILED;
    }
    int count;
    CLEANUP(mem_free_at) char **words = match_args_words(text.text, &count);
    match_args_deinit(args);
    int exit_code = match_args_parse(args, count, words);
    if (exit_code == ARGS_GO_ON)
        exit_code = match_args_parse(args, argc - 1, argv + 1);
    if (exit_code == ARGS_GO_ON)
        exit_code = check_and_play(args, is_trusted);
    // The words, which engines are named with, go with this function.
    match_args_deinit(args);
    return exit_code;
}

int cmd_match(int argc, char **argv) {
    CLEANUP(match_args_deinit) MatchArgs args = match_args_init();
    chess_init();
    TRY_ARGS(match_args_parse(&args, argc - 1, argv + 1));
    return args.folder != NULL && args.engine_count == 0 ? play_folder(&args, argc, argv)
                                                         : finish_and_play(&args);
}
