// SPDX-License-Identifier: GPL-3.0-or-later
#include "serve/detached.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

// 0 or an errno.
static int set_files(posix_spawn_file_actions_t *actions, const char *directory, int output) {
    int error = directory == NULL ? 0 : posix_spawn_file_actions_addchdir_np(actions, directory);
    if (error == 0)
        error = posix_spawn_file_actions_addopen(actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (error == 0)
        error = output >= 0 ? posix_spawn_file_actions_adddup2(actions, output, STDOUT_FILENO)
                            : posix_spawn_file_actions_addopen(actions, STDOUT_FILENO, "/dev/null",
                                                               O_WRONLY, 0);
    if (error == 0)
        error = posix_spawn_file_actions_adddup2(actions, STDOUT_FILENO, STDERR_FILENO);
    if (error == 0)
        error = posix_spawn_file_actions_addclosefrom_np(actions, STDERR_FILENO + 1);
    return error;
}

// What a shell had us ignore, the program must hear: it is stopped by SIGINT.
static int set_signals(posix_spawnattr_t *attributes) {
    static const int heard[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE};
    sigset_t none, defaults;
    sigemptyset(&none);
    sigemptyset(&defaults);
    for (size_t i = 0; i < sizeof heard / sizeof *heard; i++)
        sigaddset(&defaults, heard[i]);
    int error = posix_spawnattr_setsigmask(attributes, &none);
    if (error == 0)
        error = posix_spawnattr_setsigdefault(attributes, &defaults);
    if (error == 0)
        error = posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK |
                                                         POSIX_SPAWN_SETSIGDEF);
    return error;
}

Status detached_start(const char *program, const char *const *argv, const char *directory,
                      int output, pid_t *out) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int error = posix_spawn_file_actions_init(&actions);
    if (error != 0)
        return error_set(ERR_IO, "%s: %s", program, strerror(error));
    error = posix_spawnattr_init(&attributes);
    if (error == 0) {
        error = set_files(&actions, directory, output);
        if (error == 0)
            error = set_signals(&attributes);
        if (error == 0)
            error = posix_spawnp(out, program, &actions, &attributes, (char *const *)argv, environ);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return error == 0 ? OK : error_set(ERR_IO, "cannot start %s: %s", program, strerror(error));
}

bool detached_is_over(pid_t pid) {
    return waitpid(pid, NULL, WNOHANG) != 0;
}
