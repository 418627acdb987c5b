// A function that client code has called, met where it comes back.
#ifndef STAMPEDE_RETURNING_H
#define STAMPEDE_RETURNING_H

#include <stdbool.h>
#include <stdint.h>

/// In a signal's handler: when what runs on the calling thread returns to the innermost place at which client code may be left,
/// `leave` is called with that. Where it comes back, or `may_leave` does not hold any more by then, nothing has happened. Does
/// nothing on processors other than x86-64, and where it is met already.
///
/// \param is_end whether client code begins at an address: what lies further out is another's.
void stampede_meet_return(
    bool (*may_leave)(uint64_t place), bool (*is_end)(uint64_t place), void (*leave)(uint64_t place));

/// What was to be met is left in another way.
void stampede_forget_return(void);

#endif
