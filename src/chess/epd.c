// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/epd.h"

#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/san.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

void epd_clear(Epd *epd) {
    memset(&epd->pos, 0, sizeof epd->pos);
    epd->op_count = 0;
    str_clear(&epd->text);
}

void epd_free(Epd *epd) {
    str_free(&epd->text);
    *epd = (Epd){0};
}

StrView epd_opcode(const Epd *epd, size_t index) {
    const EpdOp *op = &epd->ops[index];
    return view_of(str_text(&epd->text) + op->opcode, op->opcode_length);
}

StrView epd_operands(const Epd *epd, size_t index) {
    const EpdOp *op = &epd->ops[index];
    return view_of(str_text(&epd->text) + op->operands, op->operands_length);
}

size_t epd_find(const Epd *epd, const char *opcode) {
    const size_t length = strlen(opcode);
    const char *text = str_text(&epd->text);
    size_t i = 0;
    while (i < epd->op_count &&
           (epd->ops[i].opcode_length != length || text[epd->ops[i].opcode] != opcode[0] ||
            memcmp(text + epd->ops[i].opcode, opcode, length) != 0))
        i++;
    return i;
}

// Copies a text behind the others, control characters as blanks, and returns where.
static uint32_t keep(Epd *epd, StrView text) {
    size_t at = epd->text.length;
    str_append(&epd->text, text.text, text.length);
    char *kept = epd->text.text + at;
    for (size_t i = 0; i < text.length; i++)
        kept[i] = (unsigned char)kept[i] < ' ' ? ' ' : kept[i];
    return (uint32_t)at;
}

static Status put_op(Epd *epd, size_t index, StrView opcode, StrView operands) {
    if (index == EPD_OPS_MAX)
        return error_set(ERR_LIMIT, "more than %d operations", EPD_OPS_MAX);
    if (epd->text.length + opcode.length + operands.length > EPD_LINE_MAX)
        return error_set(ERR_LIMIT, "more than %d bytes in a record", EPD_LINE_MAX);
    EpdOp op = {.opcode_length = (uint32_t)opcode.length,
                .operands_length = (uint32_t)operands.length};
    op.opcode = keep(epd, opcode);
    op.operands = keep(epd, operands);
    epd->ops[index] = op;
    epd->op_count += index == epd->op_count;
    return OK;
}

static bool is_blank(char c) {
    return (unsigned char)c <= ' ';
}

static void drop(StrView *text, size_t count) {
    *text = view_of(text->text + count, text->length - count);
}

// As view_trim, but control characters, which `keep` turns into blanks, are trimmed too.
static StrView trim_blanks(StrView text) {
    while (text.length > 0 && is_blank(text.text[0]))
        drop(&text, 1);
    while (text.length > 0 && is_blank(text.text[text.length - 1]))
        text.length--;
    return text;
}

// Cuts the operands, up to a semicolon outside quotes, off the front; false when a quote stays
// open.
static bool cut_operands(StrView *rest, StrView *out) {
    size_t i = 0;
    bool in_quotes = false;
    for (; i < rest->length && (in_quotes || rest->text[i] != ';'); i++)
        in_quotes ^= rest->text[i] == '"';
    *out = trim_blanks(view_of(rest->text, i));
    drop(rest, i);
    return !in_quotes;
}

// Takes over a counter of the position; true when the opcode is one.
static bool take_counter(Epd *epd, StrView opcode, StrView operands, Status *status) {
    if (opcode.length != 4)
        return false;
    bool is_halfmove = memcmp(opcode.text, "hmvc", 4) == 0;
    if (!is_halfmove && memcmp(opcode.text, "fmvn", 4) != 0)
        return false;
    int64_t value;
    bool is_good =
        view_to_int(operands, &value) && value >= (is_halfmove ? 0 : 1) && value <= UINT16_MAX;
    *status = OK;
    if (!is_good)
        *status = error_set(ERR_PARSE, "%s: \"%.*s\" is no such counter",
                            is_halfmove ? "hmvc" : "fmvn", (int)operands.length, operands.text);
    else if (is_halfmove)
        epd->pos.halfmove = (uint16_t)value;
    else
        epd->pos.fullmove = (uint16_t)value;
    return true;
}

