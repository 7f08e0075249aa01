// SPDX-License-Identifier: GPL-3.0-or-later
#include "board/play_answers.h"

#include "base/json.h"
#include "eval/explanation.h"

#include <time.h>

// --- the score term by term ---

static void write_term(const Explanation *explanation, size_t index, Str *out) {
    const Family *family = explanation->family;
    const double scale = family->scale;
    str_add(out, "{\"name\":");
    json_add_string(out, family_count_name(family, index));
    str_addf(out, ",\"white\":%d,\"black\":%d,\"unit\":", explanation->sides[WHITE].counts[index],
             explanation->sides[BLACK].counts[index]);
    json_add_number(out, explanation_unit(explanation, index) / scale);
    str_add(out, ",\"score\":");
    json_add_number(out, explanation_difference(explanation, index) / scale);
    str_add(out, "}");
}

void play_terms_write(const Weights *weights, const Position *pos, const char *name, Str *out) {
    const Family *family = weights->family;
    Explanation explanation;
    size_t told = 0;
    explanation_make(&explanation, weights, pos);
    str_addf(out, "{\"family\":\"%s\",\"name\":", family->name);
    json_add_string(out, name);
    str_add(out, ",\"score\":");
    json_add_number(out, explanation_score(&explanation) / (double)family->scale);
    str_add(out, ",\"terms\":[");
    for (size_t i = 0; i < family->feature_count; i++)
        if (explanation_is_present(&explanation, i)) {
            str_add(out, told++ == 0 ? "" : ",");
            write_term(&explanation, i, out);
        }
    str_add(out, "]}");
}

// --- the game as text ---

static Status set_tag(PgnGame *game, StrView body, const char *key, const char *tag) {
    CLEANUP(str_free) Str text = {0};
    play_text(body, key, &text);
    return text.length == 0 ? OK : pgn_set_tag(game, tag, view_of(text.text, text.length));
}

Status play_pgn_write(StrView body, const char *event, Str *out) {
    CLEANUP(play_game_free) PlayGame game = {0};
    CLEANUP(str_free) Str pgn = {0};
    char date[16];
    const time_t now = time(NULL);
    struct tm parts;
    strftime(date, sizeof date, "%Y.%m.%d", gmtime_r(&now, &parts));
    TRY(play_game_read(&game, body));
    TRY(pgn_set_tag(&game.pgn, "Event", view_from_string(event)));
    TRY(pgn_set_tag(&game.pgn, "Date", view_from_string(date)));
    TRY(set_tag(&game.pgn, body, "white", "White"));
    TRY(set_tag(&game.pgn, body, "black", "Black"));
    game.pgn.result = game.pgn.tag_result = play_game_result(&game);
    pgn_write(&game.pgn, NULL, &pgn);
    str_add(out, "{\"pgn\":");
    json_add_string(out, str_text(&pgn));
    str_add(out, "}");
    return OK;
}
