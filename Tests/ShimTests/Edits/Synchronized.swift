// Row: `objc_sync_enter` and `objc_sync_exit`

import Foundation

private final class LockedLedger {
    private let lock = NSRecursiveLock()

    func write() {
        #if EDITED
            lock.lock()
            defer { lock.unlock() }
        #else
            objc_sync_enter(self)
            defer { objc_sync_exit(self) }
        #endif
        print("delivered")
    }
}
