// Symbols of Swift's libraries that ours stand in front of, call, or take the place of. They belong to one version of the
// libraries: each is looked up by `SWIFT_NEXT` or `SWIFT_FOUND`, which also has it looked for at the start of a program.
#ifndef STAMPEDE_SWIFT_SYMBOLS_H
#define STAMPEDE_SWIFT_SYMBOLS_H

// MARK: Swift 6.3: Foundation

#define BUNDLE_CLASS "$s10Foundation6BundleCN"
#define BUNDLE_MAIN "$s10Foundation6BundleC4mainACvgZ"
#define BUNDLE_RECEIPT_URL "$s10Foundation6BundleC18appStoreReceiptURL0A10Essentials0F0VSgvg"
#define DEFAULTS_CLASS "$s10Foundation12UserDefaultsCN"
#define DEFAULTS_FILL_SUITE "$s10Foundation12UserDefaultsC9suiteNameACSgSSSg_tcfc"
#define DEFAULTS_NEW "$s10Foundation12UserDefaultsCACycfC"
#define DEFAULTS_NEW_SUITE "$s10Foundation12UserDefaultsC9suiteNameACSgSSSg_tcfC"
#define DEFAULTS_STANDARD "$s10Foundation12UserDefaultsC8standardACvgZ"
#define ENVIRONMENT "$s20FoundationEssentials11ProcessInfoC11environmentSDyS2SGvg"
#define FILES_CLASS "$s20FoundationEssentials11FileManagerCN"
#define FILES_SEARCH \
    "$s20FoundationEssentials11FileManagerC4urls3for2inSayAA3URLVGAC19SearchPathDirectoryO_AC0iJ10DomainMaskVtF"
#define NOTIFICATION_CENTER "$s20FoundationEssentials18NotificationCenterC7defaultACvgZ"
#define OPERATION_QUEUE_MAIN "$s10Foundation14OperationQueueC4mainACvgZ"
#define PROCESS_RUN "$s10Foundation7ProcessC3runyyKF"
#define PROCESS_RUN_URL \
    "$s10Foundation7ProcessC3run_9arguments18terminationHandlerAC0A10Essentials3URLV_SaySSGyACYbcSgtKFZ"
#define RUN_LOOP_ADD_TIMER "$s10Foundation7RunLoopC3add_7forModeyAA5TimerC_AC0F0VtF"
#define RUN_LOOP_CLASS "$s10Foundation7RunLoopCN"
#define RUN_LOOP_MAIN "$s10Foundation7RunLoopC4mainACvgZ"
#define RUN_LOOP_PERFORM "$s10Foundation7RunLoopC7performyyyyYbcF"
#define RUN_LOOP_PERFORM_IN_MODES "$s10Foundation7RunLoopC7perform7inModes5blockySayAC4ModeVG_yyYbctF"
#define RUN_LOOP_RUN "$s10Foundation7RunLoopC3runyyF"
#define RUN_LOOP_RUN_BEFORE "$s10Foundation7RunLoopC3run4mode6beforeSbAC4ModeV_0A10Essentials4DateVtF"
#define RUN_LOOP_RUN_UNTIL "$s10Foundation7RunLoopC3run5untily0A10Essentials4DateV_tF"
#define THREAD_IS_MAIN "$s10Foundation6ThreadC06isMainB0SbvgZ"
#define TIMER_CLASS "$s10Foundation5TimerCN"
#define TIMER_INVALIDATE "$s10Foundation5TimerC10invalidateyyF"
#define TIMER_NEW "$s10Foundation5TimerC4fire8interval7repeats5blockAC0A10Essentials4DateV_SdSbyACYbctcfC"
#define TIMER_SCHEDULE "$s10Foundation5TimerC09scheduledB016withTimeInterval7repeats5blockACSd_SbyACYbctFZ"
#define TIMER_SET_FIRE_DATE "$s10Foundation5TimerC8fireDate0A10Essentials0D0Vvs"

// MARK: Swift 6.3: FoundationNetworking, which a program may do without

#define CACHE_SHARED "$s20FoundationNetworking8URLCacheC6sharedACvgZ"
#define CONFIGURATION "$s20FoundationNetworking23URLSessionConfigurationC"
#define CONFIGURATION_CACHE CONFIGURATION "8urlCacheAA8URLCacheCSgvg"
#define CONFIGURATION_CLASS CONFIGURATION "N"
#define CONFIGURATION_COOKIES CONFIGURATION "17httpCookieStorageAA010HTTPCookieG0CSgvg"
#define CONFIGURATION_DEFAULT CONFIGURATION "7defaultACvgZ"
#define CONFIGURATION_EPHEMERAL CONFIGURATION "9ephemeralACvgZ"
#define CONFIGURATION_SET_CACHE CONFIGURATION "8urlCacheAA8URLCacheCSgvs"
#define CONFIGURATION_SET_COOKIES CONFIGURATION "17httpCookieStorageAA010HTTPCookieG0CSgvs"
#define COOKIES_SHARED "$s20FoundationNetworking17HTTPCookieStorageC6sharedACvgZ"
#define SESSION_CLASS "$s20FoundationNetworking10URLSessionCN"
#define SESSION_NEW "$s20FoundationNetworking10URLSessionC13configurationAcA0C13ConfigurationC_tcfC"
#define SESSION_SHARED "$s20FoundationNetworking10URLSessionC6sharedACvgZ"

// MARK: Swift 6.3: the standard library

#define CHECKED_CONTINUATION "$ss23withCheckedContinuation9isolation8function_xScA_pSgYi_SSyScCyxs5NeverOGXEtYalF"
#define CHECKED_THROWING_CONTINUATION \
    "$ss31withCheckedThrowingContinuation9isolation8function_xScA_pSgYi_SSyScCyxs5Error_pGXEtYaKlF"
/// Of an asynchronous function: what its caller has to know.
#define ASYNC_POINTER "Tu"
#define MUTEX_LOCK_SLOWLY "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"

// MARK: Looking them up

/// One of them. All stand in one section, side by side: size and alignment are the same.
typedef struct {
    const char *name;
    /// In the libraries behind this program alone.
    int is_next;
    void *found;
} __attribute__((aligned(32))) stampede_swift_symbol;

/// Null if no library of the program has it.
void *stampede_swift_look_up(stampede_swift_symbol *symbol);

#define SWIFT_LOOKED_UP(type, text, is_next) ({ \
        static stampede_swift_symbol entry __attribute__((section("stampede_swift"), used)) = {text, is_next, 0}; \
        void *found = __atomic_load_n(&entry.found, __ATOMIC_RELAXED); \
        (type)(found ? found : stampede_swift_look_up(&entry)); \
    })

/// The library's own, behind ours of the same name.
#define SWIFT_NEXT(type, text) SWIFT_LOOKED_UP(type, text, 1)
/// What every module of the program has by that name.
#define SWIFT_FOUND(type, text) SWIFT_LOOKED_UP(type, text, 0)

#endif
