// SPDX-License-Identifier: GPL-3.0-or-later
// Extended position description: a position and what is known of it, as one line of text.
// Operations keep their order, and unknown opcodes survive a round trip. The counters
// (`hmvc`, `fmvn`, or a FEN's two numbers) are part of the position, not of the operations.
#pragma once

#include "base/error.h"
#include "base/str.h"
#include "chess/position.h"

enum { EPD_OPS_MAX = 64, EPD_LINE_MAX = 1 << 20 }; // operations of a record; bytes of a line

// Where an operation's texts lie in the record's `text`.
typedef struct EpdOp {
    uint32_t opcode, opcode_length;
    uint32_t operands, operands_length; // as written, outer blanks removed, quotes kept
} EpdOp;

typedef struct Epd {
    Position pos;
    EpdOp ops[EPD_OPS_MAX];
    size_t op_count;
    Str text; // owned
} Epd;

// {0} is an empty record without a position. epd_clear keeps the memory for the next line.
void epd_clear(Epd *epd);
void epd_free(Epd *epd);

// Reads one line; NUL bytes count as blanks. On failure the reason is in error_message() (no file,
// no line: the caller knows them) and the record is empty. Operands are not looked into: epd_check
// does that.
MUST_CHECK Status epd_parse(Epd *epd, StrView line);
// Appends the record in its stable form, without a newline: four fields, `hmvc` and `fmvn` where
// they are not 0 and 1, then the operations in order, each as " opcode operands;".
void epd_write(const Epd *epd, Str *out);
// Fails, with the reason, when an opcode we know has an operand it cannot have: an illegal move in
// bm am pm sm pv, or no number in ce acd acn acs dm.
MUST_CHECK Status epd_check(const Epd *epd);

// Texts of operation `index`; borrowed until the record changes.
StrView epd_opcode(const Epd *epd, size_t index);
StrView epd_operands(const Epd *epd, size_t index);
// The index of the first operation of that name, or op_count.
size_t epd_find(const Epd *epd, const char *opcode);

// Typed reading. False, or OK with an empty list, when there is no such operation.
// A number: ce acd acn acs dm c8 ...
bool epd_get_int(const Epd *epd, const char *opcode, int64_t *out);
// A string, without its quotes; an operand without quotes is taken whole: id c0 ... c9.
bool epd_get_string(const Epd *epd, const char *opcode, StrView *out);
// Moves that start from the position: bm am pm sm. An impossible one is ERR_PARSE.
MUST_CHECK Status epd_get_moves(const Epd *epd, const char *opcode, MoveList *out);
// Moves one after the other: pv.
MUST_CHECK Status epd_get_line(const Epd *epd, const char *opcode, MoveList *out);

// Writing: replaces the operation of that name, or appends it. ERR_LIMIT beyond EPD_OPS_MAX,
// ERR_ARG for a text that no EPD can hold (a quote or line break in a string, `;` outside quotes).
MUST_CHECK Status epd_set(Epd *epd, const char *opcode, StrView operands);
MUST_CHECK Status epd_set_int(Epd *epd, const char *opcode, int64_t value);
MUST_CHECK Status epd_set_string(Epd *epd, const char *opcode, StrView value);
MUST_CHECK Status epd_set_moves(Epd *epd, const char *opcode, const Move *moves, size_t count);
MUST_CHECK Status epd_set_line(Epd *epd, const char *opcode, const Move *moves, size_t count);
// Removes every operation of that name.
void epd_remove(Epd *epd, const char *opcode);

// Called for each record: the line it was read from, trimmed, and the line's number. The record is
// borrowed. A failure ends the reading and is returned with file and line in front.
typedef Status (*EpdTaker)(void *context, const Epd *epd, StrView line, uint64_t number);

// Reads a file, plain or packed. Empty lines and those that begin with '#' are passed over.
MUST_CHECK Status epd_read_file(const char *path, EpdTaker take, void *context);
