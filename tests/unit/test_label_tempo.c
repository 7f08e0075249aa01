// SPDX-License-Identifier: GPL-3.0-or-later
// The tempo of a mentor: pairs of positions, the bound that their scores put to the error of every
// static evaluation, and when it is told.
#include "data/label/label_tempo.h"

#include "chess/movegen.h"
#include "chess/phase.h"
#include "eval/evaluator.h"
#include "tests/unit/testing.h"

#include <math.h>

enum { POSITIONS = 400, BONUS = 25 };

// Scores positions for the side to move; `rng` is the position's own.
typedef int (*Score)(Evaluator *evaluator, const Position *pos, Rng *rng);

static int score_static(Evaluator *evaluator, const Position *pos, Rng *rng) {
    (void)rng;
    return evaluator_score(evaluator, pos) + BONUS;
}

// A search that overlooks the reply in some positions.
static int score_hasty(Evaluator *evaluator, const Position *pos, Rng *rng) {
    return score_static(evaluator, pos, rng) + (rng_below(rng, 4) == 0 ? 300 : 0);
}

static int score_noisy(Evaluator *evaluator, const Position *pos, Rng *rng) {
    return score_static(evaluator, pos, rng) + (int)rng_below(rng, 61) - 30;
}

static Position board(const LabelSet *set, size_t index) {
    Position pos;
    StrView text = view_from_string(label_set_key(set, index));
    assert_int_equal(fen_read(&text, &pos), OK);
    return pos;
}

static void answer_all(LabelSet *set, Score score) {
    Weights weights;
    assert_int_equal(weights_load(&weights, "weights/maestro-hand.weights"), OK);
    Evaluator *evaluator = evaluator_create(&weights, false);
    for (size_t i = 0; i < set->position_count; i++) {
        const Position pos = board(set, i);
        Move moves[MOVES_MAX];
        Rng rng = rng_at(pos.key, 0, 0, 0);
        if (set->positions[i].is_over || movegen(&pos, MOVES_ALL, moves) == 0)
            continue;
        char move[UCI_MOVE_SIZE];
        Str answer = {0};
        move_to_uci(&pos, moves[0], move);
        str_addf(&answer, "%s cp %d 2", move, score(evaluator, &pos, &rng));
        free(set->positions[i].answer);
        set->positions[i].answer = answer.text;
    }
    evaluator_destroy(evaluator);
    weights_free(&weights);
}

// Positions of games: in random ones hardly any is quiet.
static LabelSet make_set(void) {
    LabelSet set, all;
    Position positions[POSITIONS];
    assert_int_equal(label_set_load(&all, "data/mentor-test.epd"), OK);
    for (size_t i = 0; i < POSITIONS; i++)
        positions[i] = board(&all, i * all.position_count / POSITIONS);
    label_set_of(&set, "test", positions, POSITIONS);
    label_set_free(&all);
    return set;
}

static LabelTempo measure(size_t most, Score score) {
    LabelSet set = make_set();
    LabelPairs pairs;
    answer_all(&set, score);
    label_pairs_pick(&pairs, &set, most);
    answer_all(&pairs.turned, score);
    const LabelTempo tempo = label_tempo_measure(&set, &pairs);
    label_pairs_free(&pairs);
    label_set_free(&set);
    return tempo;
}

// A position and its partner differ in the side to move, and are quiet.
static void test_pairs(void **state) {
    (void)state;
    LabelSet set = make_set();
    LabelPairs all, some;
    answer_all(&set, score_static);
    label_pairs_pick(&all, &set, SIZE_MAX);
    label_pairs_pick(&some, &set, 20);
    assert_true(all.turned.record_count > 100);
    assert_int_equal(some.turned.record_count, 20);
    for (size_t i = 0; i < all.turned.record_count; i++) {
        const Position own = board(&set, all.own[i]);
        const Position turned = board(&all.turned, all.turned.records[i].position);
        assert_int_not_equal(own.turn, turned.turn);
        assert_memory_equal(own.board, turned.board, sizeof own.board);
        assert_true(position_is_quiet_for_both(&own) && position_is_quiet_for_both(&turned));
    }
    // Evenly: no two of the few are the same, and they come in order.
    for (size_t i = 1; i < 20; i++)
        assert_true(some.own[i] > some.own[i - 1]);
    label_pairs_free(&all);
    label_pairs_free(&some);
    label_set_free(&set);
}

