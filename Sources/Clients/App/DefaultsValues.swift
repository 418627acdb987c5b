// The values behind a device's `UserDefaults.standard`.
// Any thread; `lock` guards. What is set on the device's lane passes the fence at once; from elsewhere it is readable at
// once, and reaches the storage when the lane comes to it.

import Foundation
import Simulation

final class DefaultsValues: @unchecked Sendable {
    private let process: AppProcess
    private let lock = NSLock()
    private var registered: [String: Any] = [:]
    /// Set away from the lane, and not written by it yet.
    private var underWay: [String: UnderWay] = [:]

    private struct UnderWay {
        var value: StorageValue?
        var count: Int
    }

    init(process: AppProcess) { self.process = process }

    func store(_ value: StorageValue?, _ key: String) {
        let device = process.device
        let isUnderWay = lock.withLock { underWay[key] != nil }
        // An earlier value that is still on its way must not come after this one.
        if device.lane.isCurrent, !isUnderWay { return device.setDefault(StorageChange(key, value), from: process) }
        guard process.isAlive else { return }
        lock.withLock { underWay[key] = UnderWay(value: value, count: (underWay[key]?.count ?? 0) + 1) }
        device.sendFromOutside { [self] in
            device.setDefault(StorageChange(key, value), from: process)
            lock.withLock {
                underWay[key]?.count -= 1
                if underWay[key]?.count == 0 { underWay[key] = nil }
            }
        }
    }

    /// Something that no property list can hold: raises on Apple's systems.
    func refuse() { process.raiseAnywhere(.failedAssertion) }

    func register(_ defaults: [String: Any]) {
        lock.withLock { registered.merge(defaults) { $1 } }
    }

    func synchronize() {
        let device = process.device
        let isIdle = lock.withLock { underWay.isEmpty }
        if device.lane.isCurrent, isIdle { return device.synchronize(from: process) }
        device.sendFromOutside { [process] in device.synchronize(from: process) }
    }

    func object(_ key: String) -> Any? {
        let (pending, fallback) = lock.withLock { (underWay[key], registered[key]) }
        let value: StorageValue?
        if let pending {
            value = pending.value
        } else {
            value = process.device.readStorage { $0.value(key) } ?? nil
        }
        return value.map(StoredDefault.object) ?? fallback
    }

    var all: [String: Any] {
        let (pending, fallback) = lock.withLock { (underWay, registered) }
        var all = fallback
        let stored: [String: StorageValue]? = process.device.readStorage { $0.values }
        for (key, value) in stored ?? [:] { all[key] = StoredDefault.object(value) }
        for (key, change) in pending { all[key] = change.value.map(StoredDefault.object) }
        return all
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
