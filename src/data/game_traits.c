// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/game_traits.h"

enum { YEAR_DIGITS = 4 };

uint64_t game_hash(const PgnGame *game, size_t plies_max) {
    uint64_t hash = game->start.key;
    for (size_t i = 0; i < game->move_count && i < plies_max; i++)
        hash = (hash << 5 ^ hash >> 59 ^ game->moves[i]) * 0x9E3779B97F4A7C15ULL;
    return hash;
}

int game_year(const PgnGame *game) {
    StrView date = view_trim(pgn_tag(game, "Date"));
    int64_t year;
    if (date.length < YEAR_DIGITS || !view_to_int(view_of(date.text, YEAR_DIGITS), &year))
        return 0;
    return (int)year;
}

StrView game_player(const PgnGame *game, Color side) {
    return view_trim(pgn_tag(game, side == WHITE ? "White" : "Black"));
}

GameResult game_tag_result(const PgnGame *game) {
    GameResult result;
    return pgn_result_from_text(view_trim(pgn_tag(game, "Result")), &result) ? result
                                                                             : RESULT_UNKNOWN;
}

int game_tag_rating(const PgnGame *game, Color side) {
    int64_t rating;
    StrView text = view_trim(pgn_tag(game, side == WHITE ? "WhiteElo" : "BlackElo"));
    return view_to_int(text, &rating) && rating > 0 && rating < 10000 ? (int)rating : 0;
}
