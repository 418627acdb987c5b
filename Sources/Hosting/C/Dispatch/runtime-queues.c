// Queues: what is in line on them, and what holds them.
//
// A piece of work that is put in line and its turn, an event of the device, belong together. A turn that finds the queue
// held, suspended or behind a barrier is missed, and comes again when the queue opens.

#include "model.h"

#include <stdlib.h>
#include <time.h>

/// Its address tells threads apart.
static _Thread_local char thread_mark;

// MARK: Holding

static bool is_shut(const stampede_queue *queue) {
    return queue->suspensions > 0 || queue->is_inactive || queue->is_in_barrier;
}

/// Whether one more piece of work may begin now.
static bool is_open(const stampede_queue *queue, bool is_barrier) {
    if (is_shut(queue) || ((queue->is_serial || is_barrier) && queue->running > 0)) return false;
    for (const stampede_queue *target = queue->target; target; target = target->target) {
        if (is_shut(target) || (target->is_serial && target->running > 0)) return false;
    }
    return true;
}

static void hold(stampede_queue *queue, bool is_barrier) {
    if (is_barrier && !queue->is_serial) queue->is_in_barrier = true;
    for (; queue; queue = queue->target) {
        queue->running += 1;
        queue->owner = &thread_mark;
    }
}

static void let_go(stampede_queue *queue, bool is_barrier) {
    if (is_barrier && !queue->is_serial) queue->is_in_barrier = false;
    stampede_app *app = queue->base.home;
    for (; queue; queue = queue->target) {
        queue->running -= 1;
        if (queue->running == 0) queue->owner = NULL;
    }
    if (app->stalled) queues_open(app);
}

/// Something that a run loop waits for has been done.
static void served(stampede_app *app) {
    if (app->run_loops && app->main.running == 0) run_loops_served(app);
}

static bool chain_has(const stampede_queue *queue, const stampede_queue *wanted) {
    for (; queue; queue = queue->target) {
        if (queue == wanted) return true;
    }
    return false;
}

/// Whether the calling thread holds it, and whoever asks for it waits for itself.
bool queue_is_current(const stampede_queue *queue) {
    for (const stampede_frame *frame = stampede_top; frame; frame = frame->under) {
        if (chain_has(frame->queue, queue)) return true;
        if (frame->is_separate) return false;
    }
    return false;
}

// MARK: Turns

static void schedule_turn(stampede_queue *queue, stampede_app *app) {
    queue->turns += 1;
    if (!queue->is_built_in) object_retain(queue);
    // Under the virtual clock all turns are events of the lane, and this only says which may change places.
    bool is_main = app->has_wall_clock ? chain_has(queue, &app->main) : queue->is_main;
    stampede_the_host.schedule_turn(app->process, queue, is_main);
}

static void miss_turn(stampede_queue *queue) {
    queue->missed_turns += 1;
    if (queue->is_stalled) return;
    queue->is_stalled = true;
    if (!queue->is_built_in) object_retain(queue);
    stampede_app *app = queue->base.home;
    stampede_queue **last = &app->stalled;
    while (*last) last = &(*last)->next_stalled;
    queue->next_stalled = NULL;
    *last = queue;
}

/// Something opened: turns that were missed come again.
void queues_open(stampede_app *app) {
    stampede_queue **link = &app->stalled;
    while (*link) {
        stampede_queue *queue = *link;
        bool is_ready = queue->first && is_open(queue, queue->first->is_barrier);
        if (!is_ready && queue->first) {
            link = &queue->next_stalled;
            continue;
        }
        *link = queue->next_stalled;
        queue->is_stalled = false;
        int turns = queue->missed_turns;
        queue->missed_turns = 0;
        if (!app->has_ended) {
            for (int turn = 0; turn < turns && is_ready; turn += 1) schedule_turn(queue, app);
        }
        if (!queue->is_built_in) object_release(queue);
    }
}

static item *take_first(stampede_queue *queue) {
    item *first = queue->first;
    queue->first = first->next;
    if (!queue->first) queue->last = NULL;
    return first;
}

/// Runs the work on a thread that stands for one of the queue's own.
static void run_item(stampede_queue *queue, item *item) {
    stampede_frame frame = {.under = stampede_top, .app = item->app, .queue = queue, .is_separate = true, .is_turn = true};
    // Of a process that has ended nothing runs; but what it held is let go of as its own.
    frame.is_reading = item->app->has_ended;
    stampede_top = &frame;
    app_entered(item->app);
    hold(queue, item->is_barrier);
    bool is_main_block = !item->is_of_run_loop && chain_has(queue, &item->app->main);
    if (is_main_block) item->app->main_blocks += 1;
    if (!item->app->has_ended) work_run(&item->work);
    else if (item->is_of_run_loop) run_loop_drop_timers(item->app);
    work_drop(&item->work);
    if (is_main_block) item->app->main_blocks -= 1;
    let_go(queue, item->is_barrier);
    if (is_main_block) served(item->app);
    if (item->group) {
        if (!item->app->has_ended) group_leave(item->group);
        object_release(item->group);
    }
    stampede_top = frame.under;
    if (stampede_top) app_entered(stampede_top->app);
    app_release(item->app);
    free(item);
}

