// What queues, groups, semaphores and sources of an app are made of.
//
// Under the virtual clock they are touched by the thread that holds the baton, but for the counts of references. Under the
// wall clock, where threads run at once, one lock guards them all (`MODEL_OF`); client code never runs with it held.
#ifndef STAMPEDE_MODEL_H
#define STAMPEDE_MODEL_H

#include "Runtime.h"

#include <pthread.h>
#include <semaphore.h>

/// Of the blocks' runtime, as its specification lays it out.
typedef struct block_layout {
    void *isa;
    int flags;
    int reserved;
    void (*invoke)(struct block_layout *);
    void *descriptor;
} block_layout;

extern void *_Block_copy(const void *block);
extern void _Block_release(const void *block);

/// The kinds of objects. An object's first word points at its kind; no object of Dispatch's own does.
typedef struct {
    const char *name;
    void (*dispose)(void *object);
} object_kind;

extern const object_kind queue_kind, group_kind, semaphore_kind, source_kind;

typedef struct {
    const object_kind *kind;
    int references;
    void *context;
    void (*finalizer)(void *context);
    stampede_app *home;
} object;

/// Something to run: a block, or a function with its argument.
typedef struct work {
    void *block;
    void (*function)(void *);
    void *argument;
} work;

typedef struct item {
    struct item *next;
    work work;
    /// Who put it in line.
    stampede_app *app;
    struct group *group;
    /// It is a synchronous caller's turn.
    stampede_waiter *waiter;
    bool is_barrier;
    /// It is the run loop's, and no block of the main queue.
    bool is_of_run_loop;
} item;

typedef struct specific {
    struct specific *next;
    const void *key;
    void *value;
    void (*destructor)(void *);
} specific;

struct stampede_queue {
    object base;
    stampede_queue *target;
    const char *label;
    char *own_label;
    unsigned qos;
    bool is_main;
    bool is_serial;
    bool is_inactive;
    /// It is part of its app, and not counted.
    bool is_built_in;
    /// Turns that are scheduled; each holds a reference.
    int turns;
    /// A barrier of a concurrent queue runs.
    bool is_in_barrier;
    /// Others lead to it, or have.
    bool is_target;
    int suspensions;
    /// Pieces of work that have begun and not ended. Between two events: of threads that wait.
    int running;
    /// The thread that runs them, of a serial queue.
    const void *owner;
    item *first, *last;
    /// Turns that came while nothing could run.
    int missed_turns;
    /// Others whose turns came while this one, on their way to a thread, was held.
    stampede_queue *next_stalled;
    bool is_stalled;
    specific *specifics;
    /// In the list of its app.
    stampede_queue *next_of_app, *previous_of_app;
    /// Of a queue that is not ours: whom it stands for.
    const void *stands_for;
    stampede_queue *next_stand_in;
};

/// In the list of its app until it fires or is cancelled.
struct stampede_timer {
    stampede_timer *next, *previous;
    stampede_app *app;
    stampede_ticket ticket;
    void (*fire)(stampede_timer *timer);
    /// The process is gone, and it will never fire.
    void (*drop)(stampede_timer *timer);
    /// Tells its starts apart: under the wall clock an event may be on its way when the timer is cancelled.
    uint64_t serial;
};

struct stampede_waiter {
    stampede_waiter *next;
    stampede_app *app;
    stampede_wait what;
    /// It does not hold the queue that it is on.
    bool is_open;
    void *slot;
    /// Under the wall clock, instead of the baton.
    sem_t gate;
    stampede_timer timeout;
    bool has_timeout;
    bool is_woken;
    /// Nothing is left that could wake it, and it is to leave what it waits in.
    bool is_given_up;
    /// The queue that it stands in line for.
    stampede_queue *in_line;
    /// It is the harness that waits, to call client code.
    bool is_caller;
    stampede_waiter *next_caller;
    /// Where it is listed, to be taken from there when its time is over.
    stampede_waiter **list;
};

