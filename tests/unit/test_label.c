// SPDX-License-Identifier: GPL-3.0-or-later
// Labelling with fake engines: whatever an engine does, every position is labelled or reported, the
// labels are those a good engine gives, and no process is left behind.
#include "data/label/label.h"

#include "base/cancel.h"
#include "base/file.h"
#include "data/label/label_answer.h"
#include "data/label/label_ask.h"
#include "tests/unit/fakes.h"
#include "tests/unit/testing.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

enum { POSITIONS = 40, SECOND_MS = 1000 };

// A file of positions from random games, two lines of each, one of them mate.
static void write_positions(char path[TESTING_PATH]) {
    Str text = {0};
    PgnGame game = {0};
    str_add(&text, "# a comment\n7k/6Q1/6K1/8/8/8/8/8 b - - id \"mate\";\n");
    for (uint32_t i = 0; i < POSITIONS; i++) {
        Rng rng = rng_at(5, i, 0, 0);
        char fen[FEN_SIZE];
        testing_random_game(&game, &rng, 4 + i);
        fen_write(&game.final, fen);
        str_addf(&text, "%s id \"%u\";\n%s\n", fen, i, fen);
    }
    testing_write(path, "positions.epd", text.text, text.length);
    pgn_game_free(&game);
    str_free(&text);
}

typedef struct Outcome {
    Status status;
    LabelTally tally;
    LabelCounts counts;
    size_t found, missing;
    Str file;
    char message[512];
} Outcome;

// Labels the file with a fake in a mode; the result's bytes are in the outcome.
static Outcome label(const char *mode, const char *words, int concurrency, const char *cache_path,
                     int64_t cap_ms) {
    char in[TESTING_PATH], out[TESTING_PATH];
    Outcome outcome = {0};
    LabelSet set;
    Mentor mentor;
    LabelCache *cache = NULL;
    EngineSpec spec = fake_spec(mode, words);
    write_positions(in);
    testing_path(out, "labelled.epd");
    assert_int_equal(label_set_load(&set, in), OK);
    outcome.status = mentor_prepare(&mentor, &spec, 1, -1);
    if (outcome.status == OK && cache_path != NULL)
        assert_int_equal(label_cache_open(&cache, cache_path, str_text(&mentor.key)), OK);
    if (outcome.status == OK)
        outcome.status = label_look_up(&set, cache, &outcome.found, &outcome.missing);
    LabelConfig config = {.mentor = &mentor,
                          .cache = cache,
                          .concurrency = concurrency,
                          .cap_ms = cap_ms,
                          .cancel_fd = -1};
    if (outcome.status == OK)
        outcome.status = label_run(&set, &config, &outcome.tally);
    snprintf(outcome.message, sizeof outcome.message, "%s", error_message());
    if (outcome.status == OK) {
        assert_int_equal(label_set_write(&set, out, &(LabelSource){"Fake", "", 1}, &outcome.counts),
                         OK);
        assert_int_equal(file_read(out, 1 << 20, &outcome.file), OK);
    }
    label_cache_close(cache);
    mentor_free(&mentor);
    label_set_free(&set);
    engine_spec_deinit(&spec);
    assert_no_process();
    return outcome;
}

static void expect_good(const Outcome *good, const char *mode, int concurrency, int64_t cap_ms) {
    Outcome outcome = label(mode, "depth=1", concurrency, NULL, cap_ms);
    if (outcome.status != OK)
        fail_msg("%s: %s", mode, outcome.message);
    assert_int_equal(outcome.counts.failed, 0);
    assert_string_equal(str_text(&outcome.file), str_text(&good->file));
    str_free(&outcome.file);
}

static bool is_labelled(const char *mode, int64_t cap_ms) {
    Outcome outcome = label(mode, "depth=1", 1, NULL, cap_ms);
    str_free(&outcome.file);
    return outcome.status == OK && outcome.counts.failed == 0;
}

static void test_good_engine(void **state) {
    (void)state;
    Outcome good = label("", "depth=1", 1, NULL, PATIENT_MS);
    assert_int_equal(good.status, OK);
    assert_int_equal(good.counts.over, 1);
    assert_int_equal(good.counts.labelled + good.counts.over, 2 * POSITIONS + 1);
    assert_true(good.tally.asked <= POSITIONS);
    assert_int_equal(good.tally.restarts, 0);
    // Neither concurrency nor what an engine remembers within a game changes anything.
    expect_good(&good, "", 4, PATIENT_MS);
    str_free(&good.file);
    good = label("history", "depth=1", 1, NULL, PATIENT_MS);
    expect_good(&good, "history", 3, PATIENT_MS);
    str_free(&good.file);
}

