// Dispatch sources that need no system: timers, and data that the app itself merges.

#include "model.h"

#include <stdlib.h>

struct source {
    object base;
    source_type type;
    stampede_queue *queue;
    uintptr_t handle, mask;
    work handlers[handler_count];
    stampede_timer timer;
    /// Of a timer, in the device's time; what has been set takes hold when it is active.
    int64_t due;
    uint64_t interval;
    bool has_timer;
    bool is_inactive;
    int suspensions;
    bool is_cancelled;
    bool is_registered;
    bool is_cancel_told;
    /// It is in line on the queue, or runs there: never twice, not even on a concurrent queue.
    bool is_in_line;
    uintptr_t pending, data;
};

static void stop(source *source) { timer_cancel(&source->timer); }

static void dispose(void *candidate) {
    source *source = candidate;
    if (stampede_top && (source->suspensions > 0 || source->is_inactive)) {
        crash_app("frees a DispatchSource that is suspended or was never resumed");
    }
    stop(source);
    for (int handler = 0; handler < handler_count; handler += 1) work_drop(&source->handlers[handler]);
    if (!source->queue->is_built_in) object_release(source->queue);
}

const object_kind source_kind = {"source", dispose};

static bool is_running(const source *source) { return !source->is_inactive && source->suspensions == 0; }

static void handle(void *argument);

static bool has_something_to_do(const source *source) {
    if (!is_running(source)) return false;
    if (!source->is_registered && (source->handlers[on_registration].block || source->handlers[on_registration].function))
        return true;
    return source->is_cancelled ? !source->is_cancel_told : source->pending != 0;
}

static void put_in_line(source *source) {
    if (source->is_in_line || !has_something_to_do(source) || !stampede_top) return;
    source->is_in_line = true;
    object_retain(source);
    queue_put(source->queue, work_of_function(handle, source), NULL, false);
}

static void handle(void *argument) {
    source *source = argument;
    MODEL_OF(source->base.home);
    if (is_running(source)) {
        if (!source->is_registered) {
            source->is_registered = true;
            work_run(&source->handlers[on_registration]);
        }
        if (!source->is_cancelled && source->pending) {
            source->data = source->pending;
            source->pending = 0;
            // The handler may set another one.
            work handler = source->handlers[on_event];
            void *block = handler.block ? _Block_copy(handler.block) : NULL;
            work_run(&handler);
            work_drop(&(work){.block = block});
        }
        if (source->is_cancelled && !source->is_cancel_told) {
            source->is_cancel_told = true;
            stop(source);
            work_run(&source->handlers[on_cancel]);
            for (int handler = 0; handler < handler_count; handler += 1) work_drop(&source->handlers[handler]);
        }
    }
    source->is_in_line = false;
    // What came meanwhile.
    put_in_line(source);
    object_release(source);
}

// MARK: Timers

static source *source_of(stampede_timer *timer) {
    return (source *)((char *)timer - offsetof(source, timer));
}

static void arm(source *source) {
    if (source->type != source_timer || !source->has_timer || !is_running(source) || source->is_cancelled) return;
    stampede_app *app = source->base.home;
    if (source->due == FOREVER || app->has_ended || !app->process || source->timer.app) return;
    timer_start(&source->timer, app, source->due - app_now(app), source->queue->is_main);
}

static void fire(stampede_timer *timer) {
    source *source = source_of(timer);
    source->pending += 1;
    object_retain(source);
    if (source->interval) {
        source->due += (int64_t)source->interval;
        arm(source);
    } else {
        source->due = FOREVER;
    }
    if (!source->is_in_line) {
        source->is_in_line = true;
        object_retain(source);
        queue_put_due(source->queue, source->base.home, work_of_function(handle, source));
    }
    object_release(source);
}

static void drop(stampede_timer *timer) {}

source *source_make(source_type type, stampede_queue *queue, uintptr_t handle, uintptr_t mask) {
    source *made = object_make(sizeof *made, &source_kind);
    made->type = type;
    made->queue = queue;
    if (!queue->is_built_in) object_retain(queue);
    made->handle = handle;
    made->mask = mask;
    made->is_inactive = true;
    made->timer.fire = fire;
    made->timer.drop = drop;
    return made;
}

void source_set_timer(source *source, int64_t delay, uint64_t interval) {
    stop(source);
    source->has_timer = true;
    source->due = delay == FOREVER ? FOREVER : app_now(source->base.home) + delay;
    source->interval = interval == UINT64_MAX ? 0 : interval;
    source->pending = 0;
    arm(source);
}

void source_set_handler(source *source, source_handler handler, work work) {
    struct work former = source->handlers[handler];
    source->handlers[handler] = work;
    work_drop(&former);
}

void source_set_queue(source *source, stampede_queue *queue) {
    if (!queue->is_built_in) object_retain(queue);
    if (!source->queue->is_built_in) object_release(source->queue);
    source->queue = queue;
}

void source_cancel(source *source) {
    source->is_cancelled = true;
    stop(source);
    put_in_line(source);
}

bool source_is_cancelled(const source *source) { return source->is_cancelled; }
uintptr_t source_data(const source *source) { return source->data; }
uintptr_t source_handle(const source *source) { return source->handle; }
uintptr_t source_mask(const source *source) { return source->mask; }

void source_merge(source *source, uintptr_t value) {
    switch (source->type) {
    case source_add: source->pending += value; break;
    case source_or: source->pending |= value; break;
    case source_replace: source->pending = value; break;
    case source_timer: return;
    }
    put_in_line(source);
}

void source_suspend(source *source) { source->suspensions += 1; }

static void begin_again(source *source) {
    if (!is_running(source)) return;
    arm(source);
    put_in_line(source);
}

void source_resume(source *source) {
    if (source->is_inactive) source->is_inactive = false;
    else if (source->suspensions == 0) return crash_app("resumes a DispatchSource that is not suspended");
    else source->suspensions -= 1;
    begin_again(source);
}

void source_activate(source *source) {
    if (!source->is_inactive) return;
    source->is_inactive = false;
    begin_again(source);
}
