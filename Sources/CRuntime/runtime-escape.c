// Out of client code that cannot go on: back to where it was called from, past all that it had begun.

#include "model.h"

#include <setjmp.h>

/// Of the calling thread, the calls into client code that it is in.
typedef struct escape {
    jmp_buf point;
    stampede_frame *top;
    const void *task;
    int locks;
    struct escape *outer;
} escape;

static __thread escape *innermost;

/// Of Swift's library for tasks; null in programs without it.
extern const void *swift_task_getCurrent(void) __attribute__((weak));
/// From here on Swift's library does not keep account of who has access to what: accesses that are begun in client code
/// which is left in the middle are never ended, and lie on a stack that is used again.
extern bool _swift_disableExclusivityChecking __attribute__((weak));

static const void *current_task(void) { return swift_task_getCurrent ? swift_task_getCurrent() : NULL; }

void stampede_escapes_begin(void) {
    if (&_swift_disableExclusivityChecking) _swift_disableExclusivityChecking = true;
}

void stampede_locks_drop(void) {
    while (stampede_lock_depth > 0) model_unlock();
}

/// A closure of Swift's that takes nothing and returns nothing: its function, and what it has captured.
typedef __attribute__((swiftcall)) void (*closure)(__attribute__((swift_context)) void *context);

/// Runs a call into client code on the calling thread. False if it was left in the middle. Called from Swift, by name.
__attribute__((swiftcall)) bool stampede_try(closure body, void *context) {
    escape here = {.top = stampede_top, .task = current_task(), .locks = stampede_lock_depth, .outer = innermost};
    if (_setjmp(here.point)) {
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
    // A task that is left in the middle would stay the thread's.
    if (!innermost || !stampede_top || innermost->task != current_task()) return;
    stampede_escapes_begin();
    leave_reading(innermost->top);
    _longjmp(innermost->point, 1);
}
