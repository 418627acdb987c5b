// Looks up the system's own functions: those of the C library when the program is loaded, the others when they are used.

#define _GNU_SOURCE
#include "next.h"
#include "Runtime.h"

#include <dlfcn.h>
#include <string.h>

void *stampede_next_look_up(stampede_next *entry) {
    void *next = entry->version ? dlvsym(RTLD_NEXT, entry->name, entry->version) : NULL;
    if (!next) next = dlsym(RTLD_NEXT, entry->name);
    __atomic_store_n(&entry->found, next, __ATOMIC_RELAXED);
    return next;
}

#ifdef STAMPEDE_STANDS_ASIDE

int stampede_next_pending(void) { return 0; }

#else

// Of this program alone.
extern stampede_next __start_stampede_next[] __attribute__((visibility("hidden")));
extern stampede_next __stop_stampede_next[] __attribute__((visibility("hidden")));

/// Whether every program has it: it is the C library's, and has been for long.
static bool is_always_there(const stampede_next *entry) {
    static const char *const others[] = {"dispatch_", "curl_", "swift_", "arc4random"};
    for (size_t place = 0; place < sizeof others / sizeof *others; place += 1) {
        if (strncmp(entry->name, others[place], strlen(others[place])) == 0) return false;
    }
    return true;
}

/// The C library frees the message of a failed look-up at the next one, and a look-up from within that `free` would free it
/// a second time. Allocators ask for the time and more, now and then: so what they may call is looked up before anything fails.
__attribute__((constructor)) static void look_up_all(void) {
    for (stampede_next *entry = __start_stampede_next; entry < __stop_stampede_next; entry += 1) {
        if (is_always_there(entry)) stampede_next_look_up(entry);
    }
}

int stampede_next_pending(void) {
    int count = 0;
    for (stampede_next *entry = __start_stampede_next; entry < __stop_stampede_next; entry += 1) {
        if (is_always_there(entry) && !entry->found) count += 1;
    }
    return count;
}

#endif
