// SPDX-License-Identifier: GPL-3.0-or-later
// What the doctor looks for in positions: lines of EPD or FEN, or of FEN and a label as the data
// sets of tuners have them ("FEN [0.5]", "FEN; [1-0]", "FEN | 35 | 1.0", "FEN,35,2").
#include "base/lines.h"
#include "chess/epd.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "data/doctor/doctor_internal.h"

#include <string.h>

enum { FEN_WORDS_MAX = 6 };

// Cuts a label off the end of a line; false when the line has none.
static bool cut_label(StrView *line, StrView *label) {
    size_t end = 0;
    while (end < line->length && strchr(",|[\"", line->text[end]) == NULL)
        end++;
    if (end == line->length || line->text[end] == '"')
        return false;
    StrView fen = view_trim(view_of(line->text, end)), words = fen;
    unsigned count = 0;
    while (view_next_word(&words).length > 0)
        count++;
    if (count > FEN_WORDS_MAX)
        return false;
    *label = view_of(line->text + end, line->length - end);
    while (fen.length > 0 && (fen.text[fen.length - 1] == ';' || fen.text[fen.length - 1] == ' '))
        fen.length--;
    *line = fen;
    return true;
}

static GameResult result_of_label(StrView label) {
    GameResult result;
    while (label.length > 0 && strchr("[| ,", label.text[0]) != NULL)
        label = view_of(label.text + 1, label.length - 1);
    while (label.length > 0 && strchr("] ;", label.text[label.length - 1]) != NULL)
        label.length--;
    return pgn_result_from_text(label, &result) ? result : RESULT_UNKNOWN;
}

static GameResult result_of_epd(const Epd *epd) {
    StrView text;
    GameResult result;
    if (epd_get_string(epd, "c9", &text) && pgn_result_from_text(text, &result))
        return result;
    return RESULT_UNKNOWN;
}

static void report_line(Doctor *doctor, DoctorKind kind, uint64_t line, const char *text) {
    doctor_report(doctor, (DoctorProblem){kind, .line = line, .text = text});
}

static void check_position(Doctor *doctor, const Position *pos, GameResult result, uint64_t line) {
    DoctorTotals *totals = &doctor->totals;
    totals->positions++;
    totals->phases[phase_of_material(phase_material(pos))]++;
    totals->not_quiet += !position_is_quiet(pos);
    totals->over += !movegen_has_any(pos);
    totals->chess960 += position_is_chess960(pos);
    const char *contradiction = result == RESULT_UNKNOWN ? NULL : doctor_contradiction(pos, result);
    if (contradiction != NULL) {
        str_setf(&doctor->text, "%s, but the result is %s", contradiction, pgn_result_text(result));
        report_line(doctor, DOCTOR_WRONG_RESULT, line, NULL);
    }
    doctor_look_for_position(doctor, pos->key, (DoctorProblem){.line = line});
}

static void check_line(Doctor *doctor, StrView line, uint64_t number, Epd *epd) {
    StrView label;
    if (cut_label(&line, &label)) {
        Position pos;
        Status status = fen_read(&line, &pos);
        if (status == OK && view_trim(line).length > 0)
            status = error_set(ERR_PARSE, "\"%.*s\" is no part of a position",
                               (int)view_trim(line).length, view_trim(line).text);
        if (status == OK)
            check_position(doctor, &pos, result_of_label(label), number);
        else
            report_line(doctor, DOCTOR_BAD_POSITION, number, error_message());
        return;
    }
    if (epd_parse(epd, line) != OK) {
        report_line(doctor, DOCTOR_BAD_POSITION, number, error_message());
        return;
    }
    if (epd_check(epd) != OK)
        report_line(doctor, DOCTOR_BAD_OPERATION, number, error_message());
    check_position(doctor, &epd->pos, result_of_epd(epd), number);
}

static Status check_lines(Doctor *doctor, LineReader *lines) {
    CLEANUP(epd_free) Epd epd = {0};
    for (;;) {
        StrView line;
        Status status = lines_next(lines, &line);
        uint64_t number = lines_number(lines);
        if (status == ERR_LIMIT) { // a line too long: the next may do
            report_line(doctor, DOCTOR_BAD_POSITION, number, "the line is too long for a position");
            continue;
        }
        if (status != OK || line.text == NULL)
            return status;
        line = view_trim(line);
        if (line.length > 0 && line.text[0] != '#' && line.text[0] != '%')
            check_line(doctor, line, number, &epd);
    }
}

void doctor_read_positions(Doctor *doctor, const char *path) {
    LineReader *lines;
    Status status = lines_open(&lines, path, EPD_LINE_MAX);
    if (status == OK) {
        status = check_lines(doctor, lines);
        doctor->lines += lines_number(lines);
        doctor->totals.bytes_read += stream_bytes_read(lines_stream(lines));
        doctor->totals.bytes_there += stream_bytes_there(lines_stream(lines));
        lines_close(lines);
    }
    if (status != OK)
        report_line(doctor, DOCTOR_UNREADABLE, 0, error_message());
}
