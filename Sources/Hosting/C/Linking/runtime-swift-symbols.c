// Looks up symbols of Swift's libraries, and says which of those that the runtime needs a program's libraries lack.

#define _GNU_SOURCE
#include "swift-symbols.h"
#include "Runtime.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>

static void *look_up(const stampede_swift_symbol *symbol) {
    return dlsym(symbol->is_next ? RTLD_NEXT : RTLD_DEFAULT, symbol->name);
}

void *stampede_swift_look_up(stampede_swift_symbol *symbol) {
    void *found = look_up(symbol);
    __atomic_store_n(&symbol->found, found, __ATOMIC_RELAXED);
    return found;
}

// Of this program alone. Weak: where the runtime stands aside, few are used, or none.
extern stampede_swift_symbol __start_stampede_swift[] __attribute__((visibility("hidden"), weak));
extern stampede_swift_symbol __stop_stampede_swift[] __attribute__((visibility("hidden"), weak));

/// How much of a mangled name says which module it is of: `$s`, the length of the module's name, and the name.
static size_t module_length(const char *name) {
    size_t place = 2, length = 0;
    for (; name[place] >= '0' && name[place] <= '9'; place += 1) length = 10 * length + (size_t)(name[place] - '0');
    return length ? place + length : 3;
}

/// Whether a library is part of the program: it has something of the module.
static bool has_module(const char *name) {
    size_t length = module_length(name);
    for (stampede_swift_symbol *other = __start_stampede_swift; other < __stop_stampede_swift; other += 1) {
        if (strncmp(other->name, name, length) == 0 && look_up(other)) return true;
    }
    return false;
}

int stampede_swift_symbols(void (*missing)(const char *name, void *context), void *context) {
    int count = 0;
    for (stampede_swift_symbol *symbol = __start_stampede_swift; symbol < __stop_stampede_swift; symbol += 1) {
        count += 1;
        if (!look_up(symbol) && has_module(symbol->name)) missing(symbol->name, context);
    }
    return count;
}
