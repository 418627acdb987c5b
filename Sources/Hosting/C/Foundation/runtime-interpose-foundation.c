// Foundation's own statics and waits, in front of the library's: client code calls them by their symbols, in Swift's calling
// convention.

#define _GNU_SOURCE
#include "FoundationCalls.h"
#include "methods.h"
#include "dispatch.h"
#include "model.h"
#include "next.h"

#include <dlfcn.h>
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

/// The library's own function of a symbol.
#define NEXT_SYMBOL(type, symbol) ({ \
        static type found; \
        type next = __atomic_load_n(&found, __ATOMIC_RELAXED); \
        if (!next) { \
            next = (type)dlsym(RTLD_NEXT, symbol); \
            __atomic_store_n(&found, next, __ATOMIC_RELAXED); \
        } \
        next; \
    })

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
    SWIFT void *name(SELF) { return stampede_top && calls.name ? calls.name() : NEXT_SYMBOL(getter, symbol)(self); }

OWN_OBJECT(standard_defaults, "$s10Foundation12UserDefaultsC8standardACvgZ")
OWN_OBJECT(new_defaults, "$s10Foundation12UserDefaultsCACycfC")
OWN_OBJECT(notification_center, "$s20FoundationEssentials18NotificationCenterC7defaultACvgZ")
OWN_OBJECT(main_operation_queue, "$s10Foundation14OperationQueueC4mainACvgZ")

OWN_OBJECT(url_session, "$s20FoundationNetworking10URLSessionC6sharedACvgZ")

// What sessions share is in their configurations. The program may do without all of it, so that it is looked up by name.

#define CONFIGURATION "$s20FoundationNetworking23URLSessionConfigurationC"
#define DEFAULT_CONFIGURATION CONFIGURATION "7defaultACvgZ"
#define COOKIES CONFIGURATION "17httpCookieStorageAA010HTTPCookieG0CSgv"
#define CACHE CONFIGURATION "8urlCacheAA8URLCacheCSgv"
typedef SWIFT void (*setter)(void *value, SELF);

void *stampede_make_web_storage(void) {
    getter ephemeral = (getter)dlsym(RTLD_DEFAULT, CONFIGURATION "9ephemeralACvgZ");
    void *of_configuration = dlsym(RTLD_DEFAULT, CONFIGURATION "N");
    return ephemeral && of_configuration ? ephemeral(of_configuration) : NULL;
}

/// What the app's own storage has for a property of configurations, retained; null outside apps.
static void *own_part(const char *symbol) {
    void *storage = stampede_top && calls.web_storage ? calls.web_storage() : NULL;
    if (!storage) return NULL;
    void *part = ((getter)dlsym(RTLD_DEFAULT, symbol))(storage);
    swift_release(storage);
    return part;
}

/// A static that a part of the app's own storage stands for.
#define OWN_PART(name, symbol, part) \
    INTERPOSED void *name(SELF) __asm__(symbol); \
    SWIFT void *name(SELF) { \
        void *own = own_part(part "g"); \
        return own ? own : NEXT_SYMBOL(getter, symbol)(self); \
    }

OWN_PART(shared_cookies, "$s20FoundationNetworking17HTTPCookieStorageC6sharedACvgZ", COOKIES)
OWN_PART(shared_cache, "$s20FoundationNetworking8URLCacheC6sharedACvgZ", CACHE)

INTERPOSED void *default_configuration(SELF) __asm__(DEFAULT_CONFIGURATION);
SWIFT void *default_configuration(SELF) {
    void *made = NEXT_SYMBOL(getter, DEFAULT_CONFIGURATION)(self);
    void *cookies = own_part(COOKIES "g");
    if (!cookies) return made;
    // A setter takes its value over.
    ((setter)dlsym(RTLD_DEFAULT, COOKIES "s"))(cookies, made);
    ((setter)dlsym(RTLD_DEFAULT, CACHE "s"))(own_part(CACHE "g"), made);
    return made;
}

typedef SWIFT void *(*session_maker)(void *configuration, SELF);

void *stampede_make_session(void) {
    session_maker make = (session_maker)dlsym(
        RTLD_DEFAULT, "$s20FoundationNetworking10URLSessionC13configurationAcA0C13ConfigurationC_tcfC");
    void *of_configuration = dlsym(RTLD_DEFAULT, CONFIGURATION "N");
    void *of_session = dlsym(RTLD_DEFAULT, "$s20FoundationNetworking10URLSessionCN");
    if (!make || !of_configuration || !of_session) return NULL;
    return make(default_configuration(of_configuration), of_session);
}

