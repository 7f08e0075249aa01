// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/san.h"

#include "testing.h"

static Move parse_in(const char *fen, const char *text, SanError expected) {
    Position pos;
    Move move = MOVE_NONE;
    assert_int_equal(fen_parse(fen, &pos), OK);
    SanError error = san_parse(&pos, view_from_string(text), &move);
    if (error != expected)
        fail_msg("%s in %s: %s, not %s", text, fen, san_error_name(error),
                 san_error_name(expected));
    return move;
}

static void expect_move(const char *fen, const char *text, const char *uci) {
    char said[UCI_MOVE_SIZE];
    Position pos;
    Move move = parse_in(fen, text, SAN_OK);
    assert_int_equal(fen_parse(fen, &pos), OK);
    move_to_uci(&pos, move, said);
    if (strcmp(said, uci) != 0)
        fail_msg("%s in %s is %s, not %s", text, fen, said, uci);
}

static void expect_error(const char *fen, const char *text, SanError error) {
    parse_in(fen, text, error);
}

static void expect_written(const char *fen, const char *uci, const char *san) {
    Position pos;
    char said[SAN_SIZE];
    assert_int_equal(fen_parse(fen, &pos), OK);
    Move move = move_from_uci(&pos, uci, strlen(uci));
    assert_int_not_equal(move, MOVE_NONE);
    san_write(&pos, move, said);
    assert_string_equal(said, san);
}

static const char start[] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
static const char castles[] = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
static const char promotes[] = "3n3k/4P3/8/8/8/8/8/4K3 w - - 0 1";
static const char passes[] = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1";

static void test_tolerant_forms(void **state) {
    (void)state;
    static const char *const forms[][3] = {
        {start, "e4", "e2e4"},         {start, "Pe4", "e2e4"},
        {start, "e2e4", "e2e4"},       {start, "e2-e4", "e2e4"},
        {start, "Nf3+!?", "g1f3"},     {start, "Ng1-f3", "g1f3"},
        {start, "Ngf3", "g1f3"},       {start, "N1f3", "g1f3"},
        {start, "g1f3", "g1f3"},       {start, "Nxf3", "g1f3"},
        {start, "Ng1f3#", "g1f3"},     {start, "e4=", "e2e4"},
        {castles, "O-O", "e1g1"},      {castles, "0-0", "e1g1"},
        {castles, "o-o", "e1g1"},      {castles, "O-O-O", "e1c1"},
        {castles, "0-0-0+", "e1c1"},   {castles, "O-O!?", "e1g1"},
        {castles, "e1g1", "e1g1"},     {castles, "Ke1-c1", "e1c1"},
        {promotes, "e8Q", "e7e8q"},    {promotes, "e8=Q", "e7e8q"},
        {promotes, "e8(Q)+", "e7e8q"}, {promotes, "e8/Q", "e7e8q"},
        {promotes, "e7e8q", "e7e8q"},  {promotes, "e7-e8=N", "e7e8n"},
        {promotes, "e7e8R", "e7e8r"},  {promotes, "exd8=B", "e7d8b"},
        {promotes, "ed8b", "e7d8b"},   {passes, "exd6", "e5d6"},
        {passes, "exd6e.p.", "e5d6"},  {passes, "exd6ep", "e5d6"},
        {passes, "exd6 e.p.", "e5d6"}, {passes, "exd6 ep", "e5d6"},
        {passes, "ed6", "e5d6"},       {passes, "e5xd6", "e5d6"},
        {passes, "e5:d6e.p.", "e5d6"},
    };
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++)
        expect_move(forms[i][0], forms[i][1], forms[i][2]);
}

