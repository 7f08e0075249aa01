// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/lines.h"
#include "base/mem.h"
#include "eval/evaluator.h"
#include "eval/pawn_cache.h"
#include "walk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLIES = 300000 };

static const Family *family; // the one under test
static PawnCache *pawn_cache;
static int *coefficients;

static void randomize(Weights *weights, Rng *rng) {
    weights_init(weights, family);
    for (size_t i = 0; i < family->term_count; i++) {
        const Term *term = &family->terms[i];
        uint32_t range = (uint32_t)(term->high - term->low) + 1;
        weights->parameters[i] = term->low + (int)rng_below(rng, range);
    }
}

static int dot(const Trace *trace) {
    int sum = 0;
    for (size_t i = 0; i < family->coefficient_count; i++)
        sum += trace->counts[i] * coefficients[i];
    return sum;
}

static void renew_coefficients(Rng *rng) {
    Weights weights;
    randomize(&weights, rng);
    family->expand(weights.parameters, coefficients);
    pawn_cache_clear(pawn_cache);
}

static void visit_properties(Position *pos, Rng *rng) {
    if (rng_below(rng, 512) == 0)
        renew_coefficients(rng);
    Position mirrored;
    Trace trace, sides[COLOR_NB], mirrored_sides[COLOR_NB];
    position_mirror(pos, &mirrored);
    family_trace(family, pos, &trace);
    family->trace_sides(pos, sides);
    family->trace_sides(&mirrored, mirrored_sides);
    int score = family->score(pos, coefficients, NULL);
    assert_int_equal(score, dot(&trace));
    assert_int_equal(family->score(pos, coefficients, pawn_cache), score);
    assert_int_equal(family->score(&mirrored, coefficients, pawn_cache), -score);
    size_t size = family->coefficient_count * sizeof trace.counts[0];
    assert_memory_equal(sides[WHITE].counts, mirrored_sides[BLACK].counts, size);
    assert_memory_equal(sides[BLACK].counts, mirrored_sides[WHITE].counts, size);
}

// The score is the counts times the coefficients, the mirrored position scores the negative, and
// the pawn cache changes nothing.
static void test_score_and_trace(void **state) {
    (void)state;
    pawn_cache = pawn_cache_create();
    coefficients = mem_alloc_zero(COEFFICIENTS_MAX, sizeof *coefficients);
    for (size_t i = 0; families[i] != NULL; i++) {
        family = families[i];
        pawn_cache_clear(pawn_cache);
        Rng rng = rng_at(7, (uint32_t)i, 0, 0);
        renew_coefficients(&rng);
        walk(i, PLIES, visit_properties);
    }
    free(coefficients);
    pawn_cache_destroy(pawn_cache);
}

static Evaluator *cached, *plain;

static void visit_evaluators(Position *pos, Rng *rng) {
    if (rng_below(rng, 20000) == 0) {
        Weights weights;
        randomize(&weights, rng);
        evaluator_set_weights(cached, &weights);
        evaluator_set_weights(plain, &weights);
    }
    int score = evaluator_score(plain, pos);
    assert_int_equal(evaluator_score(cached, pos), score);
    assert_int_equal(evaluator_score(cached, pos), score);
    assert_in_range(score + EVAL_LIMIT, 0, 2 * EVAL_LIMIT);
    // What keys do not hold, scores must not depend on.
    Position later = *pos;
    later.halfmove = (uint16_t)rng_below(rng, 100);
    later.fullmove = (uint16_t)(1 + rng_below(rng, 300));
    assert_int_equal(evaluator_score(plain, &later), score);
    Position mirrored;
    position_mirror(pos, &mirrored);
    assert_int_equal(evaluator_score(cached, &mirrored), score);
}

