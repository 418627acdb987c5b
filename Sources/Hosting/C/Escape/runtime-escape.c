// Out of client code that cannot go on: back to where it was called from, past all that it had begun.

#include "model.h"
#include "swift-state.h"

#include <setjmp.h>

/// Of the calling thread, the calls into client code that it is in.
typedef struct escape {
    jmp_buf point;
    stampede_frame *top;
    /// Null where `swift` is all that a task leaves behind.
    const void *task;
    int locks;
    struct escape *outer;
    swift_state swift;
} escape;

static __thread escape *innermost;

/// Of Swift's library for tasks; null in programs without it.
extern const void *swift_task_getCurrent(void) __attribute__((weak));
static const void *current_task(void) { return swift_task_getCurrent ? swift_task_getCurrent() : NULL; }

void stampede_locks_drop(void) {
    while (stampede_lock_depth > 0) model_unlock();
}

/// A closure of Swift's that takes nothing and returns nothing: its function, and what it has captured.
typedef __attribute__((swiftcall)) void (*closure)(__attribute__((swift_context)) void *context);

/// Where the one function lies that client code is left to: the linker's.
extern const char __start_stampede_tries, __stop_stampede_tries;

bool stampede_is_try(uint64_t place) {
    return place >= (uint64_t)&__start_stampede_tries && place < (uint64_t)&__stop_stampede_tries;
}

/// Runs a call into client code on the calling thread. False if it was left in the middle. Called from Swift, by name.
__attribute__((swiftcall, section("stampede_tries"))) bool stampede_try(closure body, void *context) {
    escape here;
    here.top = stampede_top;
    here.locks = stampede_lock_depth;
    here.outer = innermost;
    here.task = swift_state_save(&here.swift) ? NULL : current_task();
    if (_setjmp(here.point)) {
        swift_state_restore(&here.swift);
        innermost = here.outer;
        stampede_top = here.top;
        while (stampede_lock_depth > here.locks) model_unlock();
        if (stampede_top) app_entered(stampede_top->app);
        return false;
    }
    innermost = &here;
    body(context);
    innermost = here.outer;
    return true;
}

/// The app of a thread that was asked what it holds goes on, on its queues.
static void leave_reading(const stampede_frame *under) {
    while (stampede_top != under && stampede_top->is_reading) {
        // Whoever is in a barrier is alone.
        stampede_top->queue->is_in_barrier = false;
        stampede_end_frame(stampede_top);
    }
}

void stampede_escape(void) {
    if (!innermost || !stampede_top) return;
    // A task that is left in the middle would stay the thread's.
    if (!innermost->swift.is_whole && innermost->task != current_task()) return;
    leave_reading(innermost->top);
    _longjmp(innermost->point, 1);
}
