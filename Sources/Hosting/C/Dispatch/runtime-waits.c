// Threads that wait in client code: each gives the baton away, and goes on in an event of its own.

#include "model.h"

#include <string.h>

static void resume(stampede_timer *timer) {
    waiter_resume((stampede_waiter *)((char *)timer - offsetof(stampede_waiter, timeout)));
}

void waiter_append(stampede_waiter **list, stampede_waiter *waiter) {
    waiter->list = list;
    while (*list) list = &(*list)->next;
    *list = waiter;
}

void waiter_unlist(stampede_waiter *waiter) {
    for (stampede_waiter **link = waiter->list; link && *link; link = &(*link)->next) {
        if (*link != waiter) continue;
        *link = waiter->next;
        break;
    }
    waiter->list = NULL;
}

static void time_is_over(stampede_timer *timer) {
    stampede_waiter *waiter = (stampede_waiter *)((char *)timer - offsetof(stampede_waiter, timeout));
    waiter_unlist(waiter);
    waiter_resume(waiter);
}

/// It waits for ever, and its thread with it.
static void forget(stampede_timer *timer) {}

/// Under the wall clock: others run until somebody opens it.
static void await_gate(stampede_waiter *waiter) {
    void *process = waiter->app->process;
    // Before anybody can wake it.
    stampede_the_host.wait_begins(process, true);
    int held = model_let_go();
    while (sem_wait(&waiter->gate) != 0) {}
    stampede_the_host.wait_ends(process, true);
    model_take_back(held);
}

bool waiter_wait(stampede_waiter *waiter, int64_t delay, stampede_waiter **list) {
    stampede_app *app = waiter->app;
    if (app->has_wall_clock) sem_init(&waiter->gate, 0, 0);
    if (list) waiter_append(list, waiter);
    waiter->timeout.drop = forget;
    if (delay != FOREVER) {
        waiter->timeout.fire = time_is_over;
        timer_start(&waiter->timeout, app, delay, false);
    }
    stampede_frame *top = stampede_top;
    stampede_waiter *former = app->main_waiter;
    bool holds_main = !waiter->is_caller && !waiter->is_open && top && queue_is_current(&app->main);
    if (holds_main) app->main_waiter = waiter;
    if (holds_main) stampede_the_host.waits(app->process);
    if (app->has_wall_clock) {
        await_gate(waiter);
    } else {
        // What hands the baton over is no client code.
        stampede_top = NULL;
        stampede_the_host.park(app->process, waiter);
        stampede_top = top;
    }
    if (holds_main) app->main_waiter = former;
    if (top) app_entered(top->app);
    if (waiter->is_given_up) {
        stampede_escape();
        stampede_the_host.hangs(app->process);
    }
    return waiter->is_woken;
}

void stampede_app_give_up_wait(stampede_app *app) {
    stampede_waiter *waiter = app->main_waiter;
    waiter_unlist(waiter);
    if (waiter->in_line) queue_remove_waiter(waiter->in_line, waiter);
    waiter->is_given_up = true;
    waiter_resume(waiter);
}

/// Whether nothing but the runtime's own is below the client code of this thread.
static bool is_in_turn(void) {
    const stampede_frame *frame = stampede_top;
    while (frame->under) frame = frame->under;
    return frame->is_turn;
}

bool may_wait(void) {
    if (!stampede_top || stampede_top->is_reading || !stampede_top->app->process) return false;
    if (!stampede_top->app->has_ended) return true;
    // Code of an app that has ended in the middle of it: what it waits for never comes, and it may well ask again and again.
    if (is_in_turn()) {
        stampede_waiter waiter = {.app = stampede_top->app, .is_open = true};
        waiter_wait(&waiter, FOREVER, NULL);
    }
    return false;
}

void waiter_wake(stampede_waiter *waiter) {
    waiter->list = NULL;
    timer_cancel(&waiter->timeout);
    waiter->is_woken = true;
    // Who waits in a process that has ended waits for ever.
    if (waiter->app->has_ended) return;
    if (waiter->app->has_wall_clock) return waiter_resume(waiter);
    waiter->timeout.fire = resume;
    timer_start(&waiter->timeout, waiter->app, 0, false);
}

void waiters_wake(stampede_waiter **list) {
    stampede_waiter *waiter = *list;
    *list = NULL;
    while (waiter) {
        stampede_waiter *next = waiter->next;
        waiter_wake(waiter);
        waiter = next;
    }
}

void waiter_resume(stampede_waiter *waiter) {
    void *process = waiter->app->process;
    if (!waiter->app->has_wall_clock) return stampede_the_host.wake(process, waiter);
    stampede_the_host.wakes(process);
    sem_post(&waiter->gate);
}

void callers_let_go(stampede_app *app) {
    for (stampede_waiter *waiter = app->callers; waiter; waiter = waiter->next_caller) {
        if (waiter->is_woken || waiter->timeout.app) continue;
        waiter->timeout.fire = waiter->timeout.drop = resume;
        timer_start(&waiter->timeout, app, 0, false);
    }
}

void **stampede_waiter_slot(stampede_waiter *waiter) { return &waiter->slot; }

stampede_wait stampede_app_main_wait(const stampede_app *app) {
    return app->main_waiter ? app->main_waiter->what : stampede_waits_for_nothing;
}
