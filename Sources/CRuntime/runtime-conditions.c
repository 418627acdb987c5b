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
    struct condition *found = find(app, address);
    if (!found) {
        found = calloc(1, sizeof *found);
        found->address = address;
        found->next = app->conditions;
        app->conditions = found;
    }
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

void conditions_drop(stampede_app *app) {
    while (app->conditions) {
        struct condition *first = app->conditions;
        app->conditions = first->next;
        free(first);
    }
}