static void test_static_scores(void **state) {
    (void)state;
    const LabelTempo tempo = measure(SIZE_MAX, score_static);
    assert_true(tempo.pairs > 100);
    assert_true(fabs(tempo.median - BONUS) < 1e-9);
    assert_true(tempo.spread.value < 1e-9 && tempo.share.value < 1e-9);
    assert_false(label_tempo_is_biased(&tempo));
}

static void test_hasty_scores(void **state) {
    (void)state;
    const LabelTempo tempo = measure(SIZE_MAX, score_hasty);
    assert_true(tempo.spread.low < tempo.spread.value && tempo.spread.value < tempo.spread.high);
    assert_true(label_tempo_is_biased(&tempo));
    // Evenly spread noise is below the bar.
    const LabelTempo noisy = measure(SIZE_MAX, score_noisy);
    assert_true(noisy.spread.value > 5);
    assert_false(label_tempo_is_biased(&noisy));
}

static void test_too_few(void **state) {
    (void)state;
    const LabelTempo tempo = measure(LABEL_PAIRS_LEAST - 1, score_hasty);
    assert_int_equal(tempo.pairs, 0);
    assert_false(label_tempo_is_biased(&tempo));
}

static double score_at(const LabelSet *set, size_t index) {
    const char *blank = strstr(set->positions[index].answer, " cp ");
    return atof(blank + 4);
}

// No evaluation that has one bonus for the move, and else opposite scores for the two sides, has a
// mean error over the pairs that is below the spread.
static void test_bound(void **state) {
    (void)state;
    LabelSet set = make_set();
    LabelPairs pairs;
    answer_all(&set, score_hasty);
    label_pairs_pick(&pairs, &set, SIZE_MAX);
    answer_all(&pairs.turned, score_hasty);
    const LabelTempo tempo = label_tempo_measure(&set, &pairs);
    for (uint32_t trial = 0; trial < 200; trial++) {
        Rng rng = rng_at(3, trial, 0, 0);
        const double bonus = (double)rng_below(&rng, 200);
        const bool is_near = trial % 2 == 0;
        double sum = 0;
        for (size_t i = 0; i < pairs.turned.record_count; i++) {
            const double own = score_at(&set, pairs.own[i]);
            const double turned = score_at(&pairs.turned, pairs.turned.records[i].position);
            const double value = is_near ? (own - turned) / 2 : (double)rng_below(&rng, 600) - 300;
            sum += fabs(own - value - bonus) + fabs(turned + value - bonus);
        }
        assert_true(sum / 2 / (double)pairs.turned.record_count >= tempo.spread.value - 1e-9);
    }
    label_pairs_free(&pairs);
    label_set_free(&set);
}

static void test_description(void **state) {
    (void)state;
    Str text = {0};
    const LabelTempo tempo = {
        .pairs = 399, .median = 9, .spread = {13.24, 10.96, 15.52}, .share = {0.256, 0.211, 0.301}};
    label_tempo_describe(&tempo, &text);
    assert_string_equal(str_text(&text),
                        "tempo 9.0 cp, varying by 13.2 (11.0 to 15.5) cp, 26% (21% to 30%) of the "
                        "size of scores, in 399 quiet positions");
    str_free(&text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pairs),        cmocka_unit_test(test_static_scores),
        cmocka_unit_test(test_hasty_scores), cmocka_unit_test(test_too_few),
        cmocka_unit_test(test_bound),        cmocka_unit_test(test_description),
    };
    return cmocka_run_group_tests(tests, testing_set_up, testing_tear_down);
}
