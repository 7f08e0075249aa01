// SPDX-License-Identifier: GPL-3.0-or-later
// inject MODE N REPORT COMMAND...: runs a command and disturbs its Nth system call that changes a
// file. MODE is
//   count  nothing happens
//   kill   SIGKILL before the call
//   tear   SIGKILL after the call, which writes only half of its bytes
//   full   from the Nth call on, the disk is full (ENOSPC)
// Calls of all threads of the program itself count, those of programs that it starts do not. REPORT
// gets a line "calls status left": how many calls there were, the exit code or 128 + the signal,
// and how many descendants outlived the program by more than the grace, which are then killed.
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

enum { GRACE_SECONDS = 60, PATH_SIZE = 4096, EXIT_USAGE = 2, EXIT_BROKEN = 3 };

typedef enum Mode { MODE_COUNT, MODE_KILL, MODE_TEAR, MODE_FULL } Mode;

// How a call names what it changes.
typedef enum Target { BY_FD, BY_PATH, BY_PATH_AT, CREATES, CREATES_AT, OPENS, OPENS_AT } Target;

typedef struct Call {
    int number;
    Target target;
    bool takes_space;
    int size_argument; // the one that says how many bytes are written, or -1
} Call;

static const Call calls[] = {
    {SYS_write, BY_FD, true, 2},           {SYS_pwrite64, BY_FD, true, 2},
    {SYS_writev, BY_FD, true, -1},         {SYS_pwritev, BY_FD, true, -1},
    {SYS_fsync, BY_FD, true, -1},          {SYS_fdatasync, BY_FD, true, -1},
    {SYS_fallocate, BY_FD, true, -1},      {SYS_ftruncate, BY_FD, false, -1},
    {SYS_fchmod, BY_FD, false, -1},        {SYS_rename, BY_PATH, false, -1},
    {SYS_renameat, BY_PATH_AT, false, -1}, {SYS_renameat2, BY_PATH_AT, false, -1},
    {SYS_unlink, BY_PATH, false, -1},      {SYS_unlinkat, BY_PATH_AT, false, -1},
    {SYS_mkdir, CREATES, true, -1},        {SYS_mkdirat, CREATES_AT, true, -1},
    {SYS_open, OPENS, true, -1},           {SYS_openat, OPENS_AT, true, -1},
};
enum { CALL_COUNT = sizeof calls / sizeof *calls };

typedef struct Run {
    Mode mode;
    uint64_t at, count;
    pid_t program;
    int status;   // of the program: its exit code, or 128 + the signal
    bool is_torn; // the call in progress is the last one
} Run;

[[gnu::noreturn]] static void die(const char *what) {
    fprintf(stderr, "inject: %s: %s\n", what, strerror(errno));
    exit(EXIT_BROKEN);
}

// --- the program ---

