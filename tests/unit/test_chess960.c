// SPDX-License-Identifier: GPL-3.0-or-later
// Chess960: what holds in chess holds with any king and rooks, and castling where it is odd.
#include "chess/chess960.h"

#include "chess/castling.h"
#include "chess/perft.h"
#include "chess/polyglot.h"
#include "chess/position_pack.h"
#include "chess/san.h"
#include "testing.h"

// --- start positions ---

static void expect_array(unsigned number, const char *letters) {
    PieceType array[8];
    chess960_array(number, array);
    for (unsigned file = 0; file < 8; file++)
        assert_int_equal("PNBRQK"[array[file]], letters[file]);
}

static void test_known_numbers(void **state) {
    (void)state;
    expect_array(0, "BBQNNRKR");
    expect_array(518, "RNBQKBNR");
    expect_array(959, "RKRNNQBB");
    Position chess, numbered;
    position_set_start(&chess);
    chess960_set_start(&numbered, 518, 518);
    assert_memory_equal(&numbered, &chess, sizeof chess);
    assert_false(position_is_chess960(&numbered));
}

static void test_arrays_are_all_different_and_proper(void **state) {
    (void)state;
    PieceType arrays[CHESS960_ARRAYS][8];
    for (unsigned i = 0; i < CHESS960_ARRAYS; i++) {
        unsigned count[PIECE_TYPE_NB] = {0}, where[PIECE_TYPE_NB][2] = {{0}};
        chess960_array(i, arrays[i]);
        for (unsigned file = 0; file < 8; file++)
            where[arrays[i][file]][count[arrays[i][file]]++ % 2] = file;
        assert_true(count[KNIGHT] == 2 && count[BISHOP] == 2 && count[ROOK] == 2 &&
                    count[QUEEN] == 1 && count[KING] == 1);
        assert_true(where[BISHOP][0] % 2 != where[BISHOP][1] % 2);
        assert_true(where[ROOK][0] < where[KING][0] && where[KING][0] < where[ROOK][1]);
        for (unsigned j = 0; j < i; j++)
            assert_memory_not_equal(arrays[i], arrays[j], sizeof arrays[i]);
    }
}

// --- random positions ---

static void replace(Position *pos, Square square, Piece piece) {
    Piece old = pos->board[square];
    if (old != PIECE_NONE) {
        pos->types[piece_type(old)] ^= bb_square(square);
        pos->colors[piece_color(old)] ^= bb_square(square);
    }
    pos->board[square] = piece;
    if (piece != PIECE_NONE) {
        pos->types[piece_type(piece)] |= bb_square(square);
        pos->colors[piece_color(piece)] |= bb_square(square);
    }
}

// Two arrays, thinned out so that castling is near, with a third rook now and then, and without
// some of the rights. False when it is no position.
static bool draw_position(Rng *rng, Position *out) {
    Position pos;
    chess960_set_start(&pos, rng_below(rng, CHESS960_ARRAYS), rng_below(rng, CHESS960_ARRAYS));
    const uint8_t rights = pos.castling & (uint8_t)(rng_below(rng, 16) | rng_below(rng, 16));
    for (Square s = 0; s < SQUARE_NB; s++) {
        const Piece piece = pos.board[s];
        const PieceType type = piece_type(piece);
        if (piece == PIECE_NONE || type == KING || type == ROOK || rng_below(rng, 2) == 0)
            continue;
        const bool becomes_rook = type == KNIGHT && rng_below(rng, 3) == 0;
        replace(&pos, s, becomes_rook ? piece_make(piece_color(piece), ROOK) : PIECE_NONE);
    }
    castling_keep(&pos, rights);
    pos.turn = (uint8_t)rng_below(rng, 2);
    position_refresh(&pos);
    char fen[FEN_SIZE];
    fen_write(&pos, fen);
    return fen_parse(fen, out) == OK;
}

