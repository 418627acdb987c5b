// What client code calls of Foundation by name, and is each simulated device's own.
#ifndef STAMPEDE_FOUNDATION_CALLS_H
#define STAMPEDE_FOUNDATION_CALLS_H

#include <stdbool.h>

/// What answers in Foundation's place for client code of a virtual device. Objects are returned retained.
typedef struct {
    /// `UserDefaults.standard`.
    void *(*standard_defaults)(void);
    /// `OperationQueue.main`.
    void *(*main_operation_queue)(void);
    /// A timer was added to the run loop of the calling thread. It is not retained.
    void (*add_timer)(void *timer);
} stampede_foundation;

/// Once in a process, before any client code runs.
void stampede_foundation_install(const stampede_foundation *calls);

#endif
