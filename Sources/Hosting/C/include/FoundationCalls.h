// What client code calls of Foundation by name, and is each simulated device's own.
#ifndef STAMPEDE_FOUNDATION_CALLS_H
#define STAMPEDE_FOUNDATION_CALLS_H

#include <stdbool.h>
#include <stdint.h>

/// What answers in Foundation's place for client code of a virtual device. Objects are returned retained.
typedef struct {
    /// `UserDefaults.standard`.
    void *(*standard_defaults)(void);
    /// `UserDefaults()`.
    void *(*new_defaults)(void);
    /// `UserDefaults(suiteName:)`, with the words of an optional string, which it takes over.
    void *(*suite_defaults)(uintptr_t first, uintptr_t second);
    /// `NotificationCenter.default`.
    void *(*notification_center)(void);
    /// `URLSession.shared`.
    void *(*url_session)(void);
    /// What the app's sessions share, a `URLSessionConfiguration.ephemeral`: its cookies and its cache.
    void *(*web_storage)(void);
    /// `ProcessInfo.environment`, with what the system has, which it takes over.
    void *(*environment)(void *variables);
    /// `OperationQueue.main`.
    void *(*main_operation_queue)(void);
    /// `FileManager.urls(for:in:)`, with the words of its enumeration and mask. Null: as the system has it.
    void *(*search_urls)(uint8_t directory, uintptr_t domains);
    /// `Bundle.main.appStoreReceiptURL`: an optional URL as its two words, the first of them retained.
    void (*receipt_url)(void *words[2]);
    /// Has a timer fire.
    void (*fire_timer)(void *timer);
    /// When it will fire, in seconds of Foundation's calendar.
    double (*timer_date)(void *timer);
    /// In seconds; 0 if it fires once, negative if it is invalid.
    double (*timer_interval)(void *timer);
} stampede_foundation;

/// A session as `URLSession.shared` is, retained; for client code that has called its getter. Null where the program does
/// without that module.
void *stampede_make_session(void);

/// A configuration with cookies and a cache of its own, retained. Null where the program does without that module.
void *stampede_make_web_storage(void);

/// `Process.run()` and `Process.run(_:arguments:terminationHandler:)`, as Foundation has them; null where it has no such method.
const void *stampede_process_run(void);
const void *stampede_process_run_url(void);

/// Once in a process, before any client code runs.
void stampede_foundation_install(const stampede_foundation *calls);

#endif
