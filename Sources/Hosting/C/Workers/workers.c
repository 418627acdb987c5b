// Workers are forked here: Swift has no name for what that takes.

#define _GNU_SOURCE
#include "Workers.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

// Of code that is built for coverage; null in other programs.
extern void __llvm_profile_reset_counters(void) __attribute__((weak));
extern void __llvm_profile_set_filename(const char *pattern) __attribute__((weak));

/// What was counted before the fork is the parent's to write, into a file that has its number in its name.
static void begin_own_profile(void) {
    char own[4096];  // It is copied.
    if (!__llvm_profile_reset_counters || !__llvm_profile_set_filename) return;
    __llvm_profile_reset_counters();
    const char *pattern = getenv("LLVM_PROFILE_FILE");
    if (!pattern || !*pattern) return;
    // Spelled in another way: the same pattern would be taken for the file that is open already.
    snprintf(own, sizeof own, "%s%s", *pattern == '/' ? "/" : "./", pattern);
    __llvm_profile_set_filename(own);
}

pid_t stampede_fork_worker(void) {
    pid_t parent = getpid();
    // What is buffered is written once.
    fflush(NULL);
    pid_t worker = fork();
    if (worker != 0) return worker;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    // It may have ended before.
    if (getppid() != parent) syscall(SYS_exit_group, 0);
    setsid();
    begin_own_profile();
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    return 0;
}

int stampede_make_pipe(int ends[2], int size) {
    if (pipe2(ends, O_CLOEXEC) < 0) return -1;
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    fcntl(ends[1], F_SETPIPE_SZ, size);
    return 0;
}

int stampede_signal_of(int status) { return WIFSIGNALED(status) ? WTERMSIG(status) : 0; }

int stampede_code_of(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : 0; }
