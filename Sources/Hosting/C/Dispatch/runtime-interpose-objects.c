// Dispatch's functions for groups, semaphores, sources, blocks and for objects of any kind, in front of the library's.

#define _GNU_SOURCE
#include "callers.h"
#include "crossing.h"
#include "dispatch.h"
#include "model.h"
#include "next.h"

#include <unistd.h>

#ifndef STAMPEDE_STANDS_ASIDE

// MARK: Any object

void dispatch_retain(void *candidate) {
    if (is_ours(candidate)) return object_retain(candidate);
    NEXT(dispatch_retain)(candidate);
}

void dispatch_release(void *candidate) {
    if (is_ours(candidate)) return object_release(candidate);
    NEXT(dispatch_release)(candidate);
}

void dispatch_set_context(void *candidate, void *context) {
    if (!is_ours(candidate)) return NEXT(dispatch_set_context)(candidate, context);
    ((object *)candidate)->context = context;
}

void *dispatch_get_context(void *candidate) {
    return is_ours(candidate) ? ((object *)candidate)->context : NEXT(dispatch_get_context)(candidate);
}

void dispatch_set_finalizer_f(void *candidate, dispatch_function_t finalizer) {
    if (!is_ours(candidate)) return NEXT(dispatch_set_finalizer_f)(candidate, finalizer);
    ((object *)candidate)->finalizer = finalizer;
}

void dispatch_set_target_queue(void *candidate, void *target) {
    MODEL;
    if (is_kind(candidate, &queue_kind) && stampede_top) {
        return queue_set_target((stampede_queue *)candidate, target ? queue_for(target) : NULL);
    }
    if (is_kind(candidate, &source_kind) && stampede_top) return source_set_queue((source *)candidate, queue_for(target));
    if (!is_ours(candidate) && !is_ours(target)) NEXT(dispatch_set_target_queue)(candidate, target);
}

/// The main queue of the calling code's device counts as one of ours.
static stampede_queue *queue_in(void *candidate) {
    if (is_kind(candidate, &queue_kind)) return candidate;
    return stampede_top && candidate == _dispatch_main_q ? &stampede_top->app->main : NULL;
}

void dispatch_suspend(void *candidate) {
    MODEL;
    stampede_queue *queue = queue_in(candidate);
    if (queue) queue->suspensions += 1;
    else if (is_kind(candidate, &source_kind)) source_suspend(candidate);
    else NEXT(dispatch_suspend)(candidate);
}

static void resume(void *candidate) { queue_resume(candidate); }
static void resume_source(void *candidate) { source_resume(candidate); }
static void activate(void *candidate) { queue_activate(candidate); }
static void activate_source(void *candidate) { source_activate(candidate); }

static void perform(void *candidate, void (*body)(void *)) {
    MODEL;
    if (stampede_top) return body(candidate);
    crossing_perform(((object *)candidate)->home, body, candidate);
}

void dispatch_resume(void *candidate) {
    stampede_queue *queue = queue_in(candidate);
    if (queue) perform(queue, resume);
    else if (is_kind(candidate, &source_kind)) perform(candidate, resume_source);
    else NEXT(dispatch_resume)(candidate);
}

void dispatch_activate(void *candidate) {
    stampede_queue *queue = queue_in(candidate);
    if (queue) perform(queue, activate);
    else if (is_kind(candidate, &source_kind)) perform(candidate, activate_source);
    else NEXT(dispatch_activate)(candidate);
}

// MARK: Groups

void *dispatch_group_create(void) {
    if (!stampede_top || caller_is_system(__builtin_return_address(0))) return NEXT(dispatch_group_create)();
    MODEL;
    return group_make();
}

static void enter(void *group) { group_enter(group); }
static void leave(void *group) { group_leave(group); }

void dispatch_group_enter(void *group) {
    if (!is_kind(group, &group_kind)) return NEXT(dispatch_group_enter)(group);
    perform(group, enter);
}

void dispatch_group_leave(void *group) {
    if (!is_kind(group, &group_kind)) return NEXT(dispatch_group_leave)(group);
    perform(group, leave);
}

static bool is_not_ours(void *group, void *queue) {
    return !is_kind(group, &group_kind) && !is_kind(queue, &queue_kind) && !stampede_top;
}

/// A group of the system's own in client code: its members run on the device all the same.
static void leave_system_group(void *group) {
    NEXT(dispatch_group_leave)(group);
    NEXT(dispatch_release)(group);
}

