// Signals of client code: one that would end the process ends the app, none reaches another process, and what the
// harness finds faults by stays in place.

#undef _FORTIFY_SOURCE
#define _GNU_SOURCE
#include "next.h"
#include "own.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

static void (*notes_signal)(int number);

void stampede_on_own_signal(void (*note)(int number)) { notes_signal = note; }

#ifndef STAMPEDE_STANDS_ASIDE

static bool is_number(int number) { return number > 0 && number < own_signals; }

/// Whether the harness has a handler of its own there, or none on purpose.
static bool is_guarded(int number) {
    switch (number) {
    case SIGSEGV: case SIGBUS: case SIGILL: case SIGTRAP: case SIGFPE: case SIGABRT: case SIGSYS: return true;
    case SIGXFSZ: return true;
    default: return number == SIGRTMAX - 2;
    }
}

/// Whether it ends a program that has said nothing of it; the others it does not notice, or it stands still.
static bool is_end(int number) {
    switch (number) {
    case SIGCHLD: case SIGCONT: case SIGURG: case SIGWINCH: return false;
    case SIGSTOP: case SIGTSTP: case SIGTTIN: case SIGTTOU: return false;
    default: return true;
    }
}

// MARK: Sending

/// What the kernel takes; of a signal's standard action all of it is zero.
typedef struct {
    void *handler;
    unsigned long flags;
    void *restorer;
    uint64_t mask;
} kernel_action;

/// Ends the process, as nobody could have the app leave.
static void raise_really(int number) {
    kernel_action standard = {0};
    uint64_t mask = UINT64_C(1) << (number - 1);
    syscall(SYS_rt_sigaction, number, &standard, NULL, sizeof mask);
    syscall(SYS_rt_sigprocmask, SIG_UNBLOCK, &mask, NULL, sizeof mask);
    syscall(SYS_tgkill, getpid(), (pid_t)syscall(SYS_gettid), number);
}

static void call_handler(const struct sigaction *action, int number) {
    if (!(action->sa_flags & SA_SIGINFO)) return action->sa_handler(number);
    siginfo_t info;
    memset(&info, 0, sizeof info);
    info.si_signo = number;
    info.si_code = SI_USER;
    info.si_pid = getpid();
    info.si_uid = getuid();
    ucontext_t context;
    getcontext(&context);
    action->sa_sigaction(number, &info, &context);
}

/// What an app has asked for; the standard action where it has not.
static struct sigaction action_of(stampede_app *app, int number) {
    struct sigaction found = {.sa_handler = SIG_DFL};
    struct app_own *own = __atomic_load_n(&app->own, __ATOMIC_ACQUIRE);
    if (!own) return found;
    own_lock();
    if (own->actions[number]) found = *own->actions[number];
    own_unlock();
    return found;
}

/// A signal that an app sends to itself. False: it is to be sent, and the app's handler runs.
static bool is_met(stampede_app *app, int number) {
    struct sigaction action = action_of(app, number);
    bool is_fixed = number == SIGKILL || number == SIGSTOP;
    if (!is_fixed && action.sa_handler == SIG_IGN) return true;
    if (!is_fixed && action.sa_handler != SIG_DFL) {
        if (!is_guarded(number)) return false;
        call_handler(&action, number);
        return true;
    }
    if (!is_end(number)) return true;
    if (notes_signal) notes_signal(number);
    raise_really(number);
    return true;
}

static bool is_own_process(pid_t process) {
    return process == getpid() || process == 0 || process == -1 || process == -getpgrp();
}

/// Nobody else's: what it is called tells of the signal alone, since numbers of processes are others in each run.
static int refuse(int number) {
    const char *known = sigabbrev_np(number);
    char name[16];
    snprintf(name, sizeof name, "SIG%s", known ? known : "RT");
    if (number != 0) stampede_uses_outside(stampede_outside_signal, name);
    return errno = EPERM, -1;
}

/// - Returns: false if the system is to send it to this process.
static bool is_sent(stampede_app *app, pid_t process, int number, int *result) {
    if (number != 0 && !is_number(number)) *result = (errno = EINVAL, -1);
    else if (!is_own_process(process)) *result = refuse(number);
    else if (number == 0 || is_met(app, number)) *result = 0;
    else return false;
    return true;
}

int kill(pid_t process, int number) {
    stampede_app *app = client_app();
    if (!app) return (int)syscall(SYS_kill, process, number);
    int result;
    if (is_sent(app, process, number, &result)) return result;
    return (int)syscall(SYS_tgkill, getpid(), (pid_t)syscall(SYS_gettid), number);
}

