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
#include "tools/match_flags.h"
#include "tools/match_show.h"
#include "tools/print.h"
#include "tools/signals.h"
#include "tools/trust.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

// Where games are written to, besides a folder.
typedef enum EventFile { FILE_PGN, FILE_EPD, FILE_JSONL, FILE_NB } EventFile;

// What a match is played with, and where it goes.
typedef struct Event {
    const MatchArgs *args;
    MatchConfig config;
    Match *match;
    Openings *openings;     // NULL: none
    Tournament *tournament; // NULL: kept in no folder
    int files[FILE_NB];     // -1: not wanted
    Syncer *syncer;         // of them
    MatchShow show;
    bool is_failed; // writing failed: the match was broken off
} Event;

static void complain(void) {
    print_failure("falconer match");
}

// --- while games are played ---

static const char *path_of(const MatchArgs *args, int file) {
    return file == FILE_PGN ? args->pgn.path : file == FILE_EPD ? args->epd.path : args->jsonl;
}

static Status append_game(const Event *event, EventFile file, const MatchGame *game,
                          const GameRecord *record, const GameNames *names) {
    CLEANUP(str_free) Str text = {0};
    if (file == FILE_PGN)
        TRY(game_write_pgn_in(record, names, &event->args->style, &text));
    else if (file == FILE_EPD)
        game_write_epd(record, &text);
    else
        game_write_json(record, game, names, 0, &text);
    return journal_write(event->files[file], &text);
}

static Status keep_game(const Event *event, const MatchGame *game, const GameRecord *record) {
    GameSide sides[COLOR_NB];
    const EngineSpec *engines = event->config.engines;
    match_worker_sides(&engines[game->white], &engines[game->black], sides);
    const char *const *names = event->args->names;
    GameNames labels = {
        event->args->event, names[game->white],      names[game->black], game->round + 1, sides,
        event->args->site,  event->args->is_chess960};
    if (event->tournament != NULL)
        TRY(tournament_add(event->tournament, record, game, &labels));
    const char *written = "";
    for (int i = 0; i < FILE_NB; i++) {
        if (event->files[i] < 0)
            continue;
        written = path_of(event->args, i);
        TRY_PREFIX(append_game(event, (EventFile)i, game, record, &labels), "%s", written);
    }
    if (event->syncer != NULL)
        TRY_PREFIX(syncer_mark_dirty(event->syncer), "%s", written);
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
        print_out("Stopped after %" PRIu64 " of %" PRIu64 " game%s\n",
                  match_tally(event->match)->played, match_total(event->match),
                  str_plural(match_total(event->match)));
        if (event->tournament != NULL)
            print_way_on(event->args->folder);
    } else if (!event->is_failed) {
        return EXIT_DONE;
    }
    return EXIT_FAILED;
}

// --- before and after ---

static Status open_to_append(const MatchFile *file, int *fd) {
    if (file->path == NULL)
        return OK;
    const int how = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | (file->is_replaced ? O_TRUNC : 0);
    *fd = open(file->path, how, 0666);
    return *fd >= 0 ? OK : error_set(ERR_IO, "%s: %s", file->path, strerror(errno));
}

static Status open_files(Event *event) {
    const MatchArgs *args = event->args;
    bool has_any = false;
    for (int i = 0; i < FILE_NB; i++) {
        const MatchFile jsonl = {.path = args->jsonl};
        const MatchFile *file = i == FILE_PGN ? &args->pgn : i == FILE_EPD ? &args->epd : &jsonl;
        TRY(open_to_append(file, &event->files[i]));
        has_any = has_any || event->files[i] >= 0;
    }
    if (has_any)
        event->syncer = syncer_start(event->files, FILE_NB);
    return OK;
}

static Status open_folder(Event *event) {
    CLEANUP(str_free) Str config = {0};
    uint64_t lost = 0;
    TRY(match_args_write(event->args, &config));
    TRY(tournament_open(&event->tournament, event->args->folder, str_text(&config),
                        match_args_free_from));
    TRY(tournament_recall(event->tournament, event->match, event->args->names, &lost));
    if (lost > 0)
        print_err(lost == 1
                      ? "falconer match: the last game was reported but is not in games.pgn: it "
                        "is played again\n"
                      : "falconer match: the last %" PRIu64
                        " games were reported but are not all in games.pgn: they are played "
                        "again\n",
                  lost);
    return OK;
}

static Status begin(Event *event, const MatchArgs *args) {
    *event = (Event){.args = args, .files = {-1, -1, -1}};
    event->config = (MatchConfig){.engines = args->engines,
                                  .schedule = {.kind = args->kind,
                                               .players = (int)args->engine_count,
                                               .rounds = (uint64_t)args->rounds,
                                               .games = (int)args->games,
                                               .policy = args->policy,
                                               .keeps_colors = args->keeps_colors,
                                               .reverses_colors = args->reverses_colors},
                                  .sprt = args->has_sprt ? &args->sprt : NULL,
                                  .ranks = falconer_ranks(),
                                  .concurrency = (int)args->concurrency,
                                  .rules = args->rules,
                                  .cap_ms = args->cap_s * 1000,
                                  .wait_ms = args->wait_ms,
                                  .live_folder = args->folder};
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
    return open_files(event);
}

static int end(Event *event, int exit_code) {
    if (syncer_stop(event->syncer) != OK) {
        complain();
        exit_code = EXIT_FAILED;
    }
    for (int i = 0; i < FILE_NB; i++)
        if (event->files[i] >= 0 && close(event->files[i]) != 0)
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
    outputs_add(&paths, OUTPUT_APPENDED, "-pgnout", args->pgn.path);
    outputs_add(&paths, OUTPUT_APPENDED, "-epdout", args->epd.path);
    outputs_add(&paths, OUTPUT_APPENDED, "-jsonl", args->jsonl);
    outputs_add(&paths, OUTPUT_FOLDER, "--resume", args->folder);
    outputs_add_members(&paths, "--resume", args->folder, tournament_files);
    outputs_add_input(&paths, args->openings.path);
    for (size_t i = 0; i < args->engine_count; i++)
        args_add_engine(&paths, &args->engines[i]);
    return args_check_outputs("falconer match", &paths);
}

static int finish_and_play(MatchArgs *args) {
    match_print_notes(args);
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
