// SPDX-License-Identifier: GPL-3.0-or-later
// The games of some people, each once, and the moves they chose in them. The same for any number of
// threads and any order of files and games.
#pragma once

#include "chess/pgn.h"
#include "data/rating_list.h"

// One game as one of the people played it; a game between two of them is there for each.
typedef struct PlayerGame {
    uint32_t player; // which of those asked for
    Color side;
    GameResult result;
    int year;          // 0 where it is unknown
    uint64_t event;    // the same for the games of one event
    uint64_t identity; // the same for copies of a game
    char *opponent;    // owned
    Position start;
    Move *moves; // of both sides, owned
    size_t move_count;
} PlayerGame;

typedef struct PlayerGamesTotals {
    uint64_t games;     // in all files, of any players
    uint64_t copies;    // left out: they are there already
    uint64_t contested; // left out: copies disagree about who played
    uint64_t damaged;   // left out: of these people, but with moves that cannot be read
} PlayerGamesTotals;

// Ordered by player, then by the games' identity.
typedef struct PlayerGames {
    PlayerGame *items;
    size_t count;
    size_t player_count;
    size_t *begin; // of each player's items, and the end of the last
    PlayerGamesTotals totals;
} PlayerGames;

// Reads files of games. A player is a name, or several with ';' between ("Korchnoi, Viktor;
// Kortchnoi, Viktor"), which are compared as `falconer sample --player` does; who fits two players
// is the first of them. ERR_ARG for an empty name.
MUST_CHECK Status player_games_read(PlayerGames *out, const char *const *players,
                                    size_t player_count, const char *const *paths,
                                    size_t path_count, int threads);
// The same for the player of this side in each game, who is player 0.
MUST_CHECK Status player_games_read_side(PlayerGames *out, Color side, const char *const *paths,
                                         size_t path_count, int threads);
// The same for a text in memory: the games of `player`, a name as above, or those of that side
// where it is NULL. Nothing of the text is needed afterwards.
MUST_CHECK Status player_games_from_text(PlayerGames *out, const char *player, Color side,
                                         StrView pgn);

// Games of everybody but one person, to compare that person with: drawn at random, each as one of
// its sides played it.
typedef struct OtherGames {
    const char *player; // who does not play in them: spellings as for player_games_read
    double share;       // of games that are taken
    uint64_t seed;
    const RatingList *ratings; // NULL: ratings of the tags alone
    int min_elo;               // of the side that is taken; 0: any
} OtherGames;
// All of them are those of player 0.
MUST_CHECK Status player_games_read_others(PlayerGames *out, const OtherGames *others,
                                           const char *const *paths, size_t path_count,
                                           int threads);
void player_games_free(PlayerGames *games);

// Whether games stand in their players' parts, each with moves.
bool player_games_are_valid(const PlayerGames *games);

// What is held out together. Where the tags tell events apart only now and then (in old collections
// the Event is often the round), whole years are the safe choice.
typedef enum PlayerSplit { SPLIT_BY_EVENT, SPLIT_BY_YEAR } PlayerSplit;

// Deals whole events or years to training and to what is held out: is_held_out[i] becomes true for
// the games of about `share` of them. Which ones depends on seed and share alone, so that who knows
// both knows what a model was not trained on, whoever else was asked for. Games without a year are
// never held out by years.
void player_games_split(const PlayerGames *games, PlayerSplit by, uint64_t seed, double share,
                        bool *is_held_out);

// Whether that split holds out the games of a year.
bool player_year_is_held_out(int year, uint64_t seed, double share);

typedef struct PlayerMove {
    Position pos;
    Move played;
    uint16_t ply; // moves made before it, of both sides
} PlayerMove;

// Writes the positions from `skip_plies` on with the person to move and more than one legal move;
// `out` has room for move_count of them. Returns how many.
size_t player_game_moves(const PlayerGame *game, unsigned skip_plies, PlayerMove *out);
