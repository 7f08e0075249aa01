// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/match_show.h"

#include "base/clock.h"
#include "chess/pgn.h"
#include "match/play/standings.h"
#include "tools/print.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum {
    LIVE_LINES_MAX = 20, // of the table, so that it fits on a screen
    DRAW_EVERY_NS = 100000000,
};

static const char rule[] = "--------------------------------------------------\n";

// A setting of both engines: once where it is the same.
static void add_both(const Str *first, const Str *second, Str *out) {
    str_add(out, str_text(first));
    if (strcmp(str_text(first), str_text(second)) != 0)
        str_addf(out, " - %s", str_text(second));
}

static void write_limit(const EngineSpec *spec, Str *out) {
    const Limits *limits = &spec->limits;
    if (limits->move_ms > 0)
        str_addf(out, "%g/move", (double)limits->move_ms / 1000);
    else if (limits->clock.time_ms > 0)
        limits_write_clock(limits, out);
    else if (limits->nodes > 0)
        str_addf(out, "%" PRId64 " nodes", limits->nodes);
    else
        str_addf(out, "%d plies", limits->depth);
}

// NULL, as fastchess has it, where the engine was told nothing.
static void write_option(const EngineSpec *spec, const char *name, const char *unit, Str *out) {
    const char *value = NULL;
    for (size_t i = 0; i < spec->option_count; i++)
        if (strcasecmp(spec->options[i].name, name) == 0)
            value = spec->options[i].value;
    str_add(out, value == NULL ? "NULL" : value);
    str_add(out, value == NULL ? "" : unit);
}

// Limit, threads, hash and openings of two engines.
static void write_setting(const MatchArgs *args, Str *out) {
    static const char *const options[][2] = {{"Threads", "t"}, {"Hash", "MB"}};
    Str sides[2] = {{0}, {0}};
    for (int i = 0; i < 2; i++)
        write_limit(&args->engines[i], &sides[i]);
    add_both(&sides[0], &sides[1], out);
    for (int o = 0; o < 2; o++) {
        for (int i = 0; i < 2; i++) {
            str_clear(&sides[i]);
            write_option(&args->engines[i], options[o][0], options[o][1], &sides[i]);
        }
        str_add(out, ", ");
        add_both(&sides[0], &sides[1], out);
    }
    if (args->has_openings && args->openings.path == NULL) {
        str_addf(out, ", %s", openings_format_names[args->openings.format]);
    } else if (args->has_openings) {
        const char *slash = strrchr(args->openings.path, '/');
        str_addf(out, ", %s", slash == NULL ? args->openings.path : slash + 1);
    }
    for (int i = 0; i < 2; i++)
        str_free(&sides[i]);
}

// Where colours are kept there are none.
static bool shows_pairs(const MatchArgs *args) {
    return !args->hides_pairs && !args->keeps_colors;
}

static void write_block(const MatchArgs *args, const Tally *tally, Str *out) {
    CLEANUP(str_free) Str setting = {0};
    write_setting(args, &setting);
    str_add(out, rule);
    standings_write_block(tally, args->names, 0, 1, shows_pairs(args), str_text(&setting), out);
}

// The score so far: of two engines, or the ranks of many.
static void write_score(const MatchShow *show, Str *out) {
    const MatchArgs *args = show->args;
    const Tally *tally = match_tally(show->match);
    const bool is_block = args->shows_block && tally->players == 2;
    if (is_block)
        write_block(args, tally, out);
    else if (tally->players == 2)
        standings_write_score(tally, args->names, 0, 1, shows_pairs(args), out);
    else
        standings_write_ranks(tally, args->names, out);
    if (args->has_sprt) {
        SprtState state = match_sprt(show->match);
        sprt_describe(&args->sprt, &state, out);
    }
    str_add(out, is_block ? rule : "");
}

// --- the table that stays in place ---

static void wipe_table(MatchShow *show) {
    if (!show->is_live)
        return;
    progress_end(&show->progress);
    if (show->lines > 0)
        print_sequence("\033[%dA\033[J", show->lines);
    show->lines = 0;
}

static void draw_table(MatchShow *show) {
    int64_t now = clock_now_ns();
    if (!show->is_live)
        return;
    show->drawn_ns = now;
    CLEANUP(str_free) Str text = {0};
    write_score(show, &text);
    char *end = text.text;
    for (; *end != '\0' && show->lines < LIVE_LINES_MAX; show->lines++)
        end = strchr(end, '\n') + 1;
    *end = '\0';
    // Lines that are too wide must not wrap, or we would lose count of them.
    print_sequence("\033[?7l");
    print_text(stdout, text.text);
    print_sequence("\033[?7h");
    show->progress.total = match_total(show->match);
    show->progress.shown_ns = 0; // the line was just wiped: it is due
    progress_show(&show->progress, match_tally(show->match)->played, NULL);
}

