// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/doctor/doctor.h"

#include "base/lines.h"
#include "base/mem.h"
#include "chess/draw.h"
#include "chess/movegen.h"
#include "data/doctor/doctor_internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { SNIFF_LINE_MAX = 1 << 16, SNIFF_LINES = 50, BOARD_SLASHES = 7 };

static const char *const kind_names[DOCTOR_KIND_NB] = {
    [DOCTOR_UNREADABLE] = "unreadable file",
    [DOCTOR_NOTHING] = "file without games or positions",
    [DOCTOR_LIMIT] = "duplicates not looked for",
    [DOCTOR_CUT_GAME] = "game cut",
    [DOCTOR_SKIPPED_GAME] = "game skipped",
    [DOCTOR_EMPTY_GAME] = "game without moves",
    [DOCTOR_NO_RESULT] = "game without a result",
    [DOCTOR_TRUNCATED] = "truncated end",
    [DOCTOR_RESULTS_DIFFER] = "results that differ",
    [DOCTOR_WRONG_RESULT] = "result that contradicts the board",
    [DOCTOR_GLUED_RESULT] = "result glued to a move",
    [DOCTOR_BAD_TAG] = "unreadable tag",
    [DOCTOR_DUPLICATE_GAME] = "duplicate game",
    [DOCTOR_SAME_END] = "same end by other moves",
    [DOCTOR_BAD_POSITION] = "bad position",
    [DOCTOR_BAD_OPERATION] = "bad operation",
    [DOCTOR_DUPLICATE_POSITION] = "duplicate position",
};

const char *doctor_kind_name(DoctorKind kind) {
    return kind_names[kind];
}

Doctor *doctor_create(DoctorListener *listener, void *context) {
    Doctor *doctor = mem_alloc_zero(1, sizeof *doctor);
    doctor->listener = listener;
    doctor->context = context;
    doctor->seen_games = seen_create();
    doctor->seen_positions = seen_create();
    return doctor;
}

void doctor_destroy(Doctor *doctor) {
    if (doctor == NULL)
        return;
    for (size_t i = 0; i < doctor->file_count; i++)
        free(doctor->files[i].path);
    free(doctor->files);
    seen_destroy(doctor->seen_games);
    seen_destroy(doctor->seen_positions);
    str_free(&doctor->text);
    free(doctor);
}

const DoctorTotals *doctor_totals(const Doctor *doctor) {
    return &doctor->totals;
}

uint64_t doctor_problem_count(const Doctor *doctor) {
    uint64_t count = 0;
    for (int kind = 0; kind < DOCTOR_KIND_NB; kind++)
        count += doctor->totals.problems[kind];
    return count;
}

void doctor_report(Doctor *doctor, DoctorProblem problem) {
    problem.path = doctor->files[doctor->file_count - 1].path;
    if (problem.text == NULL)
        problem.text = str_text(&doctor->text);
    doctor->totals.problems[problem.kind]++;
    doctor->listener(doctor->context, &problem);
}

const char *doctor_contradiction(const Position *pos, GameResult result) {
    if (draw_by_material(pos))
        return result == RESULT_WHITE_WINS || result == RESULT_BLACK_WINS
                   ? "neither side has the material to win"
                   : NULL;
    if (movegen_has_any(pos))
        return NULL;
    if (position_checkers(pos) == 0)
        return result == RESULT_DRAW ? NULL : "the final position is stalemate";
    if (position_turn(pos) == BLACK)
        return result == RESULT_WHITE_WINS ? NULL : "Black is mated";
    return result == RESULT_BLACK_WINS ? NULL : "White is mated";
}

// --- duplicates ---

// Looks a key up under a place of the whole data set. A table that is full is reported once, and
// given up.
static SeenAnswer look(Doctor *doctor, SeenTable **table, uint64_t key, uint32_t details,
                       uint64_t place, uint32_t *first) {
    SeenAnswer answer = SEEN_NEVER;
    if (*table == NULL)
        return SEEN_NEVER;
    Status status = place > UINT32_MAX
                        ? error_set(ERR_LIMIT, "more than %" PRIu32 " to remember", UINT32_MAX)
                        : seen_add(*table, key, details, (uint32_t)place, &answer, first);
    if (status == OK)
        return answer;
    seen_destroy(*table);
    *table = NULL;
    doctor_report(doctor, (DoctorProblem){.kind = DOCTOR_LIMIT, .text = error_message()});
    return SEEN_NEVER;
}

// Appends " of FILE" when it is not the current one.
static void add_file(Doctor *doctor, size_t index) {
    if (index + 1 != doctor->file_count)
        str_addf(&doctor->text, " of %s", doctor->files[index].path);
}

void doctor_look_for_game(Doctor *doctor, uint64_t key, uint32_t details, DoctorProblem problem) {
    size_t file = doctor->file_count - 1;
    uint32_t first = 0;
    SeenAnswer answer = look(doctor, &doctor->seen_games, key, details,
                             doctor->files[file].games_before + problem.game, &first);
    if (answer == SEEN_NEVER)
        return;
    while (first <= doctor->files[file].games_before)
        file--;
    str_setf(&doctor->text, "%s game %" PRIu64,
             answer == SEEN_SAME ? "the same moves as" : "other moves, but the same end as",
             first - doctor->files[file].games_before);
    add_file(doctor, file);
    problem.kind = answer == SEEN_SAME ? DOCTOR_DUPLICATE_GAME : DOCTOR_SAME_END;
    doctor_report(doctor, problem);
}

void doctor_look_for_position(Doctor *doctor, uint64_t key, DoctorProblem problem) {
    size_t file = doctor->file_count - 1;
    uint32_t first = 0;
    if (look(doctor, &doctor->seen_positions, key, 0,
             doctor->files[file].lines_before + problem.line, &first) == SEEN_NEVER)
        return;
    while (first <= doctor->files[file].lines_before)
        file--;
    str_setf(&doctor->text, "the same position as line %" PRIu64,
             first - doctor->files[file].lines_before);
    add_file(doctor, file);
    problem.kind = DOCTOR_DUPLICATE_POSITION;
    doctor_report(doctor, problem);
}

// --- files ---

// True when the first word of the line has the seven slashes of a board.
static bool starts_with_board(StrView line) {
    StrView word = view_next_word(&line);
    unsigned slashes = 0;
    for (size_t i = 0; i < word.length; i++)
        slashes += word.text[i] == '/';
    return slashes == BOARD_SLASHES;
}

// True when one of the first lines is a position. What cannot be read twice is taken for games.
static bool holds_positions(const char *path) {
    struct stat info;
    CLEANUP(lines_close_at) LineReader *lines = NULL;
    if (stat(path, &info) != 0 || !S_ISREG(info.st_mode) ||
        lines_open(&lines, path, SNIFF_LINE_MAX) != OK)
        return false;
    for (unsigned i = 0; i < SNIFF_LINES; i++) {
        StrView line;
        if (lines_next(lines, &line) != OK || line.text == NULL)
            return false;
        line = view_trim(line);
        if (line.length > 0 && line.text[0] == '[')
            return false;
        if (starts_with_board(line))
            return true;
    }
    return false;
}

void doctor_read(Doctor *doctor, const char *path) {
    MEM_ADD(doctor->files, doctor->file_count, doctor->file_capacity) =
        (DoctorFile){mem_copy_string(path), doctor->totals.pgn.games, doctor->lines};
    doctor->totals.files++;
    if (holds_positions(path))
        doctor_read_positions(doctor, path);
    else
        doctor_read_games(doctor, path);
}