// As walk, from such positions.
static void walk_960(uint64_t seed, size_t plies, void (*visit)(Position *pos, Rng *rng)) {
    Rng rng = rng_at(seed, 960, 0, 0);
    Position pos;
    size_t length = 0;
    for (size_t ply = 0; ply < plies; ply++) {
        while (length == 0 && !draw_position(&rng, &pos))
            ;
        visit(&pos, &rng);
        Move moves[MOVES_MAX];
        size_t count = movegen(&pos, MOVES_ALL, moves);
        length = count == 0 || length > 12 || pos.halfmove >= 100 ? 0 : length + 1;
        if (length > 0) {
            Undo undo;
            position_make(&pos, moves[rng_below(&rng, (uint32_t)count)], &undo);
        }
    }
}

static size_t castlings; // made, so that a test can tell that there were enough

static void visit_make_unmake(Position *pos, Rng *rng) {
    (void)rng;
    Position before = *pos;
    Move moves[MOVES_MAX];
    size_t count = movegen(pos, MOVES_ALL, moves);
    for (size_t i = 0; i < count; i++) {
        Undo undo;
        const bool check = position_gives_check(pos, moves[i]);
        castlings += move_kind(moves[i]) == MOVE_CASTLING;
        position_make(pos, moves[i], &undo);
        assert_int_equal(position_checkers(pos) != 0, check);
        assert_true(position_is_ok(pos));
        position_unmake(pos, moves[i], &undo);
        assert_memory_equal(pos, &before, sizeof before);
    }
}

static void test_moves_are_made_and_taken_back(void **state) {
    (void)state;
    castlings = 0;
    walk_960(1, 20000, visit_make_unmake);
    assert_true(castlings > 2000);
}

static void visit_mirror(Position *pos, Rng *rng) {
    (void)rng;
    Position mirrored, back;
    position_mirror(pos, &mirrored);
    assert_true(position_is_ok(&mirrored));
    assert_true(perft(&mirrored, 2) == perft(pos, 2));
    position_mirror(&mirrored, &back);
    assert_memory_equal(&back, pos, sizeof back);
}

static void test_mirrored_positions(void **state) {
    (void)state;
    walk_960(2, 5000, visit_mirror);
}

static void visit_texts(Position *pos, Rng *rng) {
    (void)rng;
    char fen[FEN_SIZE];
    Position back;
    for (FenCastling style = FEN_X; style <= FEN_SHREDDER; style++) {
        fen_write_in(pos, style, fen);
        assert_int_equal(fen_parse(fen, &back), OK);
        assert_memory_equal(&back, pos, sizeof back);
    }
    PackedPosition packed = position_pack(pos);
    position_unpack(&packed, &back);
    assert_memory_equal(&back, pos, sizeof back);
    // No pawn stands ready to take en passant where it may not, so that both keys are one.
    if (pos->ep == SQUARE_NONE)
        assert_true(polyglot_key(pos) == pos->key);
}

static void test_positions_are_written_and_read(void **state) {
    (void)state;
    walk_960(3, 20000, visit_texts);
}

static void expect_back(const Position *pos, const char *text, Move move) {
    Move back = MOVE_NONE;
    assert_int_equal(san_parse(pos, view_from_string(text), &back), SAN_OK);
    assert_int_equal(back, move);
}

static void visit_moves(Position *pos, Rng *rng) {
    (void)rng;
    Move moves[MOVES_MAX];
    char text[SAN_SIZE], said[MOVES_MAX][SAN_SIZE];
    size_t count = movegen(pos, MOVES_ALL, moves);
    for (size_t i = 0; i < count; i++) {
        san_write(pos, moves[i], said[i]);
        expect_back(pos, said[i], moves[i]);
        san_write_long(pos, moves[i], text);
        expect_back(pos, text, moves[i]);
        move_to_uci(pos, moves[i], text);
        expect_back(pos, text, moves[i]);
        assert_int_equal(move_from_uci(pos, text, strlen(text)), moves[i]);
        move_to_uci_960(pos, moves[i], text);
        expect_back(pos, text, moves[i]);
        assert_int_equal(move_from_uci(pos, text, strlen(text)), moves[i]);
        assert_int_equal(polyglot_move_decode(pos, polyglot_move_encode(pos, moves[i])), moves[i]);
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(said[i], said[j]);
    }
}

