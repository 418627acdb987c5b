// What keeps a worker to itself, whatever its client code asks the kernel for.

#define _GNU_SOURCE
#include "Workers.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/// Of the kernel, as its sixth version of Landlock has them: headers may be older.
enum { landlock_create = 444, landlock_restrict = 446, landlock_ask_version = 1, landlock_with_scopes = 6 };

typedef struct {
    uint64_t handled_files, handled_network, scoped;
} landlock_rules;

enum { landlock_scope_signal = 1 << 1 };

bool stampede_can_fence_signals(void) {
    return syscall(landlock_create, NULL, 0, landlock_ask_version) >= landlock_with_scopes;
}

/// Signals reach this process and those that it starts.
static void fence_signals(void) {
    if (!stampede_can_fence_signals()) return;
    landlock_rules rules = {.scoped = landlock_scope_signal};
    int descriptor = (int)syscall(landlock_create, &rules, sizeof rules, 0);
    if (descriptor < 0) return;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0) syscall(landlock_restrict, descriptor, 0);
    syscall(SYS_close, descriptor);
}

/// Of one file. Client code is refused much less; what writes past the C library is stopped here.
static const rlim_t file_size_max = (rlim_t)1 << 30;

static void fence_files(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_FSIZE, &limit) != 0) return;
    if (limit.rlim_max < file_size_max) return;
    limit.rlim_cur = limit.rlim_max = file_size_max;
    // Whoever writes past it is told.
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &limit);
}

void stampede_fence_worker(void) {
    fence_signals();
    fence_files();
}

ssize_t stampede_send(int descriptor, const void *bytes, size_t count) {
    return syscall(SYS_write, descriptor, bytes, count);
}
