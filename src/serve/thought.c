// SPDX-License-Identifier: GPL-3.0-or-later
#include "serve/thought.h"

#include "chess/movegen.h"
#include "chess/san.h"

static void write_line(const Thought *thought, const PlayGame *game, Str *out) {
    Position pos = game->pgn.final;
    char san[SAN_SIZE];
    Undo undo;
    str_add(out, ",\"line\":\"");
    for (size_t i = 0; i < thought->line_length; i++) {
        san_write(&pos, thought->line[i], san);
        str_addf(out, "%s%s", i == 0 ? "" : " ", san);
        position_make(&pos, thought->line[i], &undo);
    }
    str_add(out, "\"");
}

void thought_write(const Thought *thought, const PlayGame *game, Str *out) {
    const Position *pos = &game->pgn.final;
    char uci[UCI_MOVE_SIZE], san[SAN_SIZE];
    if (thought->has_resigned) {
        str_add(out, "{\"resigned\":true}");
        return;
    }
    move_to_uci(pos, thought->move, uci);
    san_write(pos, thought->move, san);
    str_addf(out, "{\"move\":\"%s\",\"san\":\"%s\",\"depth\":%d,\"nodes\":%llu", uci, san,
             thought->depth, (unsigned long long)thought->nodes);
    if (thought->has_score)
        str_addf(out, ",\"%s\":%d", thought->is_mate ? "mate" : "cp",
                 position_turn(pos) == WHITE ? thought->score : -thought->score);
    write_line(thought, game, out);
    str_add(out, "}");
}

static Move read_move(const Position *pos, StrView word) {
    Move move = move_from_uci(pos, word.text, word.length);
    if (move == MOVE_NONE && san_parse(pos, word, &move) != SAN_OK)
        return MOVE_NONE;
    return move;
}

void thought_read_line(Thought *thought, const PlayGame *game, StrView text) {
    Position pos = game->pgn.final;
    Undo undo;
    thought->line_length = 0;
    while (thought->line_length < THOUGHT_LINE_MAX) {
        const StrView word = view_next_word(&text);
        const Move move = word.length == 0 ? MOVE_NONE : read_move(&pos, word);
        if (move == MOVE_NONE)
            return;
        thought->line[thought->line_length++] = move;
        position_make(&pos, move, &undo);
    }
}
