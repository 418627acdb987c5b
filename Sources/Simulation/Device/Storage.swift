// What survives an app process on a device: key-value pairs and files.
// Guard: confined to the device's lane.

package import Foundation

/// A value under a key.
package enum StorageValue: Sendable, Equatable {
    case integer(Int)
    case flag(Bool)
    case text(String)
    case bytes(Data)
}

/// One change of a key; a nil value removes it.
package struct StorageChange: Sendable {
    package let key: String
    package let value: StorageValue?

    package init(_ key: String, _ value: StorageValue?) {
        self.key = key
        self.value = value
    }
}

/// Durable storage of the app on one device.
///
/// Everything but the defaults is durable when the call returns. The defaults may have a flush delay:
/// what is not flushed yet is readable, and lost by a crash.
package final class DeviceStorage {
    @exclusivity(unchecked) private var durable: [String: StorageValue] = [:]
    @exclusivity(unchecked) private var unflushed: [String: StorageValue?] = [:]
    @exclusivity(unchecked) private var files: [String: Data] = [:]

    init() {}

    /// What the running app reads.
    package func value(_ key: String) -> StorageValue? {
        if !unflushed.isEmpty, let pending = unflushed[key] { return pending }
        return durable[key]
    }

    /// What a launch after a crash at this moment would read.
    package func durableValue(_ key: String) -> StorageValue? { durable[key] }

    /// Keys that would survive a crash, in order.
    package func durableKeys(prefix: String) -> [String] {
        durable.keys.filter { $0.hasPrefix(prefix) }.sorted()
    }

    package func file(_ path: String) -> Data? { files[path] }

    func write(_ key: String, _ value: StorageValue?) {
        if !unflushed.isEmpty { unflushed.removeValue(forKey: key) }
        durable[key] = value
    }

    func writeUnflushed(_ change: StorageChange) { unflushed[change.key] = .some(change.value) }

    func writeFile(_ path: String, _ contents: Data?) { files[path] = contents }

    var hasUnflushed: Bool { !unflushed.isEmpty }

    func flush() {
        for (key, value) in unflushed { durable[key] = value }
        unflushed.removeAll(keepingCapacity: true)
    }

    /// A crash: what was not flushed never was.
    func loseUnflushed() { unflushed.removeAll(keepingCapacity: true) }

    /// The app is deleted, and its data with it.
    func erase() {
        durable.removeAll()
        unflushed.removeAll()
        files.removeAll()
    }
}
