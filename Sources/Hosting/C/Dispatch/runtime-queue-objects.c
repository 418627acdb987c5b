// Making queues, opening those that are held, and what goes with them when they go.

#include "model.h"

#include <stdlib.h>
#include <string.h>

static void queue_dispose(void *candidate) {
    stampede_queue *queue = candidate;
    queue_destroy(queue);
}

const object_kind queue_kind = {"queue", queue_dispose};

void queue_init(stampede_queue *queue, stampede_app *app, const char *label, bool is_serial) {
    queue->base.kind = &queue_kind;
    queue->base.references = 1;
    queue->base.home = app;
    queue->is_built_in = true;
    queue->is_serial = is_serial;
    queue->label = label;
}

static void list(stampede_queue *queue) {
    stampede_app *app = queue->base.home;
    queue->next_of_app = app->queues;
    if (app->queues) app->queues->previous_of_app = queue;
    app->queues = queue;
}

static void unlist(stampede_queue *queue) {
    stampede_app *app = queue->base.home;
    if (app->queues != queue && !queue->previous_of_app) return;
    if (queue->next_of_app) queue->next_of_app->previous_of_app = queue->previous_of_app;
    if (queue->previous_of_app) queue->previous_of_app->next_of_app = queue->next_of_app;
    if (app->queues == queue) app->queues = queue->next_of_app;
    queue->next_of_app = queue->previous_of_app = NULL;
}

stampede_queue *queue_make(const char *label, bool is_serial, bool is_inactive, stampede_queue *target) {
    stampede_queue *queue = object_make(sizeof *queue, &queue_kind);
    queue->label = queue->own_label = strdup(label ? label : "");
    queue->is_serial = is_serial;
    queue->is_inactive = is_inactive;
    queue_set_target(queue, target);
    list(queue);
    return queue;
}

stampede_queue *stampede_queue_line(stampede_queue *queue) {
    stampede_queue *line = queue->is_target && queue->is_serial ? queue : NULL;
    for (queue = queue->target; queue; queue = queue->target) {
        if (queue->is_serial) line = queue;
    }
    return line;
}

void queue_set_target(stampede_queue *queue, stampede_queue *target) {
    if (target) target->is_target = true;
    // The queues that the app finds to have neither order nor width that another one would have to keep.
    if (target && target->is_built_in && !target->is_main) target = NULL;
    if (target && !target->is_built_in) object_retain(target);
    stampede_queue *former = queue->target;
    queue->target = target;
    if (former && !former->is_built_in) object_release(former);
}

static void drop_items(stampede_queue *queue) {
    item *item = queue->first;
    queue->first = queue->last = NULL;
    while (item) {
        struct item *next = item->next;
        work_drop(&item->work);
        if (item->group) object_release(item->group);
        app_release(item->app);
        free(item);
        item = next;
    }
}

void queue_destroy(stampede_queue *queue) {
    if (!queue->is_built_in) unlist(queue);
    drop_items(queue);
    while (queue->specifics) {
        specific *first = queue->specifics;
        queue->specifics = first->next;
        if (first->destructor) {
            int held = model_let_go();
            first->destructor(first->value);
            model_take_back(held);
        }
        free(first);
    }
    queue_set_target(queue, NULL);
    free(queue->own_label);
}

void queue_abandon(stampede_queue *queue) {
    if (!queue->is_built_in) unlist(queue);
    int turns = queue->turns;
    queue->turns = 0;
    drop_items(queue);
    if (queue->is_built_in) return;
    while (turns-- > 0) object_release(queue);
}

// MARK: Suspension

void queue_resume(stampede_queue *queue) {
    if (queue->is_inactive) queue->is_inactive = false;
    else if (queue->suspensions == 0) return crash_app("resumes a queue that is not suspended");
    else queue->suspensions -= 1;
    queues_open(queue->base.home);
}

void queue_activate(stampede_queue *queue) {
    queue->is_inactive = false;
    queues_open(queue->base.home);
}
