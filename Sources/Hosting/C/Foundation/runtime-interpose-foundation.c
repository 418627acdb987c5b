// Foundation's own statics and waits, in front of the library's: client code calls them by their symbols, in Swift's calling
// convention.

#define _GNU_SOURCE
#include "FoundationCalls.h"
#include "methods.h"
#include "dispatch.h"
#include "model.h"
#include "next.h"
#include "swift-symbols.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

static stampede_foundation calls;

#ifdef STAMPEDE_STANDS_ASIDE

void stampede_foundation_install(const stampede_foundation *given) {
    calls = *given;
    receipt_stand_in_front(calls.receipt_url);
}
void *stampede_make_session(void) { return NULL; }
void *stampede_make_web_storage(void) { return NULL; }

#else

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *self
/// Weak for the reason that the functions of dispatch.h are.
#define INTERPOSED SWIFT __attribute__((weak))

extern void *swift_retain(void *object);
extern void swift_release(void *object);

/// The beginning of a class, as the library lays it out.
typedef struct {
    uintptr_t kind;
    const void *superclass;
    uint32_t flags, instance_address_point, instance_size;
    uint16_t instance_alignment_mask;
} swift_class;

typedef SWIFT void *(*getter)(SELF);
typedef SWIFT bool (*flag_getter)(SELF);

/// An object that is each device's own.
#define OWN_OBJECT(name, symbol) \
    INTERPOSED void *name(SELF) __asm__(symbol); \
    SWIFT void *name(SELF) { return stampede_top && calls.name ? calls.name() : SWIFT_NEXT(getter, symbol)(self); }

OWN_OBJECT(standard_defaults, DEFAULTS_STANDARD)
OWN_OBJECT(new_defaults, DEFAULTS_NEW)
OWN_OBJECT(notification_center, NOTIFICATION_CENTER)
OWN_OBJECT(main_operation_queue, OPERATION_QUEUE_MAIN)
OWN_OBJECT(url_session, SESSION_SHARED)

// What sessions share is in their configurations. The program may do without all of it, so that it is looked up by name.

typedef SWIFT void (*setter)(void *value, SELF);

void *stampede_make_web_storage(void) {
    getter ephemeral = SWIFT_FOUND(getter, CONFIGURATION_EPHEMERAL);
    void *of_configuration = SWIFT_FOUND(void *, CONFIGURATION_CLASS);
    return ephemeral && of_configuration ? ephemeral(of_configuration) : NULL;
}

/// What the app's own storage has for a property of configurations, retained; null outside apps.
static void *own_part(getter part_of) {
    void *storage = stampede_top && calls.web_storage ? calls.web_storage() : NULL;
    if (!storage) return NULL;
    void *part = part_of(storage);
    swift_release(storage);
    return part;
}

/// A static that a part of the app's own storage stands for.
#define OWN_PART(name, symbol, part) \
    INTERPOSED void *name(SELF) __asm__(symbol); \
    SWIFT void *name(SELF) { \
        void *own = own_part(SWIFT_FOUND(getter, part)); \
        return own ? own : SWIFT_NEXT(getter, symbol)(self); \
    }

OWN_PART(shared_cookies, COOKIES_SHARED, CONFIGURATION_COOKIES)
OWN_PART(shared_cache, CACHE_SHARED, CONFIGURATION_CACHE)

INTERPOSED void *default_configuration(SELF) __asm__(CONFIGURATION_DEFAULT);
SWIFT void *default_configuration(SELF) {
    void *made = SWIFT_NEXT(getter, CONFIGURATION_DEFAULT)(self);
    void *cookies = own_part(SWIFT_FOUND(getter, CONFIGURATION_COOKIES));
    if (!cookies) return made;
    // A setter takes its value over.
    SWIFT_FOUND(setter, CONFIGURATION_SET_COOKIES)(cookies, made);
    SWIFT_FOUND(setter, CONFIGURATION_SET_CACHE)(own_part(SWIFT_FOUND(getter, CONFIGURATION_CACHE)), made);
    return made;
}

typedef SWIFT void *(*session_maker)(void *configuration, SELF);

void *stampede_make_session(void) {
    session_maker make = SWIFT_FOUND(session_maker, SESSION_NEW);
    void *of_configuration = SWIFT_FOUND(void *, CONFIGURATION_CLASS);
    void *of_session = SWIFT_FOUND(void *, SESSION_CLASS);
    if (!make || !of_configuration || !of_session) return NULL;
    return make(default_configuration(of_configuration), of_session);
}

INTERPOSED void *environment(SELF) __asm__(ENVIRONMENT);
SWIFT void *environment(SELF) {
    void *variables = SWIFT_NEXT(getter, ENVIRONMENT)(self);
    return stampede_top && calls.environment ? calls.environment(variables) : variables;
}