// Engines that misbehave now and then cost time, and nothing else.
static void test_every_fault_is_survived(void **state) {
    (void)state;
    static const char *const modes[] = {
        "crash 7",         "exit 5",      "orphan-crash 9", "illegal 6",   "no-move 8",
        "close-output 30", "garbage 3",   "flood 39",       "long-line 4", "bounds",
        "ignore-quit",     "ignore-term", "slow-start 50",  "child",
    };
    Outcome good = label("", "depth=1", 1, NULL, PATIENT_MS);
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++)
        expect_good(&good, modes[i], 2, PATIENT_MS);
    // Where answers take longer than a second, the machine is busy.
    int64_t cap_ms = SECOND_MS;
    while (cap_ms < PATIENT_MS && !is_labelled("hang 25", cap_ms))
        cap_ms *= 4;
    expect_good(&good, "hang 25", 1, cap_ms);
    str_free(&good.file);
}

// A position no engine survives is asked twice, reported, and left without a label.
static void test_poisoned_positions(void **state) {
    (void)state;
    Outcome outcome = label("poison", "depth=1", 2, NULL, PATIENT_MS);
    assert_int_equal(outcome.status, OK);
    assert_true(outcome.counts.failed > 0 && outcome.counts.labelled > outcome.counts.failed);
    assert_int_equal(outcome.counts.labelled + outcome.counts.failed + outcome.counts.over,
                     2 * POSITIONS + 1);
    assert_int_equal(outcome.tally.restarts, 2 * outcome.tally.failed);
    str_free(&outcome.file);
}

static void test_always_failing(void **state) {
    (void)state;
    Outcome outcome = label("illegal-always", "depth=1", 1, NULL, PATIENT_MS);
    assert_int_equal(outcome.status, ERR_ENGINE);
    assert_string_equal(outcome.message, "the mentor failed 20 times in a row; the last time: "
                                         "fake: illegal move e1e5");
    assert_int_equal(outcome.tally.restarts, 20);
    // Others that fail meanwhile are not the reason.
    outcome = label("illegal-always", "depth=1", 4, NULL, PATIENT_MS);
    assert_int_equal(outcome.status, ERR_ENGINE);
    assert_string_equal(outcome.message, "the mentor failed 40 times in a row; the last time: "
                                         "fake: illegal move e1e5");
    outcome = label("late 60", "nodes=1", 1, NULL, 20);
    assert_int_equal(outcome.status, ERR_ENGINE);
    assert_string_equal(outcome.message,
                        "the mentor failed 4 times in a row; the last time: fake: no answer within "
                        "0.0 s (not every engine knows go nodes)");
    outcome = label("crash-at-start", "depth=1", 1, NULL, SECOND_MS);
    assert_int_equal(outcome.status, ERR_ENGINE);
    outcome = label("", "depth=1 option.Hush=3", 1, NULL, SECOND_MS);
    assert_int_equal(outcome.status, ERR_ARG);
    assert_string_equal(outcome.message, "fake: it has no option 'Hush': did you mean 'Hash'?");
    outcome = label("", "", 1, NULL, SECOND_MS);
    assert_int_equal(outcome.status, ERR_ARG);
    outcome = label("", "tc=1+1", 1, NULL, SECOND_MS);
    assert_int_equal(outcome.status, ERR_ARG);
}

// What the cache has is not asked again; another limit or option is.
static void test_cache(void **state) {
    (void)state;
    char cache[TESTING_PATH];
    testing_path(cache, "labels.sqlite");
    Outcome first = label("", "depth=1", 2, cache, PATIENT_MS);
    Outcome again = label("", "depth=1", 2, cache, PATIENT_MS);
    assert_int_equal(first.found, 0);
    assert_int_equal(again.found, first.missing);
    assert_int_equal(again.missing, 0);
    assert_int_equal(again.tally.asked, 0);
    assert_string_equal(str_text(&again.file), str_text(&first.file));
    static const char *const others[] = {"depth=2", "nodes=100", "st=0.1", "depth=1 option.Hash=2",
                                         "depth=1 option.Style=Wild"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        Outcome other = label("", others[i], 2, cache, PATIENT_MS);
        assert_int_equal(other.found, 0);
        str_free(&other.file);
    }
    // What is set anyway is no other setting.
    Outcome same = label("", "depth=1 option.ownbook=false option.Hash=1", 2, cache, PATIENT_MS);
    assert_int_equal(same.missing, 0);
    str_free(&same.file);
    str_free(&first.file);
    str_free(&again.file);
}

