// SPDX-License-Identifier: GPL-3.0-or-later
#include "serve/process_id.h"

#include "base/file.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <string.h>
#include <sys/pidfd.h>
#include <unistd.h>

static void read_boot(char out[PROCESS_BOOT_SIZE]) {
    CLEANUP(file_close_at) FILE *file = fopen("/proc/sys/kernel/random/boot_id", "re");
    out[0] = '\0';
    if (file != NULL && fscanf(file, "%39[0-9a-f-]", out) != 1)
        out[0] = '\0';
}

// "4711 (name) S ..." with the start as field 22; the name may hold anything.
static bool read_stat(int64_t pid, char *state, int64_t *began) {
    char path[64], line[1024];
    snprintf(path, sizeof path, "/proc/%" PRId64 "/stat", pid);
    CLEANUP(file_close_at) FILE *file = fopen(path, "re");
    if (file == NULL || fgets(line, sizeof line, file) == NULL)
        return false;
    const char *after = strrchr(line, ')');
    return after != NULL &&
           sscanf(after + 1,
                  " %c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s "
                  "%" SCNd64,
                  state, began) == 2;
}

Status process_id_of(pid_t pid, ProcessId *out) {
    char state;
    *out = (ProcessId){.pid = pid};
    if (!read_stat(pid, &state, &out->began))
        return error_set(ERR_IO, "there is no process %d", (int)pid);
    read_boot(out->boot);
    return OK;
}

bool process_id_is_alive(const ProcessId *process) {
    char state, boot[PROCESS_BOOT_SIZE];
    int64_t began;
    read_boot(boot);
    return process->pid > 0 && strcmp(boot, process->boot) == 0 &&
           read_stat(process->pid, &state, &began) && began == process->began && state != 'Z' &&
           state != 'X';
}

Status process_id_interrupt(const ProcessId *process) {
    const int handle = process->pid > 0 ? pidfd_open((pid_t)process->pid, 0) : -1;
    // From here on the number stays this process's, whichever it is.
    const bool is_sent = handle >= 0 && process_id_is_alive(process) &&
                         pidfd_send_signal(handle, SIGINT, NULL, 0) == 0;
    const int error = errno;
    if (handle >= 0)
        close(handle);
    return is_sent ? OK
                   : error_set(ERR_ARG, "it does not run any longer%s%s",
                               error == EPERM ? ", or not as you: " : "",
                               error == EPERM ? strerror(error) : "");
}
