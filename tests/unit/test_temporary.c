// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/temporary.h"

#include "testing.h"

#include <glob.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

static int umask_calls;

// In place of the C library's: a umask of 0 for a moment is inherited by whoever is started then.
mode_t umask(mode_t mask) {
    umask_calls++;
    return (mode_t)syscall(SYS_umask, mask);
}

static size_t count_like(const char *pattern) {
    char path[TESTING_PATH];
    glob_t found;
    testing_path(path, pattern);
    const size_t count = glob(path, 0, NULL, &found) == 0 ? found.gl_pathc : 0;
    globfree(&found);
    return count;
}

static void write_file(const char *name) {
    char path[TESTING_PATH];
    testing_path(path, name);
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    fputs("text", file);
    fclose(file);
}

// A process that is killed while it writes.
static void leave_behind(const char *target) {
    int pipe_ends[2];
    char byte;
    assert_int_equal(pipe(pipe_ends), 0);
    const pid_t child = fork();
    if (child == 0) {
        OutFile *file;
        if (outfile_open(&file, target) == OK && write(pipe_ends[1], "x", 1) == 1)
            pause();
        _exit(1);
    }
    assert_int_equal(read(pipe_ends[0], &byte, 1), 1);
    kill(child, SIGKILL);
    assert_int_equal(waitpid(child, NULL, 0), child);
    close(pipe_ends[0]);
    close(pipe_ends[1]);
}

static void test_next_writer_removes(void **state) {
    (void)state;
    char path[TESTING_PATH], other[TESTING_PATH];
    testing_path(path, "out");
    testing_path(other, "out.more");
    leave_behind(path);
    leave_behind(other);
    assert_int_equal(count_like("out.falconer-??????.tmp"), 1);
    assert_int_equal(file_write(path, "text", 4), OK);
    assert_int_equal(count_like("out.falconer-??????.tmp"), 0);
    assert_int_equal(count_like("out.more.falconer-??????.tmp"), 1);
    temporary_sweep_folder(testing_directory);
    assert_int_equal(count_like("*.tmp"), 0);
}

static void test_relative_and_long_names(void **state) {
    (void)state;
    char where[TESTING_PATH], name[256];
    memset(name, 'n', 250);
    name[250] = '\0';
    assert_non_null(getcwd(where, sizeof where));
    assert_int_equal(chdir(testing_directory), 0);
    static const char *const targets[] = {"plain", NULL};
    for (int i = 0; i < 2; i++) {
        const char *target = targets[i] == NULL ? name : targets[i];
        leave_behind(target);
        assert_int_equal(count_like("*.tmp"), 1);
        assert_int_equal(file_write(target, "text", 4), OK);
        assert_int_equal(count_like("*.tmp"), 0);
        assert_int_equal(access(target, F_OK), 0);
    }
    assert_int_equal(chdir(where), 0);
}

static void test_what_is_being_written_stays(void **state) {
    (void)state;
    char path[TESTING_PATH];
    testing_path(path, "busy");
    OutFile *first, *second;
    assert_int_equal(outfile_open(&first, path), OK);
    assert_int_equal(outfile_open(&second, path), OK);
    temporary_sweep_folder(testing_directory);
    assert_int_equal(count_like("busy.falconer-??????.tmp"), 2);
    assert_int_equal(outfile_write(first, "1", 1), OK);
    assert_int_equal(outfile_write(second, "2", 1), OK);
    assert_int_equal(outfile_commit(first), OK);
    assert_int_equal(outfile_commit(second), OK);
    assert_int_equal(count_like("busy*"), 1);
}

// Only the reserved names, and only plain files.
static void test_others_files_stay(void **state) {
    (void)state;
    static const char *const names[] = {
        "checkpoint.backup",        "best.weights.seed01",    "a.falconer-abcde.tmp",
        "a.falconer-abcdefg.tmp",   "a.falconer-ABCDEF.tmp",  "a.falconer-abcdef.tmp.gz",
        "a.falconer-abcdef",        ".falconer-abcdef.tmp",   "afalconer-abcdef.tmp",
        "mine.falconer-abcdef.txt", "a.falconer-abc def.tmp", "a.tmp",
    };
    enum { COUNT = sizeof names / sizeof *names };
    char path[TESTING_PATH], link[TESTING_PATH];
    for (size_t i = 0; i < COUNT; i++)
        write_file(names[i]);
    testing_path(path, "d.falconer-abcdef.tmp");
    assert_int_equal(mkdir(path, 0777), 0);
    testing_path(link, "l.falconer-abcdef.tmp");
    assert_int_equal(symlink("checkpoint.backup", link), 0);
    temporary_sweep_folder(testing_directory);
    testing_path(path, "a");
    temporary_sweep_target(path);
    for (size_t i = 0; i < COUNT; i++) {
        testing_path(path, names[i]);
        assert_int_equal(access(path, F_OK), 0);
    }
    assert_int_equal(count_like("[dl].falconer-abcdef.tmp"), 2);
}

static void expect_mode(const char *path, mode_t mode) {
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 07777, mode);
}

static void test_modes(void **state) {
    (void)state;
    char path[TESTING_PATH];
    static const mode_t masks[] = {0, 022, 027, 077};
    for (size_t i = 0; i < sizeof masks / sizeof *masks; i++) {
        const mode_t before = (mode_t)syscall(SYS_umask, masks[i]);
        testing_write(path, "new", "x", 1);
        expect_mode(path, 0666 & ~masks[i]);
        assert_int_equal(chmod(path, 0640), 0);
        testing_write(path, "new", "y", 1);
        expect_mode(path, 0640);
        unlink(path);
        syscall(SYS_umask, before);
    }
    assert_int_equal(umask_calls, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_next_writer_removes),
        cmocka_unit_test(test_relative_and_long_names),
        cmocka_unit_test(test_what_is_being_written_stays),
        cmocka_unit_test(test_others_files_stay),
        cmocka_unit_test(test_modes),
    };
    return cmocka_run_group_tests(tests, testing_set_up, testing_tear_down);
}
