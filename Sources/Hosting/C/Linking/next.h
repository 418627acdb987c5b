// The system's own functions behind ours of the same names.
#ifndef STAMPEDE_NEXT_H
#define STAMPEDE_NEXT_H

#if defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define STAMPEDE_STANDS_ASIDE 1
#endif
#endif

/// A function that is looked up once. All of them stand in one section, side by side: size and alignment are the same.
typedef struct {
    const char *name;
    /// Null: the default one.
    const char *version;
    void *found;
} __attribute__((aligned(32))) stampede_next;

/// The next definition of a function in the order in which the program's libraries are searched; null if there is none.
void *stampede_next_look_up(stampede_next *entry);

#define NEXT_NAMED(function, text, version) ({ \
        static stampede_next entry __attribute__((section("stampede_next"), used)) = {text, version, 0}; \
        void *next = __atomic_load_n(&entry.found, __ATOMIC_RELAXED); \
        (__typeof__(&function))(next ? next : stampede_next_look_up(&entry)); \
    })

#define NEXT(function) NEXT_NAMED(function, #function, 0)

#endif
