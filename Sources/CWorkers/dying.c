// The last thing that a process does when client code has brought it down: to note where.

#define _GNU_SOURCE
#include "Workers.h"

#include <execinfo.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

static stampede_last_note *noted;
static bool (*runs_clients)(void);
static void (*way_out)(void);

static uint64_t address_of(const void *context) {
    const ucontext_t *known = context;
#if defined(__x86_64__)
    return (uint64_t)known->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
    return (uint64_t)known->uc_mcontext.pc;
#else
    return 0;
#endif
}

static void note_calls(uint64_t first) {
    void *calls[STAMPEDE_CALLS_MAX];
    int count = backtrace(calls, STAMPEDE_CALLS_MAX);
    int64_t kept = 0;
    if (first) noted->calls[kept++] = first;
    // A call returns to just behind itself.
    for (int place = 0; place < count && kept < STAMPEDE_CALLS_MAX; place++) {
        noted->calls[kept++] = (uint64_t)calls[place] - 1;
    }
    noted->count = kept;
}

static void dies(int number, siginfo_t *info, void *context) {
    // Only the first: what follows from it says nothing.
    if (!noted->signal) {
        noted->signal = number;
        noted->is_clients = runs_clients();
        // If the stack cannot be walked, at least where.
        noted->calls[0] = address_of(context);
        noted->count = 1;
        note_calls(noted->calls[0]);
        if (way_out) way_out();
    }
    // The fault comes again when this returns, and ends the process.
    signal(number, SIG_DFL);
}

void stampede_note_exit(void) {
    if (!noted || noted->count) return;
    noted->is_clients = runs_clients();
    note_calls(0);
    if (way_out) way_out();
}

void stampede_own_fault_stack(void) {
    size_t size = 128 << 10;
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (memory == MAP_FAILED) return;
    stack_t stack = {.ss_sp = memory, .ss_size = size};
    sigaltstack(&stack, NULL);
}

void stampede_note_death(stampede_last_note *note, bool (*is_clients)(void), void (*escape)(void)) {
    static const int faults[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT, SIGSYS};
    noted = note;
    runs_clients = is_clients;
    way_out = escape;
    // What it needs to walk a stack is loaded now, and not in a process that is broken.
    void *calls[1];
    backtrace(calls, 1);
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = dies;
    // Who finds a way out does not come back, and may have another fault later.
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    for (size_t place = 0; place < sizeof faults / sizeof *faults; place++) sigaction(faults[place], &action, NULL);
}
