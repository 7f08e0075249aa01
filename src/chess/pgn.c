// SPDX-License-Identifier: GPL-3.0-or-later
// A game in memory: its tags, moves and result, and what its problems are called.
#include "base/mem.h"
#include "chess/movegen.h"
#include "chess/pgn_scan.h"

#include <stdlib.h>
#include <string.h>

void pgn_game_reset(PgnGame *game) {
    game->tag_count = game->move_count = game->arena_used = 0;
    game->result = game->tag_result = RESULT_UNKNOWN;
    game->notes = 0;
    // A game that was not set up still has the start position: reading it anew would cost 6 %.
    if (game->is_set_up || game->start.fullmove == 0)
        position_set_start(&game->start);
    game->final = game->start;
    game->is_set_up = game->is_passed_over = game->is_chess960 = false;
    game->problem.kind = PGN_FINE;
    game->problem.ply = 0;
    game->problem.offset = 0;
    game->problem.text[0] = game->problem.reason[0] = '\0';
    game->number = game->offset = game->length = 0;
}

void pgn_game_free(PgnGame *game) {
    free(game->moves);
    free(game->arena);
    *game = (PgnGame){0};
}

bool pgn_game_is_valid(const PgnGame *game) {
    Position pos = game->start;
    Undo undo;
    if (game->tag_count > PGN_TAGS_MAX || game->move_count > PGN_PLIES_MAX ||
        game->move_count > game->move_capacity || game->arena_used > PGN_ARENA_SIZE ||
        game->problem.kind >= PGN_PROBLEM_NB || !position_is_ok(&pos))
        return false;
    for (size_t i = 0; i < game->move_count; i++) {
        if (!move_is_legal(&pos, game->moves[i]))
            return false;
        position_make(&pos, game->moves[i], &undo);
    }
    return memcmp(&pos, &game->final, sizeof pos) == 0;
}

static size_t find_tag(const PgnGame *game, const char *name) {
    size_t i = 0;
    while (i < game->tag_count && !view_equals(game->tags[i].name, name))
        i++;
    return i;
}

StrView pgn_tag(const PgnGame *game, const char *name) {
    size_t i = find_tag(game, name);
    return i < game->tag_count ? game->tags[i].value : (StrView){0};
}

bool pgn_keep_text(PgnGame *game, StrView text, StrView *out) {
    if (game->arena == NULL)
        game->arena = mem_alloc(PGN_ARENA_SIZE);
    if (text.length > PGN_ARENA_SIZE - game->arena_used)
        return false;
    char *copy = game->arena + game->arena_used;
    if (text.length > 0)
        memcpy(copy, text.text, text.length);
    game->arena_used += text.length;
    *out = view_of(copy, text.length);
    return true;
}

Status pgn_set_tag(PgnGame *game, const char *name, StrView value) {
    size_t index = find_tag(game, name);
    if (index == PGN_TAGS_MAX)
        return error_set(ERR_LIMIT, "more than %d tags", PGN_TAGS_MAX);
    CLEANUP(str_free) Str utf8 = {0};
    str_add_utf8(&utf8, value);
    PgnTag tag;
    if (!pgn_keep_text(game, view_from_string(name), &tag.name) ||
        !pgn_keep_text(game, view_of(utf8.text, utf8.length), &tag.value))
        return error_set(ERR_LIMIT, "more than %d bytes of tags", PGN_ARENA_SIZE);
    game->tags[index] = tag;
    game->tag_count += index == game->tag_count;
    return OK;
}

void pgn_set_start(PgnGame *game, const Position *start) {
    Position standard;
    position_set_start(&standard);
    game->start = game->final = *start;
    game->is_set_up = memcmp(start, &standard, sizeof standard) != 0;
    game->is_chess960 |= position_is_chess960(start);
}

bool pgn_add_move(PgnGame *game, Move move) {
    if (game->move_count == PGN_PLIES_MAX)
        return false;
    MEM_ADD(game->moves, game->move_count, game->move_capacity) = move;
    Undo undo;
    position_make(&game->final, move, &undo);
    return true;
}

GameResult pgn_result(const PgnGame *game) {
    return game->result != RESULT_UNKNOWN ? game->result : game->tag_result;
}

const char *pgn_result_text(GameResult result) {
    static const char *const texts[] = {
        [RESULT_UNKNOWN] = "*",
        [RESULT_WHITE_WINS] = "1-0",
        [RESULT_BLACK_WINS] = "0-1",
        [RESULT_DRAW] = "1/2-1/2",
    };
    return texts[result];
}

bool pgn_result_from_text(StrView text, GameResult *out) {
    if (view_equals(text, "1/2")) {
        *out = RESULT_DRAW;
        return true;
    }
    for (int i = RESULT_UNKNOWN; i <= RESULT_DRAW; i++)
        if (view_equals(text, pgn_result_text((GameResult)i))) {
            *out = (GameResult)i;
            return true;
        }
    return false;
}

bool pgn_is_game(const PgnGame *game) {
    bool is_game = game->move_count > 0;
    for (size_t i = 0; i < game->tag_count && !is_game; i++)
        is_game = pgn_tag_is_standard(game->tags[i].name);
    return is_game;
}

Status pgn_check_found(uint64_t games, uint64_t real, const char *name) {
    return real > 0 && real >= games / 100
               ? OK
               : error_set(ERR_PARSE, "%s: no games in this file", name);
}

const char *pgn_problem_name(PgnProblemKind kind) {
    static const char *const names[PGN_PROBLEM_NB] = {
        [PGN_FINE] = "no problem",
        [PGN_ILLEGAL_MOVE] = "illegal move",
        [PGN_AMBIGUOUS_MOVE] = "ambiguous move",
        [PGN_NULL_MOVE] = "null move",
        [PGN_NOT_A_MOVE] = "not a move",
        [PGN_OPEN_COMMENT] = "comment never closed",
        [PGN_OPEN_VARIATION] = "variation never closed",
        [PGN_TOO_MANY_MOVES] = "too many moves",
        [PGN_BAD_FEN] = "impossible start position",
        [PGN_CHESS960] = "Chess960 without FEN",
        [PGN_VARIANT] = "variant",
        [PGN_TOO_MANY_TAGS] = "too many tags",
        [PGN_TOO_LONG] = "game too long",
        [PGN_CUT_SHORT] = "file ends in the game",
    };
    return names[kind];
}

void pgn_describe_problem(const PgnGame *game, Str *out) {
    const PgnProblem *problem = &game->problem;
    str_addf(out, "game %llu, byte %llu", (unsigned long long)game->number,
             (unsigned long long)problem->offset);
    if (pgn_is_cut(problem->kind))
        str_addf(out, ", ply %u", problem->ply);
    str_addf(out, ": %s", pgn_problem_name(problem->kind));
    if (problem->text[0] != '\0')
        str_addf(out, " \"%s\"", problem->text);
    if (problem->reason[0] != '\0')
        str_addf(out, " (%s)", problem->reason);
}