static void put_in_group(void *group, void *queue, work work) {
    MODEL;
    if (is_kind(group, &group_kind)) {
        if (stampede_top) return queue_put(queue_for(queue), work, group, false);
        return crossing_put(queue, work, group, false);
    }
    NEXT(dispatch_group_enter)(group);
    NEXT(dispatch_retain)(group);
    if (stampede_top) queue_put(queue_for(queue), work, NULL, false);
    else crossing_put(queue, work, NULL, false);
    dispatch_async_f(queue, group, leave_system_group);
}

void dispatch_group_async(void *group, void *queue, any_block block) {
    if (is_not_ours(group, queue)) return NEXT(dispatch_group_async)(group, queue, block);
    put_in_group(group, queue, work_of_block(block));
}

void dispatch_group_async_f(void *group, void *queue, void *context, dispatch_function_t function) {
    if (is_not_ours(group, queue)) return NEXT(dispatch_group_async_f)(group, queue, context, function);
    put_in_group(group, queue, work_of_function(function, context));
}

void dispatch_group_notify(void *group, void *queue, any_block block) {
    MODEL;
    if (is_kind(group, &group_kind) && stampede_top) return group_notify(group, queue_for(queue), work_of_block(block));
    NEXT(dispatch_group_notify)(group, queue, block);
}

void dispatch_group_notify_f(void *group, void *queue, void *context, dispatch_function_t function) {
    MODEL;
    if (is_kind(group, &group_kind) && stampede_top) {
        return group_notify(group, queue_for(queue), work_of_function(function, context));
    }
    NEXT(dispatch_group_notify_f)(group, queue, context, function);
}

// MARK: Waiting

/// For a thread that does not hold the baton: asks again and again.
typedef struct {
    void *object;
    bool is_done;
} question;

static void try_group(void *argument) {
    question *asked = argument;
    asked->is_done = group_wait(asked->object, 0);
}

static void try_semaphore(void *argument) {
    question *asked = argument;
    asked->is_done = semaphore_wait(asked->object, 0);
}

static intptr_t ask(void *candidate, uint64_t timeout, void (*body)(void *)) {
    question asked = {.object = candidate};
    for (;;) {
        if (!crossing_perform(((object *)candidate)->home, body, &asked)) return 0;
        if (asked.is_done) return 0;
        if (timeout != UINT64_MAX && delay_until(timeout) <= 0) return 1;
        usleep(1000);
    }
}

intptr_t dispatch_group_wait(void *group, uint64_t timeout) {
    if (!is_kind(group, &group_kind)) return NEXT(dispatch_group_wait)(group, timeout);
    MODEL;
    if (stampede_top) return group_wait(group, delay_until(timeout)) ? 0 : 1;
    return ask(group, timeout, try_group);
}

void *dispatch_semaphore_create(intptr_t value) {
    if (!stampede_top || value < 0 || caller_is_system(__builtin_return_address(0))) {
        return NEXT(dispatch_semaphore_create)(value);
    }
    MODEL;
    return semaphore_make(value);
}

static void signal(void *semaphore) { semaphore_signal(semaphore); }

intptr_t dispatch_semaphore_signal(void *semaphore) {
    if (!is_kind(semaphore, &semaphore_kind)) return NEXT(dispatch_semaphore_signal)(semaphore);
    MODEL;
    if (stampede_top) return semaphore_signal(semaphore);
    crossing_perform(((object *)semaphore)->home, signal, semaphore);
    return 0;
}

intptr_t dispatch_semaphore_wait(void *semaphore, uint64_t timeout) {
    if (!is_kind(semaphore, &semaphore_kind)) return NEXT(dispatch_semaphore_wait)(semaphore, timeout);
    MODEL;
    if (stampede_top) return semaphore_wait(semaphore, delay_until(timeout)) ? 0 : 1;
    return ask(semaphore, timeout, try_semaphore);
}

// MARK: Sources

void *dispatch_source_create(const void *type, uintptr_t handle, uintptr_t mask, void *queue) {
    if (!stampede_top || caller_is_system(__builtin_return_address(0))) {
        return NEXT(dispatch_source_create)(type, handle, mask, queue);
    }
    MODEL;
    stampede_queue *target = queue_for(queue);
    if (type == _dispatch_source_type_data_add) return source_make(source_add, target, handle, mask);
    if (type == _dispatch_source_type_data_or) return source_make(source_or, target, handle, mask);
    if (type == _dispatch_source_type_data_replace) return source_make(source_replace, target, handle, mask);
    if (type != _dispatch_source_type_timer) crash_app("makes a DispatchSource of a file or a signal, which no simulated device has");
    return source_make(source_timer, target, handle, mask);
}

