// Apps under the wall clock: the lock around all their objects, and what a thread that waits leaves to others.

#include "model.h"

#include <pthread.h>

_Thread_local int stampede_lock_depth;

/// One for all: objects of one app may get into the hands of another's code, where a program keeps them in statics.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void model_lock(void) {
    if (stampede_lock_depth == 0) pthread_mutex_lock(&lock);
    stampede_lock_depth += 1;
}

void model_unlock(void) {
    stampede_lock_depth -= 1;
    if (stampede_lock_depth == 0) pthread_mutex_unlock(&lock);
}

int model_let_go_slowly(void) {
    int depth = stampede_lock_depth;
    stampede_lock_depth = 0;
    pthread_mutex_unlock(&lock);
    return depth;
}

void model_take_back_slowly(int depth) {
    pthread_mutex_lock(&lock);
    stampede_lock_depth = depth;
}

// What the last of an app lets go of may wait, and its process is gone then.

void wait_begins(void) {
    void *process = stampede_top->app->process;
    if (process) stampede_the_host.wait_begins(process, false);
}

void wait_ends(void) {
    void *process = stampede_top->app->process;
    if (process) stampede_the_host.wait_ends(process, false);
}
