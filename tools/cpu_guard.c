// SPDX-License-Identifier: GPL-3.0-or-later
// main(), compiled for the plainest CPU: a program that was built for another machine says so here,
// before it meets an instruction that would kill it.
#include "tools/cpu_needs.h"
#include "tools/program.h"

#include <signal.h>
#include <stdio.h>

// The first extension this CPU lacks, or NULL.
static const char *missing_feature(void) {
#ifdef __x86_64__
    __builtin_cpu_init();
#define CHECK(bit, name, macro)                                                                    \
    if ((cpu_needs >> bit & 1) != 0 && !__builtin_cpu_supports(name))                              \
        return name;
    CPU_FEATURES(CHECK)
#undef CHECK
#endif
    return NULL;
}

int main(int argc, char **argv) {
    const char *missing = missing_feature();
    if (missing != NULL) {
        fprintf(stderr,
                "%s was built for a CPU with %s, which this one lacks: rebuild it here with make, "
                "or with make ARCH=x86-64 for any CPU\n",
                argv[0], missing);
        return 1;
    }
    // A limit on the size of files (ulimit -f) is an error of who writes, like a full disk.
    signal(SIGXFSZ, SIG_IGN);
    return program_main(argc, argv);
}
