// SPDX-License-Identifier: GPL-3.0-or-later
#include "match/play/game_text.h"

#include "base/mem.h"
#include "chess/pgn.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROSTER_LINES = 6, ROUND_SIZE = 32 }; // Event, Site, Date, Round, White, Black
static const char *const openings[ROSTER_LINES] = {"[Event \"", "[Site \"", "[Date \""};

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

static bool begin_alike(StrView a, StrView b) {
    return memcmp(a.text, b.text, least(a.length, b.length)) == 0;
}

// Cuts off a line with its end; the last one may have none.
static StrView cut_line(StrView *rest) {
    const char *end = memchr(rest->text, '\n', rest->length);
    const size_t length = end == NULL ? rest->length : (size_t)(end - rest->text) + 1;
    const StrView line = view_of(rest->text, length);
    *rest = view_of(rest->text + length, rest->length - length);
    return line;
}

static bool is_ended(StrView line) {
    return line.length > 0 && line.text[line.length - 1] == '\n';
}

// The roster, as far as it is known before the game.
static bool write_roster(const GameNames *names, Str *out) {
    PgnGame *game = mem_alloc_zero(1, sizeof *game);
    char round[ROUND_SIZE];
    snprintf(round, sizeof round, "%" PRIu64, names->round);
    pgn_game_reset(game);
    const bool is_set = pgn_set_tag(game, "Round", view_from_string(round)) == OK &&
                        pgn_set_tag(game, "White", view_from_string(names->white)) == OK &&
                        pgn_set_tag(game, "Black", view_from_string(names->black)) == OK;
    pgn_write(game, NULL, out);
    pgn_game_free(game);
    free(game);
    return is_set;
}

static bool fits_roster(StrView *rest, const Str *roster) {
    StrView wanted_rest = view_of(roster->text, roster->length);
    bool fits = true;
    for (int i = 0; i < ROSTER_LINES && fits && rest->length > 0; i++) {
        const StrView wanted = cut_line(&wanted_rest), line = cut_line(rest);
        if (openings[i] != NULL)
            fits = begin_alike(line, view_from_string(openings[i]));
        else
            fits = begin_alike(line, wanted) && (!is_ended(line) || line.length == wanted.length);
    }
    return fits;
}

GameText game_text_in_pgn(StrView text, const GameNames *names) {
    Str roster = {0};
    const bool fits = write_roster(names, &roster) && fits_roster(&text, &roster);
    str_free(&roster);
    // Other tags, an empty line, moves, an empty line.
    bool is_tag = true, is_whole = false;
    while (fits && text.length > 0 && !is_whole) {
        const StrView line = cut_line(&text);
        if (view_equals(line, "\n")) {
            is_whole = !is_tag;
            is_tag = false;
        } else if (is_tag && line.text[0] != '[') {
            return GAME_TEXT_OTHER;
        }
    }
    if (!fits || text.length > 0)
        return GAME_TEXT_OTHER;
    return is_whole ? GAME_TEXT_WHOLE : GAME_TEXT_PART;
}

bool game_text_in_json(StrView text, const MatchGame *game, const GameNames *names) {
    Str head = {0};
    game_begin_json(game, names, &head);
    const bool is_alike = begin_alike(text, view_of(head.text, head.length));
    str_free(&head);
    return is_alike;
}
