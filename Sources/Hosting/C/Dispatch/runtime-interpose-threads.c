// Threads that client code makes for itself: they are not simulated, but what waits for them may be woken by them.

#define _GNU_SOURCE
#include "crossing.h"
#include "model.h"
#include "next.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#ifndef STAMPEDE_STANDS_ASIDE

typedef struct {
    stampede_app *app;
    void *(*body)(void *);
    void *argument;
} beginning;

/// Of all apps of the process; past so many a device refuses another one.
enum { threads_max = 2048 };
static int thread_count;

static void ended(void *candidate) {
    stampede_app *app = candidate;
    __atomic_sub_fetch(&thread_count, 1, __ATOMIC_RELAXED);
    if (app->has_wall_clock) stampede_top = NULL;
    if (app->has_wall_clock) stampede_the_host.release(app->process);
    if (__atomic_sub_fetch(&app->threads, 1, __ATOMIC_ACQ_REL) == 0) crossing_nudge(app);
    app_release(app);
}

static void *begin(void *candidate) {
    beginning made = *(beginning *)candidate;
    free(candidate);
    stampede_thread_app = made.app;
    // Under the wall clock it is one of the app's threads like any other.
    stampede_frame frame = {.app = made.app, .queue = &made.app->global, .is_separate = true};
    if (made.app->has_wall_clock) stampede_top = &frame;
    void *result;
    pthread_cleanup_push(ended, made.app);
    result = made.body(made.argument);
    pthread_cleanup_pop(1);
    return result;
}

int pthread_create(
    pthread_t *restrict thread, const pthread_attr_t *restrict attributes, void *(*body)(void *), void *restrict argument) {
    if (!stampede_top) return NEXT(pthread_create)(thread, attributes, body, argument);
    if (__atomic_add_fetch(&thread_count, 1, __ATOMIC_RELAXED) > threads_max) {
        __atomic_sub_fetch(&thread_count, 1, __ATOMIC_RELAXED);
        return EAGAIN;
    }
    if (!stampede_top->app->has_wall_clock) stampede_uses_outside(stampede_outside_thread, "");
    beginning *made = malloc(sizeof *made);
    *made = (beginning){.app = stampede_top->app, .body = body, .argument = argument};
    app_retain(made->app);
    if (made->app->has_wall_clock) stampede_the_host.retain(made->app->process);
    __atomic_add_fetch(&made->app->threads, 1, __ATOMIC_ACQ_REL);
    int failure = NEXT(pthread_create)(thread, attributes, begin, made);
    if (failure) {
        __atomic_sub_fetch(&thread_count, 1, __ATOMIC_RELAXED);
        if (made->app->has_wall_clock) stampede_the_host.release(made->app->process);
        __atomic_sub_fetch(&made->app->threads, 1, __ATOMIC_ACQ_REL);
        app_release(made->app);
        free(made);
    }
    return failure;
}

#endif