#define HANDLER(name, which) \
    void name(void *candidate, any_block handler) { \
        if (!is_kind(candidate, &source_kind)) return NEXT(name)(candidate, handler); \
        MODEL; \
        source_set_handler(candidate, which, handler ? work_of_block(handler) : (work){0}); \
    } \
    void name##_f(void *candidate, dispatch_function_t handler) { \
        if (!is_kind(candidate, &source_kind)) return NEXT(name##_f)(candidate, handler); \
        MODEL; \
        source_set_handler(candidate, which, work_of_function(handler, ((object *)candidate)->context)); \
    }

HANDLER(dispatch_source_set_event_handler, on_event)
HANDLER(dispatch_source_set_cancel_handler, on_cancel)
HANDLER(dispatch_source_set_registration_handler, on_registration)

static void cancel(void *source) { source_cancel(source); }

void dispatch_source_cancel(void *candidate) {
    if (!is_kind(candidate, &source_kind)) return NEXT(dispatch_source_cancel)(candidate);
    perform(candidate, cancel);
}

intptr_t dispatch_source_testcancel(void *candidate) {
    if (!is_kind(candidate, &source_kind)) return NEXT(dispatch_source_testcancel)(candidate);
    return source_is_cancelled(candidate);
}

uintptr_t dispatch_source_get_handle(void *candidate) {
    if (!is_kind(candidate, &source_kind)) return NEXT(dispatch_source_get_handle)(candidate);
    return source_handle(candidate);
}

uintptr_t dispatch_source_get_mask(void *candidate) {
    if (!is_kind(candidate, &source_kind)) return NEXT(dispatch_source_get_mask)(candidate);
    return source_mask(candidate);
}

uintptr_t dispatch_source_get_data(void *candidate) {
    if (!is_kind(candidate, &source_kind)) return NEXT(dispatch_source_get_data)(candidate);
    return source_data(candidate);
}

void dispatch_source_merge_data(void *candidate, uintptr_t value) {
    if (!is_kind(candidate, &source_kind)) return NEXT(dispatch_source_merge_data)(candidate, value);
    MODEL;
    if (stampede_top) source_merge(candidate, value);
}

void dispatch_source_set_timer(void *candidate, uint64_t start, uint64_t interval, uint64_t leeway) {
    if (!is_kind(candidate, &source_kind)) return NEXT(dispatch_source_set_timer)(candidate, start, interval, leeway);
    MODEL;
    if (stampede_top) source_set_timer(candidate, delay_until(start), interval);
}

// MARK: Blocks

void *dispatch_block_create(unsigned long flags, any_block block) {
    if (!stampede_top) return NEXT(dispatch_block_create)(flags, block);
    return block_make(block);
}

void *dispatch_block_create_with_qos_class(unsigned long flags, unsigned qos, int priority, any_block block) {
    if (!stampede_top) return NEXT(dispatch_block_create_with_qos_class)(flags, qos, priority, block);
    return block_make(block);
}

void dispatch_block_perform(unsigned long flags, any_block block) {
    if (!stampede_top) return NEXT(dispatch_block_perform)(flags, block);
    ((block_layout *)block)->invoke(block);
}

intptr_t dispatch_block_wait(any_block block, uint64_t timeout) {
    if (!block_is_ours(block)) return NEXT(dispatch_block_wait)(block, timeout);
    MODEL;
    return !stampede_top || block_wait(block, delay_until(timeout)) ? 0 : 1;
}

void dispatch_block_notify(any_block block, void *queue, any_block notification) {
    if (!block_is_ours(block)) return NEXT(dispatch_block_notify)(block, queue, notification);
    MODEL;
    if (stampede_top) block_notify(block, queue_for(queue), work_of_block(notification));
}

void dispatch_block_cancel(any_block block) {
    if (!block_is_ours(block)) return NEXT(dispatch_block_cancel)(block);
    block_cancel(block);
}

intptr_t dispatch_block_testcancel(any_block block) {
    if (!block_is_ours(block)) return NEXT(dispatch_block_testcancel)(block);
    return block_is_cancelled(block);
}

// MARK: Data

void *dispatch_data_create(const void *buffer, size_t size, void *queue, any_block destructor) {
    // Its buffer is freed wherever; on a queue of ours it would be handed to the library's.
    return NEXT(dispatch_data_create)(buffer, size, is_ours(queue) ? NULL : queue, destructor);
}

#endif
