// SPDX-License-Identifier: GPL-3.0-or-later
// What one game gives to a sample.
#include "base/mem.h"
#include "base/rng.h"
#include "chess/movegen.h"
#include "data/game_traits.h"
#include "data/player_moves/player_moves.h"
#include "data/sample/sample_internal.h"

#include <stdlib.h>
#include <string.h>

// What random numbers are drawn for.
enum { USE_KEY, USE_PLIES };
enum { BOTH_SIDES = 1 << WHITE | 1 << BLACK };

// --- which games ---

// The sides that won; none of a drawn or unfinished game.
static unsigned winners(GameResult result) {
    if (result == RESULT_WHITE_WINS)
        return 1 << WHITE;
    return result == RESULT_BLACK_WINS ? 1 << BLACK : 0;
}

static bool is_player(const SampleWorker *worker, StrView text) {
    Name found;
    name_parse(text, &found);
    for (size_t i = 0; i < worker->options->player_count; i++)
        if (name_fits(&found, &worker->players[i]))
            return true;
    return false;
}

static unsigned sides_of_players(const SampleWorker *worker, const PgnGame *game) {
    if (worker->options->player_count == 0)
        return BOTH_SIDES;
    unsigned sides = 0;
    for (Color side = WHITE; side <= BLACK; side++)
        sides |= (unsigned)is_player(worker, game_player(game, side)) << side;
    return sides;
}

// The sides of `sides` that may move as far as ratings go.
static unsigned rated_sides(SampleWorker *worker, const PgnGame *game, unsigned sides) {
    const SampleOptions *options = worker->options;
    unsigned asked = options->elo_of == ELO_OF_MOVER ? sides : BOTH_SIDES, rated = 0;
    int year = game_year(game);
    if (options->min_elo == 0)
        return sides;
    for (Color side = WHITE; side <= BLACK; side++)
        if (asked >> side & 1 &&
            rated_names_rating(worker->names, game_player(game, side), year,
                               game_tag_rating(game, side)) >= options->min_elo)
            rated |= 1u << side;
    if (options->elo_of == ELO_OF_MOVER)
        return rated;
    bool passes = options->elo_of == ELO_OF_BOTH ? rated == BOTH_SIDES : rated != 0;
    return passes ? sides : 0;
}

static void count_ratings(SampleWorker *worker, const PgnGame *game, unsigned sides) {
    unsigned asked = worker->options->elo_of == ELO_OF_MOVER ? sides : BOTH_SIDES;
    for (Color side = WHITE; side <= BLACK; side++)
        if (asked >> side & 1)
            rated_names_count(worker->names, game_player(game, side), game_year(game),
                              game_tag_rating(game, side));
}

static bool is_year_wanted(const SampleOptions *options, int year) {
    if (options->hold_out > 0 &&
        (year == 0 || player_year_is_held_out(year, options->seed, options->hold_out)))
        return false;
    return options->year_high == 0 || (year >= options->year_low && year <= options->year_high);
}

// The sides that the filter lets move, out of those that the filters before it do.
static unsigned apply(SampleWorker *worker, const PgnGame *game, GameResult result,
                      SampleFilter filter, unsigned sides) {
    const SampleOptions *options = worker->options;
    switch (filter) {
    case SAMPLE_YEARS:
        return is_year_wanted(options, game_year(game)) ? sides : 0;
    case SAMPLE_RESULT:
        if (options->results != 0 && (options->results >> result & 1) == 0)
            return 0;
        return options->winner_to_move ? sides & winners(result) : sides;
    case SAMPLE_PLAYER:
        return sides & sides_of_players(worker, game);
    case SAMPLE_ELO:
        return rated_sides(worker, game, sides);
    default:
        return sides;
    }
}

// The sides whose moves may be sampled, 0 when the game does not pass. Counts.
static unsigned filter_game(SampleWorker *worker, const PgnGame *game) {
    unsigned sides = BOTH_SIDES;
    worker->totals.games++;
    if (game->problem.kind != PGN_FINE)
        worker->totals.problems[game->problem.kind]++;
    if (game->problem.kind != PGN_FINE || (game->move_count == 0 && !game->is_passed_over))
        return 0;
    for (SampleFilter filter = SAMPLE_WHOLE; filter < SAMPLE_FILTER_NB && sides != 0; filter++) {
        if (filter == SAMPLE_ELO && worker->options->min_elo != 0)
            count_ratings(worker, game, sides);
        sides = apply(worker, game, pgn_result(game), filter, sides);
        worker->totals.left[filter] += sides != 0;
    }
    return sides;
}

