// The last thing that a process, or one of its threads, does when client code has brought it down: to note where.

#define _GNU_SOURCE
#include "Workers.h"
#include "returning.h"

#include <dirent.h>
#include <execinfo.h>
#include <link.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

/// Of the process; null where each thread has its own.
static stampede_last_note *noted;
static __thread stampede_last_note threads_own;
/// What the process writes where one of its threads cannot be left; null: nobody reads that.
static stampede_last_note *last_words;
static bool (*runs_clients)(void);
static bool (*is_own_thread)(void);
static void (*way_out)(void);
/// Whether an address lies where it leads to.
static bool (*is_end)(uint64_t place);
static stampede_leaving (*may_leave_at)(uint64_t place, bool waits);
/// Client code was left in the middle.
static atomic_bool was_left;
static __thread bool is_telling;
static const char *broken_text;
static int broken_status;

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

stampede_last_note *stampede_own_note(void) { return &threads_own; }

void stampede_share_last_words(stampede_last_note *note) { last_words = note; }

static stampede_last_note *current_note(void) { return noted ? noted : &threads_own; }

void stampede_end_when_broken(const char *text, int status) {
    broken_text = text;
    broken_status = status;
}

void stampede_tells(bool begins) { is_telling = begins; }

/// Does not come back if it is so.
static void end_if_broken(void) {
    bool is_ours = is_telling || !runs_clients();
    if (noted || !broken_text || !is_ours || !atomic_load(&was_left)) return;
    ssize_t written = write(STDERR_FILENO, broken_text, strlen(broken_text));
    (void)written;
    syscall(SYS_exit_group, broken_status);
}

static void leave(void) {
    if (!way_out) return;
    stampede_forget_return();
    if (runs_clients()) atomic_store(&was_left, true);
    way_out();
}

/// Those of a signal's handler, which stand before the place that it came at.
enum { handlers_calls_max = 8 };

/// - first: where a signal came; 0: there was none.
static void note_calls(stampede_last_note *note, uint64_t first) {
    void *found[STAMPEDE_CALLS_MAX + handlers_calls_max], **calls = found;
    int count = backtrace(found, STAMPEDE_CALLS_MAX + handlers_calls_max);
    int64_t kept = 0;
    if (first) {
        note->calls[kept++] = first;
        for (int place = 0; place < count && place <= handlers_calls_max; place++) {
            if ((uint64_t)found[place] != first) continue;
            calls += place + 1;
            count -= place + 1;
            break;
        }
    }
    // A call returns to just behind itself.
    for (int place = 0; place < count && kept < STAMPEDE_CALLS_MAX; place++) {
        note->calls[kept++] = (uint64_t)calls[place] - 1;
    }
    note->count = kept;
}

/// Where an object's code lies.
typedef struct {
    uint64_t begin, end;
} code_range;

/// The program, and Swift's own libraries: they hold no lock where they end the process.
static struct {
    code_range ranges[8];
    int count;
} plain_code;

static int find_plain_code(struct dl_phdr_info *object, size_t size, void *ignored) {
    static const char plain[][32] = {"libswiftCore.so", "libswift_Concurrency.so", "libswiftDispatch.so"};
    const char *name = object->dlpi_name ? strrchr(object->dlpi_name, '/') : NULL;
    // The program has no name.
    bool is_plain = object->dlpi_name && !*object->dlpi_name;
    for (size_t place = 0; name && place < sizeof plain / sizeof *plain; place++) {
        is_plain = is_plain || strcmp(name + 1, plain[place]) == 0;
    }
    if (!is_plain) return 0;
    for (int place = 0; place < object->dlpi_phnum; place++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[place];
        if (part->p_type != PT_LOAD || !(part->p_flags & PF_X)) continue;
        uint64_t begin = object->dlpi_addr + part->p_vaddr;
        if (plain_code.count < 8) plain_code.ranges[plain_code.count++] = (code_range){begin, begin + part->p_memsz};
    }
    return 0;
}

static bool is_plain_code(uint64_t address) {
    for (int place = 0; place < plain_code.count; place++) {
        if (address >= plain_code.ranges[place].begin && address < plain_code.ranges[place].end) return true;
    }
    return false;
}

bool stampede_left_cleanly(const stampede_last_note *note) {
    bool is_by_itself = note->call || note->is_own || note->signal == SIGILL || note->signal == SIGTRAP;
    if (!is_by_itself) return false;
    for (int64_t place = 0; place < note->count; place++) {
        if (is_end(note->calls[place])) return true;
        if (!is_plain_code(note->calls[place])) return false;
    }
    return false;
}

static void leave_at(uint64_t place) {
    stampede_last_note *note = current_note();
    note->is_clients = true;
    note_calls(note, place);
    stampede_forget_return();
    way_out();
}

/// Past the C library's function, which client code has one of its own in front of.
static void let_end(int number) {
    // As the kernel lays it out; of the standard action all is zero.
    struct {
        void *handler;
        unsigned long flags;
        void *restorer;
        uint64_t mask;
    } standard = {0};
    syscall(SYS_rt_sigaction, number, &standard, NULL, sizeof standard.mask);
}