// Stops at the calls of the table and lets all others pass.
static void install_filter(void) {
    struct sock_filter filter[CALL_COUNT + 5];
    size_t size = 0;
    filter[size++] =
        (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    for (size_t i = 0; i < CALL_COUNT; i++)
        filter[size++] = (struct sock_filter)BPF_JUMP(
            BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)calls[i].number, (uint8_t)(CALL_COUNT - i), 0);
    filter[size++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    filter[size++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE);
    const struct sock_fprog program = {.len = (unsigned short)size, .filter = filter};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
        die("seccomp");
}

static pid_t start(char **command) {
    int ready[2];
    if (pipe2(ready, O_CLOEXEC) != 0)
        die("pipe");
    const pid_t pid = fork();
    if (pid < 0)
        die("fork");
    if (pid == 0) {
        char byte;
        if (read(ready[0], &byte, 1) != 1)
            _exit(EXIT_BROKEN);
        install_filter();
        execvp(command[0], command);
        die(command[0]);
    }
    const long options = PTRACE_O_TRACESECCOMP | PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK |
                         PTRACE_O_TRACEVFORK | PTRACE_O_TRACEEXEC | PTRACE_O_TRACESYSGOOD;
    if (ptrace(PTRACE_SEIZE, pid, NULL, options) != 0)
        die("ptrace");
    if (write(ready[1], "x", 1) != 1)
        die("pipe");
    close(ready[0]);
    close(ready[1]);
    return pid;
}

// --- a call ---

static bool is_of_program(pid_t thread, pid_t program) {
    char path[64], line[256];
    int group = -1;
    snprintf(path, sizeof path, "/proc/%d/status", thread);
    FILE *file = fopen(path, "re");
    while (file != NULL && group < 0 && fgets(line, sizeof line, file) != NULL)
        (void)sscanf(line, "Tgid: %d", &group);
    if (file != NULL)
        fclose(file);
    return group == program;
}

static bool is_regular(pid_t thread, uint64_t fd) {
    char path[64];
    struct stat info;
    snprintf(path, sizeof path, "/proc/%d/fd/%d", thread, (int)fd);
    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

// Whether the path of a call is one that does not exist yet.
static bool is_new(pid_t thread, int at, uint64_t address) {
    char name[PATH_SIZE] = "", path[PATH_SIZE + 64];
    const struct iovec local = {name, sizeof name - 1}, remote = {(void *)address, sizeof name - 1};
    struct stat info;
    // The page behind the string may not be there: then fewer bytes come.
    if (process_vm_readv(thread, &local, 1, &remote, 1, 0) <= 0)
        return false;
    if (name[0] == '/')
        snprintf(path, sizeof path, "%s", name);
    else if (at == AT_FDCWD)
        snprintf(path, sizeof path, "/proc/%d/cwd/%s", thread, name);
    else
        snprintf(path, sizeof path, "/proc/%d/fd/%d/%s", thread, at, name);
    return lstat(path, &info) != 0 && errno == ENOENT;
}

static bool changes_file(pid_t thread, const Call *call, const struct user_regs_struct *registers) {
    switch (call->target) {
    case BY_FD:
        return is_regular(thread, registers->rdi);
    case OPENS:
        return (registers->rsi & O_CREAT) != 0 && is_new(thread, AT_FDCWD, registers->rdi);
    case OPENS_AT:
        return (registers->rdx & O_CREAT) != 0 &&
               is_new(thread, (int)registers->rdi, registers->rsi);
    case CREATES:
        return is_new(thread, AT_FDCWD, registers->rdi);
    case CREATES_AT:
        return is_new(thread, (int)registers->rdi, registers->rsi);
    case BY_PATH:
    case BY_PATH_AT:
        return true;
    }
    return false;
}

static const Call *find_call(uint64_t number) {
    for (size_t i = 0; i < CALL_COUNT; i++)
        if ((uint64_t)calls[i].number == number)
            return &calls[i];
    return NULL;
}

static void resume(pid_t thread, int signal_number) {
    ptrace(PTRACE_CONT, thread, NULL, (void *)(intptr_t)signal_number);
}

static void refuse(pid_t thread, struct user_regs_struct *registers) {
    registers->orig_rax = (unsigned long long)-1;
    registers->rax = (unsigned long long)-ENOSPC;
    ptrace(PTRACE_SETREGS, thread, NULL, registers);
    resume(thread, 0);
}

// Lets the call happen, in half where it writes, and stops at its end.
static void tear(Run *run, pid_t thread, const Call *call, struct user_regs_struct *registers) {
    if (call->size_argument == 2) {
        registers->rdx /= 2;
        ptrace(PTRACE_SETREGS, thread, NULL, registers);
    }
    run->is_torn = true;
    ptrace(PTRACE_SYSCALL, thread, NULL, NULL);
}

static void on_call(Run *run, pid_t thread) {
    struct user_regs_struct registers;
    if (ptrace(PTRACE_GETREGS, thread, NULL, &registers) != 0)
        return;
    const Call *call = find_call(registers.orig_rax);
    if (call == NULL || !is_of_program(thread, run->program) ||
        !changes_file(thread, call, &registers)) {
        resume(thread, 0);
        return;
    }
    run->count++;
    if (run->mode == MODE_FULL && run->count >= run->at && call->takes_space) {
        refuse(thread, &registers);
    } else if (run->mode == MODE_KILL && run->count == run->at) {
        kill(run->program, SIGKILL);
    } else if (run->mode == MODE_TEAR && run->count == run->at) {
        tear(run, thread, call, &registers);
    } else {
        resume(thread, 0);
    }
}

// --- all of it ---

static void on_stop(Run *run, pid_t thread, int status) {
    const int event = status >> 16, number = WSTOPSIG(status);
    if (event == PTRACE_EVENT_SECCOMP)
        on_call(run, thread);
    else if (event == PTRACE_EVENT_STOP && number != SIGTRAP)
        ptrace(PTRACE_LISTEN, thread, NULL, NULL); // it was stopped, and stays so
    else if (number == (SIGTRAP | 0x80) && run->is_torn)
        kill(run->program, SIGKILL);
    else
        resume(thread, event != 0 || number == (SIGTRAP | 0x80) ? 0 : number);
}

// Every thread that is traced, so that those who outlive the program can be named.
typedef struct Threads {
    pid_t *items;
    size_t count, capacity;
} Threads;

static void threads_add(Threads *threads, pid_t thread) {
    for (size_t i = 0; i < threads->count; i++)
        if (threads->items[i] == thread)
            return;
    if (threads->count == threads->capacity) {
        threads->capacity = 2 * threads->capacity + 16;
        threads->items = realloc(threads->items, threads->capacity * sizeof *threads->items);
        if (threads->items == NULL)
            die("memory");
    }
    threads->items[threads->count++] = thread;
}

static void threads_remove(Threads *threads, pid_t thread) {
    for (size_t i = 0; i < threads->count; i++)
        if (threads->items[i] == thread)
            threads->items[i--] = threads->items[--threads->count];
}

// Ends what outlived the program by more than the grace; says how many processes that were.
static unsigned kill_rest(const Threads *threads) {
    unsigned left = 0;
    for (size_t i = 0; i < threads->count; i++)
        if (is_of_program(threads->items[i], threads->items[i])) {
            kill(threads->items[i], SIGKILL);
            left++;
        }
    return left;
}

static void on_alarm(int number) {
    (void)number;
}

static void on_end(Run *run, pid_t thread, int status) {
    if (thread != run->program)
        return;
    run->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    // The alarm interrupts the wait for descendants.
    sigaction(SIGALRM, &(struct sigaction){.sa_handler = on_alarm}, NULL);
    alarm(GRACE_SECONDS);
}

static unsigned trace(Run *run) {
    Threads threads = {0};
    unsigned left = 0;
    threads_add(&threads, run->program);
    for (int status;;) {
        const pid_t thread = waitpid(-1, &status, __WALL);
        if (thread < 0 && errno == EINTR)
            left += kill_rest(&threads);
        else if (thread < 0)
            break;
        else if (WIFSTOPPED(status)) {
            threads_add(&threads, thread);
            on_stop(run, thread, status);
        } else {
            threads_remove(&threads, thread);
            on_end(run, thread, status);
        }
    }
    free(threads.items);
    return left;
}

static bool parse_mode(const char *word, Mode *mode) {
    static const char *const names[] = {"count", "kill", "tear", "full"};
    for (int i = 0; i < 4; i++)
        if (strcmp(word, names[i]) == 0) {
            *mode = (Mode)i;
            return true;
        }
    return false;
}

int main(int argc, char **argv) {
    Run run = {0};
    if (argc < 5 || !parse_mode(argv[1], &run.mode)) {
        fprintf(stderr, "Usage: inject count|kill|tear|full N REPORT COMMAND...\n");
        return EXIT_USAGE;
    }
    run.at = strtoull(argv[2], NULL, 10);
    // A child that leaves its group and its parent is still traced; one that ends is ours to reap.
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    run.program = start(argv + 4);
    const unsigned left = trace(&run);
    FILE *report = fopen(argv[3], "we");
    if (report == NULL ||
        fprintf(report, "%llu %d %u\n", (unsigned long long)run.count, run.status, left) < 0 ||
        fclose(report) != 0)
        die(argv[3]);
    return run.status;
}
