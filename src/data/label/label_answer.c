// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/label/label_answer.h"

#include "chess/movegen.h"
#include "chess/san.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

enum { OPCODE_SIZE = 4 };

static void take_score(const UciInfo *info, Move move, LabelLine *out) {
    *out = (LabelLine){.move = move,
                       .score = info->score,
                       .depth = info->depth,
                       .is_mate = (info->has & UCI_INFO_MATE) != 0};
}

static bool has_move(const LabelAnswer *answer, Move move) {
    for (size_t i = 0; i < answer->count; i++)
        if (answer->lines[i].move == move)
            return true;
    return false;
}

Status label_answer_take(const Position *pos, const EngineAnswer *answer, int lines,
                         LabelAnswer *out) {
    *out = (LabelAnswer){0};
    Move best = move_from_uci(pos, answer->text, strlen(answer->text));
    if (best == MOVE_NONE)
        return error_set(ERR_ENGINE, "illegal move %s", answer->text);
    if ((answer->info.has & UCI_INFO_SCORE) == 0)
        return error_set(ERR_ENGINE, "a move (%s) without a score", answer->text);
    StrView rest = answer->info.pv;
    StrView word = view_next_word(&rest);
    Move scored = move_from_uci(pos, word.text, word.length);
    take_score(&answer->info, scored == MOVE_NONE ? best : scored, &out->lines[out->count++]);
    for (int i = 0; i < lines - 1; i++) {
        const ClientLine *line = &answer->further[i];
        Move move = move_from_uci(pos, line->first, strlen(line->first));
        if ((line->info.has & UCI_INFO_SCORE) != 0 && move != MOVE_NONE && !has_move(out, move))
            take_score(&line->info, move, &out->lines[out->count++]);
    }
    return OK;
}

void label_answer_write(const Position *pos, const LabelAnswer *answer, Str *out) {
    for (size_t i = 0; i < answer->count; i++) {
        const LabelLine *line = &answer->lines[i];
        char move[UCI_MOVE_SIZE];
        move_to_uci(pos, line->move, move);
        str_addf(out, "%s%s %s %d %d", i == 0 ? "" : "; ", move, line->is_mate ? "mate" : "cp",
                 line->score, line->depth);
    }
}

static bool next_int(StrView *rest, int low, int *out) {
    int64_t value;
    if (!view_to_int(view_next_word(rest), &value) || value < low || value > INT_MAX)
        return false;
    *out = (int)value;
    return true;
}

static bool read_line(const Position *pos, StrView text, LabelLine *out) {
    StrView move = view_next_word(&text), kind = view_next_word(&text);
    out->move = move_from_uci(pos, move.text, move.length);
    out->is_mate = view_equals(kind, "mate");
    return out->move != MOVE_NONE && (out->is_mate || view_equals(kind, "cp")) &&
           next_int(&text, INT_MIN, &out->score) && next_int(&text, 0, &out->depth) &&
           view_trim(text).length == 0;
}

Status label_answer_read(const Position *pos, StrView text, LabelAnswer *out) {
    out->count = 0;
    for (bool is_last = false; !is_last;) {
        const char *end = text.length == 0 ? NULL : memchr(text.text, ';', text.length);
        is_last = end == NULL;
        StrView line = view_of(text.text, is_last ? text.length : (size_t)(end - text.text));
        if (out->count == LABEL_LINES_MAX || !read_line(pos, line, &out->lines[out->count]))
            return error_set(ERR_PARSE, "'%.*s' is no answer of a mentor", (int)text.length,
                             text.text);
        out->count++;
        if (!is_last)
            text = view_of(end + 1, text.length - line.length - 1);
    }
    return OK;
}

int label_line_ce(const LabelLine *line) {
    if (!line->is_mate)
        return line->score;
    int64_t plies = line->score > 0 ? 2 * (int64_t)line->score - 1 : -2 * (int64_t)line->score;
    const int ce =
        plies < LABEL_MATE_CE - LABEL_MATE_LEAST ? LABEL_MATE_CE - (int)plies : LABEL_MATE_LEAST;
    return line->score > 0 ? ce : -ce;
}

static void write_opcode(char out[OPCODE_SIZE], size_t line) {
    snprintf(out, OPCODE_SIZE, "c%u", (unsigned)line % 10);
}

void label_answer_clear(Epd *epd, int lines) {
    static const char *const opcodes[] = {"ce", "acd", "pm", "dm", "c1"};
    for (size_t i = 0; i < sizeof opcodes / sizeof opcodes[0]; i++)
        epd_remove(epd, opcodes[i]);
    for (int i = 2; i <= lines; i++) {
        char opcode[OPCODE_SIZE];
        write_opcode(opcode, (size_t)i);
        epd_remove(epd, opcode);
    }
}

static Status put_further(const LabelLine *line, size_t number, Epd *epd) {
    char opcode[OPCODE_SIZE], san[SAN_SIZE];
    CLEANUP(str_free) Str text = {0};
    write_opcode(opcode, number);
    san_write(&epd->pos, line->move, san);
    str_addf(&text, "%s %d", san, label_line_ce(line));
    return epd_set_string(epd, opcode, view_of(text.text, text.length));
}

Status label_answer_put(const LabelAnswer *answer, const char *mentor, Epd *epd) {
    const LabelLine *best = &answer->lines[0];
    TRY(epd_set_int(epd, "ce", label_line_ce(best)));
    if (best->is_mate)
        TRY(epd_set_int(epd, "dm", best->score));
    TRY(epd_set_int(epd, "acd", best->depth));
    TRY(epd_set_moves(epd, "pm", &best->move, 1));
    TRY(epd_set_string(epd, "c1", view_from_string(mentor)));
    for (size_t i = 1; i < answer->count; i++)
        TRY(put_further(&answer->lines[i], i + 1, epd));
    return OK;
}