struct stampede_app {
    int references;
    void *process;
    /// Its threads run at once, under the wall clock.
    bool has_wall_clock;
    bool has_ended;
    /// To threads that do not hold the baton.
    bool is_closed;
    /// Threads that its client made and that have not ended. Any thread.
    int threads;
    stampede_queue main, global, callbacks;
    stampede_queue *queues;
    stampede_queue *stalled;
    stampede_timer *timers;
    /// The harness's own, which go on when the app has ended.
    stampede_waiter *callers;
    /// What the last thread to park on the main queue waits for.
    stampede_waiter *main_waiter;
    struct condition *conditions;
    /// Null before it has run a task that waits.
    struct app_tasks *tasks;
    /// Threads that run the main run loop until it has served something.
    stampede_waiter *run_loops;
    /// The timers that the main run loop has.
    struct loop_timer *loop_timers;
    /// Blocks of the main queue that have begun and not ended.
    int main_blocks;
    /// Run loops in them, which do not serve the main queue.
    int nested_run_loops;
    /// Queues of Dispatch's own that client code got hold of, as they are in this app.
    stampede_queue *stand_ins;
    /// What it has changed of the process; null: nothing.
    struct app_own *own;
};

/// The calling thread is about to run code of this app.
static inline void app_entered(stampede_app *app) {
    extern stampede_host stampede_the_host;
    if (stampede_the_host.entered && app->process) stampede_the_host.entered(app->process);
}

/// Of a thread that client code has made, outside any frame: its app's main and global queues are what it means.
extern _Thread_local stampede_app *stampede_thread_app;

extern stampede_host stampede_the_host;
extern bool stampede_is_in_force;
extern int64_t stampede_calendar_epoch;

// MARK: runtime-lock.c

/// Of apps under the wall clock: how often the calling thread holds the lock around all objects.
extern _Thread_local int stampede_lock_depth;
void model_lock(void);
void model_unlock(void);

static inline bool model_enter(const stampede_app *app) {
    if (!app || !app->has_wall_clock) return false;
    model_lock();
    return true;
}

static inline void model_leave(const bool *is_in) {
    if (*is_in) model_unlock();
}

/// Until the end of the block: the calling thread may touch what belongs to this app.
#define MODEL_OF(app) \
    __attribute__((cleanup(model_leave), unused)) bool is_in_model = model_enter(app)
/// The same for what belongs to the app whose code the calling thread runs.
#define MODEL MODEL_OF(stampede_current_app())

int model_let_go_slowly(void);
void model_take_back_slowly(int depth);

/// Client code is about to run, or the thread is about to wait. What `model_take_back` is to be given.
static inline int model_let_go(void) { return stampede_lock_depth == 0 ? 0 : model_let_go_slowly(); }
static inline void model_take_back(int depth) {
    if (depth) model_take_back_slowly(depth);
}

/// Whether the calling thread runs code of an app under the wall clock.
static inline bool is_on_wall_clock(void) { return stampede_top && stampede_top->app->has_wall_clock; }

/// Under the wall clock: the calling thread is about to wait in the system, and others are to go on meanwhile.
void wait_begins(void);
/// It has waited, and goes on as before.
void wait_ends(void);

// MARK: runtime-objects.c

void *object_make(size_t size, const object_kind *kind);
static inline bool is_ours(const void *candidate) {
    const object_kind *kind = candidate ? *(const object_kind *const *)candidate : NULL;
    return kind == &queue_kind || kind == &group_kind || kind == &semaphore_kind || kind == &source_kind;
}
static inline bool is_kind(const void *candidate, const object_kind *kind) {
    return candidate && *(const object_kind *const *)candidate == kind;
}
void object_retain(void *object);
void object_release(void *object);
/// Threads that do not hold the baton cannot ask it for anything any more.
void app_close(stampede_app *app);
void app_retain(stampede_app *app);
void app_release(stampede_app *app);

work work_of_block(const void *block);
work work_of_function(void (*function)(void *), void *argument);
void work_run(const work *work);
void work_drop(work *work);
/// The calling thread has run a piece of client code, and is still in its frame.
void client_code_ends(void);

// MARK: runtime-timers.c

void timer_start(stampede_timer *timer, stampede_app *app, int64_t delay, bool is_main);
void timer_cancel(stampede_timer *timer);

// MARK: runtime-waits.c

/// Time for ever.
#define FOREVER INT64_MAX