bool sample_wants(void *context, const PgnGame *game) {
    unsigned sides = BOTH_SIDES;
    for (SampleFilter filter = SAMPLE_WHOLE; filter < SAMPLE_FILTER_NB && sides != 0; filter++)
        sides = apply(context, game, game_tag_result(game), filter, sides);
    return sides != 0;
}

// --- which positions ---

// Sets worker->pos to the position after `ply` moves.
static void go_to(SampleWorker *worker, const PgnGame *game, size_t ply) {
    if (ply < worker->pos_ply || worker->pos_ply == SIZE_MAX) {
        worker->pos = game->start;
        worker->pos_ply = 0;
        worker->pos_after_quiet = false;
    }
    for (; worker->pos_ply < ply; worker->pos_ply++) {
        Undo undo;
        Move move = game->moves[worker->pos_ply];
        worker->pos_after_quiet = move_is_quiet(&worker->pos, move);
        position_make(&worker->pos, move, &undo);
    }
}

// Takes away an en passant square that no legal capture uses, so that the same position is written
// the same way wherever it comes from.
static void drop_idle_ep(Position *pos) {
    if (pos->ep == SQUARE_NONE)
        return;
    Position without = *pos;
    without.ep = SQUARE_NONE;
    position_refresh(&without);
    if (without.key == pos->key)
        *pos = without;
}

// Gives the move to White; false when Black is in check, or White could not move.
static bool assume_white(Position *pos) {
    if (position_turn(pos) == BLACK && position_checkers(pos) != 0)
        return false;
    pos->turn = WHITE;
    pos->ep = SQUARE_NONE;
    position_refresh(pos);
    return movegen_has_any(pos);
}

// The position after `ply` moves as it would be sampled; false when it does not pass.
static bool offer(SampleWorker *worker, const PgnGame *game, size_t ply, Position *out) {
    const SampleOptions *options = worker->options;
    go_to(worker, game, ply);
    if (options->after_quiet && !worker->pos_after_quiet)
        return false;
    *out = worker->pos;
    drop_idle_ep(out);
    if (options->assume_white && !assume_white(out))
        return false;
    if (options->phases != 0 &&
        (options->phases >> phase_of_material(phase_material(out)) & 1) == 0)
        return false;
    return !options->quiet || position_is_quiet(out);
}

// Fills worker->plies with those that the filters of plies and sides let pass.
static size_t list_plies(SampleWorker *worker, const PgnGame *game, unsigned sides) {
    const SampleOptions *options = worker->options;
    worker->plies =
        mem_grow(worker->plies, &worker->ply_capacity, game->move_count, sizeof *worker->plies);
    size_t count = 0;
    for (size_t ply = options->ply_low; ply < game->move_count && ply <= options->ply_high; ply++)
        if (sides >> (game->start.turn ^ (ply & 1)) & 1)
            worker->plies[count++] = (uint16_t)ply;
    return count;
}

// --- what is kept of them ---

static void add_plain(Str *str, StrView text) {
    size_t from = str->length;
    str_append(str, text.text, text.length);
    for (size_t i = from; i < str->length; i++) {
        if (str->text[i] == '"')
            str->text[i] = '\'';
        else if ((unsigned char)str->text[i] < ' ' || str->text[i] == 0x7F)
            str->text[i] = ' ';
    }
}

// "Tal, Mikhail - Botvinnik, Mikhail, 1960"; owned by the caller.
static char *label_of(const PgnGame *game) {
    Str text = {0};
    for (Color side = WHITE; side <= BLACK; side++) {
        StrView name = game_player(game, side);
        add_plain(&text, name.length == 0 ? view_from_string("?") : name);
        str_add(&text, side == WHITE ? " - " : ", ");
    }
    int year = game_year(game);
    if (year == 0)
        str_add(&text, "?");
    else
        str_addf(&text, "%d", year);
    return text.text;
}

// Whether the move played is a move of the position as sampled.
static bool keeps_move(const SampleWorker *worker, const Position *sampled, Move move) {
    return sampled->turn == worker->pos.turn &&
           (move_kind(move) != MOVE_EN_PASSANT || sampled->ep != SQUARE_NONE);
}

static Rng random_for(const SampleWorker *worker, uint64_t identity, uint32_t use) {
    return rng_at(worker->options->seed, (uint32_t)identity, (uint32_t)(identity >> 32), use);
}

