// Before the program's `main`: there is one thread then, of which workers can be forked, and no code of the tests has run.

#include "CTestWorker.h"

#include <stdlib.h>

/// Swift's. Does not return.
extern void stampede_test_worker_begin(const char *client);

// Of tests that are built for coverage; null in other programs.
extern void __llvm_profile_initialize_file(void) __attribute__((weak));
extern int __llvm_profile_register_write_file_atexit(void) __attribute__((weak));

__attribute__((constructor)) static void begin(void) {
    const char *client = getenv(STAMPEDE_TEST_CLIENT);
    if (!client) return;
    // Its own turn to begin would come after this function, which does not return.
    if (__llvm_profile_initialize_file && __llvm_profile_register_write_file_atexit) {
        __llvm_profile_initialize_file();
        __llvm_profile_register_write_file_atexit();
    }
    stampede_test_worker_begin(client);
}
