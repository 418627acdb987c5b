// The system's own functions behind ours of the same names.
#ifndef STAMPEDE_NEXT_H
#define STAMPEDE_NEXT_H

#include <dlfcn.h>

#if defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define STAMPEDE_STANDS_ASIDE 1
#endif
#endif

/// The next definition of a function in the order in which the program's libraries are searched, looked up once.
#define NEXT(name) ({ \
        static __typeof__(&name) found; \
        __typeof__(&name) next = __atomic_load_n(&found, __ATOMIC_RELAXED); \
        if (!next) { \
            next = (__typeof__(&name))dlsym(RTLD_NEXT, #name); \
            __atomic_store_n(&found, next, __ATOMIC_RELAXED); \
        } \
        next; \
    })

#endif
