// Run loops: a thread that runs one serves its queue meanwhile, instead of holding it. And the timers of the main one.

#include "model.h"

#include <stdlib.h>

run_loop_timer_calls stampede_run_loop_calls;

extern void *swift_retain(void *object);
extern void swift_release(void *object);

// MARK: Timers

/// A timer of Foundation's, listed until it has fired for the last time.
typedef struct loop_timer {
    struct loop_timer *next;
    stampede_timer timer;
    stampede_app *app;
    void *object;
    /// In the device's time.
    int64_t due;
    /// It waits for the main queue, or runs there.
    bool is_in_line;
    /// It came to be due once more meanwhile.
    bool is_due_again;
    bool is_removed;
} loop_timer;

static loop_timer *find(stampede_app *app, const void *object) {
    loop_timer *timer = app->loop_timers;
    while (timer && (timer->object != object || timer->is_removed)) timer = timer->next;
    return timer;
}

static bool has_timers(const stampede_app *app) {
    const loop_timer *timer = app->loop_timers;
    while (timer && (timer->is_removed || !(timer->timer.app || timer->is_in_line))) timer = timer->next;
    return timer != NULL;
}

static void discard(loop_timer *timer) {
    loop_timer **link = &timer->app->loop_timers;
    while (*link != timer) link = &(*link)->next;
    *link = timer->next;
    void *object = timer->object;
    free(timer);
    int held = model_let_go();
    swift_release(object);
    model_take_back(held);
}

/// Takes it from the list, if not now, then when its turn has come. A nested run loop does not wait for nothing.
static void remove_timer(loop_timer *timer) {
    stampede_app *app = timer->app;
    timer_cancel(&timer->timer);
    timer->is_removed = true;
    if (!timer->is_in_line) discard(timer);
    if (app->nested_run_loops > 0 && !has_timers(app)) run_loops_served(app);
}

static void start(loop_timer *timer, int64_t due) {
    timer->due = due;
    timer_start(&timer->timer, timer->app, due - app_now(timer->app), true);
}

static void fire_now(const loop_timer *timer) {
    int held = model_let_go();
    stampede_run_loop_calls.fire(timer->object);
    model_take_back(held);
}

static void run(void *argument) {
    loop_timer *timer = argument;
    MODEL_OF(timer->app);
    int64_t due = timer->due;
    timer->is_due_again = false;
    // While it was in line it may have been set to another time, and its handler may do that.
    if (!timer->is_removed && !timer->timer.app) fire_now(timer);
    timer->is_in_line = false;
    if (timer->timer.app) return;
    int64_t interval = timer->is_removed || timer->app->has_ended ? -1 : stampede_run_loop_calls.interval(timer->object);
    if (interval >= 0 && timer->is_due_again) return start(timer, app_now(timer->app));
    if (interval <= 0) return remove_timer(timer);
    // What it has missed meanwhile it has missed.
    int64_t late = app_now(timer->app) - due;
    due += interval * (late / interval + 1);
    stampede_run_loop_calls.set_due(timer->object, due);
    start(timer, due);
}

static loop_timer *loop_timer_of(stampede_timer *timer) {
    return (loop_timer *)((char *)timer - offsetof(loop_timer, timer));
}

static void fire(stampede_timer *due) {
    loop_timer *timer = loop_timer_of(due);
    timer->is_due_again = true;
    if (timer->is_in_line) return;
    timer->is_in_line = true;
    queue_put_of_run_loop(timer->app, work_of_function(run, timer));
}

static void drop(stampede_timer *dropped) {
    loop_timer *timer = loop_timer_of(dropped);
    if (!timer->is_in_line) discard(timer);
}

bool run_loop_has_timer(const void *object) { return find(stampede_top->app, object) != NULL; }

void run_loop_add_timer(void *object, int64_t due) {
    stampede_app *app = stampede_top->app;
    if (app->has_ended || !app->process || stampede_run_loop_calls.interval(object) < 0) return;
    loop_timer *timer = find(app, object);
    if (timer) {
        timer_cancel(&timer->timer);
    } else {
        timer = calloc(1, sizeof *timer);
        timer->timer.fire = fire;
        timer->timer.drop = drop;
        timer->app = app;
        timer->object = swift_retain(object);
        timer->next = app->loop_timers;
        app->loop_timers = timer;
    }
    start(timer, due);
}

void run_loop_remove_timer(const void *object) {
    loop_timer *timer = find(stampede_top->app, object);
    if (timer) remove_timer(timer);
}

void run_loop_drop_timers(stampede_app *app) {
    while (app->loop_timers) {
        timer_cancel(&app->loop_timers->timer);
        discard(app->loop_timers);
    }
}

// MARK: Running

/// How long it takes a run loop to find that it has nothing to wait for: who asks again and again sees time pass.
static const int64_t idle_pass = 1000000;

bool run_loop_run(int64_t delay, bool only_once) {
    if (!may_wait()) return false;
    stampede_app *app = stampede_top->app;
    stampede_waiter waiter = {.app = app, .what = stampede_waits_for_time};
    bool is_nested = app->main_blocks > 0;
    if (!queue_is_current(&app->main) || (is_nested && !has_timers(app))) {
        waiter_wait(&waiter, delay < idle_pass ? delay : idle_pass, NULL);
        return false;
    }
    waiter.is_open = true;
    int held = app->main.running;
    if (is_nested) {
        app->nested_run_loops += 1;
        app->main.suspensions += 1;
    }
    queue_give_back(&app->main);
    waiter_wait(&waiter, delay, only_once || is_nested ? &app->run_loops : NULL);
    if (is_nested) {
        app->nested_run_loops -= 1;
        app->main.suspensions -= 1;
    }
    queue_take_back(&app->main, held);
    return true;
}

void run_loops_served(stampede_app *app) { waiters_wake(&app->run_loops); }
