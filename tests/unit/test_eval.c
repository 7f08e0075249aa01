// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/lines.h"
#include "base/mem.h"
#include "eval/evaluator.h"
#include "eval/pawn_cache.h"
#include "sized.h"
#include "walk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLIES = SIZED(300000, 60000) };

static const Family *family; // the one under test
static PawnCache *pawn_cache;
static int *coefficients;

static void renew_coefficients(Rng *rng) {
    int parameters[TERMS_MAX];
    family_randomize(family, rng, parameters);
    family_expand(family, parameters, coefficients);
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
    assert_int_equal(score, family_dot(family, pos, &trace, coefficients));
    assert_int_equal(family->score(pos, coefficients, pawn_cache), score);
    assert_int_equal(family->score(&mirrored, coefficients, pawn_cache), -score);
    size_t size = family->feature_count * sizeof trace.counts[0];
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
        weights_init(&weights, family);
        family_randomize(family, rng, weights.parameters);
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
    Weights weights;
    assert_int_equal(weights_load(&weights, "weights/maestro-gecco2008.weights"), OK);
    cached = evaluator_create(&weights, true);
    plain = evaluator_create(&weights, false);
    assert_string_equal(str_text(&evaluator_weights(cached)->lineage), str_text(&weights.lineage));
    weights_free(&weights);
    for (size_t i = 0; families[i] != NULL; i++) {
        family = families[i];
        walk(3 + i, PLIES / 2, visit_evaluators);
    }
    evaluator_destroy(cached);
    evaluator_destroy(plain);
    evaluator_destroy(NULL);
}

// Units become centipawns by cutting what is less than one, on both sides of zero.
static void test_centipawns(void **state) {
    (void)state;
    const Family *whole = family_find("maestro"), *tenths = family_find("vazquez");
    assert_int_equal(family_centipawns(whole, -7), -7);
    assert_int_equal(family_centipawns(tenths, 19), 1);
    assert_int_equal(family_centipawns(tenths, -19), -1);
    assert_int_equal(family_centipawns(tenths, -9), 0);
    chess_init();
    Position pos;
    Weights weights;
    weights_init(&weights, tenths);
    assert_int_equal(weights_set(&weights, "KING_MOBILITY", 19), OK);
    assert_int_equal(fen_parse("4k3/8/8/8/8/8/8/K7 w - - 0 1", &pos), OK);
    Evaluator *evaluator = evaluator_create(&weights, true);
    // 3 squares against 5, at 1.9 each, and 30 for the castled king: 26.2.
    assert_int_equal(evaluator_score(evaluator, &pos), 26);
    evaluator_destroy(evaluator);
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
    assert_int_equal(weights_load(&weights, "weights/maestro-gecco2008.weights"), OK);
    Evaluator *evaluator = evaluator_create(&weights, true);
    assert_int_equal(evaluator_score(evaluator, &pos), 0);
    evaluator_destroy(evaluator);
    weights_free(&weights);
}

// --- coefficients ---

static void test_limits(void **state) {
    (void)state;
    Rng rng = rng_at(3, 0, 0, 0);
    for (size_t f = 0; families[f] != NULL; f++) {
        family = families[f];
        int32_t limits[COEFFICIENTS_MAX], largest[COEFFICIENTS_MAX] = {0};
        family_limits(family, limits);
        for (int round = 0; round < 2000; round++) {
            int parameters[TERMS_MAX], expanded[COEFFICIENTS_MAX];
            family_randomize(family, &rng, parameters);
            // Half of the rounds are corners of the box: somewhere there the limit is reached.
            for (size_t i = 0; i < family->term_count && round % 2 == 0; i++)
                parameters[i] =
                    rng_below(&rng, 2) == 0 ? family->terms[i].low : family->terms[i].high;
            family_expand(family, parameters, expanded);
            for (size_t i = 0; i < family->coefficient_count; i++) {
                assert_true(abs(expanded[i]) <= limits[i]);
                largest[i] = abs(expanded[i]) > largest[i] ? abs(expanded[i]) : largest[i];
            }
        }
        for (size_t i = 0; i < family->coefficient_count; i++)
            assert_int_equal(largest[i], limits[i]);
    }
}

