// SPDX-License-Identifier: GPL-3.0-or-later
// Checkpoints: what is saved comes back, and anything else is refused.
#include "run/files/checkpoint.h"

#include "mentoring.h"

static void fill(Checkpoint *checkpoint, Rng *rng) {
    *checkpoint = (Checkpoint){.fingerprint = rng_u64(rng),
                               .log_length = rng_u64(rng),
                               .generation = rng_u32(rng),
                               .best_sample_score = (int64_t)rng_u64(rng),
                               .best_count = rng_below(rng, 40)};
    checkpoint->is_finished = checkpoint->best_count > 0 && rng_below(rng, 2) == 1;
    checkpoint->best = calloc(checkpoint->best_count + 1, sizeof *checkpoint->best);
    for (size_t i = 0; i < checkpoint->best_count; i++)
        checkpoint->best[i] = rng_real(rng) * 1000 - 500;
    for (uint32_t i = rng_below(rng, 300); i > 0; i--)
        str_append(&checkpoint->evolver, &(char){(char)rng_u32(rng)}, 1);
}

static void assert_same(const Checkpoint *a, const Checkpoint *b) {
    assert_int_equal(a->fingerprint, b->fingerprint);
    assert_int_equal(a->log_length, b->log_length);
    assert_int_equal(a->generation, b->generation);
    assert_int_equal(a->is_finished, b->is_finished);
    assert_int_equal(a->best_sample_score, b->best_sample_score);
    assert_int_equal(a->best_count, b->best_count);
    if (a->best_count > 0)
        assert_memory_equal(a->best, b->best, a->best_count * sizeof *a->best);
    assert_int_equal(a->evolver.length, b->evolver.length);
    if (a->evolver.length > 0)
        assert_memory_equal(a->evolver.text, b->evolver.text, a->evolver.length);
}

static void assert_loads(const Checkpoint *expected, bool previous) {
    Checkpoint found;
    if (checkpoint_load(&found, testing_directory, previous) != OK)
        fail_msg("%s", error_message());
    assert_same(&found, expected);
    checkpoint_free(&found);
}

// Not by file_write, which waits for the disk each time.
static void write_last(const char *text, size_t length) {
    char path[TESTING_PATH];
    testing_path(path, "checkpoint");
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

static void read_last(Str *out) {
    char path[TESTING_PATH];
    testing_path(path, "checkpoint");
    str_clear(out);
    assert_int_equal(file_read(path, 1 << 20, out), OK);
}

static Status load_last(void) {
    Checkpoint found;
    const Status status = checkpoint_load(&found, testing_directory, false);
    if (status == OK)
        checkpoint_free(&found);
    return status;
}

static void test_round_trips_and_the_one_before(void **state) {
    (void)state;
    Rng rng = rng_at(1, 0, 0, 0);
    Checkpoint before = {0};
    assert_false(checkpoint_exists(testing_directory, false));
    assert_int_equal(load_last(), ERR_IO);
    for (int i = 0; i < 30; i++) {
        Checkpoint saved;
        fill(&saved, &rng);
        assert_int_equal(checkpoint_save(&saved, testing_directory), OK);
        assert_loads(&saved, false);
        assert_int_equal(checkpoint_exists(testing_directory, true), i > 0);
        if (i > 0)
            assert_loads(&before, true);
        checkpoint_free(&before);
        before = saved;
    }
    checkpoint_free(&before);
}

static void test_a_cut_one_is_refused(void **state) {
    (void)state;
    Rng rng = rng_at(2, 0, 0, 0);
    Checkpoint saved;
    Str bytes = {0};
    fill(&saved, &rng);
    assert_int_equal(checkpoint_save(&saved, testing_directory), OK);
    read_last(&bytes);
    for (size_t length = 0; length < bytes.length; length++) {
        write_last(bytes.text, length);
        assert_int_not_equal(load_last(), OK);
        assert_message("/checkpoint");
    }
    write_last(bytes.text, bytes.length);
    assert_int_equal(load_last(), OK);
    str_append(&bytes, "x", 1);
    write_last(bytes.text, bytes.length);
    assert_int_not_equal(load_last(), OK);
    str_free(&bytes);
    checkpoint_free(&saved);
}

static void test_flipped_bits_are_seen(void **state) {
    (void)state;
    Rng rng = rng_at(3, 0, 0, 0);
    Checkpoint saved;
    Str bytes = {0};
    fill(&saved, &rng);
    assert_int_equal(checkpoint_save(&saved, testing_directory), OK);
    read_last(&bytes);
    for (size_t i = 0; i < bytes.length; i++) {
        const char bit = (char)(1 << rng_below(&rng, 8));
        bytes.text[i] ^= bit;
        write_last(bytes.text, bytes.length);
        assert_int_not_equal(load_last(), OK);
        bytes.text[i] ^= bit;
    }
    str_free(&bytes);
    checkpoint_free(&saved);
}

static void test_another_version_is_told(void **state) {
    (void)state;
    Checkpoint saved = {0};
    Str bytes = {0};
    assert_int_equal(checkpoint_save(&saved, testing_directory), OK);
    read_last(&bytes);
    bytes.text[strlen("falconer checkpoint\n")] = CHECKPOINT_VERSION + 1;
    write_last(bytes.text, bytes.length);
    assert_int_equal(load_last(), ERR_PARSE);
    assert_message("a checkpoint of version 2, where this program reads version 1");
    write_last("something else", 14);
    assert_int_equal(load_last(), ERR_PARSE);
    assert_message("not a checkpoint");
    str_free(&bytes);
}

static void test_the_one_before_can_be_restored(void **state) {
    (void)state;
    Rng rng = rng_at(4, 0, 0, 0);
    Checkpoint first, second;
    fill(&first, &rng);
    fill(&second, &rng);
    assert_int_equal(checkpoint_save(&first, testing_directory), OK);
    assert_int_equal(checkpoint_save(&second, testing_directory), OK);
    write_last("damaged", 7);
    assert_int_equal(checkpoint_restore(testing_directory), OK);
    assert_loads(&first, false);
    assert_false(checkpoint_exists(testing_directory, true));
    assert_int_equal(checkpoint_restore(testing_directory), ERR_IO);
    checkpoint_free(&first);
    checkpoint_free(&second);
}

static void test_a_directory_that_is_not_there(void **state) {
    (void)state;
    const Checkpoint saved = {0};
    assert_int_equal(checkpoint_save(&saved, "/no/such/directory"), ERR_IO);
    assert_message("/no/such/directory/checkpoint");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trips_and_the_one_before),
        cmocka_unit_test(test_a_cut_one_is_refused),
        cmocka_unit_test(test_flipped_bits_are_seen),
        cmocka_unit_test(test_another_version_is_told),
        cmocka_unit_test(test_the_one_before_can_be_restored),
        cmocka_unit_test(test_a_directory_that_is_not_there),
    };
    return cmocka_run_group_tests(tests, testing_set_up, testing_tear_down);
}
