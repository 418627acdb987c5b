// Whose goods are being read on this thread.
// A pthread key: reading goods happens at every purchase, and binding a task-local allocates.

internal import Foundation

/// The process that client code is asked about, outside any call of its own.
enum ReadingProcess {
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        let failure = pthread_key_create(&key, nil)
        precondition(failure == 0, "no key for the process that is read: \(failure)")
        return key
    }()

    static var current: AppProcess? {
        pthread_getspecific(key).map { Unmanaged<AppProcess>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Runs `body` with the static entry points of StoreKit and of the glue finding this process, dead or alive.
    static func read(_ process: AppProcess, _ body: () -> Void) {
        let before = pthread_getspecific(key)
        pthread_setspecific(key, Unmanaged.passUnretained(process).toOpaque())
        body()
        pthread_setspecific(key, before)
    }
}