/// Waits until it is woken, or the time is over; in a list until then. False if it was not woken.
bool waiter_wait(stampede_waiter *waiter, int64_t delay, stampede_waiter **list);
/// Lets a waiter go on, in an event of its own. It has been taken from its list.
void waiter_wake(stampede_waiter *waiter);
/// The same for all that are listed.
void waiters_wake(stampede_waiter **list);
/// Hands the baton to it in this very event.
void waiter_resume(stampede_waiter *waiter);
void waiter_append(stampede_waiter **list, stampede_waiter *waiter);
/// Takes it from the list that it is in, if it is in one.
void waiter_unlist(stampede_waiter *waiter);
/// Whether the calling code may wait at all: what is only asked for its goods, or belongs to a process that has ended,
/// may not.
bool may_wait(void);
/// The app has ended: the harness does not wait for its queues any more.
void callers_let_go(stampede_app *app);

// MARK: runtime-queues.c

stampede_queue *queue_make(const char *label, bool is_serial, bool is_inactive, stampede_queue *target);
void queue_init(stampede_queue *queue, stampede_app *app, const char *label, bool is_serial);
void queue_destroy(stampede_queue *queue);
/// Drops all that is in line, and the turns that will never come.
void queue_abandon(stampede_queue *queue);
void queue_set_target(stampede_queue *queue, stampede_queue *target);
/// Puts work in line and schedules its turn. It belongs to the calling code's app.
void queue_put(stampede_queue *queue, work work, struct group *group, bool is_barrier);
/// The same in the event in which it is due.
void queue_put_due(stampede_queue *queue, stampede_app *app, work work);
/// The same for what the run loop does on the main queue, where a nested one waits too.
void queue_put_of_run_loop(stampede_app *app, work work);
/// `dispatch_sync`.
void queue_run_now(stampede_queue *queue, const work *work, bool is_barrier);
/// `dispatch_after`.
void queue_put_after(stampede_queue *queue, work work, int64_t delay);
void queue_resume(stampede_queue *queue);
void queue_activate(stampede_queue *queue);
/// Whether the calling thread holds it: whoever asks for it waits for itself.
bool queue_is_current(const stampede_queue *queue);
/// Takes a thread that waits for a turn out of the line.
void queue_remove_waiter(stampede_queue *queue, const stampede_waiter *waiter);
/// Leaves a queue to others, in the middle of the calling thread's work on it.
void queue_give_back(stampede_queue *queue);
/// Goes on with it, as soon as nobody else is at work.
void queue_take_back(stampede_queue *queue, int held);
/// Something of the app's opened: turns that were missed come again.
void queues_open(stampede_app *app);
/// The calling code's queue that is meant by one of Dispatch's or of ours.
stampede_queue *queue_for(const void *queue);

// MARK: runtime-groups.c, runtime-semaphores.c

typedef struct notice {
    struct notice *next;
    stampede_queue *queue;
    work work;
} notice;

typedef struct group {
    object base;
    long count;
    notice *first, *last;
    stampede_waiter *waiters;
} group;

group *group_make(void);
void group_enter(group *group);
void group_leave(group *group);
void group_notify(group *group, stampede_queue *queue, work work);
bool group_wait(group *group, int64_t delay);

typedef struct semaphore {
    object base;
    long value, original;
    stampede_waiter *waiters;
} semaphore;

semaphore *semaphore_make(long value);
/// Whether somebody was woken.
bool semaphore_signal(semaphore *semaphore);
bool semaphore_wait(semaphore *semaphore, int64_t delay);

// MARK: runtime-conditions.c

/// False if the time was over.
bool condition_wait(void *condition, void *mutex, int64_t delay);
/// False if nobody of the app waits there.
bool condition_signal(void *condition, bool all);
void conditions_drop(stampede_app *app);
void condition_wait_begins(stampede_waiter *waiter, void *condition);
void condition_wait_ends(stampede_waiter *waiter, void *condition);
/// One who waits there is about to be woken, or all are.
void condition_tell(void *condition, bool all);

// MARK: runtime-runloop.c

