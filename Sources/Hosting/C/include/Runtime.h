// The app runtime: Dispatch and waits of client code are its device's, and under the virtual clock its clocks too.
// What is called here of an app under the virtual clock is called by the thread that holds the baton of its worker, except what
// says otherwise; of an app under the wall clock by any thread.
#ifndef STAMPEDE_RUNTIME_H
#define STAMPEDE_RUNTIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

/// One launch of an app, as the runtime knows it: its main queue, and whoever waits.
typedef struct stampede_app stampede_app;
/// A Dispatch queue of an app.
typedef struct stampede_queue stampede_queue;
/// A thread that waits in client code.
typedef struct stampede_waiter stampede_waiter;
/// Something that client code has put off.
typedef struct stampede_timer stampede_timer;
struct stampede_transfer;

/// The home of every app, as its code knows it.
#define STAMPEDE_HOME "/var/mobile/Containers/Data/Application/Stampede"

/// With what the name of the folder begins in which a run keeps its devices' files.
#define STAMPEDE_RUN_FOLDER "stampede-"

/// With what the names of homes begin in it, and of nothing else.
#define STAMPEDE_HOME_PREFIX "h"

/// What client code uses that no device has of its own.
typedef enum {
    stampede_outside_server,
    stampede_outside_file,
    stampede_outside_program,
    stampede_outside_connection,
    /// Under the virtual clock.
    stampede_outside_thread,
    stampede_outside_signal,
} stampede_outside;

/// What a thread waits for in client code.
typedef enum {
    stampede_waits_for_nothing,
    stampede_waits_for_semaphore,
    stampede_waits_for_group,
    stampede_waits_for_queue,
    stampede_waits_for_condition,
    stampede_waits_for_time,
} stampede_wait;

/// A scheduled event, to cancel it by.
typedef struct {
    uint64_t sequence;
    int64_t slot;
} stampede_ticket;

/// What the simulation does for the runtime. `process` is what `stampede_app_belongs` was given.
typedef struct {
    /// The device's time in nanoseconds since the simulated calendar began.
    int64_t (*now)(void *process);
    /// Has `stampede_queue_turn` called for the queue after what is due already, as the app's own work.
    void (*schedule_turn)(void *process, stampede_queue *queue, bool is_main);
    /// Has `stampede_timer_fire` called once `delay` has passed, as the app's own work.
    stampede_ticket (*schedule_timer)(void *process, stampede_timer *timer, int64_t delay, bool is_main);
    void (*cancel)(void *process, stampede_ticket ticket);
    /// The thread that holds the app's main queue is about to wait.
    void (*waits)(void *process);
    /// Gives the baton away until `stampede_host.wake` was called for this waiter.
    void (*park)(void *process, stampede_waiter *waiter);
    /// Hands the baton to a waiter, and returns when it comes back.
    void (*wake)(void *process, stampede_waiter *waiter);
    /// The thread that waits on the main queue was given up, and there is no way out of what it waits in. Does not return.
    void (*hangs)(void *process);
    /// The app did what ends it on a phone.
    void (*crash)(void *process, const char *reason);
    /// The calling thread is about to run code of this process; null if nobody wants to know.
    void (*entered)(void *process);
    /// Has `body` called where the device is simulated, for a thread that does not hold the baton.
    void (*hop)(void *process, void (*body)(void *), void *argument);
    /// Has the device look whether anything is left to happen. Any thread.
    void (*nudge)(void *process);
    /// Random bytes of the user's own stream.
    void (*fill_random)(void *process, void *bytes, size_t count);
    /// The app wrote to descriptor 1 or 2.
    void (*wrote)(void *process, int descriptor, const void *bytes, size_t count);

    // Files; on any thread of the app's.

    /// Where the files of the app's device are: an absolute path as long as `STAMPEDE_HOME`, with `STAMPEDE_RUN_FOLDER` in
    /// it, which stays.
    const char *(*home)(void *process);
    /// The app is about to change them. False if it ended before it could.
    bool (*file_changes)(void *process);
    /// It has, and what it changed is as it is to be.
    void (*file_changed)(void *process);
    /// The app uses something that is not its device's.
    void (*uses_outside)(void *process, stampede_outside kind, const char *name);
    /// The app makes a request over HTTP; the simulation holds the transfer until it releases it.
    void (*transfer)(void *process, struct stampede_transfer *transfer);

    // Under the wall clock, on any thread.

    /// Keeps the process for a thread of the client's own.
    void (*retain)(void *process);
    void (*release)(void *process);
    /// A thread that waits is woken, and goes on in a moment.
    void (*wakes)(void *process);
    /// The calling thread is about to wait, until it is woken or else for the system: others run in its place, and its
    /// device goes on.
    void (*wait_begins)(void *process, bool until_woken);
    /// It has waited. Returns when it may go on.
    void (*wait_ends)(void *process, bool until_woken);
    /// Has the calling thread go on where the main queue is served; false if it is there.
    bool (*goes_to_main)(void *process);
    void (*leaves_main)(void *process);
} stampede_host;