// A file that may not grow is a full disk.
static void limit_files(rlim_t bytes) {
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = bytes;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

typedef struct Unsaved {
    int times;
    bool is_passing;
} Unsaved;

static void on_unsaved(void *context, const char *reason) {
    Unsaved *unsaved = context;
    assert_non_null(strstr(reason, "full.sqlite"));
    unsaved->times++;
    if (unsaved->is_passing)
        limit_files(RLIM_INFINITY);
}

// Labels with a cache that cannot grow, at least until that was told.
static LabelTally label_with_full_disk(const char *cache_path, LabelSet *set, Unsaved *unsaved) {
    char wal[TESTING_PATH + 8];
    struct stat info;
    Mentor mentor;
    LabelCache *cache;
    LabelTally tally;
    size_t found, missing;
    EngineSpec spec = fake_spec("late 40", "depth=1");
    assert_int_equal(mentor_prepare(&mentor, &spec, 1, -1), OK);
    assert_int_equal(label_cache_open(&cache, cache_path, str_text(&mentor.key)), OK);
    assert_int_equal(label_look_up(set, cache, &found, &missing), OK);
    assert_int_equal(found, 0);
    snprintf(wal, sizeof wal, "%s-wal", cache_path);
    assert_int_equal(stat(wal, &info), 0);
    const LabelConfig config = {.mentor = &mentor,
                                .cache = cache,
                                .concurrency = 2,
                                .cap_ms = PATIENT_MS,
                                .cancel_fd = -1,
                                .on_unsaved = on_unsaved,
                                .context = unsaved};
    // No page more, but what small files engines write.
    limit_files((rlim_t)info.st_size + 4096);
    const Status status = label_run(set, &config, &tally);
    limit_files(RLIM_INFINITY);
    assert_int_equal(status, OK);
    assert_int_equal(tally.asked, missing);
    // What is not unsaved is there.
    LabelSet again;
    assert_int_equal(label_set_load(&again, set->path), OK);
    assert_int_equal(label_look_up(&again, cache, &found, &missing), OK);
    assert_int_equal(found, tally.asked - tally.unsaved);
    label_set_free(&again);
    label_cache_close(cache);
    mentor_free(&mentor);
    engine_spec_deinit(&spec);
    return tally;
}

// A cache that cannot be written ends nothing: every answer is in the set.
static void test_cache_on_a_full_disk(void **state) {
    (void)state;
    char in[TESTING_PATH], cache[TESTING_PATH];
#ifdef __SANITIZE_THREAD__
    print_message("SKIPPED: programs with ThreadSanitizer do not start where files may not grow\n");
    skip();
#endif
    write_positions(in);
    testing_path(cache, "full.sqlite");
    signal(SIGXFSZ, SIG_IGN);
    for (int is_passing = 0; is_passing < 2; is_passing++) {
        LabelSet set;
        Unsaved unsaved = {.is_passing = is_passing};
        assert_int_equal(label_set_load(&set, in), OK);
        const LabelTally tally = label_with_full_disk(cache, &set, &unsaved);
        for (size_t i = 0; i < set.position_count; i++)
            assert_true(set.positions[i].is_over || set.positions[i].answer != NULL);
        assert_int_equal(unsaved.times, 1);
        if (!is_passing)
            assert_int_equal(tally.unsaved, tally.asked);
        label_set_free(&set);
    }
    signal(SIGXFSZ, SIG_DFL);
}

static void test_settings(void **state) {
    (void)state;
    EngineSpec spec = fake_spec("", "depth=2 option.style=Wild");
    Mentor mentor;
    assert_int_equal(mentor_prepare(&mentor, &spec, 3, -1), OK);
    assert_string_equal(str_text(&mentor.settings),
                        "Hash=1, MultiPV=3, Number of Threads=1, OwnBook=false, Ponder=false, "
                        "Style=Wild");
    assert_string_equal(str_text(&mentor.label), "Fake, depth 2, style=Wild");
    mentor_free(&mentor);
    engine_spec_deinit(&spec);
    spec = fake_spec("", "depth=2 option.Hash=64 \"option.Number of Threads=2\"");
    assert_int_equal(mentor_prepare(&mentor, &spec, 1, -1), OK);
    assert_string_equal(str_text(&mentor.settings),
                        "Hash=64, MultiPV=1, Number of Threads=2, OwnBook=false, Ponder=false");
    mentor_free(&mentor);
    engine_spec_deinit(&spec);
    assert_no_process();
}

static void make_key(const char *words, Str *out) {
    EngineSpec spec = fake_spec("", words);
    Mentor mentor;
    assert_int_equal(mentor_prepare(&mentor, &spec, 1, -1), OK);
    str_clear(out);
    str_add(out, str_text(&mentor.key));
    mentor_free(&mentor);
    engine_spec_deinit(&spec);
}

// An answer is found again under what it depends on, and under nothing else.
static void test_keys(void **state) {
    (void)state;
    char path[TESTING_PATH], words[2 * TESTING_PATH];
    Str one = {0}, two = {0};
    make_key("depth=2 option.Hash=2 option.Style=Wild", &one);
    make_key("name=other depth=2 option.style=Wild option.hash=2", &two);
    assert_string_equal(str_text(&one), str_text(&two));
    make_key("depth=2 arg=x option.Hash=2 option.Style=Wild", &two);
    assert_string_not_equal(str_text(&one), str_text(&two));
    // A file counts by what is in it.
    testing_write(path, "net", "first", 5);
    snprintf(words, sizeof words, "depth=2 'option.Book File=%s'", path);
    make_key(words, &one);
    testing_write(path, "net", "other", 5);
    make_key(words, &two);
    assert_string_not_equal(str_text(&one), str_text(&two));
    testing_write(path, "net", "first", 5);
    make_key(words, &two);
    assert_string_equal(str_text(&one), str_text(&two));
    str_free(&one);
    str_free(&two);
    assert_no_process();
}

static void test_cancelled(void **state) {
    (void)state;
    char in[TESTING_PATH];
    int fds[2];
    LabelSet set;
    Mentor mentor;
    LabelTally tally;
    EngineSpec spec = fake_spec("hang 3", "depth=1");
    write_positions(in);
    assert_int_equal(label_set_load(&set, in), OK);
    assert_int_equal(mentor_prepare(&mentor, &spec, 1, -1), OK);
    assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
    assert_int_equal(write(fds[1], "x", 1), 1);
    LabelConfig config = {
        .mentor = &mentor, .concurrency = 2, .cap_ms = 1000000, .cancel_fd = fds[0]};
    assert_int_equal(label_run(&set, &config, &tally), OK);
    assert_true(tally.is_cancelled);
    close(fds[0]);
    close(fds[1]);
    mentor_free(&mentor);
    label_set_free(&set);
    engine_spec_deinit(&spec);
    assert_no_process();
}

// Tells of the cancelling as soon as an engine was started.
static void *cancel_the_first(void *context) {
    Str pids = {0};
    while (file_read(getenv("FAKE_ENGINE_PIDS"), 1000, &pids) != OK || pids.length == 0)
        usleep(1000);
    str_free(&pids);
    cancel_request(*(int *)context);
    return NULL;
}

// One that is started when it is cancelled, and none afterwards.
static void test_cancelling_starts_no_engine(void **state) {
    (void)state;
    char path[TESTING_PATH];
    static const char key[] = "4k3/8/8/8/8/8/8/4K2R w K -";
    EngineSpec spec = fake_spec("silent", "depth=1");
    LabelAsking asking = {&spec, 1, 1000000};
    Str pids = {0}, answer = {0};
    pthread_t thread;
    int fd;
    testing_path(path, "pids");
    setenv("FAKE_ENGINE_PIDS", path, 1);
    assert_int_equal(cancel_open(&fd), OK);
    void *worker = label_service.begin(&asking, fd);
    assert_int_equal(pthread_create(&thread, NULL, cancel_the_first, &fd), 0);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(label_service.answer(worker, view_from_string(key), &answer), OK);
        assert_int_equal(answer.length, 0);
    }
    pthread_join(thread, NULL);
    assert_int_equal(file_read(path, 1000, &pids), OK);
    assert_ptr_equal(strchr(pids.text, '\n'), pids.text + pids.length - 1);
    unsetenv("FAKE_ENGINE_PIDS");
    label_service.end(worker);
    cancel_close(fd);
    str_free(&pids);
    engine_spec_deinit(&spec);
    assert_no_process();
}

