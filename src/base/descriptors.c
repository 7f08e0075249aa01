// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/descriptors.h"

#include <errno.h>
#include <string.h>
#include <sys/resource.h>

Status descriptors_check(uint64_t need) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return error_set(ERR_LIMIT, "the limit of open files: %s", strerror(errno));
    if (limit.rlim_max == RLIM_INFINITY || limit.rlim_max >= need)
        return OK;
    return error_set(ERR_LIMIT, "%llu open files are needed and only %llu allowed (ulimit -Hn)",
                     (unsigned long long)need, (unsigned long long)limit.rlim_max);
}
