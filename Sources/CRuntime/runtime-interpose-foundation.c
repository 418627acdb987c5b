// Foundation's own statics and waits, in front of the library's: client code calls them by their symbols, in Swift's calling
// convention.

#define _GNU_SOURCE
#include "FoundationCalls.h"
#include "model.h"
#include "next.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static stampede_foundation calls;

#ifdef STAMPEDE_STANDS_ASIDE

void stampede_foundation_install(const stampede_foundation *given) { calls = *given; }

#else

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *self

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

typedef SWIFT void *(*getter)(SELF);
typedef SWIFT bool (*flag_getter)(SELF);

#define DEFAULTS "$s10Foundation12UserDefaultsC8standardACvgZ"
SWIFT void *standard_defaults(SELF) __asm__(DEFAULTS);
SWIFT void *standard_defaults(SELF) {
    if (stampede_top && calls.standard_defaults) return calls.standard_defaults();
    return NEXT_SYMBOL(getter, DEFAULTS)(self);
}

#define MAIN_QUEUE "$s10Foundation14OperationQueueC4mainACvgZ"
SWIFT void *main_operation_queue(SELF) __asm__(MAIN_QUEUE);
SWIFT void *main_operation_queue(SELF) {
    if (stampede_top && calls.main_operation_queue) return calls.main_operation_queue();
    return NEXT_SYMBOL(getter, MAIN_QUEUE)(self);
}

#define IS_MAIN "$s10Foundation6ThreadC06isMainB0SbvgZ"
SWIFT bool is_main_thread(SELF) __asm__(IS_MAIN);
SWIFT bool is_main_thread(SELF) {
    if (stampede_top) return stampede_is_on_main();
    return NEXT_SYMBOL(flag_getter, IS_MAIN)(self);
}

// MARK: Run loops

/// From the beginning of Foundation's calendar to that of the system's, in seconds.
static const double reference_date = 978307200;

static int64_t delay_until_date(double date) {
    double now = stampede_top->app->has_wall_clock
        ? (double)stampede_real_nanoseconds(CLOCK_REALTIME) / 1e9
        : (double)stampede_calendar_epoch + (double)app_now(stampede_top->app) / 1e9;
    double left = date + reference_date - now;
    if (left > 9e9) return FOREVER;
    return left <= 0 ? 0 : (int64_t)(left * 1e9);
}

#define RUN_UNTIL "$s10Foundation7RunLoopC3run5untily0A10Essentials4DateV_tF"
typedef SWIFT void (*run_until_date)(double date, SELF);
SWIFT void run_until(double date, SELF) __asm__(RUN_UNTIL);
SWIFT void run_until(double date, SELF) {
    if (!stampede_top) return NEXT_SYMBOL(run_until_date, RUN_UNTIL)(date, self);
    run_loop_run(delay_until_date(date), false);
}

#define RUN_BEFORE "$s10Foundation7RunLoopC3run4mode6beforeSbAC4ModeV_0A10Essentials4DateVtF"
typedef SWIFT bool (*run_before_date)(uint64_t mode, void *rest, double date, SELF);
SWIFT bool run_before(uint64_t mode, void *rest, double date, SELF) __asm__(RUN_BEFORE);
SWIFT bool run_before(uint64_t mode, void *rest, double date, SELF) {
    if (!stampede_top) return NEXT_SYMBOL(run_before_date, RUN_BEFORE)(mode, rest, date, self);
    run_loop_run(delay_until_date(date), true);
    return true;
}

#define RUN "$s10Foundation7RunLoopC3runyyF"
typedef SWIFT void (*run_for_ever)(SELF);
SWIFT void run(SELF) __asm__(RUN);
SWIFT void run(SELF) {
    if (!stampede_top) return NEXT_SYMBOL(run_for_ever, RUN)(self);
    run_loop_run(FOREVER, false);
}

// MARK: Timers

/// A run loop serves its thread's timers. Only the main queue's thread lasts; others' timers never fire, as on a phone.
static void add(void *timer) {
    if (calls.add_timer && stampede_is_on_main()) calls.add_timer(timer);
}

extern void *swift_retain(void *object);

#define MAKE_TIMER "$s10Foundation5TimerC12timeInterval7repeats5blockACSd_SbyACYbctcfC"
#define SCHEDULE "$s10Foundation5TimerC09scheduledB016withTimeInterval7repeats5blockACSd_SbyACYbctFZ"
typedef SWIFT void *(*timer_maker)(double interval, bool repeats, void *function, void *context, SELF);
SWIFT void *scheduled_timer(double interval, bool repeats, void *function, void *context, SELF) __asm__(SCHEDULE);
SWIFT void *scheduled_timer(double interval, bool repeats, void *function, void *context, SELF) {
    if (!stampede_top) return NEXT_SYMBOL(timer_maker, SCHEDULE)(interval, repeats, function, context, self);
    // An initialiser takes what it is given over.
    swift_retain(context);
    void *timer = NEXT_SYMBOL(timer_maker, MAKE_TIMER)(interval, repeats, function, context, self);
    add(timer);
    return timer;
}

// `RunLoop.add(_:forMode:)` may be overridden, and is called through the table of the class.

#define ADD_TIMER "$s10Foundation7RunLoopC3add_7forModeyAA5TimerC_AC0F0VtF"
typedef SWIFT void (*timer_adder)(void *timer, uint64_t mode, void *rest, SELF);
static timer_adder next_add_timer;

static SWIFT void add_timer(void *timer, uint64_t mode, void *rest, SELF) {
    if (!stampede_top) return next_add_timer(timer, mode, rest, self);
    add(timer);
}

/// Puts ours in the place of a method in the table of its class.
static void replace_method(const char *class_symbol, const void *method, const void *ours) {
    enum { words_at_most = 512 };
    const void **words = dlsym(RTLD_DEFAULT, class_symbol);
    if (!words || !method) return;
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    for (int place = 0; place < words_at_most; place += 1) {
        if (words[place] != method) continue;
        uintptr_t start = (uintptr_t)&words[place] & ~(page - 1);
        mprotect((void *)start, 2 * page, PROT_READ | PROT_WRITE);
        words[place] = ours;
        return;
    }
}

void stampede_foundation_install(const stampede_foundation *given) {
    calls = *given;
    next_add_timer = (timer_adder)dlsym(RTLD_NEXT, ADD_TIMER);
    replace_method("$s10Foundation7RunLoopCN", (const void *)next_add_timer, (const void *)add_timer);
}

#endif