// --- events ---

void match_show_begin(MatchShow *show, const MatchArgs *args, const Match *match) {
    uint64_t played = match_tally(match)->played;
    *show = (MatchShow){
        .args = args, .match = match, .is_live = !args->is_quiet && isatty(STDOUT_FILENO) == 1};
    progress_start(&show->progress, stdout, "games", match_total(match), played);
    if (played > 0)
        print_out("Going on after %" PRIu64 " of %" PRIu64 " game%s\n", played, match_total(match),
                  str_plural(match_total(match)));
}

void match_show_game_started(MatchShow *show, const MatchGame *game, uint64_t total) {
    const char *const *names = show->args->names;
    if (show->is_live || show->args->is_quiet)
        return;
    print_out("Started game %" PRIu64 " of %" PRIu64 " (%s vs %s)\n", game->index + 1, total,
              names[game->white], names[game->black]);
    fflush(stdout);
}

static void print_game(const MatchShow *show, const MatchGame *game, const GameRecord *record) {
    const char *const *names = show->args->names;
    CLEANUP(str_free) Str ending = {0};
    game_describe_ending(record, &ending);
    if (!show->args->is_quiet)
        print_out("Finished game %" PRIu64 " (%s vs %s): %s {%s}\n", game->index + 1,
                  names[game->white], names[game->black], pgn_result_text(record->result),
                  str_text(&ending));
    fflush(stdout);
    if (record->replays > 0)
        print_err("Note: game %" PRIu64 " was restarted, because falconer was stopped during it\n",
                  game->index + 1);
    if (record->detail[0] != '\0')
        print_err("Warning: game %" PRIu64 ": %s\n", game->index + 1, record->detail);
}

static void note_latency(GameLatency *all, const GameLatency *game) {
    all->count += game->count;
    all->sum_ns += game->sum_ns;
    if (game->max_ns > all->max_ns)
        all->max_ns = game->max_ns;
}

static bool is_due_after(uint64_t played, int64_t interval) {
    return interval > 0 && played % (uint64_t)interval == 0;
}

// Between games: all of it, or the line of the two who have just played. The end has its own.
static void print_score(const MatchShow *show, const MatchGame *game) {
    const MatchArgs *args = show->args;
    const Tally *tally = match_tally(show->match);
    CLEANUP(str_free) Str text = {0};
    if (show->is_live || args->is_quiet || tally->played >= match_total(show->match))
        return;
    if (is_due_after(tally->played, args->interval))
        write_score(show, &text);
    else if (is_due_after(tally->played, args->score_interval) && !args->shows_block)
        standings_write_line(tally, args->names,
                             game->white < game->black ? game->white : game->black,
                             game->white < game->black ? game->black : game->white, &text);
    print_text(stdout, str_text(&text));
}

bool match_show_game_ended(MatchShow *show, const MatchGame *game, const GameRecord *record) {
    bool is_due = clock_now_ns() - show->drawn_ns >= DRAW_EVERY_NS;
    bool is_told = !show->is_live || is_due || record->detail[0] != '\0' || record->replays > 0;
    note_latency(&show->latency, &record->latency);
    // A terminal that gets thousands of games a second is shown what it can show.
    if (is_told) {
        wipe_table(show);
        print_game(show, game, record);
        draw_table(show);
    }
    print_score(show, game);
    return fflush(stdout) == 0;
}

static void write_latency(const GameLatency *latency, Str *out) {
    if (latency->count > 0)
        str_addf(
            out,
            "Latency of the runner, kept out of the engines' time: %.3f ms a move, %.3f at the "
            "most, in %zu moves\n",
            (double)latency->sum_ns / 1e6 / (double)latency->count, (double)latency->max_ns / 1e6,
            latency->count);
}

void match_show_end(MatchShow *show) {
    const Tally *tally = match_tally(show->match);
    int winner = match_winner(show->match);
    CLEANUP(str_free) Str text = {0};
    wipe_table(show);
    if (tally->played == 0)
        return;
    if (tally->players > 2)
        standings_write_meetings(tally, show->args->names, shows_pairs(show->args), &text);
    write_score(show, &text);
    standings_write_faults(tally, show->args->names, &text);
    write_latency(&show->latency, &text);
    if (winner >= 0)
        str_addf(&text, "The knock-out is won by %s\n", show->args->names[winner]);
    print_text(stdout, str_text(&text));
}
