// SPDX-License-Identifier: GPL-3.0-or-later
// falconer book: builds a Polyglot opening book from games.
#include "base/mem.h"
#include "chess/book.h"
#include "chess/book_builder.h"
#include "data/player_moves/player_moves.h"
#include "tools/args.h"
#include "tools/commands.h"
#include "tools/print.h"

#include <inttypes.h>

enum { LISTED_MAX = 20 };

typedef struct BookArgs {
    const char *output, *player;
    int max_ply, min_games, min_score;
} BookArgs;

#define ARGS BookArgs
static const ArgOption options[] = {
    ARG("output", 'o', "FILE", OUTPUT, output, "the book to write (.bin)"),
    ARG("player", 'p', "NAME", STRING, player,
        "use the moves of this player only; separate several spellings with ';'"),
    ARG_RANGE("max-ply", 0, "N", INT, max_ply, 1, PGN_PLIES_MAX,
              "use the first N plies of each game (default: 20)"),
    ARG_RANGE("min-games", 0, "N", INT, min_games, 1, 1e9,
              "leave out moves played in fewer games (default: 3)"),
    ARG_RANGE("min-score", 0, "PERCENT", INT, min_score, 0, 100,
              "leave out moves that scored less (default: 0)"),
};

static const ArgSpec spec = {
    .program = "falconer book",
    .positional = "GAMES...",
    .least = 1,
    .summary =
        "Builds a Polyglot opening book from PGN files, plain or compressed. A move weighs 2 "
        "for each win\nand 1 for each draw of the side that played it.",
    .example = ARG_EXAMPLE_GAMES "falconer book games.pgn -o book.bin --min-games 1",
    ARG_TABLE(options),
};

// What was read from all files.
typedef struct BookTotals {
    uint64_t games, cut, skipped, without_result, bad_listed;
} BookTotals;

// Names a game that is not whole; the first few of them.
static void list_bad_game(const char *path, const PgnGame *game, BookTotals *totals) {
    CLEANUP(str_free) Str text = {0};
    if (totals->bad_listed++ >= LISTED_MAX)
        return;
    pgn_describe_problem(game, &text);
    print_err("%s: %s\n", path, str_text(&text));
}

static Status add_games(BookBuilder *builder, PgnReader *reader, const char *path,
                        BookTotals *totals) {
    for (;;) {
        const PgnGame *game;
        TRY(pgn_reader_next(reader, &game));
        if (game == NULL)
            return OK;
        totals->without_result += pgn_result(game) == RESULT_UNKNOWN;
        if (game->problem.kind != PGN_FINE)
            list_bad_game(path, game, totals);
        if (!pgn_is_skipped(game->problem.kind))
            TRY(book_builder_add(builder, game));
    }
}

static Status add_file(BookBuilder *builder, const char *path, BookTotals *totals) {
    CLEANUP(pgn_reader_close_at) PgnReader *reader = NULL;
    TRY(pgn_reader_open(&reader, path));
    TRY(add_games(builder, reader, path, totals));
    const PgnTotals *read = pgn_reader_totals(reader);
    print_out("%s: %" PRIu64 " game%s, %" PRIu64 " cut, %" PRIu64 " skipped; %" PRIu64
              " bytes read of %" PRIu64 " there\n",
              path, read->games, str_plural(read->games), read->cut, read->skipped,
              read->bytes_read, read->bytes_there);
    totals->games += read->games;
    totals->cut += read->cut;
    totals->skipped += read->skipped;
    return OK;
}

static size_t count_positions(const PolyglotEntry *entries, size_t count) {
    size_t positions = 0;
    for (size_t i = 0; i < count; i++)
        positions += i == 0 || entries[i].key != entries[i - 1].key;
    return positions;
}

static void print_totals(const BookTotals *totals) {
    if (totals->bad_listed > LISTED_MAX)
        print_err("(%" PRIu64 " more games with problems: falconer doctor lists them)\n",
                  totals->bad_listed - LISTED_MAX);
    print_out("%" PRIu64 " game%s: %" PRIu64 " cut (used up to the problem), %" PRIu64
              " skipped, %" PRIu64 " without a result (counted as drawn)\n",
              totals->games, str_plural(totals->games), totals->cut, totals->skipped,
              totals->without_result);
}

static Status write_book(const BookBuilder *builder, const BookArgs *args) {
    size_t count;
    CLEANUP(mem_free_at) PolyglotEntry *entries = book_builder_finish(builder, &count);
    if (count == 0)
        return error_set(ERR_ARG,
                         "none of %zu moves passes --min-games %d and --min-score %d: nothing "
                         "was written",
                         book_builder_size(builder), args->min_games, args->min_score);
    TRY(book_write(args->output, entries, count));
    const size_t positions = count_positions(entries, count), played = book_builder_size(builder);
    print_out("%s: %zu move%s in %zu position%s (of %zu move%s played)\n", args->output, count,
              str_plural(count), positions, str_plural(positions), played, str_plural(played));
    return OK;
}

static Status add_player(BookBuilder *builder, const char *player, const ArgStrings *files) {
    CLEANUP(player_games_free) PlayerGames games = {0};
    TRY(player_games_read(&games, &player, 1, (const char *const *)files->items, files->count, 1));
    if (games.count == 0)
        return error_set(ERR_ARG, "none of %" PRIu64 " games is of '%s': nothing was written",
                         games.totals.games, player);
    for (size_t i = 0; i < games.count; i++) {
        const PlayerGame *game = &games.items[i];
        TRY(book_builder_add_side(builder, &game->start, game->moves, game->move_count,
                                  game->result, game->side));
    }
    print_out("%zu of %" PRIu64 " games are of %s\n", games.count, games.totals.games, player);
    return OK;
}

static Status add_all(BookBuilder *builder, const ArgStrings *files) {
    BookTotals totals = {0};
    for (size_t i = 0; i < files->count; i++)
        TRY(add_file(builder, files->items[i], &totals));
    print_totals(&totals);
    return OK;
}

static Status build(const BookArgs *args, const ArgStrings *files) {
    CLEANUP(book_builder_destroy_at)
    BookBuilder *builder = book_builder_create((BookOptions){
        (unsigned)args->max_ply, (unsigned)args->min_games, (unsigned)args->min_score});
    TRY(args->player == NULL ? add_all(builder, files) : add_player(builder, args->player, files));
    return write_book(builder, args);
}

int cmd_book(int argc, char **argv) {
    BookArgs args = {.max_ply = 20, .min_games = 3};
    CLEANUP(arg_strings_free) ArgStrings files = {0};
    TRY_ARGS(args_parse(&spec, argc, argv, &args, &files));
    if (args.output == NULL)
        return args_complain(&spec, "--output is needed");
    chess_init();
    return args_exit(&spec, build(&args, &files));
}