static void test_moves_are_written_and_read(void **state) {
    (void)state;
    walk_960(4, 5000, visit_moves);
}

static int compare_moves(const void *a, const void *b) {
    return (int)*(const Move *)a - (int)*(const Move *)b;
}

static void visit_generators(Position *pos, Rng *rng) {
    (void)rng;
    Move all[MOVES_MAX], parts[MOVES_MAX];
    size_t count = movegen(pos, MOVES_ALL, all), legal = 0;
    size_t noisy = movegen(pos, MOVES_NOISY, parts);
    assert_int_equal(noisy + movegen(pos, MOVES_QUIET, parts + noisy), count);
    assert_int_equal(movegen_count(pos), count);
    for (size_t i = 0; i < count; i++) {
        const bool is_noisy =
            move_is_capture(pos, parts[i]) || move_kind(parts[i]) == MOVE_PROMOTION;
        assert_int_equal(is_noisy, i < noisy);
    }
    qsort(all, count, sizeof all[0], compare_moves);
    for (uint32_t bits = 0; bits <= UINT16_MAX; bits++)
        if (move_is_legal(pos, (Move)bits)) {
            assert_true(legal < count);
            assert_int_equal(all[legal++], bits);
        }
    assert_int_equal(legal, count);
}

static void test_generators_agree(void **state) {
    (void)state;
    walk_960(5, 800, visit_generators);
}

// --- castling ---

static Position position_of(const char *fen) {
    Position pos;
    if (fen_parse(fen, &pos) != OK)
        fail_msg("%s: %s", fen, error_message());
    return pos;
}

// Castles by one of its spellings, and tells what comes of it.
static void expect_castling(const char *fen, const char *text, const char *after) {
    char written[FEN_SIZE];
    Position pos = position_of(fen);
    Move move = MOVE_NONE;
    Undo undo;
    if (san_parse(&pos, view_from_string(text), &move) != SAN_OK ||
        move_kind(move) != MOVE_CASTLING)
        fail_msg("%s is no castling in %s", text, fen);
    position_make(&pos, move, &undo);
    fen_write(&pos, written);
    assert_string_equal(written, after);
}

static void expect_no_castling(const char *fen) {
    Position pos = position_of(fen);
    Move moves[MOVES_MAX];
    size_t count = movegen(&pos, MOVES_ALL, moves);
    for (size_t i = 0; i < count; i++)
        assert_int_not_equal(move_kind(moves[i]), MOVE_CASTLING);
}

static void test_who_goes_where(void **state) {
    (void)state;
    // The king stays, the rook stays, they change places, both cross over.
    expect_castling("4k3/8/8/8/8/8/8/6KR w K - 0 1", "O-O", "4k3/8/8/8/8/8/8/5RK1 b - - 1 1");
    expect_castling("4k3/8/8/8/8/8/8/3RK3 w Q - 0 1", "O-O-O", "4k3/8/8/8/8/8/8/2KR4 b - - 1 1");
    expect_castling("4k3/8/8/8/8/8/8/2RK4 w Q - 0 1", "O-O-O", "4k3/8/8/8/8/8/8/2KR4 b - - 1 1");
    expect_castling("1k3r2/8/8/8/8/8/8/4K3 b k - 3 9", "O-O", "5rk1/8/8/8/8/8/8/4K3 w - - 4 10");
    expect_castling("rk6/8/8/8/8/8/8/4K3 b q - 3 9", "0-0-0", "2kr4/8/8/8/8/8/8/4K3 w - - 4 10");
    // King takes rook, as a move, and where the king is said to go far.
    expect_castling("4k3/8/8/8/8/8/8/1K3R2 w K - 0 1", "b1f1", "4k3/8/8/8/8/8/8/5RK1 b - - 1 1");
    expect_castling("4k3/8/8/8/8/8/8/1K3R2 w K - 0 1", "Kb1-g1", "4k3/8/8/8/8/8/8/5RK1 b - - 1 1");
    // The other rook's right goes with the king.
    expect_castling("4k3/8/8/8/8/8/8/R3K1R1 w GA - 0 1", "O-O", "4k3/8/8/8/8/8/8/R4RK1 b - - 1 1");
}

