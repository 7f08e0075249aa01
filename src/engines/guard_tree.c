// SPDX-License-Identifier: GPL-3.0-or-later
#include "engines/guard_tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

// The state of a process, as a letter, and its parent. False when there is no such process.
static bool look_up(pid_t pid, char *process_state, pid_t *parent) {
    char path[64], text[512];
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t got = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    if (fd >= 0)
        close(fd);
    text[got > 0 ? got : 0] = '\0';
    // "ID (NAME) STATE PARENT ...", where the name can hold anything.
    const char *end = strrchr(text, ')');
    int number;
    if (end == NULL || sscanf(end, ") %c %d", process_state, &number) != 2)
        return false;
    *parent = number;
    return true;
}

bool guard_tree_is_alive(pid_t pid) {
    char process_state;
    pid_t parent;
    return look_up(pid, &process_state, &parent) && process_state != 'Z';
}

// Only we reap our children, so that an id that was read is still the same process's.
void guard_tree_kill_children(void) {
    DIR *proc = opendir("/proc");
    if (proc == NULL)
        return;
    const pid_t self = getpid();
    for (const struct dirent *entry; (entry = readdir(proc)) != NULL;) {
        const long id = strtol(entry->d_name, NULL, 10);
        char process_state;
        pid_t parent;
        if (id > 1 && look_up((pid_t)id, &process_state, &parent) && parent == self)
            kill((pid_t)id, SIGKILL);
    }
    closedir(proc);
}

bool guard_tree_reap(void) {
    pid_t pid;
    do
        pid = waitpid(-1, NULL, WNOHANG | __WALL);
    while (pid > 0 || (pid < 0 && errno == EINTR));
    return pid < 0;
}