typedef SWIFT void *(*suite_maker)(uintptr_t first, uintptr_t second, SELF);
INTERPOSED void *suite_defaults(uintptr_t first, uintptr_t second, SELF) __asm__(DEFAULTS_NEW_SUITE);
SWIFT void *suite_defaults(uintptr_t first, uintptr_t second, SELF) {
    if (stampede_top && calls.suite_defaults) return calls.suite_defaults(first, second);
    return SWIFT_NEXT(suite_maker, DEFAULTS_NEW_SUITE)(first, second, self);
}

// Optimised code makes the object itself, for `UserDefaults()` too, and has the library fill it.
extern void swift_deallocUninitializedObject(void *object, size_t size, size_t alignment_mask);
INTERPOSED void *fill_suite_defaults(uintptr_t first, uintptr_t second, SELF) __asm__(DEFAULTS_FILL_SUITE);
SWIFT void *fill_suite_defaults(uintptr_t first, uintptr_t second, SELF) {
    const swift_class *made = *(const swift_class **)self;
    // A subclass of the client's fills its own part beside.
    bool is_own = stampede_top && calls.suite_defaults && made == SWIFT_NEXT(const swift_class *, DEFAULTS_CLASS);
    if (!is_own) return SWIFT_NEXT(suite_maker, DEFAULTS_FILL_SUITE)(first, second, self);
    swift_deallocUninitializedObject(self, made->instance_size, made->instance_alignment_mask);
    return calls.suite_defaults(first, second);
}

INTERPOSED bool is_main_thread(SELF) __asm__(THREAD_IS_MAIN);
SWIFT bool is_main_thread(SELF) {
    if (stampede_top) return stampede_is_on_main();
    return SWIFT_NEXT(flag_getter, THREAD_IS_MAIN)(self);
}

// MARK: Run loops

/// From the beginning of Foundation's calendar to that of the device's time, in seconds.
static double calendar_offset(void) {
    double epoch = is_on_wall_clock()
        ? (double)(stampede_real_nanoseconds(CLOCK_REALTIME) - app_now(stampede_top->app)) / 1e9
        : (double)stampede_calendar_epoch;
    return epoch - 978307200;
}

/// The device's time at a date, rounded to microseconds: a date says no more.
static int64_t time_at(double date, double (*rounded)(double)) {
    double seconds = date - calendar_offset();
    return seconds > 9e9 ? FOREVER : (int64_t)rounded(seconds * 1e6) * 1000;
}

static int64_t delay_until_date(double date) {
    int64_t time = time_at(date, ceil), now = app_now(stampede_top->app);
    if (time == FOREVER) return FOREVER;
    return time <= now ? 0 : time - now;
}

typedef SWIFT void (*run_until_date)(double date, SELF);
INTERPOSED void run_until(double date, SELF) __asm__(RUN_LOOP_RUN_UNTIL);
SWIFT void run_until(double date, SELF) {
    if (!stampede_top) return SWIFT_NEXT(run_until_date, RUN_LOOP_RUN_UNTIL)(date, self);
    MODEL;
    while (run_loop_run(delay_until_date(date), false) && delay_until_date(date) > 0) {}
}

typedef SWIFT bool (*run_before_date)(uint64_t mode, void *rest, double date, SELF);
INTERPOSED bool run_before(uint64_t mode, void *rest, double date, SELF) __asm__(RUN_LOOP_RUN_BEFORE);
SWIFT bool run_before(uint64_t mode, void *rest, double date, SELF) {
    if (!stampede_top) return SWIFT_NEXT(run_before_date, RUN_LOOP_RUN_BEFORE)(mode, rest, date, self);
    MODEL;
    return run_loop_run(delay_until_date(date), true);
}

typedef SWIFT void (*run_for_ever)(SELF);
INTERPOSED void run(SELF) __asm__(RUN_LOOP_RUN);
SWIFT void run(SELF) {
    if (!stampede_top) return SWIFT_NEXT(run_for_ever, RUN_LOOP_RUN)(self);
    MODEL;
    while (run_loop_run(FOREVER, false)) {}
}

/// A closure of Swift's, retained.
typedef struct {
    SWIFT void (*function)(SELF);
    void *context;
} closure;

static void run_closure(void *argument) {
    closure taken = *(closure *)argument;
    free(argument);
    taken.function(taken.context);
    swift_release(taken.context);
}

/// What the main run loop is to perform is a block of the main queue. False for the run loop of a thread that does not last,
/// which performs nothing.
static bool performs_on_main(void *function, void *context, void *loop) {
    void *main_loop = SWIFT_FOUND(getter, RUN_LOOP_MAIN)(SWIFT_FOUND(void *, RUN_LOOP_CLASS));
    swift_release(main_loop);
    if (loop != main_loop && !stampede_is_on_main()) return false;
    closure *put = malloc(sizeof *put);
    *put = (closure){.function = (SWIFT void (*)(SELF))function, .context = swift_retain(context)};
    dispatch_async_f(_dispatch_main_q, put, run_closure);
    return true;
}

