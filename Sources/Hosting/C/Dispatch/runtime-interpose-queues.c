// Dispatch's functions for queues, in front of the library's.
//
// In client code of a virtual device (`stampede_top`) they act on queues of ours. Outside they pass on, but for objects
// of ours that got there: what is asked of those is done where their device is simulated.

#define _GNU_SOURCE
#include "callers.h"
#include "crossing.h"
#include "dispatch.h"
#include "model.h"
#include "next.h"

#include <stdlib.h>
#include <string.h>

#ifndef STAMPEDE_STANDS_ASIDE

// MARK: Attributes

/// What the attributes of Dispatch's say, which keeps that to itself. They are constants, a few for a whole process.
typedef struct { void *attributes; bool is_concurrent, is_inactive; unsigned qos; } attributes_meaning;
static attributes_meaning known[256];
static int known_count;

static attributes_meaning describe(void *attributes) {
    int count = __atomic_load_n(&known_count, __ATOMIC_ACQUIRE);
    for (int place = 0; place < count; place += 1) {
        if (known[place].attributes == attributes) return known[place];
    }
    return (attributes_meaning){.is_concurrent = attributes == (void *)_dispatch_queue_attr_concurrent};
}

static void *note(void *made, attributes_meaning meaning) {
    static int is_noting;
    meaning.attributes = made;
    while (__atomic_exchange_n(&is_noting, 1, __ATOMIC_ACQUIRE)) {}
    int count = known_count, place = 0;
    while (place < count && known[place].attributes != made) place += 1;
    if (place == count && count < (int)(sizeof known / sizeof *known)) {
        known[count] = meaning;
        __atomic_store_n(&known_count, count + 1, __ATOMIC_RELEASE);
    }
    __atomic_store_n(&is_noting, 0, __ATOMIC_RELEASE);
    return made;
}

void *dispatch_queue_attr_make_initially_inactive(void *attributes) {
    attributes_meaning meaning = describe(attributes);
    meaning.is_inactive = true;
    return note(NEXT(dispatch_queue_attr_make_initially_inactive)(attributes), meaning);
}

void *dispatch_queue_attr_make_with_autorelease_frequency(void *attributes, unsigned long frequency) {
    return note(NEXT(dispatch_queue_attr_make_with_autorelease_frequency)(attributes, frequency), describe(attributes));
}

void *dispatch_queue_attr_make_with_qos_class(void *attributes, unsigned qos, int priority) {
    attributes_meaning meaning = describe(attributes);
    meaning.qos = qos;
    return note(NEXT(dispatch_queue_attr_make_with_qos_class)(attributes, qos, priority), meaning);
}

// MARK: Making

static void *make(const char *label, void *attributes, stampede_queue *target) {
    MODEL;
    attributes_meaning meaning = describe(attributes);
    stampede_queue *queue = queue_make(label, !meaning.is_concurrent, meaning.is_inactive, target);
    queue->qos = meaning.qos;
    return queue;
}

void *dispatch_queue_create_with_target(const char *label, void *attributes, void *target) {
    if (!stampede_top || caller_is_system(__builtin_return_address(0))) {
        return NEXT(dispatch_queue_create_with_target)(label, attributes, target);
    }
    MODEL;
    return make(label, attributes, target ? queue_for(target) : NULL);
}

void *dispatch_queue_create(const char *label, void *attributes) {
    if (!stampede_top || caller_is_system(__builtin_return_address(0))) {
        return NEXT(dispatch_queue_create)(label, attributes);
    }
    return make(label, attributes, NULL);
}

static bool is_global(const void *queue) {
    static void *globals[16];
    static int is_known;
    if (!__atomic_load_n(&is_known, __ATOMIC_ACQUIRE)) {
        static const intptr_t classes[] = {0x05, 0x09, 0x11, 0x15, 0x19, 0x21, 0};
        int count = 0;
        for (size_t place = 0; place < sizeof classes / sizeof *classes; place += 1) {
            for (uintptr_t overcommit = 0; overcommit <= 2; overcommit += 2) {
                globals[count++] = NEXT(dispatch_get_global_queue)(classes[place], overcommit);
            }
        }
        __atomic_store_n(&is_known, 1, __ATOMIC_RELEASE);
    }
    for (size_t place = 0; place < sizeof globals / sizeof *globals; place += 1) {
        if (globals[place] && globals[place] == queue) return true;
    }
    return false;
}

