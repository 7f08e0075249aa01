// SPDX-License-Identifier: GPL-3.0-or-later
#include "fitness/linear/mentor_label.h"

#include <inttypes.h>

// No learner can use a larger score: labels, in the units of any family, must fit 32 bits.
enum { SCORE_MOST = 1000000 };

const char *const treatment_names[] = {"drop", "clamp", NULL};

Status mentor_limits_check(const MentorLimits *limits) {
    return limits->mates == MENTOR_CLAMP && limits->clamp == 0
               ? error_set(ERR_ARG, "mates can be clamped only where there is a limit for scores")
               : OK;
}

// Cuts a score to the limit, or drops it, as told.
static MentorLabel treat(MentorTreatment treatment, MentorFate reason, int32_t limit) {
    return treatment == MENTOR_DROP ? (MentorLabel){.fate = reason}
                                    : (MentorLabel){FATE_USED, reason, limit};
}

MentorLabel mentor_label_limit(int64_t score, const MentorLimits *limits) {
    const bool is_limited = limits->clamp > 0;
    const int32_t most = is_limited ? limits->clamp : SCORE_MOST;
    if (score <= most && score >= -most)
        return (MentorLabel){.score = (int32_t)score};
    return treat(is_limited ? limits->beyond : MENTOR_DROP, FATE_BEYOND, score > 0 ? most : -most);
}

MentorLabel mentor_label_of(const Epd *epd, const MentorLimits *limits) {
    int64_t score, moves;
    if (!epd_get_int(epd, "ce", &score))
        return (MentorLabel){.fate = FATE_UNLABELLED};
    // `dm` alone makes a mate, whatever the size of `ce`; 0 is the mate on the board.
    if (epd_get_int(epd, "dm", &moves))
        return treat(limits->mates, FATE_MATE, moves > 0 ? limits->clamp : -limits->clamp);
    return mentor_label_limit(score, limits);
}

void mentor_totals_add(MentorTotals *totals, const MentorLabel *label) {
    const MentorFate fate = label->fate;
    totals->lines++;
    totals->used += fate == FATE_USED;
    totals->unlabelled += fate == FATE_UNLABELLED;
    totals->no_result += fate == FATE_NO_RESULT;
    totals->not_quiet += fate == FATE_NOT_QUIET;
    totals->early += fate == FATE_EARLY;
    totals->mates += fate == FATE_MATE || (fate == FATE_USED && label->cut == FATE_MATE);
    totals->beyond += fate == FATE_BEYOND || (fate == FATE_USED && label->cut == FATE_BEYOND);
}

void mentor_totals_merge(MentorTotals *totals, const MentorTotals *more) {
    totals->lines += more->lines;
    totals->used += more->used;
    totals->unlabelled += more->unlabelled;
    totals->no_result += more->no_result;
    totals->not_quiet += more->not_quiet;
    totals->early += more->early;
    totals->mates += more->mates;
    totals->beyond += more->beyond;
}

Status mentor_totals_check(const MentorTotals *totals, const char *path) {
    if (totals->used > 0)
        return OK;
    if (totals->lines > 0 && totals->unlabelled == totals->lines)
        return error_set(ERR_ARG,
                         "%s: none of the %" PRIu64
                         " positions has a score (`ce`); `falconer label` "
                         "asks a mentor for them",
                         path, totals->lines);
    if (totals->lines > 0 && totals->no_result == totals->lines)
        return error_set(ERR_ARG,
                         "%s: none of the %" PRIu64 " positions has a result (`c9 \"1-0\"`); "
                         "`falconer sample` writes them",
                         path, totals->lines);
    return error_set(ERR_ARG,
                     "%s: no position is left of %" PRIu64 " (%" PRIu64 " without a score, %" PRIu64
                     " mates, %" PRIu64 " beyond the limit, %" PRIu64 " not quiet, %" PRIu64
                     " of openings, %" PRIu64 " without a result)",
                     path, totals->lines, totals->unlabelled, totals->mates, totals->beyond,
                     totals->not_quiet, totals->early, totals->no_result);
}

static void add_count(Str *out, uint64_t count, const char *what) {
    if (count > 0)
        str_addf(out, ", %" PRIu64 " %s", count, what);
}

void mentor_totals_describe(const MentorTotals *totals, const MentorLimits *limits, Str *out) {
    str_addf(out, "%" PRIu64 " of %" PRIu64 " position%s used", totals->used, totals->lines,
             str_plural(totals->lines));
    add_count(out, totals->unlabelled, "without a score");
    add_count(out, totals->no_result, "without a result");
    add_count(out, totals->mates,
              limits->mates == MENTOR_CLAMP ? "mates clamped" : "mates dropped");
    add_count(out, totals->beyond,
              limits->beyond == MENTOR_CLAMP ? "beyond the limit clamped"
                                             : "beyond the limit dropped");
    add_count(out, totals->not_quiet, "not quiet");
    add_count(out, totals->early, "of openings");
}
