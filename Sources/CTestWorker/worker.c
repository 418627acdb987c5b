// Before the program's `main`: there is one thread then, of which workers can be forked, and no code of the tests has run.

#include "CTestWorker.h"

#include <stdlib.h>

/// Swift's. Does not return.
extern void stampede_test_worker_begin(const char *client);

__attribute__((constructor)) static void begin(void) {
    const char *client = getenv(STAMPEDE_TEST_CLIENT);
    if (client) stampede_test_worker_begin(client);
}