/// Another of Dispatch's queues: Swift's own for tasks, or what the client got from a library.
static stampede_queue *stand_in(stampede_app *app, const void *queue) {
    for (stampede_queue *found = app->stand_ins; found; found = found->next_stand_in) {
        if (found->stands_for == queue) return found;
    }
    stampede_queue *made = calloc(1, sizeof *made);
    queue_init(made, app, "a queue of the system", false);
    made->stands_for = queue;
    made->next_stand_in = app->stand_ins;
    app->stand_ins = made;
    return made;
}

stampede_queue *queue_for(const void *queue) {
    if (is_kind(queue, &queue_kind)) return (stampede_queue *)queue;
    stampede_app *app = stampede_top->app;
    if (queue == _dispatch_main_q) return &app->main;
    if (!queue || is_global(queue)) return &app->global;
    return stand_in(app, queue);
}

// MARK: Facts

const char *dispatch_queue_get_label(void *queue) {
    if (is_kind(queue, &queue_kind)) return ((stampede_queue *)queue)->label;
    if (!queue && stampede_top) {
        return stampede_top->queue->is_main ? NEXT(dispatch_queue_get_label)(_dispatch_main_q) : stampede_top->queue->label;
    }
    return NEXT(dispatch_queue_get_label)(queue);
}

unsigned dispatch_queue_get_qos_class(void *queue, int *priority) {
    if (!is_kind(queue, &queue_kind)) return NEXT(dispatch_queue_get_qos_class)(queue, priority);
    if (priority) *priority = 0;
    return ((stampede_queue *)queue)->qos;
}

void dispatch_queue_set_width(void *queue, long width) {
    if (!is_kind(queue, &queue_kind)) NEXT(dispatch_queue_set_width)(queue, width);
}

static specific **specific_of(stampede_queue *queue, const void *key) {
    specific **link = &queue->specifics;
    while (*link && (*link)->key != key) link = &(*link)->next;
    return link;
}

void dispatch_queue_set_specific(void *candidate, const void *key, void *value, dispatch_function_t destructor) {
    if (!stampede_top && !is_kind(candidate, &queue_kind)) {
        return NEXT(dispatch_queue_set_specific)(candidate, key, value, destructor);
    }
    MODEL;
    specific **link = specific_of(queue_for(candidate), key);
    specific *found = *link;
    if (found) {
        if (found->destructor) {
            int held = model_let_go();
            found->destructor(found->value);
            model_take_back(held);
        }
    } else {
        if (!value) return;
        found = *link = calloc(1, sizeof *found);
        found->key = key;
    }
    found->value = value;
    found->destructor = destructor;
    if (value) return;
    *link = found->next;
    free(found);
}

void *dispatch_queue_get_specific(void *candidate, const void *key) {
    if (!stampede_top && !is_kind(candidate, &queue_kind)) return NEXT(dispatch_queue_get_specific)(candidate, key);
    MODEL;
    specific *found = *specific_of(queue_for(candidate), key);
    return found ? found->value : NULL;
}

void *dispatch_get_specific(const void *key) {
    if (!stampede_top) return NEXT(dispatch_get_specific)(key);
    MODEL;
    for (stampede_queue *queue = stampede_top->queue; queue; queue = queue->target) {
        specific *found = *specific_of(queue, key);
        if (found) return found->value;
    }
    return NULL;
}

// MARK: Assertions

void dispatch_assert_queue(void *queue) {
    if (!stampede_top) return NEXT(dispatch_assert_queue)(queue);
    MODEL;
    stampede_queue *wanted = queue_for(queue);
    if (!queue_is_current(wanted)) crash_not_on(wanted);
}

void dispatch_assert_queue_barrier(void *queue) {
    if (!stampede_top) return NEXT(dispatch_assert_queue_barrier)(queue);
    MODEL;
    stampede_queue *wanted = queue_for(queue);
    if (!queue_is_current(wanted) || (!wanted->is_serial && !wanted->is_in_barrier)) crash_not_on(wanted);
}

void dispatch_assert_queue_not(void *queue) {
    if (!stampede_top) return NEXT(dispatch_assert_queue_not)(queue);
    MODEL;
    if (queue_is_current(queue_for(queue))) crash_app("is on a queue that it asserts it is not on (dispatchPrecondition)");
}

// MARK: Work

static void put(void *queue, work work, void *group, bool is_barrier) {
    MODEL;
    if (stampede_top) return queue_put(queue_for(queue), work, group, is_barrier);
    crossing_put(queue, work, group, is_barrier);
}

