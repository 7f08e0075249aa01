// SPDX-License-Identifier: GPL-3.0-or-later
// Files of coefficients as an engine would dump them: here, one of our own families is the engine.
#pragma once

#include "fitness/linear/coefficient_reader.h"
#include "fitness/linear/mentor_set.h"
#include "mentoring.h"

// Two parameters, three positions; parts of counts, an offset, and the largest there are.
static const char dumping_small[] = "falconer-coefficients 1\n"
                                    "label centipawns\n"
                                    "counts 4\n"
                                    "param A -10 10 2\n"
                                    "param B[1].x 0 1000 100\n"
                                    "12; 0:4 1:-8\n"
                                    "-7; offset:3\n"
                                    "+30000; 1:32767 0:0\n";

static inline void dumping_header(Str *out, const Family *family, const char *label, int scale) {
    str_addf(out, "falconer-coefficients 1\nlabel %s\ncounts %d\n", label, scale);
    for (size_t i = 0; i < family->term_count; i++)
        str_addf(out, "param %s %d %d %d\n", family->terms[i].name, family->terms[i].low,
                 family->terms[i].high, family->terms[i].start);
}

// How often White has more of coefficient `i`; a tapered family's counts are times its shares.
static inline int dumping_count(const Family *family, const Trace *trace, Taper taper, size_t i) {
    if (family->taper == NULL)
        return trace->counts[i];
    return trace->counts[i / 2] * (i % 2 == 0 ? taper.middlegame : taper.endgame);
}

// Appends one position as White sees it. False, and nothing is appended, where a count is too
// large for the format.
static inline bool dumping_position(Str *out, const Family *family, const Position *pos, int label,
                                    int offset) {
    Trace trace;
    family_trace(family, pos, &trace);
    const Taper taper = family->taper == NULL ? (Taper){1, 1} : family->taper(pos);
    for (size_t i = 0; i < family->coefficient_count; i++)
        if (abs(dumping_count(family, &trace, taper, i)) > INT16_MAX)
            return false;
    str_addf(out, "%d;", label);
    if (offset != 0)
        str_addf(out, " offset:%d", offset);
    for (size_t i = 0; i < family->coefficient_count; i++) {
        const int count = dumping_count(family, &trace, taper, i);
        if (count != 0)
            str_addf(out, " %zu:%d", i, count);
    }
    str_add(out, "\n");
    return true;
}

// The positions of an EPD set with a mentor's scores, as the family counts them.
static inline void dumping_convert(char out[TESTING_PATH], const char *name, const char *epd_path,
                                   const Family *family) {
    const MentorSetOptions options = {.family = family, .keep_positions = true};
    DistPool *own_pool = dist_pool_new(1);
    MentorSet set;
    Str text = {0};
    assert_int_equal(mentor_set_load(&set, epd_path, &options, own_pool), OK);
    dumping_header(&text, family, "centipawns", 1);
    for (size_t i = 0; i < set.matrix.count; i++) {
        const Position *pos = &set.positions.items[i].pos;
        const int sign = position_turn(pos) == WHITE ? 1 : -1;
        assert_true(dumping_position(&text, family, pos, sign * set.matrix.labels[i], 0));
    }
    testing_write(out, name, text.text, text.length);
    str_free(&text);
    mentor_set_free(&set);
    dist_pool_free(own_pool);
}