typedef SWIFT void (*performer)(void *function, void *context, SELF);
INTERPOSED void perform(void *function, void *context, SELF) __asm__(RUN_LOOP_PERFORM);
SWIFT void perform(void *function, void *context, SELF) {
    if (stampede_top && performs_on_main(function, context, self)) return;
    SWIFT_NEXT(performer, RUN_LOOP_PERFORM)(function, context, self);
}

typedef SWIFT void (*performer_in_modes)(void *modes, void *function, void *context, SELF);
INTERPOSED void perform_in_modes(void *modes, void *function, void *context, SELF) __asm__(RUN_LOOP_PERFORM_IN_MODES);
SWIFT void perform_in_modes(void *modes, void *function, void *context, SELF) {
    if (stampede_top && performs_on_main(function, context, self)) return;
    SWIFT_NEXT(performer_in_modes, RUN_LOOP_PERFORM_IN_MODES)(modes, function, context, self);
}

// MARK: Timers

/// A run loop serves its thread's timers. Only the main queue's thread lasts; others' timers never fire, as on a phone.
static void add(void *timer) {
    MODEL;
    if (stampede_is_on_main()) run_loop_add_timer(timer, time_at(calls.timer_date(timer), round));
}

typedef SWIFT void *(*timer_maker)(double date, double interval, bool repeats, void *function, void *context, SELF);
typedef SWIFT void *(*timer_scheduler)(double interval, bool repeats, void *function, void *context, SELF);

INTERPOSED void *scheduled_timer(double interval, bool repeats, void *function, void *context, SELF) __asm__(TIMER_SCHEDULE);
SWIFT void *scheduled_timer(double interval, bool repeats, void *function, void *context, SELF) {
    if (!stampede_top) return SWIFT_NEXT(timer_scheduler, TIMER_SCHEDULE)(interval, repeats, function, context, self);
    // An initialiser takes what it is given over.
    swift_retain(context);
    double date = calendar_offset() + (double)app_now(stampede_top->app) / 1e9 + interval;
    void *timer = SWIFT_NEXT(timer_maker, TIMER_NEW)(date, interval, repeats, function, context, self);
    add(timer);
    return timer;
}

// Methods that may be overridden are called through the table of their class.

typedef SWIFT void *(*searcher)(uint8_t directory, uintptr_t domains, SELF);
static searcher next_search;

static SWIFT void *search(uint8_t directory, uintptr_t domains, SELF) {
    void *found = stampede_top && calls.search_urls ? calls.search_urls(directory, domains) : NULL;
    return found ? found : next_search(directory, domains, self);
}

typedef SWIFT void (*timer_adder)(void *timer, uint64_t mode, void *rest, SELF);
static timer_adder next_add_timer;

static SWIFT void add_timer(void *timer, uint64_t mode, void *rest, SELF) {
    if (!stampede_top) return next_add_timer(timer, mode, rest, self);
    add(timer);
}

typedef SWIFT void (*date_setter)(double date, SELF);
static date_setter next_set_fire_date;

static SWIFT void set_fire_date(double date, SELF) {
    next_set_fire_date(date, self);
    MODEL;
    if (stampede_top && run_loop_has_timer(self)) run_loop_add_timer(self, time_at(date, round));
}

typedef SWIFT void (*invalidator)(SELF);
static invalidator next_invalidate;

static SWIFT void invalidate(SELF) {
    next_invalidate(self);
    MODEL;
    if (stampede_top) run_loop_remove_timer(self);
}

static int64_t interval_of(void *timer) { return (int64_t)(calls.timer_interval(timer) * 1e9); }

static void set_due(void *timer, int64_t due) { next_set_fire_date(calendar_offset() + (double)due / 1e9, timer); }

void stampede_foundation_install(const stampede_foundation *given) {
    // What sessions share is made outside client code, and belongs to no device.
    swift_release(stampede_make_session());
    calls = *given;
    stampede_run_loop_calls = (run_loop_timer_calls){.fire = calls.fire_timer, .interval = interval_of, .set_due = set_due};
    next_add_timer = SWIFT_NEXT(timer_adder, RUN_LOOP_ADD_TIMER);
    replace_method(SWIFT_FOUND(const void **, RUN_LOOP_CLASS), (const void *)next_add_timer, (const void *)add_timer);
    next_search = SWIFT_NEXT(searcher, FILES_SEARCH);
    replace_method(SWIFT_FOUND(const void **, FILES_CLASS), (const void *)next_search, (const void *)search);
    receipt_stand_in_front(calls.receipt_url);
    const void **of_timers = SWIFT_FOUND(const void **, TIMER_CLASS);
    next_set_fire_date = SWIFT_NEXT(date_setter, TIMER_SET_FIRE_DATE);
    replace_method(of_timers, (const void *)next_set_fire_date, (const void *)set_fire_date);
    next_invalidate = SWIFT_NEXT(invalidator, TIMER_INVALIDATE);
    replace_method(of_timers, (const void *)next_invalidate, (const void *)invalidate);
}

#endif
