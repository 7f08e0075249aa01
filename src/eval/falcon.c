// SPDX-License-Identifier: GPL-3.0-or-later
// The family of the papers' mentor: many terms, each with a weight for the middlegame and one for
// the endgame. Its body is score_structure(), for what pawns alone decide, look(), which finds what
// many terms ask for, and score_side().
#include "eval/falcon_view.h"
#include "eval/taper.h"

#include <assert.h>

enum {
#define TERM(name, ...) name,
#include "eval/falcon.def"
#undef TERM
    TERM_COUNT
};

static const Term terms[2 * TERM_COUNT] = {
#define TERM(name, low, high, middlegame, endgame, meaning)                                        \
    {#name "_MG", 0, low, high, middlegame, meaning}, {#name "_EG", 0, low, high, endgame, meaning},
#include "eval/falcon.def"
#undef TERM
};

static const char *const count_names[TERM_COUNT] = {
#define TERM(name, ...) #name,
#include "eval/falcon.def"
#undef TERM
};

#define CENTRE      0x0000001818000000ULL // d4 e4 d5 e5
#define WIDE_CENTRE 0x00003C3C3C3C0000ULL // c3 to f6
#define FILES_CF    0x3C3C3C3C3C3C3C3CULL
#define FILES_DE    0x1818181818181818ULL
#define FILES_BG    0x4242424242424242ULL

// --- where pieces stand ---

INLINE void score_ranks(Trace *sides, Color us, Bitboard set, unsigned term, unsigned first,
                        unsigned last) {
    for (unsigned rank = first; rank <= last; rank++)
        put(sides, us, term + rank - first, bb_count(set & bb_relative_rank(rank - 1, us)));
}

// The terms of a kind of piece by its rank and by its file. What has none is counted behind all
// terms: a branch would be hard to foresee.
enum { NONE = TERM_COUNT, NOTED = TERM_COUNT + 1 };
#define FILES(name)                                                                                \
    {                                                                                              \
        NONE, name##_FILE_B, name##_FILE_C, name##_FILE_D, name##_FILE_D, name##_FILE_C,           \
            name##_FILE_B, NONE                                                                    \
    }
#define RANKS_3_TO_8(name)                                                                         \
    name##_RANK_3, name##_RANK_4, name##_RANK_5, name##_RANK_6, name##_RANK_7, name##_RANK_8
static const uint8_t rank_terms[PIECE_TYPE_NB][8] = {
    [KNIGHT] = {KNIGHT_RANK_1, NONE, RANKS_3_TO_8(KNIGHT)},
    [BISHOP] = {BISHOP_RANK_1, NONE, RANKS_3_TO_8(BISHOP)},
    [ROOK] = {NONE, ROOK_RANK_2, RANKS_3_TO_8(ROOK)},
    [QUEEN] = {NONE, QUEEN_RANK_2, RANKS_3_TO_8(QUEEN)},
    [KING] = {NONE, KING_RANK_2, RANKS_3_TO_8(KING)},
};
static const uint8_t file_terms[PIECE_TYPE_NB][8] = {
    [KNIGHT] = FILES(KNIGHT), [BISHOP] = FILES(BISHOP), [ROOK] = FILES(ROOK),
    [QUEEN] = FILES(QUEEN),   [KING] = FILES(KING),
};
#undef FILES
#undef RANKS_3_TO_8
static_assert((int)NOTED <= (int)COEFFICIENTS_MAX, "there is room behind all terms");
static_assert(NONE <= UINT8_MAX, "a term's number fits the tables");

INLINE void score_places(Trace *sides, const View *view, Color us) {
    const Position *pos = view->pos;
    const Bitboard bishops = position_pieces(pos, us, BISHOP);
    put(sides, us, KNIGHT_VALUE, bb_count(position_pieces(pos, us, KNIGHT)));
    put(sides, us, BISHOP_VALUE, bb_count(bishops));
    put(sides, us, ROOK_VALUE, bb_count(position_pieces(pos, us, ROOK)));
    put(sides, us, QUEEN_VALUE, bb_count(position_pieces(pos, us, QUEEN)));
    put(sides, us, BISHOP_PAIR, (bishops & LIGHT_SQUARES) != 0 && (bishops & ~LIGHT_SQUARES) != 0);
    put(sides, us, TEMPO, position_turn(pos) == us);
    for (Bitboard left = pos->colors[us] & ~view->pawns[us]; left != 0;) {
        const Square square = bb_pop(&left);
        const PieceType type = piece_type(pos->board[square]);
        put_more(sides, us, rank_terms[type][square_relative_rank(square, us)], 1);
        put_more(sides, us, file_terms[type][square_file(square)], 1);
    }
}

INLINE void score_mobility(Trace *sides, const View *view, Color us) {
    static const unsigned first[PIECE_TYPE_NB] = {[KNIGHT] = KNIGHT_MOBILITY,
                                                  [BISHOP] = BISHOP_MOBILITY,
                                                  [ROOK] = ROOK_MOBILITY,
                                                  [QUEEN] = QUEEN_MOBILITY};
    for (PieceType type = KNIGHT; type <= QUEEN; type++) {
        put(sides, us, first[type], view->reach[us][type].squares);
        put(sides, us, first[type] + 1, view->reach[us][type].stuck);
    }
}

// --- pawns ---

// What the pawns alone decide.
INLINE void score_pawns(Trace *sides, const Bitboard pawns[COLOR_NB], Color us, PawnEntry *entry) {
    const Color them = color_other(us);
    const Bitboard own = pawns[us], isolated = isolated_pawns(own, ~entry->free[us]);
    const Bitboard guarded = bb_pawn_attacks(own, us), hit = bb_pawn_attacks(pawns[them], them);
    const Bitboard passed = passed_pawns(pawns, us, entry->spans[them]);
    const unsigned files = files_of(own);
    entry->passed[us] = passed;
    put(sides, us, PAWN_VALUE, bb_count(own));
    score_ranks(sides, us, own, PAWN_RANK_3, 3, 6);
    put(sides, us, PAWN_FILE_B, bb_count(own & FILES_BG));
    put(sides, us, PAWN_FILE_C, bb_count(own & FILES_CF & ~FILES_DE));
    put(sides, us, PAWN_FILE_D, bb_count(own & FILES_DE));
    put(sides, us, PAWN_DOUBLED, bb_count(doubled_pawns(own, us)));
    put(sides, us, PAWN_ISOLATED, bb_count(isolated));
    put(sides, us, PAWN_BACKWARD, bb_count(backward_pawns(pawns, us, entry->spans[us], isolated)));
    put(sides, us, PAWN_SUPPORTED, bb_count(own & guarded));
    put(sides, us, PAWN_PHALANX, bb_count(own & files_beside(own)));
    // Pawns attack and stop each other mutually: only what guards them tells the sides apart.
    put(sides, us, PAWN_LEVER, bb_count(own & hit & guarded));
    put(sides, us, PAWN_RAMMED, bb_count(own & bb_forward(pawns[them], them) & ~guarded));
    put(sides, us, PAWN_CENTRE, bb_count(own & CENTRE));
    put(sides, us, PAWN_ISLANDS, bb_count(files & ~(files << 1)));
    put(sides, us, PASSED, bb_count(passed));
    score_ranks(sides, us, passed, PASSED_RANK_4, 4, 7);
    put(sides, us, PASSED_GUARDED, bb_count(passed & guarded));
}

INLINE void score_structure(Trace *sides, const Position *pos, PawnEntry *entry) {
    const Bitboard pawns[COLOR_NB] = {position_pieces(pos, WHITE, PAWN),
                                      position_pieces(pos, BLACK, PAWN)};
    find_spans(pawns, entry);
    score_pawns(sides, pawns, WHITE, entry);
    score_pawns(sides, pawns, BLACK, entry);
}

INLINE void score_passed(Trace *sides, const View *view, Color us) {
    const Color them = color_other(us);
    const Bitboard far =
        view->structure->passed[us] & ~(bb_relative_rank(1, us) | bb_relative_rank(2, us));
    const Square own_king = position_king(view->pos, us), enemy = position_king(view->pos, them);
    const Bitboard hit = view->attacked[them] | view->pos->colors[them];
    unsigned own_distance = 0, enemy_distance = 0, safe = 0, rooks = 0;
    for (Bitboard left = far; left != 0;) {
        const Square square = bb_pop(&left), next = us == WHITE ? square + 8 : square - 8;
        const Bitboard path = fill_forward(bb_square(next), us);
        const Bitboard behind = fill_forward(bb_square(square), them);
        own_distance += square_distance(own_king, next);
        enemy_distance += square_distance(enemy, next);
        safe += (path & hit) == 0;
        rooks += (position_pieces(view->pos, us, ROOK) & behind) != 0;
    }
    put(sides, us, PAWN_STOPPED,
        bb_count(bb_forward(view->pawns[us], us) & view->pos->colors[us] & ~view->pawns[us]));
    put(sides, us, PASSED_BLOCKED, bb_count(bb_forward(far, us) & view->occupied));
    put(sides, us, PASSED_SAFE_PATH, safe);
    put(sides, us, PASSED_OWN_KING, own_distance);
    put(sides, us, PASSED_ENEMY_KING, enemy_distance);
    put(sides, us, PASSED_ROOK_BEHIND, rooks);
}

// --- pieces ---

INLINE void score_minors(Trace *sides, const View *view, Color us) {
    const Color them = color_other(us);
    const Bitboard knights = position_pieces(view->pos, us, KNIGHT);
    const Bitboard bishops = position_pieces(view->pos, us, BISHOP), minors = knights | bishops;
    const Bitboard ranks =
        bb_relative_rank(3, us) | bb_relative_rank(4, us) | bb_relative_rank(5, us);
    const Bitboard outposts = ranks & view->pawn_attacks[us] & ~view->structure->spans[them];
    const Bitboard behind_pawns = bb_forward(view->pawns[us], them);
    const Bitboard fixed = bb_forward(view->occupied, them) & view->pawns[us] & FILES_DE;
    const Square king = position_king(view->pos, us);
    unsigned near = 0, steps = 0, own_pawns = 0, diagonals = 0;
    for (Bitboard left = knights & ~outposts; left != 0;)
        near += (attacks_knight(bb_pop(&left)) & outposts & ~view->pos->colors[us]) != 0;
    for (Bitboard left = minors; left != 0;)
        steps += square_distance(bb_pop(&left), king);
    for (Bitboard left = bishops; left != 0;) {
        const Square square = bb_pop(&left);
        const Bitboard shade = bb_has(LIGHT_SQUARES, square) ? LIGHT_SQUARES : ~LIGHT_SQUARES;
        own_pawns += bb_count(view->pawns[us] & shade);
        diagonals +=
            bb_several(attacks_bishop(square, view->pawns[WHITE] | view->pawns[BLACK]) & CENTRE);
    }
    put(sides, us, KNIGHT_OUTPOST, bb_count(knights & outposts));
    put(sides, us, BISHOP_OUTPOST, bb_count(bishops & outposts));
    put(sides, us, KNIGHT_OUTPOST_NEAR, near);
    put(sides, us, MINOR_BEHIND_PAWN, bb_count(minors & behind_pawns));
    put(sides, us, MINOR_LOOSE, bb_count(minors & ~view->attacked[us]));
    put(sides, us, MINOR_KING_DISTANCE, steps);
    put(sides, us, BISHOP_OWN_PAWNS, own_pawns);
    put(sides, us, BISHOP_BLOCKED_CENTRE, own_pawns * bb_count(fixed));
    put(sides, us, BISHOP_LONG_DIAGONAL, diagonals);
}

INLINE void score_majors(Trace *sides, const View *view, Color us) {
    const Color them = color_other(us);
    const Bitboard rooks = position_pieces(view->pos, us, ROOK);
    const Bitboard king_file = bb_file(square_file(position_king(view->pos, them)));
    const Bitboard queen_files = bb_files(files_of(position_pieces(view->pos, them, QUEEN)));
    const Bitboard free = view->structure->free[us], open = free & view->structure->free[them];
    const bool prey = square_relative_rank(position_king(view->pos, them), us) == 7 ||
                      (view->pawns[them] & bb_relative_rank(6, us)) != 0;
    const Square king = position_king(view->pos, us);
    const unsigned file = square_file(king);
    const Bitboard outside = file > 4   ? bb_files(0xFFu << (file + 1))
                             : file < 3 ? bb_files((1u << file) - 1)
                                        : 0;
    const Bitboard back = bb_relative_rank(0, us);
    put(sides, us, ROOK_OPEN_FILE, bb_count(rooks & open));
    put(sides, us, ROOK_SEMI_OPEN_FILE, bb_count(rooks & free & ~open));
    put(sides, us, ROOK_7TH_RANK, prey ? bb_count(rooks & bb_relative_rank(6, us)) : 0);
    put(sides, us, ROOK_CONNECTED, (view->by[us][ROOK] & rooks) != 0);
    put(sides, us, ROOK_TRAPPED, bb_has(back, king) ? bb_count(rooks & outside & back) : 0);
    put(sides, us, ROOK_FACING_QUEEN, bb_count(rooks & queen_files));
    put(sides, us, ROOK_FACING_KING,
        bb_count(rooks & (king_file | files_beside(king_file)) & free));
}

// Queens that lose their cover when one piece moves away.
INLINE unsigned count_exposed_queens(const View *view, Color us) {
    const Color them = color_other(us);
    const Bitboard straight = position_pieces(view->pos, them, ROOK);
    const Bitboard diagonal = position_pieces(view->pos, them, BISHOP);
    unsigned exposed = 0;
    for (Bitboard left = position_pieces(view->pos, us, QUEEN); left != 0;) {
        const Square square = bb_pop(&left);
        Bitboard sliders =
            (attacks_rook(square, 0) & straight) | (attacks_bishop(square, 0) & diagonal);
        bool is_exposed = false;
        while (sliders != 0) {
            const Bitboard between = squares_between(square, bb_pop(&sliders)) & view->occupied;
            is_exposed = is_exposed || (between != 0 && !bb_several(between));
        }
        exposed += is_exposed;
    }
    return exposed;
}

INLINE void score_development(Trace *sides, const View *view, Color us) {
    const Position *pos = view->pos;
    const Bitboard back = bb_relative_rank(0, us);
    const Bitboard knights = position_pieces(pos, us, KNIGHT) & back & FILES_BG;
    const Bitboard bishops = position_pieces(pos, us, BISHOP) & back & FILES_CF & ~FILES_DE;
    const Bitboard queens = position_pieces(pos, us, QUEEN);
    const unsigned undeveloped = bb_count(knights | bishops), rights = us == WHITE ? 0 : 2;
    const bool has_left = queens != 0 && (queens & back & bb_file(3)) == 0;
    put(sides, us, QUEEN_EXPOSED, count_exposed_queens(view, us));
    put(sides, us, PINNED, bb_count(view->blockers[us] & pos->colors[us] & ~view->pawns[us]));
    put(sides, us, ENEMY_PAWN_PINNED,
        bb_count(view->blockers[color_other(us)] & view->pawns[color_other(us)]));
    put(sides, us, UNDEVELOPED, undeveloped);
    put(sides, us, QUEEN_EARLY, has_left ? undeveloped : 0);
    put(sides, us, CASTLING_SHORT, pos->castling >> rights & 1);
    put(sides, us, CASTLING_LONG, pos->castling >> (rights + 1) & 1);
}

// --- threats ---

INLINE void score_threats(Trace *sides, const View *view, Color us) {
    const Color them = color_other(us);
    const Position *pos = view->pos;
    const Bitboard *by = view->by[us];
    const Bitboard enemy = pos->colors[them], pawns = view->pawns[them];
    const Bitboard minors = (pos->types[KNIGHT] | pos->types[BISHOP]) & enemy;
    const Bitboard rooks = position_pieces(pos, them, ROOK);
    const Bitboard queens = position_pieces(pos, them, QUEEN), majors = rooks | queens;
    const Bitboard by_minor = by[KNIGHT] | by[BISHOP];
    const Bitboard bare = ~view->pawn_attacks[them], unguarded = ~view->attacked[them];
    const Bitboard pieces = minors | majors;
    const Bitboard hanging = pieces & view->attacked[us] & unguarded;
    put(sides, us, THREAT_PAWN_MINOR, bb_count(by[PAWN] & minors));
    put(sides, us, THREAT_PAWN_MAJOR, bb_count(by[PAWN] & majors));
    put(sides, us, THREAT_MINOR_PAWN, bb_count(by_minor & pawns & bare));
    put(sides, us, THREAT_MINOR_MINOR, bb_count(by_minor & minors & bare));
    put(sides, us, THREAT_MINOR_ROOK, bb_count(by_minor & rooks));
    put(sides, us, THREAT_MINOR_QUEEN, bb_count(by_minor & queens));
    put(sides, us, THREAT_ROOK_PAWN, bb_count(by[ROOK] & pawns & bare));
    put(sides, us, THREAT_ROOK_MINOR, bb_count(by[ROOK] & minors & bare));
    put(sides, us, THREAT_ROOK_QUEEN, bb_count(by[ROOK] & queens));
    put(sides, us, THREAT_QUEEN_MINOR, bb_count(by[QUEEN] & minors & unguarded));
    put(sides, us, THREAT_KING, bb_count(by[KING] & enemy & unguarded));
    Bitboard steps = bb_forward(view->pawns[us], us) & ~view->occupied;
    steps |= bb_forward(steps & bb_relative_rank(2, us), us) & ~view->occupied;
    steps &= ~view->pawn_attacks[them] & (view->attacked[us] | unguarded);
    put(sides, us, THREAT_PAWN_PUSH, bb_count(bb_pawn_attacks(steps, us) & pieces & ~by[PAWN]));
    put(sides, us, HANGING, bb_count(hanging));
    put(sides, us, HANGING_TO_MOVE, position_turn(pos) == us ? bb_count(hanging) : 0);
    put(sides, us, HANGING_PAWN, bb_count(pawns & view->attacked[us] & unguarded));
    put(sides, us, OUTNUMBERED,
        bb_count(pieces & bare & view->twice[us] & view->attacked[them] & ~view->twice[them]));
    const Bitboard firm = view->by[them][PAWN] | view->by[them][KNIGHT] | view->by[them][BISHOP] |
                          view->by[them][ROOK];
    put(sides, us, WEAK_QUEEN_ONLY,
        bb_count(pieces & view->attacked[us] & view->attacked[them] & ~firm));
    put(sides, us, LOOSE,
        bb_count(pos->colors[us] & ~view->pawns[us] & ~view->ring[us] & ~view->attacked[us]));
    const Bitboard threatened =
        (by[PAWN] & pieces) | (by_minor & majors) | (by[ROOK] & queens) | hanging;
    const unsigned count = bb_count(threatened);
    put(sides, us, THREAT_DOUBLE, count > 1 ? count - 1 : 0);
}

// --- the king ---

// What bears on the enemy king.
INLINE void score_siege(Trace *sides, const View *view, Color us) {
    const Siege *siege = &view->siege[us];
    const Color them = color_other(us);
    const Square king = position_king(view->pos, them);
    const Bitboard ring = view->ring[them], *guards = view->by[them];
    const Bitboard firm =
        guards[PAWN] | guards[KNIGHT] | guards[BISHOP] | guards[ROOK] | guards[QUEEN];
    const Bitboard held = firm | (guards[KING] & ~view->twice[us]) | view->pos->colors[us];
    const Bitboard straight = attacks_rook(king, view->occupied) & ~held;
    const Bitboard diagonal = attacks_bishop(king, view->occupied) & ~held;
    const unsigned more = siege->pieces > 3 ? 3 : siege->pieces;
    put(sides, us, KING_ATTACKERS, siege->pieces);
    put(sides, us, KING_ATTACK_UNITS, siege->units);
    put(sides, us, KING_ATTACK_TOGETHER, more == 0 ? 0 : siege->units * (more - 1));
    put(sides, us, KING_RING_ATTACKS, bb_count(ring & view->attacked[us]));
    put(sides, us, KING_RING_WEAK, bb_count(ring & view->attacked[us] & ~firm));
    put(sides, us, KING_CHECKS_KNIGHT, (attacks_knight(king) & view->by[us][KNIGHT] & ~held) != 0);
    put(sides, us, KING_CHECKS_BISHOP, (diagonal & view->by[us][BISHOP]) != 0);
    put(sides, us, KING_CHECKS_ROOK, (straight & view->by[us][ROOK]) != 0);
    put(sides, us, KING_CHECKS_QUEEN, ((straight | diagonal) & view->by[us][QUEEN]) != 0);
    put(sides, us, KING_IN_CHECK, bb_has(view->attacked[us], king));
}

INLINE void score_king(Trace *sides, const View *view, Color us) {
    const Color them = color_other(us);
    const Position *pos = view->pos;
    const Square king = position_king(pos, us);
    const Bitboard file = bb_file(square_file(king)), files = file | files_beside(file);
    const Bitboard row = files & RANK_1;
    const Bitboard near = files & view->pawns[us];
    const Bitboard storm =
        bb_relative_rank(2, us) | bb_relative_rank(3, us) | bb_relative_rank(4, us);
    const bool is_home = square_relative_rank(king, us) <= 1;
    const unsigned ours = bb_count(pos->colors[us] & ~view->pawns[us]);
    const unsigned theirs = bb_count(pos->colors[them] & ~view->pawns[them]);
    put(sides, us, KING_SHELTER,
        is_home ? 2 * bb_count(near & bb_relative_rank(1, us)) +
                      bb_count(near & bb_relative_rank(2, us))
                : 0);
    put(sides, us, KING_OPEN_FILE, bb_count(row & view->structure->free[us]));
    put(sides, us, KING_OPEN_FOR_ENEMY,
        bb_count(row & view->structure->free[us] & view->structure->free[them]));
    put(sides, us, KING_STORM, bb_count(files & storm & view->pawns[them]));
    put(sides, us, KING_MOBILITY,
        bb_count(attacks_king(king) & ~pos->colors[us] & ~view->attacked[them]));
    put(sides, us, KING_DISTANCE,
        ours > theirs ? square_distance(king, position_king(pos, them)) : 0);
}

// --- space ---

INLINE void score_space(Trace *sides, const View *view, Color us) {
    const Color them = color_other(us);
    const Bitboard ranks =
        bb_relative_rank(1, us) | bb_relative_rank(2, us) | bb_relative_rank(3, us);
    const Bitboard safe = FILES_CF & ranks & ~view->pawns[us] & ~view->pawn_attacks[them];
    const Bitboard behind = fill_forward(view->pawns[us], them);
    const Bitboard half = us == WHITE ? 0xFFFFFFFF00000000ULL : 0x00000000FFFFFFFFULL;
    put(sides, us, SPACE, bb_count(safe));
    put(sides, us, SPACE_BEHIND, bb_count(safe & behind));
    put(sides, us, CONTROL_CENTRE, bb_count(view->attacked[us] & CENTRE));
    put(sides, us, CONTROL_CENTRE_PAWN, bb_count(view->pawn_attacks[us] & CENTRE));
    put(sides, us, CONTROL_WIDE_CENTRE, bb_count(view->attacked[us] & WIDE_CENTRE));
    put(sides, us, CONTROL_ENEMY_HALF, bb_count(view->attacked[us] & half));
    put(sides, us, CONTROL_TWICE, bb_count(view->twice[us]));
    put(sides, us, CONTROL_ALL, bb_count(view->attacked[us]));
}

INLINE void score_side(Trace *sides, const View *view, Color us) {
    score_places(sides, view, us);
    score_mobility(sides, view, us);
    score_passed(sides, view, us);
    score_minors(sides, view, us);
    score_majors(sides, view, us);
    score_development(sides, view, us);
    score_threats(sides, view, us);
    score_siege(sides, view, us);
    score_king(sides, view, us);
    score_space(sides, view, us);
}

// --- scores and traces ---

static void find_structure(const Position *pos, const int *coefficients, PawnEntry *entry) {
    Trace sides[COLOR_NB];
    clear_counts(sides, NOTED);
    score_structure(sides, pos, entry);
    const TaperedSum sum = tapered_sum(sides, coefficients, TERM_COUNT);
    entry->key = pos->pawn_key;
    entry->score = sum.middlegame;
    entry->endgame = sum.endgame;
}

// One function for both, as code that stays in the processor's cache is faster.
static __attribute__((noinline)) void count_position(const Position *pos, const PawnEntry *entry,
                                                     Trace sides[COLOR_NB]) {
    View view;
    look(&view, pos, entry);
    score_side(sides, &view, WHITE);
    score_side(sides, &view, BLACK);
}

static int score(const Position *pos, const int *coefficients, PawnCache *cache) {
    PawnEntry local;
    PawnEntry *entry = cache == NULL ? &local : pawn_cache_slot(cache, pos->pawn_key);
    if (cache == NULL || entry->key != pos->pawn_key)
        find_structure(pos, coefficients, entry);
    Trace sides[COLOR_NB];
    clear_counts(sides, NOTED);
    count_position(pos, entry, sides);
    const TaperedSum sum = tapered_sum(sides, coefficients, TERM_COUNT);
    return tapered_score(taper_of(pos), entry->score + sum.middlegame,
                         entry->endgame + sum.endgame);
}

static void trace(const Position *pos, Trace sides[COLOR_NB]) {
    PawnEntry entry;
    clear_counts(sides, NOTED);
    score_structure(sides, pos, &entry);
    count_position(pos, &entry, sides);
}

const Family family_falcon = {
    .name = "falcon",
    .version = 1,
    .unit = 1,
    .scale = TAPER_ONE,
    .terms = terms,
    .term_count = 2 * TERM_COUNT,
    .coefficient_count = 2 * TERM_COUNT,
    .feature_count = TERM_COUNT,
    .count_names = count_names,
    .score = score,
    .trace_sides = trace,
    .taper = taper_of,
};
