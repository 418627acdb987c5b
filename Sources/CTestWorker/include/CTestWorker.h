// A test program that was started again, to run a command in place of its tests.
#ifndef STAMPEDE_TEST_WORKER_H
#define STAMPEDE_TEST_WORKER_H

/// The variable of the environment that says so, with the client's type as Swift mangles it.
#define STAMPEDE_TEST_CLIENT "STAMPEDE_TEST_CLIENT"

#endif