static void take_turn(stampede_queue *queue) {
    // A synchronous caller may have run it already.
    if (!queue->first) return;
    if (!is_open(queue, queue->first->is_barrier) && !queue->first->app->has_ended) return miss_turn(queue);
    item *first = take_first(queue);
    if (!first->waiter) return run_item(queue, first);
    stampede_waiter *waiter = first->waiter;
    // Its own from here on: under the wall clock its thread is not there yet.
    hold(queue, first->is_barrier);
    app_release(first->app);
    free(first);
    waiter->is_woken = true;
    // The end of its app may have been about to wake it too.
    timer_cancel(&waiter->timeout);
    waiter_resume(waiter);
}

void stampede_queue_turn(stampede_queue *queue) {
    MODEL_OF(queue->base.home);
    queue->turns -= 1;
    take_turn(queue);
    if (!queue->is_built_in) object_release(queue);
}

static item *make_item(stampede_app *app) {
    item *item = calloc(1, sizeof *item);
    item->app = app;
    app_retain(app);
    return item;
}

static item *put(stampede_queue *queue, stampede_app *app) {
    item *item = make_item(app);
    if (queue->last) queue->last->next = item;
    else queue->first = item;
    queue->last = item;
    return item;
}

void queue_put(stampede_queue *queue, work work, group *group, bool is_barrier) {
    stampede_app *app = stampede_top->app;
    // The code of a process that has ended runs on to its return.
    if (app->has_ended || !app->process) return work_drop(&work);
    item *item = put(queue, app);
    item->work = work;
    item->is_barrier = is_barrier;
    if (group) {
        item->group = group;
        object_retain(group);
        group_enter(group);
    }
    schedule_turn(queue, app);
}

void queue_put_due(stampede_queue *queue, stampede_app *app, work work) {
    item *item = put(queue, app);
    item->work = work;
    take_turn(queue);
}

void queue_put_of_run_loop(stampede_app *app, work work) {
    bool is_nested = app->nested_run_loops > 0 && app->main.running == 0;
    item *item = is_nested ? make_item(app) : put(&app->main, app);
    item->work = work;
    item->is_of_run_loop = true;
    if (is_nested) run_item(&app->main, item);
    else take_turn(&app->main);
}

// MARK: Synchronous callers

static bool has_barrier_before(const stampede_queue *queue, const item *own) {
    for (const item *item = queue->first; item != own; item = item->next) {
        if (item->is_barrier) return true;
    }
    return false;
}

/// Whether a synchronous caller may begin now; `own` is its item in line, or nothing if it would be the last.
static bool admits(const stampede_queue *queue, bool is_barrier, const item *own) {
    bool waits_in_line = queue->is_serial || is_barrier ? queue->first != own : has_barrier_before(queue, own);
    return !waits_in_line && is_open(queue, is_barrier);
}

/// Under the wall clock what is asked for its goods waits too: the queue's work is not beside it, but at the same time.
static bool may_wait_for_queue(void) {
    return may_wait() || (is_on_wall_clock() && stampede_top->app->process && !stampede_top->app->has_ended);
}

/// Runs what is ahead in line on the caller's thread, as far as nobody else is needed for it.
static void run_ahead(stampede_queue *queue, const item *own) {
    while (queue->first != own && !queue->first->waiter && is_open(queue, queue->first->is_barrier)
        && !admits(queue, own->is_barrier, own)) {
        run_item(queue, take_first(queue));
    }
}

void queue_remove_waiter(stampede_queue *queue, const stampede_waiter *waiter) {
    item *before = NULL;
    for (item *item = queue->first; item; before = item, item = item->next) {
        if (item->waiter != waiter) continue;
        *(before ? &before->next : &queue->first) = item->next;
        if (queue->last == item) queue->last = before;
        app_release(item->app);
        free(item);
        return;
    }
}

/// The queue was given to the calling thread by another one.
static void own(stampede_queue *queue) {
    for (; queue; queue = queue->target) queue->owner = &thread_mark;
}

/// Stands in line, and holds the queue then. False if the app ended meanwhile.
static bool await_turn(stampede_queue *queue, stampede_waiter *waiter, bool is_barrier) {
    item *item = put(queue, waiter->app);
    item->is_barrier = is_barrier;
    item->waiter = waiter;
    waiter->in_line = queue;
    // What is put in line while something ahead of the caller runs comes after the caller.
    // Under the wall clock others run it meanwhile.
    if (!waiter->is_caller && !waiter->app->has_wall_clock) run_ahead(queue, item);
    if (waiter->app->has_ended || (!waiter->is_caller && admits(queue, is_barrier, item))) {
        queue_remove_waiter(queue, waiter);
        if (!waiter->app->has_ended) hold(queue, is_barrier);
        return !waiter->app->has_ended;
    }
    if (queue->first == item && is_open(queue, is_barrier)) schedule_turn(queue, waiter->app);
    else miss_turn(queue);
    waiter->what = stampede_waits_for_queue;
    if (waiter_wait(waiter, FOREVER, NULL)) {
        own(queue);
        return true;
    }
    queue_remove_waiter(queue, waiter);
    return false;
}

