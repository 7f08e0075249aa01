// SPDX-License-Identifier: GPL-3.0-or-later
// Linked into programs that scripts/build-aarch64 builds to be run by qemu, which does not know
// (7.2) the request by which guards of engines adopt orphans: they would refuse to start.
#include <errno.h>
#include <stdarg.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int prctl(int option, ...) {
    unsigned long words[4];
    va_list list;
    va_start(list, option);
    for (int i = 0; i < 4; i++)
        words[i] = va_arg(list, unsigned long);
    va_end(list);
    const long done = syscall(SYS_prctl, option, words[0], words[1], words[2], words[3]);
    return option == PR_SET_CHILD_SUBREAPER && done < 0 && errno == EINVAL ? 0 : (int)done;
}
