// Groups: how many are in them, and who wants to know that nobody is.

#include "model.h"

#include <stdlib.h>

static void dispose(void *candidate) {
    group *group = candidate;
    if (group->count > 0 && stampede_top) crash_app("frees a DispatchGroup that somebody is in");
    while (group->first) {
        notice *first = group->first;
        group->first = first->next;
        work_drop(&first->work);
        if (!first->queue->is_built_in) object_release(first->queue);
        free(first);
    }
}

const object_kind group_kind = {"group", dispose};

group *group_make(void) { return object_make(sizeof(group), &group_kind); }

void group_enter(group *group) { group->count += 1; }

static void become_empty(group *group) {
    // A notice may be about the last of what keeps the group.
    object_retain(group);
    notice *notice = group->first;
    group->first = group->last = NULL;
    waiters_wake(&group->waiters);
    while (notice) {
        struct notice *next = notice->next;
        queue_put(notice->queue, notice->work, NULL, false);
        if (!notice->queue->is_built_in) object_release(notice->queue);
        free(notice);
        notice = next;
    }
    object_release(group);
}

void group_leave(group *group) {
    if (group->count == 0) return crash_app("leaves a DispatchGroup more often than it entered it");
    group->count -= 1;
    if (group->count == 0) become_empty(group);
}

void group_notify(group *group, stampede_queue *queue, work work) {
    notice *made = calloc(1, sizeof *made);
    made->queue = queue;
    if (!queue->is_built_in) object_retain(queue);
    made->work = work;
    if (group->last) group->last->next = made;
    else group->first = made;
    group->last = made;
    if (group->count == 0) become_empty(group);
}

bool group_wait(group *group, int64_t delay) {
    if (group->count == 0) return true;
    if (delay <= 0 || !may_wait()) return false;
    stampede_waiter waiter = {.app = stampede_top->app, .what = stampede_waits_for_group};
    return waiter_wait(&waiter, delay, &group->waiters);
}
