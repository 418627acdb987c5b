// The keychain of a device. Items that apps keep in it outlive the apps, even their deletion.
// Any thread. `lock` holds a search and the write that follows it together. The lock is recursive: during a write the
// harness asks the client for its holdings.

internal import AppleCoreTypes
internal import Foundation
internal import Simulation
internal import StoreKit

/// The keychain as one launch of an app uses it.
final class Keychain: @unchecked Sendable {  // Guard: `lock`.
    private let process: AppProcess
    private let lock = NSRecursiveLock()

    private init(_ process: AppProcess) { self.process = process }

    /// The keychain of the device whose code is running; in a plain unit test the process's.
    static var current: Keychain {
        let process = CurrentProcess.found(for: "the keychain")
        return process.processObject(Keychain.self) { Keychain(process) }
    }

    func add(_ query: KeychainQuery) -> (OSStatus, AnyObject?) {
        lock.withLock {
            guard let item = query.newItem(at: process.device.lane.date) else { return (errSecParam, nil) }
            let place = item.place
            guard process.device.storedSecrets[place] == nil else { return (errSecDuplicateItem, nil) }
            write([StorageChange(place, item.stored)])
            return (errSecSuccess, query.answer([item]))
        }
    }

    func find(_ query: KeychainQuery) -> (OSStatus, AnyObject?) {
        lock.withLock {
            guard let found = matches(query) else { return (errSecParam, nil) }
            return found.isEmpty ? (errSecItemNotFound, nil) : (errSecSuccess, query.answer(found))
        }
    }

    func update(_ query: KeychainQuery, _ changes: KeychainQuery) -> OSStatus {
        lock.withLock {
            guard !changes.attributes.isEmpty, changes.itemClass == nil, let found = matches(query) else {
                return errSecParam
            }
            if found.isEmpty { return errSecItemNotFound }
            var written: [StorageChange] = []
            var taken = Set(process.device.storedSecrets.keys)
            for item in found {
                let changed = item.changed(by: changes, at: process.device.lane.date)
                if changed.place != item.place {
                    guard taken.insert(changed.place).inserted else { return errSecDuplicateItem }
                    written.append(StorageChange(item.place, nil))
                }
                written.append(StorageChange(changed.place, changed.stored))
            }
            write(written)
            return errSecSuccess
        }
    }

    func delete(_ query: KeychainQuery) -> OSStatus {
        lock.withLock {
            guard let found = matches(query) else { return errSecParam }
            if found.isEmpty { return errSecItemNotFound }
            write(found.map { StorageChange($0.place, nil) })
            return errSecSuccess
        }
    }

    /// The matching items, the oldest first; nil if the query makes no sense.
    private func matches(_ query: KeychainQuery) -> [KeychainItem]? {
        guard query.itemClass != nil || query.reference != nil else { return nil }
        return process.device.storedSecrets.compactMap { KeychainItem(place: $0, stored: $1) }
            .filter { query.matches($0) }.sorted { ($0.created, $0.place) < ($1.created, $1.place) }
    }

    /// Writes through the fence: a process that has ended changes nothing.
    private func write(_ changes: [StorageChange]) {
        let device = process.device
        if device.lane.isCurrent { return device.writeSecrets(changes, from: process) }
        device.writeFromOutside(.secrets(changes), from: process, isNoted: false)
    }
}