#define ENVIRONMENT "$s20FoundationEssentials11ProcessInfoC11environmentSDyS2SGvg"
INTERPOSED void *environment(SELF) __asm__(ENVIRONMENT);
SWIFT void *environment(SELF) {
    void *variables = NEXT_SYMBOL(getter, ENVIRONMENT)(self);
    return stampede_top && calls.environment ? calls.environment(variables) : variables;
}

#define SUITE "$s10Foundation12UserDefaultsC9suiteNameACSgSSSg_tcfC"
typedef SWIFT void *(*suite_maker)(uintptr_t first, uintptr_t second, SELF);
INTERPOSED void *suite_defaults(uintptr_t first, uintptr_t second, SELF) __asm__(SUITE);
SWIFT void *suite_defaults(uintptr_t first, uintptr_t second, SELF) {
    if (stampede_top && calls.suite_defaults) return calls.suite_defaults(first, second);
    return NEXT_SYMBOL(suite_maker, SUITE)(first, second, self);
}

// Optimised code makes the object itself, for `UserDefaults()` too, and has the library fill it.
#define FILL_SUITE "$s10Foundation12UserDefaultsC9suiteNameACSgSSSg_tcfc"
#define DEFAULTS_CLASS "$s10Foundation12UserDefaultsCN"
extern void swift_deallocUninitializedObject(void *object, size_t size, size_t alignment_mask);
INTERPOSED void *fill_suite_defaults(uintptr_t first, uintptr_t second, SELF) __asm__(FILL_SUITE);
SWIFT void *fill_suite_defaults(uintptr_t first, uintptr_t second, SELF) {
    const swift_class *made = *(const swift_class **)self;
    // A subclass of the client's fills its own part beside.
    bool is_own = stampede_top && calls.suite_defaults && made == NEXT_SYMBOL(const swift_class *, DEFAULTS_CLASS);
    if (!is_own) return NEXT_SYMBOL(suite_maker, FILL_SUITE)(first, second, self);
    swift_deallocUninitializedObject(self, made->instance_size, made->instance_alignment_mask);
    return calls.suite_defaults(first, second);
}

