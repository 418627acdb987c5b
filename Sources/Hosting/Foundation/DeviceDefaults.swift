// `UserDefaults` of a device: the same storage that `AppEnvironment.defaults` writes.
// Any thread: the values are guarded by the lock of `DefaultsValues`.

import Foundation
import Simulation

/// Every access is overridden; what the class itself does with its files is never used.
final class DeviceDefaults: UserDefaults {
    private let values: DefaultsValues

    /// - Parameter suite: nil for the standard ones.
    init(process: AppProcess, suite: String? = nil) {
        values = DefaultsValues(process: process, suite: suite)
        super.init(suiteName: nil)!  // Fails for two reserved names only.
    }

    // MARK: Writing

    override func set(_ value: Any?, forKey key: String) {
        guard let value else { return values.store(nil, key) }
        if let stored = StoredDefault.stored(value) { return values.store(stored, key) }
        // Nothing that a property list can hold: raises on Apple's systems.
        values.refuse()
    }

    override func set(_ value: Int, forKey key: String) { values.store(.integer(value), key) }
    override func set(_ value: Bool, forKey key: String) { values.store(.flag(value), key) }
    override func set(_ value: Float, forKey key: String) { set(value as Any, forKey: key) }
    override func set(_ value: Double, forKey key: String) { set(value as Any, forKey: key) }

    override func set(_ url: URL?, forKey key: String) {
        // The overload that a plain nil finds.
        values.store(url.map { .text($0.absoluteString) }, key)
    }

    override func removeObject(forKey key: String) { values.store(nil, key) }

    override func register(defaults: [String: Any]) { values.register(defaults) }

    @discardableResult
    override func synchronize() -> Bool {
        values.synchronize()
        return true
    }

    // MARK: Reading

    override func object(forKey key: String) -> Any? { values.object(key) }

    override func string(forKey key: String) -> String? {
        switch object(forKey: key) {
        case let text as String: return text
        case let flag as Bool: return flag ? "1" : "0"
        case let number as Int: return String(number)
        case let number as Double: return String(number)
        default: return nil
        }
    }

    override func array(forKey key: String) -> [Any]? { object(forKey: key) as? [Any] }
    override func stringArray(forKey key: String) -> [String]? { object(forKey: key) as? [String] }
    override func dictionary(forKey key: String) -> [String: Any]? { object(forKey: key) as? [String: Any] }
    override func data(forKey key: String) -> Data? { object(forKey: key) as? Data }

    override func integer(forKey key: String) -> Int {
        let number = number(key)
        return Int(exactly: number.rounded(.towardZero)) ?? 0
    }

    override func float(forKey key: String) -> Float { Float(number(key)) }
    override func double(forKey key: String) -> Double { number(key) }

    override func bool(forKey key: String) -> Bool {
        if let text = object(forKey: key) as? String {
            return ["yes", "true", "1"].contains(text.lowercased())
        }
        return number(key) != 0
    }

    override func url(forKey key: String) -> URL? { string(forKey: key).flatMap(URL.init(string:)) }

    override func dictionaryRepresentation() -> [String: Any] { values.all }

    private func number(_ key: String) -> Double {
        switch object(forKey: key) {
        case let flag as Bool: return flag ? 1 : 0
        case let number as Int: return Double(number)
        case let number as Double: return number
        case let number as Float: return Double(number)
        case let text as String: return Double(text) ?? 0
        default: return 0
        }
    }
}
