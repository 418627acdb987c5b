// What one app has changed of what all devices of a process have in common: it holds for that app alone.
#ifndef STAMPEDE_OWN_H
#define STAMPEDE_OWN_H

#include "model.h"

#include <signal.h>
#include <sys/stat.h>

/// The app whose code the calling thread runs, on a thread of the app's own too; null outside client code.
static inline stampede_app *client_app(void) {
    stampede_app *app = stampede_top ? stampede_top->app : stampede_thread_app;
    return app && app->process ? app : NULL;
}

typedef struct own_variable {
    struct own_variable *next;
    /// Null: it was taken away.
    char *value;
    char name[];
} own_variable;

enum { own_signals = 65 };

struct app_own {
    /// Those that were asked for, by number; null: none.
    struct sigaction *actions[own_signals];
    stack_t stack;
    bool has_mask;
    mode_t mask;
    /// Of the process's environment nothing is seen.
    bool is_cleared;
    /// The latest first; none is freed before the app is, since code may hold its text.
    own_variable *variables;
};

/// An app's, made if there is none yet.
struct app_own *own_of(stampede_app *app);
/// Before its app is freed.
void own_forget(stampede_app *app);

void own_lock(void);
void own_unlock(void);

/// What an app has made of a variable of the environment. False: nothing, the process's holds.
bool own_variable_find(const char *name, const char **value);

#endif
