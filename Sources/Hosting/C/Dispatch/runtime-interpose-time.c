// Clocks, sleeping and condition variables: those of POSIX and Dispatch, in front of the system's. Under the wall clock they are the
// system's, but who waits there lets others run meanwhile.

#define _GNU_SOURCE
#include "dispatch.h"
#include "model.h"
#include "next.h"

#include <errno.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

enum { billion = 1000000000 };

/// Whether the calling thread runs client code under the virtual clock.
static bool is_virtual(void) { return stampede_top && !stampede_top->app->has_wall_clock; }

static int64_t uptime_now(void) { return app_now(stampede_top->app) + UPTIME_EPOCH; }
static int64_t calendar_now(void) { return app_now(stampede_top->app) + stampede_calendar_epoch * billion; }

// MARK: Dispatch's times
//
// From 0 on as the library encodes them: since the start of the machine; with the upper bits, on another clock, or
// nanoseconds of the calendar, negated.

enum { dispatch_now = 0, dispatch_wall_now = 1 };

static int64_t real_nanoseconds(clockid_t clock);

int64_t delay_until(uint64_t when) {
    if (when == UINT64_MAX) return FOREVER;
    if (when == dispatch_now || when == (uint64_t)-2) return 0;
    if (when >> 63) {
        int64_t now = is_virtual() ? calendar_now() : real_nanoseconds(CLOCK_REALTIME);
        return -(int64_t)when - now;
    }
    uint64_t value = when & ((UINT64_C(1) << 62) - 1);
    return (int64_t)value - (is_virtual() ? uptime_now() : real_nanoseconds(CLOCK_MONOTONIC));
}

#ifdef STAMPEDE_STANDS_ASIDE

static int64_t real_nanoseconds(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (int64_t)time.tv_sec * billion + time.tv_nsec;
}

#else

static int64_t real_nanoseconds(clockid_t clock) {
    struct timespec time;
    NEXT(clock_gettime)(clock, &time);
    return (int64_t)time.tv_sec * billion + time.tv_nsec;
}

uint64_t dispatch_time(uint64_t when, int64_t delta) {
    if (!is_virtual() || (when != dispatch_now && when != (UINT64_C(1) << 62))) {
        return when == (uint64_t)-2 && is_virtual() ? dispatch_walltime(NULL, delta) : NEXT(dispatch_time)(when, delta);
    }
    int64_t now = uptime_now();
    if (delta > 0 && now > INT64_MAX / 4 - delta) return UINT64_MAX;
    int64_t then = now + delta;
    return (uint64_t)(then < 1 ? 1 : then) | when;
}

uint64_t dispatch_walltime(const struct timespec *when, int64_t delta) {
    if (!is_virtual()) return NEXT(dispatch_walltime)(when, delta);
    int64_t start = when ? (int64_t)when->tv_sec * billion + when->tv_nsec : calendar_now();
    if (delta > 0 && start > INT64_MAX - delta) return UINT64_MAX;
    int64_t then = start + delta;
    return (uint64_t)(then <= 1 ? -3 : -then);
}

// MARK: Clocks

static bool counts_calendar(clockid_t clock) { return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE; }

static bool is_clock_of_device(clockid_t clock) {
    switch (clock) {
    case CLOCK_REALTIME: case CLOCK_REALTIME_COARSE: case CLOCK_MONOTONIC: case CLOCK_MONOTONIC_RAW:
    case CLOCK_MONOTONIC_COARSE: case CLOCK_BOOTTIME:
        return true;
    default: return false;
    }
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    if (!is_virtual() || !is_clock_of_device(clock)) {
        // Before anything can be looked up, and the allocator asks for the time before that.
        if (!stampede_is_in_force) return (int)syscall(SYS_clock_gettime, clock, time);
        return NEXT(clock_gettime)(clock, time);
    }
    int64_t now = counts_calendar(clock) ? calendar_now() : uptime_now();
    time->tv_sec = now / billion;
    time->tv_nsec = now % billion;
    return 0;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
    if (!is_virtual()) return NEXT(gettimeofday)(time, zone);
    int64_t now = calendar_now();
    time->tv_sec = now / billion;
    time->tv_usec = now % billion / 1000;
    return 0;
}

time_t time(time_t *into) {
    if (!is_virtual()) return NEXT(time)(into);
    time_t now = calendar_now() / billion;
    if (into) *into = now;
    return now;
}

int timespec_get(struct timespec *time, int base) {
    if (!is_virtual() || base != TIME_UTC) return NEXT(timespec_get)(time, base);
    clock_gettime(CLOCK_REALTIME, time);
    return base;
}

// MARK: Sleeping

