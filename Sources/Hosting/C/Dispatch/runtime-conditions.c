// Condition variables of POSIX, and with them `NSCondition`, for who holds the baton.

#include "model.h"

#include <pthread.h>
#include <stdlib.h>

/// One that somebody waits for.
struct condition {
    struct condition *next;
    void *address;
    stampede_waiter *waiters;
};

static struct condition *find(stampede_app *app, void *address) {
    struct condition *found = app->conditions;
    while (found && found->address != address) found = found->next;
    return found;
}

static struct condition *find_or_make(stampede_app *app, void *address) {
    struct condition *found = find(app, address);
    if (found) return found;
    found = calloc(1, sizeof *found);
    found->address = address;
    found->next = app->conditions;
    app->conditions = found;
    return found;
}

static void forget_if_idle(stampede_app *app, void *address) {
    for (struct condition **link = &app->conditions; *link; link = &(*link)->next) {
        struct condition *found = *link;
        if (found->address != address || found->waiters) continue;
        *link = found->next;
        free(found);
        return;
    }
}

bool condition_wait(void *address, void *mutex, int64_t delay) {
    stampede_app *app = stampede_top->app;
    if (delay <= 0 || !may_wait()) return false;
    struct condition *found = find_or_make(app, address);
    stampede_waiter waiter = {.app = app, .what = stampede_waits_for_condition};
    pthread_mutex_unlock(mutex);
    bool is_woken = waiter_wait(&waiter, delay, &found->waiters);
    pthread_mutex_lock(mutex);
    forget_if_idle(app, address);
    return is_woken;
}

bool condition_signal(void *address, bool all) {
    stampede_app *app = stampede_top->app;
    struct condition *found = app->conditions ? find(app, address) : NULL;
    if (!found || !found->waiters) return false;
    do {
        stampede_waiter *first = found->waiters;
        found->waiters = first->next;
        waiter_wake(first);
    } while (all && found->waiters);
    return true;
}

// MARK: Under the wall clock
//
// The system's own wakes who waits there. Noted is who waits, so that the device knows of a thread that is about to go on.

void condition_wait_begins(stampede_waiter *waiter, void *address) {
    stampede_app *app = waiter->app;
    MODEL_OF(app);
    waiter_append(&find_or_make(app, address)->waiters, waiter);
    stampede_the_host.wait_begins(app->process, true);
}

static void tell(stampede_waiter *waiter) {
    if (!waiter->is_woken) stampede_the_host.wakes(waiter->app->process);
    waiter->is_woken = true;
}

void condition_tell(void *address, bool all) {
    stampede_app *app = stampede_top->app;
    MODEL_OF(app);
    struct condition *found = app->conditions ? find(app, address) : NULL;
    if (!found) return;
    stampede_waiter *waiter = found->waiters;
    while (waiter && !all && waiter->is_woken) waiter = waiter->next;
    for (; waiter; waiter = all ? waiter->next : NULL) tell(waiter);
}

void condition_wait_ends(stampede_waiter *waiter, void *address) {
    stampede_app *app = waiter->app;
    {
        MODEL_OF(app);
        // Another thread than an app's may have woken it, or its time is over.
        tell(waiter);
        waiter_unlist(waiter);
        forget_if_idle(app, address);
    }
    stampede_the_host.wait_ends(app->process, true);
}

void conditions_drop(stampede_app *app) {
    while (app->conditions) {
        struct condition *first = app->conditions;
        app->conditions = first->next;
        free(first);
    }
}