// The start values are members, and so are variants of any member.
static void test_members(void **state) {
    (void)state;
    Rng rng = rng_at(4, 0, 0, 0);
    for (size_t f = 0; families[f] != NULL; f++) {
        int32_t start[COEFFICIENTS_MAX], limits[COEFFICIENTS_MAX];
        family = families[f];
        family_start(family, start);
        family_limits(family, limits);
        for (size_t i = 0; i < family->coefficient_count; i++)
            assert_true(abs(start[i]) <= limits[i]);
        for (size_t v = 0; family->variants != NULL && family->variants[v].name != NULL; v++) {
            int parameters[TERMS_MAX];
            const Variant *variant = &family->variants[v];
            assert_ptr_equal(family_find_variant(family, variant->name), variant);
            family_randomize(family, &rng, parameters);
            family_apply_variant(family, variant, parameters);
            for (size_t i = 0; i < family->term_count; i++) {
                assert_in_range(parameters[i] - family->terms[i].low, 0,
                                family->terms[i].high - family->terms[i].low);
                assert_true(i < variant->term_count || parameters[i] == 0);
            }
        }
        assert_null(family_find_variant(family, "nobody"));
    }
    assert_int_equal(family_find_variant(family_find("vazquez"), "vazquez-24")->term_count, 24);
}

// --- the examples of docs/families.md ---

typedef struct Examples {
    char term[64];
    unsigned of_count[COEFFICIENTS_MAX];
} Examples;

// Reads "- `FEN`: White 3, Black 0"; false when the line is something else.
static bool read_example(const char *line, char fen[FEN_SIZE], int counts[COLOR_NB]) {
    return sscanf(line, "- `%95[^`]`: White %d, Black %d", fen, &counts[WHITE], &counts[BLACK]) ==
           3;
}

// The count that the name of a term stands for: its own, or all its products'. `index` is the first
// of them.
static int count_of(const Trace *side, const char *term, size_t *index) {
    const size_t length = strlen(term);
    int products = 0;
    bool is_found = false;
    for (size_t i = 0; i < family->feature_count; i++) {
        const char *name = family_count_name(family, i);
        const bool is_product = family->coefficient_names != NULL &&
                                strncmp(name, term, length) == 0 && name[length] == '_';
        if (!is_found && (is_product || strcmp(name, term) == 0))
            *index = i;
        is_found = is_found || is_product || strcmp(name, term) == 0;
        if (strcmp(name, term) == 0)
            return side->counts[i];
        if (is_product)
            products += side->counts[i];
    }
    if (!is_found)
        fail_msg("an example of '%s', which is no term of %s", term, family->name);
    return products;
}

static void check_example(Examples *examples, const char *fen, const int counts[COLOR_NB]) {
    Position pos;
    Trace sides[COLOR_NB];
    size_t index = 0;
    if (fen_parse(fen, &pos) != OK)
        fail_msg("%s: %s: %s", examples->term, fen, error_message());
    family->trace_sides(&pos, sides);
    for (Color color = WHITE; color < COLOR_NB; color++) {
        const int count = count_of(&sides[color], examples->term, &index);
        if (count != counts[color])
            fail_msg("%s: %s: colour %u has %d, the text says %d", examples->term, fen, color,
                     count, counts[color]);
    }
    examples->of_count[index]++;
}

// Every term has an example: counts that are a term's own, and one of the products of each.
static void check_all_have_examples(const Examples *examples) {
    for (size_t i = 0; i < family->feature_count; i++) {
        const char *name = family_count_name(family, i);
        if (examples->of_count[i] == 0 &&
            (family->coefficient_names == NULL || family_find_term(family, name) >= 0))
            fail_msg("docs/families.md has no example of %s", name);
    }
}

// Each family has a section of its name.
static void check_examples(void) {
    LineReader *lines;
    StrView line;
    Examples examples = {0};
    bool is_ours = false;
    assert_int_equal(lines_open(&lines, "docs/families.md", 4096), OK);
    while (lines_next(lines, &line) == OK && line.text != NULL) {
        char text[4097], fen[FEN_SIZE], section[64];
        int counts[COLOR_NB];
        snprintf(text, sizeof text, "%.*s", (int)line.length, line.text);
        if (strncmp(text, "## ", 3) == 0 && sscanf(text, "## %63s", section) == 1)
            is_ours = strcmp(section, family->name) == 0;
        else if (sscanf(text, "### %63s", examples.term) == 0 && is_ours &&
                 read_example(text, fen, counts))
            check_example(&examples, fen, counts);
    }
    lines_close(lines);
    check_all_have_examples(&examples);
}

static void test_documented_examples(void **state) {
    (void)state;
    chess_init();
    for (size_t i = 0; families[i] != NULL; i++) {
        family = families[i];
        check_examples();
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_score_and_trace),
        cmocka_unit_test(test_evaluator_caches),
        cmocka_unit_test(test_evaluator_limit),
        cmocka_unit_test(test_start_position_is_level),
        cmocka_unit_test(test_documented_examples),
        cmocka_unit_test(test_centipawns),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_members),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
