// What Swift's libraries keep of the calling thread: which task it runs, and which variables it is in the middle of using.
#ifndef STAMPEDE_SWIFT_STATE_H
#define STAMPEDE_SWIFT_STATE_H

#include <stdbool.h>

enum { swift_libraries = 2, swift_state_size_max = 64 };

typedef struct {
    /// False: nothing is known of it, and nothing will be put back.
    bool is_whole;
    unsigned char bytes[swift_libraries][swift_state_size_max];
} swift_state;

/// Takes it down. False where the libraries are not to be found.
bool swift_state_save(swift_state *state);

/// Puts it back, when code has been left in the middle since: what that had begun is on a stack that is used again. Where it was
/// not taken down, Swift's library keeps no account of accesses from here on. On the same thread.
void swift_state_restore(const swift_state *state);

#endif