static void test_bad_input(void **state) {
    (void)state;
    static const char *const texts[] = {
        "# only a comment\n",
        "4k3/8/8/8/8/8/8/4K3 w - - id \"fine\";\n4k3/8/8/8/8/8/8 w - -\n",
        "4k3/8/8/8/8/8/8/4K3 w - - sm Qh5;\n",
    };
    static const char *const messages[] = {"no positions", "bad.epd:2: ", "bad.epd:1: sm: "};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        char path[TESTING_PATH];
        LabelSet set;
        testing_write(path, "bad.epd", texts[i], strlen(texts[i]));
        assert_int_equal(label_set_load(&set, path), ERR_PARSE);
        if (strstr(error_message(), messages[i]) == NULL)
            fail_msg("'%s' is not in '%s'", messages[i], error_message());
    }
}

static int set_up(void **state) {
    return testing_set_up(state) != 0 || adopt_orphans(state) != 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good_engine),
        cmocka_unit_test(test_every_fault_is_survived),
        cmocka_unit_test(test_poisoned_positions),
        cmocka_unit_test(test_always_failing),
        cmocka_unit_test(test_cache),
        cmocka_unit_test(test_cache_on_a_full_disk),
        cmocka_unit_test(test_settings),
        cmocka_unit_test(test_keys),
        cmocka_unit_test(test_cancelled),
        cmocka_unit_test(test_cancelling_starts_no_engine),
        cmocka_unit_test(test_bad_input),
    };
    return cmocka_run_group_tests(tests, set_up, testing_tear_down);
}