static Status parse_op(Epd *epd, StrView *rest) {
    size_t length = 0;
    while (length < rest->length && !is_blank(rest->text[length]) && rest->text[length] != ';')
        length++;
    StrView opcode = view_of(rest->text, length), operands;
    drop(rest, length);
    if (!cut_operands(rest, &operands))
        return error_set(ERR_PARSE, "%.*s: a quote is never closed", (int)opcode.length,
                         opcode.text);
    Status status;
    if (take_counter(epd, opcode, operands, &status))
        return status;
    return put_op(epd, epd->op_count, opcode, operands);
}

Status epd_parse(Epd *epd, StrView line) {
    epd_clear(epd);
    if (line.length > EPD_LINE_MAX)
        return error_set(ERR_LIMIT, "more than %d bytes in a record", EPD_LINE_MAX);
    StrView rest = view_trim(line);
    Status status = fen_read(&rest, &epd->pos);
    while (status == OK) {
        while (rest.length > 0 && (is_blank(rest.text[0]) || rest.text[0] == ';'))
            drop(&rest, 1);
        if (rest.length == 0)
            return OK;
        status = parse_op(epd, &rest);
    }
    epd_clear(epd);
    return status;
}

// True when the first operation would be read as a FEN's counter right behind the position.
static bool starts_with_number(const Epd *epd) {
    return epd->op_count > 0 && epd_opcode(epd, 0).text[0] >= '0' &&
           epd_opcode(epd, 0).text[0] <= '9';
}

void epd_write(const Epd *epd, Str *out) {
    char board[FEN_SIZE];
    fen_write_board(&epd->pos, board);
    str_add(out, board);
    if (epd->pos.halfmove != 0 || starts_with_number(epd))
        str_addf(out, " hmvc %u;", epd->pos.halfmove);
    if (epd->pos.fullmove != 1)
        str_addf(out, " fmvn %u;", epd->pos.fullmove);
    for (size_t i = 0; i < epd->op_count; i++) {
        StrView opcode = epd_opcode(epd, i), operands = epd_operands(epd, i);
        str_add(out, " ");
        str_append(out, opcode.text, opcode.length);
        if (operands.length > 0) {
            str_add(out, " ");
            str_append(out, operands.text, operands.length);
        }
        str_add(out, ";");
    }
}

bool epd_get_string(const Epd *epd, const char *opcode, StrView *out) {
    size_t index = epd_find(epd, opcode);
    if (index == epd->op_count)
        return false;
    StrView text = epd_operands(epd, index);
    bool is_quoted = text.length >= 2 && text.text[0] == '"' &&
                     memchr(text.text + 1, '"', text.length - 1) == text.text + text.length - 1;
    *out = is_quoted ? view_of(text.text + 1, text.length - 2) : text;
    return true;
}

bool epd_get_int(const Epd *epd, const char *opcode, int64_t *out) {
    StrView text;
    return epd_get_string(epd, opcode, &text) && view_to_int(view_trim(text), out);
}

// "+", "?" and the like, set off from their move by a blank.
static bool is_mark(StrView word) {
    for (size_t i = 0; i < word.length; i++)
        if (strchr("+#!?,", word.text[i]) == NULL)
            return false;
    return true;
}

// Reads the moves of an operation, each from `pos`, or with `in_line` from the one before.
static Status get_moves(const Epd *epd, const char *opcode, bool in_line, MoveList *out) {
    Position pos = epd->pos;
    StrView rest;
    out->count = 0;
    if (!epd_get_string(epd, opcode, &rest))
        return OK;
    for (StrView word = view_next_word(&rest); word.length > 0; word = view_next_word(&rest)) {
        if (is_mark(word))
            continue;
        if (word.text[word.length - 1] == ',')
            word.length--;
        if (out->count == MOVES_MAX)
            return error_set(ERR_LIMIT, "%s: more than %d moves", opcode, MOVES_MAX);
        Move move;
        SanError error = san_parse(&pos, word, &move);
        if (error != SAN_OK)
            return error_set(ERR_PARSE, "%s: %s \"%.*s\"", opcode, san_error_name(error),
                             (int)word.length, word.text);
        out->moves[out->count++] = move;
        Undo undo;
        if (in_line)
            position_make(&pos, move, &undo);
    }
    return OK;
}

