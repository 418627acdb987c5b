// Keeps what one app has changed of what all devices of a process have in common.

#include "own.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void own_lock(void) { runtime_lock(&lock); }
void own_unlock(void) { pthread_mutex_unlock(&lock); }

struct app_own *own_of(stampede_app *app) {
    struct app_own *found = __atomic_load_n(&app->own, __ATOMIC_ACQUIRE);
    if (found) return found;
    struct app_own *made = calloc(1, sizeof *made);
    made->stack.ss_flags = SS_DISABLE;
    if (__atomic_compare_exchange_n(&app->own, &found, made, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) return made;
    // Another of its threads was first.
    free(made);
    return found;
}

void own_forget(stampede_app *app) {
    struct app_own *own = app->own;
    if (!own) return;
    for (int number = 0; number < own_signals; number += 1) free(own->actions[number]);
    while (own->variables) {
        own_variable *first = own->variables;
        own->variables = first->next;
        free(first->value);
        free(first);
    }
    free(own);
    app->own = NULL;
}

bool own_variable_find(const char *name, const char **value) {
    stampede_app *app = client_app();
    struct app_own *own = app ? __atomic_load_n(&app->own, __ATOMIC_ACQUIRE) : NULL;
    if (!own) return false;
    own_lock();
    own_variable *found = own->variables;
    while (found && strcmp(found->name, name) != 0) found = found->next;
    bool is_own = found || own->is_cleared;
    *value = found ? found->value : NULL;
    own_unlock();
    return is_own;
}
