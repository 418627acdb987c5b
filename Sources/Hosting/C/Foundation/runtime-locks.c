// Locks of client code while it is asked what it holds. That is asked in the middle of what it does, so that whoever writes
// under a lock, and reads under it, would wait for itself: what the code holds is passed, and is held again afterwards.

#define _GNU_SOURCE
#include "model.h"
#include "modules.h"
#include "next.h"
#include "swift-symbols.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

/// A lock that was passed; of Swift's the word that it is.
typedef struct {
    void *lock;
    uint32_t word;
    bool is_swifts;
} passed;

enum { passed_max = 16 };
static _Thread_local passed list[passed_max];
static _Thread_local int count;

void locks_are_read(void) {
    while (count > 0) {
        passed *last = &list[--count];
        if (last->is_swifts) __atomic_store_n((uint32_t *)last->lock, last->word, __ATOMIC_RELEASE);
    }
}

#ifndef STAMPEDE_STANDS_ASIDE

static bool is_reading(void) { return stampede_top && stampede_top->is_reading; }

/// Whether one that `owner` holds can be passed: it is the code's own, or of a thread that cannot go on before this one does.
static bool may_pass(uint32_t owner) {
    return count < passed_max && (!stampede_top->app->has_wall_clock || owner == (uint32_t)gettid());
}

// The program's own calls of these functions come here too: theirs are asked for by name.

void runtime_lock(pthread_mutex_t *mutex) { NEXT(pthread_mutex_lock)(mutex); }

static int lock(pthread_mutex_t *mutex) {
    if (!is_reading()) return NEXT(pthread_mutex_lock)(mutex);
    int result = pthread_mutex_trylock(mutex);
    if (result != EBUSY) return result;
    if (!may_pass((uint32_t)mutex->__data.__owner)) return NEXT(pthread_mutex_lock)(mutex);
    list[count++] = (passed){.lock = mutex};
    return 0;
}

static int unlock(pthread_mutex_t *mutex) {
    for (int place = count - 1; place >= 0; place -= 1) {
        if (list[place].lock != mutex) continue;
        list[place] = list[--count];
        return 0;
    }
    return NEXT(pthread_mutex_unlock)(mutex);
}

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

/// Of a `Mutex`, which is a word with the number of the thread that holds it.
typedef SWIFT void lock_slowly(uint32_t thread, SELF void *word);
static lock_slowly *next_lock_slowly;

static SWIFT void lock_swifts(uint32_t thread, SELF void *candidate) {
    enum { owner_bits = 0x3fffffff };
    uint32_t *word = candidate, known = __atomic_load_n(word, __ATOMIC_ACQUIRE);
    if (!is_reading() || (known & owner_bits) == 0 || !may_pass(known & owner_bits)) return next_lock_slowly(thread, word);
    list[count++] = (passed){.lock = word, .word = known, .is_swifts = true};
    // So that the reading code can let go of it.
    __atomic_store_n(word, thread, __ATOMIC_RELEASE);
}

/// The program, with what stands in a package, and Foundation, whose locks these are.
static bool uses_locks_of_client(const char *path) {
    if (strstr(path, "/libFoundation.so")) return true;
    return strstr(path, "/lib/swift/linux/") == NULL && strncmp(path, "/lib", 4) != 0 && strncmp(path, "/usr/", 5) != 0;
}

void locks_stand_in_front(void) {
    next_lock_slowly = SWIFT_FOUND(lock_slowly *, MUTEX_LOCK_SLOWLY);
    const stand_in functions[] = {
        {"pthread_mutex_lock", lock},
        {"pthread_mutex_unlock", unlock},
        {MUTEX_LOCK_SLOWLY, lock_swifts},
    };
    modules_exchange(functions, sizeof functions / sizeof *functions, uses_locks_of_client);
}

#else

void runtime_lock(pthread_mutex_t *mutex) { pthread_mutex_lock(mutex); }

#endif
