// SPDX-License-Identifier: GPL-3.0-or-later
// What the doctor looks for in games.
#include "chess/castling.h"
#include "data/doctor/doctor_internal.h"
#include "data/game_traits.h"

#include <inttypes.h>
#include <string.h>

// Who may still castle has king and rook where the game began.
static void castle(const PgnGame *game, Move move, Piece board[SQUARE_NB]) {
    const Color color = piece_color(board[move_from(move)]);
    const CastlingSquares at = castling_squares(&game->start, color, castling_is_king_side(move));
    board[at.king_from] = board[at.rook_from] = PIECE_NONE;
    board[at.king_to] = piece_make(color, KING);
    board[at.rook_to] = piece_make(color, ROOK);
}

// Counts the phases of all positions that the game passes through, on a board of its own: en
// passant takes nothing that counts.
static void count_phases(const PgnGame *game, uint64_t counts[PHASE_NB]) {
    Piece board[SQUARE_NB];
    unsigned material = 0;
    memcpy(board, game->start.board, sizeof board);
    for (Square s = 0; s < SQUARE_NB; s++)
        material += phase_values[piece_type(board[s])];
    counts[phase_of_material(material)]++;
    for (size_t i = 0; i < game->move_count; i++) {
        Move move = game->moves[i];
        Square from = move_from(move), to = move_to(move);
        if (move_kind(move) == MOVE_CASTLING) {
            castle(game, move, board);
        } else {
            material -= phase_values[piece_type(board[to])];
            board[to] = board[from];
            board[from] = PIECE_NONE;
        }
        if (move_kind(move) == MOVE_PROMOTION) {
            board[to] = piece_make(piece_color(board[to]), move_promotion(move));
            material += phase_values[move_promotion(move)];
        }
        counts[phase_of_material(material)]++;
    }
}

static DoctorProblem problem_at(const PgnGame *game, DoctorKind kind, const char *text) {
    return (DoctorProblem){kind, .game = game->number, .offset = game->offset, .text = text};
}

static void report_problem(Doctor *doctor, const PgnGame *game) {
    const PgnProblem *found = &game->problem;
    str_setf(&doctor->text, "%s", pgn_problem_name(found->kind));
    if (found->text[0] != '\0')
        str_addf(&doctor->text, " \"%s\"", found->text);
    if (found->reason[0] != '\0')
        str_addf(&doctor->text, ": %s", found->reason);
    bool is_cut = pgn_is_cut(found->kind);
    doctor_report(doctor, (DoctorProblem){is_cut ? DOCTOR_CUT_GAME : DOCTOR_SKIPPED_GAME,
                                          .game = game->number, .offset = found->offset,
                                          .ply = is_cut ? found->ply : 0});
}

static void check_result(Doctor *doctor, const PgnGame *game) {
    GameResult result = pgn_result(game);
    doctor->totals.results[result]++;
    if (game->notes & PGN_NOTE_RESULT_MISMATCH) {
        str_setf(&doctor->text, "the tag says %s, the moves end with %s",
                 pgn_result_text(game->tag_result), pgn_result_text(game->result));
        doctor_report(doctor, problem_at(game, DOCTOR_RESULTS_DIFFER, NULL));
    }
    if (game->problem.kind != PGN_FINE)
        return; // the final position is not known
    const char *contradiction = doctor_contradiction(&game->final, result);
    if (contradiction != NULL) {
        DoctorProblem problem = problem_at(game, DOCTOR_WRONG_RESULT, NULL);
        str_setf(&doctor->text, "%s, but the result is %s", contradiction, pgn_result_text(result));
        problem.ply = (unsigned)game->move_count;
        doctor_report(doctor, problem);
    }
}

static void check_game(Doctor *doctor, const PgnGame *game) {
    if (game->problem.kind != PGN_FINE)
        report_problem(doctor, game);
    if (game->notes & PGN_NOTE_GLUED_RESULT)
        doctor_report(doctor, problem_at(game, DOCTOR_GLUED_RESULT,
                                         "no blank between the last move and the result"));
    if (game->notes & PGN_NOTE_BAD_TAG)
        doctor_report(doctor, problem_at(game, DOCTOR_BAD_TAG, "a tag cannot be read"));
    if (pgn_is_skipped(game->problem.kind))
        return;
    count_phases(game, doctor->totals.phases);
    check_result(doctor, game);
    if (game->problem.kind != PGN_FINE)
        return;
    if (game->move_count == 0)
        doctor_report(doctor, problem_at(game, DOCTOR_EMPTY_GAME, "there are no moves"));
    else
        doctor_look_for_game(doctor, game->final.key, (uint32_t)(game_hash(game, SIZE_MAX) >> 32),
                             problem_at(game, DOCTOR_DUPLICATE_GAME, NULL));
}

static void add_totals(PgnTotals *sum, const PgnTotals *file) {
    sum->games += file->games;
    sum->cut += file->cut;
    sum->skipped += file->skipped;
    sum->plies += file->plies;
    for (int kind = 0; kind < PGN_PROBLEM_NB; kind++)
        sum->kinds[kind] += file->kinds[kind];
    sum->mismatches += file->mismatches;
    sum->without_result += file->without_result;
    sum->text_bytes += file->text_bytes;
}

// A missing result is reported once it is known whether another game follows.
static Status check_games(Doctor *doctor, PgnReader *reader) {
    DoctorProblem missing = {0};
    for (;;) {
        const PgnGame *game;
        Status status = pgn_reader_next(reader, &game);
        bool is_end = status != OK || game == NULL;
        if (missing.game != 0) {
            missing.kind = is_end ? DOCTOR_TRUNCATED : DOCTOR_NO_RESULT;
            missing.text = is_end ? "the last game ends without a result: the file may be cut short"
                                  : "the moves end without a result";
            doctor_report(doctor, missing);
        }
        if (is_end)
            return status;
        check_game(doctor, game);
        bool is_missing = game->notes & PGN_NOTE_NO_RESULT && !pgn_is_skipped(game->problem.kind);
        missing = is_missing ? problem_at(game, DOCTOR_NO_RESULT, NULL) : (DoctorProblem){0};
    }
}

void doctor_read_games(Doctor *doctor, const char *path) {
    PgnReader *reader;
    Status status = pgn_reader_open(&reader, path);
    if (status == OK) {
        status = check_games(doctor, reader);
        const PgnTotals *read = pgn_reader_totals(reader);
        add_totals(&doctor->totals.pgn, read);
        doctor->totals.bytes_read += read->bytes_read;
        doctor->totals.bytes_there += read->bytes_there;
        if (status == ERR_PARSE)
            doctor_report(doctor, (DoctorProblem){.kind = DOCTOR_NOTHING,
                                                  .text = "no game and no position found"});
        pgn_reader_close(reader);
    }
    if (status != OK && status != ERR_PARSE)
        doctor_report(doctor, (DoctorProblem){.kind = DOCTOR_UNREADABLE, .text = error_message()});
}
