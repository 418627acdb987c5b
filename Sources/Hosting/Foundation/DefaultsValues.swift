// The values behind a device's `UserDefaults`: the standard defaults or a suite's.
// Any thread; `lock` guards the registered values. Values set on the device's lane pass the fence at once.
// Values set on another thread are readable at once, and reach the storage when the lane performs the write.

import Foundation
import Simulation

final class DefaultsValues: @unchecked Sendable {
    private let process: AppProcess
    private let lock = NSLock()
    private var registered: [String: Any] = [:]
    /// With what the names of a suite's values begin in storage; empty for the standard ones.
    private let prefix: String

    init(process: AppProcess, suite: String?) {
        self.process = process
        prefix = suite.map { Self.suiteMark + $0 + Self.suiteMark } ?? ""
    }

    /// In no name that an app gives.
    private static let suiteMark = "\u{1F}"

    private func place(of key: String) -> String { prefix.isEmpty ? key : prefix + key }

    func store(_ value: StorageValue?, _ key: String) {
        let device = process.device
        let change = StorageChange(place(of: key), value)
        if device.lane.isCurrent { return device.setDefault(change, from: process) }
        device.writeFromOutside(.setting(change), from: process, isNoted: false)
    }

    /// Something that no property list can hold: raises on Apple's systems.
    func refuse() { process.raiseAnywhere(.failedAssertion) }

    func register(_ defaults: [String: Any]) {
        lock.withLock { registered.merge(defaults) { $1 } }
    }

    func synchronize() {
        let device = process.device
        if device.lane.isCurrent {
            device.catchUp()
            return device.synchronize(from: process)
        }
        device.performInOrder { [process] in device.synchronize(from: process) }
    }

    func object(_ key: String) -> Any? {
        let fallback = lock.withLock { registered[key] }
        return process.device.storedValue(place(of: key), isDurable: false).map(
            StoredDefault.object) ?? fallback
    }

    var all: [String: Any] {
        var found = lock.withLock { registered }
        for (key, value) in process.device.storedValues where key.hasPrefix(prefix) {
            // The standard defaults do not show the values of suites.
            if prefix.isEmpty, key.hasPrefix(Self.suiteMark) { continue }
            found[String(key.dropFirst(prefix.count))] = StoredDefault.object(value)
        }
        return found
    }
}

/// What stands for a value of the defaults in storage.
enum StoredDefault {
    /// Nil for what no property list can hold.
    static func stored(_ value: Any) -> StorageValue? {
        if value is NSNumber { return list(value) }
        switch value {
        case let flag as Bool: return .flag(flag)
        case let number as Int: return .integer(number)
        case let text as String: return .text(text)
        case let data as Data: return .bytes(data)
        case let number as Float: return list(Double(number))
        default: return list(value)
        }
    }

    // In an array: a property list of a number alone is not one everywhere.
    private static func list(_ value: Any) -> StorageValue? {
        guard PropertyListSerialization.propertyList([value], isValidFor: .binary) else { return nil }
        return (try? PropertyListSerialization.data(fromPropertyList: [value], format: .binary, options: 0))
            .map { .propertyList($0) }
    }

    static func object(_ value: StorageValue) -> Any {
        switch value {
        case .integer(let number): return number
        case .flag(let flag): return flag
        case .text(let text): return text
        case .bytes(let data): return data
        case .propertyList(let data):
            let list = try? PropertyListSerialization.propertyList(from: data, options: [], format: nil)
            return (list as? [Any])?.first ?? data
        }
    }
}