Status epd_get_moves(const Epd *epd, const char *opcode, MoveList *out) {
    TRY(get_moves(epd, opcode, false, out));
    assert(move_list_is_valid(out, &epd->pos));
    return OK;
}

Status epd_get_line(const Epd *epd, const char *opcode, MoveList *out) {
    return get_moves(epd, opcode, true, out);
}

Status epd_check(const Epd *epd) {
    static const char *const numbers[] = {"ce", "acd", "acn", "acs", "dm"};
    static const char *const moves[] = {"bm", "am", "pm", "sm"};
    MoveList list;
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        StrView text;
        int64_t value;
        if (epd_get_string(epd, numbers[i], &text) && !epd_get_int(epd, numbers[i], &value))
            return error_set(ERR_PARSE, "%s: \"%.*s\" is no number", numbers[i], (int)text.length,
                             text.text);
    }
    for (size_t i = 0; i < sizeof moves / sizeof moves[0]; i++)
        TRY(epd_get_moves(epd, moves[i], &list));
    return epd_get_line(epd, "pv", &list);
}

static bool is_opcode(StrView text) {
    for (size_t i = 0; i < text.length; i++)
        if (is_blank(text.text[i]) || text.text[i] == ';' || text.text[i] == '"')
            return false;
    return text.length > 0;
}

Status epd_set(Epd *epd, const char *opcode, StrView operands) {
    StrView name = view_from_string(opcode), rest = operands, checked;
    Status status;
    if (!is_opcode(name))
        return error_set(ERR_ARG, "\"%s\" is no opcode", opcode);
    if (!cut_operands(&rest, &checked) || rest.length > 0 ||
        (operands.length > 0 && memchr(operands.text, '\n', operands.length) != NULL))
        return error_set(ERR_ARG, "%s: operands that no EPD can hold", opcode);
    if (take_counter(epd, name, checked, &status))
        return status;
    return put_op(epd, epd_find(epd, opcode), name, checked);
}

Status epd_set_int(Epd *epd, const char *opcode, int64_t value) {
    CLEANUP(str_free) Str text = {0};
    str_addf(&text, "%" PRId64, value);
    return epd_set(epd, opcode, view_of(text.text, text.length));
}

Status epd_set_string(Epd *epd, const char *opcode, StrView value) {
    if (value.length > 0 && memchr(value.text, '"', value.length) != NULL)
        return error_set(ERR_ARG, "%s: a quote inside a string", opcode);
    CLEANUP(str_free) Str text = {0};
    str_add(&text, "\"");
    str_append(&text, value.text, value.length);
    str_add(&text, "\"");
    return epd_set(epd, opcode, view_of(text.text, text.length));
}

static Status set_moves(Epd *epd, const char *opcode, const Move *moves, size_t count,
                        bool in_line) {
    CLEANUP(str_free) Str text = {0};
    Position pos = epd->pos;
    for (size_t i = 0; i < count; i++) {
        char san[SAN_SIZE];
        san_write(&pos, moves[i], san);
        str_addf(&text, i == 0 ? "%s" : " %s", san);
        Undo undo;
        if (in_line)
            position_make(&pos, moves[i], &undo);
    }
    return epd_set(epd, opcode, view_of(str_text(&text), text.length));
}

Status epd_set_moves(Epd *epd, const char *opcode, const Move *moves, size_t count) {
    return set_moves(epd, opcode, moves, count, false);
}

Status epd_set_line(Epd *epd, const char *opcode, const Move *moves, size_t count) {
    return set_moves(epd, opcode, moves, count, true);
}

void epd_remove(Epd *epd, const char *opcode) {
    size_t kept = 0;
    for (size_t i = 0; i < epd->op_count; i++)
        if (!view_equals(epd_opcode(epd, i), opcode))
            epd->ops[kept++] = epd->ops[i];
    epd->op_count = kept;
}
