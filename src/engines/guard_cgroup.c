// SPDX-License-Identifier: GPL-3.0-or-later
#include "engines/guard_cgroup.h"

#include "engines/guard.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Names are "falconer-guard.NAMESPACE.PID": an id means nothing in another namespace of processes.
#define NAME_FORMAT GUARD_NAME ".%llu.%d"

static unsigned long long pid_namespace(void) {
    struct stat about;
    return stat("/proc/self/ns/pid", &about) == 0 ? (unsigned long long)about.st_ino : 0;
}

// False when the path is too long.
static bool join(char out[GUARD_CGROUP_PATH], const char *folder, const char *name) {
    return snprintf(out, GUARD_CGROUP_PATH, "%s/%s", folder, name) < GUARD_CGROUP_PATH;
}

// The group that this process is in, below the hierarchy's root: "/user.slice/...".
static bool own_path(char out[GUARD_CGROUP_PATH]) {
    FILE *file = fopen("/proc/self/cgroup", "re");
    if (file == NULL)
        return false;
    bool is_found = false;
    while (!is_found && fgets(out, GUARD_CGROUP_PATH, file) != NULL) {
        char *end = strchr(out, '\n');
        is_found = strncmp(out, "0::/", 4) == 0 && end != NULL;
        if (is_found) {
            *end = '\0';
            memmove(out, out + 3, strlen(out + 3) + 1);
        }
    }
    fclose(file);
    return is_found;
}

// The folder of our own group, where we may add to it.
static bool own_folder(char out[GUARD_CGROUP_PATH]) {
    static const char *const roots[] = {"/sys/fs/cgroup", "/sys/fs/cgroup/unified"};
    char path[GUARD_CGROUP_PATH], file[GUARD_CGROUP_PATH];
    if (!own_path(path))
        return false;
    for (size_t i = 0; i < sizeof roots / sizeof roots[0]; i++)
        if (join(out, roots[i], path + 1) && join(file, out, "cgroup.procs") &&
            access(file, W_OK) == 0)
            return true;
    return false;
}

static bool kill_all(const char *path) {
    char file[GUARD_CGROUP_PATH];
    const int fd = join(file, path, "cgroup.kill") ? open(file, O_WRONLY | O_CLOEXEC) : -1;
    if (fd < 0)
        return false;
    const bool is_done = write(fd, "1", 1) == 1;
    close(fd);
    return is_done;
}

static void remove_leftovers(const char *folder, unsigned long long namespace) {
    DIR *dir = opendir(folder);
    if (dir == NULL)
        return;
    for (const struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        unsigned long long of;
        int pid;
        char path[GUARD_CGROUP_PATH];
        if (sscanf(entry->d_name, NAME_FORMAT, &of, &pid) == 2 && of == namespace && pid > 1 &&
            kill(pid, 0) != 0 && errno == ESRCH && join(path, folder, entry->d_name)) {
            kill_all(path);
            rmdir(path); // or by the next guard, if they are still dying
        }
    }
    closedir(dir);
}

void guard_cgroup_open(GuardCgroup *group) {
    char folder[GUARD_CGROUP_PATH], name[96], file[GUARD_CGROUP_PATH];
    *group = (GuardCgroup){.procs = -1};
    const unsigned long long namespace = pid_namespace();
    if (namespace == 0 || !own_folder(folder))
        return;
    remove_leftovers(folder, namespace);
    snprintf(name, sizeof name, NAME_FORMAT, namespace, (int)getpid());
    if (!join(group->path, folder, name) || mkdir(group->path, 0755) != 0) {
        group->path[0] = '\0';
        return;
    }
    // A kernel that cannot kill a group has nothing to offer here.
    if (join(file, group->path, "cgroup.kill") && access(file, W_OK) == 0 &&
        join(file, group->path, "cgroup.procs"))
        group->procs = open(file, O_WRONLY | O_CLOEXEC);
    if (group->procs < 0)
        guard_cgroup_close(group);
}

void guard_cgroup_kill(const GuardCgroup *group) {
    if (group->path[0] != '\0')
        kill_all(group->path);
}

void guard_cgroup_close(GuardCgroup *group) {
    if (group->procs >= 0)
        close(group->procs);
    if (group->path[0] != '\0')
        rmdir(group->path);
    *group = (GuardCgroup){.procs = -1};
}
