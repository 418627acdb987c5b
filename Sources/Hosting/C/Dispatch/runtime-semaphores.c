// Semaphores. Who comes first is served first.

#include "model.h"

static void dispose(void *candidate) {
    semaphore *semaphore = candidate;
    if (semaphore->value < semaphore->original && stampede_top) {
        crash_app("frees a DispatchSemaphore whose value is lower than at its making");
    }
}

const object_kind semaphore_kind = {"semaphore", dispose};

semaphore *semaphore_make(long value) {
    semaphore *made = object_make(sizeof *made, &semaphore_kind);
    made->value = made->original = value;
    return made;
}

bool semaphore_signal(semaphore *semaphore) {
    stampede_waiter *first = semaphore->waiters;
    if (!first) {
        semaphore->value += 1;
        return false;
    }
    semaphore->waiters = first->next;
    waiter_wake(first);
    return true;
}

bool semaphore_wait(semaphore *semaphore, int64_t delay) {
    if (semaphore->value > 0) {
        semaphore->value -= 1;
        return true;
    }
    if (delay <= 0 || !may_wait()) return false;
    stampede_waiter waiter = {.app = stampede_top->app, .what = stampede_waits_for_semaphore};
    return waiter_wait(&waiter, delay, &semaphore->waiters);
}
