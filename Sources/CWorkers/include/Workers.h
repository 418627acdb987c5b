// Processes that work for this one.
#ifndef STAMPEDE_WORKERS_H
#define STAMPEDE_WORKERS_H

#include <sys/types.h>

/// Forks a worker: 0 in the worker, its number here, below 0 with `errno` where there can be none. Called by a process
/// with one thread. The worker has a session of its own, so that no terminal sends it signals; takes signals as if it
/// had just been started; and is killed when the calling thread's process ends, however that does.
pid_t stampede_fork_worker(void);

/// A pipe with room for so many bytes, if the system allows for them. What is read from it does not block, and no program
/// that is started meanwhile has it: 0, or below 0 with `errno`.
int stampede_make_pipe(int ends[2], int size);

/// The signal that a status of `waitpid` tells of; 0 for a process that ended by itself.
int stampede_signal_of(int status);

/// What a process that ended by itself returned.
int stampede_code_of(int status);

#endif
