// Jobs of Swift's tasks: pieces of work of their device's main queue, or beside it.

#include "crossing.h"
#include "model.h"

#include <stdatomic.h>
#include <stdlib.h>

void stampede_job_refused(void) {
    crash_app(
        "is not on the main queue, where code of the main actor has to run (MainActor.assumeIsolated, or a check that Swift"
        " puts in)");
}

app_tasks *tasks_of(stampede_app *app) {
    app_tasks *known = __atomic_load_n(&app->tasks, __ATOMIC_ACQUIRE);
    if (known) return known;
    app_tasks *made = calloc(1, sizeof *made);
    if (__atomic_compare_exchange_n(&app->tasks, &known, made, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) return made;
    free(made);
    return known;
}

static void forget_last_jobs(app_tasks *tasks);

void tasks_free(stampede_app *app) {
    continuations_forget(app);
    forget_last_jobs(app->tasks);
    free(app->tasks);
}

// MARK: Sleep

/// A job that is put off: of a task that sleeps.
struct sleeper {
    stampede_timer timer;
    stampede_app *app;
    work job;
    bool is_main;
    /// It sleeps until it is cancelled: nothing will come, and the app is not kept for it.
    bool is_endless;
    /// The task, which may have ended before the job is due; null if there is none.
    void *task;
    struct sleeper *next, *previous;
};

#define SWIFT __attribute__((swiftcall))
SWIFT extern void *swift_task_getCurrent(void);
SWIFT extern bool swift_task_isCancelled(void *task);
extern void *swift_retain(void *object);
extern void swift_release(void *object);

static void unlist(struct sleeper *sleeper) {
    if (sleeper->next) sleeper->next->previous = sleeper->previous;
    if (sleeper->previous) sleeper->previous->next = sleeper->next;
    else sleeper->app->tasks->sleepers = sleeper->next;
}

/// After the end of its app nothing is released, which might run code of the client.
static void let_go(struct sleeper *sleeper) {
    stampede_app *app = sleeper->app;
    void *task = app->has_ended ? NULL : sleeper->task;
    bool is_endless = sleeper->is_endless;
    free(sleeper);
    if (task) {
        stampede_frame frame = {.under = stampede_top, .app = app, .queue = &app->global, .is_separate = true};
        stampede_top = &frame;
        app_entered(app);
        int held = model_let_go();
        swift_release(task);
        model_take_back(held);
        stampede_top = frame.under;
        if (stampede_top) app_entered(stampede_top->app);
    }
    if (!is_endless) app_release(app);
}

static void fire(stampede_timer *timer) {
    struct sleeper *sleeper = (struct sleeper *)timer;
    stampede_app *app = sleeper->app;
    unlist(sleeper);
    queue_put_due(sleeper->is_main ? &app->main : &app->global, app, sleeper->job);
    let_go(sleeper);
}

static void drop(stampede_timer *timer) {
    struct sleeper *sleeper = (struct sleeper *)timer;
    unlist(sleeper);
    let_go(sleeper);
}

static void sleep_for(stampede_app *app, work job, bool is_main, int64_t delay) {
    if (app->has_ended || !app->process) return;
    struct sleeper *sleeper = calloc(1, sizeof *sleeper);
    *sleeper = (struct sleeper){
        .app = app, .job = job, .is_main = is_main, .is_endless = delay == FOREVER, .task = swift_task_getCurrent()};
    if (sleeper->task) swift_retain(sleeper->task);
    sleeper->timer.fire = fire;
    sleeper->timer.drop = drop;
    app_tasks *tasks = tasks_of(app);
    sleeper->next = tasks->sleepers;
    if (tasks->sleepers) tasks->sleepers->previous = sleeper;
    tasks->sleepers = sleeper;
    if (sleeper->is_endless) return;
    app_retain(app);
    timer_start(&sleeper->timer, app, delay, is_main);
}

void sleepers_wake_cancelled(stampede_app *app) {
    struct sleeper *next = NULL;
    for (struct sleeper *sleeper = app->tasks->sleepers; sleeper; sleeper = next) {
        next = sleeper->next;
        if (!sleeper->task || !swift_task_isCancelled(sleeper->task)) continue;
        timer_cancel(&sleeper->timer);
        unlist(sleeper);
        queue_put(sleeper->is_main ? &app->main : &app->global, sleeper->job, NULL, false);
        // Its own job holds it no longer, but another does that wakes it now.
        let_go(sleeper);
        next = app->tasks->sleepers;
    }
}

/// Of a task, as Swift lays it out.
typedef struct {
    void *object[2];
    void *scheduler[2];
    uint32_t flags, number;
    void *voucher, *reserved;
    const void *resume;
    const async_context *context;
} task_layout;

void stampede_each_sleeper(stampede_app *app, stampede_calls_told body, void *context) {
    MODEL_OF(app);
    if (!app->tasks) return;
    for (struct sleeper *sleeper = app->tasks->sleepers; sleeper; sleeper = sleeper->next) {
        const void *calls[calls_max];
        if (sleeper->task) body(context, calls, calls_of(((const task_layout *)sleeper->task)->context, calls));
    }
}

// MARK: The end of an app

/// Nothing of an app that has ended goes on. But tasks that wait would hold what they have for ever: Swift has no other way to
/// let go of a task than to let it end.
struct last_job {
    work job;
    struct last_job *next;
};

static void keep_last_job(app_tasks *tasks, work job) {
    struct last_job *made = malloc(sizeof *made);
    *made = (struct last_job){.job = job};
    if (tasks->last_jobs) tasks->newest_job->next = made;
    else tasks->last_jobs = made;
    tasks->newest_job = made;
}

static void keep_jobs_in_line(app_tasks *tasks, stampede_queue *queue, void (*run)(void *)) {
    item **link = &queue->first;
    queue->last = NULL;
    while (*link) {
        item *item = *link;
        if (item->work.function == run) {
            keep_last_job(tasks, item->work);
            *link = item->next;
            app_release(item->app);
            free(item);
        } else {
            queue->last = item;
            link = &item->next;
        }
    }
}

void stampede_tasks_begin_ending(stampede_app *app, void (*on_main)(void *), void (*beside)(void *)) {
    MODEL_OF(app);
    app_tasks *tasks = tasks_of(app);
    tasks->is_ending = true;
    keep_jobs_in_line(tasks, &app->main, on_main);
    keep_jobs_in_line(tasks, &app->global, beside);
}

void stampede_tasks_run_last(stampede_app *app, int count_max) {
    MODEL_OF(app);
    app_tasks *tasks = app->tasks;
    for (int count = 0; tasks->last_jobs && count < count_max; count += 1) {
        struct last_job *first = tasks->last_jobs;
        tasks->last_jobs = first->next;
        work job = first->job;
        free(first);
        work_run(&job);
    }
}

static void forget_last_jobs(app_tasks *tasks) {
    while (tasks->last_jobs) {
        struct last_job *first = tasks->last_jobs;
        tasks->last_jobs = first->next;
        free(first);
    }
}

void stampede_tasks_have_ended(stampede_app *app) {
    MODEL_OF(app);
    app->tasks->is_ending = false;
    continuations_forget(app);
    forget_last_jobs(app->tasks);
}

// MARK: Jobs

typedef struct {
    work job;
    bool is_main;
    int64_t delay;
} putting;

/// In code of the app.
static void put(const putting *putting) {
    stampede_app *app = stampede_top->app;
    stampede_queue *queue = putting->is_main ? &app->main : &app->global;
    bool is_kept = app->tasks && app->tasks->is_ending && putting->delay == 0;
    if (is_kept) keep_last_job(app->tasks, putting->job);
    else if (putting->delay > 0) sleep_for(app, putting->job, putting->is_main, putting->delay);
    else queue_put(queue, putting->job, NULL, false);
}

static void arrive(void *argument) {
    put(argument);
    free(argument);
}

static _Atomic int64_t jobs_put;

int64_t stampede_jobs_taken(void) { return atomic_exchange_explicit(&jobs_put, 0, memory_order_relaxed); }

bool stampede_job_put(void *job, void (*run)(void *), bool is_main, int64_t delay) {
    putting putting = {.job = work_of_function(run, job), .is_main = is_main, .delay = delay};
    if (stampede_top) {
        atomic_fetch_add_explicit(&jobs_put, 1, memory_order_relaxed);
        MODEL;
        put(&putting);
        return true;
    }
    if (!stampede_thread_app) return false;
    // A thread that the client made.
    __typeof__(putting) *made = malloc(sizeof *made);
    *made = putting;
    crossing_send(stampede_thread_app, arrive, free, made);
    return true;
}