/// Puts the runtime in force: from here on client code of a virtual device gets its device's queues and clocks.
/// Once in a process, before any client code runs. False where this build's functions do not stand in front of the
/// system's: sanitizers have theirs in the same place.
bool stampede_runtime_install(const stampede_host *host, int64_t calendar_epoch_seconds);

/// Whether it is. Any thread.
bool stampede_runtime_in_force(void);

/// How many functions of the C library that ours stand in front of have not been looked up yet: none, once the program runs.
int stampede_next_pending(void);

/// Calls back with each symbol of Swift's libraries that the runtime needs and this program's libraries lack; libraries that the
/// program does without are not asked.
///
/// - Returns: how many it needs.
int stampede_swift_symbols(void (*missing)(const char *name, void *context), void *context);

// MARK: Apps

/// An app's side of the runtime.
///
/// Under the wall clock its threads run at once; under the virtual clock one after the other.
stampede_app *stampede_app_make(bool has_wall_clock);

/// Whose it is, from the beginning on. `process` is not retained.
void stampede_app_belongs(stampede_app *app, void *process);

/// The process has ended: nothing of it runs any more. Threads that wait in it never go on.
void stampede_app_end(stampede_app *app);

/// The same for one whose main queue waits for ever: the harness's own calls into it never go on either.
void stampede_app_abandon(stampede_app *app);

/// No event of the process is left: drops what its queues still hold.
void stampede_app_release(stampede_app *app);

/// Has Swift's library forget what it has warned of, such as leaked continuations, lest the texts fill the memory. Any thread.
void stampede_forget_warnings(void);

/// Is told where the functions go on that wait for one another in a task, the innermost first.
typedef void (*stampede_calls_told)(void *context, const void *const *calls, int count);

/// Calls `body` for each continuation of Swift's that waits to be resumed in the app, which runs nothing meanwhile. Any thread.
void stampede_each_continuation(stampede_app *app, stampede_calls_told body, void *context);

/// Calls `body` for each task that sleeps in the app.
void stampede_each_sleeper(stampede_app *app, stampede_calls_told body, void *context);

/// Tells of it, and returns true, if client code of an app that lives does it. Any thread.
///
/// - `name`: of what is used; empty where it has none.
bool stampede_uses_outside(stampede_outside kind, const char *name);

/// Who is told of a signal by which client code would end the process, on its thread: does not return where the app can be
/// left. Before there is client code.
void stampede_on_own_signal(void (*note)(int number));

/// What is open now is the harness's: client code can neither close it nor put something else in its place. In a worker,
/// before there is client code.
///
/// - `pipe`: the one by which it tells what it found.
void stampede_keep_descriptors(int pipe);

/// The path of a device's home, in memory that `stampede_home_free` takes back; beside it stands how much is in the
/// home.
const char *stampede_home_make(const char *path);
void stampede_home_free(const char *path);
/// It is empty again.
void stampede_home_erased(const char *path);

/// The return addresses of the calling thread's calls, the innermost first; how many there are. Any thread.
int stampede_calls(void **calls, int most);

/// Whether threads of the client's own run, which may wake whoever waits. Any thread.
bool stampede_app_has_threads(const stampede_app *app);

/// What the thread waits for that holds the main queue; nothing if none does.
stampede_wait stampede_app_main_wait(const stampede_app *app);

/// Has that thread leave the client code that it waits in, as `stampede_escape` does. Called in an event, if there is one.
void stampede_app_give_up_wait(stampede_app *app);


// MARK: Contexts

/// A piece of client code that runs, on the stack of who called it.
typedef struct stampede_frame {
    struct stampede_frame *under;
    stampede_app *app;
    stampede_queue *queue;
    /// Whether the thread stands for another one from here on: what lies below waits for what is above.
    bool is_separate;
    /// Whether StoreKit called it beside the main queue.
    bool is_background;
    /// Whether it is only asked what it holds: it must not wait.
    bool is_reading;
    /// Whether it is a turn of a queue's: nobody waits for it to return.
    bool is_turn;
} stampede_frame;

/// The top of the calling thread's frames; null outside client code.
extern _Thread_local stampede_frame *stampede_top;

/// The app whose code the calling thread runs; null outside client code. Any thread.
static inline stampede_app *stampede_current_app(void) { return stampede_top ? stampede_top->app : NULL; }

/// What the harness does for itself on a thread that runs client code is none of it. What `stampede_step_in` is given.
static inline stampede_frame *stampede_step_out(void) {
    stampede_frame *top = stampede_top;
    stampede_top = NULL;
    return top;
}
static inline void stampede_step_in(stampede_frame *top) { stampede_top = top; }

/// Whether client code has made the calling thread. In a signal's handler too.
bool stampede_is_thread_of_client(void);

