// Objects of our own, which Dispatch never sees, and the apps that they belong to.

#include "files.h"
#include "model.h"
#include "own.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

stampede_host stampede_the_host;
bool stampede_is_in_force;
int64_t stampede_calendar_epoch;
_Thread_local stampede_frame *stampede_top;
_Thread_local void *stampede_thread;
_Thread_local void *stampede_wall_thread;
_Thread_local void *stampede_wall_lane;
_Thread_local stampede_app *stampede_thread_app;

void *object_make(size_t size, const object_kind *kind) {
    object *made = calloc(1, size);
    made->kind = kind;
    made->references = 1;
    made->home = stampede_top->app;
    app_retain(made->home);
    return made;
}

void object_retain(void *candidate) {
    object *object = candidate;
    __atomic_add_fetch(&object->references, 1, __ATOMIC_RELAXED);
}

void object_release(void *candidate) {
    object *object = candidate;
    if (__atomic_sub_fetch(&object->references, 1, __ATOMIC_ACQ_REL) != 0) return;
    stampede_app *home = object->home;
    MODEL_OF(home);
    if (object->finalizer && object->context) {
        int held = model_let_go();
        object->finalizer(object->context);
        model_take_back(held);
    }
    object->kind->dispose(object);
    free(object);
    app_release(home);
}

// MARK: Work

work work_of_block(const void *block) { return (work){.block = _Block_copy(block)}; }

work work_of_function(void (*function)(void *), void *argument) {
    return (work){.function = function, .argument = argument};
}

void work_run(const work *work) {
    int held = model_let_go();
    if (work->block) {
        block_layout *block = work->block;
        block->invoke(block);
    } else if (work->function) {
        work->function(work->argument);
    }
    model_take_back(held);
    if (stampede_top) client_code_ends();
}

void client_code_ends(void) {
    stampede_app *app = stampede_top->app;
    if (stampede_top->is_reading) locks_are_read();
    if (app->has_ended || stampede_top->is_reading) return;
    int held = model_let_go();
    stampede_files_settle();
    model_take_back(held);
    if (app->tasks) sleepers_wake_cancelled(app);
}

void work_drop(work *work) {
    void *block = work->block;
    *work = (struct work){0};
    if (!block) return;
    // What it holds may be the last of client code's.
    int held = model_let_go();
    _Block_release(block);
    model_take_back(held);
}

// MARK: Apps

stampede_app *stampede_app_make(bool has_wall_clock) {
    stampede_app *app = calloc(1, sizeof *app);
    app->has_wall_clock = has_wall_clock;
    app->references = 1;
    queue_init(&app->main, app, "com.apple.main-thread", true);
    queue_init(&app->global, app, "com.apple.root.default-qos", false);
    queue_init(&app->callbacks, app, "com.apple.StoreKit.callbacks", true);
    app->main.is_main = true;
    return app;
}

void stampede_app_belongs(stampede_app *app, void *process) { app->process = process; }

void app_retain(stampede_app *app) { __atomic_add_fetch(&app->references, 1, __ATOMIC_RELAXED); }

void app_release(stampede_app *app) {
    if (__atomic_sub_fetch(&app->references, 1, __ATOMIC_ACQ_REL) != 0) return;
    queue_destroy(&app->main);
    queue_destroy(&app->global);
    queue_destroy(&app->callbacks);
    while (app->stand_ins) {
        stampede_queue *first = app->stand_ins;
        app->stand_ins = first->next_stand_in;
        queue_destroy(first);
        free(first);
    }
    file_forget(app);
    own_forget(app);
    if (app->tasks) tasks_free(app);
    free(app);
}

void stampede_app_end(stampede_app *app) {
    MODEL_OF(app);
    if (app->has_ended) return;
    callers_let_go(app);
    app_close(app);
    app->has_ended = true;
    // Nothing of it goes on: what waits would only be looked through by those that come after it.
    if (app->tasks && !app->tasks->is_ending) continuations_forget(app);
}

void stampede_app_abandon(stampede_app *app) {
    MODEL_OF(app);
    app_close(app);
    app->has_ended = true;
}

bool stampede_app_has_threads(const stampede_app *app) { return __atomic_load_n(&app->threads, __ATOMIC_ACQUIRE) > 0; }

static void abandon_all(stampede_app *app) {
    while (app->timers) {
        stampede_timer *timer = app->timers;
        app->timers = timer->next;
        if (timer->next) timer->next->previous = NULL;
        timer->next = timer->previous = NULL;
        timer->app = NULL;
        timer->drop(timer);
    }
    queue_abandon(&app->main);
    queue_abandon(&app->global);
    queue_abandon(&app->callbacks);
    for (stampede_queue *queue = app->stand_ins; queue; queue = queue->next_stand_in) queue_abandon(queue);
    // What a queue lets go of may take others from the list.
    for (stampede_queue *queue = app->queues; queue; queue = app->queues) queue_abandon(queue);
    run_loop_drop_timers(app);
    conditions_drop(app);
    app->process = NULL;
}

void stampede_app_release(stampede_app *app) {
    stampede_app_end(app);
    {
        MODEL_OF(app);
        abandon_all(app);
    }
    app_release(app);
}

// MARK: Contexts

void *stampede_current_process(void) { return stampede_top ? stampede_top->app->process : NULL; }

bool stampede_is_on_main(void) {
    for (const stampede_frame *frame = stampede_top; frame; frame = frame->under) {
        if (frame->queue->is_main) return true;
        if (frame->is_separate) return false;
    }
    return false;
}

bool stampede_is_in_background(void) { return stampede_top && stampede_top->is_background; }

int64_t app_now(stampede_app *app) { return app->process ? stampede_the_host.now(app->process) : 0; }

void crash_app(const char *reason) {
    stampede_app *app = stampede_top->app;
    if (!app->process || app->has_ended) return;
    int held = model_let_go();
    stampede_the_host.crash(app->process, reason);
    model_take_back(held);
}

void crash_not_on(const stampede_queue *wanted) {
    char reason[160];
    snprintf(reason, sizeof reason, "is not on the queue \"%s\", which it asserts it is on (dispatchPrecondition)", wanted->label);
    crash_app(reason);
}
