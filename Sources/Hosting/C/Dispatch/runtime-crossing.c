// From threads that do not hold the baton to where the device of an object is simulated.

#include "crossing.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

/// Guards that every app is open: its process may end while another thread is about to ask it for something.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void app_close(stampede_app *app) {
    runtime_lock(&lock);
    app->is_closed = true;
    pthread_mutex_unlock(&lock);
}

typedef struct {
    stampede_app *app;
    void (*body)(void *);
    void (*drop)(void *);
    void *argument;
} crossing;

static void arrive(void *candidate) {
    crossing *arrived = candidate;
    stampede_app *app = arrived->app;
    if (app->has_ended) {
        if (arrived->drop) arrived->drop(arrived->argument);
    } else {
        stampede_frame frame = {.under = stampede_top, .app = app, .queue = &app->global, .is_separate = true};
        stampede_top = &frame;
        app_entered(app);
        arrived->body(arrived->argument);
        stampede_top = frame.under;
    }
    app_release(app);
    free(arrived);
}

/// Under the wall clock the caller's thread does it itself, as the app's.
static void do_here(stampede_app *app, void (*body)(void *), void (*drop)(void *), void *argument) {
    app_retain(app);
    {
        MODEL_OF(app);
        void *process = app->has_ended ? NULL : app->process;
        if (process) {
            stampede_the_host.retain(process);
            stampede_frame frame = {.under = stampede_top, .app = app, .queue = &app->global, .is_separate = true};
            stampede_top = &frame;
            body(argument);
            stampede_top = frame.under;
            int held = model_let_go();
            stampede_the_host.release(process);
            model_take_back(held);
        } else if (drop) {
            drop(argument);
        }
    }
    app_release(app);
}

void crossing_send(stampede_app *app, void (*body)(void *), void (*drop)(void *), void *argument) {
    if (app->has_wall_clock) return do_here(app, body, drop, argument);
    crossing *made = malloc(sizeof *made);
    *made = (crossing){.app = app, .body = body, .drop = drop, .argument = argument};
    app_retain(app);
    runtime_lock(&lock);
    bool is_there = !app->is_closed;
    if (is_there) stampede_the_host.hop(app->process, arrive, made);
    pthread_mutex_unlock(&lock);
    if (is_there) return;
    if (drop) drop(argument);
    app_release(app);
    free(made);
}

typedef struct {
    void (*body)(void *);
    void *argument;
    bool has_run;
    sem_t done;
} awaited;

static void perform(void *candidate) {
    awaited *awaited = candidate;
    awaited->body(awaited->argument);
    awaited->has_run = true;
    sem_post(&awaited->done);
}

static void give_up(void *candidate) { sem_post(&((awaited *)candidate)->done); }

bool crossing_perform(stampede_app *app, void (*body)(void *), void *argument) {
    awaited awaited = {.body = body, .argument = argument};
    sem_init(&awaited.done, 0, 0);
    crossing_send(app, perform, give_up, &awaited);
    while (sem_wait(&awaited.done) != 0) {}
    sem_destroy(&awaited.done);
    return awaited.has_run;
}

void crossing_nudge(stampede_app *app) {
    runtime_lock(&lock);
    if (!app->is_closed) stampede_the_host.nudge(app->process);
    pthread_mutex_unlock(&lock);
}

// MARK: Queues

typedef struct {
    stampede_queue *queue;
    work work;
    group *group;
    bool is_barrier;
    bool is_late;
    uint64_t when;
} handed_over;

static void let_go(handed_over *over) {
    object_release(over->queue);
    if (over->group) object_release(over->group);
    free(over);
}

static void put(void *argument) {
    handed_over *over = argument;
    if (over->is_late) queue_put_after(over->queue, over->work, delay_until(over->when));
    else queue_put(over->queue, over->work, over->group, over->is_barrier);
    let_go(over);
}

static void drop(void *argument) {
    handed_over *over = argument;
    work_drop(&over->work);
    let_go(over);
}

static void hand_over(handed_over over) {
    handed_over *made = malloc(sizeof *made);
    *made = over;
    object_retain(over.queue);
    if (over.group) object_retain(over.group);
    crossing_send(over.queue->base.home, put, drop, made);
}

void crossing_put(stampede_queue *queue, work work, group *group, bool is_barrier) {
    hand_over((handed_over){.queue = queue, .work = work, .group = group, .is_barrier = is_barrier});
}

void crossing_put_after(stampede_queue *queue, work work, uint64_t when) {
    hand_over((handed_over){.queue = queue, .work = work, .is_late = true, .when = when});
}

typedef struct {
    stampede_queue *queue;
    const work *work;
    bool is_barrier;
} turn;

static void run(void *argument) {
    turn *turn = argument;
    queue_run_now(turn->queue, turn->work, turn->is_barrier);
}

void crossing_run(stampede_queue *queue, const work *work, bool is_barrier) {
    turn turn = {.queue = queue, .work = work, .is_barrier = is_barrier};
    // Of a device that is gone nobody else can be on the queue.
    if (!crossing_perform(queue->base.home, run, &turn)) work_run(work);
}
