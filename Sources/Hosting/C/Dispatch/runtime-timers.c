// What client code puts off: deadlines of waits, `dispatch_after`, timer sources.

#include "model.h"

#include <stdlib.h>

static uint64_t last_serial;

void timer_start(stampede_timer *timer, stampede_app *app, int64_t delay, bool is_main) {
    timer->app = app;
    timer->previous = NULL;
    timer->next = app->timers;
    if (app->timers) app->timers->previous = timer;
    app->timers = timer;
    timer->serial = __atomic_add_fetch(&last_serial, 1, __ATOMIC_RELAXED);
    timer->ticket = stampede_the_host.schedule_timer(app->process, timer, delay < 0 ? 0 : delay, is_main);
}

static void unlist(stampede_timer *timer) {
    stampede_app *app = timer->app;
    if (timer->next) timer->next->previous = timer->previous;
    if (timer->previous) timer->previous->next = timer->next;
    else app->timers = timer->next;
    timer->next = timer->previous = NULL;
    timer->app = NULL;
}

void timer_cancel(stampede_timer *timer) {
    stampede_app *app = timer->app;
    if (!app) return;
    unlist(timer);
    if (app->process) stampede_the_host.cancel(app->process, timer->ticket);
}

void stampede_timer_fire(stampede_timer *timer) {
    stampede_app *app = timer->app;
    unlist(timer);
    if (app->has_ended) return timer->drop(timer);
    timer->fire(timer);
}

bool stampede_timer_fire_if_pending(stampede_app *app, const stampede_timer *timer, uint64_t serial) {
    MODEL_OF(app);
    // Nothing is known of it but its address until it is found in the list.
    for (stampede_timer *pending = app->timers; pending; pending = pending->next) {
        if (pending != timer || pending->serial != serial) continue;
        stampede_timer_fire(pending);
        return true;
    }
    return false;
}

uint64_t stampede_timer_serial(const stampede_timer *timer) { return timer->serial; }

// MARK: dispatch_after

typedef struct {
    stampede_timer timer;
    stampede_app *app;
    stampede_queue *queue;
    work work;
} put_off;

static void let_go(put_off *later) {
    if (!later->queue->is_built_in) object_release(later->queue);
    app_release(later->app);
    free(later);
}

static void fire(stampede_timer *timer) {
    put_off *later = (put_off *)timer;
    queue_put_due(later->queue, later->app, later->work);
    let_go(later);
}

static void drop(stampede_timer *timer) {
    put_off *later = (put_off *)timer;
    work_drop(&later->work);
    let_go(later);
}

void queue_put_after(stampede_queue *queue, work work, int64_t delay) {
    stampede_app *app = stampede_top->app;
    if (delay == FOREVER || app->has_ended || !app->process) return work_drop(&work);
    put_off *later = calloc(1, sizeof *later);
    later->timer.fire = fire;
    later->timer.drop = drop;
    later->app = app;
    app_retain(app);
    later->queue = queue;
    if (!queue->is_built_in) object_retain(queue);
    later->work = work;
    timer_start(&later->timer, app, delay, queue->is_main);
}
