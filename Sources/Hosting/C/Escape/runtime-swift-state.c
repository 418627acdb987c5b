// What Swift's libraries keep of a thread, in variables of their own that each thread has: so many bytes for each library, which the
// dynamic linker tells of. And what they keep of all that they have warned of.

#define _GNU_SOURCE
#include "Runtime.h"
#include "swift-state.h"

#include <link.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

typedef struct {
    void *bytes;
    size_t size;
} own_part;

/// Of the calling thread.
static __thread own_part own[swift_libraries];
static __thread bool was_sought;

static const char *const names[swift_libraries] = {"/libswiftCore.so", "/libswift_Concurrency.so"};

/// Of Swift's library; it is looked at before each access to a variable.
extern bool _swift_disableExclusivityChecking __attribute__((weak));

/// Of Swift's library: where it keeps the text that a crash report would begin with. To each warning it puts a copy of all before
/// it, and lets go of none.
extern _Atomic(const char *) *swift_getFatalErrorMessageBuffer(void) __attribute__((weak));

static int find(struct dl_phdr_info *object, size_t size, void *ignored) {
    const char *name = object->dlpi_name ? strrchr(object->dlpi_name, '/') : NULL;
    for (int library = 0; name && library < swift_libraries; library++) {
        if (strcmp(name, names[library]) != 0) continue;
        for (int part = 0; part < object->dlpi_phnum; part++) {
            if (object->dlpi_phdr[part].p_type != PT_TLS) continue;
            own[library] = (own_part){object->dlpi_tls_data, object->dlpi_phdr[part].p_memsz};
        }
    }
    return 0;
}

static bool is_found(void) {
    if (!was_sought) {
        was_sought = true;
        dl_iterate_phdr(find, NULL);
    }
    for (int library = 0; library < swift_libraries; library++) {
        if (!own[library].bytes || own[library].size > swift_state_size_max) return false;
    }
    return true;
}

bool swift_state_save(swift_state *state) {
    state->is_whole = is_found();
    if (!state->is_whole) return false;
    for (int library = 0; library < swift_libraries; library++) {
        memcpy(state->bytes[library], own[library].bytes, own[library].size);
    }
    return true;
}

void swift_state_restore(const swift_state *state) {
    if (!state->is_whole) {
        if (&_swift_disableExclusivityChecking) _swift_disableExclusivityChecking = true;
        return;
    }
    for (int library = 0; library < swift_libraries; library++) {
        memcpy(own[library].bytes, state->bytes[library], own[library].size);
    }
}

void stampede_forget_warnings(void) {
    // The text stays: another thread may be copying it.
    if (swift_getFatalErrorMessageBuffer) atomic_store(swift_getFatalErrorMessageBuffer(), NULL);
}
