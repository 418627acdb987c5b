// Run loops: a thread that runs one serves its queue meanwhile, instead of holding it.

#include "model.h"

void run_loop_run(int64_t delay, bool only_once) {
    if (delay <= 0 || !may_wait()) return;
    stampede_app *app = stampede_top->app;
    stampede_waiter waiter = {.app = app, .what = stampede_waits_for_time, .is_open = true};
    if (!queue_is_current(&app->main)) {
        waiter_wait(&waiter, delay, NULL);
        return;
    }
    int held = app->main.running;
    queue_give_back(&app->main);
    waiter_wait(&waiter, delay, only_once ? &app->run_loops : NULL);
    queue_take_back(&app->main, held);
}

void run_loops_served(stampede_app *app) { waiters_wake(&app->run_loops); }