/// Waits in the system.
#define IN_THE_SYSTEM(call) ({ \
        wait_begins(); \
        int result = call; \
        wait_ends(); \
        result; \
    })

static void sleep_for(int64_t delay) {
    if (delay <= 0 || !may_wait()) return;
    stampede_waiter waiter = {.app = stampede_top->app, .what = stampede_waits_for_time};
    waiter_wait(&waiter, delay, NULL);
}

int nanosleep(const struct timespec *wanted, struct timespec *left) {
    if (is_on_wall_clock()) return IN_THE_SYSTEM(NEXT(nanosleep)(wanted, left));
    if (!stampede_top || !wanted) return NEXT(nanosleep)(wanted, left);
    int64_t delay = (int64_t)wanted->tv_sec * billion + wanted->tv_nsec;
    // `Thread.sleep` comes back for what is left, which may be less than a nanosecond: time has to pass for it.
    sleep_for(delay > 0 ? delay : 1);
    if (left) *left = (struct timespec){0};
    return 0;
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *wanted, struct timespec *left) {
    if (is_on_wall_clock()) return IN_THE_SYSTEM(NEXT(clock_nanosleep)(clock, flags, wanted, left));
    if (!stampede_top || !wanted || !is_clock_of_device(clock)) return NEXT(clock_nanosleep)(clock, flags, wanted, left);
    int64_t then = (int64_t)wanted->tv_sec * billion + wanted->tv_nsec;
    if (flags & TIMER_ABSTIME) then -= counts_calendar(clock) ? calendar_now() : uptime_now();
    sleep_for(then);
    return 0;
}

int usleep(useconds_t microseconds) {
    if (is_on_wall_clock()) return IN_THE_SYSTEM(NEXT(usleep)(microseconds));
    if (!stampede_top) return NEXT(usleep)(microseconds);
    sleep_for((int64_t)microseconds * 1000);
    return 0;
}

unsigned sleep(unsigned seconds) {
    if (is_on_wall_clock()) return (unsigned)IN_THE_SYSTEM((int)NEXT(sleep)(seconds));
    if (!stampede_top) return NEXT(sleep)(seconds);
    sleep_for((int64_t)seconds * billion);
    return 0;
}

// MARK: Condition variables
//
// Looked up by their version: without it the oldest one is found, of another layout.

#define NEXT_CONDITION(name) NEXT_NAMED(name, #name, "GLIBC_2.3.2")

/// Who waits under the wall clock holds the mutex when it is woken, and may be needed by whoever it then has to wait for: it is
/// let go of meanwhile. Whoever waits for a condition looks again anyway.
#define WAIT_WITH(mutex, begins, call, ends) ({ \
        begins; \
        int result = call; \
        pthread_mutex_unlock(mutex); \
        ends; \
        pthread_mutex_lock(mutex); \
        result; \
    })

static int wait_for_condition(pthread_cond_t *condition, pthread_mutex_t *mutex) {
    stampede_waiter waiter = {.app = stampede_top->app};
    return WAIT_WITH(
        mutex, condition_wait_begins(&waiter, condition), NEXT_CONDITION(pthread_cond_wait)(condition, mutex),
        condition_wait_ends(&waiter, condition));
}

int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
    if (is_on_wall_clock()) return wait_for_condition(condition, mutex);
    if (!may_wait()) return NEXT_CONDITION(pthread_cond_wait)(condition, mutex);
    condition_wait(condition, mutex, FOREVER);
    return 0;
}

int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *until) {
    if (is_on_wall_clock()) {
        return WAIT_WITH(mutex, wait_begins(), NEXT_CONDITION(pthread_cond_timedwait)(condition, mutex, until), wait_ends());
    }
    if (!may_wait()) return NEXT_CONDITION(pthread_cond_timedwait)(condition, mutex, until);
    int64_t then = (int64_t)until->tv_sec * billion + until->tv_nsec;
    // A condition variable may be told to count from the start of the machine: that is long before any date.
    int64_t delay = then - (then < stampede_calendar_epoch * billion / 2 ? uptime_now() : calendar_now());
    return condition_wait(condition, mutex, delay) ? 0 : ETIMEDOUT;
}

int pthread_cond_signal(pthread_cond_t *condition) {
    if (is_virtual() && condition_signal(condition, false)) return 0;
    if (is_on_wall_clock()) condition_tell(condition, false);
    return NEXT_CONDITION(pthread_cond_signal)(condition);
}

int pthread_cond_broadcast(pthread_cond_t *condition) {
    if (is_virtual()) condition_signal(condition, true);
    if (is_on_wall_clock()) condition_tell(condition, true);
    return NEXT_CONDITION(pthread_cond_broadcast)(condition);
}

#endif

int64_t stampede_real_nanoseconds(int clock) { return real_nanoseconds(clock); }