int killpg(pid_t group, int number) {
    if (group < 0) return errno = EINVAL, -1;
    return kill(-group, number);
}

int raise(int number) {
    stampede_app *app = client_app();
    if (app && is_number(number) && is_met(app, number)) return 0;
    return NEXT(raise)(number);
}

int sigqueue(pid_t process, int number, const union sigval value) {
    stampede_app *app = client_app();
    int result;
    if (app && is_sent(app, process, number, &result)) return result;
    return NEXT(sigqueue)(app ? getpid() : process, number, value);
}

int pthread_kill(pthread_t thread, int number) {
    stampede_app *app = client_app();
    if (app && is_number(number) && is_met(app, number)) return 0;
    return NEXT(pthread_kill)(thread, number);
}

int tgkill(pid_t process, pid_t thread, int number) {
    stampede_app *app = client_app();
    int result;
    if (app && is_sent(app, process, number, &result)) return result;
    return (int)syscall(SYS_tgkill, process, thread, number);
}

/// One that comes later, to whatever thread and device is at work then: no device's clock knows of it.
unsigned alarm(unsigned seconds) { return client_app() ? 0 : NEXT(alarm)(seconds); }

int setitimer(__itimer_which_t which, const struct itimerval *restrict wanted, struct itimerval *restrict former) {
    if (!client_app()) return NEXT(setitimer)(which, wanted, former);
    if (former) memset(former, 0, sizeof *former);
    return 0;
}

// MARK: Handlers

static void remember(stampede_app *app, int number, const struct sigaction *action) {
    struct app_own *own = own_of(app);
    own_lock();
    if (!own->actions[number]) own->actions[number] = malloc(sizeof *action);
    *own->actions[number] = *action;
    own_unlock();
}

int sigaction(int number, const struct sigaction *restrict wanted, struct sigaction *restrict former) {
    stampede_app *app = client_app();
    if (!app || !is_number(number) || number == SIGKILL || number == SIGSTOP) {
        return NEXT(sigaction)(number, wanted, former);
    }
    struct sigaction own = action_of(app, number);
    if (wanted) remember(app, number, wanted);
    if (former) *former = own;
    return is_guarded(number) || !wanted ? 0 : NEXT(sigaction)(number, wanted, NULL);
}

sighandler_t signal(int number, sighandler_t handler) {
    if (!client_app()) return NEXT(signal)(number, handler);
    struct sigaction wanted = {.sa_handler = handler, .sa_flags = SA_RESTART}, former;
    return sigaction(number, &wanted, &former) == 0 ? former.sa_handler : SIG_ERR;
}

int sigaltstack(const stack_t *restrict wanted, stack_t *restrict former) {
    stampede_app *app = client_app();
    if (!app) return (int)syscall(SYS_sigaltstack, wanted, former);
    struct app_own *own = own_of(app);
    own_lock();
    stack_t before = own->stack;
    if (wanted) own->stack = *wanted;
    own_unlock();
    if (former) *former = before;
    return 0;
}

// MARK: What is blocked

/// Of the calling thread, those that it takes to be blocked and that are not.
static _Thread_local uint64_t seemingly_blocked;

static int change_mask(int how, const sigset_t *restrict wanted, sigset_t *restrict former) {
    if (!client_app()) return NEXT(pthread_sigmask)(how, wanted, former);
    uint64_t before = seemingly_blocked, named = 0;
    sigset_t passed;
    if (wanted) {
        passed = *wanted;
        for (int number = 1; number < own_signals; number += 1) {
            if (!is_guarded(number) || sigismember(wanted, number) != 1) continue;
            named |= UINT64_C(1) << (number - 1);
            sigdelset(&passed, number);
        }
        if (how == SIG_BLOCK) seemingly_blocked |= named;
        else if (how == SIG_UNBLOCK) seemingly_blocked &= ~named;
        else seemingly_blocked = named;
    }
    int failure = NEXT(pthread_sigmask)(how, wanted ? &passed : NULL, former);
    for (int number = 1; former && !failure && before && number < own_signals; number += 1) {
        if (before & UINT64_C(1) << (number - 1)) sigaddset(former, number);
    }
    return failure;
}

int pthread_sigmask(int how, const sigset_t *restrict wanted, sigset_t *restrict former) {
    return change_mask(how, wanted, former);
}

int sigprocmask(int how, const sigset_t *restrict wanted, sigset_t *restrict former) {
    int failure = change_mask(how, wanted, former);
    return failure ? (errno = failure, -1) : 0;
}

#endif
