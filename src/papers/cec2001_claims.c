// SPDX-License-Identifier: GPL-3.0-or-later
// What CEC 2001 claims of its evolution. Sentences on differences are chosen by the figures.
#include "papers/cec2001.h"

#include "base/moments.h"

// A legal move has been learned when the population's mean for it, about six pawns at the start, is
// below this. It is the weight that decides most games.
#define LEARNED_PAWNS 0.5
// A deviation has fallen when less than this share of the first one is left.
#define FALLEN_SHARE 0.25

// --- lists of weights ---

static void add_values(Str *out, const CecCourse *course) {
    for (size_t i = 0; i < CEC_WEIGHTS; i++)
        str_addf(out, "%s%s %.2f", i == 0 ? "" : ", ", cec_weights[i].name,
                 cec_course_range(course, course->generations - 1, i).mean);
}

// Appends the sentence "Above it in all runs: knight, rook." for those weights that are marked, or
// nothing.
static void add_marked(Str *out, const char *what, const bool marked[CEC_WEIGHTS]) {
    bool is_first = true;
    for (size_t i = 0; i < CEC_WEIGHTS; i++)
        if (marked[i]) {
            if (is_first)
                str_addf(out, "%s%s", out->length > 0 ? " " : "", what);
            str_addf(out, "%s%s", is_first ? ": " : ", ", cec_weights[i].name);
            is_first = false;
        }
    if (!is_first)
        str_add(out, ".");
}

// --- the values ---

static void claim_values(const CecCourse *course, Page *page) {
    bool above[CEC_WEIGHTS], below[CEC_WEIGHTS], around[CEC_WEIGHTS];
    Str theirs = {0}, ours = {0}, remark = {0};
    for (size_t i = 0; i < CEC_WEIGHTS; i++) {
        const CecRange range = cec_course_range(course, course->generations - 1, i);
        above[i] = range.low > cec_weights[i].developed;
        below[i] = range.high < cec_weights[i].developed;
        around[i] = !above[i] && !below[i];
        str_addf(&theirs, "%s%s %.2f", i == 0 ? "" : ", ", cec_weights[i].name,
                 cec_weights[i].developed);
    }
    add_values(&ours, course);
    str_addf(&ours, " (mean of %zu runs)", course->runs);
    add_marked(&remark, "Within what our runs came to", around);
    add_marked(&remark, "Above the paper's in all runs", above);
    add_marked(&remark, "Below it in all runs", below);
    page_claim(page, "Values come to be like Shannon's", str_text(&theirs), str_text(&ours),
               str_text(&remark));
    str_free(&theirs);
    str_free(&ours);
    str_free(&remark);
}

static void claim_deviations(const CecCourse *course, Page *page) {
    bool fallen[CEC_WEIGHTS], wide[CEC_WEIGHTS];
    bool is_any_wide = false;
    Str theirs = {0}, ours = {0}, remark = {0};
    for (size_t i = 0; i < CEC_WEIGHTS; i++) {
        const double first = cec_course_range(course, 0, i).deviation;
        const double last = cec_course_range(course, course->generations - 1, i).deviation;
        fallen[i] = last < FALLEN_SHARE * first;
        wide[i] = !fallen[i];
        is_any_wide |= wide[i];
        str_addf(&theirs, "%s%s %.2f to %.2f", i == 0 ? "" : ", ", cec_weights[i].name,
                 cec_weights[i].start_deviation, cec_weights[i].deviation);
        str_addf(&ours, "%s%s %.2f to %.2f", i == 0 ? "" : ", ", cec_weights[i].name, first, last);
    }
    add_marked(&remark, "Less than a quarter is left", fallen);
    add_marked(&remark, "More is left", wide);
    if (is_any_wide)
        str_add(&remark, " By the printed rule a copy varies by up to one deviation, so that a "
                         "weight which decides few games spreads.");
    page_claim(page, "Deviations fall from about 3.8 to 0.3", str_text(&theirs), str_text(&ours),
               str_text(&remark));
    str_free(&theirs);
    str_free(&ours);
    str_free(&remark);
}

// --- with and without the seed ---

static void claim_unseeded(const CecFindings *findings, Page *page) {
    const CecCourse *seeded = &findings->courses[0], *unseeded = &findings->unseeded;
    bool apart[CEC_WEIGHTS], together[CEC_WEIGHTS];
    Str ours = {0}, remark = {0};
    for (size_t i = 0; i < CEC_WEIGHTS; i++) {
        const CecRange with = cec_course_range(seeded, seeded->generations - 1, i);
        const CecRange without = cec_course_range(unseeded, unseeded->generations - 1, i);
        apart[i] = with.low > without.high || without.low > with.high;
        together[i] = !apart[i];
    }
    add_values(&ours, unseeded);
    str_addf(&ours, " (mean of %zu runs)", unseeded->runs);
    add_marked(&remark, "What runs with and without the seed came to overlaps", together);
    add_marked(&remark, "It does not", apart);
    page_claim(page, "Without the seed it comes to the same",
               "the same values to one decimal place", str_text(&ours), str_text(&remark));
    str_free(&ours);
    str_free(&remark);
}

// Generations until a legal move was learned, over the runs that got there.
static Moments learning_of(const CecCourse *course, double *low, double *high) {
    Moments moments = {0};
    *low = (double)INFINITY;
    *high = -(double)INFINITY;
    for (size_t run = 0; run < course->runs; run++) {
        const double until = cec_course_until(course, run, CEC_LEGAL_MOVE, LEARNED_PAWNS);
        if (isnan(until))
            continue;
        moments_add(&moments, until);
        *low = fmin(*low, until);
        *high = fmax(*high, until);
    }
    return moments;
}