static void test_what_is_in_the_way(void **state) {
    (void)state;
    expect_no_castling("4k3/8/8/8/8/8/8/1K1N1R2 w K - 0 1");   // the king's way
    expect_no_castling("4k3/8/8/8/8/8/8/RN1K4 w Q - 0 1");     // the rook's way
    expect_no_castling("4k1r1/8/8/8/8/8/8/1K3R2 w K - 0 1");   // an attack on its end
    expect_no_castling("3rk3/8/8/8/8/8/8/1K3R2 w K - 0 1");    // in between
    expect_no_castling("1r2k3/8/8/8/8/8/8/1K3R2 w K - 0 1");   // check
    expect_no_castling("4k3/8/8/8/8/8/8/qRK5 w Q - 0 1");      // only the rook hides the king
    expect_no_castling("4k3/8/8/8/8/8/8/1K3R2 w - - 0 1");     // no right
    expect_castling("4k3/8/8/8/8/8/8/nRK5 w Q - 0 1", "O-O-O", // a knight there does no harm
                    "4k3/8/8/8/8/8/8/n1KR4 b - - 1 1");
    // An attack on the rook's way alone.
    expect_castling("1r2k3/8/8/8/8/8/8/R2K4 w Q - 0 1", "O-O-O",
                    "1r2k3/8/8/8/8/8/8/2KR4 b - - 1 1");
}

