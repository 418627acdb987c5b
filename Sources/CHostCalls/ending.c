// Who ends the process while somebody else still needs it is stopped here.

#define _GNU_SOURCE
#include "HostCalls.h"

#include <dlfcn.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { released, guarded, ending };

static atomic_int state = released;
static pid_t guarded_process;
static void (*told)(const char *call);

void stampede_guard_end(void (*ended)(const char *call)) {
    told = ended;
    guarded_process = getpid();
    atomic_store(&state, guarded);
}

void stampede_release_end(void) {
    int expected = guarded;
    atomic_compare_exchange_strong(&state, &expected, released);
}

/// Of code that is built for coverage; null in other programs.
extern int __llvm_profile_write_file(void) __attribute__((weak));

_Noreturn void stampede_end(int status) {
    // No handler of an orderly exit does it.
    if (__llvm_profile_write_file) __llvm_profile_write_file();
    for (;;) syscall(SYS_exit_group, status);
}

static void meet(const char *call) {
    // A child that was forked off ends as it likes.
    while (atomic_load(&state) != released && getpid() == guarded_process) {
        int expected = guarded;
        if (atomic_compare_exchange_strong(&state, &expected, ending)) return told(call);
        // Somebody was first. Either the process is about to end with what that one says, or it will be guarded again.
        sched_yield();
    }
}

void stampede_meet_exit(void) { meet("exit"); }

#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)

bool stampede_calls_stand_in_front(void) { return false; }

#else

bool stampede_calls_stand_in_front(void) { return true; }

void _exit(int status) {
    meet("_exit");
    stampede_end(status);
}

void _Exit(int status) {
    meet("_Exit");
    stampede_end(status);
}

void exit(int status) {
    meet("exit");
    void (*next)(int) = (void (*)(int))dlsym(RTLD_NEXT, "exit");
    if (next) next(status);
    stampede_end(status);
}

void quick_exit(int status) {
    meet("quick_exit");
    void (*next)(int) = (void (*)(int))dlsym(RTLD_NEXT, "quick_exit");
    if (next) next(status);
    stampede_end(status);
}

#endif
