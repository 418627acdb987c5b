// Putting the runtime in force, and finding out whether it is.

#define _GNU_SOURCE
#include "callers.h"
#include "dispatch.h"
#include "http.h"
#include "model.h"
#include "next.h"

#include <dlfcn.h>

bool stampede_runtime_in_force(void) { return stampede_is_in_force; }

#ifdef STAMPEDE_STANDS_ASIDE

bool stampede_runtime_install(const stampede_host *given, int64_t calendar_epoch_seconds) {
    stampede_the_host = *given;
    stampede_calendar_epoch = calendar_epoch_seconds;
    return false;
}

#else

/// Whether a call of the name by any other module comes to this program.
static bool stands_in_front(const char *name, const void *ours) { return dlsym(RTLD_DEFAULT, name) == ours; }

bool stampede_runtime_install(const stampede_host *given, int64_t calendar_epoch_seconds) {
    stampede_the_host = *given;
    stampede_calendar_epoch = calendar_epoch_seconds;
    // In a program that holds the libraries itself, there is no next function to pass on to.
    if (!dlsym(RTLD_NEXT, "dispatch_async") || !stands_in_front("dispatch_async", (void *)dispatch_async)
        || !stands_in_front("clock_gettime", (void *)clock_gettime)) {
        return false;
    }
    callers_look_up();
    http_stand_in_front();
    continuations_stand_in_front();
    locks_stand_in_front();
    stampede_is_in_force = true;
    return true;
}

#endif
