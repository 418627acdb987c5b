// Who calls Dispatch.
#ifndef STAMPEDE_CALLERS_H
#define STAMPEDE_CALLERS_H

#include <stdbool.h>
#include <stdint.h>

/// Finds the libraries in question; before anything of them is asked for.
void callers_look_up(void);

/// Whether a return address lies in one of them.
bool caller_is_system(const void *address);

/// The same for Swift's runtime.
bool caller_is_runtime(const void *address);

#endif
