// SPDX-License-Identifier: GPL-3.0-or-later
// A record that is read obeys the rules; its written form is stable, and reading the moves of any
// operation gives legal ones.
#include "chess/epd.h"
#include "chess/movegen.h"
#include "fuzz/fuzz.h"

#include <string.h>

static void check_round_trip(const Epd *epd) {
    Epd again = {0};
    Str first = {0}, second = {0};
    epd_write(epd, &first);
    MUST_HOLD(epd_parse(&again, view_of(str_text(&first), first.length)) == OK);
    MUST_HOLD(memcmp(&epd->pos, &again.pos, sizeof again.pos) == 0);
    MUST_HOLD(epd->op_count == again.op_count);
    epd_write(&again, &second);
    MUST_HOLD(first.length == second.length);
    MUST_HOLD(strcmp(str_text(&first), str_text(&second)) == 0);
    epd_free(&again);
    str_free(&first);
    str_free(&second);
}

static void check_operations(const Epd *epd) {
    static const char *const lists[] = {"bm", "am", "pm", "sm"};
    MoveList moves;
    StrView text;
    int64_t number;
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        if (epd_get_moves(epd, lists[i], &moves) != OK)
            continue;
        for (size_t k = 0; k < moves.count; k++)
            MUST_HOLD(move_is_legal(&epd->pos, moves.moves[k]));
    }
    if (epd_get_line(epd, "pv", &moves) == OK) {
        Position pos = epd->pos;
        for (size_t k = 0; k < moves.count; k++) {
            Undo undo;
            MUST_HOLD(move_is_legal(&pos, moves.moves[k]));
            position_make(&pos, moves.moves[k], &undo);
        }
    }
    (void)epd_get_string(epd, "id", &text);
    (void)epd_get_int(epd, "ce", &number);
    MUST_HOLD(epd_check(epd) == OK || error_message()[0] != '\0');
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    chess_init();
    Epd epd = {0};
    if (epd_parse(&epd, view_of((const char *)data, size)) == OK) {
        MUST_HOLD(position_is_ok(&epd.pos));
        check_operations(&epd);
        check_round_trip(&epd);
        if (epd_set_int(&epd, "ce", -31) == OK &&
            epd_set_string(&epd, "c9", view_of("1-0", 3)) == OK)
            check_round_trip(&epd);
    }
    epd_free(&epd);
    return 0;
}
