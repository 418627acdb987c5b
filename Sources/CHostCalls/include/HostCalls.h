// Calls of the C library that this program's own stand in front of, for every module of the process.
#ifndef STAMPEDE_HOST_CALLS_H
#define STAMPEDE_HOST_CALLS_H

#include <stdbool.h>

/// Whether they do in this build: sanitizers have theirs in the same place.
bool stampede_calls_stand_in_front(void);

/// From here on `exit`, `_exit`, `_Exit` and `quick_exit`, called in this process by whomever, call `ended` with their
/// name instead, which lasts; once. It must not return; other callers wait until it has guarded the end anew.
void stampede_guard_end(void (*ended)(const char *call));

/// The same for an `exit` that did not come by the function of that name.
void stampede_meet_exit(void);

/// From here on they end the process again.
void stampede_release_end(void);

/// Ends the process here and now.
_Noreturn void stampede_end(int status);

#endif