// Picks plies in random order, or in their own where all are wanted, until enough have passed.
static bool pick_positions(SampleWorker *worker, const PgnGame *game, size_t ply_count,
                           const PassedGame *passed) {
    unsigned wanted = worker->options->per_game;
    Rng rng = random_for(worker, passed->identity, USE_PLIES);
    Rng key_rng = random_for(worker, passed->identity, USE_KEY);
    uint64_t key = rng_u64(&key_rng);
    uint32_t picks = 0;
    for (size_t i = 0; i < ply_count && (wanted == 0 || picks < wanted); i++) {
        if (wanted != 0) {
            size_t other = i + rng_below(&rng, (uint32_t)(ply_count - i));
            uint16_t swapped = worker->plies[i];
            worker->plies[i] = worker->plies[other];
            worker->plies[other] = swapped;
        }
        uint16_t ply = worker->plies[i];
        Position pos;
        if (!offer(worker, game, ply, &pos))
            continue;
        if (sample_choice_wants(&worker->choice, key)) {
            Move move = game->moves[ply];
            const SampleRecord record = {
                .key = key,
                .game = passed->identity,
                .position = pos.key,
                .pick = picks,
                .ply = ply,
                .variant = passed->variant,
                .result = (uint8_t)pgn_result(game),
                .move = keeps_move(worker, &pos, move) ? move : MOVE_NONE,
                .packed = position_pack(&pos),
                .label = label_of(game),
            };
            sample_choice_add(&worker->choice, &record);
        }
        picks++;
    }
    return picks > 0;
}

// True when the last visit is a repetition, which needs moves that can be taken back.
static bool is_repeated(const SampleWorker *worker, size_t first, uint64_t key) {
    for (size_t i = worker->visit_count; i > first; i--)
        if (worker->visits[i - 1].key == key)
            return true;
    return false;
}

// Copies that visit the same positions get the same variant, so that they are counted once.
static bool visit_positions(SampleWorker *worker, const PgnGame *game, size_t ply_count,
                            PassedGame *passed) {
    size_t first = worker->visit_count;
    passed->variant = 0;
    for (size_t i = 0; i < ply_count; i++) {
        Position pos;
        if (!offer(worker, game, worker->plies[i], &pos))
            continue;
        size_t since = worker->visit_count - first;
        size_t reversible = pos.halfmove < since ? worker->visit_count - pos.halfmove : first;
        pos.halfmove = 0;
        pos.fullmove = 1;
        if (is_repeated(worker, reversible, pos.key))
            continue;
        MEM_ADD(worker->visits, worker->visit_count, worker->visit_capacity) =
            (Visit){pos.key, position_pack(&pos)};
        passed->variant += pos.key;
    }
    return worker->visit_count > first;
}

// Whether the game comes to a position that must be kept away from, wherever in the game.
static bool must_be_avoided(SampleWorker *worker, const PgnGame *game) {
    if (worker->options->avoid == NULL)
        return false;
    worker->pos_ply = SIZE_MAX;
    for (size_t ply = 0; ply <= game->move_count; ply++) {
        go_to(worker, game, ply);
        Position sampled = worker->pos;
        if (worker->options->assume_white && !assume_white(&sampled))
            continue;
        if (avoid_set_has(worker->options->avoid, sampled.key))
            return true;
    }
    return false;
}

bool sample_take_game(void *context, const PgnGame *game) {
    SampleWorker *worker = context;
    if (game->is_passed_over && game_tag_result(game) != pgn_result(game))
        return false;
    unsigned sides = filter_game(worker, game);
    if (sides == 0)
        return true;
    if (must_be_avoided(worker, game)) {
        worker->totals.avoided++;
        return true;
    }
    PassedGame passed = {
        .identity = game_hash(game, GAME_COPY_PLIES),
        .variant = game_hash(game, SIZE_MAX) ^ (pgn_result(game) | sides << 2),
    };
    worker->pos_ply = SIZE_MAX;
    size_t ply_count = list_plies(worker, game, sides);
    passed.offers = worker->options->by_frequency
                        ? visit_positions(worker, game, ply_count, &passed)
                        : pick_positions(worker, game, ply_count, &passed);
    passed.visit_end = worker->visit_count;
    MEM_ADD(worker->passed, worker->passed_count, worker->passed_capacity) = passed;
    return true;
}