/// The harness is about to call client code, and a thread that waits holds the queue. False if the app has ended.
static bool await_turn_of_caller(stampede_queue *queue, stampede_app *app) {
    if (app->has_ended) return false;
    if (stampede_top && !may_wait()) {
        hold(queue, false);
        return true;
    }
    stampede_waiter waiter = {.app = app, .is_caller = true};
    waiter.next_caller = app->callers;
    app->callers = &waiter;
    bool has_turn = await_turn(queue, &waiter, false);
    for (stampede_waiter **link = &app->callers; *link; link = &(*link)->next_caller) {
        if (*link != &waiter) continue;
        *link = waiter.next_caller;
        break;
    }
    return has_turn && !app->has_ended;
}

/// Under the wall clock the code of an app that has ended may still be at work on another thread, and not for long.
static void await_last_of_ended(stampede_queue *queue, bool is_barrier) {
    enum { tries = 100, microseconds = 100 };
    for (int try = 0; try < tries && !admits(queue, is_barrier, NULL); try += 1) {
        int held = model_let_go();
        nanosleep(&(struct timespec){.tv_nsec = microseconds * 1000}, NULL);
        model_take_back(held);
    }
}

/// Under the wall clock the main queue is served in one place.
static bool go_to_main(const stampede_queue *queue, stampede_app *app) {
    if (!app->has_wall_clock || !app->process || !chain_has(queue, &app->main)) return false;
    int held = model_let_go();
    bool has_gone = stampede_the_host.goes_to_main(app->process);
    model_take_back(held);
    return has_gone;
}

void queue_run_now(stampede_queue *queue, const work *work, bool is_barrier) {
    stampede_app *app = stampede_top->app;
    bool has_gone = go_to_main(queue, app), is_held = false;
    if ((queue->is_serial || queue->is_in_barrier) && queue_is_current(queue)) {
        crash_app("waits for a queue that it is on itself (dispatch_sync)");
    } else if (!admits(queue, is_barrier, NULL)) {
        stampede_waiter waiter = {.app = app};
        if (may_wait_for_queue()) is_held = await_turn(queue, &waiter, is_barrier);
        else if (app->has_wall_clock) await_last_of_ended(queue, is_barrier);
    }
    stampede_frame frame = {.under = stampede_top, .app = app, .queue = queue};
    frame.is_background = stampede_top->is_background && !queue->is_main;
    frame.is_reading = stampede_top->is_reading;
    stampede_top = &frame;
    if (!is_held) hold(queue, is_barrier);
    bool is_main_block = chain_has(queue, &app->main);
    if (is_main_block) app->main_blocks += 1;
    work_run(work);
    if (is_main_block) app->main_blocks -= 1;
    let_go(queue, is_barrier);
    if (is_main_block) served(app);
    stampede_top = frame.under;
    if (has_gone) stampede_the_host.leaves_main(app->process);
}

void queue_give_back(stampede_queue *queue) {
    queue->running = 0;
    queue->owner = NULL;
    queues_open(queue->base.home);
}

void queue_take_back(stampede_queue *queue, int held) {
    if (queue->running > 0 && may_wait()) {
        stampede_waiter waiter = {.app = stampede_top->app};
        if (await_turn(queue, &waiter, false)) held -= 1;
    }
    queue->running += held;
    queue->owner = &thread_mark;
}

// MARK: Contexts

static bool begin(stampede_app *app, stampede_frame *frame, stampede_queue *queue) {
    MODEL_OF(app);
    if (queue->running == 0 || !queue->is_serial || queue->owner == &thread_mark) hold(queue, false);
    else if (!await_turn_of_caller(queue, app)) return false;
    *frame = (stampede_frame){.under = stampede_top, .app = app, .queue = queue, .is_separate = true};
    stampede_top = frame;
    app_entered(app);
    return true;
}

bool stampede_begin(stampede_app *app, stampede_frame *frame) { return begin(app, frame, &app->main); }

bool stampede_begin_beside(stampede_app *app, stampede_frame *frame) { return begin(app, frame, &app->global); }

bool stampede_begin_background(stampede_app *app, stampede_frame *frame) {
    if (!begin(app, frame, &app->callbacks)) return false;
    frame->is_background = true;
    return true;
}

void stampede_begin_reading(stampede_app *app, stampede_frame *frame) {
    MODEL_OF(app);
    *frame = (stampede_frame){.under = stampede_top, .app = app, .queue = &app->main, .is_separate = true};
    frame->is_reading = true;
    if (app->main.running == 0) app->main.owner = &thread_mark;
    app->main.running += 1;
    stampede_top = frame;
    app_entered(app);
}

void stampede_end_frame(stampede_frame *frame) {
    MODEL_OF(frame->app);
    client_code_ends();
    stampede_top = frame->under;
    let_go(frame->queue, false);
    if (frame->queue->is_main) served(frame->app);
    if (stampede_top) app_entered(stampede_top->app);
}
