// What survives an app process on a device: key-value pairs and files.
// Guard: changed on the device's lane only. Where it is shared, changes are made under a lock, so that others may read;
// the lane itself, being the only writer, reads without.

package import Foundation

/// A value under a key.
package enum StorageValue: Sendable, Equatable {
    case integer(Int)
    case flag(Bool)
    case text(String)
    case bytes(Data)
    /// Anything else that a property list can hold, as one.
    case propertyList(Data)
}

/// Where something is kept.
package enum WrittenPlace: Sendable, Hashable {
    /// Of the defaults or of the app's own values.
    case key(String)
    /// Empty for files that client code changed through the system.
    case file(String)
    /// Of the keychain.
    case secret(String)

    /// How many names a write has at most; of what else it wrote there is only the number.
    package static let namesMax = 3
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
    /// Under the wall clock, where a client's own queues run beside the lane.
    let lock: NSLock?
    @exclusivity(unchecked) private var durable: [String: StorageValue] = [:]
    @exclusivity(unchecked) private var unflushed: [String: StorageValue?] = [:]
    @exclusivity(unchecked) private var files: [String: Data] = [:]
    /// The keychain, which outlives the app.
    @exclusivity(unchecked) package private(set) var secrets: [String: StorageValue] = [:]
    /// What was last read where only the lane reads: while goods are waited for, one key is read after every
    /// write, and comparing a key costs less than hashing it.
    @exclusivity(unchecked) private var recent: (key: String, value: StorageValue?)?

    init(isShared: Bool) { lock = isShared ? NSLock() : nil }

    @inline(__always)
    private func change(_ body: () -> Void) {
        guard let lock else { return body() }
        lock.withLock(body)
    }

    /// What the running app reads.
    package func value(_ key: String) -> StorageValue? {
        if !unflushed.isEmpty, let pending = unflushed[key] { return pending }
        return durable[key]
    }

    /// What a launch after a crash at this moment would read.
    package func durableValue(_ key: String) -> StorageValue? {
        if lock != nil { return durable[key] }
        if let recent, recent.key == key { return recent.value }
        let value = durable[key]
        recent = (key, value)
        return value
    }

    /// Everything the running app reads, by key.
    package var values: [String: StorageValue] {
        var values = durable
        for (key, value) in unflushed { values[key] = value }
        return values
    }

    package func file(_ path: String) -> Data? { files[path] }

    func write(_ key: String, _ value: StorageValue?) {
        change {
            if !unflushed.isEmpty { unflushed.removeValue(forKey: key) }
            durable[key] = value
            if let recent, recent.key == key { self.recent = (key, value) }
        }
    }

    func writeUnflushed(_ written: StorageChange) { change { unflushed[written.key] = .some(written.value) } }

    func writeFile(_ path: String, _ contents: Data?) { change { files[path] = contents } }

    func writeSecret(_ key: String, _ value: StorageValue?) { change { secrets[key] = value } }

    var hasUnflushed: Bool { !unflushed.isEmpty }

    /// The keys that are durable now, sorted.
    @discardableResult
    func flush() -> [String] {
        let keys = unflushed.keys.sorted()
        change {
            for (key, value) in unflushed { durable[key] = value }
            recent = nil
            unflushed.removeAll(keepingCapacity: true)
        }
        return keys
    }

    /// A crash: what was not flushed never was.
    ///
    /// - Returns: its keys, sorted.
    func loseUnflushed() -> [String] {
        if unflushed.isEmpty { return [] }
        let keys = unflushed.keys.sorted()
        change { unflushed.removeAll(keepingCapacity: true) }
        return keys
    }

    /// The app is deleted, and its data with it.
    func erase() {
        change {
            durable.removeAll()
            recent = nil
            unflushed.removeAll()
            files.removeAll()
        }
    }
}