static void test_errors(void **state) {
    (void)state;
    static const char *const malformed[] = {
        "",     "e",       "e9", "i4", "Nf",    "xe4", "e4x",   "Xf3",  "O-O-", "O",
        "O--O", "O-O-O-O", "N",  "+",  "which", "1-0", "Nf3=Q", "e.p.", "(Q)"};
    for (size_t i = 0; i < sizeof malformed / sizeof malformed[0]; i++)
        expect_error(start, malformed[i], SAN_MALFORMED);
    static const char *const illegal[] = {"e5",   "Nd2",  "Ke2", "O-O",  "e2e5",
                                          "exd3", "e7e5", "Bb5", "e4=Q", "Qd1d1"};
    for (size_t i = 0; i < sizeof illegal / sizeof illegal[0]; i++)
        expect_error(start, illegal[i], SAN_ILLEGAL);
    static const char *const null_moves[] = {"--", "Z0", "0000", "null", "pass", "@@@@"};
    for (size_t i = 0; i < sizeof null_moves / sizeof null_moves[0]; i++)
        expect_error(start, null_moves[i], SAN_NULL_MOVE);
    // A pawn must say what it becomes.
    expect_error(promotes, "e8", SAN_MALFORMED);
    expect_error(promotes, "e8K", SAN_MALFORMED);
    expect_error("4k3/8/8/8/8/8/8/RR2K3 w - - 0 1", "Rb1", SAN_ILLEGAL);
    expect_error("4k3/8/8/8/8/8/8/R2R1K2 w - - 0 1", "Rb1", SAN_AMBIGUOUS);
    // Castling out of, through and into check; without the right; with something between.
    expect_error("4k3/8/8/8/8/8/4r3/R3K2R w KQ - 0 1", "O-O", SAN_ILLEGAL);
    expect_error("4k3/8/8/8/8/8/5r2/R3K2R w KQ - 0 1", "O-O", SAN_ILLEGAL);
    expect_error("4k3/8/8/8/8/8/6r1/R3K2R w KQ - 0 1", "O-O", SAN_ILLEGAL);
    expect_error("4k3/8/8/8/8/8/8/R3K2R w Q - 0 1", "O-O", SAN_ILLEGAL);
    expect_error("4k3/8/8/8/8/8/8/RN2K2R w KQ - 0 1", "O-O-O", SAN_ILLEGAL);
    expect_move("1r2k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "O-O-O", "e1c1");
}

static void test_pins_resolve_ambiguity(void **state) {
    (void)state;
    // The knight on e2 is pinned, so that Nc3 needs no more.
    const char *pinned = "4r1k1/8/8/8/8/8/4N3/N3K3 w - - 0 1";
    expect_written(pinned, "a1b3", "Nb3");
    const char *two = "4r1k1/8/8/8/8/8/4N3/1N2K3 w - - 0 1";
    expect_written(two, "b1c3", "Nc3");
    expect_move(two, "Nc3", "b1c3");
    // En passant that opens the king's rank.
    expect_error("8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1", "exd6", SAN_ILLEGAL);
}

static void test_exact_output(void **state) {
    (void)state;
    expect_written("4k3/8/8/8/8/8/8/R2R1K2 w - - 0 1", "a1b1", "Rab1");
    expect_written("R7/8/4k3/8/8/8/8/R4K2 w - - 0 1", "a1a4", "R1a4");
    expect_written("8/8/k7/8/4Q2Q/8/8/K6Q w - - 0 1", "h4e1", "Qh4e1");
    expect_written("2k5/8/8/8/Q6Q/8/8/K6Q w - - 0 1", "h4e1", "Q4e1");
    expect_written("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "a1a8", "Ra8#");
    expect_written(castles, "e1g1", "O-O");
    expect_written("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O+");
    expect_written(promotes, "e7d8q", "exd8=Q+");
    expect_written(passes, "e5d6", "exd6");
}

// Every legal move is written uniquely and read back; every other text of its kind is refused.
static void check_round_trip(Position *pos, Rng *rng) {
    (void)rng;
    Move moves[MOVES_MAX], back;
    char said[MOVES_MAX][SAN_SIZE], whole[SAN_SIZE], uci[UCI_MOVE_SIZE];
    size_t count = movegen(pos, MOVES_ALL, moves);
    for (size_t i = 0; i < count; i++) {
        san_write(pos, moves[i], said[i]);
        assert_int_equal(san_parse(pos, view_from_string(said[i]), &back), SAN_OK);
        assert_int_equal(back, moves[i]);
        san_write_long(pos, moves[i], whole);
        assert_int_equal(san_parse(pos, view_from_string(whole), &back), SAN_OK);
        assert_int_equal(back, moves[i]);
        move_to_uci(pos, moves[i], uci);
        assert_int_equal(san_parse(pos, view_from_string(uci), &back), SAN_OK);
        assert_int_equal(back, moves[i]);
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(said[i], said[j]);
    }
}

static void test_round_trips(void **state) {
    (void)state;
    walk(1, 3000, check_round_trip);
}

// Whatever is read is legal, for texts of the right alphabet put together at random.
static void check_no_invention(Position *pos, Rng *rng) {
    static const char alphabet[] = "abcdefgh12345678NBRQKPx-=+#O0Qep.";
    for (int i = 0; i < 200; i++) {
        char text[8];
        size_t length = 1 + rng_below(rng, 6);
        for (size_t j = 0; j < length; j++)
            text[j] = alphabet[rng_below(rng, sizeof alphabet - 1)];
        Move move;
        if (san_parse(pos, view_of(text, length), &move) == SAN_OK)
            assert_true(move_is_legal(pos, move));
    }
    // Every piece to every square: one legal move, or an error that fits the list.
    Move moves[MOVES_MAX];
    size_t count = movegen(pos, MOVES_ALL, moves);
    for (int target = 0; target < 64 * 5; target++) {
        PieceType type = (PieceType)(target / 64 + 1);
        char text[3] = {"PNBRQK"[type], (char)('a' + target % 8), (char)('1' + target / 8 % 8)};
        size_t fits = 0;
        for (size_t i = 0; i < count; i++)
            fits += move_to(moves[i]) == target % 64 && move_kind(moves[i]) != MOVE_CASTLING &&
                    piece_type(position_at(pos, move_from(moves[i]))) == type;
        Move move;
        SanError error = san_parse(pos, view_of(text, 3), &move);
        assert_int_equal(error, fits == 0 ? SAN_ILLEGAL : fits == 1 ? SAN_OK : SAN_AMBIGUOUS);
    }
}

static void test_nothing_is_invented(void **state) {
    (void)state;
    walk(2, 2000, check_no_invention);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tolerant_forms), cmocka_unit_test(test_errors),
        cmocka_unit_test(test_exact_output),   cmocka_unit_test(test_pins_resolve_ambiguity),
        cmocka_unit_test(test_round_trips),    cmocka_unit_test(test_nothing_is_invented),
    };
    return cmocka_run_group_tests(tests, testing_set_up, testing_tear_down);
}
