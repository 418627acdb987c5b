// The files of the app on one device: real ones, in a folder of its own that client code knows as its home.
// Any thread, except what says otherwise.

internal import CRuntime
internal import Foundation
internal import Synchronization

/// A folder of this run, made when client code first names a path in it.
struct DeviceHome: ~Copyable, Sendable {
    /// Where its path is in memory, allocated by `stampede_home_make`; 0: there is none yet.
    private let place = Atomic<UInt>(0)

    /// Counts the homes of this process.
    private static let latest = Atomic<Int>(0)
    private static let lock = NSLock()

    /// What an app finds there when it is first launched.
    private static let folders = ["", "/Documents", "/Library", "/Library/Caches", "/Library/Preferences", "/tmp"]

    deinit { stampede_home_free(known) }

    private var known: UnsafePointer<CChar>? { UnsafePointer(bitPattern: place.load(ordering: .acquiring)) }

    /// The path on this machine.
    /// It is as long as the path that client code knows, so that either fits in the other's place.
    /// Valid as long as the device.
    var path: UnsafePointer<CChar> {
        if let known { return known }
        return Self.lock.withLock {
            if let known { return known }
            let path = Self.path(Self.latest.add(1, ordering: .relaxed).newValue)
            RunFolder.make()
            Self.fill(path)
            guard let copy = stampede_home_make(path) else { preconditionFailure("no memory for a path") }
            place.store(UInt(bitPattern: copy), ordering: .releasing)
            return copy
        }
    }

    private static func path(_ number: Int) -> String {
        let start = RunFolder.path + "/" + STAMPEDE_HOME_PREFIX
        let digits = String(number)
        let zeros = STAMPEDE_HOME.utf8.count - start.utf8.count - digits.utf8.count
        return start + String(repeating: "0", count: max(0, zeros)) + digits
    }

    private static func fill(_ path: String) {
        for folder in folders { mkdir(path + folder, 0o700) }
    }

    /// The app is deleted, and its files with it. Where no client code runs.
    func erase() {
        guard let known else { return }
        remove()
        stampede_home_erased(known)
        Self.fill(String(cString: known))
    }

    /// Where no client code runs.
    func remove() {
        guard let known else { return }
        try? FileManager.default.removeItem(atPath: String(cString: known))
    }
}
