// Continuations of Swift's that client code waits for: a run tells of those that nobody resumes. That one has been resumed is
// seen where its function goes on: the library resumes without asking anybody.
// Any thread; one lock guards them all.

#include "model.h"
#include "modules.h"
#include "next.h"
#include "swift-symbols.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define SWIFT_ASYNC __attribute__((swiftasynccall))
typedef SWIFT_ASYNC void continues(__attribute__((swift_async_context)) async_context *context);

typedef struct continuation {
    struct continuation *next_in_bucket;
    struct continuation *next, *previous;
    stampede_app *app;
    const async_context *context;
    /// Where it goes on once it is resumed.
    continues *resume;
} continuation;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/// By the memory of the functions that wait.
static continuation *buckets[1024];

static continuation **place_of(const async_context *context) {
    size_t bucket = ((uintptr_t)context >> 4) % (sizeof buckets / sizeof *buckets);
    continuation **place = &buckets[bucket];
    while (*place && (*place)->context != context) place = &(*place)->next_in_bucket;
    return place;
}

/// With the lock held.
static void forget(continuation **place) {
    continuation *gone = *place;
    *place = gone->next_in_bucket;
    if (gone->next) gone->next->previous = gone->previous;
    if (gone->previous) gone->previous->next = gone->next;
    else gone->app->tasks->continuations = gone->next;
    free(gone);
}

void continuations_forget(stampede_app *app) {
    runtime_lock(&lock);
    while (app->tasks->continuations) forget(place_of(app->tasks->continuations->context));
    pthread_mutex_unlock(&lock);
}

int calls_of(const async_context *innermost, const void **calls) {
    int count = 0;
    for (const async_context *call = innermost; call && call->resume && count < calls_max; call = call->caller) {
        calls[count++] = call->resume;
    }
    return count;
}

void stampede_each_continuation(stampede_app *app, stampede_calls_told body, void *context) {
    if (!app->tasks) return;
    runtime_lock(&lock);
    for (continuation *each = app->tasks->continuations; each; each = each->next) {
        const void *calls[calls_max];
        int count = calls_of(each->context, calls);
        calls[0] = (const void *)each->resume;
        body(context, calls, count);
    }
    pthread_mutex_unlock(&lock);
}

// MARK: Standing in front

#ifndef STAMPEDE_STANDS_ASIDE

/// It has been resumed.
static SWIFT_ASYNC void goes_on(__attribute__((swift_async_context)) async_context *context) {
    runtime_lock(&lock);
    continuation **place = place_of(context);
    continues *resume = *place ? (*place)->resume : NULL;
    if (resume) forget(place);
    pthread_mutex_unlock(&lock);
    // Nothing of an app that has ended goes on.
    if (!resume) return;
    context->resume = (const void *)resume;
    __attribute__((musttail)) return resume(context);
}

/// The app's code is about to wait.
static void begins(stampede_app *app, async_context *context) {
    continuation *made = malloc(sizeof *made);
    app_tasks *tasks = tasks_of(app);
    runtime_lock(&lock);
    continuation **place = place_of(context);
    // Of an app that has ended: its memory has become another task's.
    if (*place) forget(place);
    *made = (continuation){
        .next_in_bucket = *place, .app = app, .context = context, .resume = (continues *)context->resume,
        .next = tasks->continuations};
    *place = made;
    if (tasks->continuations) tasks->continuations->previous = made;
    tasks->continuations = made;
    context->resume = (const void *)goes_on;
    pthread_mutex_unlock(&lock);
}

#define SWIFT __attribute__((swiftcall))

// Weak: a program may hold the library itself.
#pragma clang attribute push(__attribute__((weak)), apply_to = function)

SWIFT void *swift_continuation_init(async_context *context, uintptr_t flags) {
    stampede_app *app = stampede_current_app();
    // The library looks here and now at where it goes on.
    if (app && !app->has_ended) begins(app, context);
    return NEXT(swift_continuation_init)(context, flags);
}

#pragma clang attribute pop

// Swift's own, and what the caller of an asynchronous function has to know of it. Weak: C programs have none.
extern const char stampede_checked_continuation[] __attribute__((weak));
extern const char stampede_checked_continuationTu[] __attribute__((weak));
extern const char stampede_checked_throwing_continuation[] __attribute__((weak));
extern const char stampede_checked_throwing_continuationTu[] __attribute__((weak));

static bool waits(const char *path) { return !strstr(path, "/libswift_Concurrency"); }

void continuations_stand_in_front(void) {
    const stand_in functions[] = {
        {CHECKED_CONTINUATION, stampede_checked_continuation},
        {CHECKED_CONTINUATION ASYNC_POINTER, stampede_checked_continuationTu},
        {CHECKED_THROWING_CONTINUATION, stampede_checked_throwing_continuation},
        {CHECKED_THROWING_CONTINUATION ASYNC_POINTER, stampede_checked_throwing_continuationTu},
    };
    if (!functions[0].ours) return;
    // They are looked up so that a program whose library lacks them says so.
    SWIFT_FOUND(void *, CHECKED_CONTINUATION ASYNC_POINTER);
    SWIFT_FOUND(void *, CHECKED_THROWING_CONTINUATION ASYNC_POINTER);
    modules_exchange(functions, sizeof functions / sizeof *functions, waits);
}

#endif