static void test_evaluator_caches(void **state) {
    (void)state;
    family = families[0];
    Weights weights;
    assert_int_equal(weights_load_default(&weights), OK);
    cached = evaluator_create(&weights, true);
    plain = evaluator_create(&weights, false);
    assert_string_equal(str_text(&evaluator_weights(cached)->lineage), str_text(&weights.lineage));
    weights_free(&weights);
    walk(3, PLIES, visit_evaluators);
    evaluator_destroy(cached);
    evaluator_destroy(plain);
    evaluator_destroy(NULL);
}

// A score that no table of 16 bits could hold is cut, not wrapped.
static void test_evaluator_limit(void **state) {
    (void)state;
    chess_init();
    Weights weights;
    weights_init(&weights, family_find("maestro"));
    for (size_t i = 0; i < weights.family->term_count; i++)
        weights.parameters[i] = weights.family->terms[i].high;
    Position pos;
    assert_int_equal(fen_parse("QQQQQQQQ/Q6k/8/8/8/8/8/RNB1KBNR b - - 0 1", &pos), OK);
    Evaluator *evaluator = evaluator_create(&weights, true);
    assert_int_equal(evaluator_score(evaluator, &pos), -EVAL_LIMIT);
    assert_int_equal(evaluator_score(evaluator, &pos), -EVAL_LIMIT);
    evaluator_destroy(evaluator);
}

static void test_start_position_is_level(void **state) {
    (void)state;
    Position pos;
    Weights weights;
    chess_init();
    position_set_start(&pos);
    assert_int_equal(weights_load_default(&weights), OK);
    Evaluator *evaluator = evaluator_create(&weights, true);
    assert_int_equal(evaluator_score(evaluator, &pos), 0);
    evaluator_destroy(evaluator);
    weights_free(&weights);
}

// --- the examples of docs/families.md ---

typedef struct Examples {
    char term[64];
    unsigned of_term[TERMS_MAX];
} Examples;

// Reads "- `FEN`: White 3, Black 0"; false when the line is something else.
static bool read_example(const char *line, char fen[FEN_SIZE], int counts[COLOR_NB]) {
    return sscanf(line, "- `%95[^`]`: White %d, Black %d", fen, &counts[WHITE], &counts[BLACK]) ==
           3;
}

static void check_example(Examples *examples, const char *fen, const int counts[COLOR_NB]) {
    Position pos;
    Trace sides[COLOR_NB];
    int index = family_find_term(family, examples->term);
    if (index < 0)
        fail_msg("an example of '%s', which is no term", examples->term);
    if (fen_parse(fen, &pos) != OK)
        fail_msg("%s: %s: %s", examples->term, fen, error_message());
    family->trace_sides(&pos, sides);
    for (Color color = WHITE; color < COLOR_NB; color++)
        if (sides[color].counts[index] != counts[color])
            fail_msg("%s: %s: colour %u has %d, the text says %d", examples->term, fen, color,
                     sides[color].counts[index], counts[color]);
    examples->of_term[index]++;
}

static void test_documented_examples(void **state) {
    (void)state;
    chess_init();
    family = family_find("maestro");
    LineReader *lines;
    StrView line;
    Examples examples = {0};
    assert_int_equal(lines_open(&lines, "docs/families.md", 4096), OK);
    while (lines_next(lines, &line) == OK && line.text != NULL) {
        char text[4097], fen[FEN_SIZE];
        int counts[COLOR_NB];
        snprintf(text, sizeof text, "%.*s", (int)line.length, line.text);
        if (sscanf(text, "### %63s", examples.term) == 0 && read_example(text, fen, counts))
            check_example(&examples, fen, counts);
    }
    lines_close(lines);
    for (size_t i = 0; i < family->term_count; i++)
        if (examples.of_term[i] == 0)
            fail_msg("docs/families.md has no example of %s", family->terms[i].name);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_score_and_trace),     cmocka_unit_test(test_evaluator_caches),
        cmocka_unit_test(test_evaluator_limit),     cmocka_unit_test(test_start_position_is_level),
        cmocka_unit_test(test_documented_examples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