/// The calling thread, which client code has made, runs none of it any more.
void stampede_thread_leave(void);

/// The process of the calling code; null outside client code. Any thread.
void *stampede_current_process(void);

/// Begins client code on the main queue of its app. Waits where another thread holds that queue; false if the app ended
/// meanwhile, and nothing begins.
bool stampede_begin(stampede_app *app, stampede_frame *frame);

/// The same beside the main queue, where nobody waits for anybody.
bool stampede_begin_beside(stampede_app *app, stampede_frame *frame);

/// The same on the queue that StoreKit calls observers on beside the main queue.
bool stampede_begin_background(stampede_app *app, stampede_frame *frame);

/// Begins asking client code, alive or dead, what it holds.
void stampede_begin_reading(stampede_app *app, stampede_frame *frame);

/// Ends what began last on this thread.
void stampede_end_frame(stampede_frame *frame);

/// Whether the calling code runs on its device's main queue. Any thread.
bool stampede_is_on_main(void);

/// Whether StoreKit called the calling code beside the main queue. Any thread.
bool stampede_is_in_background(void);

/// Files that the calling code has begun to write and not closed are as they are to be, as far as it is known.
void stampede_files_settle(void);

// MARK: What the simulation calls back

/// Runs what is first in line on a queue; where its process has ended, drops it.
void stampede_queue_turn(stampede_queue *queue);

/// Under the wall clock: the serial queue whose turns, and those of all queues that lead to it, have to come one after the
/// other in their order; null if the queue's own order is enough. Called in `schedule_turn`.
stampede_queue *stampede_queue_line(stampede_queue *queue);

/// Does what was put off until now; nothing where its process has ended.
void stampede_timer_fire(stampede_timer *timer);

/// The same under the wall clock, where the timer may have been cancelled and be gone. False if it was.
bool stampede_timer_fire_if_pending(stampede_app *app, const stampede_timer *timer, uint64_t serial);

/// What that start of a timer is called.
uint64_t stampede_timer_serial(const stampede_timer *timer);

/// A place for the simulation to keep what it knows of a waiter.
void **stampede_waiter_slot(stampede_waiter *waiter);

/// Places of the calling thread for the simulation: what it is under the virtual clock, and under the wall clock.
extern _Thread_local void *stampede_thread;
static inline void *stampede_thread_get(void) { return stampede_thread; }
static inline void stampede_thread_set(void *value) { stampede_thread = value; }

/// The calling thread's number, as the kernel counts them.
static inline int32_t stampede_thread_number(void) { return (int32_t)syscall(SYS_gettid); }
extern _Thread_local void *stampede_wall_thread;
static inline void *stampede_wall_thread_get(void) { return stampede_wall_thread; }
static inline void stampede_wall_thread_set(void *value) { stampede_wall_thread = value; }
/// The lane whose event it runs under the wall clock.
extern _Thread_local void *stampede_wall_lane;
static inline void *stampede_wall_lane_get(void) { return stampede_wall_lane; }
static inline void stampede_wall_lane_set(void *value) { stampede_wall_lane = value; }

// MARK: Jobs of Swift's tasks

/// Has `run` called with a job on the main queue of the calling code's app, or beside it, once `delay` nanoseconds have
/// passed. One of a process that has ended is forgotten, unless its tasks are being brought to their ends. False outside client
/// code. Any thread.
bool stampede_job_put(void *job, void (*run)(void *job), bool is_main, int64_t delay);

/// The app ends, and its tasks will be brought to their ends: their jobs are kept from here on. Of a task that sleeps, the
/// sleep has no end. `on_main` and `beside` are what jobs run by. Under the virtual clock, like the two that follow.
void stampede_tasks_begin_ending(stampede_app *app, void (*on_main)(void *job), void (*beside)(void *job));
/// Runs their jobs on the calling thread, and those that they put, up to a number. In code of the app.
void stampede_tasks_run_last(stampede_app *app, int count_max);
/// Forgets the jobs that are left.
void stampede_tasks_have_ended(stampede_app *app);

/// How many there were since it was last asked, of all apps of this process. Any thread.
int64_t stampede_jobs_taken(void);

/// The calling code belongs on the main queue and is elsewhere, which ends an app on a phone.
void stampede_job_refused(void);

// MARK: The system's own, whatever the context

/// `clock_gettime` of the system.
int64_t stampede_real_nanoseconds(int clock);

// MARK: Escapes

/// Whether an address lies in the function that client code is left to: what was called before it is the harness's.
bool stampede_is_try(uint64_t place);

/// The calling thread will not go on, and holds nothing of the runtime's from here on.
void stampede_locks_drop(void);

/// Leaves the client code that the calling thread runs: who has called it by `stampede_try` goes on. Comes back where that is
/// not possible. In a signal's handler too.
void stampede_escape(void);

#endif