/// Serves the main queue if the caller is on it, for so long, or until something has been served. False if nothing could
/// be: on other queues, and in a block of the main queue, which comes to its other blocks only when it has ended.
bool run_loop_run(int64_t delay, bool only_once);
/// Something has been.
void run_loops_served(stampede_app *app);
/// What is asked of a timer of Foundation's.
typedef struct {
    void (*fire)(void *timer);
    /// In nanoseconds. 0 if it fires once, negative if it is invalid.
    int64_t (*interval)(void *timer);
    /// Tells it when it will fire next.
    void (*set_due)(void *timer, int64_t due);
} run_loop_timer_calls;

extern run_loop_timer_calls stampede_run_loop_calls;

/// Has a timer fire on the main queue; one that is there already, at another time.
void run_loop_add_timer(void *timer, int64_t due);
bool run_loop_has_timer(const void *timer);
/// It has been invalidated.
void run_loop_remove_timer(const void *timer);
void run_loop_drop_timers(stampede_app *app);

// MARK: runtime-sources.c

typedef struct source source;

/// What `dispatch_source_create` is asked for, of what there is without a system.
typedef enum { source_timer, source_add, source_or, source_replace } source_type;

source *source_make(source_type type, stampede_queue *queue, uintptr_t handle, uintptr_t mask);
void source_set_timer(source *source, int64_t delay, uint64_t interval);
typedef enum { on_event, on_cancel, on_registration, handler_count } source_handler;
void source_set_handler(source *source, source_handler handler, work work);
void source_set_queue(source *source, stampede_queue *queue);
void source_cancel(source *source);
bool source_is_cancelled(const source *source);
uintptr_t source_data(const source *source);
uintptr_t source_handle(const source *source);
uintptr_t source_mask(const source *source);
void source_merge(source *source, uintptr_t value);
void source_suspend(source *source);
void source_resume(source *source);
void source_activate(source *source);

// MARK: runtime-blocks.c

/// A block that can be waited for and cancelled; copied, as `dispatch_block_create` does.
void *block_make(const void *block);
bool block_is_ours(const void *block);
void block_cancel(void *block);
bool block_is_cancelled(const void *block);
bool block_wait(void *block, int64_t delay);
void block_notify(void *block, stampede_queue *queue, work work);

// MARK: runtime-tasks.c

/// What an app's tasks wait for.
typedef struct app_tasks {
    struct sleeper *sleepers;
    struct continuation *continuations;
    /// The app ends, and its tasks are brought to their ends: their jobs, in order.
    struct last_job *last_jobs, *newest_job;
    bool is_ending;
} app_tasks;

/// Those of an app, made when first asked for.
app_tasks *tasks_of(stampede_app *app);
/// Before its app is freed.
void tasks_free(stampede_app *app);
/// What a task that was cancelled in its sleep has put off is due now: a device would wait for it to come to rest.
/// In code of the app.
void sleepers_wake_cancelled(stampede_app *app);

// MARK: runtime-locks.c

/// Has client code pass its own locks while it is asked what it holds. Once in a process.
void locks_stand_in_front(void);

/// It has been asked.
void locks_are_read(void);

/// Locks one of the runtime's own, which is not passed: another worker may hold it, and goes on.
void runtime_lock(pthread_mutex_t *mutex);

// MARK: runtime-continuations.c

/// How the compiler begins the memory of an asynchronous function: who called it, and where that one goes on.
typedef struct async_context {
    struct async_context *caller;
    const void *resume;
} async_context;

/// How many calls are told of a task.
enum { calls_max = 16 };

/// Where the functions go on that wait for one, the innermost first; how many. `calls` has room for `calls_max`.
int calls_of(const async_context *innermost, const void **calls);

/// Has client code begin to wait where it is seen. Once in a process.
void continuations_stand_in_front(void);

/// Of an app that has tasks: nobody asks for its continuations any more.
void continuations_forget(stampede_app *app);

// MARK: Time

/// The time of the calling code's device.
int64_t app_now(stampede_app *app);
/// How long it is until a time of Dispatch's, from 0 on; FOREVER for never.
int64_t delay_until(uint64_t dispatch_time);

/// What ends an app on a phone.
void crash_app(const char *reason);
void crash_not_on(const stampede_queue *wanted);

/// What uptime is when the simulated calendar begins: Dispatch takes a time of zero for now.
#define UPTIME_EPOCH 1000000000LL

#endif