/// What a thread of the client's own means by a queue that every app finds; else the queue itself.
static void *meant(void *queue) {
    if (stampede_top || !stampede_thread_app) return queue;
    if (queue == _dispatch_main_q) return &stampede_thread_app->main;
    return is_global(queue) ? &stampede_thread_app->global : queue;
}

#define PASSES_ON(queue) (queue = meant(queue), !stampede_top && !is_kind(queue, &queue_kind))

void dispatch_async(void *queue, any_block block) {
    if (PASSES_ON(queue)) return NEXT(dispatch_async)(queue, block);
    put(queue, work_of_block(block), NULL, false);
}

void dispatch_async_f(void *queue, void *context, dispatch_function_t function) {
    if (PASSES_ON(queue)) return NEXT(dispatch_async_f)(queue, context, function);
    put(queue, work_of_function(function, context), NULL, false);
}

void dispatch_barrier_async(void *queue, any_block block) {
    if (PASSES_ON(queue)) return NEXT(dispatch_barrier_async)(queue, block);
    put(queue, work_of_block(block), NULL, true);
}

void dispatch_barrier_async_f(void *queue, void *context, dispatch_function_t function) {
    if (PASSES_ON(queue)) return NEXT(dispatch_barrier_async_f)(queue, context, function);
    put(queue, work_of_function(function, context), NULL, true);
}

static void run_now(void *queue, const work *work, bool is_barrier) {
    MODEL;
    if (stampede_top) return queue_run_now(queue_for(queue), work, is_barrier);
    crossing_run(queue, work, is_barrier);
}

#define SYNCHRONOUS(name, is_barrier) \
    void name(void *queue, any_block block) { \
        if (PASSES_ON(queue)) return NEXT(name)(queue, block); \
        run_now(queue, &(work){.block = block}, is_barrier); \
    } \
    void name##_f(void *queue, void *context, dispatch_function_t function) { \
        if (PASSES_ON(queue)) return NEXT(name##_f)(queue, context, function); \
        run_now(queue, &(work){.function = function, .argument = context}, is_barrier); \
    }

SYNCHRONOUS(dispatch_sync, false)
SYNCHRONOUS(dispatch_barrier_sync, true)
SYNCHRONOUS(dispatch_async_and_wait, false)
SYNCHRONOUS(dispatch_barrier_async_and_wait, true)

static void put_after(uint64_t when, void *queue, work work) {
    MODEL;
    if (stampede_top) queue_put_after(queue_for(queue), work, delay_until(when));
    else crossing_put_after(queue, work, when);
}

void dispatch_after(uint64_t when, void *queue, any_block block) {
    if (PASSES_ON(queue)) return NEXT(dispatch_after)(when, queue, block);
    put_after(when, queue, work_of_block(block));
}

void dispatch_after_f(uint64_t when, void *queue, void *context, dispatch_function_t function) {
    if (PASSES_ON(queue)) return NEXT(dispatch_after_f)(when, queue, context, function);
    put_after(when, queue, work_of_function(function, context));
}

// Iterations: one after the other, in the caller's place.

typedef struct {
    size_t iterations;
    void *block;
    void (*function)(void *, size_t);
    void *context;
} iteration;

static void iterate(void *argument) {
    iteration *all = argument;
    for (size_t place = 0; place < all->iterations; place += 1) {
        if (all->block) ((void (*)(void *, size_t))(void *)((block_layout *)all->block)->invoke)(all->block, place);
        else all->function(all->context, place);
    }
}

static void apply(iteration *all, void *queue) {
    MODEL;
    stampede_queue *target = queue ? queue_for(queue) : NULL;
    if (!target || !target->is_serial) return work_run(&(work){.function = iterate, .argument = all});
    queue_run_now(target, &(work){.function = iterate, .argument = all}, false);
}

void dispatch_apply(size_t iterations, void *queue, any_block block) {
    if (!stampede_top) return NEXT(dispatch_apply)(iterations, is_ours(queue) ? NULL : queue, block);
    apply(&(iteration){.iterations = iterations, .block = block}, queue);
}

void dispatch_apply_f(size_t iterations, void *queue, void *context, void (*function)(void *, size_t)) {
    if (!stampede_top) return NEXT(dispatch_apply_f)(iterations, is_ours(queue) ? NULL : queue, context, function);
    apply(&(iteration){.iterations = iterations, .function = function, .context = context}, queue);
}

#endif