static void add_learning(Str *out, const CecCourse *course, const char *label, int members) {
    double low, high;
    const Moments learning = learning_of(course, &low, &high);
    if (learning.count == 0)
        str_addf(out, "%s: in none of %zu runs", label, course->runs);
    else
        str_addf(out, "%s: %.1f generations, %.0f meetings", label, learning.mean,
                 learning.mean * (members - 1));
    if (learning.count > 0 && learning.count < course->runs)
        str_addf(out, " (in %d of %zu runs)", (int)learning.count, course->runs);
}

static const char *compare_learning(const CecCourse *one, const CecCourse *other) {
    double one_low, one_high, other_low, other_high;
    const bool is_both_whole = learning_of(one, &one_low, &one_high).count == one->runs &&
                               learning_of(other, &other_low, &other_high).count == other->runs;
    if (!is_both_whole)
        return "Not all runs learned it in these generations.";
    if (other_low > one_high)
        return "Longer without the seed in every run.";
    if (other_high < one_low)
        return "Shorter without the seed in every run.";
    return "Not told apart: the ranges of the runs overlap.";
}

static void claim_seed_saves_time(const CecFindings *findings, Page *page) {
    Str ours = {0};
    str_addf(&ours, "Until the mean of a legal move was below %.1f pawns: ", LEARNED_PAWNS);
    add_learning(&ours, &findings->courses[0], "seeded", cec_populations[0].members);
    str_add(&ours, "; ");
    add_learning(&ours, &findings->unseeded, "not seeded", cec_populations[0].members);
    page_claim(page, "Without the seed it takes longer", "an extended learning time",
               str_text(&ours), compare_learning(&findings->courses[0], &findings->unseeded));
    str_free(&ours);
}

// --- developed against undeveloped ---

static void claim_progress(const CecFindings *findings, Page *page) {
    const EloEstimate elo = page_elo(&findings->verdicts[0]);
    Str ours = {0};
    page_say_match(&ours, &findings->verdicts[0]);
    str_addf(&ours, " in %zu runs", findings->courses[0].runs);
    page_claim(page, "The developed player is the better one",
               "clear from games with people; no match of the two is told of", str_text(&ours),
               elo.low > 0    ? "As the paper says."
               : elo.high < 0 ? "Here it is the worse one."
                              : "Not told apart by these games.");
    str_free(&ours);
}

void cec_claim_evolution(const CecFindings *findings, Page *page) {
    claim_values(&findings->courses[0], page);
    claim_deviations(&findings->courses[0], page);
    claim_unseeded(findings, page);
    claim_seed_saves_time(findings, page);
    claim_progress(findings, page);
}

// --- smaller populations ---

void cec_claim_populations(const CecFindings *findings, Page *page) {
    Str ours = {0}, remark = {0};
    double low, high;
    const Moments large = learning_of(&findings->courses[0], &low, &high);
    for (int i = 0; i < CEC_POPULATIONS; i++) {
        Str label = {0};
        str_addf(&label, "%s%d members", i == 0 ? "" : "; ", cec_populations[i].members);
        add_learning(&ours, &findings->courses[i], str_text(&label), cec_populations[i].members);
        str_free(&label);
    }
    for (int i = 1; i < CEC_POPULATIONS; i++) {
        const Moments small = learning_of(&findings->courses[i], &low, &high);
        if (small.count < findings->courses[i].runs || large.count < findings->courses[0].runs) {
            str_addf(&remark,
                     "With %d members not all runs can be compared: some never got there. ",
                     cec_populations[i].members);
            continue;
        }
        const double share =
            (double)(cec_populations[i].members - 1) / (double)(cec_populations[0].members - 1);
        str_addf(
            &remark, "%d members need %.1f times the generations and %.1f times the meetings. ",
            cec_populations[i].members, small.mean / large.mean, share * small.mean / large.mean);
    }
    str_addf(&remark, "Means of %zu and %zu runs.", findings->courses[0].runs,
             findings->courses[1].runs);
    page_claim(page, "Smaller populations learn more slowly", "the learning time increased",
               str_text(&ours), str_text(&remark));
    str_free(&ours);
    str_free(&remark);
}

void cec_show_populations(const CecFindings *findings, Report *report) {
    report_add_paragraph(report,
                         "Populations of other sizes with about as many meetings. A legal move is "
                         "learned when the population's mean for it, about six pawns at the "
                         "start, is below %.1f.",
                         LEARNED_PAWNS);
    Table *table = report_add_table(report, "Smaller populations");
    table_add_text_column(table, "members");
    table_add_number_column(table, "runs", 0);
    table_add_number_column(table, "learned in", 0);
    table_add_number_column(table, "generations until then", 1);
    table_add_number_column(table, "meetings until then", 0);
    table_add_number_column(table, "developed against undeveloped, %", 1);
    for (int i = 0; i < CEC_POPULATIONS; i++) {
        double low, high;
        const Moments learning = learning_of(&findings->courses[i], &low, &high);
        const double mean = learning.count == 0 ? (double)NAN : learning.mean;
        Str members = {0};
        str_addf(&members, "%d", cec_populations[i].members);
        table_add_text(table, str_text(&members));
        table_add_number(table, (double)findings->courses[i].runs);
        table_add_number(table, (double)learning.count);
        table_add_number(table, mean);
        table_add_number(table, mean * (cec_populations[i].members - 1));
        table_add_number(table, page_percent(&findings->verdicts[i]));
        str_free(&members);
    }
}