static void test_a_step_is_no_castling(void **state) {
    (void)state;
    Position pos = position_of("4k3/8/8/8/8/8/8/5K1R w K - 0 1");
    assert_int_equal(move_kind(move_from_uci(&pos, "f1g1", 4)), MOVE_NORMAL);
    assert_int_equal(move_kind(move_from_uci(&pos, "f1h1", 4)), MOVE_CASTLING);
    assert_int_equal(move_from_uci(&pos, "f1c1", 4), MOVE_NONE);
    char text[UCI_MOVE_SIZE];
    move_to_uci(&pos, move_from_uci(&pos, "f1h1", 4), text);
    assert_string_equal(text, "f1h1");
    // Chess keeps its ways, unless the user wants those of Chess960.
    pos = position_of("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    move_to_uci(&pos, move_from_uci(&pos, "e1h1", 4), text);
    assert_string_equal(text, "e1g1");
    move_to_uci_960(&pos, move_from_uci(&pos, "e1g1", 4), text);
    assert_string_equal(text, "e1h1");
}

static void expect_rights_after(const char *fen, const char *move, const char *rights) {
    Position pos = position_of(fen);
    Move found = move_from_uci(&pos, move, 4);
    Undo undo;
    char board[FEN_SIZE];
    assert_int_not_equal(found, MOVE_NONE);
    position_make(&pos, found, &undo);
    fen_write_board(&pos, board);
    StrView rest = view_from_string(board);
    view_next_word(&rest);
    view_next_word(&rest);
    assert_true(view_equals(view_next_word(&rest), rights));
}

static void test_rights_are_lost(void **state) {
    (void)state;
    const char *fen = "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w KQkq - 0 1";
    expect_rights_after(fen, "g1h1", "Qkq");
    expect_rights_after(fen, "b1a1", "Kkq");
    expect_rights_after(fen, "e1e2", "kq");
    expect_rights_after(fen, "g1g8", "Qq"); // a rook takes the other's rook
    // Where chess has its rooks means nothing here; the right now needs the letter of its file.
    expect_rights_after("2r1k1r1/8/8/8/8/8/R7/1R1K2R1 w KQkq - 0 1", "a2a1", "KBkq");
}

// --- FEN ---

static void expect_written(const char *fen, const char *x_fen, const char *shredder) {
    char written[FEN_SIZE];
    Position pos = position_of(fen);
    fen_write(&pos, written);
    assert_string_equal(written, x_fen);
    fen_write_in(&pos, FEN_SHREDDER, written);
    assert_string_equal(written, shredder);
}

static void test_castling_field(void **state) {
    (void)state;
    // Chess is written as ever.
    expect_written("r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
                   "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    expect_written("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w KQkq - 0 1",
                   "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w KQkq - 0 1",
                   "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1");
    // One side's king and rooks are where chess has them; the other's are not.
    expect_written("r3k2r/8/8/8/8/8/8/1R2K1R1 w GBkq - 0 1",
                   "r3k2r/8/8/8/8/8/8/1R2K1R1 w KQkq - 0 1",
                   "r3k2r/8/8/8/8/8/8/1R2K1R1 w GBha - 0 1");
    // A rook that is not the outermost has its file.
    expect_written("4k3/8/8/8/8/8/8/RR1K1R1R w FB - 0 1", "4k3/8/8/8/8/8/8/RR1K1R1R w FB - 0 1",
                   "4k3/8/8/8/8/8/8/RR1K1R1R w FB - 0 1");
    expect_written("4k3/8/8/8/8/8/8/RR1K1R1R w HB - 0 1", "4k3/8/8/8/8/8/8/RR1K1R1R w KB - 0 1",
                   "4k3/8/8/8/8/8/8/RR1K1R1R w HB - 0 1");
}

// --- PGN ---

static PgnGame game;

static void expect_fine(const char *text, size_t plies) {
    size_t consumed;
    assert_int_equal(pgn_parse(&game, view_from_string(text), true, &consumed), PGN_STEP_GAME);
    if (game.problem.kind != PGN_FINE || game.move_count != plies)
        fail_msg("%s: %zu plies, %s %s", text, game.move_count, pgn_problem_name(game.problem.kind),
                 game.problem.reason);
    assert_true(pgn_game_is_valid(&game));
}

// Games of Chess960 say so by their tag or by their start, and are written so that others read
// them.
static void test_games_are_read_and_written(void **state) {
    (void)state;
    static const char *const names[] = {
        "Chess960", "fischerandom", "Fischerandom Chess", "Double Fischer Random", "FRC", "DFRC"};
    static const char fen[] = "[FEN \"1r2kr2/8/8/8/8/8/8/1R2K2R b Bf - 0 1\"]\n";
    Str text = {0}, game_text = {0};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        str_setf(&game_text, "[Variant \"%s\"]\n%s\n1... O-O 2. O-O-O *", names[i], fen);
        expect_fine(str_text(&game_text), 2);
        assert_true(game.is_chess960);
    }
    str_setf(&game_text, "%s\n1... O-O 2. O-O-O *", fen);
    expect_fine(str_text(&game_text), 2);
    pgn_write(&game, NULL, &text);
    assert_non_null(
        strstr(str_text(&text), "[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \"1r2kr2/"));
    assert_non_null(strstr(str_text(&text), "1... O-O 2. O-O-O *"));
    expect_fine(str_text(&text), 2);
    // Also where it begins as chess does.
    str_setf(&game_text, "[Variant \"Chess960\"]\n[FEN \"%s\"]\n\n1. e4 *", fen_start);
    expect_fine(str_text(&game_text), 1);
    assert_true(game.is_chess960 && !game.is_set_up);
    str_clear(&text);
    pgn_write(&game, NULL, &text);
    assert_non_null(strstr(str_text(&text), "[SetUp \"1\"]\n[FEN \"rnbqkbnr/"));
    expect_fine("1. e4 *", 1);
    assert_false(game.is_chess960);
    str_free(&text);
    str_free(&game_text);
    pgn_game_free(&game);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_numbers),
        cmocka_unit_test(test_arrays_are_all_different_and_proper),
        cmocka_unit_test(test_moves_are_made_and_taken_back),
        cmocka_unit_test(test_mirrored_positions),
        cmocka_unit_test(test_positions_are_written_and_read),
        cmocka_unit_test(test_moves_are_written_and_read),
        cmocka_unit_test(test_generators_agree),
        cmocka_unit_test(test_who_goes_where),
        cmocka_unit_test(test_what_is_in_the_way),
        cmocka_unit_test(test_a_step_is_no_castling),
        cmocka_unit_test(test_rights_are_lost),
        cmocka_unit_test(test_castling_field),
        cmocka_unit_test(test_games_are_read_and_written),
    };
    return cmocka_run_group_tests(tests, testing_set_up, testing_tear_down);
}