static void dies(int number, siginfo_t *info, void *context) {
    end_if_broken();
    // Only the first: what follows from it says nothing.
    stampede_last_note *note = current_note();
    if (!note->signal) {
        note->signal = number;
        note->is_sent = info->si_code <= 0 && info->si_pid != getpid();
        note->is_after_leaving = atomic_load(&was_left);
        note->is_clients = runs_clients();
        note->is_clients_own = is_own_thread();
        // If the stack cannot be walked, at least where.
        note->calls[0] = address_of(context);
        note->count = 1;
        note_calls(note, note->calls[0]);
        if (!note->is_sent) leave();
        if (last_words) *last_words = *note;
    }
    // A fault comes again when this returns, and ends the process; what was sent does not.
    let_end(number);
    if (note->is_sent) syscall(SYS_tgkill, getpid(), (pid_t)syscall(SYS_gettid), number);
}

/// Of the linker: where the program's own code lies.
extern const char __executable_start, etext;

/// Whether the instruction that comes next, or came last, calls the system.
static bool calls_system(uint64_t place) {
#if defined(__x86_64__)
    const uint8_t *code = (const uint8_t *)place;
    return (code[0] == 0x0f && code[1] == 0x05) || (code[-2] == 0x0f && code[-1] == 0x05);
#elif defined(__aarch64__)
    const uint32_t *code = (const uint32_t *)place;
    return code[0] == 0xd4000001 || code[-1] == 0xd4000001;
#else
    return false;
#endif
}

static bool is_place_to_leave(uint64_t place) {
    return runs_clients() && may_leave_at(place, false) == stampede_leaves_here;
}

/// Client code is left where its own functions run, or where it waits for the system: what it calls, an allocator for one, may
/// hold locks, and is met where it comes back.
static void is_interrupted(int number, siginfo_t *info, void *context) {
    uint64_t place = address_of(context);
    bool is_programs = place >= (uint64_t)&__executable_start && place < (uint64_t)&etext;
    if (!runs_clients()) return;
    bool waits = calls_system(place);
    switch (is_programs || waits ? may_leave_at(place, waits) : may_leave_at(0, false)) {
    case stampede_leaves_here: leave_at(place); break;
    case stampede_leaves_elsewhere: stampede_meet_return(is_place_to_leave, is_end, leave_at); break;
    case stampede_stays: break;
    }
}

/// None of those that programs use.
static int interruption(void) { return SIGRTMAX - 2; }

void stampede_interrupt_clients(void) {
    DIR *threads = opendir("/proc/self/task");
    if (!threads) return;
    for (struct dirent *entry = readdir(threads); entry; entry = readdir(threads)) {
        int thread = atoi(entry->d_name);
        if (thread > 0) syscall(SYS_tgkill, getpid(), thread, interruption());
    }
    closedir(threads);
}

void stampede_interrupt_thread(pthread_t thread) { pthread_kill(thread, interruption()); }

void stampede_note_exit(const char *call) {
    if (!runs_clients) return;
    stampede_last_note *note = current_note();
    if (note->count) return;
    note->call = call;
    note->is_clients = runs_clients();
    note_calls(note, 0);
    leave();
}

void stampede_note_signal(int number) {
    if (!runs_clients) return;
    stampede_last_note *note = current_note();
    if (note->count) return;
    note->signal = number;
    note->is_own = true;
    note->is_clients = runs_clients();
    note_calls(note, 0);
    leave();
}

/// What is not touched takes no memory.
enum { fault_stack_size = 256 << 10 };

/// Whoever started this process may have blocked it: those of Dispatch's threads do.
static void take_interruptions(void) {
    sigset_t taken;
    sigemptyset(&taken);
    sigaddset(&taken, interruption());
    pthread_sigmask(SIG_UNBLOCK, &taken, NULL);
}

void stampede_own_fault_stack(void) {
    take_interruptions();
    void *memory =
        mmap(NULL, fault_stack_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (memory == MAP_FAILED) return;
    stack_t stack = {.ss_sp = memory, .ss_size = fault_stack_size};
    syscall(SYS_sigaltstack, &stack, NULL);
}

void stampede_drop_fault_stack(void) {
    stack_t none = {.ss_flags = SS_DISABLE}, former;
    if (syscall(SYS_sigaltstack, &none, &former) == 0 && !(former.ss_flags & SS_DISABLE)) munmap(former.ss_sp, former.ss_size);
}

void stampede_note_death(
    stampede_last_note *note, bool (*is_clients)(void), bool (*is_clients_own)(void),
    stampede_leaving (*may_leave)(uint64_t, bool), void (*escape)(void), bool (*is_escapes_end)(uint64_t)
) {
    static const int faults[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT, SIGSYS};
    noted = note;
    runs_clients = is_clients;
    is_own_thread = is_clients_own;
    way_out = escape;
    is_end = is_escapes_end;
    may_leave_at = may_leave;
    plain_code.count = 0;
    dl_iterate_phdr(find_plain_code, NULL);
    // What it needs to walk a stack is loaded now, and not in a process that is broken.
    void *calls[1];
    backtrace(calls, 1);
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = dies;
    // Who finds a way out does not come back, and may have another fault later.
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    for (size_t place = 0; place < sizeof faults / sizeof *faults; place++) sigaction(faults[place], &action, NULL);
    action.sa_sigaction = is_interrupted;
    action.sa_flags = SA_SIGINFO | SA_RESTART | SA_NODEFER;
    if (may_leave) sigaction(interruption(), &action, NULL);
}
