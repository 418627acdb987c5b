// Dispatch's functions that ours stand in front of: the package's modules do not import its headers in C.
#ifndef STAMPEDE_DISPATCH_H
#define STAMPEDE_DISPATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

typedef void (*dispatch_function_t)(void *);
typedef void *any_block;

// Weak: in a program that holds the library itself the library's own are taken, and the runtime stays aside. To the dynamic
// linker it makes no difference.
#pragma clang attribute push(__attribute__((weak)), apply_to = function)

void *dispatch_queue_create(const char *label, void *attributes);
void *dispatch_queue_create_with_target(const char *label, void *attributes, void *target);
void *dispatch_get_global_queue(intptr_t identifier, uintptr_t flags);
void *dispatch_queue_attr_make_initially_inactive(void *attributes);
void *dispatch_queue_attr_make_with_autorelease_frequency(void *attributes, unsigned long frequency);
void *dispatch_queue_attr_make_with_qos_class(void *attributes, unsigned qos, int priority);
const char *dispatch_queue_get_label(void *queue);
unsigned dispatch_queue_get_qos_class(void *queue, int *priority);
void dispatch_queue_set_width(void *queue, long width);
void dispatch_queue_set_specific(void *queue, const void *key, void *value, dispatch_function_t destructor);
void *dispatch_queue_get_specific(void *queue, const void *key);
void *dispatch_get_specific(const void *key);
void dispatch_set_target_queue(void *object, void *queue);
void dispatch_set_context(void *object, void *context);
void *dispatch_get_context(void *object);
void dispatch_set_finalizer_f(void *object, dispatch_function_t finalizer);
void dispatch_retain(void *object);
void dispatch_release(void *object);
void dispatch_suspend(void *object);
void dispatch_resume(void *object);
void dispatch_activate(void *object);
void dispatch_async(void *queue, any_block block);
void dispatch_async_f(void *queue, void *context, dispatch_function_t work);
void dispatch_barrier_async(void *queue, any_block block);
void dispatch_barrier_async_f(void *queue, void *context, dispatch_function_t work);
void dispatch_sync(void *queue, any_block block);
void dispatch_sync_f(void *queue, void *context, dispatch_function_t work);
void dispatch_barrier_sync(void *queue, any_block block);
void dispatch_barrier_sync_f(void *queue, void *context, dispatch_function_t work);
void dispatch_async_and_wait(void *queue, any_block block);
void dispatch_async_and_wait_f(void *queue, void *context, dispatch_function_t work);
void dispatch_barrier_async_and_wait(void *queue, any_block block);
void dispatch_barrier_async_and_wait_f(void *queue, void *context, dispatch_function_t work);
void dispatch_after(uint64_t when, void *queue, any_block block);
void dispatch_after_f(uint64_t when, void *queue, void *context, dispatch_function_t work);
void dispatch_apply(size_t iterations, void *queue, any_block block);
void dispatch_apply_f(size_t iterations, void *queue, void *context, void (*work)(void *, size_t));
void dispatch_assert_queue(void *queue);
void dispatch_assert_queue_barrier(void *queue);
void dispatch_assert_queue_not(void *queue);
void *dispatch_group_create(void);
void dispatch_group_enter(void *group);
void dispatch_group_leave(void *group);
void dispatch_group_async(void *group, void *queue, any_block block);
void dispatch_group_async_f(void *group, void *queue, void *context, dispatch_function_t work);
void dispatch_group_notify(void *group, void *queue, any_block block);
void dispatch_group_notify_f(void *group, void *queue, void *context, dispatch_function_t work);
intptr_t dispatch_group_wait(void *group, uint64_t timeout);
void *dispatch_semaphore_create(intptr_t value);
intptr_t dispatch_semaphore_signal(void *semaphore);
intptr_t dispatch_semaphore_wait(void *semaphore, uint64_t timeout);
void *dispatch_source_create(const void *type, uintptr_t handle, uintptr_t mask, void *queue);
void dispatch_source_set_event_handler(void *source, any_block handler);
void dispatch_source_set_event_handler_f(void *source, dispatch_function_t handler);
void dispatch_source_set_cancel_handler(void *source, any_block handler);
void dispatch_source_set_cancel_handler_f(void *source, dispatch_function_t handler);
void dispatch_source_set_registration_handler(void *source, any_block handler);
void dispatch_source_set_registration_handler_f(void *source, dispatch_function_t handler);
void dispatch_source_cancel(void *source);
intptr_t dispatch_source_testcancel(void *source);
uintptr_t dispatch_source_get_handle(void *source);
uintptr_t dispatch_source_get_mask(void *source);
uintptr_t dispatch_source_get_data(void *source);
void dispatch_source_merge_data(void *source, uintptr_t value);
void dispatch_source_set_timer(void *source, uint64_t start, uint64_t interval, uint64_t leeway);
void *dispatch_block_create(unsigned long flags, any_block block);
void *dispatch_block_create_with_qos_class(unsigned long flags, unsigned qos, int priority, any_block block);
void dispatch_block_perform(unsigned long flags, any_block block);
intptr_t dispatch_block_wait(any_block block, uint64_t timeout);
void dispatch_block_notify(any_block block, void *queue, any_block notification);
void dispatch_block_cancel(any_block block);
intptr_t dispatch_block_testcancel(any_block block);
uint64_t dispatch_time(uint64_t when, int64_t delta);
uint64_t dispatch_walltime(const struct timespec *when, int64_t delta);
void *dispatch_data_create(const void *buffer, size_t size, void *queue, any_block destructor);

#pragma clang attribute pop

extern char _dispatch_main_q[], _dispatch_queue_attr_concurrent[];
extern char _dispatch_source_type_timer[], _dispatch_source_type_data_add[], _dispatch_source_type_data_or[],
    _dispatch_source_type_data_replace[];

#endif
