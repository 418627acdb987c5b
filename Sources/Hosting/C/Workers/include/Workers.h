// Processes that work for this one.
#ifndef STAMPEDE_WORKERS_H
#define STAMPEDE_WORKERS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// Forks a worker: 0 in the worker, its number here, below 0 with `errno` where there can be none. Called by a process
/// with one thread. The worker has a session of its own, so that no terminal sends it signals; takes signals as if it
/// had just been started; and is killed when the calling thread's process ends, however that does.
pid_t stampede_fork_worker(void);

/// A pipe with room for so many bytes, if the system allows for them. What is read from it does not block, and no program
/// that is started meanwhile has it: 0, or below 0 with `errno`.
int stampede_make_pipe(int ends[2], int size);

/// Starts a program that reads from this one and says at its end what became of it: its number, below 0 with `errno` where there can
/// be none. It has a session of its own, as workers have; none of our descriptors but `input` and `output`, and nothing to complain
/// to; and the signals by which people and schedulers ask programs to end are blocked in it. Makes no thread.
///
/// \param input what is written there it reads; does not block.
/// \param output what it writes is read there.
pid_t stampede_start_helper(const char *path, char *const arguments[], int *input, int *output);

/// In a helper: from here on those signals are ignored, or do what they do in others. They are blocked no more.
void stampede_ignore_stop_signals(bool ignores);

/// From here on what this worker does by system calls reaches no other process and fills no disk: it can send signals to
/// nobody outside, where the kernel has Landlock for that, and no file grows beyond 1 GiB. Before it has a second thread.
void stampede_fence_worker(void);

/// Whether the kernel has what keeps signals within a worker. Any thread.
bool stampede_can_fence_signals(void);

/// `write`, whatever the calling thread runs.
ssize_t stampede_send(int descriptor, const void *bytes, size_t count);

/// The signal that a status of `waitpid` tells of; 0 for a process that ended by itself.
int stampede_signal_of(int status);

/// What a process that ended by itself returned.
int stampede_code_of(int status);

/// How many addresses a last note has room for.
#define STAMPEDE_CALLS_MAX 24

/// What a process notes in the moment of its death, where others can read it.
typedef struct {
    /// 0 as long as it lives, or where it ended by itself.
    int64_t signal;
    /// Whether it sent that signal to itself, by a function such as `kill`.
    int64_t is_own;
    /// Whether another process sent it that signal.
    int64_t is_sent;
    /// The function by which it ended by itself: a text that lasts; else null.
    const char *call;
    /// Client code had been left in the middle before, somewhere in the process.
    int64_t is_after_leaving;
    /// Whether the thread that died ran client code.
    int64_t is_clients;
    /// Whether client code had made it, and it serves no call.
    int64_t is_clients_own;
    int64_t count;
    /// Where it died, and the calls that led there, the innermost first.
    uint64_t calls[STAMPEDE_CALLS_MAX];
} stampede_last_note;

/// Whether the calling thread is to leave client code that does not come back, and whether it may at some address.
typedef enum { stampede_stays, stampede_leaves_elsewhere, stampede_leaves_here } stampede_leaving;

/// From here on a fault of this process writes such a note, and then ends it as the system does.
///
/// \param note null: each thread has its own.
/// \param escape called before that, on the thread that has the fault: it may leave what cannot go on, and then does not
/// return. Null: there is no way out.
/// \param is_end whether an address lies where it leads to.
/// \param is_clients whether the calling thread runs client code; `is_clients_own`: is a thread that client code has made.
/// \param may_leave whether client code may be left at an address, where it computes or waits for the system; null: it is not
/// interrupted.
void stampede_note_death(
    stampede_last_note *note, bool (*is_clients)(void), bool (*is_clients_own)(void), stampede_leaving (*may_leave)(uint64_t place, bool waits),
    void (*escape)(void), bool (*is_end)(uint64_t place));

/// Where each thread has a note of its own: where that of the one goes which brings the process down.
void stampede_share_last_words(stampede_last_note *note);

/// Whether client code that was left where such a note was written held no lock of a library's: it ended the process by a trap of
/// the compiler's or Swift's, or a function such as `exit`, and only its own code and the harness's had called one another.
bool stampede_left_cleanly(const stampede_last_note *note);

/// Has the thread that runs client code, if it is at such a place right now, leave it by `escape`.
void stampede_interrupt_clients(void);

/// The same of one thread.
void stampede_interrupt_thread(pthread_t thread);

/// Gives the calling thread a stack for that: its own may be the one that has no room left. From here on it can be interrupted.
void stampede_own_fault_stack(void);

/// The thread is about to end, and its stack for faults with it.
void stampede_drop_fault_stack(void);

/// From here on the process ends with a status, and with a text on the standard error, where a fault comes outside client code
/// after some has been left in the middle: it may have broken the memory of all. Only where threads have notes of their own.
///
/// \param text lasts.
void stampede_end_when_broken(const char *text, int status);

/// What the calling thread does until the same with false is not client code, whatever it was called from.
void stampede_tells(bool begins);

/// The calling thread's own note.
stampede_last_note *stampede_own_note(void);

/// The same of the calling thread, which is about to end the process by a function such as `exit`.
///
/// \param call its name, a text that lasts.
void stampede_note_exit(const char *call);

/// The same of one that is about to end the process by sending it a signal.
void stampede_note_signal(int number);

#endif