#define IS_MAIN "$s10Foundation6ThreadC06isMainB0SbvgZ"
INTERPOSED bool is_main_thread(SELF) __asm__(IS_MAIN);
SWIFT bool is_main_thread(SELF) {
    if (stampede_top) return stampede_is_on_main();
    return NEXT_SYMBOL(flag_getter, IS_MAIN)(self);
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

#define RUN_UNTIL "$s10Foundation7RunLoopC3run5untily0A10Essentials4DateV_tF"
typedef SWIFT void (*run_until_date)(double date, SELF);
INTERPOSED void run_until(double date, SELF) __asm__(RUN_UNTIL);
SWIFT void run_until(double date, SELF) {
    if (!stampede_top) return NEXT_SYMBOL(run_until_date, RUN_UNTIL)(date, self);
    MODEL;
    while (run_loop_run(delay_until_date(date), false) && delay_until_date(date) > 0) {}
}

#define RUN_BEFORE "$s10Foundation7RunLoopC3run4mode6beforeSbAC4ModeV_0A10Essentials4DateVtF"
typedef SWIFT bool (*run_before_date)(uint64_t mode, void *rest, double date, SELF);
INTERPOSED bool run_before(uint64_t mode, void *rest, double date, SELF) __asm__(RUN_BEFORE);
SWIFT bool run_before(uint64_t mode, void *rest, double date, SELF) {
    if (!stampede_top) return NEXT_SYMBOL(run_before_date, RUN_BEFORE)(mode, rest, date, self);
    MODEL;
    return run_loop_run(delay_until_date(date), true);
}

#define RUN "$s10Foundation7RunLoopC3runyyF"
typedef SWIFT void (*run_for_ever)(SELF);
INTERPOSED void run(SELF) __asm__(RUN);
SWIFT void run(SELF) {
    if (!stampede_top) return NEXT_SYMBOL(run_for_ever, RUN)(self);
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
    void *main_loop = NEXT_SYMBOL(getter, "$s10Foundation7RunLoopC4mainACvgZ")(dlsym(RTLD_DEFAULT, "$s10Foundation7RunLoopCN"));
    swift_release(main_loop);
    if (loop != main_loop && !stampede_is_on_main()) return false;
    closure *put = malloc(sizeof *put);
    *put = (closure){.function = (SWIFT void (*)(SELF))function, .context = swift_retain(context)};
    dispatch_async_f(_dispatch_main_q, put, run_closure);
    return true;
}

#define PERFORM "$s10Foundation7RunLoopC7performyyyyYbcF"
typedef SWIFT void (*performer)(void *function, void *context, SELF);
INTERPOSED void perform(void *function, void *context, SELF) __asm__(PERFORM);
SWIFT void perform(void *function, void *context, SELF) {
    if (stampede_top && performs_on_main(function, context, self)) return;
    NEXT_SYMBOL(performer, PERFORM)(function, context, self);
}

#define PERFORM_IN_MODES "$s10Foundation7RunLoopC7perform7inModes5blockySayAC4ModeVG_yyYbctF"
typedef SWIFT void (*performer_in_modes)(void *modes, void *function, void *context, SELF);
INTERPOSED void perform_in_modes(void *modes, void *function, void *context, SELF) __asm__(PERFORM_IN_MODES);
SWIFT void perform_in_modes(void *modes, void *function, void *context, SELF) {
    if (stampede_top && performs_on_main(function, context, self)) return;
    NEXT_SYMBOL(performer_in_modes, PERFORM_IN_MODES)(modes, function, context, self);
}

// MARK: Timers

/// A run loop serves its thread's timers. Only the main queue's thread lasts; others' timers never fire, as on a phone.
static void add(void *timer) {
    MODEL;
    if (stampede_is_on_main()) run_loop_add_timer(timer, time_at(calls.timer_date(timer), round));
}

#define MAKE_TIMER "$s10Foundation5TimerC4fire8interval7repeats5blockAC0A10Essentials4DateV_SdSbyACYbctcfC"
#define SCHEDULE "$s10Foundation5TimerC09scheduledB016withTimeInterval7repeats5blockACSd_SbyACYbctFZ"
#define CLASS_OF_TIMERS "$s10Foundation5TimerCN"
typedef SWIFT void *(*timer_maker)(double date, double interval, bool repeats, void *function, void *context, SELF);
typedef SWIFT void *(*timer_scheduler)(double interval, bool repeats, void *function, void *context, SELF);

INTERPOSED void *scheduled_timer(double interval, bool repeats, void *function, void *context, SELF) __asm__(SCHEDULE);
SWIFT void *scheduled_timer(double interval, bool repeats, void *function, void *context, SELF) {
    if (!stampede_top) return NEXT_SYMBOL(timer_scheduler, SCHEDULE)(interval, repeats, function, context, self);
    // An initialiser takes what it is given over.
    swift_retain(context);
    double date = calendar_offset() + (double)app_now(stampede_top->app) / 1e9 + interval;
    void *timer = NEXT_SYMBOL(timer_maker, MAKE_TIMER)(date, interval, repeats, function, context, self);
    add(timer);
    return timer;
}

// Methods that may be overridden are called through the table of their class.

#define SEARCH "$s20FoundationEssentials11FileManagerC4urls3for2inSayAA3URLVGAC19SearchPathDirectoryO_AC0iJ10DomainMaskVtF"
typedef SWIFT void *(*searcher)(uint8_t directory, uintptr_t domains, SELF);
static searcher next_search;

static SWIFT void *search(uint8_t directory, uintptr_t domains, SELF) {
    void *found = stampede_top && calls.search_urls ? calls.search_urls(directory, domains) : NULL;
    return found ? found : next_search(directory, domains, self);
}

#define ADD_TIMER "$s10Foundation7RunLoopC3add_7forModeyAA5TimerC_AC0F0VtF"
typedef SWIFT void (*timer_adder)(void *timer, uint64_t mode, void *rest, SELF);
static timer_adder next_add_timer;

static SWIFT void add_timer(void *timer, uint64_t mode, void *rest, SELF) {
    if (!stampede_top) return next_add_timer(timer, mode, rest, self);
    add(timer);
}

#define SET_FIRE_DATE "$s10Foundation5TimerC8fireDate0A10Essentials0D0Vvs"
typedef SWIFT void (*date_setter)(double date, SELF);
static date_setter next_set_fire_date;

static SWIFT void set_fire_date(double date, SELF) {
    next_set_fire_date(date, self);
    MODEL;
    if (stampede_top && run_loop_has_timer(self)) run_loop_add_timer(self, time_at(date, round));
}

#define INVALIDATE "$s10Foundation5TimerC10invalidateyyF"
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
    next_add_timer = (timer_adder)dlsym(RTLD_NEXT, ADD_TIMER);
    replace_method("$s10Foundation7RunLoopCN", (const void *)next_add_timer, (const void *)add_timer);
    next_search = (searcher)dlsym(RTLD_NEXT, SEARCH);
    replace_method("$s20FoundationEssentials11FileManagerCN", (const void *)next_search, (const void *)search);
    receipt_stand_in_front(calls.receipt_url);
    next_set_fire_date = (date_setter)dlsym(RTLD_NEXT, SET_FIRE_DATE);
    replace_method(CLASS_OF_TIMERS, (const void *)next_set_fire_date, (const void *)set_fire_date);
    next_invalidate = (invalidator)dlsym(RTLD_NEXT, INVALIDATE);
    replace_method(CLASS_OF_TIMERS, (const void *)next_invalidate, (const void *)invalidate);
}

#endif
